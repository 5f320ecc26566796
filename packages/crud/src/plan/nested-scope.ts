/**
 * Values that the application sets in nested records, overriding the client's, and what `persist` says of a record's
 * key: a record that has another key is not written.
 */
import { applyScope, type BodyScope, bodyScope, isOfKey, namesColumn, type ScopeValue } from './body-scope.js';
import type { Catalog, CatalogColumn } from './catalog.js';
import { isRecord, readOwnPath } from '../definition/plain-objects.js';
import { Refusal } from './refusal.js';
import { isOwnEntity, isSameRelation, type OwnedRelation } from './relation-scope.js';
import { checkValue } from './write-checks.js';
import { listBackReferences } from './write-context.js';

/**
 * What is set in the records of one relation, and the key that the application names: records with another one are not
 * written.
 */
export interface NestedScope extends BodyScope {
  readonly persistedKey: ReadonlyMap<CatalogColumn, unknown>;
}

/**
 * The part of a scope that applies to nested records. Those of the resource's own entity are given what the body is
 * given, but never key columns, and path values only if they are new; those of a relation that has values of its own
 * are given these, too. The record around them decides what refers to it.
 */
export function nestedScope(scope: BodyScope, { owner, relation }: OwnedRelation, isNew: boolean): NestedScope {
  const { target } = relation;
  const isOwn = scope.catalog !== undefined && isOwnEntity(scope.catalog, target);
  const own = (isOwn ? scope.values : []).filter(
    ({ origin, field }) => (origin !== 'path' || isNew) && !isOfKey(field, scope.catalog),
  );
  const persist: Record<string, unknown> = {};
  for (const related of scope.related ?? [])
    if (isSameRelation(related, { owner, relation })) Object.assign(persist, related.values);

  const persistedKey = readPersistedKey(persist, target);
  const setsKey = isNew && isStorableKey(persistedKey);
  const related = Object.entries(persist)
    .filter(([field]) => setsKey || !isOfKey(field, target))
    .map(([field, value]) => ({ field, value, origin: 'persist' as const }));
  const fixed = listBackReferences(relation);

  return {
    values: [...own, ...related]
      .filter(({ field }) => !fixed.has(field))
      .map((value): ScopeValue => ({ ...value, forced: true })),
    catalog: target,
    persistedKey,
  };
}

/** Whether new records may have the key that `persist` names; not if the database counts it. */
export function isStorableKey(key: ReadonlyMap<CatalogColumn, unknown>): boolean {
  return [...key].every(([column, value]) => value !== undefined && !column.autoIncrement);
}

/**
 * The key columns that `persist` names, by column or by the relation that holds them, and their values;
 * undefined for a value that the column cannot store.
 *
 * @example
 * readPersistedKey({ id: 'break' }, users); // Map { id => undefined }
 */
export function readPersistedKey(persist: object | undefined, catalog: Catalog): ReadonlyMap<CatalogColumn, unknown> {
  const fields = Object.keys(persist ?? {});
  const columns = catalog.primary.filter(
    (column) => fields.some((field) => namesColumn(field, column, catalog)) && !isLeftOut(column, persist as object),
  );
  if (columns.length === 0) return new Map();

  const body: Record<string, unknown> = {};
  applyScope(body, bodyScope({ path: [], persist }, catalog));

  return new Map(
    columns.map((column) => {
      const raw = readColumn(column, body, catalog) ?? null;
      const value = checkValue(column, raw);

      return [column, value instanceof Refusal ? undefined : value];
    }),
  );
}

/** Whether `persist` has the embedded object of a column, but not the column. */
function isLeftOut({ path }: CatalogColumn, persist: object): boolean {
  if (Object.hasOwn(persist, path)) return false;

  let holder: unknown = persist;
  for (const name of path.split('.')) {
    if (!isRecord(holder)) return false;
    if (!(name in holder)) return holder !== persist;
    holder = (holder as Readonly<Record<string, unknown>>)[name];
  }

  return false;
}

function readColumn(column: CatalogColumn, body: object, { relations }: Catalog): unknown {
  const own = readOwnPath(body, column.path);
  if (own !== undefined && !relations.has(column.path)) return own;

  for (const { path, references } of relations.values()) {
    const reference = references.find((one) => one.column === column);
    const related = reference && readOwnPath(body, path);
    if (related !== undefined) return isRecord(related) ? readOwnPath(related, reference!.references.path) : related;
  }

  return undefined;
}
