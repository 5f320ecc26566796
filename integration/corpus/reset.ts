/** Empties all tables, with their counters, for them to be filled again. */
import type { INestApplication } from '@nestjs/common';
import type { Records } from '@nestwright/example';
import { getTableName, is, type SQL, sql, Table } from 'drizzle-orm';
import type { DataSource } from 'typeorm';
import { DATABASE } from '../drizzle/src/app.module.js';
import { fill, type OpenDatabase } from '../drizzle/src/open-database.js';
import type { DatabaseKind } from '../test-support/databases.js';

/** Runs a statement; all of a reset on the same connection. */
type Run = (sql: string) => Promise<unknown>;

const RESETS: Record<DatabaseKind, (tables: readonly string[], run: Run) => Promise<unknown>> = {
  sqlite: async (tables, run) => {
    await run('PRAGMA foreign_keys = OFF');
    for (const table of tables) await run(`DELETE FROM "${table}"`);
    await run('DELETE FROM sqlite_sequence');
    await run('PRAGMA foreign_keys = ON');
  },
  postgres: (tables, run) => run(`TRUNCATE ${tables.map((table) => `"${table}"`).join(', ')} RESTART IDENTITY`),
  mysql: async (tables, run) => {
    await run('SET FOREIGN_KEY_CHECKS = 0');
    for (const table of tables) await run(`TRUNCATE \`${table}\``);
    await run('SET FOREIGN_KEY_CHECKS = 1');
  },
};

async function empty(kind: DatabaseKind, tables: readonly string[], run: Run): Promise<void> {
  await RESETS[kind](tables, run);
}

export async function reset(source: DataSource, seed: (source: DataSource) => Promise<void>): Promise<void> {
  const kind = { sqljs: 'sqlite', postgres: 'postgres', mysql: 'mysql', mariadb: 'mysql' } as const;
  const tables = source.entityMetadatas.map(({ tableName }) => tableName);
  const runner = source.createQueryRunner();

  await empty(kind[source.options.type as keyof typeof kind], tables, (sql) => runner.query(sql));
  await runner.release();
  await source.queryResultCache?.clear();
  await seed(source);
}

export async function resetDrizzle(app: INestApplication, kind: DatabaseKind, records: Records): Promise<void> {
  const { db, schema } = app.get<OpenDatabase>(DATABASE);
  const tables = Object.values(schema).flatMap((one) => (is(one, Table) ? [getTableName(one)] : []));
  const onConnection = (on: { run?(query: SQL): unknown; execute(query: SQL): Promise<unknown> }) =>
    empty(kind, tables, async (text) => (on.run ? on.run(sql.raw(text)) : on.execute(sql.raw(text))));

  // SQLite takes no pragma in a transaction, and has one connection; MySQL keeps settings by connection.
  if (kind === 'mysql') await db.transaction((connection) => onConnection(connection as never));
  else await onConnection(db as never);
  await fill(db, schema, records);
}
