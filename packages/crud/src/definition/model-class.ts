/** The class of a resource's records, whatever `model.type` names. */
import type { Type } from '@nestjs/common';
import { getOrInsert } from '../get-or-insert.js';
import { isObject } from './plain-objects.js';
import { notAModel } from './wording.js';

/** The part of TypeORM's `EntitySchema` that is read. */
export interface EntitySchemaLike {
  /** Name of the entity, and its class if it has one. */
  readonly options: { readonly name: string; readonly target?: unknown };
}

/** A table of Drizzle, which has its name under a symbol. */
export interface TableLike {
  /** Types of its columns; no value. */
  readonly _: { readonly name: string; readonly columns: object };
}

const TABLE_NAME = Symbol.for('drizzle:Name');
const classes = new WeakMap<object, Type<unknown>>();

/** @returns `undefined` for what is no model */
export function findModelClass(type: unknown): Type<unknown> | undefined {
  if (typeof type === 'function') return type as Type<unknown>;
  const { target } = (type as Partial<EntitySchemaLike> | null | undefined)?.options ?? {};
  if (typeof target === 'function') return target as Type<unknown>;

  return nameOf(type) === undefined ? undefined : classOfModel(type as object);
}

/**
 * For adapters: the class that stands for a schema or a table, shared by all resources of it.
 *
 * @param name Its name; the first call decides. Default: that of the schema, or of the table in Pascal case.
 * @throws TypeError for what has no name
 */
export function classOfModel(model: object, name = nameOf(model)): Type<unknown> {
  if (name === undefined) throw new TypeError(notAModel('the model', model));

  return getOrInsert(classes, model, () => ({ [name]: class {} })[name]!);
}

function nameOf(type: unknown): string | undefined {
  if (!isObject(type)) return undefined;
  const { options } = type as Partial<EntitySchemaLike>;
  if (typeof options?.name === 'string') return options.name;
  const { [TABLE_NAME]: table } = type as { readonly [TABLE_NAME]?: unknown };

  return typeof table === 'string' ? pascalCase(table) : undefined;
}

/** @example pascalCase('user_profiles'); // 'UserProfiles' */
function pascalCase(name: string): string {
  const words = name.split(/[^a-z\d]/i);

  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
