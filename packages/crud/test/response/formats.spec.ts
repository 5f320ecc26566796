/** The format of a list, by the parameter or by the header, whose ranges are weighed as HTTP has it; lines of CSV, compared with those of csv-stringify. */
import { expect, test } from '@jest/globals';
import type { ParsedQuery } from '@nestwright/crud-request';
import { bareDefinition, type ResourceDefinition } from '../../src/definition/resource-definition.js';
import { beginExport } from '../../src/export/export-stream.js';
import { readExportFormat } from '../../src/export/format.js';
import { refusalOf } from '../plan/plans.js';
import { stringify } from 'csv-stringify/sync';
import type { CrudRequest } from '../../src/crud-request.js';
import type { Catalog } from '../../src/adapter.js';
import { csvWriter } from '../../src/export/csv.js';
import { catalog as catalogOf, column, relation } from '../plan/catalogs.js';

const asked = (accept: unknown, formats = ['csv', 'ndjson'], parsed: Partial<ParsedQuery> = {}) => {
  const definition = { options: { query: { export: { formats } } } } as unknown as ResourceDefinition;
  return readExportFormat(definition, { headers: { accept } }, parsed as ParsedQuery);
};

test.each([
  [undefined, undefined],
  ['*/*', undefined],
  [' TEXT/CSV ', 'csv'],
  ['text/*', 'csv'],
  ['application/*', undefined],
  ['application/json, text/csv', undefined],
  ['text/csv;q=0.4, application/json;q=0.5', undefined],
  ['text/csv;q=0.400, */*;q=0.5', undefined],
  ['text/csv;q=1.000, */*', 'csv'],
  ['*/*, application/x-ndjson;q=1', 'ndjson'],
  // The most precise range counts for a type, not the one that is liked best.
  ['application/json;q=0.1, application/*, text/csv;q=0.5', 'ndjson'],
  ['text/csv;q=0.1, text/csv;q=0.9, application/json;q=0.5', 'csv'],
  ['text/csv;header=present;q=0.9, application/json;q=0.5', 'csv'],
  // No weights, and no ranges.
  ['text/csv;q=0', undefined],
  ['text/csv;q=0.1234', undefined],
  ['text/csv;q=1.1', undefined],
  ['text/csv;q=x', undefined],
  ['text /csv', undefined],
  ['text/csv/x', undefined],
])('%j is answered with %p', (accept, format) => expect(asked(accept)).toBe(format));

test('a format that the route has not is none, and refused by its name', () => {
  expect(asked('text/csv', ['ndjson'])).toBeUndefined();
  expect(asked('text/csv, application/x-ndjson', ['ndjson'])).toBe('ndjson');
  expect(asked('text/csv', ['csv'], { format: 'csv' })).toBe('csv');
  const refused = { code: 'CRUD_INVALID_QUERY', field: 'format', message: 'Invalid format. csv or ndjson expected' };
  expect(refusalOf(() => asked(undefined, undefined, { format: 'xml' }))).toMatchObject(refused);
});

test.each(['cursor', 'page', 'offset'] as const)('an export has the whole list, and no %s', (field) => {
  const part = { [field]: field === 'cursor' ? 'x' : 1 };
  const refused = { statusCode: 400, code: 'CRUD_INVALID_PAGINATION', field };
  expect(refusalOf(() => asked('text/csv', undefined, part))).toMatchObject(refused);
  expect(asked('application/json', undefined, part)).toBeUndefined();
});

test('as many exports run at a time as may, and each that ends lets another begin', () => {
  const busy = { statusCode: 503, code: 'CRUD_UNAVAILABLE' };
  const [end, endOther] = [beginExport(2), beginExport(2)];
  expect(refusalOf(() => beginExport(2))).toMatchObject(busy);
  // Once is enough.
  for (const again of [end, end]) again();
  const endLast = beginExport(2);
  expect(refusalOf(() => beginExport(2))).toMatchObject(busy);
  for (const each of [endOther, endLast]) each();
});

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

test('lines of CSV are those of csv-stringify', async () => {
  const rows = [
    ['a', 'é', 1, -1.5e21, null],
    ['', '"', ',', '\r', '\n'],
    [' ', ';', "'", '=', '😀'],
    ['b"c', 'd,e', 'carriage\rreturn', 'line\nfeed', 0],
  ];
  const header = rows[0]!.map((_, index) => `c${index}`);
  const options = { record_delimiter: 'windows', quote_record_delimiter: true, quoted_match: /^$/ } as const;
  expect(await print(rows)).toBe(stringify([header, ...rows], options));
});

const catalog = catalogOf('Reading', [column('c0', 'decimal')]);

test.each([
  ['+1.5e-7', '+1.5e-7'],
  ['-5E7', '-5E7'],
  ['-00:30:00', '-00:30:00'],
  ['+012024-01-31T10:20:30.000Z', '+012024-01-31T10:20:30.000Z'],
  // A transformer may make anything of a number.
  ['=1-1', "'=1-1"],
  ['-1+cmd', "'-1+cmd"],
  ['@x', "'@x"],
  ['\tx', "'\tx"],
  ['+012024-01-31T10:20:30.000Z+cmd', "'+012024-01-31T10:20:30.000Z+cmd"],
  ['x=1', 'x=1'],
])('%s of a column of numbers is %s, since a spreadsheet would run what is no number', async (sent, line) => {
  expect(await print([[sent]], { catalog, formulas: false })).toBe(`c0\r\n${line}\r\n`);
});

test('of texts, numbers are defused too', async () => {
  expect(await print([['-5', 5, -5]], { formulas: false })).toBe("c0,c1,c2\r\n'-5,5,-5\r\n");
});

test('a related record has a column for each of its fields, by what they are', async () => {
  const owner = catalogOf('Owner', [column('debt', 'decimal')]);
  const related = catalogOf('Reading', [column('c0', 'decimal')], [relation('owner', 'many-to-one', () => owner)]);
  const parts = { parsed: { join: [{ field: 'owner' }] }, options: { query: { join: { owner: {} } } } };
  const request = parts as unknown as CrudRequest;
  const records = [
    { c0: '1', owner: null },
    { c0: '2', owner: { debt: '-5', note: '-x' } },
  ];
  const write = csvWriter({ definition: bareDefinition(), catalog: related, request, proceed: () => undefined });
  const { text } = await write({ records: () => records });
  expect(text.split('\r\n')).toEqual(['c0,owner.debt,owner.note', '1,,', "2,-5,'-x", '']);
});
