/** Drizzle's dialects and drivers: what makes columns, the statements that make tables, and databases that are open. */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { PGlite } from '@electric-sql/pglite';
import * as kit from 'drizzle-kit/api';
import { getTableColumns, is, sql, Table } from 'drizzle-orm';
import * as my from 'drizzle-orm/mysql-core';
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import * as pg from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { drizzle as drizzlePostgresJs } from 'drizzle-orm/postgres-js';
import { drizzle as drizzleSqlJs } from 'drizzle-orm/sql-js';
import * as lite from 'drizzle-orm/sqlite-core';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import postgresJs from 'postgres';
import type { TestDatabase } from '../../../integration/test-support/index.js';
import type { DrizzleDatabase } from '../src/index.js';

type Kind = TestDatabase['kind'];

/** Columns of a dialect; one without a name is called as its property. */
const TYPES = {
  postgres: {
    table: pg.pgTable,
    primaryKey: pg.primaryKey,
    check: pg.check,
    now: sql`now()`,
    key: () => pg.serial().primaryKey(),
    uuid: () => pg.uuid().primaryKey().defaultRandom(),
    text: (length: number) => pg.varchar({ length }),
    integer: (name = '') => pg.integer(name),
    decimal: () => pg.numeric({ precision: 12, scale: 2 }),
    double: () => pg.doublePrecision(),
    wide: () => pg.bigint({ mode: 'bigint' }),
    boolean: (name = '') => pg.boolean(name),
    oneOf: (name: string, ...members: [string, ...string[]]) => pg.pgEnum(name, members)(),
    json: () => pg.json(),
    day: () => pg.date(),
    moment: (name = '') => pg.timestamp(name, { withTimezone: true, precision: 3 }),
  },
  mysql: {
    table: my.mysqlTable,
    primaryKey: my.primaryKey,
    check: my.check,
    now: sql`CURRENT_TIMESTAMP(3)`,
    key: () => my.int().autoincrement().primaryKey(),
    uuid: () => my.varchar({ length: 36 }).primaryKey().$defaultFn(randomUUID),
    text: (length: number) => my.varchar({ length }),
    integer: (name = '') => my.int(name),
    decimal: () => my.decimal({ precision: 12, scale: 2 }),
    double: () => my.double(),
    wide: () => my.bigint({ mode: 'bigint' }),
    boolean: (name = '') => my.boolean(name),
    oneOf: (_: string, ...members: [string, ...string[]]) => my.mysqlEnum(members),
    json: () => my.json(),
    day: () => my.date({ mode: 'string' }),
    moment: (name = '') => my.datetime(name, { fsp: 3 }),
  },
  sqlite: {
    table: lite.sqliteTable,
    primaryKey: lite.primaryKey,
    check: lite.check,
    now: sql`(CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))`,
    key: () => lite.integer().primaryKey(),
    uuid: () => lite.text().primaryKey().$defaultFn(randomUUID),
    text: (length: number) => lite.text({ length }),
    integer: (name = '') => lite.integer(name),
    decimal: () => lite.numeric(),
    double: () => lite.real(),
    wide: () => lite.integer(),
    boolean: (name = '') => lite.integer(name, { mode: 'boolean' }),
    oneOf: (_: string, ...members: [string, ...string[]]) => lite.text({ enum: members }),
    json: () => lite.text({ mode: 'json' }),
    day: () => lite.text(),
    moment: (name = '') => lite.integer(name, { mode: 'timestamp_ms' }),
  },
};

/** The functions of a dialect, all typed as PostgreSQL's. */
export const typesOf = (kind: Kind) => TYPES[kind] as unknown as (typeof TYPES)['postgres'];

const MIGRATIONS = {
  postgres: [kit.generateDrizzleJson, kit.generateMigration],
  mysql: [kit.generateMySQLDrizzleJson, kit.generateMySQLMigration],
  sqlite: [kit.generateSQLiteDrizzleJson, kit.generateSQLiteMigration],
} as unknown as Record<Kind, [(schema: object) => unknown, (...snapshots: unknown[]) => Promise<string[]>]>;

/** The statements that make the tables of a schema. */
export async function statementsOf(kind: Kind, schema: object): Promise<string[]> {
  const [snapshot, migrate] = MIGRATIONS[kind];
  const columns = Object.values(schema).flatMap((one) => (is(one, Table) ? Object.values(getTableColumns(one)) : []));
  const enums = columns.flatMap((one) => (is(one, pg.PgEnumColumn) ? [one.enum] : []));
  return migrate(await snapshot({}), await snapshot({ ...schema, ...enums }));
}

/** A database that is open. */
export interface Opened {
  readonly db: DrizzleDatabase;
  run(...statements: string[]): Promise<void>;
  close(): Promise<void>;
}

/** Drizzle's drivers, by their names. */
export type DriverName = keyof typeof OPENERS;
type Schema = Record<string, unknown>;
type OpenedDriver = readonly [db: unknown, run: (statement: string) => unknown, close: () => unknown];
const DRIVERS = { postgres: 'node-postgres', mysql: 'mysql2', sqlite: 'sql.js' } as const;
const OPENERS = {
  'node-postgres': (url: string, schema: Schema): OpenedDriver => {
    const pool = new Pool({ connectionString: url });
    // `end()` does not wait for its connections, and dropping a database ends those that are left.
    pool.on('error', () => undefined);
    return [drizzlePostgres(pool, { schema }), (statement) => pool.query(statement), () => pool.end()];
  },
  'postgres.js': (url: string, schema: Schema): OpenedDriver => {
    const client = postgresJs(url, { onnotice: () => undefined });
    return [drizzlePostgresJs(client, { schema }), (statement) => client.unsafe(statement), () => client.end()];
  },
  PGlite: async (_: string, schema: Schema): Promise<OpenedDriver> => {
    const client = await PGlite.create();
    return [drizzlePglite(client, { schema }), (statement) => client.exec(statement), () => client.close()];
  },
  mysql2: (url: string, schema: Schema): OpenedDriver => {
    const pool = createPool({ uri: url.replace('mariadb:', 'mysql:'), timezone: 'Z' });
    const db = drizzleMysql(pool as never, { schema, mode: 'default' });
    return [db, (statement) => pool.query(statement), () => pool.end()];
  },
  'sql.js': async (_: string, schema: Schema): Promise<OpenedDriver> => {
    const initSqlJs = createRequire(import.meta.url)('sql.js') as () => Promise<{
      Database: new () => { run(sql: string): void; close(): void };
    }>;
    const database = new (await initSqlJs()).Database();
    database.run('PRAGMA foreign_keys = ON');
    return [drizzleSqlJs(database as never, { schema }), (text) => database.run(text), () => database.close()];
  },
};

export async function openDrizzle(
  { kind, url }: Pick<TestDatabase, 'kind' | 'url'>,
  schema: Schema,
  driver: DriverName = DRIVERS[kind],
): Promise<Opened> {
  const [db, run, close] = await OPENERS[driver](url, schema);
  return {
    db: db as DrizzleDatabase,
    run: async (...statements) => {
      for (const statement of statements) await run(statement);
    },
    close: async () => void (await close()),
  };
}
