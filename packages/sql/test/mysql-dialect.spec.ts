/** What is written for MySQL and MariaDB, without a server. */
import { describe, expect, test } from '@jest/globals';
import type { ColumnKind } from '@nestwright/crud/adapter';
import { MYSQL } from '@nestwright/sql';
import { type Case, documentValue, of, SERVER, stored } from './dialect-columns.js';

const bytes = (sql: string) => `CAST(CONVERT(${sql} USING utf8mb4) AS BINARY)`;
const { aggregates, totals, sortValues } = MYSQL;

test.each<Case>([
  ["a LIKE b ESCAPE '!'", () => MYSQL.like('a', 'b')],
  ['CONCAT(a, b)', () => MYSQL.concat('a', 'b')],
  ['%!%!_!!a%', () => MYSQL.pattern('%_!a', 'cont')],
  [`INSTR(${bytes("CONCAT(',', a, ',')")}, ${bytes("CONCAT(',', b, ',')")}) > 0`, () => MYSQL.listHas('a', 'b')],
  [' LOCK IN SHARE MODE', () => MYSQL.shareLock('a')],
  [' LIMIT a', () => MYSQL.page('a', undefined)],
  [' LIMIT 18446744073709551615 OFFSET b', () => MYSQL.page(undefined, 'b')],
  [undefined, () => MYSQL.now(stored('datetime'))],
  ['CURRENT_TIMESTAMP(6)', () => MYSQL.now(stored('datetime', { precision: 6 }))],
  [31, () => MYSQL.jsonDepth({ ...SERVER, isMariaDb: true })],
  [100, () => MYSQL.jsonDepth(SERVER)],
  ['a', () => MYSQL.typed('a', of('integer'))],
  ['CAST(a AS DECIMAL(65))', () => MYSQL.typed('a', of('bigint'))],
  ['CAST(a AS DECIMAL(65, 30))', () => MYSQL.typed('a', of('decimal'))],
  ['CAST(a AS CHAR)', () => MYSQL.writeText('a', of('decimal'))],
  ['CAST(a AS CHAR)', () => MYSQL.writeText('a', of('integer', { transformed: true }))],
])('a part of a statement: %s', (sql, write) => expect(write()).toBe(sql));

test.each([
  [Infinity, false, 'max_execution_time', 86_400, 0],
  [1500, false, 'max_execution_time', 3, 3000],
  [2000, true, 'max_statement_time', 3, 3],
])('a limit of %d ms is set and put back, on MariaDB: %s', (limit, isMariaDb, name, write, time) => {
  expect(MYSQL.timeLimits(limit, { ...SERVER, isMariaDb })).toEqual({
    replace:
      `SET @nestwright_write = @@net_write_timeout, @nestwright_time = @@${name}, ` +
      `SESSION net_write_timeout = ${write}, SESSION ${name} = ${time}`,
    restore: `SET SESSION net_write_timeout = @nestwright_write, SESSION ${name} = @nestwright_time`,
  });
});

test.each([
  [null, true],
  [new Date(0), true],
  [Buffer.from('a'), true],
  [{ toSqlString: () => 'NOW()' }, true],
  [{}, false],
])('the driver binds %j as one value: %s', (value, binds) => expect(MYSQL.binds(value)).toBe(binds));

const OLD = { server: { ...SERVER, hasOldSpatialNames: true } };

test.each<Case>([
  ['ST_GeomFromText(a)', () => MYSQL.stored('a', stored('point'))],
  ['GeomFromText(a, 4326)', () => MYSQL.stored('a', stored('geometrycollection', { srid: 4326, ...OLD }))],
  ['ST_AsText(a)', () => MYSQL.selected('a', stored('multipolygon'))],
  ['AsText(a)', () => MYSQL.selected('a', stored('geometry', OLD))],
  ['CAST(a AS CHAR)', () => MYSQL.selected('a', stored('json', { catalogColumn: of('json') }))],
  ['a', () => MYSQL.selected('a', stored('text', { catalogColumn: of('json') }))],
])('a column is stored and selected as %s', (sql, write) => expect(write()).toBe(sql));

test.each([
  ['(a + 0e0)', ['float', 'double precision', 'REAL']],
  ['CAST(a AS CHAR)', ['tinyint', 'SMALLINT', 'mediumint', 'int', 'bigint', 'dec', 'numeric', 'fixed', 'bool', 'year']],
  ['HEX(a)', ['varchar', 'point', 'longtext', 'set']],
])('%s tells values of these types apart: %j', (sql, types) => {
  expect(types.map((type) => MYSQL.distinctText('a', stored(type)))).toEqual(types.map(() => sql));
});

