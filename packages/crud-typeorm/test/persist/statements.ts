/** A data source's logger that keeps the SQL it is told of. */
import { DataSource, type DataSourceOptions, type Logger } from 'typeorm';
import type { TestDatabase } from '../../../../integration/test-support/index.js';
import { ENTITIES, Ledger } from './entities.js';

export class Statements implements Logger {
  readonly all: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];

  logQuery(sql: string, parameters?: readonly unknown[]): void {
    this.all.push({ sql, parameters: parameters ?? [] });
  }

  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}

  /** The statements of a piece of work, transactions' own left out. */
  async of(work: () => Promise<unknown>): Promise<string[]> {
    const start = this.all.length;

    await work();

    return this.all
      .slice(start)
      .flatMap(({ sql }) => (/^(?:BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/.test(sql) ? [] : [sql]));
  }
}

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
  const source = new DataSource({
    ...db.connection,
    entities,
    synchronize: true,
    logger: statements,
    logging: true,
    ...options,
  } as DataSourceOptions);

  await source.initialize();

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
