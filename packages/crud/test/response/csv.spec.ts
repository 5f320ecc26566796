/** Lines of CSV, compared with those of csv-stringify for the same cells. */
import { expect, test } from '@jest/globals';
import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import type { CrudRequest } from '../../src/crud-request.js';
import { type Catalog, describeColumn } from '../../src/adapter.js';
import { bareDefinition } from '../../src/definition/resource-definition.js';
import { csvWriter } from '../../src/export/csv.js';

type Cell = string | number | null;

async function print(
  rows: readonly (readonly Cell[])[],
  { catalog, formulas = true }: { readonly catalog?: Catalog; readonly formulas?: boolean } = {},
): Promise<string> {
  const request = { parsed: {}, options: { query: { export: { csv: { formulas } } } } } as unknown as CrudRequest;
  const write = csvWriter({ definition: bareDefinition(), catalog, request, proceed: () => undefined });
  const records = rows.map((row) => Object.fromEntries(row.map((cell, index) => [`c${index}`, cell])));
  return (await write({ records: () => records })).text;
}

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\r', '\n', ' ', ';', "'", '=', '😀') }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 }),
  fc.constant(null),
);

test('they are the same', async () => {
  const tables = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }));

  await fc.assert(
    fc.asyncProperty(tables, async (rows) => {
      const header = rows[0]!.map((_, index) => `c${index}`);
      const expected = stringify([header, ...rows], {
        record_delimiter: 'windows',
        quote_record_delimiter: true,
        quoted_match: /^$/,
      });
      expect(await print(rows)).toBe(expected);
    }),
    { numRuns: 300 },
  );
});

test.each([
  [['a', 1, null], 'a,1,\r\n'],
  [['', 'b"c', 'd,e'], '"","b""c","d,e"\r\n'],
  [['line\nfeed', 'carriage\rreturn'], '"line\nfeed","carriage\rreturn"\r\n'],
] as const)('%j', async (row, line) => {
  expect(await print([row])).toBe(`${row.map((_, index) => `c${index}`).join()}\r\n${line}`);
});

class Reading {}

const column = describeColumn('c0', 'decimal', {});
const catalog: Catalog = {
  model: 'Reading',
  target: Reading,
  relations: new Map(),
  primary: [column],
  columns: new Map([[column.path, column]]),
};

test.each([
  ['-5', '-5'],
  ['+1.5e-7', '+1.5e-7'],
  ['-1.5E7', '-1.5E7'],
  ['-00:30:00', '-00:30:00'],
  ['+012024-01-31T10:20:30.000Z', '+012024-01-31T10:20:30.000Z'],
  // A transformer may make anything of a number.
  ['=1-1', "'=1-1"],
  ['-1+cmd', "'-1+cmd"],
  ['@x', "'@x"],
  ['+012024-01-31T10:20:30.000Z+cmd', "'+012024-01-31T10:20:30.000Z+cmd"],
  ['x=1', 'x=1'],
])('%s of a column of numbers is %s, since a spreadsheet would run what is no number', async (sent, line) => {
  expect(await print([[sent]], { catalog, formulas: false })).toBe(`c0\r\n${line}\r\n`);
});

test('of texts, numbers are defused too', async () => {
  expect(await print([['-5', 5, -5]], { formulas: false })).toBe("c0,c1,c2\r\n'-5,5,-5\r\n");
});

test('a related record has a column for each of its fields, by what they are', async () => {
  const debt = describeColumn('debt', 'decimal', {});
  const owner = {
    model: 'Owner',
    target: class {},
    relations: new Map(),
    columns: new Map([['debt', debt]]),
    primary: [],
  };
  const relation = { path: 'owner', kind: 'many-to-one', toMany: false, target: owner, references: [], nullable: true };
  const relations = new Map([['owner', { ...relation, cascadeInsert: false, cascadeUpdate: false }]]);
  const request = { parsed: { join: [{ field: 'owner' }] }, options: { query: { join: { owner: {} } } } };
  const related = { ...catalog, relations } as Catalog;
  const records = [
    { c0: '1', owner: null },
    { c0: '2', owner: { debt: '-5', note: '-x' } },
  ];
  const write = csvWriter({
    definition: bareDefinition(),
    catalog: related,
    request: request as unknown as CrudRequest,
    proceed: () => undefined,
  });
  expect((await write({ records: () => records })).text.split('\r\n')).toEqual([
    'c0,owner.debt,owner.note',
    '1,,',
    "2,-5,'-x",
    '',
  ]);
});
