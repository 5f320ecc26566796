import { unreadColumnsOf, type WritePlan } from '@nestwright/crud/adapter';
import { changesLinks, storeReferring } from './referring.js';
import { changeRow } from './change-row.js';
import { type Changes, hasRelations, readChanges, type StoredRow } from '../statements/changes.js';
import type { RecordStore } from './cascade.js';
import { afterInserts, beforeInserts } from './hooked-rows.js';
import { updateHooked } from './hooked-update.js';
import { newEntity, type NewRecord } from '../statements/new-entity.js';

import { insertReferred, storeReferred } from './referred.js';
import { findRecords } from '../statements/find.js';
import { Reach } from '../scope/reach.js';
import { announceInserts, insertRows } from './insert-rows.js';
import type { WriteContext } from '../statements/write-context.js';
import { keyPredicate } from '../statements/values.js';
import { getCatalog, getRelation, getTable } from '../database/links.js';
import { referencedColumns } from '../database/records.js';
import type { Column, Connection, Entity, Relation } from '../database/database.js';

/** Does work that stores records with their relations, and refuses it if a stored record is out of reach in the end. */
export async function withRecordStore<T>(
  context: WriteContext,
  connection: Connection,
  work: (store: RecordStore) => Promise<T>,
): Promise<T> {
  const reach = new Reach(context, connection);
  const store: RecordStore = {
    connection,
    reach,
    hooks: context.hooks,
    unread: (table) =>
      unreadColumnsOf(getCatalog(table, context.catalog), context.catalog, context.request.options?.query),
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
async function insert(store: RecordStore, records: readonly NewRecord[]): Promise<Entity[]> {
  const { connection, reach, hooks } = store;
  const [first] = records;

  if (!first) return [];

  const table = getTable(first.plan.catalog);
  const planned = records.map((record) => ({ ...record, entity: newEntity(table, record.plan, record.foreignKey) }));
  const plans = records.map(({ plan }) => plan);
  for (const { insertRefusal } of plans) if (insertRefusal) throw await insertRefusal();

  await reach.prepare(plans, 'insert');
  await insertReferred(store, planned);
  const rows = hooks ? await beforeInserts(connection, hooks, planned) : planned;
  const entities = rows.map(({ entity }) => entity);
  await reach.requireNew(rows);
  await insertRows(connection, table, rows);
  if (hooks) await afterInserts(connection, hooks, table, entities);

  for (const { plan, path, entity } of rows) await storeReferring(store, plan, entity, { path, isNew: true });

  await announceInserts(connection, table, entities);

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
  const { connection, reach, hooks } = store;
  const owned = plan.cascades.filter(({ relation }) => relation.references.length > 0);
  const needsStored = hasRelations(plan) || reach.concerns(plan);
  const stored = needsStored ? await storedColumns(connection, row) : undefined;
  const changes = readChanges(plan);

  if (stored) {
    await reach.prepare([plan], 'update');
    await reach.requireChanges({ plan, path: row.path }, stored, changes);
  }

  for (const [column, value] of foreignKey) changes.set(column, value);

  for (const cascade of stored ? owned : []) await storeReferred(store, cascade, stored ?? {}, changes, row.path);

  const named = { ...row, relations: plan.relations?.map(getRelation), persisted: plan.persisted };
  const { affected, afterLinks } =
    hooks && row.key
      ? await updateHooked(connection, named, changes, {
          hooks,
          reach,
          stored: async () => stored ?? storedColumns(connection, row),
          changesLinks: async () => stored !== undefined && changesLinks(store, plan, stored),
        })
      : { affected: await changeRow(connection, named, changes) };

  if (stored) await storeReferring(store, plan, stored, { path: row.path, isNew: false });

  await afterLinks?.();

  return affected;
}

/** The stored key of the record and the stored columns that its relations use. */
async function storedColumns(connection: Connection, { table, key }: StoredRow): Promise<Entity | undefined> {
  const columns = [...table.primaryColumns, ...table.relations.flatMap(referringColumns)];
  const [stored] = key
    ? await findRecords(connection, table, columns, { where: keyPredicate(table, key), locked: true })
    : [];

  return stored;
}

/** Columns of an entity that a relation of it reads: its own foreign keys, or what others refer to. */
function referringColumns(relation: Relation): readonly Column[] {
  if (relation.isWithJoinColumn) return relation.joinColumns;

  return referencedColumns(relation.junction?.own ?? relation.inverseRelation?.joinColumns ?? []);
}
