/** Exports of a column of every type: what a parser of CSV reads, and each line of JSON, is what the list has, with fast paths and without. */
import { expect, test } from '@jest/globals';
import { configureCrudDatabase } from '@nestwright/crud-typeorm';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { everyType } from '../read/every-type.js';

type Row = Record<string, unknown>;
const DOCUMENTS = ['aSimpleJson', 'aJson', 'aJsonb'];

describeDatabases('exported values', (db) => {
  const { target, values, inner } = everyType(db.kind);
  const every = looseResource(target as never, 'every', {
    query: {
      export: { formats: ['ndjson', 'csv'], csv: { formulas: true } },
      join: { parent: {}, children: {}, friends: {} },
    },
  });
  const app = serving(db, [target], [every], {
    fill: async ({ manager }) => {
      const samples = fc.sample(fc.tuple(values, inner), { numRuns: 60, seed: 7 });
      for (const [index, [record, embedded]] of samples.entries()) {
        const parent = index % 3 === 2 && { parent: { id: index } };
        await manager.insert(target, { ...record, id: index + 1, inner: embedded, ...parent });
      }
    },
  });
  const read = async (search: string): Promise<string> => {
    // Comparing takes longer than the server keeps an idle connection.
    const response = await fetch(`${app.url}/every?sort=id,ASC&${search}`, { headers: { connection: 'close' } });
    const text = await response.text();
    expect({ status: response.status, text: response.ok ? '' : text }).toEqual({ status: 200, text: '' });
    return text;
  };

  test.each([
    [true, ''],
    [true, 'join=parent||id,aText,aDecimal&join=children&join=friends'],
    [false, ''],
    [false, 'join=parent||id,aText,aDecimal&join=children'],
  ])('are those of the list, fast paths: %s, %s', async (fastPaths, search) => {
    configureCrudDatabase(app.source, { fastPaths });
    const list = await read(search);
    const lines = (await read(`${search}&format=ndjson`)).split('\n').slice(0, -1);
    expect(`[${lines.join(',')}]`).toBe(list);
    const table = parse(await read(`${search}&format=csv`), { columns: true, cast }) as Row[];
    const records = JSON.parse(list) as Row[];
    expect(table).toHaveLength(records.length);
    for (const [index, record] of records.entries()) expectCells(table[index]!, cellsOf(record, ''));
  });
});

/** Empty without quotation marks is null. */
function cast(value: string, { quoting, header }: { quoting: boolean; header: boolean }): string | null {
  return value === '' && !quoting && !header ? null : value;
}

/** The values of a record by the columns that they belong to. */
function cellsOf(record: Row, prefix: string): [string, unknown][] {
  return Object.entries(record).flatMap(([property, value]): [string, unknown][] =>
    (property === 'inner' || property === 'parent') && value !== null
      ? cellsOf(value as Row, `${prefix}${property}.`)
      : [[prefix + property, value]],
  );
}

function expectCells(row: Row, cells: readonly [string, unknown][]): void {
  for (const [column, value] of cells) {
    // A related record that is missing has no column of its own.
    if (column === 'parent') {
      expect([row['parent.id'], row['parent.aText']]).toEqual([null, null]);
    } else {
      const cell = row[column] ?? null;
      const isText = cell === null || (typeof value === 'string' && !DOCUMENTS.includes(column));
      expect({ column, cell: isText ? cell : (JSON.parse(cell as string) as unknown) }).toEqual({
        column,
        cell: value,
      });
    }
  }
}
