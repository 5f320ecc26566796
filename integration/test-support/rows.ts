/** A data source → the rows of all its tables, join tables included, read by statements of the test's own. */
import type { DataSource } from 'typeorm';

/** Rows by table. */
export type Rows = Record<string, Record<string, unknown>[]>;

export async function rowsOf(source: DataSource): Promise<Rows> {
  const { driver, entityMetadatas } = source;
  const rows: Rows = {};

  for (const { tableName, primaryColumns } of entityMetadatas) {
    const order = primaryColumns.map(({ databaseName }) => driver.escape(databaseName)).join(', ');
    rows[tableName] = await source.query(`SELECT * FROM ${driver.escape(tableName)} ORDER BY ${order}`);
  }

  return rows;
}
