/** The options of a request that code of the application may change → those that it is planned with, and mistakes in them. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CrudRequest } from '../../src/crud-request.js';
import type { QueryOptions } from '../../src/definition/query-options.js';
import { giveOwnOptions, optionsOf, requestToPlan } from '../../src/plan/changed-options.js';
import { define } from '../request/definitions.js';
import { users } from './catalogs.js';
import { refusalOf, requestOf } from './plans.js';

const filter = () => ({ id: 1 });
const schema = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } };
const moment = new Date(0);
const owning = (query: QueryOptions): CrudRequest =>
  giveOwnOptions({ ...requestOf(), options: define(query).options } as CrudRequest);

let error: ReturnType<typeof jest.spyOn>;
beforeEach(() => void (error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined)));
afterEach(() => void jest.restoreAllMocks());

test('a request has a deep copy of frozen options, which shares functions, schemas and instances', () => {
  const query = { filter, sort: [{ field: 'id', order: 'ASC' }], schema, moment } as QueryOptions;
  const { options } = define(query);
  const request = giveOwnOptions({ ...requestOf(), options } as CrudRequest);
  expect(request.options).toEqual(options);
  const own = request.options.query as typeof query & { schema: unknown; moment: unknown };
  expect([request.options === options, own === query, own.sort === query.sort]).toEqual([false, false, false]);
  expect([own.sort![0] === query.sort![0], own.filter === filter]).toEqual([false, true]);
  expect([own.schema === schema, own.moment === moment, Object.isFrozen(own)]).toEqual([true, true, false]);
  const again = request.options;
  expect(giveOwnOptions(request).options).toBe(again);
});

test('an unchanged copy is planned as its original, a changed one as it is', () => {
  const request = owning({ limit: 5 });
  const original = optionsOf(request)!;
  expect([original === request.options, Object.isFrozen(original)]).toEqual([false, true]);
  expect(requestToPlan(request, users)).toEqual({ ...request, options: original });
  expect(requestToPlan(request, users).options).toBe(original);
  request.options.query!.limit = 6;
  expect([optionsOf(request), requestToPlan(request, users)]).toEqual([request.options, request]);
  expect(requestToPlan(request, users)).toBe(request);
  expect(optionsOf({} as CrudRequest)).toBeUndefined();
});

test.each<[string, QueryOptions, mistake: string]>([
  ['of their form', { limit: 0 }, 'query.limit is 0, but must be an integer above 0'],
  ['beside the entity', { softDelete: true }, 'query.softDelete is true, but User has no delete-date column'],
  ['of a feature', { cache: 7 }, 'the feature has no 7 in User'],
])('mistakes %s in changed options are of the server', (_, change, mistake) => {
  const request = owning({});
  Object.assign(request.options.query!, change);
  const check: Parameters<typeof requestToPlan>[2] = [
    ({ options: { query } }, { model }) => (query.cache ? [`the feature has no ${query.cache} in ${model}`] : []),
  ];
  const answer = { statusCode: 500, message: 'Internal server error' };
  expect(refusalOf(() => requestToPlan(request, users, check))).toEqual(answer);
  expect(String(error.mock.calls)).toContain(mistake);
});

test('options that no request has a copy of are planned unchecked', () => {
  const request = requestOf({}, { softDelete: true, limit: 0 });
  expect(requestToPlan(request, users)).toBe(request);
});
