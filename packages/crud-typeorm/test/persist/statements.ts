/** The tables of the suites about writes, and what is sent to the database. */
import type { DataSource, DataSourceOptions } from 'typeorm';
import type { TestDatabase } from '../../../../integration/test-support/index.js';
import { connect as connectTo } from '../support/resources.js';
import { Statements } from '../support/statements.js';
import { ENTITIES, Ledger } from './entities.js';

/** Statements without those by which drivers and TypeORM find out which keys the database has counted. */
export function withoutKeysAsked(statements: readonly string[]): string[] {
  return statements.filter((sql) => !/last_insert_rowid|auto_increment_increment/.test(sql));
}

/** Connects to an empty database and makes the tables of the suites. */
export async function connect(
  db: TestDatabase,
  options: Partial<DataSourceOptions> = {},
): Promise<{ source: DataSource; statements: Statements }> {
  const statements = new Statements();
  // SQLite counts none but its own integers.
  const entities = ENTITIES.filter((entity) => db.kind !== 'sqlite' || entity !== Ledger);
  const source = await connectTo(db, entities, { logger: statements, logging: true, ...options });

  // TypeORM makes no checks on MySQL and MariaDB.
  if (db.kind === 'mysql')
    await source.query('ALTER TABLE people ADD CONSTRAINT CHK_age CHECK (age >= 0 AND age <= 150)');

  return { source, statements };
}

/** Empties the tables and makes the two teams, 901 and 902. */
export async function empty(source: DataSource): Promise<void> {
  for (const table of ['people_skills', 'tasks', 'people', 'teams', 'badges', 'skills', 'gadgets', 'seats', 'notes'])
    await source.query(`DELETE FROM ${table}`);

  await source.query(`INSERT INTO teams (id, title) VALUES (901, 'red'), (902, 'blue')`);
}
