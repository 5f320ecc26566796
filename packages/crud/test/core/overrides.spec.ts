/** Methods in the place of generated routes: what they inherit, what they keep, and where they may be declared. */
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
  Injectable,
  type NestInterceptor,
  ParseIntPipe,
  Query,
  Scope,
  SetMetadata,
  Type,
  UseGuards,
  UseInterceptors,
  Version,
  VersioningType,
} from '@nestjs/common';
import {
  Action,
  type CreateManyDto,
  Crud,
  type CrudController,
  type CrudRequest,
  Feature,
  getAction,
  getFeature,
  Override,
  ParsedBody,
  ParsedRequest,
} from '@nestwright/crud';
import { IsString, Validate, ValidatorConstraint, type ValidatorConstraintInterface } from 'class-validator';
import { map, type Observable } from 'rxjs';
import { describeApplications, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Note {
  id!: number;
  text!: string;
}

@Injectable()
class NotesService extends MemoryService<Note> {
  constructor() {
    super([
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ]);
  }
}

@Injectable()
class Closed implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

/** Notes what guards see. */
const seen: { action: unknown; feature: unknown; class: string }[] = [];

@Injectable()
class Noting implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    seen.push({
      action: getAction(context.getHandler()),
      feature: getFeature(context.getClass()),
      class: context.getClass().name,
    });

    return true;
  }
}

const marking = (mark: string): Type<NestInterceptor> => {
  @Injectable()
  class Marking implements NestInterceptor {
    intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
      return next
        .handle()
        .pipe(map((value: object) => ({ ...value, marks: [...((value as { marks?: string[] }).marks ?? []), mark] })));
    }
  }

  return Marking;
};

