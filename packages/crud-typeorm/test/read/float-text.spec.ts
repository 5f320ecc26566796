/** Numbers of every size in, their text as text operators see it out: what JSON prints, also where PostgreSQL itself would print an exponent or not. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource, type DataSourceOptions, EntitySchema } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { read } from '../../src/sql/index.js';
import { planOf, requestOf } from './library.js';

class Reading {
  id!: number;
  value!: number;
}

const schema = new EntitySchema<Reading>({
  name: 'Reading',
  target: Reading,
  columns: { id: { type: 'int', primary: true }, value: { type: 'double precision' } },
});
const VALUES = [
  1e-7, 1.5e-10, 0.000001, 0.00001, 0.5, 0, -0.25, 0.30000000000000004, 12, 1e15, -123456789012345680, 1e20, 1e21,
  -1.5e300,
];

describeDatabases(
  'text of numbers',
  (db) => {
    let source: DataSource;

    beforeAll(async () => {
      source = await new DataSource({
        ...db.connection,
        entities: [schema],
        synchronize: true,
      } as DataSourceOptions).initialize();
      await source.getRepository(Reading).insert(VALUES.map((value, id) => ({ id, value })));
    });

    afterAll(() => source.destroy());

    test.each(VALUES)('%s starts and ends with itself', async (value) => {
      const text = JSON.stringify(value);
      const search = { $and: [{ value: { $starts: text } }, { value: { $ends: text } }] };
      const found = await read<Reading>(planOf(source, Reading, requestOf({ search })), source);

      expect(found.map((reading) => reading.value)).toEqual([value]);
    });
  },
  ['postgres'],
);
