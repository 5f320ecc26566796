/** Exports of a column of every type: what a parser of CSV reads, and each line of JSON, is what the list has, with fast paths and without. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { configureCrudDatabase } from '@nestwright/crud-typeorm';
import { Exclude, Expose } from 'class-transformer';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { everyType } from '../read/every-type.js';

type Row = Record<string, unknown>;

const RECORDS = 60;
const DOCUMENTS = ['aSimpleJson', 'aJson', 'aJsonb'];

describeDatabases('exported values', (db) => {
  const { target, values, inner } = everyType(db.kind);
  const every = resource(target as unknown as Type<object>, 'every', {
    query: {
      export: { formats: ['ndjson', 'csv'], csv: { formulas: true } },
      join: { parent: {}, children: {}, friends: {} },
    },
  } as never);
  const app = serving(db, [target], [every]);

  beforeAll(async () => {
    const samples = fc.sample(fc.tuple(values, inner), { numRuns: RECORDS, seed: 7 });
    for (const [index, [record, embedded]] of samples.entries()) {
      await app.source.getRepository(target).insert({
        ...record,
        id: index + 1,
        inner: embedded,
        ...(index % 3 === 2 && { parent: { id: index } }),
      } as never);
    }
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

describeDatabases('texts of more than one line', (db) => {
  @Entity('export_notes')
  class Note {
    @PrimaryColumn({ type: 'int' }) id!: number;
    @Column({ type: 'varchar', length: 40 }) text!: string;
  }
  const TEXTS = ['x\n=1+1', 'x\r=1+1', 'x\r\n=1+1', '\n=1+1', '\r=1+1', 'x\n', 'x\r', '\n'];
  const resources = [true, false].map((formulas) =>
    resource(Note, `notes-${formulas}`, { query: { export: { formats: ['csv'], csv: { formulas } } } } as never),
  );
  const app = serving(db, [Note], resources);

  beforeAll(async () => {
    await app.source.getRepository(Note).insert(TEXTS.map((text, index) => ({ id: index + 1, text })));
  });

  test.each([
    [true, TEXTS],
    [false, TEXTS.map((text) => (text.startsWith('\r') ? `'${text}` : text))],
  ])('stay in their cells, whatever a reader takes for the end of a line; formulas: %s', async (formulas, expected) => {
    const text = await (await fetch(`${app.url}/notes-${formulas}?format=csv&sort=id,ASC`)).text();
    const rows = parse(text, { columns: true, record_delimiter: ['\r\n', '\n', '\r'] }) as Row[];

    expect(rows.map((row) => row['text'])).toEqual(expected);
  });
});

describeDatabases(
  'what a class computes',
  (db) => {
    @Entity('export_totals')
    class Total {
      @PrimaryColumn({ type: 'int' }) id!: number;
      @Column({ type: 'varchar', length: 40 }) text!: string;
      @Column({ type: 'int' }) amount!: number;
    }
    @Exclude()
    class TotalResponse {
      @Expose({ name: 'sum' }) amount!: number;
      @Expose({ name: 'title' }) text!: string;
      @Expose() get negated() {
        return -this.amount;
      }
      @Expose() get formula() {
        return `=${this.amount}`;
      }
    }
    const totals = resource(Total, 'totals', {
      query: { export: { formats: ['csv'] } },
      serialize: { get: TotalResponse },
    } as never);
    const app = serving(db, [Total], [totals]);

    test('numbers below zero stay numbers, texts that look like formulas are defused', async () => {
      const stored = [
        { id: 1, text: '-5', amount: -1 },
        { id: 2, text: '@x', amount: 2 },
      ];
      await app.source.getRepository(Total).insert(stored);
      const text = await (await fetch(`${app.url}/totals?format=csv`)).text();

      expect(parse(text, { columns: true })).toEqual([
        { sum: '-1', title: "'-5", negated: '1', formula: "'=-1" },
        { sum: '2', title: "'@x", negated: '-2', formula: "'=2" },
      ]);
    });
  },
  ['sqlite'],
);

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
    const cell = row[column] ?? null;
    if (column === 'parent' && value === null) {
      expect([row['parent.id'], row['parent.aText']]).toEqual([null, null]);
    } else if (typeof value === 'string' && !DOCUMENTS.includes(column)) {
      expect({ column, cell }).toEqual({ column, cell: value });
    } else {
      expect({ column, cell: cell === null ? null : (JSON.parse(cell as string) as unknown) }).toEqual({
        column,
        cell: value,
      });
    }
  }
}
