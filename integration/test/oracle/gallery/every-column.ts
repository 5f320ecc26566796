/** A column of every type with its difficult values, for TypeORM's schema, the seed and the evaluator alike. */
import type { EntitySchemaColumnOptions } from 'typeorm';
import type { DatabaseKind } from '../../../test-support/index.js';
import type { Column, ColumnType, Value } from '../evaluator/tables.js';

/** One column, described once. */
export interface ColumnSpec extends Column {
  readonly stored: (kind: DatabaseKind) => EntitySchemaColumnOptions;
  /** Values that records have in turn, in the evaluator's form. */
  readonly values: readonly Value[];
  /** Databases that have such a column; all by default. */
  readonly only?: DatabaseKind;
}

const TEXTS = [
  'Ada', 'ada', null, 'ADA', 'Ada ', ' Ada', 'adam', '', 'Bob%', 'Bob_', 'a,b', 'a||b', "O'Neil", 'say "hi"', 'back\\slash', 'Zoë', 'ZOË', 'étude',
  'Ürümqi', 'Łódź', 'ŁÓDŹ', '漢字', '😀 smile', '\uFF41wide', null, '123', 'true', 'null', '[x]*?', '!bang', 'x\ny', 'etude', 'A*a', 'A?a', '[Aa]da', 'A%a', 'A_a',
] as const; // prettier-ignore

const MEMBERS = ['small', 'large', 'medium', 'x-large'] as const;
const UUIDS = [
  ...['6b1f7b1e-0c2a-4a57-9d5e-000000000001', 'a3c5d7e9-1b3d-4f6a-8c9e-aaaaaaaaaaaa', null],
  ...['0e0e0e0e-0e0e-4e0e-8e0e-0e0e0e0e0e0e', 'ffffffff-ffff-4fff-bfff-fffffffffff0'],
  ...['6b1f7b1e-0c2a-4a57-9d5e-00000000000a', '6b1f7b1e-0c2a-4a57-9d5e-000000000001'],
];

const BIGS = [
  ...[9007199254740993n, 9007199254740992n, null, -5n, 0n, 9223372036854775807n],
  ...[12n, -9223372036854775808n, 120n, 12n, null],
];

const REALS = [0.5, null, -0.125, 0.30000000000000004, 1e21, 0, 1e-7, 3, 0.5, -2, 12, null, 0.3];
const MONEY = [100.5, null, 0, -0.01, 9999999999.99, 100.51, 0.1, 100.5, 1234.56, -250, 12];
const DAYS = ['1990-01-01', null, '2000-02-29', '1969-12-31', '1970-01-01', '2024-12-31', '1990-01-01', '1815-12-10'];
const HOURS = ['00:00:00', '23:59:59', null, '06:30:00', '12:00:00', '06:30:00', '09:05:07'];
const MOMENTS = [
  ...['2024-03-31T01:30:00.123Z', '2024-05-01T00:00:00.000Z', null, '2020-02-29T23:59:59.999Z'],
  ...['1999-12-31T23:59:59.500Z', '2024-05-01T00:00:00.001Z', '2024-03-31T01:30:00.123Z'],
  ...['1970-01-01T00:00:01.000Z', '2024-10-27T00:59:59.010Z'],
].map((text) => text && Date.parse(text));

const WORDS = [
  ...[['red'], null, [], ['red', 'green'], ['Red'], ['100%', 'a_b'], ['green', 'blue', 'with space']],
  ...[['ünï', '漢'], ["it's"], ['gre']],
];

