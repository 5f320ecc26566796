import type { Type } from '@nestjs/common';
import { oncePerObject } from '../get-or-insert.js';
import type { EntitySchemaLike } from './class-options.js';

/** The class of a resource's records. */
export function modelClass(type: unknown): Type<unknown> | undefined {
  if (typeof type === 'function') return type as Type<unknown>;
  if (!isEntitySchema(type)) return undefined;

  const { target } = type.options;

  return typeof target === 'function' ? (target as Type<unknown>) : classOfSchema(type);
}

/** One class per schema, shared by all resources of the schema. */
const classOfSchema = oncePerObject(
  ({ options: { name } }: EntitySchemaLike): Type<unknown> => ({ [name]: class {} })[name]!,
);

function isEntitySchema(type: unknown): type is EntitySchemaLike {
  const options = (type as Partial<EntitySchemaLike> | null | undefined)?.options;

  return typeof options?.name === 'string';
}
