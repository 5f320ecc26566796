/** What is written for SQLite and PostgreSQL, without a server, and bound for the texts of cursors; numbers are SQLite's own. */
import { describe, expect, test } from '@jest/globals';
import type { ColumnKind } from '@nestwright/crud/adapter';
import { MYSQL, POSTGRES, SQLITE, withoutTransaction } from '@nestwright/sql';
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

/** Functions that leave a text as it is. */
type Left = readonly ((text: string, ...others: never[]) => unknown)[];

describe('PostgreSQL', () => {
  const { aggregates, totals, sortValues } = POSTGRES;
  const document = 'doc -> <a>::text';
  const average = (digits: number) =>
    `(sign(s::numeric) * div(abs(s::numeric) * 2${'0'.repeat(digits)} + n, 2 * n::numeric) * 0.${'0'.repeat(digits - 1)}1)`;

  test.each<Case>([
    ['!%!_!!a%', () => POSTGRES.pattern('%_!a', 'starts')],
    ["b::text = ANY(string_to_array(a, ','))", () => POSTGRES.listHas('a', 'b')],
    [' FOR SHARE OF a', () => POSTGRES.shareLock('a')],
    [' OFFSET b', () => POSTGRES.page(undefined, 'b')],
    ['a::text', () => POSTGRES.exact('a', stored('citext'))],
    ['a::text', () => POSTGRES.writeText('a', of('decimal'))],
    ['a::text', () => POSTGRES.writeText('a', of('integer', { transformed: true }))],
    ['a', () => POSTGRES.stored('a', stored('text', { srid: 1 }))],
    ['ST_GeomFromGeoJSON(a)::geography', () => POSTGRES.stored('a', stored('geography'))],
    ['ST_SetSRID(ST_GeomFromGeoJSON(a), 4326)::geometry', () => POSTGRES.stored('a', GEOMETRY)],
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
    [`(${document} ->> <b">::text)`, () => POSTGRES.jsonPresence(documentValue)],
    ['a::text', () => aggregates.key('a', of('text'), stored('citext'))],
    ["to_char((a AT TIME ZONE 'UTC'), 'YYYY-MM-DD')", () => aggregates.period('a', 'day', ...ZONED)],
    ["to_char(date_trunc('week', a::timestamp), 'YYYY-MM-DD')", () => aggregates.period('a', 'week', ...DAY)],
    [undefined, () => aggregates.unknownZone(stored('timestamp with time zone'))],
    [
      'whose values are stored without an offset, in whatever time zone the process has: give the column the type timestamptz',
      () => aggregates.unknownZone(stored('timestamp without time zone')),
    ],
    ['a::numeric', () => totals.total('a', of('bigint'))],
    [average(6), () => totals.average('s', 'n', of('bigint'))],
    [average(8), () => totals.average('s', 'n', of('decimal', { scale: 2 }))],
    [average(22), () => totals.average('s', 'n', of('decimal'))],
    ["(to_json(a) #>> '{}')", () => sortValues.selected('a', of('time'), stored('time'))],
  ])('%s', (sql, write) => expect(write()).toBe(sql));

  test('values that need no conversion are left as they are', () => {
    const { printSelected, compared, placed } = sortValues;
    const left: Left = [POSTGRES.typed, POSTGRES.bound, printSelected, compared, placed];
    expect(left.map((write) => write('a'))).toEqual(left.map(() => 'a'));
  });

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
    const moment = new Date(0);
    expect([POSTGRES.timeLimits(1, SERVER), POSTGRES.now(stored('timestamptz'))]).toStrictEqual([undefined, undefined]);
    expect([POSTGRES.bound(moment), POSTGRES.binds({}), POSTGRES.jsonDepth(SERVER)]).toEqual([moment, true, 1000]);
  });
});

