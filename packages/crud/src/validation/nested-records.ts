/** The nested records of a body that cascades store, prepared for the rules of their entities. */
import type { Type } from '@nestjs/common';
import { isObject, isPlainObject, ownProperty, readOwnPath, valueAtPath } from '../definition/plain-objects.js';
import { oncePerObject } from '../get-or-insert.js';
import { applyScope, type BodyScope } from '../plan/body-scope.js';
import type { Catalog, CatalogRelation } from '../plan/catalog.js';
import type { WriteMode } from '../plan/write-plan.js';
import { nestedScope } from '../plan/nested-scope.js';
import { knowsProperty } from './declared-properties.js';
import { type Body, isNestedRecord } from './plain-body.js';
import { copyForeignKeys, isRuled } from './scoped-record.js';
import { type BodyPlace, isNewRecord, relatedPlace } from './settable-properties.js';

/** Makes an instance of an entity from a nested record. */
export type MakeRecord = (type: Type<unknown>, record: Body, mode: WriteMode) => Body;

/** A nested record, ready to be checked. */
export interface NestedRecord {
  readonly record: Body;
  readonly sent: unknown;
  /** The rules of a record that is an instance of its entity are the model's, whatever class the body around it has. */
  readonly place: BodyPlace;
  /** The place of one that may have to be inserted, though it counts as stored already. */
  readonly placeIfNew: BodyPlace | undefined;
  /** Its path in the object around it: the relation's, and its index if that is a list. */
  readonly path: string;
  /** Whether a cascade stores it; others can only be linked. */
  readonly isStored: boolean;
  /** Properties that the application has set: errors there are not the client's. */
  readonly added: ReadonlySet<string>;
  /**
   * Properties to remove after the check: the write's plan sets them where it stores a record, not where it only links
   * one.
   */
  readonly undo: readonly string[];
  /** Whether a `@ValidateNested()` has had it checked. */
  isChecked?: boolean;
}

/** An object that holds nested records. */
export interface Surrounding {
  readonly instance: Body;
  readonly sent: unknown;
  readonly place: BodyPlace;
}

/** The relations of an entity whose nested records are stored. */
export const listCascades = oncePerObject(({ relations }: Catalog): readonly CatalogRelation[] =>
  [...relations.values()].filter(({ cascadeInsert, cascadeUpdate }) => cascadeInsert || cascadeUpdate),
);

/** Whether a body carries records that a cascade may store. */
export function carriesRecords(body: Body, catalog: Catalog | undefined): boolean {
  return (
    catalog !== undefined && listCascades(catalog).some(({ path }) => [readOwnPath(body, path)].flat().some(isObject))
  );
}

/**
 * Makes nested records instances of their entities, unless the body's class has made them instances of another one.
 * Sets in them the values that the write's plan will set when they are stored, so that rules that require them pass:
 * foreign keys that the body gives by relations, and the scope's values, as far as the class of the record knows them.
 */
export function prepareRecords(
  { instance, sent, place }: Surrounding,
  scope: BodyScope,
  makeRecord: MakeRecord,
  isWhitelisted: boolean,
): readonly NestedRecord[] {
  const { catalog, prefix, fixed, mode, group } = place;
  if (!catalog || prefix !== '' || !isObject(sent) || listCascades(catalog).length === 0) return NONE;

  return listCascades(catalog).flatMap((relation) => {
    if (fixed.has(relation.path)) return [];

    return findRecords(instance, sent, relation).map(({ holder, key, item, path }): NestedRecord => {
      const isNew = isNewRecord(relation, item, mode);
      const { target } = relation.target;
      const found = holder[key] as Body;
      const record =
        isPlainObject(found) && typeof target === 'function'
          ? makeRecord(target as Type<unknown>, found, isNew ? 'insert' : 'update')
          : found;
      holder[key] = record;
      const isModel = group !== undefined || (typeof target === 'function' && record instanceof target);
      const mayBeNew = isModel && !isNew && relation.cascadeInsert && isNewRecord(relation, item, 'insert');

      return {
        record,
        sent: item,
        place: relatedPlace(isModel, relation, isNew),
        placeIfNew: mayBeNew ? relatedPlace(true, relation, true) : undefined,
        path,
        isStored: isNew ? relation.cascadeInsert : relation.cascadeUpdate && mode !== 'insert',
        ...setScope(record, item, nestedScope(scope, { owner: catalog, relation }, isNew), isWhitelisted),
      };
    });
  });
}

const NONE: readonly NestedRecord[] = [];

interface Found {
  readonly holder: Body;
  readonly key: string;
  readonly item: unknown;
  readonly path: string;
}

function findRecords(instance: Body, sent: object, { path, toMany }: CatalogRelation): Found[] {
  const steps = path.split('.');
  const key = steps.pop()!;
  const holder = valueAtPath(instance, steps) as Body;
  const value = ownProperty(holder, key);
  const item = readOwnPath(sent, path);
  const listed = (index: string): Found => ({
    holder: value as Body,
    key: index,
    item: ownProperty(item, index),
    path: `${path}.${index}`,
  });
  // What is no list is refused when the write is planned.
  const alone = toMany ? [] : [{ holder, key, item, path }];
  const found = Array.isArray(value) ? Object.keys(value).map(listed) : alone;

  return found.filter((each) => isNestedRecord(ownProperty(each.holder, each.key)));
}

function setScope(
  record: Body,
  sent: unknown,
  scope: BodyScope,
  isWhitelisted: boolean,
): Pick<NestedRecord, 'added' | 'undo'> {
  const type = record.constructor as Type<unknown>;
  const nulls = copyForeignKeys(record, { values: [], catalog: scope.catalog }, isRuled(type, isWhitelisted));
  const before = new Set(Object.keys(record));
  const knows = (property: string) => knowsProperty(type, property);
  const set = applyScope(record, scope, { sent: isPlainObject(sent) ? sent : record, knows, keepsRelated: true });
  const added = Object.keys(record).filter((property) => set.has(property) || !before.has(property));

  return { added: new Set(added), undo: [...nulls.map(({ column }) => column), ...added] };
}
