/** Raw values → typed values, for every kind of column, and stored ones for each form; what no column of the kind or form can hold is refused. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CatalogColumn, ColumnForm, ColumnKind } from '../../src/plan/catalog.js';
import { readForm } from '../../src/plan/column-forms.js';
import { printDecimal, readDecimal } from '../../src/plan/numbers-and-dates.js';
import { Refusal } from '../../src/plan/refusal.js';
import { readValue, typedValue } from '../../src/plan/values.js';
import { column } from './catalogs.js';
import { refusalOf } from './plans.js';

const int32 = column('age', 'integer', { range: [-2147483648n, 2147483647n] });
const tiny = column('flag', 'integer', { range: [0n, 255n] });
const money = column('balance', 'decimal', { precision: 12, scale: 2 });
const role = column('role', 'enum', { members: ['admin', 'member', 3] });
const of = (kind: ColumnKind) => column(kind, kind);
const zoned = column('time', 'time', { zoned: true });

test.each<[CatalogColumn, raw: unknown[], typed: unknown[]]>([
  [of('text'), ['abc ', '', 5, 1e21, true, 12n], ['abc ', '', '5', '1e+21', 'true', '12']],
  [int32, ['42', -42, '007', '-0', '2147483647'], [42, -42, 7, 0, 2147483647]],
  [tiny, [true, false, 'false', '7'], [1, 0, 0, 7]],
  [of('integer'), ['9007199254740991'], [9007199254740991]],
  [of('bigint'), ['9223372036854775807', '-009', 5, 7n], ['9223372036854775807', '-9', '5', '7']],
  [money, ['12.50', '-0.5', '007.1', 12.5, 1e-7], ['12.50', '-0.5', '7.1', '12.5', '0.0000001']],
  [money, ['-0.00', '12e2', '9999999999.99'], ['0.00', '1200', '9999999999.99']],
  [money, ['5e-1', '-5E+1', '125e-12'], ['0.5', '-50', '0.000000000125']],
  [of('float'), ['1.5e3', 0.1], [1500, 0.1]],
  [of('boolean'), ['true', '1', 1, true], [true, true, true, true]],
  [of('boolean'), ['false', '0', 0, false], [false, false, false, false]],
  [of('uuid'), ['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'], ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']],
  [role, ['admin', '3', 3], ['admin', 3, 3]],
  [of('date'), ['2024-02-29', '2000-02-29', '2024-02-29T23:30:00-02:00'], ['2024-02-29', '2000-02-29', '2024-03-01']],
  [of('date'), [new Date('2024-05-06T07:08:09Z')], ['2024-05-06']],
  [of('time'), ['07:08', '07:08:09', '23:59:59.123456'], ['07:08:00', '07:08:09', '23:59:59.123456']],
  [zoned, ['07:08+2330', '07:08:09.5Z', '07:08'], ['07:08:00+2330', '07:08:09.5Z', '07:08:00']],
  [of('datetime'), ['2024-05-06', new Date(0)], [new Date('2024-05-06T00:00:00.000Z'), new Date(0)]],
  [of('datetime'), ['2024-05-06 07:08:09.1239'], [new Date('2024-05-06T07:08:09.123Z')]],
  [of('datetime'), ['2024-05-06T07:08:09+02:30'], [new Date('2024-05-06T04:38:09.000Z')]],
  [of('datetime'), ['0001-01-01', '9999-12-31'], [new Date('0001-01-01T00:00Z'), new Date('9999-12-31T00:00Z')]],
])('%j takes %p', (of, raw, typed) => expect(raw.map((value) => readValue(of, value))).toEqual(typed));

test.each<[CatalogColumn, ...raw: unknown[]]>([
  [of('text'), 'a\0b', {}, null, NaN, new Date(NaN)],
  [int32, 'abc', '', ' 1', '+1', '1.5', '1.0', '1e3', '0x10', 1.5, NaN, true, [1], '2147483648'],
  [tiny, '256', 'yes'],
  [of('integer'), '9007199254740992'],
  [of('bigint'), '9223372036854775808', 2 ** 53, '1.0'],
  [money, '10000000000', '.5', '5.', 'NaN', Infinity, '1e9999', 'x1', '1x', '1ex', '1e', '1x2', '--1'],
  [of('decimal'), '1e100'],
  [of('float'), 'Infinity', '-Infinity', 'NaN', '1e999', '١', '', ' 1', '0x10', true, null, [1]],
  [of('boolean'), 'yes', 2, 'TRUE'],
  [of('uuid'), 'a0eebc99', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', 'g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  [of('uuid'), 'a0eebc99-9c0b-4ef8-b-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1g'],
  [role, 'Admin', 'owner', 'constructor', ['admin']],
  [of('date'), '2023-02-29', '1900-02-29', '2024-04-31', '2024-01-32', '2024-01-00', '2024-13-01'],
  [of('date'), '2024-00-10', '0000-01-01', '06.05.2024', new Date(NaN)],
  [of('date'), 'abcd-02-28', '2024-ab-01', '2024-01-ab', 'x2024-01-01', '2024-01-01x'],
  [of('time'), '24:00:00', '7:08', '07:08+02', 'x07:08', '07:08x', 'ab:08', '07:ab', '07:08:ab', '07:08:09.'],
  [zoned, '07:08+25', '07:08+24', '07:08+02:60', '07:08 CET'],
  [of('datetime'), '2024-05-06T25:00:00Z', '2024-05-06T07:08:60Z', '2024-05-06T07:08:09+25:00'],
  [of('datetime'), '2024-05-06Tab:08', '2024-05-06T07:ab', '2024-05-06T07:08:09.', '2024-05-06T07:08+ab'],
  [of('datetime'), '9999-12-31T23:59:59-01:00', 1714979289000, 'yesterday'],
  [of('json'), '{}'],
  [of('array'), 'a'],
  [of('binary'), 'a'],
])('%j refuses %p', (of, ...raw) => {
  for (const value of raw) {
    expect([value, refusalOf(() => readValue(of, value))]).toEqual([
      value,
      expect.objectContaining({ statusCode: 400, code: 'CRUD_INVALID_VALUE', field: of.path }),
    ]);
  }
});

test('a number that has lost digits is told to be sent as text, another by its range or type', () => {
  const messages = [2 ** 53, 1.5, '9223372036854775808'].map((raw) => refusalOf(() => readValue(of('bigint'), raw)));
  expect(messages.map((refusal) => (refusal as { message: unknown }).message)).toEqual([
    'bigint must be sent as text to keep its digits',
    'bigint must be an integer',
    'bigint must be between -9223372036854775808 and 9223372036854775807',
  ]);
});

test('the message never repeats the value', () => {
  const kinds = 'integer bigint decimal float boolean uuid enum date time datetime json array binary'.split(' ');
  for (const kind of kinds)
    expect(JSON.stringify(refusalOf(() => readValue(of(kind as ColumnKind), "qx'z;x")))).not.toContain('qx');
});

test('any number is a float, and a decimal of the same value, which is printed with it', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const [decimal, read] = [typedValue(of('decimal'), number), readDecimal(number)];
      expect(typedValue(of('float'), JSON.stringify(number))).toBeCloseTo(number, 10);
      expect(decimal instanceof Refusal ? Math.abs(number) >= 1e65 : Number(decimal) === number).toBe(true);
      expect(read && Number(printDecimal(read))).toBe(number === 0 ? 0 : number);
    }),
  );
});

const ring = ['00', '10', '11', '00'].map((xy) => [...xy].map(Number));
const point = { type: 'Point', coordinates: [1, 2] };
const shape = (type: string, coordinates: unknown) => ({ type, coordinates });
const collection = (...geometries: object[]) => ({ type: 'GeometryCollection', geometries });
const nest = (depth: number): object => (depth === 0 ? point : collection(nest(depth - 1)));
const bytes = (...data: number[]) => ({ type: 'Buffer', data });
const NESTED = 'GEOMETRYCOLLECTION(POINT(1 2),MULTIPOLYGON(((0 0,1 0,1 1,0 0))))';

test.each<[ColumnForm, unknown, unknown]>([
  ['plain', true, true],
  ['bytes', bytes(0, 255), Buffer.from([0, 255])],
  ['bits', 0, 0],
  ['numbers', [1, -2.5], [1, -2.5]],
  ['point', { x: 1, y: -2.5 }, '(1,-2.5)'],
  ['circle', { x: 1, y: 2, radius: 3 }, '<(1,2),3>'],
  ['interval', { hours: 2, seconds: -1.5 }, '2 hours -1.5 seconds'],
  ['interval', {}, '0 seconds'],
  ['pairs', { a: 'x', b: null, c: 1 }, { a: 'x', b: null, c: 1 }],
  ['geojson', { ...point, role: 'admin' }, point],
  ['geojson', shape('Point', [1, 2, 3]), shape('Point', [1, 2, 3])],
  ['geojson', nest(16), nest(16)],
  ['wkt', point, 'POINT(1 2)'],
  ['wkt', shape('Polygon', [ring, ring]), 'POLYGON((0 0,1 0,1 1,0 0),(0 0,1 0,1 1,0 0))'],
  ['wkt', shape('MultiPolygon', [[ring]]), 'MULTIPOLYGON(((0 0,1 0,1 1,0 0)))'],
  ['wkt', ' point ( 1e2   -.5 ) ', 'POINT(100 -0.5)'],
  ['wkt', 'multipoint(1 2, 3 4)', 'MULTIPOINT(1 2,3 4)'],
  ['wkt', 'MultiLineString((0 0,1 1),(2 2,3 3))', 'MULTILINESTRING((0 0,1 1),(2 2,3 3))'],
  ['wkt', NESTED, NESTED],
])('%s takes %j', (form, raw, stored) => expect(readForm(form, raw)).toEqual(stored));

test.each<[ColumnForm, ...unknown[]]>([
  ['plain', {}, ['x'], 'a\0', bytes(1), point],
  ['text', 1],
  ['bytes', 1, null, bytes(256), bytes(-1), bytes(1.5), { type: 'Point', role: 'admin', coordinates: 'z' }],
  ['bits', 1.5, -1, ''],
  ['numbers', [], [1, '2'], '[1]'],
  ['point', { x: '1', y: 2 }, { x: 1 }, { x: 1, y: 2, z: 3 }, Object.create({ x: 1, y: 2 })],
  ['circle', { x: 1, y: 2 }],
  ['interval', { hours: '2' }, { hours: 2, role: 1 }],
  ['pairs', { a: {} }, { 'a\0': 'x' }, { a: ['x'] }, 1],
  ['geojson', JSON.stringify(point), shape('Point', [1]), shape('Point', [1, null]), shape('Polygon', ['text'])],
  ['geojson', ...['Point', 'LineString', 'MultiPoint'].map((type) => shape(type, 'xy'))],
  ['geojson', shape('toString', [1, 2]), shape('LineString', [[1, 2]]), shape('LineString', [[1, 2], [1]])],
  ['geojson', shape('Polygon', [ring.slice(0, 3)]), shape('Polygon', [[...ring, [5, 5]]])],
  ['geojson', shape('MultiPoint', []), collection(), collection({}), collection(point, {}), nest(18)],
  ['wkt', nest(2), shape('Point', [1, 2, 3]), 'x', '', 'POINT', 'POINT(1 2', 'POINT(1 2))', 'POINT(1 2) x'],
  ['wkt', 'POINT(1)', 'POINT(1 2 3)', 'POINT(1 2,3 4)', 'POINT(1-2)', 'POINT(1 1e999)', 'POINT EMPTY', 'POINT((1 2))'],
  ['wkt', 'POINT(1x 2)', 'POINT(1ex 2)', 'POINT(x1 2)', 'POINT(1 2'],
  ['bytes', { type: 'Buffer' }, { data: [1] }, { type: 'Blob', data: [1] }],
  ['wkt', 'POINT(0x10 2)', 'LINESTRING((1 2),(3 4))', 'LINESTRING(1 2)', 'POLYGON((0 0,1 1,0 0))'],
  ['wkt', 'GEOMETRYCOLLECTION()'],
  ['wkt', ...['(', 'GEOMETRYCOLLECTION(', 'MULTIPOINT(', 'POINT(1 2),'].map((part) => part.repeat(10_000))],
])('%s refuses what it cannot hold (%#)', (form, ...raw) =>
  expect(raw.filter((value) => readForm(form, value) !== undefined)).toEqual([]),
);
