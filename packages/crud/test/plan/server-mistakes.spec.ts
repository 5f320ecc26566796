/** Conditions, and options that code of the application may change, with mistakes → the error: a 500 and a line in the log for what the application wrote, a 400 for what a client or an override did. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { HttpException, Logger } from '@nestjs/common';
import type { SCondition } from '@nestwright/crud-request';
import type { CrudRequest } from '../../src/crud-request.js';
import type { QueryOptions } from '../../src/definition/query-options.js';
import { giveOwnOptions, optionsOf, requestToPlan } from '../../src/plan/changed-options.js';
import { markClientCondition, markServerCondition } from '../../src/plan/condition-origins.js';
import { planRead } from '../../src/plan/read.js';
import { define } from '../request/definitions.js';
import { users } from './catalogs.js';
import { refusalOf, requestOf } from './plans.js';

const OPERATORS =
  'eq, eqL, ne, neL, gt, gtL, lt, ltL, gte, gteL, lte, lteL, in, inL, notin, notinL, isnull, notnull, between, betweenL';
const NO_CONT = `birthDate does not take the operator cont; allowed: ${OPERATORS}`;
const MISTAKES: [name: string, condition: unknown, said: string][] = [
  ['an unknown field', { nope: 1 }, 'Unknown field "nope"'],
  ['an unknown operator', { age: { $nope: 1 } }, 'Unknown operator "age"'],
  ['an operator that the column does not take', { birthDate: { $cont: '1' } }, NO_CONT],
  ['too few values', { age: { $between: [1] } }, 'Invalid search value "age"'],
  ['a value that the column cannot hold', { age: 'abc' }, 'age must be an integer'],
  ['a list in the place of a condition', [{ age: 1 }], 'Invalid search param. JSON expected'],
  ['a mistake at any depth', { $not: { $and: [{ age: 1 }, { $or: [{ nope: 1 }] }] } }, 'Unknown field "nope"'],
];

let lines: jest.SpiedFunction<Logger['error']>;
let minute = 0;

beforeEach(() => {
  lines = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  // What one test had logged, the next is not to find logged already.
  minute += 2;
  jest.spyOn(Date, 'now').mockReturnValue(minute * 60_000);
});

afterEach(() => void jest.restoreAllMocks());

function statusOf(search: unknown): number {
  try {
    planRead(requestOf({ search: search as SCondition }, { join: { company: {} } }), users, 'many');
  } catch (error) {
    if (error instanceof HttpException) return error.getStatus();
    // Of the query language, which answers with 400.
    if ((error as Error).name === 'RequestQueryException') return 400;
    throw error;
  }
  return 200;
}

describe.each(MISTAKES)('%s', (_, condition, said) => {
  test('in a condition of the application is a 500, also in one on related records', () => {
    markServerCondition(condition, 'User');
    expect([statusOf(condition), statusOf({ $and: [{ $or: [{ age: 1 }, condition] }] })]).toEqual([500, 500]);
    expect(lines.mock.calls).toEqual([
      [`A condition on User that the application wrote is wrong: ${said}. Check @CrudAuth and query.filter.`],
    ]);
    const authRelations = { 'company.users': structuredClone(condition) as SCondition };
    const request = requestOf({ authRelations, join: [{ field: 'company.users' }] }, { join: { 'company.users': {} } });
    expect(() => planRead(request, users, 'many')).toThrow('Internal server error');
  });

  test("is the client's in what a client sent, also within a condition of the application, or an override put there", () => {
    const sent = structuredClone(condition);
    const around = { $and: [sent, { age: 1 }] };
    expect(statusOf(around)).toBe(400);
    markClientCondition(sent);
    markServerCondition(around, 'User');
    expect(statusOf(around)).toBe(400);
    expect(lines).not.toHaveBeenCalled();
  });
});

test('a text in the place of a condition is a mistake of the application, and nothing is none', () => {
  expect(() => markServerCondition('text', 'User')).toThrow('Internal server error');
  expect(String(lines.mock.calls[0])).toContain('"text" is not a condition');
  for (const nothing of [undefined, null]) expect(markServerCondition(nothing, 'User')).toBeUndefined();
});

test('one mistake is logged once a minute, another one separately; a fixed number of them is remembered', () => {
  const now = jest.spyOn(Date, 'now');
  const log = (field: string, time: number) => {
    now.mockReturnValue(1e12 + time);
    const condition = { [field]: 1 };
    markServerCondition(condition, 'User');
    statusOf(condition);
  };
  for (const time of [0, 30_000, 59_999]) log('one', time);
  log('two', 59_999);
  expect(lines).toHaveBeenCalledTimes(2);
  log('one', 60_000);
  expect(lines).toHaveBeenCalledTimes(3);
  for (let index = 0; index < 100; index++) log(`nope${index}`, 60_001);
  log('one', 60_001);
  expect(lines).toHaveBeenCalledTimes(104);
});

const filter = () => ({ id: 1 });
const schema = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } };
const moment = new Date(0);
const owning = (query: QueryOptions): CrudRequest =>
  giveOwnOptions({ ...requestOf(), options: define(query).options } as CrudRequest);

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

test.each<[string, QueryOptions, said: string]>([
  ['of their form', { limit: 0 }, 'query.limit is 0, but must be an integer above 0'],
  ['beside the entity', { softDelete: true }, 'query.softDelete is true, but User has no delete-date column'],
  ['of a feature', { cache: 7 }, 'the feature has no 7 in User'],
])('mistakes %s in changed options are of the server', (_, change, said) => {
  const request = owning({});
  Object.assign(request.options.query!, change);
  const check: Parameters<typeof requestToPlan>[2] = [
    ({ options: { query } }, { model }) => (query.cache ? [`the feature has no ${query.cache} in ${model}`] : []),
  ];
  const answer = { statusCode: 500, message: 'Internal server error' };
  expect(refusalOf(() => requestToPlan(request, users, check))).toEqual(answer);
  expect(String(lines.mock.calls)).toContain(said);
});

test('options that are not a copy for one request are not checked again', () => {
  const request = requestOf({}, { softDelete: true, limit: 0 });
  expect(requestToPlan(request, users)).toBe(request);
});
