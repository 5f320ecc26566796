import type { Type } from '@nestjs/common';
import { getOrInsert } from '../get-or-insert.js';
import type { EntitySchemaLike } from './class-options.js';

// One class per schema, shared by all resources of the schema.
const made = new WeakMap<EntitySchemaLike, Type<unknown>>();

/** The class of a resource's records. */
export function modelClass(type: unknown): Type<unknown> | undefined {
  if (typeof type === 'function') return type as Type<unknown>;
  if (!isEntitySchema(type)) return undefined;

  const { name, target } = type.options;
  if (typeof target === 'function') return target as Type<unknown>;

  return getOrInsert(made, type, () => ({ [name]: class {} })[name]!);
}

function isEntitySchema(type: unknown): type is EntitySchemaLike {
  const options = (type as Partial<EntitySchemaLike> | null | undefined)?.options;

  return typeof options?.name === 'string';
}
