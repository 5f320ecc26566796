/** Values that the application sets in nested records, overriding the client's. */
import { type BodyScope, isOfKey, type ScopeValue } from './body-scope.js';
import type { CatalogColumn } from './catalog.js';
import { readPersistedKey } from './persisted-key.js';
import { isOwnEntity, isSameRelation, type OwnedRelation } from './relation-scope.js';
import { backReferencesOf, isUnassignedKey } from './write-context.js';

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
  const fixed = backReferencesOf(relation);

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
  return [...key].every(
    ([column, value]) => value !== undefined && !column.autoIncrement && !isUnassignedKey(column, value),
  );
}
