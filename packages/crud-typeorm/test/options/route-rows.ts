/** What the options of `routes` and `serialize` change, a row for each. */
import { expect } from '@jest/globals';
import { type CallHandler, type ExecutionContext, Header } from '@nestjs/common';
import type { BaseRouteName } from '@nestwright/crud';
import { ANSWERING, asks, having, inCompany, join, Named, NoEmail, REQUESTS, type Row, ROUTE_NAMES } from './stage.js';
import { type Stage, Token, TOKEN, User } from './stage.js';

type Rows = Record<string, Row>;
type Send = (stage: Stage) => ReturnType<Stage['api']['get']>;

/** A row of an option for each of several routes. */
const rowsOf = <Route extends string>(option: string, routes: readonly Route[], row: (route: Route) => Row): Rows =>
  Object.fromEntries(routes.map((route) => [`routes.${route}.${option}`, row(route)]));
const routesOf = <Route extends string>(table: Readonly<Record<Route, unknown>>) => Object.keys(table) as Route[];
const CHANGE = ['updateOneBase', 'replaceOneBase', 'updateManyBase', 'replaceManyBase'] as const;
const WRITE = ['createOneBase', ...CHANGE] as const;

const TWO = {
  createManyBase: ({ api }) => api.post('/users/bulk', { bulk: [{ name: 'Eva' }, { name: 'Eve' }] }),
  updateManyBase: ({ api }) => api.patch('/users/bulk', { bulk: [{ id: 1, age: 31 }, { id: 2 }] }),
  replaceManyBase: ({ api }) => api.put('/users/bulk', { bulk: [1, 2].map((id) => ({ id, name: 'Eva' })) }),
  deleteManyBase: ({ api }) => api.delete('/users/bulk').send({ bulk: [{ id: 1 }, { id: 2 }] }),
  recoverManyBase: ({ api }) => api.patch('/users/bulk/recover', { bulk: [{ id: 1 }, { id: 2 }] }),
} satisfies Record<string, Send>;

/** Requests that write the three users of thirty or less. */
const MATCH = {
  updateManyBase: ({ api }) => api.patch('/users/bulk?filter=age||lte||30', { set: { role: 'young' } }),
  deleteManyBase: ({ api }) => api.delete('/users/bulk?filter=age||lte||30'),
} satisfies Record<string, Send>;

const TOKENS = {
  createOneBase: ({ api }) => api.post('/users', { id: TOKEN, label: 'two' }),
  createManyBase: ({ api }) => api.post('/users/bulk', { bulk: [{ id: TOKEN, label: 'two' }] }),
} satisfies Record<string, Send>;

/** The route of one record whose options hold for the route of many, too. */
const oneOf = (route: string) => route.replace('Many', 'One');
const isMany = (route: string) => route.includes('Many');
const marking = {
  intercept(context: ExecutionContext, next: CallHandler) {
    context.switchToHttp().getResponse<{ header(name: string, value: string): void }>().header('x-option', 'yes');
    return next.handle();
  },
};

const MARKS = { interceptors: [marking], decorators: [Header('x-option', 'yes')] };
const marked =
  (option: keyof typeof MARKS) =>
  (route: BaseRouteName): Row =>
  async (serve) => {
    const own = { ...ANSWERING.routes?.[route as 'deleteOneBase'], [option]: MARKS[option] };
    const made = await serve({ ...ANSWERING, routes: { ...ANSWERING.routes, [route]: own } });
    for (const name of ROUTE_NAMES) {
      const { headers, status } = await REQUESTS[name](made);
      expect([name, headers['x-option'], status < 300]).toEqual([name, name === route ? 'yes' : undefined, true]);
    }
  };

/** `routes.*.validation`: over the options of the resource, for that route alone. */
const validated =
  (route: (typeof WRITE)[number] | 'createManyBase'): Row =>
  async (serve) => {
    const resource = { dto: { create: Named, update: Named }, validation: { errorHttpStatusCode: 422 } };
    const bulk = { updateManyBase: true, replaceManyBase: true } as const;
    const own = { validation: { errorHttpStatusCode: 418 } };
    const made = await serve({ ...resource, routes: { ...bulk, [route]: own } });
    // What holds for a change of one record holds for that of many.
    const concerned = [route, ...(route.startsWith('create') ? [] : [route.replace('One', 'Many')])];
    for (const name of [...WRITE, 'createManyBase'] as const) {
      const { status } = await REQUESTS[name](made, { name: 1 });
      expect([name, status]).toEqual([name, concerned.includes(name) ? 418 : 422]);
    }
  };

