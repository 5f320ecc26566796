/** The format of a list: by the parameter, or by the header, whose ranges are weighed as HTTP has it; how many exports run. */
import { expect, test } from '@jest/globals';
import type { ParsedQuery } from '@nestwright/crud-request';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import { beginExport } from '../../src/export/export-stream.js';
import { readExportFormat } from '../../src/export/format.js';
import { refusalOf } from '../plan/plans.js';

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