describe('SQLite', () => {
  const { aggregates, totals, sortValues } = SQLITE;
  const nocase = { collation: 'NOCASE' };
  const place = 'doc, <$."a">';
  const marked = "WHEN 'integer' THEN 'i' || a WHEN 'text' THEN 't' || a";
  const quarter = "((CAST(strftime('%m', a) AS INTEGER) + 2) / 3)";
  const asText = (type: string): Case => ['CAST(a AS TEXT)', () => SQLITE.selected('a', stored(type))];
  const step = (of: string) =>
    `(SELECT json_step1.${of} FROM json_each(doc) AS json_step0, json_each(CASE json_step0.type WHEN 'object' THEN json_step0.value END) AS json_step1 ` +
    'WHERE json_step0.key = <a> AND json_step1.key = <b"> LIMIT 1)';
  const number = (type: string, value: string) =>
    `CASE ${type} WHEN 'integer' THEN ${value} WHEN 'real' THEN ${value} END`;

  test.each<Case>([
    ['[*][?][[]a]*', () => SQLITE.pattern('*?[a]', 'starts')],
    ["instr(',' || a || ',', ',' || b || ',') > 0", () => SQLITE.listHas('a', 'b')],
    [' LIMIT -1 OFFSET b', () => SQLITE.page(undefined, 'b')],
    ['a COLLATE BINARY', () => SQLITE.exact('a', stored('text', nocase))],
    ["strftime('%Y-%m-%d %H:%M:%f', 'now')", () => SQLITE.now(stored('datetime'))],
    [undefined, () => SQLITE.now(stored('date'))],
    ['1970-01-01 00:00:00.000', () => SQLITE.bound(new Date(0))],
    ['CAST(a AS TEXT)', () => SQLITE.writeText('a', of('integer'))],
    ['jsonb(a)', () => SQLITE.stored('a', stored('jsonb'))],
    ...['bigint', 'int8', 'unsigned big int'].map(asText),
    ["CASE typeof(a) WHEN 'text' THEN a ELSE quote(a) END", () => SQLITE.distinctText('a', stored('int'))],
    [number(`json_type(${place})`, `json_extract(${place})`), () => SQLITE.jsonNumber(PLAIN_DOCUMENT)],
    [`CASE ${step('type')} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`, () => SQLITE.jsonBoolean(documentValue)],
    [number(step('type'), step('value')), () => SQLITE.jsonNumber(documentValue)],
    [`NULLIF(json_type(${place}), 'null')`, () => SQLITE.jsonPresence(PLAIN_DOCUMENT)],
    ["(CASE WHEN a LIKE '%.000' THEN substr(a, 1, length(a) - 4) ELSE a END)", () => aggregates.key('a', ...MOMENT)],
    ['a COLLATE BINARY', () => aggregates.key('a', of('text'), stored('text', nocase))],
    ['a', () => aggregates.key('a', of('integer'), stored('int', nocase))],
    ["date(a, 'weekday 0', '-6 days')", () => aggregates.period('a', 'week', ...DAY)],
    [`(strftime('%Y', a) || '-Q' || ${quarter})`, () => aggregates.period('a', 'quarter', ...DAY)],
    ['SUM(CAST(a AS INTEGER))', () => totals.sum('a', of('bigint'))],
    ['SUM(a)', () => totals.sum('a', of('integer', { declared: of('decimal') }))],
    ['a', () => totals.total('a', of('decimal'))],
    ['ROUND(a, 2)', () => totals.total('a', of('decimal', { scale: 2 }))],
    ['ROUND(a, 0)', () => totals.total('a', of('decimal', { precision: 5 }))],
    ['ROUND(CAST(s AS REAL) / n, 8)', () => totals.average('s', 'n', of('decimal', { scale: 2 }))],
    ['ROUND(CAST(s AS REAL) / n, 6)', () => totals.average('s', 'n', of('bigint'))],
    ['CAST(s AS REAL) / n', () => totals.average('s', 'n', of('decimal'))],
    [`CASE typeof(a) ${marked} ELSE a END`, () => sortValues.selected('a', ...TEXT)],
    ['a IS NOT v', () => SQLITE.differs(stored('text'), compared)],
    ['a COLLATE BINARY IS NOT v', () => SQLITE.differs(stored('text', nocase), compared)],
    ['a IS NOT jsonb(v)', () => SQLITE.differs(stored('jsonb'), compared)],
  ])('%s', (sql, write) => expect(write()).toBe(sql));

  test('values that need no conversion are left as they are', () => {
    const { digits, selectedDouble, placedDouble } = aggregates;
    const left: Left = [digits, selectedDouble, placedDouble, SQLITE.typed, sortValues.compared, sortValues.placed];
    expect(left.map((write) => write('a'))).toEqual(left.map(() => 'a'));
  });

  test('the abilities that it is said to have', () => {
    expect([...SQLITE.forms]).toEqual(BYTES);
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

test.each([
  [['listParameter', 'namesGenerated', 'hasDefaultKeyword'], [Infinity, 65_535, 0, true], POSTGRES],
  [['sharedConnection', 'wideInteger', 'namesAutoIncrement', 'textMoments'], [4096, 32_766, 0, false], SQLITE],
  [['namesAutoIncrement', 'namesGenerated', 'hasDefaultKeyword', 'looseText'], [8192, Infinity, 255, false], MYSQL],
])('a database is said to have %j, with the limits %j', (abilities, limits, dialect) => {
  const { listLimit, parameterLimit, varcharLength, sortValues, ...others } = dialect;
  expect(Object.entries(others).flatMap(([name, is]) => (is === true ? [name] : []))).toEqual(abilities);
  expect([listLimit, parameterLimit, varcharLength, sortValues.nullsLast]).toEqual(limits);
});

test.each<[selected: string, column: Parameters<typeof of>, isAverage: boolean, printed: string]>([
  ['5.000', ['bigint'], false, '5'],
  ['5', ['bigint'], true, '5.000000'],
  ['12', ['decimal', { scale: 1 }], false, '12.0'],
  ['1.5e-7', ['decimal', { scale: 2 }], true, '0.00000015'],
  ['1.5e-7', ['decimal', { precision: 5 }], true, '0.000000'],
  ['1.5', ['decimal'], true, '1.5'],
  ['1.5e-7', ['decimal'], false, '1.5e-7'],
  ['x1.5', ['decimal', { scale: 2 }], false, 'x1.5'],
  ['NaN', ['decimal', { scale: 2 }], true, 'NaN'],
])('of a total %s of a column %j, average %s, %s is printed', (selected, column, isAverage, printed) => {
  expect(printTotal(selected, of(...column), isAverage)).toBe(printed);
});

const DAYS = ['2026-01-01', '99991231', '-infinity', 'infinity'];
const TIMES = ['10:00', '10:00:00.123456', '-10:00:00', '10:00:00+02', '10:00:00-02:30'];
const MOMENTS = ['2026-01-01 10:00', '2026-01-01T10:00:00.123+00:00', '0044-03-15 10:00:00+00 BC', '-infinity'];

test.each<[kind: ColumnKind, valid: readonly string[], invalid: readonly string[]]>([
  ['integer', ['0', '-12', '9'.repeat(20)], ['', '-', '1.5', '1a', 'a1', '9'.repeat(21)]],
  ['decimal', ['0', '-12.25', '12', 'NaN', 'Infinity', '-Infinity'], ['', '1.', '.5', '1e5', 'aNaN', 'NaNa', '1.5a']],
  ['float', ['-1.25', '1e5', '12.5e+10', '1e-10', 'NaN', '-Infinity'], ['', '1.', '1e', '.5', 'a1', '1a', 'xNaN']],
  ['boolean', ['true', 'false', '0', '1'], ['', '2', 'atrue', 'truea', '10']],
  ['date', [...DAYS, '0044-03-15 BC'], ['', '2026-01', 'a2026-01-01', '2026-01-01a', 'xinfinity', 'infinityx']],
  ['time', TIMES, ['', '10:0', 'a10:00', '10:00a', '10:00+', '10:00+a']],
  ['datetime', MOMENTS, ['', '2026-01-01', '2026-1 10:00', 'a2026-01-01 10:00', '2026-01-01 10:00 AD', 'infinityx']],
  ['text', ['', 'a'], ['a\0']],
])('PostgreSQL binds texts of kind %s that may be values: %j, and no others: %j', (kind, valid, invalid) => {
  const bind = (text: string) => POSTGRES.sortValues.bound(text, of(kind));
  expect(valid.map(bind)).toStrictEqual(valid);
  expect(invalid.map(bind)).toStrictEqual(invalid.map(() => undefined));
});

test.each<[text: string, bound: unknown]>([
  ['i12', 12],
  ['i9007199254740993', '9007199254740993'],
  ...[-12.25, 1.5e300, 12.5e-10, Infinity, -Infinity].map((number): [string, number] => [`r${number}`, number]),
  ['tab', 'ab'],
  ['b00ff', Buffer.from([0, 255])],
])('SQLite binds for %j: %j', (text, bound) => {
  expect(SQLITE.sortValues.bound(text, of('text'))).toStrictEqual(bound);
});

test('SQLite binds nothing for texts that are no values', () => {
  const others = ['rInfinitya', 'raInfinity', 'r1a', 'ra1', 'b0', 'b00g0', 'bg0', 'x1'];
  const texts = [`i${'9'.repeat(20)}`, 'ia1', 'i1a', 'i', ...others];
  const bound = texts.map((text) => SQLITE.sortValues.bound(text, of('text')));
  expect(bound).toStrictEqual(texts.map(() => undefined));
});

test('a value to sort by is printed for SQLite with its type before its text', () => {
  const selected = ['i12', 1.5, Uint8Array.of(0, 255), 'ta', null];
  expect(selected.map(SQLITE.sortValues.printSelected)).toEqual(['i12', 'r1.5', 'b00ff', 'ta', 'null']);
});
