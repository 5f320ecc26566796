/** Query, path, auth and options → the whole request that services execute; parameters that look misspelt are named in the log. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type ParamsOptions, RequestQueryException, type SCondition } from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../../src/evaluate-auth.js';
import type { QueryFilterFunction, QueryOptions } from '../../src/definition/query-options.js';
import { planRead } from '../../src/plan/read.js';
import { buildCrudRequest } from '../../src/request/build-request.js';
import { describeRequests, type RequestInput, type RouteSource } from '../../src/request/request-route.js';
import type { BaseRouteName } from '../../src/routes/route-table.js';
import { catalog, column, users } from '../plan/catalogs.js';
import { print } from '../plan/plans.js';
import { define, ID } from './definitions.js';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import { findNearName } from '../../src/definition/wording.js';

/** Default: a list. */
type Route = { route?: BaseRouteName | undefined };
type Input = Partial<Omit<RequestInput, 'route'>> & Partial<Omit<RouteSource, 'name'>> & Route;

const build = async ({ definition = define(), ...input }: Input = {}) => {
  const name = 'route' in input ? input.route : 'getManyBase';
  const route = describeRequests({ catalog: users, ...input, name, definition });
  return await buildCrudRequest({ query: {}, params: {}, http: {}, ...input, route });
};
const refusal = async (input: Input) => {
  try {
    await build(input);
  } catch (error) {
    if (error instanceof RequestQueryException) return [error.code, error.field ?? error.parameter];
    const { code, field } = (error as { getResponse(): { code: string; field?: string } }).getResponse();
    return [code, field];
  }
  throw new Error('Nothing was refused');
};

test('the whole request of a list', async () => {
  const definition = define(
    { join: { company: {} }, softDelete: true, filter: [{ field: 'isActive', operator: '$eq', value: true }] },
    { ...ID, companyId: { type: 'number' } },
  );
  const auth: EvaluatedAuth = {
    user: { id: 7 },
    filter: { role: 'admin' },
    relations: { company: { id: 1 }, 'company.users': false },
    persist: { companyId: 1 },
    groups: ['g'],
    classTransformOptions: { strategy: 'exposeAll' },
    checkWrites: true,
  };
  const sent =
    'filter=age||gte||18&fields=email&join=company||name&sort=email,DESC&limit=10&page=2&cache=0&includeDeleted=1&' +
    'other=x&extra.a=1';
  const query = Object.fromEntries(new URLSearchParams(sent));
  const inner = [{ isActive: { $eq: true } }, { age: { $gte: '18' } }];
  const request = await build({ query, params: { companyId: '1' }, definition, auth });
  expect(request).toEqual({
    parsed: {
      fields: ['email'],
      paramsFilter: [{ field: 'companyId', operator: '$eq', value: 1 }],
      authPersist: { companyId: 1 },
      authRelations: { company: { id: 1 }, 'company.users': false },
      classTransformOptions: { strategy: 'exposeAll', groups: ['g'] },
      search: { $and: [{ role: 'admin' }, { companyId: { $eq: 1 } }, ...inner] },
      filter: [{ field: 'age', operator: expect.stringContaining('gte'), value: '18' }],
      or: [],
      join: [{ field: 'company', select: ['name'] }],
      sort: [{ field: 'email', order: 'DESC' }],
      limit: 10,
      offset: undefined,
      page: 2,
      cache: 0,
      includeDeleted: 1,
      extra: { a: 1 },
    },
    options: definition.options,
    auth: { id: 7 },
    scope: { $and: [{ companyId: { $eq: 1 } }, { role: 'admin' }] },
    linkScope: { role: 'admin' },
  });
  expect(request.options).toBe(definition.options);
  const where = '(User.role eq $0 AND User.companyId eq $1 AND User.isActive eq $2 AND User.age gte $3)';
  expect(print(planRead(request, users, 'many').where)).toBe(where);
});

test('links to the same entity must satisfy the filter of @CrudAuth if the path has a key', async () => {
  const auth: EvaluatedAuth = { filter: { companyId: 1 }, checkWrites: false };
  const linkScope = async (of: EvaluatedAuth | undefined, params?: ParamsOptions) =>
    (await build({ auth: of, definition: define({}, params) })).linkScope;
  expect(await linkScope(auth)).toEqual({ companyId: 1 });
  expect([await linkScope({ ...auth, filter: {} }), await linkScope(undefined)]).toEqual([undefined, undefined]);
  for (const id of [{ primary: true, disabled: true }, { disabled: true }])
    expect(await linkScope(auth, { id })).toBeUndefined();
  expect(await linkScope(auth, { slug: { field: 'email', primary: true } })).toEqual({ companyId: 1 });
});

