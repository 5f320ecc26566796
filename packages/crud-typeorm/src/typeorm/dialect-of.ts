import { type Dialect, MYSQL, POSTGRES, SQLITE } from '@nestwright/sql';
import type { DataSource } from 'typeorm';

/** Rows by TypeORM's data source type. */
const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['sqljs', SQLITE],
  ['sqlite', SQLITE],
  ['better-sqlite3', SQLITE],
  ['postgres', POSTGRES],
  ['mysql', MYSQL],
  ['mariadb', MYSQL],
]);

/**
 * The dialect of a data source.
 *
 * @throws Error if the database is none of SQLite (`sqljs`, `sqlite`, `better-sqlite3`), PostgreSQL, MySQL and MariaDB.
 */
export function getDialect(dataSource: DataSource): Dialect {
  const { type } = dataSource.options;
  const dialect = DIALECTS.get(type);

  if (!dialect)
    throw new Error(`The database type ${type} is not supported; known are ${[...DIALECTS.keys()].join(', ')}`);

  return dialect;
}
