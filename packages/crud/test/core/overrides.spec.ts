/** Methods in the place of generated routes: what they are given, where they may be declared, and which decorators hold for them; the order and the versions of routes. */
import { expect, test } from '@jest/globals';
import {
  applyDecorators,
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Header,
  Headers,
  HttpCode,
  type INestApplication,
  type NestInterceptor,
  ParseIntPipe,
  Query,
  SetMetadata,
  type Type,
  UseGuards,
  UseInterceptors,
  Version,
  VersioningType,
} from '@nestjs/common';
import type { CreateManyDto, CrudController, CrudRequest } from '@nestwright/crud';
import { Action, Crud, Feature, getAction, getFeature, Override, ParsedBody, ParsedRequest } from '@nestwright/crud';
import { IsString, Validate, ValidatorConstraint } from 'class-validator';
import { map } from 'rxjs';
import { describeApplications, start, testOnNest12 } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { expectIds, handler, resource } from './resource.js';

class Note {
  id!: number;
  text!: string;
}

class NotesService extends MemoryService<Note> {
  constructor() {
    super(['one', 'two'].map((text, index) => ({ id: index + 1, text })));
  }
}

/** Gives controllers the notes, and their generated handlers. */
class WithNotes implements CrudController<Note> {
  constructor(readonly service: NotesService) {}

  get base(): CrudController<Note> {
    return this;
  }
}

Reflect.defineMetadata('design:paramtypes', [NotesService], WithNotes);

const run = (...controllers: Type<object>[]) => start({ controllers, providers: [NotesService] });
const notes = (options: object, ...decorators: ClassDecorator[]): Type<object> =>
  resource(NotesService, { model: { type: Note }, ...options }, 'notes', ...decorators);
const one = (service: NotesService, req: CrudRequest) => service.getOne(req);

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
        return { ...(await this.base.getOneBase?.(req)), single: true };
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

    const api = await run(NotesController);
    await api.get('/notes?filter=id||eq||1').expect(200, { wrapped: [{ id: 1, text: 'one' }] });
    await api.get('/notes/2').expect(200, { id: 2, text: 'two', single: true });
    await api.post('/notes', { text: 'x' }).expect(201, { id: 3, text: 'X' });
    await api.post('/notes/bulk', { bulk: [{ text: 'a' }, { text: 'b' }] }).expect(201, [{ id: 4, text: 'a' }]);
    await api.post('/notes/bulk', { bulk: [] }).expect(400);
    await api.post('/notes', '[]').expect(400);
    // An override of a route that does not exist is an ordinary method.
    await api.delete('/notes/1').expect(404);
  });

  test('in a generic base class serves each controller with its own options', async () => {
    abstract class Base<T extends object> implements CrudController<T> {
      constructor(readonly service: MemoryService<T>) {}

      get base(): CrudController<T> {
        return this;
      }

      @Override()
      async getOne(@ParsedRequest() req: CrudRequest) {
        return { of: this.constructor.name, record: await this.base.getOneBase?.(req) };
      }
    }

    @Crud({ model: { type: Note }, routes: { getOneBase: { decorators: [Header('X-Of', 'notes')] } } })
    @Controller('notes')
    class NotesController extends Base<Note> {
      constructor(service: NotesService) {
        super(service);
      }
    }

    @Crud({ model: { type: Note }, params: { key: { field: 'text', type: 'string', primary: true } } })
    @Controller('memos')
    class MemosController extends Base<Note> {
      constructor(service: NotesService) {
        super(service);
      }
    }

    const api = await run(NotesController, MemosController);
    const note = await api.get('/notes/1').expect(200, { of: 'NotesController', record: { id: 1, text: 'one' } });
    expect(note.headers['x-of']).toBe('notes');
    const memo = await api.get('/memos/two').expect(200, { of: 'MemosController', record: { id: 2, text: 'two' } });
    expect(memo.headers).not.toHaveProperty('x-of');
  });

  test('is inherited with @Crud(), or by another @Crud(): with the class of its body, validated once by its own rules', async () => {
    let validated = 0;

    @ValidatorConstraint()
    class Counted {
      validate(): boolean {
        return ++validated > 0;
      }
    }

    class Body {
      @IsString() @Validate(Counted) text!: string;
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

    const api = await run(NotesController, MemosController, OthersController);
    await api.post('/notes', { text: 'n', extra: 1 }).expect(201, { text: 'n', id: 3 });
    expect(validated).toBe(1);
    await api.post('/memos', { text: 'm', extra: 1 }).expect(201, { text: 'm', extra: 1, id: 4 });
    expect(validated).toBe(2);
    await api.post('/memos', { text: 5 }).expect(400);
    await api.post('/others', { text: 'o', extra: 1 }).expect(201, { text: 'o', id: 5 });
    await api.get('/others/2').expect(200, { id: 2, text: 'two' });
  });
});

