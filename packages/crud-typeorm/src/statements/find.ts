import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { type ColumnMetadata, fromDriver, setColumnValue } from '../column-metadata.js';
import { getDialect } from '../dialect/dialect-of.js';
import { type Sql, sql, tableSql } from '../sql/index.js';
import { placeSql } from './execute.js';
import { limitToClass } from './update.js';

/** What runs a statement: a query runner, or a manager. */
interface Queryable {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

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
  on: Queryable,
  metadata: EntityMetadata,
  wanted: readonly ColumnMetadata[],
  options: FindOptions,
): Promise<ObjectLiteral[]> {
  const { selected } = getDialect(metadata.connection);
  const rows = await findRows(on, metadata, wanted, selected, options);

  return rows.map((row) => {
    const record: ObjectLiteral = {};

    // Values are assigned by column, since several foreign keys of one relation share its property.
    wanted.forEach((column, index) => setColumnValue(column, record, fromDriver(column, row[index])));

    return record;
  });
}

/**
 * Values of the rows that {@link findRecords} would find.
 *
 * @param select Writes what is selected of a column.
 */
export async function findRows(
  on: Queryable,
  metadata: EntityMetadata,
  columns: readonly ColumnMetadata[],
  select: (name: string, column: ColumnMetadata) => string,
  { where, locked = false, sorted = false }: FindOptions,
): Promise<unknown[][]> {
  const { connection } = metadata;
  const { driver } = connection;
  // Conditions use the table's name as alias.
  const table = driver.escape(metadata.tableName);
  const names = columns.map((_, index) => `column${index}`);
  const selected = columns.map(
    (column, index) =>
      `${select(`${table}.${driver.escape(column.databaseName)}`, column)} AS ${driver.escape(names[index]!)}`,
  );
  const order = sorted ? ` ORDER BY ${names.map((name) => driver.escape(name)).join(', ')}` : '';
  const lock = locked && !getDialect(connection).sharedConnection ? ' FOR UPDATE' : '';
  const from = `SELECT ${selected.join(', ')} FROM ${tableSql(metadata)} ${table}`;
  const { sql: text, parameters } = placeSql(
    connection,
    sql`${from} WHERE ${limitToClass(metadata, where)}${order}${lock}`,
  );
  const rows = (await on.query(text, parameters)) as ObjectLiteral[];

  return rows.map((row) => names.map((name) => row[name] as unknown));
}