describe('values of documents', () => {
  const found = String.raw`JSON_EXTRACT(doc, <$."a"."b\"">)`;
  const isNumber = `CASE WHEN JSON_TYPE(${found}) IN ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') THEN `;
  const number = `(JSON_UNQUOTE(${found}) + 0e0)`;
  const isTrue = `JSON_UNQUOTE(${found}) = 'true'`;

  test.each<Case>([
    [`${isNumber}${number} END`, () => MYSQL.jsonNumber(documentValue)],
    [`CASE WHEN JSON_TYPE(${found}) = 'BOOLEAN' THEN ${isTrue} END`, () => MYSQL.jsonBoolean(documentValue)],
    [1, () => MYSQL.jsonBooleanValue(true)],
    [`NULLIF(JSON_TYPE(${found}), 'NULL')`, () => MYSQL.jsonPresence(documentValue)],
  ])('%s', (sql, write) => expect(write()).toBe(sql));

  test('as texts, which compare their case', () => {
    const [start, end] = MYSQL.jsonText(documentValue).split(/(?<=CONVERT\().*(?= USING)/);
    expect(start).toBe(`${isNumber}CONVERT(`);
    expect(end).toBe(
      ' USING utf8mb4) COLLATE utf8mb4_bin ' +
        `WHEN JSON_TYPE(${found}) NOT IN ('OBJECT', 'ARRAY', 'NULL') THEN JSON_UNQUOTE(${found}) END`,
    );
  });
});

describe('groups', () => {
  test.each<Case>([
    [bytes('a'), () => aggregates.key('a', of('text'), stored('varchar'))],
    ['a', () => aggregates.key('a', of('integer'), stored('int'))],
    ...(
      [
        ['day', "DATE_FORMAT(a, '%Y-%m-%d')"],
        ['week', "DATE_FORMAT(a - INTERVAL WEEKDAY(a) DAY, '%Y-%m-%d')"],
        ['month', "DATE_FORMAT(a, '%Y-%m')"],
        ['quarter', "CONCAT(DATE_FORMAT(a, '%Y-Q'), QUARTER(a))"],
        ['year', "DATE_FORMAT(a, '%Y')"],
      ] as const
    ).map(([unit, sql]): Case => [sql, () => aggregates.period('a', unit, of('date'), stored('date'))]),
    ['a', () => aggregates.digits('a')],
    ['(a + 0e0)', () => aggregates.double('a')],
    ['(a + 0e0)', () => aggregates.placedDouble('a')],
    [undefined, () => aggregates.unknownZone(stored('datetime'))],
    [
      'whose values are stored in the time zone of the connection, which is not UTC: give the data source ' +
        "the option timezone: 'Z'",
      () => aggregates.unknownZone(stored('datetime', { server: { ...SERVER, isUtc: false } })),
    ],
    ['SUM(a)', () => totals.sum('a', of('decimal'))],
    ['(a + 0e0)', () => totals.double('a')],
    ['CAST(a AS CHAR)', () => totals.selected('a')],
    ['CAST(a AS DECIMAL(65, 30))', () => totals.placed('a')],
  ])('%s', (sql, write) => expect(write()).toBe(sql));

  test.each([
    [2, of('decimal', { precision: 10, scale: 2 })],
    [0, of('bigint')],
    [0, of('decimal')],
  ])('an average of values of %d digits has six more', (scale, column) => {
    const units = `CAST(REPLACE(CAST(CAST(ABS(s) AS DECIMAL(65, ${scale})) AS CHAR), '.', '') AS DECIMAL(65, 0))`;
    const twice = `(${units} * 2000000 + n)`;
    const whole = `CAST((${twice} - ${twice} MOD (2 * n)) / (2 * n) AS DECIMAL(65, 0))`;
    const padded = `CONCAT('000000${'0'.repeat(scale)}', ${whole})`;
    expect(totals.average('s', 'n', column)).toBe(
      `CAST(CONCAT(IF(s < 0, '-', ''), INSERT(${padded}, CHAR_LENGTH(${padded}) - ${scale + 5}, 0, '.')) ` +
        `AS DECIMAL(65, ${scale + 6}))`,
    );
  });

  test.each([
    [undefined, of('decimal'), true],
    [undefined, of('bigint', { precision: 65 }), false],
    ['1e65', of('decimal', { precision: 41 }), false],
    ['1e28', of('decimal', { precision: 65, scale: 30 }), true],
  ])('totals are sure to be right below %s', (beyond, column, isAverage) => {
    const size = beyond && { part: 'COUNT(a) * MAX(ABS(a) + 0e0)', beyond };
    expect(totals.size!('a', column, isAverage)).toEqual(size);
  });
});

describe('sort values', () => {
  test.each<Case>([
    ['a', () => sortValues.selected('a', of('text'), stored('enum'))],
    ['CAST((a + 0e0) AS CHAR(32))', () => sortValues.selected('a', of('float'), stored('float'))],
    ['CAST((a + 0) AS CHAR)', () => sortValues.selected('a', of('enum'), stored('enum'))],
    ['CAST(a AS CHAR)', () => sortValues.selected('a', of('decimal'), stored('decimal'))],
    ['(a + 0)', () => sortValues.compared('a', of('enum'), stored('enum'))],
    ['(a + 0e0)', () => sortValues.placed('a', of('float'), stored('float'))],
    ['CAST(a AS DECIMAL(65))', () => sortValues.placed('a', of('bigint'), stored('bigint'))],
    ['CAST(a AS DECIMAL(65, 2))', () => sortValues.placed('a', of('decimal', { scale: 2 }), stored('decimal'))],
    ['CAST(a AS DECIMAL(65, 30))', () => sortValues.placed('a', of('decimal', { assumed: true }), stored('decimal'))],
  ])('are written as %s', (sql, write) => expect(write()).toBe(sql));

  test.each<[kind: ColumnKind, text: string, bound: unknown]>([
    ['enum', '12345', 12345],
    ['enum', '123456', '123456'],
    ['enum', '1a', '1a'],
    ['integer', '-12', -12],
    ['integer', '1.5', undefined],
    ['bigint', '1a', undefined],
    ['text', 'a\0', undefined],
  ])('of a column of kind %s, %j is bound as %j', (kind, text, bound) => {
    expect(sortValues.bound(text, of(kind))).toBe(bound);
  });
});

describe('columns that a value would change', () => {
  const cast = (type: string) => `NOT (a <=> CAST(v AS ${type}))`;
  const compared = (one: string, other: string) => `NOT (${bytes(one)} <=> ${bytes(other)})`;
  const exact = compared('a', 'v');
  const padded = compared('a', "TRIM(TRAILING ' ' FROM v)");

  test.each<[types: readonly string[], more: object, sql: string | undefined]>([
    [['tinyint', 'smallint', 'mediumint', 'int', 'integer', 'bigint', 'bool', 'boolean'], {}, cast('SIGNED')],
    [['int'], { isUnsigned: true }, cast('UNSIGNED')],
    [['int'], { isAssumed: true, isUnsigned: true }, cast('DECIMAL(65, 30)')],
    [['decimal', 'dec', 'numeric', 'fixed'], {}, cast('DECIMAL(10, 0)')],
    [['decimal'], { precision: 8, scale: 2 }, cast('DECIMAL(8, 2)')],
    [['date'], { precision: 3 }, cast('DATE')],
    [['time'], { precision: 3 }, cast('TIME(3)')],
    [['datetime', 'timestamp'], { precision: 6 }, cast('DATETIME(6)')],
    [['varchar', 'nvarchar', 'national varchar', 'text', 'tinytext', 'mediumtext', 'longtext'], {}, exact],
    [['enum', 'set'], {}, exact],
    [['char', 'nchar', 'national char'], {}, padded],
    [['json'], {}, compared("JSON_EXTRACT(a, '$')", "JSON_EXTRACT(v, '$')")],
    [['point', 'multilinestring', 'geometrycollection', 'vector'], {}, undefined],
    [['double', 'blob'], {}, 'NOT (a <=> v)'],
  ])('%j with %j', (types, more, sql) => {
    const written = types.map((type) => MYSQL.differs(stored(type, more), { name: 'a', value: 'v' }));
    expect(written).toStrictEqual(types.map(() => sql));
  });
});

test('values as they are bound, and compared exactly', () => {
  const moment = new Date(0);
  expect([MYSQL.bound(moment), MYSQL.exact('a'), sortValues.printSelected(1)]).toEqual([moment, bytes('a'), '1']);
});
