/** Every option of a resource, of its scope and of all resources: what it changes over HTTP on a real database. An option without a row fails the suite, and a name that the entity does not have stops the start in each. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { HttpException } from '@nestjs/common';
import { type AuthOptions, CrudConfigService, CrudRoutesFactory, type JoinOptions } from '@nestwright/crud';
import { RequestQueryBuilder } from '@nestwright/crud-request';
import { Expose, Transform } from 'class-transformer';
import { IsEmpty } from 'class-validator';
import { GLOBAL_STATE_KEY } from '../../../crud/src/constants.js';
import { TEXTS } from '../../../crud/src/definition/option-kinds.js';
import { OPTION_PATHS, OPTION_ROWS } from '../../../crud/test/support/option-paths.js';
import { QUERY_ROWS } from './query-rows.js';
import { ROUTE_ROWS } from './route-rows.js';
import { asks, Company, documents, having, inCompany, Named, type Row, stage, stopAll, Token, TOKEN } from './stage.js';

const ALL = ['Ada', 'Bea', 'Cid', 'Dot'];
const HALF = { half: { query: (column: string, param: string) => `${column} = ${param} / 2` } };
const OPERATORS = { custom: HALF };
const BY_NAME = { name: { field: 'name', type: 'string', primary: true } } as const;
const SHORT = { operationIds: 'short', schemas: 'short' } as const;
const TEAPOT = () => new HttpException('own', 418);
const ONE_AT_A_TIME = { global: { query: { limit: 1 } } };

/** A row of a class of answers that shows the age by one option, and hides it by another. */
function ageShownBy(decorate: PropertyDecorator, showing: AuthOptions, hiding: AuthOptions): Row {
  class Shown {}
  decorate(Shown.prototype, 'age');
  return asks(
    [{ serialize: { get: Shown } }, { '/users/1': having({ age: 30 }) }, { auth: showing }],
    [{ serialize: { get: Shown } }, { '/users/1': expect.not.objectContaining({ age: 30 }) }, { auth: hiding }],
  );
}

