/** Methods in the place of generated routes: what they are given, where they may be declared, and which decorators hold for them; what an application puts around its resources: own routes, scopes, pipes. `POST /bulk/delete` is `DELETE /bulk` by another name: the guards, interceptors, statuses and overrides of the one stand around the other. */
import { expect, test } from '@jest/globals';
import type { ExecutionContext, INestApplication, Type } from '@nestjs/common';
import { Controller, Get, Header, Headers, HttpCode, Injectable, ParseIntPipe, Query } from '@nestjs/common';
import { Scope, UseGuards, UseInterceptors, Version, VersioningType } from '@nestjs/common';
import { ApiOperation, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Crud, type CrudController, type CrudRequest, CrudRequestInterceptor, Feature } from '@nestwright/crud';
import { getAction, getFeature, Override, ParsedBody, ParsedRequest } from '@nestwright/crud';
import { IsString, ValidateBy } from 'class-validator';
import { map, tap } from 'rxjs';
import { describeApplications, describePlatforms, testOnNest12 } from '../support/application.js';
import { around, expectIds, handler, Note, Notes, OfNotes, resource, run } from './resource.js';

/** Gives controllers the notes, and their generated handlers. */
class WithNotes extends OfNotes implements CrudController<Note> {
  get base(): CrudController<Note> {
    return this;
  }
}

const one = (notes: Notes, req: CrudRequest) => notes.getOne(req);

type Marked = { marks?: string[] };

const marking = (mark: string) => around(map((value: Marked) => ({ ...value, marks: [...(value.marks ?? []), mark] })));

describeApplications('@Override()', () => {
  test('takes the place of the route that its name means; the generated handler stays callable', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController extends WithNotes {
      @Override()
      async getMany(@ParsedRequest() req: CrudRequest) {
        return { wrapped: await this.base.getManyBase?.(req) };
      }
      @Override('getOneBase')
      async single(@ParsedRequest() req: CrudRequest) {
        return { of: (await this.base.getOneBase?.(req))?.secret };
      }
      @Override()
      createOne(@ParsedBody() dto: Note, @ParsedRequest() req: CrudRequest) {
        return this.base.createOneBase?.(req, { ...dto, text: dto.text.toUpperCase() });
      }
    }

    const api = await run({}, NotesController);
    await api.get('/notes?filter=id||eq||1').expect(200, { wrapped: [{ id: 1, text: 'one' }] });
    await api.get('/notes/2').expect(200, { of: 'b' });
    await api.post('/notes', { text: 'x' }).expect(201, { id: 3, text: 'X' });
    await api.post('/notes', '[]').expect(400);
  });

  test('is inherited, by controllers with options of their own, too; its body is validated once, by its class', async () => {
    let validated = 0;
    const validator = { validate: () => ++validated > 0 };

    class Body {
      @IsString() @ValidateBy({ name: 'counted', validator }) text!: string;
    }

    class Base extends WithNotes {
      @Override()
      async getOne(@ParsedRequest() req: CrudRequest) {
        return { record: await this.base.getOneBase?.(req) };
      }
      @Override()
      createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Body) {
        return this.service.createOne(req, dto);
      }
    }

    const getOneBase = { decorators: [Header('X-Of', 'notes')] };
    @Crud({ model: { type: Note }, validation: { whitelist: true }, routes: { getOneBase } })
    @Controller('notes')
    class NotesController extends Base {}
    @Crud({ model: { type: Note }, params: { key: { field: 'text', type: 'string', primary: true } } })
    @Controller('memos')
    class MemosController extends Base {}

    const api = await run({}, NotesController, MemosController);
    const note = await api.get('/notes/1').expect(200, { record: { id: 1, text: 'one' } });
    const memo = await api.get('/memos/two').expect(200, { record: { id: 2, text: 'two' } });
    expect([note.headers['x-of'], memo.headers['x-of']]).toEqual(['notes', undefined]);
    const sent = { text: 'n', secret: 'x' };
    for (const path of ['notes', 'memos']) await api.post(`/${path}`, sent).expect(201);
    const kept = { text: 'n' };
    const { calls } = api.resolve(Notes);
    expect([validated, calls.slice(2).map(({ dto }) => dto)]).toEqual([2, [kept, sent]]);
    await api.post('/memos', { text: 5 }).expect(400);
  });

  test('stands within the guards, interceptors and decorators of class and route, over which its own hold', async () => {
    const told: string[] = [];
    const guards = (name: string) => UseGuards({ canActivate: () => told.push(name) > 0 });
    const decorators = [Header('X-Of', 'route'), Header('X-Route', 'yes'), HttpCode(202), guards('route')];

    @Crud({ model: { type: Note }, routes: { getManyBase: { decorators, interceptors: [marking('route')] } } })
    @guards('class')
    @UseInterceptors(marking('class'))
    @Controller({ path: 'notes', version: '1' })
    class NotesController extends WithNotes {
      @Override()
      @Header('X-Of', 'handler')
      @HttpCode(203)
      @Version('2')
      @guards('handler')
      @UseInterceptors(marking('handler'))
      getMany(
        @ParsedRequest() { parsed }: CrudRequest,
        @Query('limit', ParseIntPipe) limit: number,
        @Headers('x-tenant') tenant: string,
      ) {
        return { limit: [parsed.limit, limit], tenant };
      }
    }

    const configure = (app: INestApplication) => app.enableVersioning({ type: VersioningType.URI });
    const api = await run({ configure }, NotesController);
    const list = await api.get('/v2/notes?limit=1', { 'x-tenant': 'a' }).expect(203);
    // Interceptors wrap each other, so that the outer ones mark last.
    expect(list.body).toEqual({ limit: [1, 1], tenant: 'a', marks: ['handler', 'route', 'class'] });
    expect(list.headers).toMatchObject({ 'x-of': 'handler', 'x-route': 'yes' });
    expect(told).toEqual(['class', 'route', 'handler']);
    await api.get('/v1/notes?limit=1').expect(404);
    await api.get('/v1/notes/1').expect(200, { id: 1, text: 'one', marks: ['class'] });
  });

  testOnNest12('an own route after an override with a parameter, where Nest orders routes by specificity', async () => {
    const own = [handler('getOne', one, Override()), handler('me', () => ({ me: true }), Get('me'))];
    const nest = { routeResolutionStrategy: 'specificity' } as object;
    const api = await run({ nest }, resource(Notes, {}, 'notes', ...own));
    await api.get('/notes/me').expect(200, { me: true });
    await expectIds(api, { '/notes/1': 1 });
  });
});

