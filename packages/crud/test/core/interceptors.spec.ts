/** Requests in and responses out of generated routes, own routes and plain controllers; what interceptors of the application change in either. Where @CrudAuth() may stand, and what its functions are evaluated to. */
import { setTimeout } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { BadRequestException, Controller, ForbiddenException, Get, Logger, UseInterceptors } from '@nestjs/common';
import { Action, type AuthOptions, Crud, CrudActions, CrudAuth, type CrudRequest } from '@nestwright/crud';
import { CrudRequestInterceptor, Override, PARSED_CRUD_REQUEST_KEY } from '@nestwright/crud';
import { definitionOf } from '@nestwright/crud/adapter';
import { RequestQueryException, type SCondition } from '@nestwright/crud-request';
import { concatMap, map, of } from 'rxjs';
import { evaluateAuth } from '../../src/evaluate-auth.js';
import { catalog, column } from '../plan/catalogs.js';
import { type Api, describeApplications, describePlatforms } from '../support/application.js';
import { memoryOf, MemoryService } from '../support/memory.service.js';
import { NoteService } from '../support/notes.js';
import { around, expectIds, FourNotes, handler, Note, Notes, OfNotes, resource, run } from './resource.js';
import { failing } from './rules-of.js';

const list = (notes: NoteService, req: CrudRequest) => notes.getMany(req);
const parsing = UseInterceptors(CrudRequestInterceptor);

describePlatforms('requests', (platform) => {
  test('no condition is lost behind a thousand other parameters', async () => {
    // Of the parsers of Express, this one drops some names.
    const configure = (app: Api['app']) => app.getHttpAdapter().getInstance().set?.('query parser', 'extended');
    const api = await run({ platform, configure }, resource(Notes));
    const junk = (count: number) => Array.from({ length: count }, (_, index) => `x${index}=1`).join('&');
    const path = (count: number) => `/notes?${junk(count)}&filter=id||eq||2`;

    // Fastify's parser reads them all.
    const many = platform === 'fastify' ? [2] : '400 CRUD_LIMIT_EXCEEDED';
    await expectIds(api, { [path(999)]: [2], [path(1000)]: many, '/notes?__proto__=1&filter=id||eq||2': [2] });
  });

  test('own routes use the options and parameters of the resource; query.filter learns whether they are lists', async () => {
    const refuse = failing(new RequestQueryException('No such thing', 'CRUD_INVALID_VALUE', { field: 'text' }));
    const filter = (search: SCondition, getMany: boolean) => (getMany ? { id: 2 } : search);
    const own = [
      handler('copy', (notes, req) => notes.getOne(req), Get(':id/copy'), parsing),
      handler('refused', refuse, Get('own/refused'), parsing),
      handler('plain', list, Get('own/plain'), parsing),
      handler('list', list, Get('own/list'), Action(CrudActions.ReadAll), parsing),
    ];
    const query = { exclude: ['secret'], filter };
    const api = await run({ platform }, resource(Notes, { query }, 'notes', ...own));
    await expectIds(api, {
      '/notes/2/copy': 2,
      '/notes/x/copy': '400 CRUD_INVALID_PARAM',
      '/notes/1/copy?filter=secret||eq||a': '400 CRUD_UNKNOWN_FIELD',
      '/notes?filter=id||eq||1': [2],
      '/notes/own/plain?filter=id||eq||1': [1],
      '/notes/own/list?filter=id||eq||1': [2],
    });
    await api.get('/notes/own/plain?filter=id||eq||1').expect(200, [{ id: 1, text: 'one', secret: 'a' }]);
    const refused = { code: 'CRUD_INVALID_VALUE', message: 'No such thing', field: 'text' };
    expect((await api.get('/notes/own/refused').expect(400)).body).toMatchObject(refused);
  });

  test('requests that a guard has parsed, into one and the same, are left alone and hide what they hide', async () => {
    const parsed = { fields: [], search: { id: 2 }, filter: [], or: [], join: [], sort: [], paramsFilter: [] };
    const shared = { parsed, options: { query: {}, routes: {}, params: {} } };
    const canActivate = (context: ExecutionContext): boolean =>
      !!Object.assign(context.switchToHttp().getRequest<object>(), { [PARSED_CRUD_REQUEST_KEY]: shared });
    const configure = (app: { useGlobalGuards(guard: object): unknown }) => void app.useGlobalGuards({ canActivate });
    const api = await run({ platform, configure }, resource(Notes));
    await Promise.all(
      [1, 2, 3].map((id) => api.get(`/notes?filter=id||eq||${id}`).expect(200, [{ id: 2, text: 'two' }])),
    );
  });

  test('two applications of one process have each their own service', async () => {
    const controller = resource(Notes);
    const columns = [column('id', 'integer', { primary: true }), column('other', 'boolean')];
    const useValue = new MemoryService([{ id: 1, other: true }], catalog('Other', columns));
    const first = await run({ platform }, controller);
    const second = await run({ platform, providers: [{ provide: Notes, useValue }] }, controller);
    const [text, other] = ['/notes?sort=text,ASC', '/notes?sort=other,ASC'];
    await expectIds(first, { [text]: [1, 2], [other]: '400 CRUD_UNKNOWN_FIELD' });
    await expectIds(second, { [other]: [1], [text]: '400 CRUD_UNKNOWN_FIELD' });
  });
});