const ROWS: Record<string, Row> = {
  ...ROUTE_ROWS,
  ...QUERY_ROWS,
  'model.type': asks(
    [{}, { '/users/9': having({ message: 'User not found' }) }],
    [{}, { '/companies/9': having({ message: 'Company not found' }) }, { entity: Company, path: 'companies' }],
  ),
  'dto.create': asks([
    { dto: { create: Named } },
    { 'post /users {"age":3}': 400, 'post /users/bulk {"bulk":[{"age":3}]}': 400, 'put /users/1 {"age":3}': 400 },
  ]),
  'dto.update': asks([
    { dto: { update: Named } },
    { 'patch /users/1 {"age":3}': 400, 'put /users/1 {"name":"A"}': 200, 'patch /users/1 {"name":"A"}': 200 },
  ]),
  'dto.replace': async (serve) => {
    class Nameless {
      @IsEmpty() email?: string;
    }

    const { api } = await serve({ dto: { create: Named, replace: Nameless } });
    await api.put('/users/1', { name: 'A', email: 'e' }).expect(400);
    await api.post('/users', { name: 'A', email: 'e' }).expect(201);
  },
  routesFactory: async (serve) => {
    class Elsewhere extends CrudRoutesFactory {
      protected override getRoutesSchema() {
        const moved = { getManyBase: { path: '/all' } } as Record<string, object>;
        return super.getRoutesSchema().map((route) => ({ ...route, ...moved[route.name] }));
      }
    }

    await asks([{ routesFactory: Elsewhere }, { '/users/all': ALL, '/users': 404 }])(serve);
  },
  'params.*.field': asks([inCompany()[0], { '/companies/1/users': ['Ada', 'Bea'] }, inCompany()[1]]),
  'params.*.type': asks(
    [inCompany()[0], { '/companies/1x/users': 400 }, inCompany()[1]],
    ...(['uuid', 'string'] as const).map((type): Parameters<typeof asks>[0] => [
      { params: { id: { type, primary: true } } },
      { '/tokens/12': type === 'uuid' ? 400 : 404, [`/tokens/${TOKEN}`]: 200 },
      { entity: Token, path: 'tokens' },
    ]),
  ),
  'params.*.enum': asks([
    { params: { role: { type: 'string', enum: { Owner: 'owner', Guest: 'guest' } } } },
    { '/guest/users': ['Bea', 'Cid', 'Dot'], '/admin/users': 400 },
    { path: ':role/users' },
  ]),
  'params.*.primary': asks([{ params: BY_NAME }, { '/users/Bea': having({ id: 2 }), '/users/2': 404 }]),
  'params.*.disabled': asks([
    { params: { company: { field: 'companyId', type: 'number', disabled: true } } },
    { '/companies/1/users': ALL, '/companies/any/users': ALL },
    inCompany()[1],
  ]),
  validation: asks(
    [{ dto: { create: Named }, validation: false }, { 'post /users {"name":"E","age":1}': 201 }],
    [{ dto: { create: Named }, validation: { errorHttpStatusCode: 422 } }, { 'post /users {}': 422 }],
    [{ dto: { create: Named }, validation: { exceptionFactory: TEAPOT } }, { 'post /users {}': 418 }],
  ),
  'operators.custom': asks([{ operators: OPERATORS }, { '/users?filter=age||half||40': ['Bea'] }]),
  'openapi.operationIds': documents(
    [{}, {}, 'getManyBaseResourceControllerUser'],
    [{ openapi: { operationIds: 'short' } }, {}, 'getManyUsers'],
  ),
  'openapi.schemas': documents([{}, {}, 'GetManyUserResponseDto'], [{ openapi: { schemas: 'short' } }, {}, 'UserPage']),
  'openapi.singular': documents([{ openapi: { ...SHORT, singular: 'Member' } }, {}, 'getOneMember', 'MemberPage']),
  'openapi.plural': documents([{ openapi: { ...SHORT, plural: 'People' } }, {}, 'getOneUser', 'getManyPeople']),
  'global.query': asks([{}, { '/users': ['Ada'] }, ONE_AT_A_TIME]),
  'global.routes': asks([{}, { '/users/1': 404, '/users': 200 }, { global: { routes: { exclude: ['getOneBase'] } } }]),
  'global.params': asks([{}, { '/users/Cid': having({ id: 3 }) }, { global: { params: BY_NAME } }]),
  'global.auth': asks(
    [{}, { '/users/1': 404 }, { global: { auth: { filter: () => ({ role: 'guest' }) } } }],
    [{}, { '/users': ['Ada'] }, { auth: { filter: () => ({ id: 1 }) } }],
  ),
  'global.serialize': async (serve) => {
    class Loud {
      @Transform(({ value }: { value: string }) => value.toUpperCase()) name!: string;
    }

    const { names } = await serve({}, { global: { serialize: { getMany: Loud } } });
    expect(await names()).toEqual(ALL.map((name) => name.toUpperCase()));
  },
  'global.validation': async (serve) => {
    const global = { validation: { errorHttpStatusCode: 422, disableErrorMessages: true } } as const;
    const { api } = await serve({ dto: { create: Named }, validation: { errorHttpStatusCode: 418 } }, { global });
    expect((await api.post('/users', {}).expect(418)).body).not.toHaveProperty('field');
    await (await serve({}, { global: { validation: false } })).api.post('/users', { name: 'Eva' }).expect(201);
  },
  'global.queryParser': asks([
    {},
    { '/users?where=name~$eq~Cid': ['Cid'], '/users?filter=name~$eq~Cid': ALL, '/users?where=name||$eq||Cid': 400 },
    { global: { queryParser: { delim: '~', paramNamesMap: { filter: ['where'] } } } },
  ]),
  'global.openapi': documents(
    [{}, { global: { openapi: { operationIds: 'short' } } }, 'getOneUser'],
    [{ openapi: { operationIds: 'long' } }, {}, 'getOneBaseResourceControllerUser'],
  ),
  'global.events': (serve) =>
    expect(serve({}, { global: { events: true } })).rejects.toThrow('the application has no EventEmitter2'),
  'global.etagSecret': async (serve) => {
    const { api } = await serve({ query: { etag: true } }, { global: { etagSecret: 'one' } });
    const row = async () => ((await api.get('/users/1').expect(200)).headers['etag'] as string).split('.')[0];
    const before = await row();
    CrudConfigService.load({ etagSecret: 'two' });
    expect(await row()).not.toBe(before);
  },
  'global.operators': asks([{}, { '/users?filter=age||half||40': ['Bea'] }, { global: { operators: OPERATORS } }]),
  'auth.property': asks(
    [{}, { '/users': ['Ada'] }, { auth: { filter: ({ headers }: { headers?: object }) => ({ id: headers ? 1 : 9 }) } }],
    // Nobody has logged in: there is no such property.
    [{}, { '/users': ['Bea'] }, { auth: { property: 'user', filter: (user?: object) => (user ? {} : { id: 2 }) } }],
    // Nobody has logged in: there is no such property.
    [{}, { '/users': ['Bea'] }, { auth: { property: 'user', filter: (user?: object) => (user ? {} : { id: 2 }) } }],
  ),
  'auth.filter': asks([
    {},
    {
      '/users?or=id||$gt||0': ['Ada', 'Bea'],
      '/users/3': 404,
      'patch /users/3 {"age":1}': 404,
      'delete /users/3': 404,
    },
    { auth: { filter: () => ({ companyId: 1 }) } },
  ]),
  'auth.or': asks([{}, { '/users?filter=name||$eq||Ada': ['Ada', 'Dot'] }, { auth: { or: () => ({ name: 'Dot' }) } }]),
  'auth.relations.*': async (serve) => {
    const relations = { company: async () => Promise.resolve({ name: 'Acme' }) };
    const made = await serve({ query: { join: { company: {} } } }, { auth: { relations } });
    const companies = { Ada: { name: 'Acme' }, Bea: { name: 'Acme' }, Cid: null, Dot: null };
    const shown = Object.entries(companies).map(([name, company]) => ({ name, company }));
    expect(await made.read('/users?join=company&fields=name')).toMatchObject(shown);
    expect(await made.names('/users?filter=company.name||$eq||Beta')).toEqual([]);
    await expect(serve({}, { auth: { relations: { country: false } } })).rejects.toThrow('relations names "country"');
  },
  'auth.relations.*.filter': asks(
    ...[() => ({ name: 'Acme' }), false as const].map((filter): Parameters<typeof asks>[0] => [
      { query: { join: { company: {} } } },
      { '/users?filter=company.id||$isnull': filter ? ['Cid', 'Dot'] : ['Dot'] },
      { auth: { relations: { company: { filter } } } },
    ]),
  ),
  'auth.relations.*.persist': async (serve) => {
    const made = await serve({}, { auth: { relations: { company: { persist: () => ({ code: 'set' }) } } } });
    await made.api.post('/users', { name: 'Eva', company: { name: 'New', code: 'sent' } }).expect(201);
    expect(await made.source.getRepository(Company).findOneBy({ name: 'New' })).toMatchObject({ code: 'set' });
  },
  'auth.persist': async (serve) => {
    const made = await serve({}, { auth: { persist: () => ({ companyId: 2 }) } });
    await made.api.post('/users', { name: 'Eva', companyId: 1 }).expect(201);
    expect(await made.stored(5)).toMatchObject({ companyId: 2 });
    await made.api.patch('/users/1', { age: 3 }).expect(200);
    expect(await made.stored(1)).toMatchObject({ companyId: 2 });
  },
  'auth.groups': ageShownBy(Expose({ groups: ['staff'] }), { groups: () => ['staff'] }, { groups: () => [] }),
  'auth.classTransformOptions': ageShownBy(
    Expose({ since: 2 }),
    { classTransformOptions: () => ({ version: 2 }) },
    { classTransformOptions: () => ({ version: 1 }) },
  ),
  'auth.checkWrites': async (serve) => {
    const filter = () => ({ companyId: 1 });
    const strict = await serve({}, { auth: { filter } });
    const lax = await serve({}, { auth: { filter, checkWrites: false } });
    expect((await strict.api.patch('/users/1', { companyId: 2 }).expect(400)).body.code).toBe('CRUD_OUT_OF_SCOPE');
    expect(await strict.stored(1)).toMatchObject({ companyId: 1 });
    await lax.api.patch('/users/1', { companyId: 2 }).expect(200);
    expect(await lax.stored(1)).toMatchObject({ companyId: 2 });
  },
};

