/** JSON values of every shape, and columns of every type with what each stores of them; what a column does not name it refuses. */
import type { ColumnType } from 'typeorm';
import type { DatabaseKind } from '../../../../integration/test-support/index.js';

export const SHAPES = {
  object: { a: 1 },
  role: { type: 'Point', role: 'admin', coordinates: 'z' },
  nested: { a: { b: [1] } },
  empty: {},
  list: ['x'],
  none: [],
  mixed: [1, 'a', null, { role: 'admin' }],
  lists: [[1], [2]],
  buffer: { type: 'Buffer', data: [1, 2, 255] },
  noBuffer: { type: 'Buffer', data: ['x'] },
  geo: { type: 'Point', coordinates: [1, 2] },
  raw: { toSqlString: '1' },
  place: { x: 1, y: 2 },
  true: true,
  false: false,
  huge: 1e308,
  exponent: 1e21,
  half: 1.5,
  one: 1,
  minus: -1,
  tiny: 1e-7,
};

export const TEXTS = {
  blank: '',
  x: 'x',
  quote: "'",
  and: '&',
  hex: '\\x0',
  brace: '{',
  open: '(1',
  nan: 'NaN',
  tag: '<a',
  wkt: 'MultiPoint((1 2), (3 .5))',
  halfWkt: 'POINT(1',
  colon: 'a:',
  digits: '1'.repeat(1200),
};

type Name = keyof typeof SHAPES | keyof typeof TEXTS;
type Stored = Partial<Record<Name, unknown>>;
export const VALUES: Readonly<Record<Name, unknown>> = { ...SHAPES, ...TEXTS };

/** A type, what is stored of each value, and the column's options. */
type Row = readonly [type: ColumnType, stored: Stored, options?: object];
const NAMES = Object.keys(VALUES) as Name[];
const pick = (names: readonly Name[], stored: (value: unknown, name: Name) => unknown): Stored =>
  Object.fromEntries(names.map((name) => [name, stored(VALUES[name], name)]));
const texts = Object.keys(TEXTS) as Name[];
const numbers = NAMES.filter((name) => typeof VALUES[name] === 'number');
const scalars = NAMES.filter((name) => typeof VALUES[name] !== 'object');
const same = (value: unknown) => value;
const bytes = (...data: number[]) => ({ type: 'Buffer', data });
const bytesOf = (value: unknown) => bytes(...Buffer.from(String(value)));
const without = (names: readonly Name[], ...left: Name[]) => names.filter((name) => !left.includes(name));
const TEXT = pick(scalars, String);
const JSON_VALUES = pick(NAMES, same);
const WHOLE: Stored = { one: 1, minus: -1 };
const [SECOND, BACK] = [1, -1].map((seconds) => ({ seconds }));
const HALF = { ...SECOND, milliseconds: 500 };
const BUFFER = bytes(1, 2, 255);

const refusing = (...types: ColumnType[]) =>
  Object.fromEntries(types.map((type) => [`a_${String(type)}`, [type, {}] as const]));
