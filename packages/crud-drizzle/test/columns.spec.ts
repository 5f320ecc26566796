/** Columns of Drizzle → columns of SQL and of the catalogue, without a server; and which drivers are known. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CatalogColumn, type ColumnKind, describeColumn } from '@nestwright/crud/adapter';
import type { Column } from '@nestwright/sql';
import { sql, type Table } from 'drizzle-orm';
import * as my from 'drizzle-orm/mysql-core';
import * as pg from 'drizzle-orm/pg-core';
import * as lite from 'drizzle-orm/sqlite-core';
import { type Known, knowDatabase } from '../src/drizzle/database.js';
import { openDriver } from '../src/drizzle/drivers.js';
import { type ColumnDescription, describeTable } from '../src/index.js';
import { openDrizzle, type Opened } from './dialects.js';

const bits = (count: number) => ({ range: [-(2n ** BigInt(count - 1)), 2n ** BigInt(count - 1) - 1n] });
const SAFE = { range: [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)] };
const COUNTED = { nullable: false, hasDefault: true, autoIncrement: true, generated: true };
const COUNTER = { generation: 'counter' };
const UNSET = { insertable: false, updatable: false };
const COMPUTED = { ...UNSET, source: 'generated', hasDefault: true };
const RANDOM = { nullable: false, primary: true, hasDefault: true, generated: true };
const UNSIGNED = { isUnsigned: true };
const PRECISE = { precision: 3 } as const;
const CHANGED = { isTransformed: true };
const ZONE = { withTimezone: true };

const typed = (type: string) => pg.customType<{ data: string }>({ dataType: () => type })();
const money = pg.customType<{ data: number; driverData: string }>({
  dataType: () => 'money',
  toDriver: (value) => `$${value}`,
  fromDriver: (text) => Number(text.slice(1)),
});

const words = lite.customType<{ data: string[]; driverData: string }>({
  dataType: () => 'text',
  toDriver: (list) => list.join(),
  fromDriver: (text) => text.split(','),
});

/** Of each column: what it is made by, its type in statements, its kind, what else the catalogue and statements know of it. */
type Case = [column: unknown, type: string, kind: ColumnKind, catalogue?: object, sql?: object];