test.each<[Omit<EvaluatedAuth, 'checkWrites'> | undefined, QueryOptions, hidden: readonly string[] | undefined]>([
  [{ filter: { role: 'a' } }, { exclude: ['companyId'] }, ['companyId']],
  [{ relations: { company: { id: 1 } } }, { exclude: ['companyId', 'email'] }, ['companyId']],
  [{ filter: { role: 'a' } }, { exclude: ['email'] }, undefined],
  [{}, { exclude: ['companyId'] }, undefined],
])('with the auth %j and the options %j, the foreign keys that no answer shows are %j', async (of, query, hidden) => {
  const { hiddenKeys } = await build({ auth: of && { ...of, checkWrites: false }, definition: define(query) });
  expect(hiddenKeys).toEqual(hidden);
});

const broken = { filter: 'nope', or: 'nope', s: '[]', sort: 'nope', limit: 'x', page: 'x', offset: 'x' };
const auth: EvaluatedAuth = { filter: { companyId: 1 }, checkWrites: true };
const softDelete = define({ softDelete: true, join: { company: {} } });

test('a write of one record reads neither conditions nor paging', async () => {
  const route = 'updateOneBase';
  const query = { ...broken, fields: 'email', join: 'company', includeDeleted: '1' };
  const { parsed } = await build({ route, query, params: { id: '5' }, auth, definition: softDelete });
  const search = { $and: [{ companyId: 1 }, { id: { $eq: 5 } }] };
  expect(parsed).toMatchObject({ search, fields: ['email'], join: [{ field: 'company' }], includeDeleted: 1 });
  expect(parsed).toMatchObject({ filter: [], or: [], sort: [], limit: undefined });
});

test('one record is narrowed, but not sorted or paged', async () => {
  const one = { route: 'getOneBase' as const, params: { id: '5' } };
  const query = { sort: 'nope', limit: 'x', page: '0', offset: '-1', cursor: 'x', filter: 'age||gt||5' };
  const unknown = await refusal({ ...one, query: { filter: 'nope||eq||1' } });
  const { parsed } = await build({ ...one, query, definition: define({ cursor: true }) });
  expect(parsed.search).toEqual({ $and: [{ id: { $eq: 5 } }, { age: { $gt: '5' } }] });
  expect(parsed.cursor).toBeUndefined();
  expect(unknown).toEqual(['CRUD_UNKNOWN_FIELD', 'nope']);
  expect(await refusal({ ...one, params: { id: 'x' } })).toEqual(['CRUD_INVALID_PARAM', 'id']);
});

test('a write of all records that a condition matches reads it, but neither a part nor an order', async () => {
  const definition = define({}, ID, { updateManyBase: { byCondition: true } });
  const write = { route: 'updateManyBase' as const, definition };
  const search = { $and: [{ $and: [] }, { age: { $eq: '5' } }] };
  for (const name of ['filter', 'or'])
    expect((await build({ ...write, query: { [name]: 'age||eq||5' } })).parsed.search).toEqual(search);
  for (const [name, value] of Object.entries({ limit: '1', page: '1', offset: '1', sort: 'age' }))
    expect(await refusal({ ...write, query: { [name]: value } })).toEqual(['CRUD_INVALID_PAGINATION', name]);
});

test('a list is sorted by what answers do not show, but not with a cursor', async () => {
  const definition = define({ cursor: true, join: { company: { select: false } } });
  const sorted = { sort: 'company.name' };
  expect((await build({ definition, query: sorted })).parsed.sort).toHaveLength(1);
  const refused = await refusal({ definition, query: { ...sorted, cursor: '' } });
  expect(refused).toEqual(['CRUD_INVALID_QUERY', 'company.name']);
});

