/** The rows of all tables of a data source, join tables included, read by the test's own statements. */
import type { DataSource } from 'typeorm';

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