const CASES: Record<'postgres' | 'mysql' | 'sqlite', Case[]> = {
  postgres: [
    [pg.varchar({ length: 5 }), 'character varying', 'text', { length: 5 }],
    [pg.integer(), 'integer', 'integer', bits(32)],
    [pg.smallserial(), 'smallint', 'integer', { ...COUNTED, ...bits(16) }, COUNTER],
    [pg.bigserial({ mode: 'bigint' }), 'bigint', 'bigint', { ...COUNTED, nullable: true, ...bits(64) }, COUNTER],
    [pg.bigint({ mode: 'bigint' }), 'bigint', 'bigint', bits(64)],
    [pg.bigint({ mode: 'number' }), 'bigint', 'integer', SAFE, CHANGED],
    [pg.integer().generatedAlwaysAsIdentity(), 'integer', 'integer', { ...COUNTED, ...UNSET, ...bits(32) }, COUNTER],
    [pg.numeric({ precision: 7, scale: 2 }), 'numeric', 'decimal', { precision: 7, scale: 2 }],
    [pg.numeric({ precision: 7, mode: 'bigint' }), 'numeric', 'decimal', { precision: 7, transformed: true }, CHANGED],
    [pg.boolean().default(true), 'boolean', 'boolean', { hasDefault: true }],
    [pg.uuid().primaryKey().defaultRandom(), 'uuid', 'uuid', RANDOM],
    [pg.date({ mode: 'date' }), 'date', 'date'],
    [pg.time({ precision: 3 }), 'time without time zone', 'time', {}, PRECISE],
    [pg.time(ZONE), 'time with time zone', 'time', { zoned: true }],
    [pg.timestamp(), 'timestamp without time zone', 'datetime'],
    [pg.timestamp({ ...PRECISE, ...ZONE }), 'timestamp with time zone', 'datetime', {}, PRECISE],
    [pg.jsonb(), 'jsonb', 'json'],
    [pg.text().array(), 'text', 'array', { elementKind: 'text' }, { isArray: true }],
    [pg.time(ZONE).array(), 'time with time zone', 'array', { elementKind: 'time', zoned: true }, { isArray: true }],
    [pg.inet(), 'inet', 'binary'],
    [pg.varchar({ length: 5, enum: ['a', 'b'] }), 'character varying', 'enum', { members: ['a', 'b'] }],
    [pg.pgEnum('mood', ['x', 'y'])(), 'enum', 'enum', { members: ['x', 'y'] }],
    [money(), 'money', 'binary', { transformed: true }, CHANGED],
    [typed('timestamp (3) with time zone'), 'timestamp with time zone', 'datetime', { transformed: true }, CHANGED],
    [pg.text().generatedAlwaysAs('x'), 'text', 'text', COMPUTED, { isComputed: true }],
  ],
  mysql: [
    [my.varchar({ length: 5 }), 'varchar', 'text', { length: 5 }],
    [my.int(), 'int', 'integer', bits(32)],
    [my.int({ unsigned: true }), 'int', 'integer', { range: [0n, 2n ** 32n - 1n] }, UNSIGNED],
    [my.int().autoincrement().primaryKey(), 'int', 'integer', { ...COUNTED, primary: true, ...bits(32) }, COUNTER],
    [my.tinyint(), 'tinyint', 'integer', bits(8)],
    // A BIGINT, as which it is declared.
    [my.serial(), 'bigint', 'integer', { ...COUNTED, nullable: true, ...SAFE }, COUNTER],
    [my.bigint({ mode: 'bigint', unsigned: true }), 'bigint', 'bigint', { range: [0n, 2n ** 64n - 1n] }, UNSIGNED],
    [my.bigint({ mode: 'number' }), 'bigint', 'integer', SAFE, CHANGED],
    [my.decimal({ precision: 9, scale: 1 }), 'decimal', 'decimal', { precision: 9, scale: 1 }],
    [my.boolean(), 'tinyint', 'boolean'],
    [my.time({ fsp: 2 }), 'time', 'time', {}, { precision: 2 }],
    [my.datetime({ fsp: 3 }), 'datetime', 'datetime', {}, PRECISE],
    [my.json(), 'json', 'json'],
    [my.mysqlEnum(['a', 'b']), 'enum', 'enum', { members: ['a', 'b'] }],
  ],
  sqlite: [
    [lite.text({ enum: ['a'] }), 'text', 'enum', { members: ['a'] }],
    [lite.text({ mode: 'json' }), 'text', 'json'],
    [lite.integer(), 'integer', 'integer', SAFE],
    [lite.integer().primaryKey(), 'integer', 'integer', { ...COUNTED, primary: true, ...SAFE }, COUNTER],
    [lite.integer({ mode: 'boolean' }), 'integer', 'boolean'],
    [lite.integer({ mode: 'timestamp' }), 'integer', 'datetime'],
    [lite.integer({ mode: 'timestamp_ms' }), 'integer', 'datetime', {}, PRECISE],
    [lite.numeric(), 'numeric', 'decimal'],
  ],
};

const DAY = '2024-02-29';
const NOON = new Date(`${DAY}T12:00:00Z`);
const ISO = NOON.toISOString();
const same = <T>(...values: T[]) => values.map((value): [T, T] => [value, value]);
/** Values of which the same becomes. */
const each = <T>(result: T, ...values: unknown[]) => values.map((value): [unknown, T] => [value, result]);

/** Of each column: values of its property and what is stored of them; what drivers read and what becomes of it, if something does. */
type Values = [column: unknown, stored: [unknown, unknown][], read?: [unknown, unknown][]];

