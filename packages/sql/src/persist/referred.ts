import { getOrInsert, outOfScope, type PlannedCascade } from '@nestwright/crud/adapter';
import { nameField } from '../errors/blame.js';
import {
  identifies,
  insertRelated,
  makeForeignKey,
  type Place,
  type RecordStore,
  refuseSecond,
  updateLinked,
} from './cascade.js';
import { namingColumns } from '../scope/link-keys.js';
import { findRecords } from '../statements/find.js';
import type { NewRecord, PreparedRecord } from '../statements/new-entity.js';
import { equal, isValue, readValues } from '../statements/values.js';
import { getRelation } from '../database/links.js';
import { setColumnValue } from '../database/records.js';
import type { Column, Entity, Relation } from '../database/database.js';

/** Inserts new records before those that refer to them, all of one relation at once. */
export async function insertReferred(store: RecordStore, records: readonly PreparedRecord[]): Promise<void> {
  const nested = new Map<Relation, { readonly record: NewRecord; readonly parent: Entity }[]>();

  for (const { plan, path, entity: parent } of records) {
    for (const { relation, items } of plan.cascades) {
      if (relation.references.length === 0) continue;
      const item = items[0]!;

      if (!item.key && relation.cascadeInsert) {
        const record = { plan: item.plan, path: nameField(path, relation.path) };
        getOrInsert(nested, getRelation(relation), () => []).push({ record, parent });
      }
    }
  }

  for (const [relation, found] of nested) {
    const records = found.map(({ record }) => record);

    for (const [index, stored] of (await insertRelated(store, relation, records)).entries()) {
      const { parent } = found[index]!;
      for (const [column, value] of makeForeignKey(stored, relation.joinColumns)) setColumnValue(column, parent, value);
    }
  }
}

/**
 * Stores a nested record that the updated one refers to: updates it if it is linked, inserts and links a new one, and
 * leaves any other alone.
 */
export async function storeReferred(
  store: RecordStore,
  { relation, items }: PlannedCascade,
  stored: Entity,
  changes: Map<Column, unknown>,
  path: string,
): Promise<void> {
  const item = items[0]!;
  const storedRelation = getRelation(relation);
  const target = storedRelation.inverseTable;
  const place: Place = { relation: storedRelation, path: nameField(path, relation.path) };
  const values = readValues(storedRelation.joinColumns, stored);
  const linked = values.every(isValue)
    ? await findRecords(
        store.connection,
        target,
        [...new Set([...target.primaryColumns, ...namingColumns(storedRelation)])],
        {
          where: equal(namingColumns(storedRelation), values),
          locked: true,
        },
      )
    : [];
  if (item.isNew && linked.length > 0) refuseSecond(store, place);
  const reached = await store.reach.within(storedRelation, linked);
  if (
    item.key &&
    linked.some((record) => identifies(item, record)) &&
    (await store.reach.isDeleted(storedRelation, values))
  )
    throw outOfScope(place.path);

  if ((await updateLinked(store, item, reached, place)) || item.key || !relation.cascadeInsert) return;

  const [inserted = {}] = await insertRelated(store, storedRelation, [{ plan: item.plan, path: place.path }]);
  for (const [column, value] of makeForeignKey(inserted, storedRelation.joinColumns)) changes.set(column, value);
}
