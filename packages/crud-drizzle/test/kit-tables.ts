/** The conformance kit's tables in each of Drizzle's dialects, in a database. */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { AdapterUnderTest, TableName } from '@nestwright/testing';
import { relations, sql, type Table } from 'drizzle-orm';
import * as my from 'drizzle-orm/mysql-core';
import { drizzle as onMysql } from 'drizzle-orm/mysql2';
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres';
import * as pg from 'drizzle-orm/pg-core';
import { drizzle as onSqlJs } from 'drizzle-orm/sql-js';
import * as lite from 'drizzle-orm/sqlite-core';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import type { TestDatabase } from '../../../integration/test-support/index.js';
import { describeTable, type DrizzleDatabase, DrizzleCrudService, type TableOptions } from '../src/index.js';
import { ignoreEnds } from './ignore-ends.js';

/** The functions of a dialect, all typed as PostgreSQL's. */
const TYPES = {
  postgres: {
    table: pg.pgTable,
    primaryKey: pg.primaryKey,
    key: () => pg.serial().primaryKey(),
    uuid: () => pg.uuid().primaryKey().defaultRandom(),
    text: (length: number) => pg.varchar({ length }),
    integer: () => pg.integer(),
    decimal: () => pg.numeric({ precision: 12, scale: 2 }),
    double: () => pg.doublePrecision(),
    wide: () => pg.bigint({ mode: 'bigint' }),
    boolean: () => pg.boolean(),
    role: pg.pgEnum('kit_role', ['admin', 'guest', 'member']),
    json: () => pg.json(),
    day: () => pg.date(),
    moment: () => pg.timestamp({ withTimezone: true, precision: 3 }),
  },
  mysql: {
    table: my.mysqlTable,
    primaryKey: my.primaryKey,
    key: () => my.int().autoincrement().primaryKey(),
    uuid: () => my.varchar({ length: 36 }).primaryKey().$defaultFn(randomUUID),
    text: (length: number) => my.varchar({ length }),
    integer: () => my.int(),
    decimal: () => my.decimal({ precision: 12, scale: 2 }),
    double: () => my.double(),
    wide: () => my.bigint({ mode: 'bigint' }),
    boolean: () => my.boolean(),
    role: () => my.mysqlEnum(['admin', 'guest', 'member']),
    json: () => my.json(),
    day: () => my.date({ mode: 'string' }),
    moment: () => my.datetime({ fsp: 3 }),
  },
  sqlite: {
    table: lite.sqliteTable,
    primaryKey: lite.primaryKey,
    key: () => lite.integer().primaryKey(),
    uuid: () => lite.text().primaryKey().$defaultFn(randomUUID),
    text: (length: number) => lite.text({ length }),
    integer: () => lite.integer(),
    decimal: () => lite.numeric(),
    double: () => lite.real(),
    wide: () => lite.integer(),
    boolean: () => lite.integer({ mode: 'boolean' }),
    role: () => lite.text({ enum: ['admin', 'guest', 'member'] }),
    json: () => lite.text({ mode: 'json' }),
    day: () => lite.text(),
    moment: () => lite.integer({ mode: 'timestamp_ms' }),
  },
};

const NOW = {
  postgres: sql`now()`,
  mysql: sql`CURRENT_TIMESTAMP(3)`,
  sqlite: sql`(CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))`,
};

