/** Drizzle has a function for each type of each database. These are the types that the example needs, a row per database. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import * as my from 'drizzle-orm/mysql-core';
import * as pg from 'drizzle-orm/pg-core';
import * as lite from 'drizzle-orm/sqlite-core';

/** A list as one text, its items divided by commas. */
const list = {
  dataType: () => 'text',
  toDriver: (items: string[]) => items.join(','),
  fromDriver: (text: string) => (text === '' ? [] : text.split(',')),
};

const NUMBERS = { precision: 12, scale: 2, mode: 'number' } as const;

const role = pg.pgEnum('users_role_enum', ['admin', 'guest', 'member']);

const postgres = {
  table: pg.pgTable,
  check: pg.check,
  primaryKey: pg.primaryKey,
  key: () => pg.serial().primaryKey(),
  bigKey: () => pg.bigserial({ mode: 'bigint' }).primaryKey(),
  uuidKey: () => pg.uuid().primaryKey().defaultRandom(),
  text: () => pg.text(),
  varchar: (length: number) => pg.varchar({ length }),
  integer: () => pg.integer(),
  decimal: () => pg.numeric(NUMBERS),
  double: () => pg.doublePrecision(),
  boolean: () => pg.boolean(),
  role: () => role(),
  list: () => pg.customType<{ data: string[]; driverData: string }>(list)(),
  json: () => pg.json(),
  day: () => pg.date({ mode: 'string' }),
  moment: () => pg.timestamp({ withTimezone: true, precision: 3 }),
  now: sql`now()`,
  /** What belongs to the schema besides tables. */
  more: { role } as object,
};

/** The functions of one database. All have the types of PostgreSQL's, so that tables are written once. */
export type ColumnTypes = typeof postgres;

const mysql = {
  table: my.mysqlTable,
  check: my.check,
  primaryKey: my.primaryKey,
  key: () => my.int().autoincrement().primaryKey(),
  bigKey: () => my.bigint({ mode: 'bigint' }).autoincrement().primaryKey(),
  uuidKey: () =>
    my
      .varchar({ length: 36 })
      .primaryKey()
      .$defaultFn(() => randomUUID()),
  text: () => my.text(),
  varchar: (length: number) => my.varchar({ length }),
  integer: () => my.int(),
  decimal: () => my.decimal(NUMBERS),
  double: () => my.double(),
  boolean: () => my.boolean(),
  role: () => my.mysqlEnum(['admin', 'guest', 'member']),
  list: () => my.customType<{ data: string[]; driverData: string }>(list)(),
  json: () => my.json(),
  day: () => my.date({ mode: 'string' }),
  moment: () => my.datetime({ fsp: 3 }),
  now: sql`CURRENT_TIMESTAMP(3)`,
  more: {},
} satisfies Record<keyof ColumnTypes, unknown> as unknown as ColumnTypes;

const sqlite = {
  table: lite.sqliteTable,
  check: lite.check,
  primaryKey: lite.primaryKey,
  key: () => lite.integer().primaryKey({ autoIncrement: true }),
  bigKey: () => lite.integer().primaryKey({ autoIncrement: true }),
  uuidKey: () =>
    lite
      .text()
      .primaryKey()
      .$defaultFn(() => randomUUID()),
  text: () => lite.text(),
  varchar: (length: number) => lite.text({ length }),
  integer: () => lite.integer(),
  decimal: () => lite.numeric({ mode: 'number' }),
  double: () => lite.real(),
  boolean: () => lite.integer({ mode: 'boolean' }),
  role: () => lite.text({ enum: ['admin', 'guest', 'member'] }),
  list: () => lite.customType<{ data: string[]; driverData: string }>(list)(),
  json: () => lite.text({ mode: 'json' }),
  day: () => lite.text(),
  moment: () => lite.integer({ mode: 'timestamp_ms' }),
  now: sql`(CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))`,
  more: {},
} satisfies Record<keyof ColumnTypes, unknown> as unknown as ColumnTypes;

/** MariaDB has uuids. */
const mariadb: ColumnTypes = {
  ...mysql,
  uuidKey: () =>
    my
      .customType<{ data: string }>({ dataType: () => 'uuid' })()
      .primaryKey()
      .$defaultFn(() => randomUUID()) as never,
};

export const COLUMN_TYPES = { postgres, mysql, mariadb, sqlite };

export type DatabaseName = keyof typeof COLUMN_TYPES;

/** Elsewhere, types say it; SQLite has one for all integers and decimals, and none for days and uuids. */
export const INTEGER = { range: [-(2n ** 31n), 2n ** 31n - 1n] } as const;
export const DECIMAL = { precision: 12, scale: 2 };
export const DATE = { kind: 'date' } as const;
