/** Decorators of methods in the place of generated routes: those of the route, of the class and their own; guards, interceptors, headers and metadata. */
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
  SetMetadata,
  Type,
  UseGuards,
  UseInterceptors,
  Version,
  VersioningType,
} from '@nestjs/common';
import {
  Action,
  Crud,
  type CrudRequest,
  Feature,
  getAction,
  getFeature,
  Override,
  ParsedBody,
  ParsedRequest,
} from '@nestwright/crud';
import { map, type Observable } from 'rxjs';
import { describeApplications, start } from '../support/application.js';
import { Note, NotesService } from './overrides.application.js';

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

describeApplications('@Override() and decorators', () => {
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
