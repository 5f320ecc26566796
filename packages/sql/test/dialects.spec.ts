/** What is written for SQLite and PostgreSQL, without a server; numbers are SQLite's own. */
import { describe, expect, test } from '@jest/globals';
import { POSTGRES, SQLITE, withoutTransaction } from '@nestwright/sql';
import { printTotal } from '../src/dialect/shared.js';
import { openBareDatabase } from './bare-database.js';
import { type Case, documentValue, of, SERVER, stored } from './dialect-columns.js';

const compared = { name: 'a', value: 'v' };
const BYTES = 'bytea blob tinyblob mediumblob longblob binary varbinary'.split(' ').map((type) => [type, 'bytes']);
const DAY = [of('date'), stored('date')] as const;
const MOMENT = [of('datetime'), stored('datetime')] as const;
const ZONED = [of('datetime'), stored('timestamptz')] as const;
const TEXT = [of('text'), stored('text')] as const;
const GEOMETRY = stored('geometry', { srid: 4326 });
const PLAIN_DOCUMENT = { ...documentValue, storedColumn: stored('text'), keys: ['a'] };

describe('PostgreSQL', () => {
  const { aggregates, totals, sortValues } = POSTGRES;
  const document = 'doc -> <a>::text';
  const average = (digits: number) =>
    `(sign(s::numeric) * div(abs(s::numeric) * 2${'0'.repeat(digits)} + n, 2 * n::numeric) * 0.${'0'.repeat(digits - 1)}1)`;

  test.each<Case>([
    ["a LIKE b ESCAPE '!'", () => POSTGRES.like('a', 'b')],
    ['a || b', () => POSTGRES.concat('a', 'b')],
    ['!%!_!!a%', () => POSTGRES.pattern('%_!a', 'starts')],
    ["b::text = ANY(string_to_array(a, ','))", () => POSTGRES.listHas('a', 'b')],
    [' FOR SHARE OF a', () => POSTGRES.shareLock('a')],
    ['', () => POSTGRES.page(undefined, undefined)],
    [' LIMIT a', () => POSTGRES.page('a', undefined)],
    [' OFFSET b', () => POSTGRES.page(undefined, 'b')],
    ['a', () => POSTGRES.exact('a')],
    ['a::text', () => POSTGRES.exact('a', stored('citext'))],
    ['a::text', () => POSTGRES.writeText('a', of('decimal'))],
    ['a::text', () => POSTGRES.writeText('a', of('integer', { transformed: true }))],
    ['a', () => POSTGRES.typed('a', of('bigint'))],
    ['a', () => POSTGRES.stored('a', stored('text', { srid: 1 }))],
    ['ST_GeomFromGeoJSON(a)::geography', () => POSTGRES.stored('a', stored('geography'))],
    ['ST_SetSRID(ST_GeomFromGeoJSON(a), 4326)::geometry', () => POSTGRES.stored('a', GEOMETRY)],
    ['a', () => POSTGRES.selected('a', stored('text'))],
    ['ST_AsGeoJSON(a)::json', () => POSTGRES.selected('a', stored('geometry'))],
    ['CAST(a AS text)', () => POSTGRES.distinctText('a', stored('int'))],
    [
      "CASE WHEN jsonb_typeof(doc::jsonb -> <a>::text) = 'number' THEN (doc::jsonb ->> <a>::text)::numeric END",
      () => POSTGRES.jsonNumber(PLAIN_DOCUMENT),
    ],
    [
      `CASE WHEN jsonb_typeof(${document} -> <b">::text) = 'boolean' THEN (${document} ->> <b">::text)::boolean END`,
      () => POSTGRES.jsonBoolean(documentValue),
    ],
    [true, () => POSTGRES.jsonBooleanValue(true)],
    [`(${document} ->> <b">::text)`, () => POSTGRES.jsonPresence(documentValue)],
    ['a::text', () => aggregates.key('a', of('text'), stored('citext'))],
    ['a', () => aggregates.key('a', of('text'), stored('varchar'))],
    ["to_char((a AT TIME ZONE 'UTC'), 'YYYY-MM-DD')", () => aggregates.period('a', 'day', ...ZONED)],
    ["to_char(date_trunc('week', a::timestamp), 'YYYY-MM-DD')", () => aggregates.period('a', 'week', ...DAY)],
    ["to_char(a::timestamp, 'YYYY-MM')", () => aggregates.period('a', 'month', ...DAY)],
    [`to_char(a::timestamp, 'YYYY-"Q"Q')`, () => aggregates.period('a', 'quarter', ...DAY)],
    ["to_char(a::timestamp, 'YYYY')", () => aggregates.period('a', 'year', ...DAY)],
    ['a COLLATE "C"', () => aggregates.digits('a')],
    ['a::float8', () => aggregates.double('a')],
    ['a::text', () => aggregates.selectedDouble('a')],
    ['a::float8', () => aggregates.placedDouble('a')],
    [undefined, () => aggregates.unknownZone(stored('timestamp with time zone'))],
    [
      'whose values are stored without an offset, in whatever time zone the process has: give the column the type timestamptz',
      () => aggregates.unknownZone(stored('timestamp without time zone')),
    ],
    ['SUM(a)', () => totals.sum('a', of('bigint'))],
    ['a::numeric', () => totals.total('a', of('bigint'))],
    [average(6), () => totals.average('s', 'n', of('bigint'))],
    [average(8), () => totals.average('s', 'n', of('decimal', { scale: 2 }))],
    [average(22), () => totals.average('s', 'n', of('decimal'))],
    ['a::float8', () => totals.double('a')],
    ['(a)::text', () => totals.selected('a')],
    ['a::numeric', () => totals.placed('a')],
    ["(to_json(a) #>> '{}')", () => sortValues.selected('a', ...ZONED)],
    ["(to_json(a) #>> '{}')", () => sortValues.selected('a', ...DAY)],
    ["(to_json(a) #>> '{}')", () => sortValues.selected('a', of('time'), stored('time'))],
    ['a::text', () => sortValues.selected('a', ...TEXT)],
    ['1', () => sortValues.printSelected(1)],
    ['a', () => sortValues.compared('a', ...TEXT)],
    ['a', () => sortValues.placed('a', ...TEXT)],
  ])('%s', (sql, write) => expect(write()).toBe(sql));

  const asTexts = 'CAST(a AS text) IS DISTINCT FROM CAST(CAST(v AS x) AS text)';
  const asIs = (type: string) => `IS DISTINCT FROM CAST(v AS ${type})`;
  const THIRDS = { precision: 3, fullType: 'x(3)' };

  test.each<[types: readonly string[], more: object, sql: string | undefined]>([
    [['integer', 'varchar', 'timestamp', 'time with time zone'], {}, 'a IS DISTINCT FROM v'],
    [['varchar'], { collation: 'de' }, 'a COLLATE "C" IS DISTINCT FROM v'],
    [['numeric', 'decimal', 'timestamp', 'time', 'timestamptz', 'timetz'], THIRDS, `a ${asIs('x(3)')}`],
    [['timestamp with time zone', 'time without time zone'], { precision: 0, fullType: 'x' }, `a ${asIs('x')}`],
    [['timestamps', 'atime'], { precision: 3 }, 'a IS DISTINCT FROM v'],
    [['numeric', 'decimal', 'json', 'jsonpath', 'xml', 'citext', 'interval'], { fullType: 'x' }, asTexts],
    [['point', 'line', 'lseg', 'box', 'path', 'polygon', 'circle'], { fullType: 'x' }, asTexts],
    [['geometry', 'geography'], {}, undefined],
  ])('%j with %j: a value would change the column if %s', (types, more, sql) => {
    expect(types.map((type) => POSTGRES.differs(stored(type, more), compared))).toStrictEqual(types.map(() => sql));
  });

  test('the abilities that it is said to have', () => {
    expect([...POSTGRES.forms]).toEqual([
      ...BYTES,
      ...['point', 'circle', 'interval'].map((type) => [type, type]),
      ...Object.entries({ hstore: 'pairs', ltree: 'text' }),
      ...['cube', 'vector', 'halfvec'].map((type) => [type, 'numbers']),
      ...['geometry', 'geography'].map((type) => [type, 'geojson']),
    ]);
    expect(POSTGRES).toMatchObject({
      ...{ name: 'postgres', sharedConnection: false, wideInteger: false, listParameter: true, listLimit: Infinity },
      ...{ parameterLimit: 65_535, namesAutoIncrement: false, namesGenerated: true, hasDefaultKeyword: true },
      ...{ textMoments: false, looseText: false, varcharLength: 0, sortValues: { nullsLast: true } },
    });
    const moment = new Date(0);
    expect([POSTGRES.timeLimits(1, SERVER), POSTGRES.now(stored('timestamptz'))]).toStrictEqual([undefined, undefined]);
    expect([POSTGRES.bound(moment), POSTGRES.binds({}), POSTGRES.jsonDepth(SERVER)]).toEqual([moment, true, 1000]);
  });
});