describeApplications('@Override()', () => {
  test('takes the place of the route that its name means; the generated handler stays callable', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController implements CrudController<Note> {
      constructor(public service: NotesService) {}

      get base(): CrudController<Note> {
        return this;
      }

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
    }

    const api = await start({ controllers: [NotesController], providers: [NotesService] });

    await api.get('/notes?filter=id||eq||1').expect(200, { wrapped: [{ id: 1, text: 'one' }] });
    await api.get('/notes/2').expect(200, { id: 2, text: 'two', single: true });
    await api.post('/notes', { text: 'x' }).expect(201, { id: 3, text: 'X' });
    await api.post('/notes/bulk', { bulk: [{ text: 'a' }, { text: 'b' }] }).expect(201, [{ id: 4, text: 'a' }]);
    await api.post('/notes/bulk', { bulk: [] }).expect(400);
    await api.post('/notes', '[]').expect(400);
  });

  test('inherits guards, interceptors and other decorators of the route, and adds its own after them', async () => {
    const [First, Second] = [marking('route'), marking('own')];

    @Crud({
      model: { type: Note },
      routes: {
        getOneBase: { interceptors: [First], decorators: [Header('X-Route', 'yes'), HttpCode(202)] },
        updateOneBase: { decorators: [UseGuards(Closed)] },
        deleteOneBase: { decorators: [UseGuards(Closed)] },
      },
    })
    @Controller('notes')
    class NotesController {
      constructor(public service: NotesService) {}

      @Override()
      @UseInterceptors(Second)
      @HttpCode(203)
      getOne(@ParsedRequest() req: CrudRequest) {
        return this.service.getOne(req);
      }

      @Override()
      updateOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Note) {
        return this.service.updateOne(req, dto);
      }
    }

    const api = await start({ controllers: [NotesController], providers: [NotesService] });

    // Interceptors wrap each other, so the route's, being the outer one, marks last.
    const answer = await api.get('/notes/1').expect(203);
    expect(answer.body).toEqual({ id: 1, text: 'one', marks: ['own', 'route'] });
    expect(answer.headers['x-route']).toBe('yes');
    await api.patch('/notes/1', {}).expect(403);
    await api.delete('/notes/1').expect(403);
  });

  test("Nest's own decorators, on the class or the handler, win over the route's", async () => {
    const told: string[] = [];
    const telling = (name: string): CanActivate => ({ canActivate: () => told.push(name) > 0 });

    @Crud({
      model: { type: Note },
      routes: {
        getManyBase: { decorators: [Header('X-Of', 'route'), HttpCode(202), UseGuards(telling('route'))] },
        getOneBase: { decorators: [Header('X-Of', 'route')] },
      },
    })
    @UseGuards(telling('class'))
    @UseInterceptors(marking('class'))
    @Controller({ path: 'notes', version: '1' })
    class NotesController {
      constructor(public service: NotesService) {}

      @Override()
      @Header('X-Of', 'handler')
      @HttpCode(203)
      @Version('2')
      @UseGuards(telling('handler'))
      getMany(
        @ParsedRequest() { parsed }: CrudRequest,
        @Query('limit', ParseIntPipe) limit: number,
        @Headers('x-tenant') tenant: string,
      ) {
        return { limit: [parsed.limit, limit], tenant };
      }
    }

    const api = await start({
      controllers: [NotesController],
      providers: [NotesService],
      configure: (app) => app.enableVersioning({ type: VersioningType.URI }),
    });

    const list = await api.get('/v2/notes?limit=1', { 'x-tenant': 'a' }).expect(203);
    expect(list.body).toEqual({ limit: [1, 1], tenant: 'a', marks: ['class'] });
    expect(list.headers['x-of']).toBe('handler');
    expect(told).toEqual(['class', 'route', 'handler']);
    await api.get('/v1/notes?limit=1').expect(404);

    const single = await api.get('/v1/notes/1').expect(200);
    expect(single.headers['x-of']).toBe('route');
    expect(single.body).toEqual({ id: 1, text: 'one', marks: ['class'] });
  });

  test("works in a request-scoped controller, whose instance is the request's own", async () => {
    @Crud({ model: { type: Note }, routes: { getOneBase: { decorators: [Header('X-Of', 'route')] } } })
    @Controller({ path: 'notes', scope: Scope.REQUEST })
    class NotesController implements CrudController<Note> {
      private asked = 0;
      constructor(public service: NotesService) {}

      get base(): CrudController<Note> {
        return this;
      }

      @Override()
      async getOne(@ParsedRequest() req: CrudRequest) {
        this.asked += 1;

        return { ...(await this.base.getOneBase?.(req)), asked: this.asked };
      }

      @Override('createOneBase')
      add(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Note) {
        return this.base.createOneBase?.(req, dto);
      }
    }
    const api = await start({ controllers: [NotesController], providers: [NotesService] });

    for (const id of [1, 1]) {
      const { body, headers } = await api.get(`/notes/${id}`).expect(200);
      expect([body, headers['x-of']]).toEqual([{ id: 1, text: 'one', asked: 1 }, 'route']);
    }
    await api.post('/notes', { text: 'x' }).expect(201, { id: 3, text: 'x' });
  });

  test('guards know feature and action, of generated, overriding and own handlers', async () => {
    @Crud({ model: { type: Note } })
    @Feature('notes')
    @UseGuards(Noting)
    @Controller('notes')
    class NotesController {
      constructor(public service: NotesService) {}

      @Override()
      getOne(@ParsedRequest() req: CrudRequest) {
        return this.service.getOne(req);
      }

      @Get('own/export')
      @Action('Export')
      export() {
        return {};
      }
    }

    const api = await start({ controllers: [NotesController], providers: [NotesService] });
    seen.length = 0;
    await api.get('/notes').expect(200);
    await api.get('/notes/1').expect(200);
    await api.get('/notes/own/export').expect(200);

    expect(seen).toEqual([
      { action: 'Read-All', feature: 'notes', class: 'NotesController' },
      { action: 'Read-One', feature: 'notes', class: 'NotesController' },
      { action: 'Export', feature: 'notes', class: 'NotesController' },
    ]);
  });

  test('in a generic base class serves each controller with its own options', async () => {
    abstract class Base<T extends object> implements CrudController<T> {
      abstract service: MemoryService<T>;

      get base(): CrudController<T> {
        return this;
      }

      @Override()
      async getOne(@ParsedRequest() req: CrudRequest) {
        return { of: this.constructor.name, record: await this.base.getOneBase?.(req) };
      }

      @Override()
      createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: T) {
        return this.base.createOneBase?.(req, { ...dto, by: this.constructor.name });
      }
    }

    @Crud({ model: { type: Note }, routes: { getOneBase: { decorators: [Header('X-Of', 'notes')] } } })
    @Controller('notes')
    class NotesController extends Base<Note> {
      constructor(public service: NotesService) {
        super();
      }
    }

    @Crud({ model: { type: Note }, params: { key: { field: 'text', type: 'string', primary: true } } })
    @Controller('memos')
    class MemosController extends Base<Note> {
      constructor(public service: NotesService) {
        super();
      }
    }

    const api = await start({ controllers: [NotesController, MemosController], providers: [NotesService] });

    const note = await api.get('/notes/1').expect(200, { of: 'NotesController', record: { id: 1, text: 'one' } });
    expect(note.headers['x-of']).toBe('notes');
    const memo = await api.get('/memos/two').expect(200, { of: 'MemosController', record: { id: 2, text: 'two' } });
    expect(memo.headers).not.toHaveProperty('x-of');
    await api.post('/notes', { text: 'n' }).expect(201, { id: 3, text: 'n', by: 'NotesController' });
    await api.post('/memos', { text: 'm' }).expect(201, { id: 4, text: 'm', by: 'MemosController' });
  });

  test('of a route that does not exist is an ordinary method', async () => {
    @Crud({ model: { type: Note }, routes: { exclude: ['deleteOneBase'] } })
    @Controller('notes')
    class NotesController {
      constructor(public service: NotesService) {}

      @Override()
      deleteOne(@ParsedRequest() req: CrudRequest) {
        return this.service.deleteOne(req);
      }
    }

    const api = await start({ controllers: [NotesController], providers: [NotesService] });
    await api.delete('/notes/1').expect(404);
  });

  test('a controller that inherits @Crud() from another serves the same routes on its own path', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: NotesService) {}

      @Override()
      getMany(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }
    }

    @Controller('others')
    class OthersController extends NotesController {}

    Reflect.defineMetadata('design:paramtypes', [NotesService], OthersController);
    const api = await start({ controllers: [NotesController, OthersController], providers: [NotesService] });

    await api.get('/others?filter=id||eq||2').expect(200, [{ id: 2, text: 'two' }]);
    await api.get('/others/2').expect(200, { id: 2, text: 'two' });
  });

  test('a resource that extends another keeps the class of an inherited body, and validates once by its own rules', async () => {
    let validated = 0;

    @ValidatorConstraint()
    class Counted implements ValidatorConstraintInterface {
      validate(): boolean {
        validated += 1;

        return true;
      }
    }

    class Body {
      @IsString()
      @Validate(Counted)
      text!: string;
    }

    @Crud({ model: { type: Note }, validation: { whitelist: true } })
    @Controller('notes')
    class NotesController {
      constructor(public service: NotesService) {}

      @Override()
      createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Body) {
        return this.service.createOne(req, dto);
      }
    }

    @Crud({ model: { type: Note } })
    @Controller('memos')
    class MemosController extends NotesController {
      constructor(service: NotesService) {
        super(service);
      }
    }

    const api = await start({
      controllers: [NotesController, MemosController],
      providers: [NotesService],
    });

    await api.post('/notes', { text: 'n', extra: 1 }).expect(201, { text: 'n', id: 3 });
    expect(validated).toBe(1);
    await api.post('/memos', { text: 'm', extra: 1 }).expect(201, { text: 'm', extra: 1, id: 4 });
    expect(validated).toBe(2);
    await api.post('/memos', { text: 5 }).expect(400);
  });

  test('decorators of a route are applied to the handler that serves it, composed ones too', async () => {
    const ROLE = 'role';
    const roles: unknown[] = [];

    @Injectable()
    class Roles implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        roles.push(Reflect.getMetadata(ROLE, context.getHandler()));

        return true;
      }
    }

    @Crud({
      model: { type: Note },
      routes: {
        getManyBase: { decorators: [applyDecorators(SetMetadata(ROLE, 'reader'), UseGuards(Roles))] },
        getOneBase: { decorators: [applyDecorators(SetMetadata(ROLE, 'reader'), UseGuards(Roles))] },
      },
    })
    @Controller('notes')
    class NotesController {
      constructor(public service: NotesService) {}

      @Override()
      @SetMetadata(ROLE, 'owner')
      getOne(@ParsedRequest() req: CrudRequest) {
        return this.service.getOne(req);
      }
    }

    const api = await start({ controllers: [NotesController], providers: [NotesService] });
    await api.get('/notes').expect(200);
    await api.get('/notes/1').expect(200);
    expect(roles).toEqual(['reader', 'owner']);
  });
});