describeApplications('responses', () => {
  test('a list cut by the default ceiling says so, and the log once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const Many = memoryOf(Array.from({ length: 1001 }, (_, index) => ({ id: index + 1 })));
    const api = await run({ providers: [Many] }, resource(Many, {}, 'many'));
    expect((await api.get('/many?filter=id||eq||5')).headers).not.toHaveProperty('x-crud-truncated');
    expect(warn.mock.calls).toEqual([]);
    for (const { body, headers } of [await api.get('/many'), await api.get('/many')])
      expect([body.length, headers['x-crud-truncated']]).toEqual([1000, 'true']);
    const advice = 'Set query.maxLimit (or query.limit), or maxLimit: false, to say what you want.';
    expect(warn.mock.calls).toEqual([[`ManyController: a list was cut at the default page size. ${advice}`]]);
    warn.mockRestore();
  });
});

const parsedOn = (context: ExecutionContext): CrudRequest | undefined =>
  context.switchToHttp().getRequest<Record<string, CrudRequest | undefined>>()[PARSED_CRUD_REQUEST_KEY];

/** Makes the request with options of its own. */
class OneByStep extends CrudRequestInterceptor {
  override getCrudRequest(...[parser, options, auth]: Parameters<CrudRequestInterceptor['getCrudRequest']>) {
    return super.getCrudRequest(parser, { ...options, query: { ...options.query, limit: 1 } }, auth);
  }
}

/** Changes the options once the request is parsed, and calls the handler itself. */
class OneByIntercept extends CrudRequestInterceptor {
  override intercept(context: ExecutionContext, next: CallHandler) {
    super.intercept(context, next);
    const { query } = parsedOn(context)?.options ?? {};
    if (query) query.limit = 1;
    return next.handle();
  }
}

describeApplications('options', () => {
  test.each([
    ['getCrudRequest', OneByStep],
    ['intercept', OneByIntercept],
  ])('may be changed for one request by %s, with and without @Crud()', async (_, interceptor) => {
    @Controller('plain')
    class Plain {
      constructor(readonly service: FourNotes) {}
    }
    handler('list', list, Get(), UseInterceptors(interceptor))(Plain);
    const first = handler('first', list, Get('first'), UseInterceptors(interceptor));
    const api = await run({}, resource(FourNotes, {}, 'notes', first), Plain);
    await expectIds(api, { '/plain': [1], '/notes/first': [1], '/notes': [1, 2, 3, 4] });
  });
});

describeApplications('a subclass that overrides intercept() and calls super.intercept()', () => {
  const serve = (filter: () => SCondition | Promise<SCondition>) =>
    run({}, resource(FourNotes, {}, 'notes', CrudAuth({ filter }), UseInterceptors(OneByIntercept)));

  test('finds the parsed request at once, and lets nothing through that was refused', async () => {
    const api = await serve(() => ({ text: 'one' }));
    await expectIds(api, { '/notes': [1], '/notes?limit=2': [1, 3], '/notes?limit=x': '400 CRUD_INVALID_PAGINATION' });
  });

  test('with an asynchronous filter, does not find it yet: the request is scoped all the same, or ended', async () => {
    await expectIds(await serve(() => Promise.resolve({ text: 'one' })), { '/notes': [1, 3, 4] });
    await expectIds(await serve(() => Promise.reject(new Error('nobody'))), { '/notes': '500' });
  });
});

