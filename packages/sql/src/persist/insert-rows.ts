import { concatSql } from '../select/index.js';
import { columnName } from '../statements/column-sql.js';
import { execute } from '../statements/execute.js';
import { findRecords } from '../statements/find.js';
import { insertSql, bindEntity } from '../statements/insert-text.js';
import { chunks, generateUuids } from '../statements/new-entity.js';
import { insertInTree } from './tree.js';
import { isValue, keyPredicate, type NewRow, readKey } from '../statements/values.js';
import { decodeValue, setColumnValue } from '../database/records.js';
import type { Column, Connection, Database, Entity, Table } from '../database/database.js';

/**
 * Inserts entities of one class. Calls the before-insert listeners and subscribers; {@link announceInserts} calls
 * those after the insert, once related records are stored.
 */
export async function insertRows(connection: Connection, table: Table, rows: readonly NewRow[]): Promise<void> {
  if (table.treeType) return insertInTree(connection, table, rows);

  if (table.database.listeners.observe(table, 'Insert')) {
    for (const { entity } of rows)
      await table.database.listeners.broadcast(connection, table, 'BeforeInsert', { entity });
  }

  for (const { entity } of rows) generateUuids(table, entity);

  const autoIncrement = findAutoIncrementColumn(table);

  // Ids are counted from the first one of a statement, so rows with generated ids and rows with their own ids go in
  // separate statements.
  for (const batch of autoIncrement ? split(rows, (row) => isValue(autoIncrement.read(row.entity))) : [rows])
    for (const chunk of chunks(batch, table)) await insertChunk(connection, table, chunk, autoIncrement);
}

/** Calls the after-insert listeners and subscribers. */
export async function announceInserts(
  connection: Connection,
  table: Table,
  entities: readonly Entity[],
): Promise<void> {
  if (!table.treeType && table.database.listeners.observe(table, 'Insert')) {
    for (const entity of entities)
      await table.database.listeners.broadcast(connection, table, 'AfterInsert', { entity });
  }
}

function findAutoIncrementColumn(table: Table): Column | undefined {
  return table.primaryColumns.find(({ generation }) => generation === 'counter');
}

async function insertChunk(
  connection: Connection,
  table: Table,
  rows: readonly NewRow[],
  autoIncrement: Column | undefined,
): Promise<void> {
  const entities = rows.map((row) => row.entity);
  const keyMaker = autoIncrement && isValue(autoIncrement.read(entities[0] ?? {})) ? 'client' : 'database';
  const { database } = table;
  const returned = returnedColumns(table);
  const context = { table, operation: 'store' as const, paths: rows.map((row) => row.path), rows: entities };
  const { rows: returnedRows, insertId } = await execute(connection, context, () => {
    const stored = entities.map((entity) => bindEntity(table, entity, keyMaker));

    return insertSql(database, stored, returned && concatSql(returned.map(writeReturned), ', '));
  });

  if (returned) takeReturned(entities, returned, returnedRows);
  else if (autoIncrement && keyMaker === 'database')
    await setAutoIncrementKeys(connection, autoIncrement, entities, insertId);

  requireKeys(table, entities);

  if (!returned && table.database.listeners.observe(table, 'Insert')) await loadDefaults(connection, table, entities);
}

/**
 * The columns that an INSERT returns: keys and, for listeners and subscribers, all that the database fills in;
 * undefined if the database cannot.
 */
function returnedColumns(table: Table): readonly Column[] | undefined {
  if (!table.database.returns.insert) return undefined;

  return table.database.listeners.observe(table, 'Insert')
    ? [...new Set([...table.primaryColumns, ...table.filledColumns])]
    : table.primaryColumns;
}

/** A column after RETURNING, under its own name. */
function writeReturned(column: Column): string {
  const name = columnName(column);
  const selected = column.table.database.dialect.selected(name, column);

  return selected === name ? name : `${selected} AS ${name}`;
}

function takeReturned(entities: readonly Entity[], columns: readonly Column[], rows: readonly Entity[]): void {
  entities.forEach((entity, index) => {
    const row = rows[index] ?? {};

    for (const column of columns) setColumnValue(column, entity, decodeValue(column, row[column.databaseName]));
  });
}

/**
 * Ids of a statement's rows are consecutive: the driver returns the first one (MySQL, MariaDB), SQLite the last one.
 */
async function setAutoIncrementKeys(
  connection: Connection,
  autoIncrement: Column,
  entities: readonly Entity[],
  insertId: number | string | undefined,
): Promise<void> {
  const step = insertId === undefined ? 1n : await autoIncrementStep(connection, entities.length);
  const first = insertId === undefined ? (await lastRowId(connection)) - BigInt(entities.length - 1) : BigInt(insertId);

  entities.forEach((entity, index) => {
    const id = first + BigInt(index) * step;

    autoIncrement.write(entity, decodeValue(autoIncrement, autoIncrement.type === 'bigint' ? String(id) : Number(id)));
  });
}

async function lastRowId(connection: Connection): Promise<bigint> {
  const [row] = (await connection.select('SELECT last_insert_rowid() AS id')) as { id: number | string }[];

  return BigInt(row?.id ?? 0);
}

const steps = new WeakMap<Database, bigint>();

/** Increment between generated ids: more than one in a multi-primary cluster. */
async function autoIncrementStep(connection: Connection, rows: number): Promise<bigint> {
  const database = connection.database;
  let step = rows === 1 ? 1n : steps.get(database);

  if (step === undefined) {
    const [row] = (await connection.select('SELECT @@auto_increment_increment AS step')) as { step: number | string }[];

    step = BigInt(row?.step ?? 1);
    steps.set(database, step);
  }

  return step;
}

function requireKeys(table: Table, entities: readonly Entity[]): void {
  if (entities.some((entity) => !readKey(table, entity))) {
    throw new Error(
      `${table.name}: the database does not return the key that its default generated; set it in a ` +
        '@BeforeInsert listener or make it a @PrimaryGeneratedColumn',
    );
  }
}

/** Reads what the database filled in, for listeners and subscribers after the insert. */
async function loadDefaults(connection: Connection, table: Table, entities: readonly Entity[]): Promise<void> {
  const columns = table.filledColumns;
  if (columns.length === 0) return;

  for (const entity of entities) {
    const where = keyPredicate(table, readKey(table, entity) ?? {});
    const [stored] = await findRecords(connection, table, columns, { where });

    for (const column of stored ? columns : []) setColumnValue(column, entity, column.read(stored!));
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
