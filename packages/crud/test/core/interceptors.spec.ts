/** Requests in and responses out of generated routes, own routes and plain controllers; what interceptors of the application change in either. */
import { expect, jest, test } from '@jest/globals';
import type { CallHandler, ExecutionContext, NestInterceptor, Type } from '@nestjs/common';
import { BadRequestException, Controller, Get, HttpCode, Logger, UseInterceptors } from '@nestjs/common';
import { Action, CrudActions, CrudAuth, CrudRequestInterceptor, CrudResponseInterceptor } from '@nestwright/crud';
import { type CrudRequest, Override, PARSED_CRUD_REQUEST_KEY, ParsedRequest } from '@nestwright/crud';
import { RequestQueryException, type SCondition } from '@nestwright/crud-request';
import { concatMap, map, of } from 'rxjs';
import { catalog, column } from '../plan/catalogs.js';
import { type Api, describeApplications, describePlatforms } from '../support/application.js';
import { memoryOf, MemoryService } from '../support/memory.service.js';
import { NoteService } from '../support/notes.js';
import { around, expectIds, FourNotes, handler, type Note, Notes, resource, run } from './resource.js';
import { failing } from './rules-of.js';

@Controller('plain')
class PlainController {
  @Get()
  @UseInterceptors(CrudRequestInterceptor)
  list(@ParsedRequest() { parsed, options }: CrudRequest) {
    return { filter: parsed.filter, search: parsed.search, limit: parsed.limit, options };
  }
  @Get('without')
  without(@ParsedRequest() request: CrudRequest | undefined) {
    return { given: request !== undefined };
  }
}

const list = (notes: NoteService, req: CrudRequest) => notes.getMany(req);
const parsing = UseInterceptors(CrudRequestInterceptor);

