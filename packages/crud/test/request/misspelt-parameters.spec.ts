/** Query parameters that look like misspelt ones are named in the log. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import { findNearName } from '../../src/definition/wording.js';
import { buildCrudRequest } from '../../src/request/build-request.js';
import { describeRequests } from '../../src/request/request-route.js';
import type { BaseRouteName } from '../../src/routes/route-table.js';
import { define } from './definitions.js';

const environment = process.env['NODE_ENV'];
let warn: jest.SpiedFunction<Logger['warn']>;
const warnings = () => warn.mock.calls.map(([text]) => text as string);

beforeEach(() => {
  warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  warn.mockRestore();
  process.env['NODE_ENV'] = environment;
});

const send = async (definition: ResourceDefinition, query: unknown, name: BaseRouteName = 'getManyBase') => {
  const params: Record<string, string> = name === 'getOneBase' ? { id: '1' } : {};
  await buildCrudRequest({ query, params, http: {}, route: describeRequests({ name, definition }) });
};

test.each([
  ['filter', ['fliter', 'filte', 'filters', 'Filter']],
  ['page', ['xpage']],
  [undefined, ['filter', 'flitre', 'fltr', 'orr', '']],
])('the name one edit from %s', (meant, names) => {
  for (const name of names) expect([name, findNearName(name, ['or', 's', 'filter', 'page'])]).toEqual([name, meant]);
});

test('a parameter that is one edit from a known one is logged once for a resource', async () => {
  const definition = define();
  await send(definition, { fliter: 'id||eq||1', sort: 'id', locale: 'de' });
  await send(definition, { fliter: 'id||eq||2', 'limti[]': '5' });
  expect(warnings()).toEqual([
    'User: a request has the unknown query parameter "fliter", which is ignored. Did the client mean filter?',
    'User: a request has the unknown query parameter "limti", which is ignored. Did the client mean limit?',
  ]);
});

test('it is compared with the parameters that the route reads, and not one of `extra`, nor in production', async () => {
  await send(define(), { cursr: '', formt: 'csv', 'extra.a': '1', 'extra.b[]': '2' });
  await send(define(), { sorf: 'id' }, 'getOneBase');
  await send({ ...define(), language: { paramNamesMap: { extra: ['li'] } } }, { limi: '1' });
  for (const none of [undefined, null, 'limi']) await send(define(), none);
  process.env['NODE_ENV'] = 'production';
  await send(define(), { fliter: 'id||eq||1' });
  expect(warnings()).toEqual([]);
});

test('a hundred names are kept', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `filter${String.fromCharCode(0x4e00 + index)}`);
  await send(define(), Object.fromEntries(names.map((name) => [name, '1'])));
  expect(warnings()).toHaveLength(100);
});