test.each<[string, 'number' | 'string' | 'uuid', string, unknown, known?: false]>([
  ['id', 'number', '9007199254740993', '9007199254740993'],
  ['uid', 'uuid', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ['small', 'number', '7', 7],
  ['nope', 'string', '7', '7'],
  ['id', 'number', '1.5', 1.5, false],
  ['id', 'string', '7', '7', false],
])('a path value has the type of its column, else that of the option: %s, %s, %s', async (...row) => {
  const [field, type, p, value, known = true] = row;
  const kinds = [column('id', 'bigint', { primary: true }), column('uid', 'uuid'), column('doc', 'json')];
  const of = known ? catalog('T', [...kinds, column('small', 'integer', { range: [0n, 9n] })]) : undefined;
  const { parsed } = await build({ definition: define({}, { p: { field, type } }), params: { p }, catalog: of });
  expect(parsed.paramsFilter[0]!.value).toBe(value);
});

test('the path finds nothing where the entity lacks the key that it names; what is disabled takes no part', async () => {
  const [params, of] = [{ id: 'x', x: '5' }, catalog('T', [column('uid', 'uuid'), column('age', 'integer')])];
  expect(await refusal({ params, catalog: of })).toEqual(['CRUD_NOT_FOUND', undefined]);
  const options: ParamsOptions = { id: { ...ID['id'], disabled: true }, x: { field: 'age', type: 'number' } };
  const { parsed } = await build({ params, catalog: of, definition: define({}, options) });
  expect(parsed.paramsFilter).toEqual([{ field: 'age', operator: '$eq', value: 5 }]);
});

const search = async (input: Input) => (await build(input)).parsed.search;
const client = { query: { filter: 'age||eq||5' } };

test('`or` lets through beside option and client, within path and filter', async () => {
  const auth = (more: Partial<EvaluatedAuth>): EvaluatedAuth => ({ checkWrites: true, ...more });
  const [either, age] = [{ role: 'admin' }, { age: { $eq: '5' } }];
  const definition = define({ filter: { isActive: true } });
  const inner = { $or: [either, { $and: [{ isActive: true }, age] }] };
  const within = await search({ ...client, definition, auth: auth({ filter: { companyId: 1 }, or: either }) });
  expect(within).toEqual({ $and: [{ companyId: 1 }, inner] });
  expect(await search({ auth: auth({ or: either }) })).toEqual({ $and: [] });
  expect(await search({ ...client, auth: auth({ or: {}, filter: {} }) })).toEqual({ $and: [age] });
});

test('a filter function is given the client’s condition, checked, and replaces it', async () => {
  const [http, filter] = [{ http: true }, jest.fn<QueryFilterFunction>()];
  const run = async (result: ReturnType<QueryFilterFunction>, input: Input = client) => {
    filter.mockReset().mockReturnValue(result);
    return search({ ...input, http, definition: define({ filter }) });
  };
  expect(await run({ age: 6 })).toEqual({ $and: [{ age: 6 }] });
  expect(filter).toHaveBeenCalledWith({ age: { $eq: 5 } }, true, http);
  expect([await run(undefined), await run({})]).toEqual([{ $and: [] }, { $and: [] }]);
  const written = await run({ age: 6 }, { route: 'updateOneBase', params: { id: '1' } });
  expect(written).toEqual({ $and: [{ id: { $eq: 1 } }, { age: 6 }] });
  expect(filter).toHaveBeenCalledWith(undefined, false, http);
  expect(await run(Promise.resolve<SCondition>({ age: 7 }))).toEqual({ $and: [{ age: 7 }] });
  filter.mockReset().mockRejectedValue(new Error('mine'));
  await expect(search({ definition: define({ filter }) })).rejects.toThrow('mine');
  const refused = await refusal({ query: { filter: 'nope||eq||1' }, definition: define({ filter }) });
  expect(refused).toEqual(['CRUD_UNKNOWN_FIELD', 'nope']);
  // Of a list of filters, a value that is missing stays, and matches nothing.
  const missing = define({ filter: [{ field: 'companyId', operator: '$eq', value: undefined }] });
  expect(await search({ definition: missing })).toStrictEqual({ $and: [{ companyId: { $eq: undefined } }] });
});

test('the scope is path and filter, without the option’s, and a key that no body overrides', async () => {
  const params = { ...ID, companyId: { type: 'number' as const } };
  const path = { id: '5', companyId: '1' };
  const auth: EvaluatedAuth = { filter: { role: 'admin' }, checkWrites: true };
  const scope = async (input: Input) =>
    (await build({ params: path, route: 'updateOneBase', auth, definition: define({}, params), ...input })).scope;
  const [id, companyId, role] = [{ id: { $eq: 5 } }, { companyId: { $eq: 1 } }, { role: 'admin' }];

  const all = { $and: [id, companyId, role] };
  expect(await scope({ definition: define({ filter: { age: 5 } }, params) })).toEqual(all);
  expect(await scope({ auth: { ...auth, checkWrites: false } })).toEqual({ $and: [id, companyId] });
  const overriding = define({}, params, { updateOneBase: { allowParamsOverride: true } });
  for (const verb of ['One', 'Many'] as const) {
    expect(await scope({ definition: overriding, route: `update${verb}Base` })).toEqual({ $and: [id, role] });
    expect(await scope({ definition: overriding, route: `replace${verb}Base` })).toEqual(all);
  }
});

test('without a key, what `@CrudAuth` says is all there is', async () => {
  const auth: EvaluatedAuth = { filter: { role: 'admin' }, checkWrites: true };
  const definition = define({}, { id: { disabled: true } });
  const unfiltered = { filter: {}, checkWrites: true };
  expect(await refusal({ route: 'getOneBase', definition })).toEqual(['CRUD_NOT_FOUND', undefined]);
  expect((await refusal({ route: 'updateOneBase', definition, auth: unfiltered }))[0]).toBe('CRUD_NOT_FOUND');
  expect((await build({ route: 'getOneBase', definition, auth })).parsed.search).toEqual({ $and: [auth.filter] });
  expect((await build({ route: 'getManyBase', definition })).parsed.search).toEqual({ $and: [] });
});

const environment = process.env['NODE_ENV'];
let warn: jest.SpiedFunction<Logger['warn']>;
const warnings = () => warn.mock.calls.map(([text]) => text as string);

beforeEach(() => void (warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined)));
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