const VECTOR: Stored = { blank: '', hex: "'x0'" };
const LEXEMES = without(scalars, 'blank', 'quote', 'hex', 'wkt', 'colon');
const SIGNS = ['and', 'open', 'tag', 'halfWkt'] as const;
const quoted = (value: unknown) => `'${String(value)}'`;
const PAIRS: Stored = {
  object: '"a"=>"1"',
  role: '"role"=>"admin", "type"=>"Point", "coordinates"=>"z"',
  raw: '"toSqlString"=>"1"',
  place: '"x"=>"1", "y"=>"2"',
};
const BOOLEAN: Stored = { true: true, false: false, one: true };
export const COLUMNS: Readonly<Record<'common' | DatabaseKind, Readonly<Record<string, Row>>>> = {
  common: {
    aVarchar: ['varchar', TEXT, { length: 1500 }],
    aShortVarchar: ['varchar', pick(without(scalars, 'wkt', 'halfWkt', 'digits'), String), { length: 6 }],
    aText: ['text', TEXT],
    anInt: ['int', WHOLE],
    aBigint: ['bigint', { one: '1', minus: '-1' }],
    aDouble: ['double precision', pick(numbers, same)],
    aBoolean: ['boolean', BOOLEAN],
    aDate: ['date', {}],
    aSimpleArray: ['simple-array', { list: ['x'], none: [] }],
    aSimpleJson: ['simple-json', JSON_VALUES],
    aSimpleEnum: ['simple-enum', { x: 'x' }, { enum: ['x', 'y'] }],
  },
  sqlite: {
    ...refusing('datetime', 'time'),
    // The driver hands bytes over as a Uint8Array.
    aBlob: ['blob', { ...pick(texts, same), buffer: { '0': 1, '1': 2, '2': 255 } }],
  },
  postgres: {
    ...refusing('timestamptz', 'time', 'uuid', 'inet', 'macaddr', 'line', 'box', 'polygon', 'circle', 'int4range'),
    aReal: ['real', pick(without(numbers, 'huge'), same)],
    anEnum: ['enum', { x: 'x' }, { enum: ['x', 'y'] }],
    aCitext: ['citext', TEXT],
    aJson: ['json', JSON_VALUES],
    aJsonb: ['jsonb', JSON_VALUES],
    anIntList: ['int', { none: [] }, { array: true }],
    aTextList: ['text', { list: ['x'], none: [] }, { array: true }],
    aByteaList: ['bytea', { list: [bytesOf('x')], none: [] }, { array: true }],
    aPointList: ['point', { none: [] }, { array: true }],
    aBytea: ['bytea', { ...pick(without(texts, 'hex'), bytesOf), buffer: bytes(1, 2, 255) }],
    anInterval: ['interval', { empty: {}, half: HALF, one: SECOND, minus: BACK, open: SECOND }],
    aPoint: ['point', { place: { x: 1, y: 2 } }],
    aBit: ['bit', { one: '1' }],
    aVarbit: ['varbit', { one: '1', blank: '', x: '', digits: TEXTS.digits }],
    aTsvector: ['tsvector', { ...pick(LEXEMES, quoted), ...VECTOR, wkt: "'(3' '.5))' '2),' 'MultiPoint((1'" }],
    aTsquery: ['tsquery', { ...pick(without(LEXEMES, ...SIGNS), quoted), ...VECTOR, colon: "'a'" }],
    anXml: ['xml', pick(without(scalars, 'and', 'tag'), String)],
    anHstore: ['hstore', { ...PAIRS, empty: '', blank: '' }, { hstoreType: 'string' }],
    anLtree: ['ltree', { blank: '', x: 'x', nan: 'NaN' }],
  },
  mysql: {
    ...refusing('datetime', 'time', 'year', 'polygon'),
    aTinyint: ['tinyint', { ...WHOLE, true: 1, false: 0 }],
    aFloat: ['float', pick(without(numbers, 'huge'), same)],
    anEnum: ['enum', { x: 'x' }, { enum: ['x', 'y'] }],
    aSet: ['set', { list: ['x'], none: [] }, { enum: ['x', 'y'] }],
    aJson: ['json', JSON_VALUES],
    aBlob: ['blob', { ...pick(texts, bytesOf), buffer: bytes(1, 2, 255) }],
    aVarbinary: ['varbinary', { ...pick(without(texts, 'digits', 'wkt'), bytesOf), buffer: BUFFER }, { length: 8 }],
    aBit: ['bit', { true: bytes(1), false: bytes(0), one: bytes(1) }],
    aGeometry: ['geometry', { geo: 'POINT(1 2)', wkt: 'MULTIPOINT(1 2,3 0.5)' }],
    aPoint: ['point', { geo: 'POINT(1 2)' }],
    aMultipoint: ['multipoint', { wkt: 'MULTIPOINT(1 2,3 0.5)' }],
  },
};