/** Marks each note, a turn of the event loop later. */
const Late = around(
  map(async (answer: Note | Note[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    for (const note of [answer].flat()) note.text += '!';
    return answer;
  }),
);

const Refusing = around(map(() => Promise.reject(new BadRequestException('late'))));

describeApplications('what promises of an interceptor resolve to is shaped', () => {
  test('on generated routes and overrides', async () => {
    const routes = { getManyBase: { interceptors: [Late] }, createOneBase: { interceptors: [Refusing] } };
    const one = handler('one', (notes, req) => notes.getOne(req), Override('getOneBase'), UseInterceptors(Late));
    const api = await run({}, resource(Notes, { routes }, 'notes', one));
    await api.get('/notes?filter=id||eq||2').expect(200, [{ id: 2, text: 'two!' }]);
    await api.get('/notes/2').expect(200, { id: 2, text: 'two!' });
    expect((await api.post('/notes', { text: 'n' }).expect(400)).body).toMatchObject({ message: 'late' });
  });

  test('a promise that rejects while an earlier one is awaited refuses the request', async () => {
    let handledInTime: boolean | undefined;
    const RefusingEarly = around(
      concatMap(() => {
        const refused = Promise.reject(new BadRequestException('early'));
        const handlers = jest.spyOn(refused, 'then');
        return of(
          setTimeout(5).finally(() => (handledInTime = handlers.mock.calls.length > 0)),
          refused,
        );
      }),
    );
    const api = await run({}, resource(Notes, { routes: { getOneBase: { interceptors: [RefusingEarly] } } }));
    expect((await api.get('/notes/1').expect(400)).body).toMatchObject({ message: 'early' });
    // Node ends a process for a rejection without a handler; Jest keeps that from the test.
    expect(handledInTime).toBe(true);
  });
});

describeApplications('@CrudAuth()', () => {
  const serve = (auth: AuthOptions, options: object = {}) => run({}, resource(Notes, options, 'notes', CrudAuth(auth)));

  test('functions may wait, and may end the request', async () => {
    await expectIds(await serve({ filter: () => Promise.resolve({ id: 2 }) }), { '/notes': [2] });
    const refuse = failing(new ForbiddenException('not you'));
    const [refusing, rejecting] = [await serve({ filter: refuse }), await serve({ persist: async () => refuse() })];
    for (const request of [refusing.get('/notes'), rejecting.post('/notes', {})])
      expect((await request.expect(403)).body.message).toBe('not you');
  });

  test('without a key, a filter that restricts nothing names no record', async () => {
    const options = { params: { id: { disabled: true } }, routes: { only: ['getOneBase', 'deleteOneBase'] } };
    const api = await serve({ filter: () => ({ $and: [{}, { id: {} }] }) }, options);
    for (const request of [api.get('/notes'), api.delete('/notes')]) await request.expect(404);
  });

  test('stands above @Crud(), below it, or on a base class; the nearest counts', async () => {
    const own = CrudAuth({ property: 'headers', filter: ({ id }: Note) => ({ id: Number(id) }) });
    const Above = resource(Notes, {}, 'above');
    own(Above);

    @own
    class Base extends OfNotes {}

    @Crud({ model: { type: Note } })
    @Controller('inherited')
    class InheritedController extends Base {}

    @CrudAuth({ filter: () => ({ id: 2 }) })
    @Controller('nearest')
    class NearestController extends InheritedController {}

    @parsing
    @Controller('parsed')
    class ParsedController extends NearestController {}

    const api = await run({}, Above, InheritedController, NearestController, ParsedController);
    await expectIds(api, { '/above': [1], '/inherited': [1], '/nearest': [2], '/parsed': [2] }, { id: '1' });
    expect(definitionOf(NearestController)?.controller).toBe('NearestController');
  });
});

const user = { user: 1 };

test('evaluateAuth asks all functions and leaves out what says nothing', async () => {
  const filter = (http: object) => ({ same: http === user });
  const [or, relations] = [() => ({}), { notes: () => ({ id: 1 }) }];
  const told = await evaluateAuth({ filter, or, classTransformOptions: or, relations, checkWrites: false }, user);
  const said = { or: {}, classTransformOptions: {}, relations: { notes: { id: 1 } } };
  expect(told).toEqual({ filter: { same: true }, ...said, checkWrites: false });
  for (const none of [undefined, null, false])
    expect(await evaluateAuth({ persist: () => none as never }, user)).toEqual({ persist: {}, checkWrites: true });
  const persist = failing(new ForbiddenException('not you'));
  await expect((async () => evaluateAuth({ persist }, user))()).rejects.toThrow('not you');
});

test('evaluateAuth asks for the conditions on relations and for their values at the same time', async () => {
  let asked = 0;
  const both = async (): Promise<object> => {
    asked++;
    await new Promise((resolve) => setImmediate(resolve));
    return { asked };
  };
  const relations: AuthOptions['relations'] = {
    'project.members': both,
    labels: { filter: both, persist: both },
    notes: { persist: () => ({ asked: 0 }) },
    open: false,
    freed: (user: number) => user !== 1 && {},
    forgotten: (() => undefined) as unknown as () => object,
    tags: { filter: false },
  };
  const found = { asked: 3 };
  const conditions = { 'project.members': found, labels: found, open: false, freed: false, tags: false };
  expect(await evaluateAuth({ property: 'user', relations }, user)).toEqual({
    user: 1,
    relations: { ...conditions, forgotten: undefined },
    relationPersist: { labels: found, notes: { asked: 0 } },
    checkWrites: true,
  });
});