function makeTables(kind: TestDatabase['kind']) {
  const types = TYPES[kind] as (typeof TYPES)['postgres'];
  const { table, key, text, integer, moment } = types;
  const cascade = { onDelete: 'cascade' } as const;
  const now = NOW[kind];

  const teams = table('teams', {
    id: key(),
    name: text(40).notNull().unique(),
    budget: types.decimal(),
    createdAt: moment().notNull().default(now),
    deletedAt: moment(),
  });
  const passports = table('passports', { id: key(), number: text(20).notNull().unique() });
  const badges = table('badges', { id: key(), label: text(20).notNull().unique() });
  const members = table('members', {
    id: key(),
    email: text(60).notNull().unique(),
    first: text(40),
    last: text(40),
    age: integer(),
    score: types.double(),
    points: types.wide(),
    isActive: types.boolean().notNull().default(true),
    role: types.role().notNull().default('member'),
    settings: types.json(),
    bornOn: types.day(),
    joinedAt: moment(),
    secret: text(40).notNull().default('none'),
    version: integer().notNull().default(1),
    updatedAt: moment().notNull().default(now),
    teamId: integer()
      .notNull()
      .references(() => teams.id),
    passportId: integer()
      .unique()
      .references(() => passports.id),
  });
  const memberBadges = table(
    'member_badges',
    {
      memberId: integer()
        .notNull()
        .references(() => members.id, cascade),
      badgeId: integer()
        .notNull()
        .references(() => badges.id, cascade),
    },
    ({ memberId, badgeId }) => [types.primaryKey({ columns: [memberId, badgeId] })],
  );
  const notes = table('notes', {
    id: key(),
    text: text(80).notNull(),
    memberId: integer().references(() => members.id, cascade),
  });
  const seats = table(
    'seats',
    {
      teamId: integer()
        .notNull()
        .references(() => teams.id),
      number: integer().notNull(),
      label: text(20),
    },
    ({ teamId, number }) => [types.primaryKey({ columns: [teamId, number] })],
  );
  const devices = table('devices', { id: types.uuid(), serial: text(20).notNull().unique() });

  return {
    teams,
    passports,
    badges,
    members,
    memberBadges,
    notes,
    seats,
    devices,
    teamRelations: relations(teams, ({ many }) => ({ members: many(members) })),
    passportRelations: relations(passports, ({ one }) => ({ member: one(members) })),
    memberRelations: relations(members, ({ one, many }) => ({
      team: one(teams, { fields: [members.teamId], references: [teams.id] }),
      passport: one(passports, { fields: [members.passportId], references: [passports.id] }),
      notes: many(notes),
    })),
    noteRelations: relations(notes, ({ one }) => ({
      member: one(members, { fields: [notes.memberId], references: [members.id] }),
    })),
    seatRelations: relations(seats, ({ one }) => ({
      team: one(teams, { fields: [seats.teamId], references: [teams.id] }),
    })),
  };
}

type Tables = ReturnType<typeof makeTables>;

const OPTIONS = (
  kind: TestDatabase['kind'],
  { badges, members, memberBadges }: Tables,
): Partial<Record<TableName, TableOptions>> => ({
  teams: {
    createdAt: 'createdAt',
    deletedAt: 'deletedAt',
    ...(kind === 'sqlite' && { columns: { budget: { precision: 12, scale: 2 } } }),
  } as TableOptions,
  members: {
    version: 'version',
    updatedAt: 'updatedAt',
    embedded: { name: { first: 'first', last: 'last' } },
    cascade: { passport: ['insert', 'update'], notes: ['insert', 'update'] },
    manyToMany: { badges: { table: badges, through: memberBadges } },
    ...(kind === 'sqlite' && { columns: { bornOn: { kind: 'date' }, points: { kind: 'bigint' } } }),
  } as TableOptions,
  badges: { manyToMany: { members: { table: members, through: memberBadges } } },
  ...(kind !== 'postgres' && { devices: { columns: { id: { kind: 'uuid' } } } as TableOptions }),
});

const SQL_TYPES = {
  postgres: {
    key: 'SERIAL PRIMARY KEY',
    uuid: 'UUID PRIMARY KEY DEFAULT gen_random_uuid()',
    role: 'kit_role',
    moment: 'TIMESTAMPTZ(3)',
    now: 'now()',
    double: 'DOUBLE PRECISION',
  },
  mysql: {
    key: 'INT AUTO_INCREMENT PRIMARY KEY',
    uuid: 'VARCHAR(36) PRIMARY KEY',
    role: "ENUM('admin', 'guest', 'member')",
    moment: 'DATETIME(3)',
    now: 'CURRENT_TIMESTAMP(3)',
    double: 'DOUBLE',
  },
  sqlite: {
    key: 'INTEGER PRIMARY KEY',
    uuid: 'TEXT PRIMARY KEY',
    role: 'TEXT',
    moment: 'INTEGER',
    now: "(CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))",
    double: 'REAL',
  },
};

