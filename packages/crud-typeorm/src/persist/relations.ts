import { unreadColumnsOf, type WritePlan } from '@nestwright/crud/adapter';
import type { ObjectLiteral, QueryRunner, RelationMetadata } from 'typeorm';
import { getCatalog, getEntityMetadata, getRelationMetadata } from '../catalog/catalog.js';
import { type ColumnMetadata, referencedColumns } from '../column-metadata.js';
import { changesLinks, storeReferring } from './referring.js';
import { changeRow } from './change-row.js';
import { type Changes, hasRelations, readChanges, type StoredRow } from '../statements/changes.js';
import type { RecordStore } from './cascade.js';
import { afterInserts, beforeInserts } from './hooked-rows.js';
import { updateHooked } from './hooked-update.js';
import { newEntity, type NewRecord } from '../statements/new-entity.js';

import { insertReferred, storeReferred } from './referred.js';
import { findRecords } from '../statements/find.js';
import { requireJunction } from '../scope/link-keys.js';
import { Reach } from '../scope/reach.js';
import { announceInserts, insertRows } from './insert-rows.js';
import type { WriteContext } from '../statements/write-context.js';
import { keyPredicate } from '../statements/values.js';

/** Does work that stores records with their relations, and refuses it if a stored record is out of reach in the end. */
export async function withRecordStore<T>(
  context: WriteContext,
  runner: QueryRunner,
  work: (store: RecordStore) => Promise<T>,
): Promise<T> {
  const reach = new Reach(context, runner);
  const store: RecordStore = {
    runner,
    reach,
    hooks: context.hooks,
    unread: (metadata) =>
      unreadColumnsOf(getCatalog(metadata, context.catalog), context.catalog, context.request.options?.query),
    insert: (records) => insert(store, records),
    update: (row, plan, foreignKey) => update(store, row, plan, foreignKey),
  };
  const result = await work(store);

  await reach.settle();

  return result;
}

/**
 * Inserts records of one class, in as few statements as the relations allow. Returns the entities in the given order,
 * with their keys.
 */
async function insert(store: RecordStore, records: readonly NewRecord[]): Promise<ObjectLiteral[]> {
  const { runner, reach, hooks } = store;
  const [first] = records;

  if (!first) return [];

  const metadata = getEntityMetadata(first.plan.catalog);
  const planned = records.map((record) => ({ ...record, entity: newEntity(metadata, record.plan, record.foreignKey) }));
  const plans = records.map(({ plan }) => plan);
  for (const { insertRefusal } of plans) if (insertRefusal) throw await insertRefusal();

  await reach.prepare(plans, 'insert');
  await insertReferred(store, planned);
  const rows = hooks ? await beforeInserts(runner, hooks, planned) : planned;
  const entities = rows.map(({ entity }) => entity);
  await reach.requireNew(rows);
  await insertRows(runner, metadata, rows);
  if (hooks) await afterInserts(runner, hooks, metadata, entities);

  for (const { plan, path, entity } of rows) await storeReferring(store, plan, entity, { path, isNew: true });

  await announceInserts(runner, metadata, entities);

  return entities;
}

/**
 * Updates one record, and nothing that the plan does not name. Returns how many records the row's condition matched: 0
 * or 1, or -1 if no column of the record itself had to be written and so no statement ran.
 */
async function update(
  store: RecordStore,
  row: StoredRow,
  plan: WritePlan,
  foreignKey: Changes = new Map(),
): Promise<number> {
  const { runner, reach, hooks } = store;
  const owned = plan.cascades.filter(({ relation }) => relation.references.length > 0);
  const needsStored = hasRelations(plan) || reach.concerns(plan);
  const stored = needsStored ? await storedColumns(runner, row) : undefined;
  const changes = readChanges(plan);

  if (stored) {
    await reach.prepare([plan], 'update');
    await reach.requireChanges({ plan, path: row.path }, stored, changes);
  }

  for (const [column, value] of foreignKey) changes.set(column, value);

  for (const cascade of stored ? owned : []) await storeReferred(store, cascade, stored ?? {}, changes, row.path);

  const named = { ...row, relations: plan.relations?.map(getRelationMetadata), persisted: plan.persisted };
  const { affected, afterLinks } =
    hooks && row.key
      ? await updateHooked(runner, named, changes, {
          hooks,
          reach,
          stored: async () => stored ?? storedColumns(runner, row),
          changesLinks: async () => stored !== undefined && changesLinks(store, plan, stored),
        })
      : { affected: await changeRow(runner, named, changes) };

  if (stored) await storeReferring(store, plan, stored, { path: row.path, isNew: false });

  await afterLinks?.();

  return affected;
}

/** The stored key of the record and the stored columns that its relations use. */
async function storedColumns(runner: QueryRunner, { metadata, key }: StoredRow): Promise<ObjectLiteral | undefined> {
  const columns = [...metadata.primaryColumns, ...metadata.relations.flatMap(referringColumns)];
  const [stored] = key
    ? await findRecords(runner, metadata, columns, { where: keyPredicate(metadata, key), locked: true })
    : [];

  return stored;
}

/** Columns of an entity that a relation of it reads: its own foreign keys, or what others refer to. */
function referringColumns(relation: RelationMetadata): ColumnMetadata[] {
  if (relation.isWithJoinColumn) return relation.joinColumns;

  return referencedColumns(
    relation.isManyToMany ? requireJunction(relation).own : (relation.inverseRelation?.joinColumns ?? []),
  );
}
