/** For adapters: the keys of the records that a write is about, as path, `persist` and bodies name them. */
import type { CrudRequest } from '../crud-request.js';
import { crudError } from '../errors.js';
import type { Catalog } from '../plan/catalog.js';
import { readPersistedKey } from '../plan/nested-scope.js';
import type { WritePlan } from '../plan/write-plan.js';
import type { Key } from './store.js';

/** The key that the path names; undefined if the path does not name all of it. */
export function readPathKey(request: CrudRequest, { primary }: Catalog): Key | undefined {
  return makeKey(pathValues(request), primary);
}

/** The key under which a PUT may create a record: the path's, completed by `persist`. */
export function keyToCreate(request: CrudRequest, catalog: Catalog): Key | undefined {
  const { primary } = catalog;
  const named = pathValues(request);
  const persisted = [...readPersistedKey(request.parsed.authPersist as object | undefined, catalog)].map(
    ([{ path }, value]) => [path, value] as const,
  );

  return primary.some(({ path }) => isGiven(named.get(path)))
    ? makeKey(new Map([...persisted, ...named]), primary)
    : undefined;
}

/** The properties that path and `persist` set in every record. */
export function givenNames(request: CrudRequest): ReadonlySet<string> {
  return new Set([...pathValues(request).keys(), ...Object.keys((request.parsed.authPersist ?? {}) as object)]);
}

/** The plan of a new record with the given key, overriding its own. */
export function planWithKey(plan: WritePlan, key: Key): WritePlan {
  const values = [
    ...plan.values.filter(({ column }) => !column.primary),
    ...plan.catalog.primary.map((column) => ({ column, value: key[column.path] })),
  ];

  return { ...plan, values };
}

/**
 * Refuses a record that an earlier item of the body names too: one would overwrite the other.
 *
 * @param named The paths of earlier items by the texts of their keys, to which this one is added.
 */
export function requireUnnamed(named: Map<string, string>, text: string, path: string): void {
  const before = named.get(text);

  if (before !== undefined)
    throw crudError('CRUD_INVALID_BODY', { field: path, message: [`${path} names the same record as ${before}`] });

  named.set(text, path);
}

function pathValues({ parsed }: CrudRequest): ReadonlyMap<string, unknown> {
  return new Map(
    (parsed.paramsFilter ?? [])
      .filter(({ operator }) => operator === '$eq' || operator === 'eq')
      .map(({ field, value }) => [field, value]),
  );
}

function makeKey(given: ReadonlyMap<string, unknown>, primary: Catalog['primary']): Key | undefined {
  return primary.length > 0 && primary.every(({ path }) => isGiven(given.get(path)))
    ? Object.fromEntries(primary.map(({ path }) => [path, given.get(path)]))
    : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
