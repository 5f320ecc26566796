/** Path parameters become conditions, with values of their columns' types. */
import { type ParamsOptions, parsePathParams, type QueryFilter } from '@nestwright/crud-request';
import { crudError } from '../errors.js';
import { findField, type Names } from '../plan/resolve-names.js';
import { Refusal } from '../plan/refusal.js';
import { typedValue } from '../plan/values.js';

/** The conditions of a request's path. */
export interface PathConditions {
  readonly all: QueryFilter[];
  /** Those of the primary parameters alone. */
  readonly key: QueryFilter[];
}

/**
 * Reads the path; without a catalog a parameter of type `number` becomes a number if that keeps its digits, and all
 * else stays text.
 */
export function readPath(
  params: Record<string, string>,
  options: ParamsOptions,
  names: Names | undefined,
): PathConditions {
  if (names) requireKeys(params, options, names);

  const filters = parsePathParams(params, options);
  const all: QueryFilter[] = [];
  const key: QueryFilter[] = [];

  // Both lists are in path order, without parameters that are disabled or not configured.
  let next = 0;
  for (const name of Object.keys(params)) {
    const { type, primary, disabled = !Object.hasOwn(options, name) } = options[name] ?? {};
    if (disabled || params[name] === undefined) continue;
    const found = filters[next++] as QueryFilter;

    const value = names ? typeByColumn(names, name, found) : typeByOption(type, found.value);
    const filter = { ...found, value };
    all.push(filter);
    if (primary) key.push(filter);
  }

  return { all, key };
}

/** The entity lacks the default key, which the start has warned of: no record matches, whatever the path says. */
function requireKeys(params: Record<string, string>, options: ParamsOptions, names: Names): void {
  for (const name of Object.keys(params)) {
    const { field = name, primary, disabled } = options[name] ?? {};
    if (primary && !disabled && !findField(names, field))
      throw crudError('CRUD_NOT_FOUND', { message: `${names.root.model} not found` });
  }
}

function typeByColumn(names: Names, name: string, { field, value }: QueryFilter): unknown {
  const found = findField(names, field);
  if (!found || found.jsonPath.length > 0) return value;

  const typed = typedValue(found.column, value);
  if (typed instanceof Refusal)
    throw crudError('CRUD_INVALID_PARAM', { message: `${name} ${typed.text}`, field: name });

  return typed;
}

function typeByOption(type: string | undefined, value: unknown): unknown {
  const number = Number(value);

  return type === 'number' && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : value;
}