const DOCUMENTS = [
  { theme: 'dark', size: 20, on: true, deep: { key: 'Ada', n: 1.5 }, mixed: 'true' },
  null,
  { theme: 'light', size: 100, on: false, deep: { key: 'ada' }, mixed: 7 },
  {},
  { theme: null, size: null, on: null, deep: null, mixed: null },
  { theme: 'Dark', size: 9.5, on: false, mixed: true },
  { theme: '50%_', size: -3, deep: { key: 'Łódź', n: -1 }, mixed: '7' },
  { theme: 'darker', size: 0, on: true, mixed: [1, 2] },
  { theme: '漢字', size: 20, on: true, deep: { key: "it's" }, mixed: { a: 1 } },
  { theme: '20', size: 3, deep: { key: '' } },
  { theme: 'light', size: 2, on: false, mixed: false },
] as const;

type Options = EntitySchemaColumnOptions;
const nullable = (type: Options['type'], options: Partial<Options> = {}) => (): Options => ({ type, nullable: true, ...options }); // prettier-ignore
const asNumber = { to: (value: unknown) => value, from: (value: unknown) => value && Number(value) };
type Stored = ColumnSpec['stored'];
const spec = (path: string, type: ColumnType, stored: Stored, values: readonly Value[], more = {}): ColumnSpec => ({
  path,
  type,
  stored,
  values,
  ...more,
});

const DECIMAL = { precision: 12, scale: 2 };
const EXACT = [12, null, 0.5, -3.25, 100, 9999999999.99, 0, 12, 10.1];
const ITEMS = [['red', 'a,b'], null, [], ['green'], ['red', 'green', '"q"'], ['{x}']];
const asGrade: Stored = (kind) => ({ type: kind === 'sqlite' ? 'simple-enum' : 'enum', enum: [...MEMBERS], nullable: true }); // prettier-ignore
const asMoment: Stored = (kind) => ({ type: kind === 'postgres' ? 'timestamptz' : 'datetime', precision: 3, nullable: true }); // prettier-ignore

/** A column of every type; the lengths of their value lists have no common divisor with most record counts, so that values meet in many combinations. */
export const EVERY_COLUMN: readonly ColumnSpec[] = [
  spec('text', 'text', nullable('varchar', { length: 120 }), TEXTS),
  spec('whole', 'integer', nullable('int'), [3, 1, null, 20, -7, 0, 3, 2147483647, 12, null, 5, 21, -2147483648]),
  spec('big', 'bigint', nullable('bigint'), BIGS),
  spec('real', 'float', nullable('double precision'), REALS),
  spec('money', 'decimal', nullable('decimal', { ...DECIMAL, transformer: asNumber }), MONEY),
  spec('exact', 'decimal', nullable('decimal', DECIMAL), EXACT, { raw: true }),
  spec('flag', 'boolean', nullable('boolean'), [true, false, null, true, false]),
  spec('grade', 'enum', asGrade, [...MEMBERS, 'small', null, 'large'], { members: MEMBERS }),
  spec('ref', 'uuid', nullable('uuid'), UUIDS),
  spec('day', 'date', nullable('date'), DAYS),
  spec('hour', 'time', nullable('time'), HOURS),
  spec('moment', 'datetime', asMoment, MOMENTS),
  spec('words', 'list', nullable('simple-array'), WORDS),
  spec('doc', 'json', nullable('simple-json'), DOCUMENTS),
  spec('paper', 'json', nullable('json'), [...DOCUMENTS].reverse()),
  spec('items', 'list', nullable('text', { array: true }), ITEMS, { only: 'postgres' }),
];

/** Keys into the JSON columns that are compared. */
export const JSON_KEYS = 'theme size on deep.key deep.n mixed missing'.split(' ').map((path) => path.split('.'));

/** The columns that a database has. */
export const everyColumn = (kind: DatabaseKind): readonly ColumnSpec[] =>
  EVERY_COLUMN.filter(({ only }) => only === undefined || only === kind);

/** Values of one record, in turn; `stride` tells tables apart. */
export function everyValue(kind: DatabaseKind, index: number, stride: number): Record<string, Value> {
  return Object.fromEntries(
    everyColumn(kind).map(({ path, values }, position) => [
      path,
      values[(index * stride + position * (stride + 1)) % values.length],
    ]),
  );
}
