/** Values of bodies for columns of each form → what is stored of them, or undefined for what is refused. */
import { describe, expect, test } from '@jest/globals';
import type { ColumnForm } from '../../src/plan/catalog.js';
import { readForm } from '../../src/plan/column-forms.js';

const ring = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];
const point = { type: 'Point', coordinates: [1, 2] };
const nest = (depth: number): object =>
  depth === 0 ? point : { type: 'GeometryCollection', geometries: [nest(depth - 1)] };

describe('stored', () => {
  test.each<[ColumnForm, unknown, unknown]>([
    ['plain', 'x', 'x'],
    ['plain', 1.5, 1.5],
    ['plain', true, true],
    ['bytes', { type: 'Buffer', data: [0, 255] }, Buffer.from([0, 255])],
    ['bits', 5, 5],
    ['numbers', [1, -2.5], [1, -2.5]],
    ['point', { x: 1, y: -2.5 }, '(1,-2.5)'],
    ['circle', { x: 1, y: 2, radius: 3 }, '<(1,2),3>'],
    ['interval', { hours: 2, seconds: -1.5 }, '2 hours -1.5 seconds'],
    ['interval', {}, '0 seconds'],
    ['pairs', { a: 'x', b: null, c: 1 }, { a: 'x', b: null, c: 1 }],
    ['geojson', { ...point, role: 'admin' }, point],
    ['geojson', { type: 'Point', coordinates: [1, 2, 3] }, { type: 'Point', coordinates: [1, 2, 3] }],
    ['geojson', nest(16), nest(16)],
    ['wkt', point, 'POINT(1 2)'],
    ['wkt', { type: 'LineString', coordinates: ring }, 'LINESTRING(0 0,1 0,1 1,0 0)'],
    ['wkt', { type: 'Polygon', coordinates: [ring, ring] }, 'POLYGON((0 0,1 0,1 1,0 0),(0 0,1 0,1 1,0 0))'],
    ['wkt', { type: 'MultiPoint', coordinates: [[1, 2]] }, 'MULTIPOINT(1 2)'],
    ['wkt', { type: 'MultiPolygon', coordinates: [[ring]] }, 'MULTIPOLYGON(((0 0,1 0,1 1,0 0)))'],
    ['wkt', nest(1), 'GEOMETRYCOLLECTION(POINT(1 2))'],
    ['wkt', ' point ( 1e2   -.5 ) ', 'POINT(100 -0.5)'],
    ['wkt', 'MULTIPOINT((1 2), (3 4))', 'MULTIPOINT(1 2,3 4)'],
    ['wkt', 'MultiLineString((0 0,1 1),(2 2,3 3))', 'MULTILINESTRING((0 0,1 1),(2 2,3 3))'],
    [
      'wkt',
      'GEOMETRYCOLLECTION(POINT(1 2),MULTIPOLYGON(((0 0,1 0,1 1,0 0))))',
      'GEOMETRYCOLLECTION(POINT(1 2),MULTIPOLYGON(((0 0,1 0,1 1,0 0))))',
    ],
  ])('%s %j', (form, raw, stored) => {
    expect(readForm(form, raw)).toEqual(stored);
  });
});

describe('refused', () => {
  test.each<[ColumnForm, unknown]>([
    ['plain', {}],
    ['plain', ['x']],
    ['plain', 'a\0'],
    ['plain', { type: 'Buffer', data: [1] }],
    ['plain', point],
    ['text', 1],
    ['bytes', 1],
    ['bytes', { type: 'Buffer', data: [256] }],
    ['bytes', { type: 'Point', role: 'admin', coordinates: 'z' }],
    ['bits', 1.5],
    ['bits', -1],
    ['bits', ''],
    ['numbers', []],
    ['numbers', [1, '2']],
    ['numbers', '[1]'],
    ['point', { x: '1', y: 2 }],
    ['point', { x: 1 }],
    ['point', { x: 1, y: 2, z: 3 }],
    ['point', Object.create({ x: 1, y: 2 })],
    ['circle', { x: 1, y: 2 }],
    ['interval', { hours: '2' }],
    ['interval', { hours: 2, role: 1 }],
    ['pairs', { a: {} }],
    ['pairs', { 'a\0': 'x' }],
    ['pairs', { a: ['x'] }],
    ['pairs', 1],
    ['geojson', '{"type":"Point","coordinates":[1,2]}'],
    ['geojson', { type: 'Point', coordinates: [1] }],
    ['geojson', { type: 'Point', coordinates: [1, null] }],
    ['geojson', { type: 'Point', coordinates: 'z' }],
    ['geojson', { type: 'toString', coordinates: [1, 2] }],
    ['geojson', { type: 'LineString', coordinates: [[1, 2]] }],
    ['geojson', { type: 'Polygon', coordinates: [ring.slice(0, 3)] }],
    ['geojson', { type: 'Polygon', coordinates: [[...ring, [5, 5]]] }],
    ['geojson', { type: 'GeometryCollection', geometries: [] }],
    ['geojson', { type: 'GeometryCollection', geometries: [{}] }],
    ['geojson', nest(18)],
    ['wkt', nest(2)],
    ['wkt', { type: 'Point', coordinates: [1, 2, 3] }],
    ['wkt', 'x'],
    ['wkt', ''],
    ['wkt', 'POINT'],
    ['wkt', 'POINT(1 2'],
    ['wkt', 'POINT(1 2))'],
    ['wkt', 'POINT(1 2) x'],
    ['wkt', 'POINT(1)'],
    ['wkt', 'POINT(1 2 3)'],
    ['wkt', 'POINT(1 2,3 4)'],
    ['wkt', 'POINT(1-2)'],
    ['wkt', 'POINT(1 1e999)'],
    ['wkt', 'POINT EMPTY'],
    ['wkt', 'POINT((1 2))'],
    ['wkt', 'POINT(0x10 2)'],
    ['wkt', 'LINESTRING((1 2),(3 4))'],
    ['wkt', 'LINESTRING(1 2)'],
    ['wkt', 'POLYGON((0 0,1 1,0 0))'],
    ['wkt', 'GEOMETRYCOLLECTION()'],
  ])('%s %j', (form, raw) => {
    expect(readForm(form, raw)).toBeUndefined();
  });

  test.each(['(', 'GEOMETRYCOLLECTION(', 'MULTIPOINT(', 'POINT(1 2),'])('wkt of many %s', (part) => {
    expect(readForm('wkt', part.repeat(10_000))).toBeUndefined();
  });
});
