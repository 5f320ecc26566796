import { concatSql, type Sql, sql, tableSql } from '../select/index.js';
import { placeSql } from './execute.js';
import { limitToClass } from './update.js';
import { decodeValue, setColumnValue } from '../database/records.js';
import type { Column, Connection, Entity, Table } from '../database/database.js';

interface FindOptions {
  readonly where: Sql;
  /** Whether they are read as committed now and locked until the transaction ends. Default: `false`. */
  readonly locked?: boolean;
  /** Whether they are read and locked in the order of the selected values. Default: `false`. */
  readonly sorted?: boolean;
}

/**
 * Records that satisfy a condition over the columns of their table, soft-deleted ones too, as plain objects with the
 * wanted columns.
 */
export async function findRecords(
  connection: Connection,
  table: Table,
  wanted: readonly Column[],
  options: FindOptions,
): Promise<Entity[]> {
  const { selected } = table.database.dialect;
  const rows = await findRows(connection, table, wanted, selected, options);

  return rows.map((row) => {
    const record: Entity = {};

    // Values are assigned by column, since several foreign keys of one relation share its property.
    wanted.forEach((column, index) => setColumnValue(column, record, decodeValue(column, row[index])));

    return record;
  });
}

/**
 * Values of the rows that {@link findRecords} would find.
 *
 * @param select Writes what is selected of a column.
 */
export function findRows(
  connection: Connection,
  table: Table,
  columns: readonly Column[],
  select: (name: string, column: Column) => string,
  options: FindOptions,
): Promise<unknown[][]> {
  const selected = columns.map((column) => select(qualifiedName(column, table), column));

  return findValues(connection, table, selected, options);
}

/** A column of a table as the conditions of {@link findValues} name it. */
export function qualifiedName(column: Column, { tableName, database: { quote } }: Table): string {
  return column.query ? `(${column.query(quote(tableName))})` : `${quote(tableName)}.${quote(column.databaseName)}`;
}

/** The values of expressions over a table's rows. */
export async function findValues(
  connection: Connection,
  table: Table,
  selected: readonly (string | Sql)[],
  { where, locked = false, sorted = false }: FindOptions,
): Promise<unknown[][]> {
  const { database, tableName } = table;
  const { quote } = database;
  const names = selected.map((_, index) => `column${index}`);
  const list = selected.map((value, index) => sql`${value} AS ${quote(names[index]!)}`);
  const order = sorted ? ` ORDER BY ${names.map((name) => quote(name)).join(', ')}` : '';
  const lock = locked && !database.dialect.sharedConnection ? ' FOR UPDATE' : '';
  const from = `${tableSql(table)} ${quote(tableName)}`;
  const { sql: text, parameters } = placeSql(
    database,
    sql`SELECT ${concatSql(list, ', ')} FROM ${from} WHERE ${limitToClass(table, where)}${order}${lock}`,
  );
  const rows = await connection.select(text, parameters);

  return rows.map((row) => names.map((name) => row[name]));
}
