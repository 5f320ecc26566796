/** Numbers of every size in columns and documents → their text as text operators see it: what JSON prints, whatever the database itself would print. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource, EntitySchema } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { read } from '../../../sql/src/select/index.js';
import { planOf, requestOf } from './library.js';
import { toDatabase } from '../../src/typeorm/database.js';
import { connect } from '../support/resources.js';

class Reading {
  id!: number;
  value!: number;
  mapped!: number;
  doc!: { value: number };
}

const schema = new EntitySchema<Reading>({
  name: 'Reading',
  target: Reading,
  columns: {
    id: { type: 'int', primary: true },
    value: { type: 'double precision' },
    mapped: {
      type: 'decimal',
      precision: 60,
      scale: 20,
      transformer: { to: (value: unknown) => value, from: (value: unknown) => (value === null ? null : Number(value)) },
    },
    doc: { type: 'simple-json' },
  },
});
const VALUES = [
  ...[1e-7, 1.5e-10, 0.000001, 0.00001, 0.0000012345, 9.5e-7, 0.5, 0, -0.25, 0.1, 1 / 3, 0.30000000000000004, 12, 100],
  ...[1e15, 1234567890123456.8, -123456789012345680, 2 ** 60, 45141538835387180, 9007199254740991, 1e20, 1e21, 1e23],
  ...[1.5e21, -1.5e300, 1.7976931348623157e308, -1e-7, 123e-20],
];
/** What a decimal column of 20 places keeps. */
const KEPT = VALUES.filter((value) => value === 0 || (Math.abs(value) > 1e-15 && Math.abs(value) < 1e22));

describeDatabases('text of numbers', (db) => {
  let source: DataSource;

  beforeAll(async () => {
    source = await connect(db, [schema]);
    await source
      .getRepository(Reading)
      .insert(VALUES.map((value, id) => ({ id, value, mapped: KEPT.includes(value) ? value : 0, doc: { value } })));
  });

  afterAll(() => source.destroy());

  const valuesWhere = async (search: object) => {
    const found = await read<Reading>(planOf(source, Reading, requestOf({ search })), toDatabase(source));

    return found.map(({ value }) => value);
  };

  test.each([
    ['value', VALUES],
    ['doc.value', VALUES],
    ['mapped', KEPT],
  ])('%s is found by its own text and no other', async (path, values) => {
    for (const value of values) {
      const text = JSON.stringify(value);
      const search = { $and: [{ [path]: { $starts: text } }, { [path]: { $ends: text } }] };
      const found = await valuesWhere(search);

      // Where a decimal cannot keep a value, the record has 0.
      expect([text, found.filter((one) => path !== 'mapped' || KEPT.includes(one))]).toEqual([text, [value]]);
    }
  });

  test('texts of a document compare with the text that JSON prints of its numbers', async () => {
    expect(await valuesWhere({ 'doc.value': '1e-7' })).toEqual([1e-7]);
    expect(await valuesWhere({ 'doc.value': { $in: ['1e+21', '0.5'] } })).toEqual([0.5, 1e21]);
    expect(await valuesWhere({ 'doc.value': { $cont: 'e+2' } })).toEqual([1e21, 1e23, 1.5e21]);
    expect(await valuesWhere({ value: { $cont: 'e-' } })).toEqual(
      [1e-7, 1.5e-10, 0.0000012345, 9.5e-7, -1e-7, 123e-20].filter((value) => Math.abs(value) < 1e-6),
    );
  });
});