const LANGUAGE = RequestQueryBuilder.getOptions();
// Each application begins without the configuration of the one before.
const forget = (): void => {
  delete (globalThis as { [GLOBAL_STATE_KEY]?: unknown })[GLOBAL_STATE_KEY];
  RequestQueryBuilder.setOptions(LANGUAGE);
};

beforeEach(forget);
afterEach(async () => {
  forget();
  await stopAll();
});

test('there is a row for every option, and none for what is no option; the reference names each', () => {
  expect(Object.keys(ROWS).toSorted()).toEqual(OPTION_PATHS.toSorted());
  const reference = readFileSync(new URL('../../../../docs/reference/README.md', import.meta.url), 'utf8');
  const named = new Set([...reference.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(/[^A-Za-z]+/)));
  expect(OPTION_PATHS.filter((path) => !named.has(path.replace(/\.\*$/, '').split('.').at(-1) ?? ''))).toEqual([]);
});

test.each(Object.entries(ROWS))('option %s', async (_, row) => {
  await row((options = {}, more = {}) => stage({ options, ...more }));
});

const LISTS = [...OPTION_ROWS].filter(([path, { shape }]) => shape === TEXTS && !/^(auth|global)/.test(path));

const at = (path: string, value: unknown): object =>
  path.split('.').reduceRight((inner, key) => ({ [key === '*' ? 'company' : key]: inner }), value) as object;