describePlatforms('requests', (platform) => {
  test('a plain controller may use the query language', async () => {
    const api = await run({ platform }, PlainController);
    const { body } = await api.get('/plain?filter=age||gt||3&limit=7').expect(200);
    const filter = [{ field: 'age', operator: 'gt', value: 3 }];
    expect(body).toMatchObject({ limit: 7, filter, options: { query: {}, routes: {}, params: {} } });
    expect(JSON.stringify(body.search)).toContain('"age"');
    await api.get('/plain/without').expect(200, { given: false });
    await api.get('/plain?limit=x').expect(400);
  });

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
    const ask = (id: number) => api.get(`/notes?filter=id||eq||${id}`).expect(200, [{ id: 2, text: 'two' }]);
    await Promise.all([1, 2, 3].map(ask));
    await api.patch('/notes/2', { text: 'x' }).expect(200);
    expect(api.resolve(Notes).last.dto).toEqual({ text: 'x' });
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

describePlatforms('responses', (platform) => {
  test('a list cut by the default ceiling says so, and the log once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const Many = memoryOf(Array.from({ length: 1001 }, (_, index) => ({ id: index + 1 })));
    const api = await run({ platform, providers: [Many] }, resource(Many, {}, 'many'));
    expect((await api.get('/many?filter=id||eq||5')).headers).not.toHaveProperty('x-crud-truncated');
    expect(warn.mock.calls).toEqual([]);
    for (const { body, headers } of [await api.get('/many'), await api.get('/many')])
      expect([body.length, headers['x-crud-truncated']]).toEqual([1000, 'true']);
    const advice = 'Set query.maxLimit (or query.limit), or maxLimit: false, to say what you want.';
    expect(warn.mock.calls).toEqual([[`ManyController: a list was cut at the default page size. ${advice}`]]);
    warn.mockRestore();
  });

  test('a status of the application stays', async () => {
    const replace = handler('replaceOne', (notes, req, dto) => notes.replaceOne(req, dto), Override(), HttpCode(202));
    const api = await run({ platform }, resource(Notes, {}, 'notes', replace));
    await api.put('/notes/77', { text: 'n' }).expect(202);
  });
});

const parsedOn = (context: ExecutionContext): CrudRequest | undefined =>
  context.switchToHttp().getRequest<Record<string, CrudRequest | undefined>>()[PARSED_CRUD_REQUEST_KEY];

const GIVEN = { query: { join: {}, maxLimit: 2 }, routes: {}, params: {}, operators: {} };

/** Gives options of its own, which are the same for all requests. */
class Given extends CrudRequestInterceptor {
  protected override getCrudInfo(context: ExecutionContext) {
    return { ...super.getCrudInfo(context), crudOptions: GIVEN };
  }
}

const stepping = (Base: typeof CrudRequestInterceptor) =>
  class extends Base {
    override getCrudRequest(...step: Parameters<CrudRequestInterceptor['getCrudRequest']>): CrudRequest {
      const request = super.getCrudRequest(...step);
      request.options.query!.limit = 1;
      return request;
    }
  };

/** Changes the options once the request is parsed, and calls the handler itself. */
class OneByIntercept extends CrudRequestInterceptor {
  override intercept(context: ExecutionContext, next: CallHandler) {
    super.intercept(context, next);
    const { query } = parsedOn(context)?.options ?? {};
    if (query) query.limit = 1;
    return next.handle();
  }
}

function plain(interceptor: Type<NestInterceptor>): Type<object> {
  @Controller('plain')
  class Plain {
    constructor(readonly service: FourNotes) {}
  }
  handler('list', list, Get(), UseInterceptors(interceptor))(Plain);
  return Plain;
}

describeApplications('options', () => {
  test.each([
    ['getCrudRequest', stepping(CrudRequestInterceptor)],
    ['getCrudRequest with options of getCrudInfo', stepping(Given)],
    ['intercept', OneByIntercept],
  ])('may be changed for one request by %s, with and without @Crud()', async (_, interceptor) => {
    const first = handler('first', list, Get('first'), UseInterceptors(interceptor));
    const api = await run({}, resource(FourNotes, {}, 'notes', first), plain(interceptor));
    await expectIds(api, { '/plain': [1], '/notes/first': [1], '/notes': [1, 2, 3, 4] });
    expect(GIVEN.query).toEqual({ join: {}, maxLimit: 2 });
    await expectIds(await run({}, plain(Given)), { '/plain?limit=3': [1, 2] });
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
const later = (answer: Note) => new Promise((resolve) => setTimeout(() => resolve(answer), 5));

/** Emits two promises, of which the first one takes longer. */
const Twice = around(
  concatMap((answer: Note) => of(later({ ...answer, text: 'first' }), Promise.resolve({ ...answer, text: 'last' }))),
);

class Shown extends CrudResponseInterceptor {
  protected override transform(dto: unknown, data: object): unknown {
    return { ...(super.transform(dto, data) as object), shown: true };
  }
}

describeApplications('what promises of an interceptor resolve to is shaped', () => {
  test('on generated routes and overrides, behind a CrudResponseInterceptor of the application, too', async () => {
    const routes = {
      getManyBase: { interceptors: [Late] },
      createOneBase: { interceptors: [Refusing] },
      deleteOneBase: { interceptors: [Twice], returnDeleted: true },
    };
    const bound = UseInterceptors(CrudRequestInterceptor, Shown, Late);
    const one = handler('one', (notes, req) => notes.getOne(req), Override('getOneBase'), bound);

    const api = await run({}, resource(Notes, { routes }, 'notes', one));
    await api.get('/notes?filter=id||eq||2').expect(200, [{ id: 2, text: 'two!' }]);
    await api.get('/notes/2').expect(200, { id: 2, text: 'two!', shown: true });
    expect((await api.post('/notes', { text: 'n' }).expect(400)).body).toMatchObject({ message: 'late' });
    expect((await api.delete('/notes/1').expect(200)).body).toMatchObject({ id: 1, text: 'last' });
  });

  test('a promise that rejects while an earlier one is awaited refuses the request', async () => {
    let handledInTime: boolean | undefined;
    const RefusingEarly = around(
      concatMap((answer) => {
        const refused = Promise.reject(new BadRequestException('early'));
        const handlers = jest.spyOn(refused, 'then');
        const first = later(answer).finally(() => (handledInTime = handlers.mock.calls.length > 0));
        return of(first, refused);
      }),
    );
    const api = await run({}, resource(Notes, { routes: { getOneBase: { interceptors: [RefusingEarly] } } }));
    expect((await api.get('/notes/1').expect(400)).body).toMatchObject({ message: 'early' });
    // Node ends a process for a rejection without a handler; Jest keeps that from the test.
    expect(handledInTime).toBe(true);
  });
});
