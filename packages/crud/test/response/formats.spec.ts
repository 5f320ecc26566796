/** The format of a list, by the parameter or by the header, whose ranges are weighed as HTTP has it; lines of CSV, compared with those of csv-stringify. */
import { expect, test } from '@jest/globals';
import type { ParsedQuery } from '@nestwright/crud-request';
import { bareDefinition, type ResourceDefinition } from '../../src/definition/resource-definition.js';
import { beginExport } from '../../src/export/export-stream.js';
import { readExportFormat } from '../../src/export/format.js';
import { refusalOf, requestOf } from '../plan/plans.js';
import { stringify } from 'csv-stringify/sync';
import type { QueryOptions } from '../../src/definition/query-options.js';
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
  [' TEXT/CSV;Q=1.000 ', 'csv'],
  ['text/*', 'csv'],
  ['application/json, text/csv', undefined],
  ['text/csv;q=0.4, application/json;q=0.5', undefined],
  ['text/csv;q=0.400, */*;q=0.5', undefined],
  ['*/*, application/x-ndjson;q=1', 'ndjson'],
  // The most precise range counts for a type, not the one that is liked best.
  ['application/json;q=0.1, application/*, text/csv;q=0.5', 'ndjson'],
  ['text/csv;q=0.1, text/csv;q=0.9, application/json;q=0.5', 'csv'],
  ['text/csv;header=present;q=0.9, application/json;q=0.5', 'csv'],
  // No weights, and no ranges.
  ['text/csv;q=0', undefined],
  ['text/csv;q=0.1234', undefined],
  ['text/csv;q=1.1', undefined],
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

const writerOf = (catalog?: Catalog, query: QueryOptions = {}) => {
  const request = requestOf({ join: Object.keys(query.join ?? {}).map((field) => ({ field })) }, query);
  return csvWriter({ definition: bareDefinition(), catalog, request, proceed: () => undefined });
};
const write = async (records: readonly object[], ...of: Parameters<typeof writerOf>) =>
  (await writerOf(...of)({ records: () => records })).text;
const recordOf = (row: readonly unknown[]) => Object.fromEntries(row.map((cell, index) => [`c${index}`, cell]));
const print = (rows: readonly unknown[][], ...of: Parameters<typeof writerOf>) => write(rows.map(recordOf), ...of);

test('lines of CSV are those of csv-stringify', async () => {
  const rows = [
    ['a', 'é', 1, -1.5e21, null],
    ['', '"', ',', '\r', '\n'],
    [' ', ';', "'", '=', '😀'],
    ['b"c', 'd,e', 'carriage\rreturn', 'line\nfeed', 0],
  ];
  const header = rows[0]!.map((_, index) => `c${index}`);
  const options = { record_delimiter: 'windows', quote_record_delimiter: true, quoted_match: /^$/ } as const;
  const formulas: QueryOptions = { export: { formats: ['csv'], csv: { formulas: true } } };
  expect(await print(rows, undefined, formulas)).toBe(stringify([header, ...rows], options));
});

const catalog = catalogOf('Reading', [column('c0', 'decimal')]);

test.each([
  ['+1.5e-7', '+1.5e-7'],
  ['-00:30:00', '-00:30:00'],
  ['+012024-01-31T10:20:30.000Z', '+012024-01-31T10:20:30.000Z'],
  // A transformer may make anything of a number.
  ['=1-1', "'=1-1"],
  ['-1+cmd', "'-1+cmd"],
  ['\tx', "'\tx"],
  ['+012024-01-31T10:20:30.000Z+cmd', "'+012024-01-31T10:20:30.000Z+cmd"],
  ['x=1', 'x=1'],
])('%s of a column of numbers is %s, since a spreadsheet would run what is no number', async (sent, line) => {
  expect(await print([[sent]], catalog)).toBe(`c0\r\n${line}\r\n`);
});

test('of texts, numbers are defused too', async () => {
  expect(await print([['-5', 5, -5]])).toBe("c0,c1,c2\r\n'-5,5,-5\r\n");
});

test('a related record has a column for each of its fields, by what they are', async () => {
  const owner = catalogOf('Owner', [column('debt', 'decimal')]);
  const relations = [relation('owner', 'many-to-one', () => owner), relation('owners', 'one-to-many', () => owner)];
  const related = catalogOf('Reading', [column('c0', 'decimal')], relations);
  const records = [
    { c0: '1', owner: null },
    { c0: '2', owner: { debt: '-5', note: '-x' } },
    { c0: '3', owner: 'text' as never },
  ];
  const columns = ['c0', 'owner.debt', 'owner.note'];
  const text = await write(records, related, { join: { owner: {} } });
  expect(text.split('\r\n')).toEqual([columns.join(), '1,,', "2,-5,'-x", '3,,', '']);
  const cells = { columns, rows: () => records.map(({ c0, owner }) => [c0, owner?.debt ?? null, owner?.note ?? null]) };
  const byCells = await writerOf(related, { join: { owner: {} } })({ records: () => [], cells: () => cells });
  expect(byCells).toEqual({ text, rows: 3 });
  expect(await write([{ c0: '1' }], related, { join: { owners: { select: false } } })).toBe('c0\r\n1\r\n');
});

test.each<[value: unknown, ofText: string, ofJson?: string]>([
  ['x', 'x', '"""x"""'],
  [NaN, ''],
  [null, ''],
  [undefined, ''],
  [new Date(0), '1970-01-01T00:00:00.000Z', '"""1970-01-01T00:00:00.000Z"""'],
  [['a', 1], '"[""a"",1]"'],
])('of %p, a column of texts shows %j, one of JSON %j', async (value, ofText, ofJson = ofText) => {
  const of = catalogOf('Reading', [column('a', 'text'), column('b', 'json')]);
  expect(await write([{ a: value, b: value }], of)).toBe(`a,b\r\n${ofText},${ofJson}\r\n`);
});