test.each([
  ...LISTS.map(([path]): [string, unknown] => [path, ['nope']]),
  ['query.filter', { nope: 1 }],
  ['query.aggregate.functions', { nope: ['count'] }],
] as [string, unknown][])('no unknown name is taken by %s', async (option, value) => {
  const [group = ''] = option.split('.*')[0]!.split('.').slice(-1);
  const mistake = new RegExp(`ResourceController: \\S*${group}\\b.*\\bnope\\b`);
  await expect(stage({ options: at(option, value) })).rejects.toThrow(mistake);
});

const BY_PATH: JoinOptions = { users: {}, 'users.company': {} };
const BETA = [200, [{ name: 'Beta', users: [{ company: { name: 'Beta' } }] }]];
const unknown = (field: string, message = 'Unknown field') => [400, { code: 'CRUD_UNKNOWN_FIELD', message, field }];

// In requests, relations go by their paths and aliases, and by the last segment of a path where the request joins it.
test.each<[JoinOptions, query: string, answer: unknown[]]>([
  [BY_PATH, 'filter=company.name||eq||A', unknown('company.name', 'Unknown field. Did you mean users.company.name?')],
  [BY_PATH, 's={"company.name":"Beta"}&join=users&join=users.company||name||on[0]=company.id||gt||1', BETA],
  // What clients may not name is not suggested.
  [{ ...BY_PATH, 'users.company': { exclude: ['code'] } }, 'filter=company.code||eq||secret', unknown('company.code')],
  [{ ...BY_PATH, 'users.company': { alias: 'employer' } }, 'join=employer&filter=employer.name||eq||Beta', BETA],
])('with the joins %j, %s is answered by %j', async (join, asked, answer) => {
  const { api } = await stage({ entity: Company, path: 'companies', options: { query: { join } } });
  const { status, body } = await api.get(`/companies?${asked}`);
  expect([status, body]).toMatchObject(answer);
});
