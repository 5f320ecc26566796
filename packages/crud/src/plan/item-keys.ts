/** The records of a bulk, each named by its key in the body, as single-record routes name theirs in the path. */
import { convertFilterToSearch, type ParamsOptions, type QueryFilter, type SCondition } from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import { keyParams } from '../definition/resource-definition.js';
import type { Catalog } from './catalog.js';
import { readOwnPath } from '../definition/plain-objects.js';
import { Refusal, WriteFaults, wrongType } from './refusal.js';
import { scopeOf } from './read.js';
import { typedValue } from './values.js';

/** The key of one item, as the conditions that the path of a single-record route would give. */
export type ItemKey = readonly QueryFilter[];

/**
 * The fields of the key that each item carries: those of the primary path parameters; if there are none, the primary
 * key.
 *
 * @param inPath Fields that the request's path sets already. Default: none.
 * @example
 * itemKeyFields({ id: { field: 'id', type: 'number', primary: true } }, users); // ['id']
 */
export function itemKeyFields(
  params: ParamsOptions | undefined,
  catalog: Catalog | undefined,
  inPath: readonly string[] = [],
): readonly string[] {
  const named = keyParams(params).map(({ field }) => field);
  const fields = named.length > 0 ? named : (catalog?.primary ?? []).map(({ path }) => path);

  return fields.filter((field) => !inPath.includes(field));
}

/**
 * Reads the keys of items as their columns read them. Throws a 400 that names all that are missing or wrong.
 *
 * @example
 * readItemKeys([{ id: '7', name: 'x' }], ['id'], users); // [[{ field: 'id', operator: '$eq', value: 7 }]]
 */
export function readItemKeys(
  items: readonly object[],
  fields: readonly string[],
  catalog: Catalog | undefined,
): readonly ItemKey[] {
  const faults = new WriteFaults();
  const keys = items.map((item, index) =>
    fields.map((field): QueryFilter => {
      const value = readPart(readOwnPath(item, field), field, catalog);
      if (value instanceof Refusal) faults.add(`bulk.${index}.${field}`, value);

      return { field, operator: '$eq', value };
    }),
  );
  faults.throwIfAny();

  return keys;
}

function readPart(raw: unknown, field: string, catalog: Catalog | undefined): unknown {
  if (raw === undefined || raw === null) return wrongType('is required');
  // A moment that was read before.
  if (typeof raw === 'object' && !(raw instanceof Date)) return wrongType('must be a key');

  const column = catalog?.columns.get(field);

  return column ? typedValue(column, raw) : raw;
}

/** The request that a single-record route would have made of an item: the item's key is part of its path. */
export function requestOfItem(request: CrudRequest, key: ItemKey): CrudRequest {
  const { parsed } = request;
  const conditions = key.map(convertFilterToSearch);
  const search = { $and: [...conditions, ...(parsed.search ? [parsed.search] : [])] } as SCondition;

  return {
    ...request,
    parsed: { ...parsed, paramsFilter: [...(parsed.paramsFilter ?? []), ...key], search },
    scope: { $and: [...conditions, scopeOf(request)] },
  };
}