const VALUES: Record<keyof typeof CASES, Values[]> = {
  postgres: [
    [pg.text(), same<unknown>('a', `${DAY}T12:00Z`, null, undefined, () => 'DEFAULT')],
    [pg.date(), [[NOON, DAY], ...same(DAY)], [[NOON, DAY], ...same(DAY, null, undefined)]],
    [pg.timestamp(), same<unknown>(null, undefined, () => 'DEFAULT'), each(NOON, `${DAY} 12:00:00`, NOON)],
    [pg.timestamp({ mode: 'string' }), each(ISO, NOON, ISO), same(`${DAY} 12:00:00`)],
    [
      pg.timestamp({ mode: 'string' }),
      [],
      each(ISO, NOON, `${DAY} 12:00:00+00`, `${DAY} 09:00:00-0300`, `${DAY} 17:30:00+05:30`),
    ],
    [pg.bigint({ mode: 'bigint' }), [[5n, '5']], [...each('5', 5, '5'), ...same(null)]],
    [pg.bigint({ mode: 'number' }), same(5), [['5', 5]]],
    [pg.numeric(), same('1.5'), [[1.5, '1.5']]],
    [pg.numeric({ mode: 'number' }), [[1.5, '1.5']], [['1.5', 1.5]]],
    [pg.numeric({ mode: 'bigint' }), [[5n, '5']], [['5', '5']]],
    [money(), [[5, '$5']], [['$5', 5], ...same(null)]],
  ],
  mysql: [
    [my.datetime(), [[ISO, `${DAY} 12:00:00.000`]], [[`${DAY} 12:00:00`, NOON]]],
    [my.datetime({ mode: 'string' }), [...each(`${DAY} 12:00:00.000`, NOON, ISO), [5, 5]], same(`${DAY} 12:00:00`)],
    [my.json(), [[{ a: 1 }, '{"a":1}']], same<unknown>('{"a":1}', { a: 1 })],
    [my.boolean(), same(true), [[1, true]]],
  ],
  sqlite: [
    [lite.integer({ mode: 'boolean' }), [[true, 1]], [[0, false]]],
    [lite.integer({ mode: 'timestamp' }), [[ISO, NOON.getTime() / 1000]], [[NOON.getTime() / 1000, NOON]]],
    [lite.integer({ mode: 'timestamp_ms' }), [[NOON, NOON.getTime()]], [[NOON.getTime(), NOON]]],
    [lite.text({ mode: 'json' }), [[[null], '[null]']], [['{"a":1}', { a: 1 }], ...same(null)]],
  ],
};

const NOW = sql`now()`;
const changedAt = () => pg.timestamp().$onUpdate(() => NOON);

/** Columns with defaults: SQL of them, or what makes them. */
const DEFAULTS: [column: unknown, sql: string | undefined, made?: unknown][] = [
  [pg.text().default("it's '"), "'it''s '''"],
  [pg.timestamp().default(NOW), 'now()'],
  [pg.text().$defaultFn(() => 'a'), undefined, 'a'],
  [changedAt(), undefined, NOON],
  [changedAt().default(NOW), 'now()'],
];

const TABLES = { postgres: pg.pgTable, mysql: my.mysqlTable, sqlite: lite.sqliteTable } as unknown as Record<
  keyof typeof CASES,
  (name: string, columns: object) => Table
>;

