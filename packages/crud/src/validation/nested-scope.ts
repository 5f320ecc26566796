import type { Type, ValidationError } from '@nestjs/common';
import { applyScope, type BodyScope, nestedScope, NO_SCOPE } from '../plan/body-scope.js';
import type { Catalog, CatalogRelation } from '../plan/catalog.js';
import { isOwnEntity } from '../plan/relation-scope.js';
import { backReferencesOf } from '../plan/write-context.js';
import { knowsProperty } from './declared-properties.js';
import { type Body, isRecordBody } from './plain-body.js';

/** What was set in nested records that the client did not send. */
export interface NestedScope {
  /** Drops errors of values that the application set: they are not the client's. */
  readonly dropErrorsOfAdded: (errors: readonly ValidationError[]) => readonly ValidationError[];
  /** Removes the values again: the write's plan sets them where it stores a record, not where it only links one. */
  readonly undo: () => void;
}

/** A property of a nested record. */
interface AddedProperty {
  readonly record: Body;
  readonly property: string;
  readonly path: string;
}

/**
 * Sets in nested records the values that the write's plan will set when they are stored, so that rules that require
 * them pass. Only properties that the class of a nested record knows are set.
 *
 * @param made What class-transformer made of the body.
 */
export function scopeNested(made: Body, sent: Body, scope: BodyScope = NO_SCOPE): NestedScope {
  const added: AddedProperty[] = [];
  const { values, catalog } = scope;
  if (catalog && values.length > 0) scopeBelow({ made, sent, path: '' }, catalog, { root: catalog, scope, added });

  const paths = new Set(added.map(({ path }) => path));

  return {
    dropErrorsOfAdded: (errors) => (paths.size > 0 ? pruned(errors, '', paths) : errors),
    undo: () => added.forEach(({ record, property }) => Reflect.deleteProperty(record, property)),
  };
}

interface Place {
  readonly made: Body;
  readonly sent: Body;
  /** Path of the record in the body, with a dot at its end. */
  readonly path: string;
}

interface Work {
  readonly root: Catalog;
  readonly scope: BodyScope;
  readonly added: AddedProperty[];
}

function scopeBelow({ made, sent, path }: Place, catalog: Catalog, work: Work): void {
  for (const relation of catalog.relations.values()) {
    if (!relation.cascadeInsert && !relation.cascadeUpdate) continue;

    for (const place of placesAt(made[relation.path], sent[relation.path], `${path}${relation.path}.`)) {
      if (isOwnEntity(work.root, relation.target)) scopeRecord(place, relation, work);
      scopeBelow(place, relation.target, work);
    }
  }
}

function placesAt(made: unknown, sent: unknown, path: string): Place[] {
  if (Array.isArray(made) && Array.isArray(sent))
    return made.flatMap((item: unknown, index) => placesAt(item, sent[index], `${path}${index}.`));

  return isRecordBody(made) && isRecordBody(sent) ? [{ made, sent, path }] : [];
}

function scopeRecord({ made, sent, path }: Place, relation: CatalogRelation, { scope, added }: Work): void {
  const isNew = relation.target.primary.some((column) => (sent[column.path] ?? undefined) === undefined);
  const backReferences = backReferencesOf(relation);
  const type = made.constructor as Type<unknown>;
  const values = nestedScope(scope, isNew).values.filter(({ field }) => !backReferences.has(field));
  const properties = applyScope(
    made,
    { values, catalog: undefined },
    { sent, knows: (property) => knowsProperty(type, property) },
  );

  for (const property of properties) added.push({ record: made, property, path: path + property });
}

function pruned(
  errors: readonly ValidationError[],
  prefix: string,
  paths: ReadonlySet<string>,
): readonly ValidationError[] {
  return errors.flatMap((error) => {
    const path = prefix + error.property;
    if (paths.has(path)) return [];
    if (!error.children?.length) return [error];

    const children = [...pruned(error.children, `${path}.`, paths)];

    return children.length > 0 || error.constraints ? [Object.assign(error, { children })] : [];
  });
}
