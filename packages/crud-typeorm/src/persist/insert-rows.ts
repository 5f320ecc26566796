import type { DataSource, EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { type ColumnMetadata, fromDriver, setColumnValue } from '../column-metadata.js';
import { concatSql } from '../sql/index.js';
import { columnName } from '../statements/column-sql.js';
import { execute } from '../statements/execute.js';
import { findRecords } from '../statements/find.js';
import { insertSql, bindEntity } from '../statements/insert-text.js';
import { chunks, generateUuids } from '../statements/new-entity.js';
import { broadcast, isObserved } from '../statements/observers.js';
import { insertInTree } from './tree.js';
import { isValue, keyPredicate, type NewRow, readKey } from '../statements/values.js';

/**
 * Inserts entities of one class. Calls the before-insert listeners and subscribers; {@link announceInserts} calls
 * those after the insert, once related records are stored.
 */
export async function insertRows(
  runner: QueryRunner,
  metadata: EntityMetadata,
  rows: readonly NewRow[],
): Promise<void> {
  if (metadata.treeType) return insertInTree(runner, metadata, rows);

  if (isObserved(metadata, 'Insert'))
    for (const { entity } of rows) await broadcast(runner, metadata, 'BeforeInsert', { entity });

  for (const { entity } of rows) generateUuids(metadata, entity);

  const autoIncrement = findAutoIncrementColumn(metadata);

  // Ids are counted from the first one of a statement, so rows with generated ids and rows with their own ids go in
  // separate statements.
  for (const batch of autoIncrement ? split(rows, (row) => isValue(autoIncrement.getEntityValue(row.entity))) : [rows])
    for (const chunk of chunks(batch, metadata)) await insertChunk(runner, metadata, chunk, autoIncrement);
}

/** Calls the after-insert listeners and subscribers. */
export async function announceInserts(
  runner: QueryRunner,
  metadata: EntityMetadata,
  entities: readonly ObjectLiteral[],
): Promise<void> {
  if (!metadata.treeType && isObserved(metadata, 'Insert'))
    for (const entity of entities) await broadcast(runner, metadata, 'AfterInsert', { entity });
}

function findAutoIncrementColumn(metadata: EntityMetadata): ColumnMetadata | undefined {
  return metadata.primaryColumns.find(
    (column) =>
      column.isGenerated && (column.generationStrategy === 'increment' || column.generationStrategy === 'rowid'),
  );
}

async function insertChunk(
  runner: QueryRunner,
  metadata: EntityMetadata,
  rows: readonly NewRow[],
  autoIncrement: ColumnMetadata | undefined,
): Promise<void> {
  const entities = rows.map((row) => row.entity);
  const keyMaker = autoIncrement && isValue(autoIncrement.getEntityValue(entities[0] ?? {})) ? 'client' : 'database';
  const { connection } = metadata;
  const returned = returnedColumns(metadata);
  const context = { metadata, operation: 'store' as const, paths: rows.map((row) => row.path), rows: entities };
  const { raw } = await execute(runner, context, () => {
    const stored = entities.map((entity) => bindEntity(metadata, entity, keyMaker));

    return insertSql(connection, stored, returned && concatSql(returned.map(columnName), ', '));
  });

  if (returned) takeReturned(entities, returned, raw as ObjectLiteral[]);
  else if (autoIncrement && keyMaker === 'database') await setAutoIncrementKeys(runner, autoIncrement, entities, raw);

  requireKeys(metadata, entities);

  if (!returned && isObserved(metadata, 'Insert')) await loadDefaults(runner, metadata, entities);
}

/**
 * The columns that an INSERT returns: keys and, for listeners and subscribers, all that the database fills in;
 * undefined if the database cannot.
 */
function returnedColumns(metadata: EntityMetadata): readonly ColumnMetadata[] | undefined {
  if (!metadata.connection.driver.isReturningSqlSupported('insert')) return undefined;

  return isObserved(metadata, 'Insert')
    ? [...new Set([...metadata.primaryColumns, ...metadata.getInsertionReturningColumns()])]
    : metadata.primaryColumns;
}

function takeReturned(
  entities: readonly ObjectLiteral[],
  columns: readonly ColumnMetadata[],
  raw: readonly ObjectLiteral[],
): void {
  entities.forEach((entity, index) => {
    const row = raw[index] ?? {};

    for (const column of columns) setColumnValue(column, entity, fromDriver(column, row[column.databaseName]));
  });
}

/**
 * Ids of a statement's rows are consecutive: the driver returns the first one (MySQL, MariaDB), SQLite the last one.
 */
async function setAutoIncrementKeys(
  runner: QueryRunner,
  autoIncrement: ColumnMetadata,
  entities: readonly ObjectLiteral[],
  raw: unknown,
): Promise<void> {
  const insertId =
    typeof raw === 'object' && raw !== null && 'insertId' in raw ? (raw.insertId as number | string) : undefined;
  const step = insertId === undefined ? 1n : await autoIncrementStep(runner, entities.length);
  const first = insertId === undefined ? (await lastRowId(runner)) - BigInt(entities.length - 1) : BigInt(insertId);

  entities.forEach((entity, index) => {
    const id = first + BigInt(index) * step;

    autoIncrement.setEntityValue(
      entity,
      fromDriver(autoIncrement, autoIncrement.type === 'bigint' ? String(id) : Number(id)),
    );
  });
}

async function lastRowId(runner: QueryRunner): Promise<bigint> {
  const [row] = (await runner.query('SELECT last_insert_rowid() AS id')) as { id: number | string }[];

  return BigInt(row?.id ?? 0);
}

const steps = new WeakMap<DataSource, bigint>();

/** Increment between generated ids: more than one in a multi-primary cluster. */
async function autoIncrementStep(runner: QueryRunner, rows: number): Promise<bigint> {
  const dataSource = runner.manager.connection;
  let step = rows === 1 ? 1n : steps.get(dataSource);

  if (step === undefined) {
    const [row] = (await runner.query('SELECT @@auto_increment_increment AS step')) as { step: number | string }[];

    step = BigInt(row?.step ?? 1);
    steps.set(dataSource, step);
  }

  return step;
}

function requireKeys(metadata: EntityMetadata, entities: readonly ObjectLiteral[]): void {
  if (entities.some((entity) => !readKey(metadata, entity))) {
    throw new Error(
      `${metadata.name}: the database does not return the key that its default generated; set it in a ` +
        '@BeforeInsert listener or make it a @PrimaryGeneratedColumn',
    );
  }
}

/** Reads what the database filled in, for listeners and subscribers after the insert. */
async function loadDefaults(
  runner: QueryRunner,
  metadata: EntityMetadata,
  entities: readonly ObjectLiteral[],
): Promise<void> {
  const columns = metadata.getInsertionReturningColumns();
  if (columns.length === 0) return;

  for (const entity of entities) {
    const where = keyPredicate(metadata, readKey(metadata, entity) ?? {});
    const [stored] = await findRecords(runner, metadata, columns, { where });

    for (const column of stored ? columns : []) setColumnValue(column, entity, column.getEntityValue(stored!));
  }
}

/** Splits a list wherever the predicate's result changes, which keeps the order. */
function split<T>(items: readonly T[], predicate: (item: T) => boolean): T[][] {
  const parts: T[][] = [];
  let last: boolean | undefined;

  for (const item of items) {
    const answer = predicate(item);

    if (answer !== last) {
      parts.push([]);
      last = answer;
    }

    parts.at(-1)?.push(item);
  }

  return parts;
}
