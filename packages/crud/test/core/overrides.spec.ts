/** Methods in the place of generated routes: what they are given, where they may be declared, and which decorators hold for them. */
import { expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Controller, Get, Header, Headers, HttpCode, ParseIntPipe, Query } from '@nestjs/common';
import { UseGuards, UseInterceptors, Version, VersioningType } from '@nestjs/common';
import type { CreateManyDto, CrudController, CrudRequest } from '@nestwright/crud';
import { Crud, Override, ParsedBody, ParsedRequest } from '@nestwright/crud';
import { IsString, ValidateBy } from 'class-validator';
import { map } from 'rxjs';
import { describeApplications, testOnNest12 } from '../support/application.js';
import { around, expectIds, handler, Note, Notes, OfNotes, resource, run } from './resource.js';

/** Gives controllers the notes, and their generated handlers. */
class WithNotes extends OfNotes implements CrudController<Note> {
  get base(): CrudController<Note> {
    return this;
  }
}

const one = (notes: Notes, req: CrudRequest) => notes.getOne(req);

describeApplications('@Override()', () => {
  test('takes the place of the route that its name means; the generated handler stays callable', async () => {
    @Crud({ model: { type: Note }, routes: { exclude: ['deleteOneBase'] } })
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
      @Override()
      createMany(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: CreateManyDto<Note>) {
        return this.base.createManyBase?.(req, { bulk: dto.bulk.slice(0, 1) });
      }
      @Override()
      deleteOne(@ParsedRequest() req: CrudRequest) {
        return this.service.deleteOne(req);
      }
    }

    const api = await run({}, NotesController);
    await api.get('/notes?filter=id||eq||1').expect(200, { wrapped: [{ id: 1, text: 'one' }] });
    await api.get('/notes/2').expect(200, { of: 'b' });
    await api.post('/notes', { text: 'x' }).expect(201, { id: 3, text: 'X' });
    await api.post('/notes/bulk', { bulk: [{ text: 'a' }, { text: 'b' }] }).expect(201, [{ id: 4, text: 'a' }]);
    await api.post('/notes/bulk', { bulk: [] }).expect(400);
    await api.post('/notes', '[]').expect(400);
    // An override of a route that does not exist is an ordinary method.
    await api.delete('/notes/1').expect(404);
  });

  test('in a base class serves each controller with its own options', async () => {
    class Base extends WithNotes {
      @Override()
      async getOne(@ParsedRequest() req: CrudRequest) {
        return { record: await this.base.getOneBase?.(req) };
      }
    }
    @Crud({ model: { type: Note }, routes: { getOneBase: { decorators: [Header('X-Of', 'notes')] } } })
    @Controller('notes')
    class NotesController extends Base {}
    @Crud({ model: { type: Note }, params: { key: { field: 'text', type: 'string', primary: true } } })
    @Controller('memos')
    class MemosController extends Base {}

    const api = await run({}, NotesController, MemosController);
    const note = await api.get('/notes/1').expect(200, { record: { id: 1, text: 'one' } });
    const memo = await api.get('/memos/two').expect(200, { record: { id: 2, text: 'two' } });
    expect([note.headers['x-of'], memo.headers['x-of']]).toEqual(['notes', undefined]);
  });

  test('is inherited, with the class of its body, which is validated once by its own rules', async () => {
    let validated = 0;
    const validator = { validate: () => ++validated > 0 };

    class Body {
      @IsString() @ValidateBy({ name: 'counted', validator }) text!: string;
    }

    @Crud({ model: { type: Note }, validation: { whitelist: true } })
    @Controller('notes')
    class NotesController extends WithNotes {
      @Override()
      createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Body) {
        return this.service.createOne(req, dto);
      }
    }

    @Crud({ model: { type: Note } })
    @Controller('memos')
    class MemosController extends NotesController {}
    @Controller('others')
    class OthersController extends NotesController {}

    const api = await run({}, NotesController, MemosController, OthersController);
    await api.post('/notes', { text: 'n', secret: 'x' }).expect(201);
    const memos = { text: 'm', secret: 'x' };
    await api.post('/memos', memos).expect(201);
    expect([validated, api.resolve(Notes).calls.map(({ dto }) => dto)]).toEqual([2, [{ text: 'n' }, memos]]);
    await api.post('/memos', { text: 5 }).expect(400);
    await api.post('/others', { text: 'o', secret: 'x' }).expect(201);
    expect(api.resolve(Notes).last.dto).toEqual({ text: 'o' });
    await api.get('/others/2').expect(200, { id: 2, text: 'two' });
  });
});

interface Marked {
  marks?: string[];
}

const marking = (mark: string) => around(map((value: Marked) => ({ ...value, marks: [...(value.marks ?? []), mark] })));

describeApplications('@Override() and decorators', () => {
  test('inherits guards, interceptors and other decorators of the route, and adds its own after them', async () => {
    const shut = { decorators: [UseGuards({ canActivate: () => false })] };
    const decorators = [Header('X-Route', 'yes'), HttpCode(202)];
    const getOneBase = { interceptors: [marking('route')], decorators };
    const getOne = handler('getOne', one, Override(), UseInterceptors(marking('own')), HttpCode(203));
    const updateOne = handler('updateOne', (notes, req, dto) => notes.updateOne(req, dto), Override());
    const routes = { getOneBase, updateOneBase: shut, deleteOneBase: shut };
    const api = await run({}, resource(Notes, { routes }, 'notes', getOne, updateOne));

    // Interceptors wrap each other, so the route's, being the outer one, marks last.
    const answer = await api.get('/notes/1').expect(203);
    expect(answer.body).toMatchObject({ id: 1, text: 'one', marks: ['own', 'route'] });
    expect(answer.headers['x-route']).toBe('yes');
    await api.patch('/notes/1', {}).expect(403);
    await api.delete('/notes/1').expect(403);
  });

  test("Nest's own decorators, on the class, the handler or its parameters, hold over the route's", async () => {
    const told: string[] = [];
    const guards = (name: string) => UseGuards({ canActivate: () => told.push(name) > 0 });
    const decorators = [Header('X-Of', 'route'), HttpCode(202), guards('route')];

    @Crud({ model: { type: Note }, routes: { getManyBase: { decorators } } })
    @guards('class')
    @UseInterceptors(marking('class'))
    @Controller({ path: 'notes', version: '1' })
    class NotesController extends WithNotes {
      @Override()
      @Header('X-Of', 'handler')
      @HttpCode(203)
      @Version('2')
      @guards('handler')
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
    expect(list.body).toEqual({ limit: [1, 1], tenant: 'a', marks: ['class'] });
    expect([list.headers['x-of'], told]).toEqual(['handler', ['class', 'route', 'handler']]);
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
