/** Values of bodies for columns of each form → what is stored of them, or undefined for what is refused. */
import { expect, test } from '@jest/globals';
import type { ColumnForm } from '../../src/plan/catalog.js';
import { readForm } from '../../src/plan/column-forms.js';

const ring = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];
const point = { type: 'Point', coordinates: [1, 2] };
const shape = (type: string, coordinates: unknown) => ({ type, coordinates });
const collection = (...geometries: object[]) => ({ type: 'GeometryCollection', geometries });
const nest = (depth: number): object => (depth === 0 ? point : collection(nest(depth - 1)));
const bytes = (...data: number[]) => ({ type: 'Buffer', data });
const NESTED = 'GEOMETRYCOLLECTION(POINT(1 2),MULTIPOLYGON(((0 0,1 0,1 1,0 0))))';

test.each<[ColumnForm, unknown, unknown]>([
  ['plain', 'x', 'x'],
  ['plain', 1.5, 1.5],
  ['plain', true, true],
  ['bytes', bytes(0, 255), Buffer.from([0, 255])],
  ['bits', 5, 5],
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
  ['wkt', shape('LineString', ring), 'LINESTRING(0 0,1 0,1 1,0 0)'],
  ['wkt', shape('Polygon', [ring, ring]), 'POLYGON((0 0,1 0,1 1,0 0),(0 0,1 0,1 1,0 0))'],
  ['wkt', shape('MultiPoint', [[1, 2]]), 'MULTIPOINT(1 2)'],
  ['wkt', shape('MultiPolygon', [[ring]]), 'MULTIPOLYGON(((0 0,1 0,1 1,0 0)))'],
  ['wkt', nest(1), 'GEOMETRYCOLLECTION(POINT(1 2))'],
  ['wkt', ' point ( 1e2   -.5 ) ', 'POINT(100 -0.5)'],
  ['wkt', 'MULTIPOINT((1 2), (3 4))', 'MULTIPOINT(1 2,3 4)'],
  ['wkt', 'MultiLineString((0 0,1 1),(2 2,3 3))', 'MULTILINESTRING((0 0,1 1),(2 2,3 3))'],
  ['wkt', NESTED, NESTED],
])('%s takes %j', (form, raw, stored) => {
  expect(readForm(form, raw)).toEqual(stored);
});

test.each<[ColumnForm, ...unknown[]]>([
  ['plain', {}, ['x'], 'a\0', bytes(1), point],
  ['text', 1],
  ['bytes', 1, bytes(256), { type: 'Point', role: 'admin', coordinates: 'z' }],
  ['bits', 1.5, -1, ''],
  ['numbers', [], [1, '2'], '[1]'],
  ['point', { x: '1', y: 2 }, { x: 1 }, { x: 1, y: 2, z: 3 }, Object.create({ x: 1, y: 2 })],
  ['circle', { x: 1, y: 2 }],
  ['interval', { hours: '2' }, { hours: 2, role: 1 }],
  ['pairs', { a: {} }, { 'a\0': 'x' }, { a: ['x'] }, 1],
  [
    'geojson',
    '{"type":"Point","coordinates":[1,2]}',
    shape('Point', [1]),
    shape('Point', [1, null]),
    shape('Point', 'z'),
  ],
  ['geojson', shape('toString', [1, 2]), shape('LineString', [[1, 2]])],
  ['geojson', shape('Polygon', [ring.slice(0, 3)]), shape('Polygon', [[...ring, [5, 5]]])],
  ['geojson', collection(), collection({}), nest(18)],
  ['wkt', nest(2), shape('Point', [1, 2, 3]), 'x', '', 'POINT', 'POINT(1 2', 'POINT(1 2))', 'POINT(1 2) x'],
  ['wkt', 'POINT(1)', 'POINT(1 2 3)', 'POINT(1 2,3 4)', 'POINT(1-2)', 'POINT(1 1e999)', 'POINT EMPTY', 'POINT((1 2))'],
  ['wkt', 'POINT(0x10 2)', 'LINESTRING((1 2),(3 4))', 'LINESTRING(1 2)', 'POLYGON((0 0,1 1,0 0))'],
  ['wkt', 'GEOMETRYCOLLECTION()'],
  ['wkt', ...['(', 'GEOMETRYCOLLECTION(', 'MULTIPOINT(', 'POINT(1 2),'].map((part) => part.repeat(10_000))],
])('%s refuses what it cannot hold (%#)', (form, ...raw) => {
  expect(raw.filter((value) => readForm(form, value) !== undefined)).toEqual([]);
});