const shallow =
  (route: (typeof WRITE)[number]): Row =>
  async (serve) => {
    for (const [own, ofOne, isShallow] of [
      [{ returnShallow: true }, {}, true],
      [{ returnShallow: false }, { returnShallow: true }, false],
      ...(isMany(route) ? ([[{}, { returnShallow: true }, true]] as const) : []),
    ] as const) {
      const made = await serve({ ...join({ eager: true }), routes: { [oneOf(route)]: ofOne, [route]: own } });
      const [record] = [(await REQUESTS[route](made)).body].flat() as [object];
      expect('company' in record).toBe(!isShallow);
    }
  };

const overriding =
  (route: (typeof CHANGE)[number]): Row =>
  async (serve) => {
    for (const allowParamsOverride of [true, false]) {
      const made = await serve(...inCompany({ routes: { [route]: { allowParamsOverride } } }));
      await REQUESTS[route](made, { companyId: 2 }, '/companies/1/users').expect(200);
      expect(await made.stored(1)).toMatchObject({ companyId: allowParamsOverride ? 2 : 1 });
    }
  };

const merged =
  (route: 'replaceOneBase' | 'replaceManyBase'): Row =>
  async (serve) => {
    for (const merge of [true, false]) {
      const made = await serve({ routes: { [route]: { merge } } });
      await REQUESTS[route](made).expect(200);
      expect(await made.stored(1)).toMatchObject({ role: merge ? 'owner' : 'guest', age: merge ? 30 : null });
    }
  };
const versioned = { softDelete: true, etag: true };
const matched =
  (route: BaseRouteName): Row =>
  async (serve) => {
    const { api, source } = await serve({ query: versioned, routes: { [route]: { requireMatch: true } } });
    // Before anything is read.
    await source.getRepository(User).delete(1);
    const { body } = await REQUESTS[route]({ api } as Stage);
    expect(body).toMatchObject({ statusCode: 428, code: 'CRUD_PRECONDITION_REQUIRED' });
  };

/** No route of many records can require a match, so that it must be told where the route of one does. */
const matchedMany =
  (route: keyof typeof TWO): Row =>
  async (serve) => {
    const strict = { [oneOf(route)]: { requireMatch: true } };
    await expect(serve({ query: versioned, routes: { ...strict, [route]: true } })).rejects.toThrow(`routes.${route}`);
    await serve({ query: versioned, routes: { ...strict, [route]: { requireMatch: false } } });
  };

const most =
  (route: keyof typeof TWO): Row =>
  async (serve) => {
    const success = route === 'createManyBase' ? 201 : 200;
    for (const [maxBulk, status] of [[1, 400], [2, success], [false, success]] as const) {
      const made = await serve({ query: { softDelete: true }, routes: { [route]: { maxBulk } } });
      const { body, status: answered } = await TWO[route](made);
      expect([maxBulk, answered]).toEqual([maxBulk, status]);
      if (status === 400) expect(body).toMatchObject({ code: 'CRUD_LIMIT_EXCEEDED', field: 'bulk' });
    }
  }; // prettier-ignore

const byCondition =
  (route: keyof typeof MATCH): Row =>
  async (serve) => {
    const plain = await serve({ routes: { [route]: { byCondition: false } } });
    expect((await MATCH[route](plain)).body).toMatchObject({ code: 'CRUD_EMPTY_BODY' });
    await MATCH[route](await serve({ routes: { [route]: { byCondition: true } } })).expect(200, { affected: 3 });
  };

const mostAffected =
  (route: keyof typeof MATCH): Row =>
  async (serve) => {
    const narrow = await serve({ routes: { [route]: { byCondition: true, maxAffected: 2 } } });
    expect((await MATCH[route](narrow).expect(400)).body).toMatchObject({ code: 'CRUD_LIMIT_EXCEEDED' });
  };