const closed: CanActivate = { canActivate: () => false };
const telling = (told: unknown[], tell: (context: ExecutionContext) => unknown): CanActivate => ({
  canActivate: (context) => told.push(tell(context)) > 0,
});

interface Marked {
  marks?: string[];
}

const marking = (mark: string) =>
  class implements NestInterceptor {
    intercept(_: ExecutionContext, next: CallHandler<Marked>) {
      return next.handle().pipe(map((value) => ({ ...value, marks: [...(value.marks ?? []), mark] })));
    }
  };

describeApplications('@Override() and decorators', () => {
  test('inherits guards, interceptors and other decorators of the route, and adds its own after them', async () => {
    const shut = { decorators: [UseGuards(closed)] };
    const decorators = [Header('X-Route', 'yes'), HttpCode(202)];
    const getOneBase = { interceptors: [marking('route')], decorators };
    const getOne = handler('getOne', one, Override(), UseInterceptors(marking('own')), HttpCode(203));
    const updateOne = handler('updateOne', (service, req, dto) => service.updateOne(req, dto), Override());
    const routes = { getOneBase, updateOneBase: shut, deleteOneBase: shut };
    const api = await run(notes({ routes }, getOne, updateOne));

    // Interceptors wrap each other, so the route's, being the outer one, marks last.
    const answer = await api.get('/notes/1').expect(203);
    expect(answer.body).toMatchObject({ id: 1, text: 'one', marks: ['own', 'route'] });
    expect(answer.headers['x-route']).toBe('yes');
    await api.patch('/notes/1', {}).expect(403);
    await api.delete('/notes/1').expect(403);
  });

  test("Nest's own decorators, on the class or the handler, win over the route's", async () => {
    const told: unknown[] = [];
    const guards = (name: string) => UseGuards(telling(told, () => name));

    @Crud({
      model: { type: Note },
      routes: {
        getManyBase: { decorators: [Header('X-Of', 'route'), HttpCode(202), guards('route')] },
        getOneBase: { decorators: [Header('X-Of', 'route')] },
      },
    })
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
    const api = await start({ controllers: [NotesController], providers: [NotesService], configure });
    const list = await api.get('/v2/notes?limit=1', { 'x-tenant': 'a' }).expect(203);
    expect(list.body).toEqual({ limit: [1, 1], tenant: 'a', marks: ['class'] });
    expect(list.headers['x-of']).toBe('handler');
    expect(told).toEqual(['class', 'route', 'handler']);
    await api.get('/v1/notes?limit=1').expect(404);
    const single = await api.get('/v1/notes/1').expect(200);
    expect(single.headers['x-of']).toBe('route');
    expect(single.body).toEqual({ id: 1, text: 'one', marks: ['class'] });
  });

  test('guards know feature, action and metadata of generated, overriding and own handlers', async () => {
    const seen: unknown[] = [];
    const noting = telling(seen, (context) => [
      getAction(context.getHandler()),
      getFeature(context.getClass()),
      Reflect.getMetadata('role', context.getHandler()) as unknown,
    ]);
    const decorators = [applyDecorators(SetMetadata('role', 'reader'), UseGuards(noting))];
    const getOne = handler('getOne', one, Override(), SetMetadata('role', 'owner'));
    const own = handler('export', () => ({}), Get('own/export'), Action('Export'), UseGuards(noting));
    const routes = { getManyBase: { decorators }, getOneBase: { decorators } };
    const api = await run(notes({ routes }, Feature('notes'), getOne, own));
    for (const path of ['', '/1', '/own/export']) await api.get(`/notes${path}`).expect(200);

    expect(seen).toEqual([
      ['Read-All', 'notes', 'reader'],
      ['Read-One', 'notes', 'owner'],
      ['Export', 'notes', undefined],
    ]);
  });
});

describeApplications('paths', () => {
  testOnNest12('an own route after an override with a parameter, where Nest orders routes by specificity', async () => {
    const own = [handler('getOne', one, Override()), handler('me', () => ({ me: true }), Get('me'))];
    const nest = { routeResolutionStrategy: 'specificity' } as object;
    const api = await start({ controllers: [notes({}, ...own)], providers: [NotesService], nest });
    await api.get('/notes/me').expect(200, { me: true });
    await expectIds(api, { '/notes/1': 1 });
  });
});
