/** Puts path values and `persist` into nested records of the resource's own entity while they are validated; refuses nothing. */
import type { Type, ValidationError } from '@nestjs/common';
import type { Catalog, CatalogRelation } from '../plan/catalog.js';
import { isOwnEntity } from '../plan/relation-scope.js';
import { applyScope, type BodyScope, NO_SCOPE, type ScopeValue } from './body-scope.js';
import { knowsProperty } from './known-properties.js';
import { isRecordBody } from './plain-body.js';

type Body = Record<string, unknown>;

/** What was put into nested records that the client did not send. */
export interface NestedScope {
  /** Leaves out what is wrong with values of the application, which are no client's mistake. */
  readonly withoutOwn: (errors: readonly ValidationError[]) => readonly ValidationError[];
  /** Takes the values out again: the plan of the write puts them into what it stores, and leaves alone what is only linked. */
  readonly undo: () => void;
}

/** A property of a nested record. */
interface Put {
  readonly record: Body;
  readonly property: string;
  readonly path: string;
}

/**
 * Puts into nested records what the plan of the write puts into them when they are stored, so that a rule which requires it holds. Only what the class of a nested record knows is put in.
 *
 * @param made What class-transformer made of the body.
 */
export function scopeNested(made: Body, sent: Body, { values, catalog }: BodyScope = NO_SCOPE): NestedScope {
  const put: Put[] = [];
  if (catalog && values.length > 0) {
    const own = values.filter(({ field }) => !isOfKey(field, catalog));
    scopeBelow({ made, sent, path: '' }, catalog, { root: catalog, values: own, put });
  }

  const paths = new Set(put.map(({ path }) => path));

  return {
    withoutOwn: (errors) => (paths.size > 0 ? pruned(errors, '', paths) : errors),
    undo: () => put.forEach(({ record, property }) => Reflect.deleteProperty(record, property)),
  };
}

interface Place {
  readonly made: Body;
  readonly sent: Body;
  /** Where the record stands in the body, with a dot at its end. */
  readonly path: string;
}

interface Work {
  readonly root: Catalog;
  readonly values: readonly ScopeValue[];
  readonly put: Put[];
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

function scopeRecord({ made, sent, path }: Place, relation: CatalogRelation, { values, put }: Work): void {
  const isNew = relation.target.primary.some((column) => (sent[column.path] ?? undefined) === undefined);
  const tie = relation.inverse === undefined ? undefined : relation.target.relations.get(relation.inverse);
  const tied = new Set(tie ? [tie.path, ...tie.references.map(({ column }) => column.path)] : []);
  const type = made.constructor as Type<unknown>;
  const wanted = values.flatMap((value) =>
    tied.has(value.field) || (value.origin === 'path' && !isNew) ? [] : [{ ...value, forced: true }],
  );
  const added = applyScope(made, { values: wanted, catalog: undefined }, sent, (property) =>
    knowsProperty(type, property),
  );

  for (const property of added) put.push({ record: made, property, path: path + property });
}

function isOfKey(field: string, { primary, relations }: Catalog): boolean {
  return primary.some(
    (column) =>
      column.path === field || relations.get(field)?.references.some((reference) => reference.column === column),
  );
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
