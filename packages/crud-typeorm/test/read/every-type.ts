/** An entity with a column of every type that a database has, an embedded object and relations of each kind, for proofs that two ways of reading agree; values of it are made by fast-check. */
import fc from 'fast-check';
import { Column, Entity, type EntityTarget, JoinTable, ManyToMany, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { type ColumnType, type ValueTransformer } from 'typeorm';
import { anyCharacter, type DatabaseKind } from '../../../../integration/test-support/index.js';
import { asNumber } from './library.js';

type Type = ColumnType;

/** Texts that are hard to print: escapes, U+2028, astral and control characters. Halves of surrogate pairs no database stores, so JSON columns alone hold them. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }).map((value) => value.replaceAll('\0', '')),
  fc.constantFrom('', '"', '\\', '\u2028', '\u2029', '\u0001', '\u001f', '\u007f', '😀', 'NULL', 'null', '{a,b}', ' '),
);

const json = fc
  .jsonValue({ maxDepth: 3 })
  .chain((value) =>
    fc.constantFrom(
      value,
      [value],
      { a: value },
      { then: value },
      { toJSON: value },
      { nested: { ['__proto__']: 1, x: value } },
    ),
  )
  // A key "constructor" makes class-transformer throw, against which records are treated before it.
  .filter((value) => !JSON.stringify(value).includes('constructor'))
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as unknown);

const span = (min: string, max: string) => fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true });
const moment = span('1000-01-02', '9999-12-30');
const today = span('1971-01-02', '2037-12-30');
const day = moment.map((value) => value.toISOString().slice(0, 10));
const integer = fc.integer({ min: -32768, max: 32767 });
const double = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 });
const item = fc.string({ minLength: 1, maxLength: 8 }).map((value) => value.replaceAll(/[,\0]/g, 'x'));

type Row = readonly [type: Type, values: fc.Arbitrary<unknown>, options?: object];
const asPrice = (value: number) => (value / 100).toFixed(2);
const wrapped: ValueTransformer = {
  to: (value: { of: string } | null) => value?.of ?? null,
  from: (value: string | null) =>
    value === null ? undefined : { of: value, at: new Date(0), list: [undefined, -0, Number.NaN] },
};

const COMMON = {
  aVarchar: ['varchar', text],
  aText: ['text', text],
  anInt: ['int', integer],
  aBigint: ['bigint', fc.bigInt(-(2n ** 53n), 2n ** 53n).map(String)],
  aDecimal: ['decimal', fc.integer({ min: -99999, max: 99999 }).map(asPrice), { precision: 12, scale: 2 }],
  aNumber: ['decimal', fc.integer().map((value) => value / 100), { precision: 14, scale: 2, transformer: asNumber }],
  aDouble: ['double precision', double],
  aBoolean: ['boolean', fc.boolean()],
  aDate: ['date', day],
  aSimpleArray: ['simple-array', fc.array(item, { maxLength: 4 })],
  aSimpleJson: ['simple-json', json],
  aSimpleEnum: ['simple-enum', fc.constantFrom('a', 'b"'), { enum: ['a', 'b"'] }],
  wrapped: ['varchar', item.map((of) => ({ of })), { transformer: wrapped }],
} satisfies Record<string, Row>;

const OWN: Record<DatabaseKind, Record<string, Row>> = {
  sqlite: {
    aDatetime: ['datetime', moment],
    aTime: ['time', fc.constantFrom('00:00:00', '23:59:59')],
    aBlob: ['blob', fc.uint8Array({ maxLength: 8 }).map((value) => Buffer.from(value))],
    aReal: ['real', double],
  },
  postgres: {
    aTimestamptz: ['timestamptz', moment],
    aTimestamp: ['timestamp', moment],
    aMillisecond: ['timestamptz', moment, { precision: 3 }],
    aTime: ['time', fc.constantFrom('00:00:00', '23:59:59.123')],
    anInterval: ['interval', fc.constantFrom('1 day', '02:03:04')],
    aUuid: ['uuid', fc.uuid()],
    aJson: ['json', json],
    aJsonb: ['jsonb', json],
    aTextList: ['text', fc.array(fc.oneof(text, fc.constant(null)), { maxLength: 4 }), { array: true }],
    aVarcharList: ['varchar', fc.array(item, { maxLength: 4 }), { array: true }],
    anIntList: ['int', fc.array(integer, { maxLength: 4 }), { array: true }],
    aMomentList: ['timestamptz', fc.array(today, { maxLength: 3 }), { array: true }],
    aBytea: ['bytea', fc.uint8Array({ maxLength: 8 }).map((value) => Buffer.from(value))],
    aPoint: ['point', fc.constantFrom('(1,2)', '(0.5,-3)')],
    aReal: ['real', integer],
    anEnum: ['enum', fc.constantFrom('x', 'y'), { enum: ['x', 'y'] }],
    aMapped: ['timestamptz', moment, { transformer: { ...asNumber, from: (value: unknown) => ({ value }) } }],
    aTextWithMoments: ['varchar', moment.map((value) => value.toISOString())],
  },
  mysql: {
    aDatetime: ['datetime', moment, { precision: 3 }],
    aTimestamp: ['timestamp', today.map((value) => new Date(value.setMilliseconds(0))), { nullable: true }],
    aTime: ['time', fc.constantFrom('00:00:00', '23:59:59')],
    // TypeORM parses texts that are JSON themselves twice, and reads integers beyond 2^53 as texts, from Node.js 22 on.
    aJson: ['json', json.filter((value) => typeof value === 'object' && !/\d{16}/.test(JSON.stringify(value)))],
    aBlob: ['blob', fc.uint8Array({ maxLength: 8 }).map((value) => Buffer.from(value))],
    anEnum: ['enum', fc.constantFrom('x', 'y'), { enum: ['x', 'y'] }],
    aSet: ['set', fc.subarray(['p', 'q']), { enum: ['p', 'q'] }],
    aLongtext: ['longtext', text],
  },
};

/** The entities for one database, each database's own classes since decorators name its types. */
export function everyType(kind: DatabaseKind) {
  const columns: Record<string, Row> = { ...COMMON, ...OWN[kind] };

  class Inner {
    first!: string | null;
    at!: string | null;
  }

  Column({ type: 'varchar', nullable: true })(Inner.prototype, 'first');
  Column({ type: 'date', nullable: true })(Inner.prototype, 'at');

  class Every {
    id!: number;
    inner!: Inner;
    parent!: Every | null;
    children!: Every[];
    friends!: Every[];
  }

  PrimaryColumn({ type: 'int' })(Every.prototype, 'id');
  for (const [property, [type, , options]] of Object.entries(columns))
    Column({ type, nullable: true, ...options } as object)(Every.prototype, property);

  Column(() => Inner)(Every.prototype, 'inner');
  ManyToOne(() => Every, 'children', { nullable: true })(Every.prototype, 'parent');
  OneToMany(() => Every, 'parent')(Every.prototype, 'children');
  ManyToMany(() => Every)(Every.prototype, 'friends');
  JoinTable()(Every.prototype, 'friends');
  Entity('every')(Every);
  const pairs = Object.entries(columns).map(([name, [, values]]) => [name, fc.option(values, { nil: null, freq: 5 })]);
  const values = fc.record(Object.fromEntries(pairs) as Record<string, fc.Arbitrary<unknown>>);
  const inner = fc.record({ first: fc.option(text, { nil: null }), at: fc.option(day, { nil: null }) });
  return { target: Every as EntityTarget<Every> & typeof Every, properties: Object.keys(columns), values, inner };
}