function statements(kind: TestDatabase['kind']): string[] {
  const { key, uuid, role, moment, now, double } = SQL_TYPES[kind];
  const quote = (text: string) => (kind === 'mysql' ? text.replaceAll('"', '`') : text);
  const to = (table: string, more = '') => `REFERENCES ${table} (id)${more}`;
  const column = (name: string, table: string, more = '') => `FOREIGN KEY ("${name}") ${to(table, more)}`;

  return [
    ...(kind === 'postgres' ? ["CREATE TYPE kit_role AS ENUM ('admin', 'guest', 'member')"] : []),
    `CREATE TABLE teams (id ${key}, name VARCHAR(40) NOT NULL, budget DECIMAL(12, 2), "createdAt" ${moment} NOT NULL DEFAULT ${now}, "deletedAt" ${moment}, CONSTRAINT teams_name_unique UNIQUE (name))`,
    `CREATE TABLE passports (id ${key}, number VARCHAR(20) NOT NULL, CONSTRAINT passports_number_unique UNIQUE (number))`,
    `CREATE TABLE badges (id ${key}, label VARCHAR(20) NOT NULL, CONSTRAINT badges_label_unique UNIQUE (label))`,
    `CREATE TABLE members (id ${key}, email VARCHAR(60) NOT NULL, "first" VARCHAR(40), "last" VARCHAR(40), age INT, score ${double}, points BIGINT, ` +
      `"isActive" BOOLEAN NOT NULL DEFAULT TRUE, "role" ${role} NOT NULL DEFAULT 'member', settings ${kind === 'sqlite' ? 'TEXT' : 'JSON'}, "bornOn" ${kind === 'sqlite' ? 'TEXT' : 'DATE'}, ` +
      `"joinedAt" ${moment}, secret VARCHAR(40) NOT NULL DEFAULT 'none', version INT NOT NULL DEFAULT 1, "updatedAt" ${moment} NOT NULL DEFAULT ${now}, ` +
      `"teamId" INT NOT NULL, "passportId" INT, CONSTRAINT members_email_unique UNIQUE (email), CONSTRAINT "members_passportId_unique" UNIQUE ("passportId"), ` +
      `CONSTRAINT members_age CHECK (age BETWEEN 0 AND 150), ${column('teamId', 'teams')}, ${column('passportId', 'passports')})`,
    `CREATE TABLE member_badges ("memberId" INT, "badgeId" INT, PRIMARY KEY ("memberId", "badgeId"), ${column('memberId', 'members', ' ON DELETE CASCADE')}, ${column('badgeId', 'badges', ' ON DELETE CASCADE')})`,
    `CREATE TABLE notes (id ${key}, text VARCHAR(80) NOT NULL, "memberId" INT, ${column('memberId', 'members', ' ON DELETE CASCADE')})`,
    `CREATE TABLE seats ("teamId" INT, number INT, label VARCHAR(20), PRIMARY KEY ("teamId", number), ${column('teamId', 'teams')})`,
    `CREATE TABLE devices (id ${uuid}, serial VARCHAR(20) NOT NULL, CONSTRAINT devices_serial_unique UNIQUE (serial))`,
  ].map(quote);
}

interface Opened {
  readonly db: DrizzleDatabase;
  run(statement: string): unknown;
  close(): unknown;
}

async function connect({ kind, url }: TestDatabase, schema: Tables): Promise<Opened> {
  if (kind === 'postgres') {
    const pool = new Pool({ connectionString: url });
    ignoreEnds(pool);

    return { db: onPostgres(pool, { schema }), run: (statement) => pool.query(statement), close: () => pool.end() };
  }
  if (kind === 'mysql') {
    const pool = createPool({ uri: url.replace('mariadb:', 'mysql:'), timezone: 'Z' });
    const db = onMysql(pool as never, { schema, mode: 'default' }) as unknown as DrizzleDatabase;

    return { db, run: (statement) => pool.query(statement), close: () => pool.end() };
  }
  const initSqlJs = createRequire(import.meta.url)('sql.js') as () => Promise<{
    Database: new () => { run(sql: string): void; close(): void };
  }>;
  const database = new (await initSqlJs()).Database();
  database.run('PRAGMA foreign_keys = ON');

  return {
    db: onSqlJs(database as never, { schema }) as unknown as DrizzleDatabase,
    run: (statement) => database.run(statement),
    close: () => database.close(),
  };
}

/** Drizzle on a database. */
export function onDrizzle(database: TestDatabase): AdapterUnderTest {
  return {
    name: `Drizzle on ${database.kind}`,
    roundsWideIntegers: database.kind === 'sqlite',
    async open() {
      const tables = makeTables(database.kind);
      const { db, run, close } = await connect(database, tables);
      for (const statement of statements(database.kind)) await run(statement);
      const options = OPTIONS(database.kind, tables);
      for (const [name, one] of Object.entries(options)) describeTable(tables[name as TableName] as Table, one);
      const { teams, passports, members, badges, notes, seats, devices } = tables;
      const resources = Object.entries({ teams, passports, members, badges, notes, seats, devices }).map(
        ([name, table]) => [
          name,
          {
            model: table,
            service: class extends DrizzleCrudService<Table> {
              constructor() {
                super(db, table);
              }
            },
          },
        ],
      );
      const children = ['member_badges', 'notes', 'seats', 'devices', 'members', 'badges', 'passports', 'teams'];

      return {
        resources: Object.fromEntries(resources) as Record<TableName, never>,
        clear: async () => {
          for (const table of children) await run(`DELETE FROM ${table}`);
        },
        close: async () => {
          await close();
        },
      };
    },
  };
}