describePlatforms('around every route', (platform) => {
  test('there are routes of the application, also where controller and service are made for each request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped extends Notes {}

    const me = handler('me', (_, req) => req.parsed.filter, Get('me'), UseInterceptors(CrudRequestInterceptor));
    const api = await run(
      { platform, providers: [Scoped] },
      resource(Scoped, {}, 'notes', me, handler('getOne', one, Override())),
    );
    await expectIds(api, { '/notes/1': 1, '/notes?limit=1': [1] });
    await api.get('/notes/me?filter=id||eq||3').expect(200, [{ field: 'id', operator: 'eq', value: 3 }]);
  });
});

const removed: unknown[] = [];

class Items extends Notes {
  override async deleteMany(_: CrudRequest, dto: { bulk: unknown[] }): Promise<void> {
    removed.push(dto.bulk);
  }
}

const seen: string[] = [];

const guarded = UseGuards({
  canActivate(context: ExecutionContext): boolean {
    seen.push(`guard ${getAction(context.getHandler())} ${getFeature(context.getClass())}`);
    return !('x-denied' in context.switchToHttp().getRequest<{ headers: object }>().headers);
  },
});
const Noted = around(tap(() => seen.push('interceptor')));
const decorators = [guarded, HttpCode(202), Header('x-own', 'yes')];
const OPTIONS = { validation: false, routes: { deleteManyBase: { decorators, interceptors: [Noted] } } } as const;

const Generated = resource(Items, OPTIONS, 'items', Feature('items'));

async function removeAll(this: CrudController<Note>, _: Items, request: CrudRequest, body: { bulk: object[] }) {
  await this.deleteManyBase!(request, body);
  return { removed: body.bulk.length };
}

const own = [ApiOperation({ operationId: 'removeItems' }), UseInterceptors(Noted), ...decorators];
const overriding = handler('removeAll', removeAll as never, Override('deleteManyBase'), ...own);
const options = { ...OPTIONS, routes: { deleteManyBase: true } };
const Overriding = resource(Items, options, 'items', overriding, Feature('items'), guarded);

describePlatforms('a route that is served on a second path', (platform) => {
  const serve = (controller: Type<object>) => run({ platform, providers: [Items] }, controller);

  test.each([
    ['a generated handler', Generated, 1, ''],
    ['an override', Overriding, 2, '{"removed":2}'],
  ] as const)('%s is guarded and answers on both alike', async (_, controller, guards, text) => {
    const [api, bulk] = [await serve(controller), [{ id: 1 }, { id: 2 }]];
    const deleting = () => api.delete('/items/bulk').send({ bulk });
    for (const send of [deleting, () => api.post('/items/bulk/delete', { bulk })]) {
      seen.length = removed.length = 0;
      const answer = await send();
      expect([answer.status, answer.headers['x-own'], answer.text]).toEqual([202, 'yes', text]);
      expect(seen).toEqual([...Array<string>(guards).fill('guard Delete-Many items'), 'interceptor']);
      expect((await send().set('x-denied', 'yes')).status).toBe(403);
      expect(removed).toEqual([bulk]);
    }
  });

  test.each([
    [Generated, 'deleteManyBaseItemsControllerNote'],
    [Overriding, 'removeItems'],
  ])('documents show both, each under an id of its own', async (controller, id) => {
    const { app } = await serve(controller);
    const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const { operationId, responses, ...first } = paths['/items/bulk']!.delete!;
    const second = paths['/items/bulk/delete']!.post!;
    expect([operationId, second.operationId]).toEqual([id, `${id}ByPost`]);
    expect(second).toMatchObject({ ...first, responses });
    expect(first).toMatchObject({ requestBody: { required: true } });
  });

  test('a body that is not JSON, as a form of another origin sends it, is a 415', async () => {
    removed.length = 0;
    const api = await serve(Generated);
    const { body } = await api.post('/items/bulk/delete').type('form').send('bulk[0][id]=1');
    expect(body).toMatchObject({ statusCode: 415, code: 'CRUD_UNSUPPORTED_MEDIA_TYPE' });
    expect(removed).toEqual([]);
  });
});
