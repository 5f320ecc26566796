/** A small schema in each of Drizzle's dialects, with its tables in a database. */
import { createRequire } from 'node:module';
import { relations, sql } from 'drizzle-orm';
import * as my from 'drizzle-orm/mysql-core';
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { drizzle as drizzlePostgresJs } from 'drizzle-orm/postgres-js';
import * as pg from 'drizzle-orm/pg-core';
import { drizzle as drizzleSqlJs } from 'drizzle-orm/sql-js';
import * as lite from 'drizzle-orm/sqlite-core';
import { PGlite } from '@electric-sql/pglite';
import { createPool } from 'mysql2/promise';
import pgDriver from 'pg';
import postgresJs from 'postgres';
import type { TestDatabase } from '../../../integration/test-support/index.js';
import type { DrizzleDatabase } from '../src/index.js';
import { ignoreEnds } from './ignore-ends.js';

const postgresTables = () => {
  const mood = pg.pgEnum('mood', ['calm', 'busy']);
  const authors = pg.pgTable('authors', { id: pg.serial().primaryKey(), name: pg.varchar({ length: 40 }).notNull() });
  const notes = pg.pgTable('notes', {
    id: pg.serial().primaryKey(),
    title: pg.varchar({ length: 40 }).notNull().unique(),
    isDone: pg.boolean('is_done').notNull().default(false),
    mood: mood().notNull().default('calm'),
    price: pg.numeric({ precision: 10, scale: 2 }),
    views: pg.bigint({ mode: 'bigint' }),
    settings: pg.jsonb(),
    tags: pg.text().array(),
    day: pg.date(),
    createdAt: pg.timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    deletedAt: pg.timestamp('deleted_at', { withTimezone: true }),
    changedAt: pg.timestamp('changed_at', { withTimezone: true }).$onUpdate(() => new Date()),
    version: pg.integer().notNull().default(1),
    authorId: pg.integer('author_id').references(() => authors.id),
  });

  return { authors, notes };
};

const mysqlTables = () => {
  const authors = my.mysqlTable('authors', {
    id: my.int().autoincrement().primaryKey(),
    name: my.varchar({ length: 40 }).notNull(),
  });
  const notes = my.mysqlTable('notes', {
    id: my.int().autoincrement().primaryKey(),
    title: my.varchar({ length: 40 }).notNull().unique(),
    isDone: my.boolean('is_done').notNull().default(false),
    mood: my.mysqlEnum(['calm', 'busy']).notNull().default('calm'),
    price: my.decimal({ precision: 10, scale: 2 }),
    views: my.bigint({ mode: 'bigint' }),
    settings: my.json(),
    day: my.date({ mode: 'string' }),
    createdAt: my
      .datetime('created_at', { fsp: 3 })
      .notNull()
      .default(sql`CURRENT_TIMESTAMP(3)`),
    deletedAt: my.datetime('deleted_at', { fsp: 3 }),
    changedAt: my.datetime('changed_at', { fsp: 3 }).$onUpdate(() => new Date()),
    version: my.int().notNull().default(1),
    authorId: my.int('author_id').references(() => authors.id),
  });

  return { authors, notes };
};

const sqliteTables = () => {
  const authors = lite.sqliteTable('authors', {
    id: lite.integer().primaryKey(),
    name: lite.text({ length: 40 }).notNull(),
  });
  const notes = lite.sqliteTable('notes', {
    id: lite.integer().primaryKey(),
    title: lite.text({ length: 40 }).notNull().unique(),
    isDone: lite.integer('is_done', { mode: 'boolean' }).notNull().default(false),
    mood: lite
      .text({ enum: ['calm', 'busy'] })
      .notNull()
      .default('calm'),
    price: lite.numeric(),
    views: lite.integer(),
    settings: lite.text({ mode: 'json' }),
    day: lite.text(),
    createdAt: lite
      .integer('created_at', { mode: 'timestamp_ms' })
      .notNull()
      .default(sql`(unixepoch() * 1000)`),
    deletedAt: lite.integer('deleted_at', { mode: 'timestamp_ms' }),
    changedAt: lite.integer('changed_at', { mode: 'timestamp' }).$onUpdate(() => new Date()),
    version: lite.integer().notNull().default(1),
    authorId: lite.integer('author_id').references(() => authors.id),
  });

  return { authors, notes };
};

const KEY = { postgres: 'SERIAL PRIMARY KEY', mysql: 'INT AUTO_INCREMENT PRIMARY KEY', sqlite: 'INTEGER PRIMARY KEY' };
const MOOD = { postgres: 'mood', mysql: "ENUM('calm', 'busy')", sqlite: 'TEXT' };
const MOMENT = { postgres: 'TIMESTAMPTZ', mysql: 'DATETIME(3)', sqlite: 'INTEGER' };
const NOW = { postgres: 'now()', mysql: 'CURRENT_TIMESTAMP(3)', sqlite: '(unixepoch() * 1000)' };