describe.each(['postgres', 'mysql', 'sqlite'] as const)('%s', (kind) => {
  let opened: Opened;
  let known: Known;
  beforeAll(async () => {
    // Nothing is sent.
    opened = await openDrizzle({ kind, url: `${kind}://127.0.0.1/none` }, {});
    known = knowDatabase(opened.db);
  });
  afterAll(() => opened.close());

  const make = (column: unknown): Column => known.tables.find(TABLES[kind]('things', { it: column })).columns[0]!;

  const numbered = <T>(cases: readonly T[]) => cases.map((one, at) => [at, one] as const);
  test.each(numbered(CASES[kind]))('column %i: its type and kind', (_, [column, type, is, more = {}, statements]) => {
    const made = make(column);
    expect(made.catalogColumn).toEqual(describeColumn('it', is, { nullable: true, ...more }));
    const { precision, scale, members } = more as Partial<Column>;
    const not = ['isArray', 'isUnsigned', 'isTransformed', 'isComputed', 'isAssumed', 'isUtc', 'isVirtual'];
    const others = Object.fromEntries(not.map((name) => [name, false]));
    const { insertable: isInsert = true, updatable: isUpdate = true } = more as Partial<CatalogColumn>;
    expect(made).toMatchObject({ type, precision, scale, members, isInsert, isUpdate, ...others, ...statements });
    expect([made.server, made.generation]).toEqual([known.database.server, (statements as typeof made)?.generation]);
  });

  test.each(numbered(VALUES[kind]))('column %i: what is stored of values, and read', (_, [column, stored, read]) => {
    const { encode, decode } = make(column);
    expect(stored.map(([value]) => encode(value))).toStrictEqual(stored.map(([, expected]) => expected));
    expect(decode && read?.map(([value]) => decode(value))).toStrictEqual(read?.map(([, expected]) => expected));
    expect(decode !== undefined).toBe(read !== undefined);
  });

  test('the database quotes, numbers and answers as its dialect does', () => {
    const { quote, placeholder, server, returns, makesUuids, isReplicated, findTextQuery, dialect } = known.database;
    const told = [quote('a"`b'), placeholder(1), makesUuids, dialect.sharedConnection, isReplicated, findTextQuery?.()];
    const wanted = {
      postgres: ['"a""`b"', '$2', true, false],
      mysql: ['`a"``b`', '?', false, false],
      sqlite: ['"a""`b"', '?', false, true],
    };
    expect(told).toEqual([...wanted[kind], false, undefined]);
    expect(returns).toEqual({ insert: kind !== 'mysql', update: kind !== 'mysql' });
    expect(server).toEqual({ isMariaDb: false, isUtc: true, hasOldSpatialNames: false });
  });

  if (kind === 'mysql') {
    test('MariaDB has documents as texts', () => {
      const { decode } = make(my.json());
      known.driver.isMariaDb = true;
      expect(['{"a":"b"}', '"b"', { a: 1 }].map((value) => decode!(value))).toEqual([{ a: 'b' }, 'b', { a: 1 }]);
    });
  }

  if (kind === 'sqlite') {
    test.each<[unknown, ColumnDescription, object, [unknown, unknown][]]>([
      [lite.text(), { kind: 'date' }, {}, [[NOON, DAY]]],
      [lite.integer(), { kind: 'bigint' }, bits(64), [[5, '5']]],
      [lite.integer(), { kind: 'integer', range: [0n, 9n] }, {}, []],
      [lite.numeric(), { kind: 'decimal', precision: 7, scale: 2 }, {}, [[1.5, '1.5']]],
      [words(), { kind: 'array', separator: ',' }, { elementKind: 'text' }, [['a,b', ['a', 'b']]]],
    ])('what is described of column %# wins over its type', (column, described, more, read) => {
      const table = lite.sqliteTable('described', { it: column as never });
      describeTable(table, { columns: { it: described } });
      const { catalogColumn, decode } = known.tables.find(table).columns[0]!;
      expect(catalogColumn).toEqual(describeColumn('it', described.kind!, { nullable: true, ...more, ...described }));
      expect(read.map(([value]) => decode!(value))).toEqual(read.map(([, value]) => value));
    });
  }

  if (kind === 'postgres') {
    test.each(numbered(DEFAULTS))('default %i', (_, [column, defaultSql, made]) => {
      const { makeDefault, ...rest } = make(column);
      expect([rest.defaultSql, makeDefault?.()]).toStrictEqual([defaultSql, made]);
    });
  }
});

test('a driver that is not known is told with those that are', () => {
  const known = 'postgres.js, PGlite, node-postgres, mysql2, sql.js, better-sqlite3';
  const message = `The driver of the database is none of ${known}, which are known`;
  expect(() => openDriver({}, 'sqlite')).toThrow(new Error(message));
});

describe('moments of SQLite', () => {
  const { dialect } = openDriver({ getRowsModified: () => 0 }, 'sqlite');
  const column = (type: string, precision?: number, kind = 'datetime') =>
    ({ type, precision, catalogColumn: { kind } }) as Parameters<typeof dialect.now>[0];

  test.each([
    [column('integer', 3), "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"],
    [column('integer'), "CAST(strftime('%s', 'now') AS INTEGER)"],
    [column('datetime'), "strftime('%Y-%m-%d %H:%M:%f', 'now')"],
    [column('integer', undefined, 'integer'), undefined],
  ])('the present, as column %# stores it', (asked, sql) => expect(dialect.now(asked)).toBe(sql));

  test.each([
    [column('integer', 3), "strftime('%Y', strftime('%Y-%m-%d %H:%M:%f', x / 1000.0, 'unixepoch'))"],
    [column('integer'), "strftime('%Y', strftime('%Y-%m-%d %H:%M:%f', x, 'unixepoch'))"],
  ])('the year of a moment, as column %# stores it', (stored, sql) => {
    expect(dialect.aggregates.period('x', 'year', stored.catalogColumn, stored)).toBe(sql);
  });
});
