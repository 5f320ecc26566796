import { getOrInsert, outOfScope, type PlannedCascade } from '@nestwright/crud/adapter';
import type { ObjectLiteral, RelationMetadata } from 'typeorm';
import { getRelationMetadata } from '../catalog/catalog.js';
import { type ColumnMetadata, setColumnValue } from '../column-metadata.js';
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

/** Inserts new records before those that refer to them, all of one relation at once. */
export async function insertReferred(store: RecordStore, records: readonly PreparedRecord[]): Promise<void> {
  const nested = new Map<RelationMetadata, { readonly record: NewRecord; readonly parent: ObjectLiteral }[]>();

  for (const { plan, path, entity: parent } of records) {
    for (const { relation, items } of plan.cascades) {
      const [item] = items;

      if (relation.references.length > 0 && item && !item.key && relation.cascadeInsert) {
        const record = { plan: item.plan, path: nameField(path, relation.path) };
        getOrInsert(nested, getRelationMetadata(relation), () => []).push({ record, parent });
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
  { relation, items: [item] }: PlannedCascade,
  stored: ObjectLiteral,
  changes: Map<ColumnMetadata, unknown>,
  path: string,
): Promise<void> {
  const metadata = getRelationMetadata(relation);
  const target = metadata.inverseEntityMetadata;
  const place: Place = { relation: metadata, path: nameField(path, relation.path) };
  const values = readValues(metadata.joinColumns, stored);
  const linked = values.every(isValue)
    ? await findRecords(store.runner, target, [...new Set([...target.primaryColumns, ...namingColumns(metadata)])], {
        where: equal(namingColumns(metadata), values),
        locked: true,
      })
    : [];
  if (item?.isNew && linked.length > 0) refuseSecond(store, place);
  const reached = await store.reach.within(metadata, linked);
  if (item?.key && linked.some((record) => identifies(item, record)) && (await store.reach.isDeleted(metadata, values)))
    throw outOfScope(place.path);

  if (!item || (await updateLinked(store, item, reached, place)) || item.key || !relation.cascadeInsert) return;

  const [inserted = {}] = await insertRelated(store, metadata, [{ plan: item.plan, path: place.path }]);
  for (const [column, value] of makeForeignKey(inserted, metadata.joinColumns)) changes.set(column, value);
}