/** The statements that make the tables. */
const ddl = (kind: TestDatabase['kind']): string[] => [
  ...(kind === 'postgres' ? ["CREATE TYPE mood AS ENUM ('calm', 'busy')"] : []),
  `CREATE TABLE authors (id ${KEY[kind]}, name VARCHAR(40) NOT NULL)`,
  `CREATE TABLE notes (id ${KEY[kind]}, title VARCHAR(40) NOT NULL, is_done BOOLEAN NOT NULL DEFAULT FALSE, ` +
    `mood ${MOOD[kind]} NOT NULL DEFAULT 'calm', price NUMERIC(10, 2), views BIGINT, ` +
    `settings ${kind === 'postgres' ? 'JSONB' : kind === 'mysql' ? 'JSON' : 'TEXT'}, ` +
    `${kind === 'postgres' ? 'tags TEXT[], ' : ''}day ${kind === 'sqlite' ? 'TEXT' : 'DATE'}, ` +
    `created_at ${MOMENT[kind]} NOT NULL DEFAULT ${NOW[kind]}, deleted_at ${MOMENT[kind]}, changed_at ${MOMENT[kind]}, version INT NOT NULL DEFAULT 1, ` +
    `author_id INT, CONSTRAINT notes_title_unique UNIQUE (title), ` +
    `CONSTRAINT notes_author_id_authors_id_fk FOREIGN KEY (author_id) REFERENCES authors (id))`,
];

type Shop = ReturnType<typeof postgresTables>;

/** The schema, its database, and what closes it. */
export interface OpenShop extends Shop {
  readonly db: DrizzleDatabase;
  run(...statements: string[]): Promise<void>;
  close(): Promise<void>;
}

export async function openShop(
  { kind, url }: Pick<TestDatabase, 'kind' | 'url'>,
  driver: DriverName = DRIVERS[kind],
): Promise<OpenShop> {
  const tables = { postgres: postgresTables, mysql: mysqlTables, sqlite: sqliteTables }[kind]() as unknown as Shop;
  const { authors, notes } = tables;
  const schema = {
    ...tables,
    authorRelations: relations(authors, ({ many }) => ({ notes: many(notes) })),
    noteRelations: relations(notes, ({ one }) => ({
      author: one(authors, { fields: [notes.authorId], references: [authors.id] }),
    })),
  };
  const { db, run, close } = await OPENERS[driver](url, schema);
  const runAll = async (...statements: string[]) => {
    for (const statement of statements) await run(statement);
  };
  await runAll(...ddl(kind));

  return { ...tables, db, run: runAll, close };
}

interface Opened {
  readonly db: DrizzleDatabase;
  run(statement: string): unknown;
  close(): Promise<void>;
}

/** Drizzle's drivers, by their names. */
export type DriverName = 'node-postgres' | 'postgres.js' | 'PGlite' | 'mysql2' | 'sql.js';

const DRIVERS = { postgres: 'node-postgres', mysql: 'mysql2', sqlite: 'sql.js' } as const;

const OPENERS: Record<DriverName, (url: string, schema: Record<string, unknown>) => Promise<Opened>> = {
  'node-postgres': (url, schema) => {
    const pool = new pgDriver.Pool({ connectionString: url });
    ignoreEnds(pool);

    return Promise.resolve({
      db: drizzlePostgres(pool, { schema }),
      run: (statement) => pool.query(statement),
      close: () => pool.end(),
    });
  },
  'postgres.js': (url, schema) => {
    const client = postgresJs(url, { onnotice: () => undefined });

    return Promise.resolve({
      db: drizzlePostgresJs(client, { schema }),
      run: (statement) => client.unsafe(statement),
      close: () => client.end(),
    });
  },
  PGlite: async (_, schema) => {
    const client = await PGlite.create();

    return {
      db: drizzlePglite(client, { schema }),
      run: (statement) => client.exec(statement),
      close: () => client.close(),
    };
  },
  mysql2: (url, schema) => {
    const pool = createPool({ uri: url.replace('mariadb:', 'mysql:'), timezone: 'Z' });

    return Promise.resolve({
      db: drizzleMysql(pool as never, { schema, mode: 'default' }) as unknown as DrizzleDatabase,
      run: (statement) => pool.query(statement),
      close: () => pool.end(),
    });
  },
  'sql.js': async (_, schema) => {
    const initSqlJs = createRequire(import.meta.url)('sql.js') as () => Promise<{
      Database: new () => { run(sql: string): void; close(): void };
    }>;
    const database = new (await initSqlJs()).Database();
    database.run('PRAGMA foreign_keys = ON');

    return {
      db: drizzleSqlJs(database as never, { schema }) as unknown as DrizzleDatabase,
      run: (statement) => database.run(statement),
      close: () => Promise.resolve(database.close()),
    };
  },
};
