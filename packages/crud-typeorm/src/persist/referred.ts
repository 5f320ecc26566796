import { getOrInsert, type PlannedCascade } from '@nestwright/crud/adapter';
import type { ObjectLiteral, RelationMetadata } from 'typeorm';
import { relationMetadataOf } from '../catalog/catalog.js';
import { type ColumnMetadata, setColumnValue } from '../column-metadata.js';
import { fieldAt } from '../errors/blame.js';
import { type RecordStore, type Place, updateLinked } from './cascade.js';
import { namingColumns } from '../scope/link-keys.js';
import { findRecords } from '../statements/find.js';
import type { NewRecord } from '../statements/new-entity.js';
import { isValue } from '../statements/values.js';

/** Inserts new records before those that refer to them, all of one relation at once. */
export async function insertReferred(
  store: RecordStore,
  records: readonly NewRecord[],
  entities: readonly ObjectLiteral[],
): Promise<void> {
  const nested = new Map<RelationMetadata, { readonly record: NewRecord; readonly parent: ObjectLiteral }[]>();

  records.forEach(({ plan, path }, index) => {
    for (const { relation, items } of plan.cascades) {
      const [item] = items;

      if (relation.references.length > 0 && item && !item.key && relation.cascadeInsert) {
        const metadata = relationMetadataOf(relation);
        const record = { plan: item.plan, path: fieldAt(path, relation.path) };

        getOrInsert(nested, metadata, () => []).push({ record, parent: entities[index] ?? {} });
      }
    }
  });

  for (const [relation, found] of nested) {
    const stored = await store.insert(found.map(({ record }) => record));

    found.forEach(({ record: { path }, parent }, index) => {
      store.reach.note(relation, { record: stored[index] ?? {}, path });

      for (const column of relation.joinColumns) {
        setColumnValue(column, parent, column.referencedColumn?.getEntityValue(stored[index] ?? {}));
      }
    });
  }
}

/**
 * Stores a nested record that the updated one refers to: updates it if it is linked, inserts and links a new one, and
 * leaves any other alone.
 */
export async function storeReferred(
  store: RecordStore,
  { relation, items: [item] }: PlannedCascade,
  {
    stored,
    changes,
    path,
  }: { readonly stored: ObjectLiteral; readonly changes: Map<ColumnMetadata, unknown>; readonly path: string },
): Promise<void> {
  const metadata = relationMetadataOf(relation);
  const target = metadata.inverseEntityMetadata;
  const place: Place = { relation: metadata, path: fieldAt(path, relation.path) };
  const values = metadata.joinColumns.map((column): unknown => column.getEntityValue(stored));
  const linked = values.every(isValue)
    ? await findRecords(store.runner, target, [...new Set([...target.primaryColumns, ...namingColumns(metadata)])], {
        columns: namingColumns(metadata),
        values,
        locked: true,
      })
    : [];
  const reached = await store.reach.within(metadata, linked);

  if (!item || (await updateLinked(store, item, reached, place)) || item.key || !relation.cascadeInsert) {
    return;
  }

  const [inserted = {}] = await store.insert([{ plan: item.plan, path: place.path }]);

  store.reach.note(metadata, { record: inserted, path: place.path });

  for (const column of metadata.joinColumns) {
    changes.set(column, column.referencedColumn?.getEntityValue(inserted));
  }
}
