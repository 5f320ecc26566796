/** Values of unique constraints: which are equal, and whose violation an error tells. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Entity, type Table, withoutTransaction } from '@nestwright/sql';
import { insertRows } from '../src/persist/insert-rows.js';
import { readUniqueViolation, requireDistinct } from '../src/persist/unique-values.js';
import { openBareDatabase } from './bare-database.js';
import { describeTable } from './bare-tables.js';

class Rate {}

class Other {}

let database: Awaited<ReturnType<typeof openBareDatabase>>;
let [rates, others]: Table[] = [];

beforeAll(async () => {
  database = await openBareDatabase();
  const id = { kind: 'integer', type: 'integer', key: true } as const;
  const percent = { kind: 'decimal', type: 'decimal', unique: true } as const;
  [rates, others] = ['rates', 'others'].map((name, at) =>
    describeTable(database, [Rate, Other][at]!, name, { id, percent }),
  );
  for (const name of ['rates', 'others']) {
    await withoutTransaction(database, (connection) =>
      connection.run(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, percent DECIMAL UNIQUE)`),
    );
  }
});
afterAll(() => database.end());

const percentOf = (table: Table) => table.columns.filter(({ propertyName }) => propertyName === 'percent');

test.each<[one: unknown, other: unknown, isEqual: boolean]>([
  ['2.5', '2.50', true],
  ['2.5', '02.5', true],
  [2, '2.0', true],
  ['-2.5', '-2.50', true],
  [0, '-0.0', true],
  ['2.5', '-2.5', false],
  ['2.5', '2.05', false],
  ['20', '2', false],
  ['2', '0.2', false],
  ['1e2', '1e20', false],
  [null, null, false],
])('%j and %j of two new records are one value: %s', (one, other, isEqual) => {
  const entities = new Map<string, Entity>([one, other].map((percent, at) => [`bulk.${at}`, { percent }]));
  const check = expect(() => requireDistinct(entities, percentOf(rates!)));
  const response = { statusCode: 400, message: ['bulk.1 names the same record as bulk.0'] };
  if (isEqual) check.toThrow(expect.objectContaining({ response: expect.objectContaining(response) }));
  else check.not.toThrow();
});

test('a violation is that of the table whose record is refused', async () => {
  const rows = [{}, {}].map((_, at) => ({ entity: { percent: '1' }, path: `bulk.${at}` }));
  const error: unknown = await withoutTransaction(database, (connection) => insertRows(connection, rates!, rows)).catch(
    (reason: unknown) => reason,
  );
  const found = readUniqueViolation(error, rates!, percentOf(rates!));
  expect([found?.isConfirmed, [...found!.entities.keys()]]).toEqual([true, ['bulk.0', 'bulk.1']]);
  expect(readUniqueViolation(error, rates!, rates!.primaryColumns)?.isConfirmed).toBe(false);
  expect(readUniqueViolation(error, others!, percentOf(others!))).toBeUndefined();
  expect(readUniqueViolation(new Error('another'), rates!, percentOf(rates!))).toBeUndefined();
});