const upserted =
  (route: keyof typeof TOKENS): Row =>
  async (serve) => {
    const params = { id: { field: 'id', type: 'string', primary: true } } as const;
    const routes = { [route]: { onConflict: ['id'] } };
    await TOKENS[route](await serve({ params }, { entity: Token })).expect(409);
    await TOKENS[route](await serve({ params, routes }, { entity: Token })).expect(200);
  };

/** Whether DELETE and recover answer with the records, one or many. */
const returned =
  (option: string, isUsual: boolean) =>
  (route: BaseRouteName): Row =>
  async (serve) => {
    const query = { softDelete: true };
    const silent = await serve({ query, routes: { [route]: isUsual ? { [option]: false } : {} } });
    expect((await REQUESTS[route](silent).expect(200)).text).toBe('');
    const told = await serve({ query, routes: { [route]: isUsual ? {} : { [option]: true } } });
    const { body } = await REQUESTS[route](told).expect(200);
    expect(body).toMatchObject(isMany(route) ? [{ id: 1, name: 'Ada' }] : { id: 1, name: 'Ada' });
  };

/** `serialize.*`: a class that leaves out what the model shows. */
const serialized =
  (option: string): Row =>
  async (serve) => {
    const route = `${isMany(option) ? option : `${option}One`}Base` as BaseRouteName;
    const shown = async (type: typeof NoEmail | false): Promise<unknown> => {
      const { body } = await REQUESTS[route](await serve({ ...ANSWERING, serialize: { [option]: type } }));
      return [body].flat()[0];
    };
    expect(await shown(false)).toMatchObject({ email: expect.stringMatching(/^(ada|eva)@x\.org$/) });
    const record = await shown(NoEmail);
    expect(record).toMatchObject({ name: expect.any(String) });
    expect(record).not.toHaveProperty('email');
  };

const SERIALIZED = ['getMany', 'get', 'create', 'createMany', 'update', 'replace', 'delete', 'recover'];

export const ROUTE_ROWS: Rows = {
  ...rowsOf('interceptors', ROUTE_NAMES, marked('interceptors')),
  ...rowsOf('decorators', ROUTE_NAMES, marked('decorators')),
  ...Object.fromEntries(SERIALIZED.map((option) => [`serialize.${option}`, serialized(option)])),
  ...rowsOf('validation', [...WRITE, 'createManyBase'], validated),
  ...rowsOf('returnShallow', WRITE, shallow),
  ...rowsOf('allowParamsOverride', CHANGE, overriding),
  ...rowsOf('merge', ['replaceOneBase', 'replaceManyBase'], merged),
  ...rowsOf('requireMatch', ['updateOneBase', 'replaceOneBase', 'deleteOneBase', 'recoverOneBase'], matched),
  ...rowsOf('requireMatch', ['updateManyBase', 'replaceManyBase', 'deleteManyBase', 'recoverManyBase'], matchedMany),
  ...rowsOf('maxBulk', routesOf(TWO), most),
  ...rowsOf('onConflict', routesOf(TOKENS), upserted),
  ...rowsOf('byCondition', routesOf(MATCH), byCondition),
  ...rowsOf('maxAffected', routesOf(MATCH), mostAffected),
  ...rowsOf('returnDeleted', ['deleteOneBase', 'deleteManyBase'], returned('returnDeleted', false)),
  ...rowsOf('returnRecovered', ['recoverOneBase', 'recoverManyBase'], returned('returnRecovered', true)),
  'routes.exclude': asks([
    { routes: { exclude: ['getManyBase', 'deleteOneBase'] } },
    { '/users': 404, 'delete /users/1': 404, '/users/1': 200 },
  ]),
  'routes.only': async (serve) => {
    const made = await serve({ query: { softDelete: true }, routes: { only: ['getOneBase'] } });
    for (const route of ROUTE_NAMES.filter((name) => name !== 'countBase' && name !== 'aggregateBase'))
      expect([route, (await REQUESTS[route](made)).status]).toEqual([route, route === 'getOneBase' ? 200 : 404]);
  },
  'routes.createOneBase.allowGeneratedKey': asks(
    [{}, { 'post /users {"id":50,"name":"Eva"}': 400 }],
    [
      { routes: { createOneBase: { allowGeneratedKey: true } } },
      {
        'post /users {"id":50,"name":"Eva"}': 201,
        '/users/50': having({ name: 'Eva' }),
        'post /users {"id":50,"name":"E"}': 409,
      },
    ],
  ),
};
