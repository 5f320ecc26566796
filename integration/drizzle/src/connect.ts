/** How to reach a database by the protocol of its address. */
import { Logger } from '@nestjs/common';
import { createRequire } from 'node:module';
import type { DrizzleDatabase } from '@nestwright/crud-drizzle';
import * as kit from 'drizzle-kit/api';
import { type SQL, sql } from 'drizzle-orm';
import { drizzle as onMysql } from 'drizzle-orm/mysql2';
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres';
import { drizzle as onSqlite } from 'drizzle-orm/sql-js';
import { createPool, type RowDataPacket } from 'mysql2/promise';
import { Pool } from 'pg';
import { COLUMN_TYPES } from './column-types.js';
import { makeSchema, type Schema } from './tables.js';

/** The part of sql.js, which has no types, that is used here. */
const initSqlJs = createRequire(import.meta.url)('sql.js') as () => Promise<{
  Database: new () => { run(sql: string): void; close(): void };
}>;

/** A database that answers. */
export interface Connected {
  readonly db: DrizzleDatabase;
  readonly schema: Schema;
  /** The rows of a statement. */
  run(statement: SQL): Promise<unknown>;
  close(): Promise<void>;
  /** The statements that make its tables. */
  statements(): Promise<string[]>;
  /** The statement for the columns that a table has. */
  columns(table: string): SQL;
}

const columnsIn = (schema: SQL, table: string) =>
  sql`SELECT column_name AS name FROM information_schema.columns WHERE table_schema = ${schema} AND table_name = ${table}`;

function connectPostgres(url: string): Promise<Connected> {
  const schema = makeSchema(COLUMN_TYPES.postgres);
  const pool = new Pool({ connectionString: url });
  // A connection that the server ends while nobody uses it would stop the process.
  pool.on('error', ({ message }) => new Logger('Database').warn(message));
  const db = onPostgres(pool, { schema });

  return Promise.resolve({
    db,
    schema,
    run: async (statement) => (await db.execute(statement)).rows,
    close: () => pool.end(),
    statements: () => kit.generateMigration(kit.generateDrizzleJson({}), kit.generateDrizzleJson(schema)),
    columns: (table) => columnsIn(sql`current_schema()`, table),
  });
}

async function connectMysql(url: string): Promise<Connected> {
  const pool = createPool({ uri: url.replace(/^mariadb:/i, 'mysql:'), timezone: 'Z', charset: 'utf8mb4' });
  // CURRENT_TIMESTAMP is the session's.
  pool.pool.on('connection', (connection) => void connection.query("SET time_zone = '+00:00'"));
  const [[server]] = await pool.query<RowDataPacket[]>('SELECT VERSION() AS version');
  // Tables take their characters from the database, which may know but a few of them.
  await pool.query('ALTER DATABASE CHARACTER SET utf8mb4');
  const schema = makeSchema(COLUMN_TYPES[String(server?.['version']).includes('MariaDB') ? 'mariadb' : 'mysql']);
  const db = onMysql(pool as never, { schema, mode: 'default' });

  return {
    db: db as unknown as DrizzleDatabase,
    schema,
    run: async (statement) => (await db.execute(statement))[0],
    close: () => pool.end(),
    statements: async () =>
      kit.generateMySQLMigration(await kit.generateMySQLDrizzleJson({}), await kit.generateMySQLDrizzleJson(schema)),
    columns: (table) => columnsIn(sql`database()`, table),
  };
}

/** SQLite in the memory of this process, whatever follows the protocol. */
async function connectSqlite(): Promise<Connected> {
  const schema = makeSchema(COLUMN_TYPES.sqlite);
  const database = new (await initSqlJs()).Database();
  database.run('PRAGMA foreign_keys = ON');
  const db = onSqlite(database as never, { schema });

  return {
    db: db as unknown as DrizzleDatabase,
    schema,
    run: (statement) => Promise.resolve(db.all(statement)),
    close: () => Promise.resolve(database.close()),
    statements: async () =>
      kit.generateSQLiteMigration(await kit.generateSQLiteDrizzleJson({}), await kit.generateSQLiteDrizzleJson(schema)),
    columns: (table) => sql`SELECT name FROM pragma_table_info(${table})`,
  };
}

const CONNECTIONS = new Map<string, (url: string) => Promise<Connected>>([
  ['sqljs', connectSqlite],
  ['sqlite', connectSqlite],
  ['postgres', connectPostgres],
  ['postgresql', connectPostgres],
  ['mysql', connectMysql],
  ['mariadb', connectMysql],
]);

/**
 * Connects to a database; its tables may not be there.
 *
 * @param url `sqljs:` (SQLite in memory), `postgres://…`, `mysql://…` or `mariadb://…`
 */
export function connect(url: string): Promise<Connected> {
  const open = CONNECTIONS.get(url.slice(0, url.indexOf(':')).toLowerCase());
  // The address may hold a password, so that no message repeats it.
  if (!open) throw new Error(`DATABASE_URL begins with none of ${[...CONNECTIONS.keys()].join(', ')}`);

  return open(url);
}
