/**
 * Shared by the code that stores related records: places in a body, the recursion into storing whole records, and which
 * linked record a nested item identifies.
 */
import {
  crudError,
  outOfScope,
  type PlannedCascadeItem,
  type PlannedKey,
  type WritePlan,
} from '@nestwright/crud/adapter';
import { type Changes, hasRelations, type StoredRow } from '../statements/changes.js';
import { findRecords } from '../statements/find.js';
import { refuseStale } from '../scope/targets.js';
import { requireKey } from '../scope/persisted-key.js';
import type { Reach } from '../scope/reach.js';
import type { NewRecord } from '../statements/new-entity.js';
import { keyPredicate, keyText, readKey, readValues, recordKeyText } from '../statements/values.js';
import type { WriteHooks } from '../statements/write-context.js';
import { getColumn, getTable } from '../database/links.js';
import type { Column, Connection, Entity, Relation, Table } from '../database/database.js';

/**
 * Stores records with their relations, in one transaction. Passed to the code that stores related records, which calls
 * it for those.
 */
export interface RecordStore {
  readonly connection: Connection;
  readonly reach: Reach;
  readonly hooks: WriteHooks | undefined;
  /** Columns of a related entity, by property path, that the options hide from reads. */
  readonly unread: (table: Table) => ReadonlySet<string>;
  readonly insert: (records: readonly NewRecord[]) => Promise<Entity[]>;
  readonly update: (row: StoredRow, plan: WritePlan, foreignKey?: Changes) => Promise<number>;
}

/** The relation of a cascading item, and its path in the body. */
export interface Place {
  readonly relation: Relation;
  readonly path: string;
}

/** A record's path in the body, and whether it is new, so that nothing is linked to it yet. */
export interface Parent {
  readonly path: string;
  readonly isNew: boolean;
}

/** Inserts records of a relation, which must be in reach at the end. */
export async function insertRelated(
  { connection, insert, reach }: RecordStore,
  relation: Relation,
  records: readonly NewRecord[],
): Promise<Entity[]> {
  const inserted = await insert(records);

  for (const [index, record] of inserted.entries()) {
    const { plan, path } = records[index]!;
    reach.note(relation, { record, path });
    await requireNamedKey(connection, plan, record, path);
  }

  return inserted;
}

/** The values of foreign key columns that refer to a record. */
export function makeForeignKey(record: Entity, columns: readonly Column[]): Changes {
  return new Map(columns.map((column) => [column, column.referencedColumn!.read(record)]));
}

/** Updates the linked record that an item identifies, and returns its key; undefined if it identifies none. */
export async function updateLinked(
  store: RecordStore,
  item: PlannedCascadeItem,
  linked: readonly Entity[],
  { relation, path }: Place,
  foreignKey?: Changes,
): Promise<string | undefined> {
  const target = relation.inverseTable;
  const changes = item.key ? item.plan : item.update;
  const identified = linked.find((record) => identifies(item, record));

  if (!identified || !changes) return undefined;

  await requireVersion(store, identified, changes, { relation, path });

  if (changes.values.length > 0 || hasRelations(changes)) {
    store.reach.note(relation, { record: identified, path });
    await requireNamedKey(store.connection, changes, identified, path);
  }

  await store.update(
    { table: target, key: readKey(target, identified) ?? {}, unread: () => store.unread(target), path },
    changes,
    changes.values.length > 0 ? foreignKey : undefined,
  );

  return recordKeyText(target, identified);
}

/** Refuses a new record in a one-to-one relation that has one: it would replace the other or be merged into it. */
export function refuseSecond({ reach }: Pick<RecordStore, 'reach'>, { relation, path }: Place): never {
  if (reach.limits(relation)) throw outOfScope(path);

  throw crudError('CRUD_INVALID_BODY', { field: path, message: [`${path} is a new record, but there is one already`] });
}

/** Refuses a record that has another key than the application names. */
async function requireNamedKey(
  connection: Connection,
  { catalog, persistedKey }: WritePlan,
  record: Entity,
  path: string,
): Promise<void> {
  if (!persistedKey) return;
  const key = readKey(getTable(catalog), record) ?? {};

  await requireKey(connection, { catalog, persistedKey }, [key], () => {
    throw outOfScope(path);
  });
}

/** Refuses changes of a linked record whose version is not the one that the client expects. */
async function requireVersion(
  { connection }: RecordStore,
  record: Entity,
  { catalog, expectedVersion }: WritePlan,
  { relation, path }: Place,
): Promise<void> {
  const { inverseTable: target } = relation;
  if (expectedVersion === undefined || !target.versionColumn) return;

  const where = keyPredicate(target, readKey(target, record) ?? {});
  const [stored = {}] = await findRecords(connection, target, [target.versionColumn], { where, locked: true });
  refuseStale({ catalog }, target.versionColumn, { record: stored, expectedVersion, path });
}

/**
 * Whether an item identifies a linked record: by the key that it names; one without a key identifies the only one there
 * can be.
 */
export function identifies({ key, ownKey, update }: PlannedCascadeItem, record: Entity): boolean {
  const named = key ?? ownKey;

  return named ? hasValues(record, named) : update !== undefined;
}

function hasValues(record: Entity, key: PlannedKey): boolean {
  const columns = key.map(({ column }) => getColumn(column));

  return keyText(readValues(columns, record)) === keyText(key.map(({ value }) => value));
}