describe('SQLite', () => {
  const { aggregates, totals, sortValues } = SQLITE;
  const nocase = { collation: 'NOCASE' };
  const place = 'doc, <$."a">';
  const quarter = "((CAST(strftime('%m', a) AS INTEGER) + 2) / 3)";
  const asText = (type: string): Case => ['CAST(a AS TEXT)', () => SQLITE.selected('a', stored(type))];
  const step = (of: string) =>
    `(SELECT json_step1.${of} FROM json_each(doc) AS json_step0, json_each(CASE json_step0.type WHEN 'object' THEN json_step0.value END) AS json_step1 ` +
    'WHERE json_step0.key = <a> AND json_step1.key = <b"> LIMIT 1)';
  const number = (type: string, value: string) =>
    `CASE ${type} WHEN 'integer' THEN ${value} WHEN 'real' THEN ${value} END`;

  test.each<Case>([
    ['a GLOB b', () => SQLITE.like('a', 'b')],
    ['a || b', () => SQLITE.concat('a', 'b')],
    ['[*][?][[]a]*', () => SQLITE.pattern('*?[a]', 'starts')],
    ['*a', () => SQLITE.pattern('a', 'ends')],
    ["instr(',' || a || ',', ',' || b || ',') > 0", () => SQLITE.listHas('a', 'b')],
    ['', () => SQLITE.shareLock('a')],
    ['', () => SQLITE.page(undefined, undefined)],
    [' LIMIT -1 OFFSET b', () => SQLITE.page(undefined, 'b')],
    ['a', () => SQLITE.exact('a')],
    ['a', () => SQLITE.exact('a', stored('text'))],
    ['a COLLATE BINARY', () => SQLITE.exact('a', stored('text', nocase))],
    ["strftime('%Y-%m-%d %H:%M:%f', 'now')", () => SQLITE.now(stored('datetime'))],
    [undefined, () => SQLITE.now(stored('date'))],
    ['1970-01-01 00:00:00.000', () => SQLITE.bound(new Date(0))],
    [1, () => SQLITE.bound(true)],
    ['a', () => SQLITE.bound('a')],
    ['CAST(a AS TEXT)', () => SQLITE.writeText('a', of('integer'))],
    ['a', () => SQLITE.typed('a', of('bigint'))],
    ['a', () => SQLITE.stored('a', stored('json'))],
    ['jsonb(a)', () => SQLITE.stored('a', stored('jsonb'))],
    ['a', () => SQLITE.selected('a', stored('int'))],
    ...['bigint', 'int8', 'int64', 'unsigned big int'].map(asText),
    ["CASE typeof(a) WHEN 'text' THEN a ELSE quote(a) END", () => SQLITE.distinctText('a', stored('int'))],
    [number(`json_type(${place})`, `json_extract(${place})`), () => SQLITE.jsonNumber(PLAIN_DOCUMENT)],
    [`CASE ${step('type')} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`, () => SQLITE.jsonBoolean(documentValue)],
    [number(step('type'), step('value')), () => SQLITE.jsonNumber(documentValue)],
    [0, () => SQLITE.jsonBooleanValue(false)],
    [`NULLIF(json_type(${place}), 'null')`, () => SQLITE.jsonPresence(PLAIN_DOCUMENT)],
    ["(CASE WHEN a LIKE '%.000' THEN substr(a, 1, length(a) - 4) ELSE a END)", () => aggregates.key('a', ...MOMENT)],
    ['a COLLATE BINARY', () => aggregates.key('a', of('text'), stored('text', nocase))],
    ['a', () => aggregates.key('a', ...TEXT)],
    ['a', () => aggregates.key('a', of('integer'), stored('int', nocase))],
    ["strftime('%Y-%m-%d', a)", () => aggregates.period('a', 'day', ...DAY)],
    ["date(a, 'weekday 0', '-6 days')", () => aggregates.period('a', 'week', ...DAY)],
    ["strftime('%Y-%m', a)", () => aggregates.period('a', 'month', ...DAY)],
    [`(strftime('%Y', a) || '-Q' || ${quarter})`, () => aggregates.period('a', 'quarter', ...DAY)],
    ["strftime('%Y', a)", () => aggregates.period('a', 'year', ...DAY)],
    ['a', () => aggregates.digits('a')],
    ['CAST(a AS REAL)', () => aggregates.double('a')],
    ['a', () => aggregates.selectedDouble('a')],
    ['a', () => aggregates.placedDouble('a')],
    [undefined, () => aggregates.unknownZone(stored('datetime'))],
    ['SUM(a)', () => totals.sum('a', of('decimal'))],
    ['SUM(CAST(a AS INTEGER))', () => totals.sum('a', of('bigint'))],
    ['SUM(a)', () => totals.sum('a', of('integer', { declared: of('decimal') }))],
    ['a', () => totals.total('a', of('bigint'))],
    ['a', () => totals.total('a', of('decimal'))],
    ['ROUND(a, 2)', () => totals.total('a', of('decimal', { scale: 2 }))],
    ['ROUND(a, 0)', () => totals.total('a', of('decimal', { precision: 5 }))],
    ['ROUND(CAST(s AS REAL) / n, 8)', () => totals.average('s', 'n', of('decimal', { scale: 2 }))],
    ['ROUND(CAST(s AS REAL) / n, 6)', () => totals.average('s', 'n', of('bigint'))],
    ['CAST(s AS REAL) / n', () => totals.average('s', 'n', of('decimal'))],
    ["CASE typeof(a) WHEN 'integer' THEN CAST(a AS TEXT) ELSE a END", () => totals.selected('a')],
    ['CAST(a AS NUMERIC)', () => totals.placed('a')],
    [
      "CASE typeof(a) WHEN 'integer' THEN 'i' || a WHEN 'text' THEN 't' || a ELSE a END",
      () => sortValues.selected('a', ...TEXT),
    ],
    ['a', () => sortValues.compared('a', ...TEXT)],
    ['a', () => sortValues.placed('a', ...TEXT)],
    ['a IS NOT v', () => SQLITE.differs(stored('text'), compared)],
    ['a COLLATE BINARY IS NOT v', () => SQLITE.differs(stored('text', nocase), compared)],
    ['a IS NOT jsonb(v)', () => SQLITE.differs(stored('jsonb'), compared)],
  ])('%s', (sql, write) => expect(write()).toBe(sql));

  test('the abilities that it is said to have', () => {
    expect([...SQLITE.forms]).toEqual(BYTES);
    expect(SQLITE).toMatchObject({
      ...{ name: 'sqlite', sharedConnection: true, wideInteger: true, listParameter: false, listLimit: 4096 },
      ...{ parameterLimit: 32_766, namesAutoIncrement: true, namesGenerated: false, hasDefaultKeyword: false },
      ...{ textMoments: true, looseText: false, varcharLength: 0, sortValues: { nullsLast: false } },
    });
    expect([SQLITE.timeLimits(1, SERVER), SQLITE.jsonDepth(SERVER)]).toStrictEqual([undefined, 1000]);
    expect([null, new Date(0), Buffer.from(''), {}, []].map(SQLITE.binds)).toEqual([true, true, true, false, false]);
  });

  test('numbers are written as JSON writes them', async () => {
    const large = [100, 1e20, 123456789012345680000, 1e21, -1.25e22];
    const numbers = [0, -0.1, 1.5, ...large, 1e-6, 1.5e-7, 1e-300, 0.1 + 0.2, 1 / 3];
    const database = await openBareDatabase();
    const written = await withoutTransaction(database, (connection) =>
      connection.select(
        `SELECT ${SQLITE.writeText('n.value', of('float'))} AS number, ` +
          `${SQLITE.jsonText({ ...PLAIN_DOCUMENT, column: `'{"a":' || n.value || '}'`, constant: () => `'$.a'` })} AS inner ` +
          'FROM json_each(?) n',
        [JSON.stringify(numbers)],
      ),
    );
    database.end();
    expect(written).toEqual(numbers.map((number) => ({ number: String(number), inner: String(number) })));
  });
});

test.each<[selected: string, column: Parameters<typeof of>, isAverage: boolean, printed: string]>([
  ['5', ['bigint'], false, '5'],
  ['5.000', ['bigint'], false, '5'],
  ['5', ['bigint'], true, '5.000000'],
  ['-1.5', ['decimal', { scale: 2 }], false, '-1.50'],
  ['12', ['decimal', { scale: 1 }], false, '12.0'],
  ['1.5', ['decimal', { scale: 2 }], true, '1.50000000'],
  ['1.5e-7', ['decimal', { scale: 2 }], true, '0.00000015'],
  ['1.5e-7', ['decimal', { precision: 5 }], true, '0.000000'],
  ['1.5', ['decimal'], true, '1.5'],
  ['1.5e-7', ['decimal'], false, '1.5e-7'],
  ['1e+21', ['decimal', { scale: 2 }], false, '1e+21'],
  ['x1.5', ['decimal', { scale: 2 }], false, 'x1.5'],
  ['NaN', ['decimal', { scale: 2 }], true, 'NaN'],
])('of a total %s of a column %j, average %s, %s is printed', (selected, column, isAverage, printed) => {
  expect(printTotal(selected, of(...column), isAverage)).toBe(printed);
});
