/** Generated handlers around which nothing of the application's own stands in; they parse and answer by themselves, and what applications see of a request stays as it is behind an interceptor. */
import { beforeEach, expect, test } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  UseInterceptors,
} from '@nestjs/common';
import {
  Crud,
  CrudRequestInterceptor,
  CrudRoutesFactory,
  type CrudRequest,
  Override,
  PARSED_CRUD_REQUEST_KEY,
  ParsedRequest,
} from '@nestwright/crud';
import { RequestQueryException } from '@nestwright/crud-request';
import { concat, map, type Observable, of, throwError } from 'rxjs';
import { CrudRouteInterceptor } from '../../src/index.js';
import { describePlatforms, start } from '../support/application.js';
import { Note, NoteService } from '../support/notes.js';

const note = (id: number) => Object.assign(new Note(), { id, text: 'one', secret: 'a' });

@Injectable()
class Notes extends NoteService {
  constructor() {
    super([{ id: 1, text: 'one', secret: 'a' }]);
  }
}

/** What an interceptor finds before the handler and after it. */
const seen: unknown[] = [];

@Injectable()
class Watch implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    seen.push(PARSED_CRUD_REQUEST_KEY in context.switchToHttp().getRequest<object>());

    return next.handle().pipe(
      map((result: unknown) => {
        seen.push(result);

        return result;
      }),
    );
  }
}

beforeEach(() => {
  seen.length = 0;
});

const interceptorsOn = (controller: { prototype: object }, handler: string): unknown =>
  Reflect.getMetadata('__interceptors__', (controller.prototype as Record<string, object>)[handler]!);

describePlatforms('an interceptor of the library', (platform) => {
  test('stands around the handlers that others stand around, or that the application wrote', async () => {
    class Wrapping extends CrudRoutesFactory {
      protected override setInterceptors(name: 'deleteOneBase'): void {
        super.setInterceptors(name);
        if (name === 'deleteOneBase')
          UseInterceptors(Watch)(this.target.prototype, name, { value: this.targetProto[name] });
      }
    }

    @Crud({
      model: { type: Note },
      routesFactory: Wrapping,
      routes: {
        getOneBase: { interceptors: [Watch] },
        updateOneBase: { decorators: [UseInterceptors(Watch)] },
      },
    })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}

      @Override()
      getMany(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }
    }

    expect(interceptorsOn(NotesController, 'createOneBase')).toBeUndefined();
    expect(interceptorsOn(NotesController, 'getMany')).toEqual([CrudRouteInterceptor]);
    for (const handler of ['getOneBase', 'updateOneBase', 'deleteOneBase'])
      expect(interceptorsOn(NotesController, handler)).toEqual([CrudRouteInterceptor, Watch]);

    const api = await start({ platform, controllers: [NotesController], providers: [Notes] });

    await api.post('/notes', { text: 'two' }).expect(201, { id: 2, text: 'two' });
    await api.get('/notes').expect(200, [
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ]);
    expect(seen).toEqual([]);
    await api.get('/notes/1').expect(200, { id: 1, text: 'one' });
    await api.patch('/notes/1', { text: 'x' }).expect(200, { id: 1, text: 'x' });
    expect(seen).toEqual([true, note(1), true, { ...note(1), text: 'x' }]);
  });

  test('of the application, around the controller, sees what is sent', async () => {
    @UseInterceptors(Watch)
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}
    }

    const api = await start({ platform, controllers: [NotesController], providers: [Notes] });

    await api.get('/notes/1').expect(200, { id: 1, text: 'one' });
    await api.get('/notes/1?fields=nothing').expect(400);
    expect(seen).toEqual([false, { id: 1, text: 'one' }, false]);
  });
});

describePlatforms('a handler that answers by itself', (platform) => {
  const asked: string[] = [];

  @Injectable()
  class Odd extends Notes {
    override getOne(req: CrudRequest): never {
      const { text } = { text: req.parsed.fields[0] };

      // What a service returns is not held to its type at run time.
      return (
        text === 'id'
          ? of(note(1))
          : concat(
              of(note(1)),
              throwError(() => new RequestQueryException('Too late', 'CRUD_INVALID_VALUE')),
            )
      ) as never;
    }

    override getMany(): never {
      throw new RequestQueryException('Not now', 'CRUD_INVALID_VALUE');
    }

    override createOne(req: CrudRequest, dto: Note) {
      asked.push(dto.text);

      return super.createOne(req, dto);
    }
  }

  @Crud({ model: { type: Note } })
  @Controller('odd')
  class OddController {
    constructor(public service: Odd) {}
  }

  const boot = (pipe?: PipeTransform) =>
    start({
      platform,
      controllers: [OddController],
      providers: [Odd],
      ...(pipe && { configure: (app) => app.useGlobalPipes(pipe) }),
    });

  test('takes Observables, and errors of the query language, from a service', async () => {
    const api = await boot();

    await api.get('/odd/1?fields=id').expect(200, { id: 1, text: 'one' });
    expect((await api.get('/odd/1?fields=text').expect(400)).body).toMatchObject({ message: 'Too late' });
    expect((await api.get('/odd').expect(400)).body).toMatchObject({ message: 'Not now', code: 'CRUD_INVALID_VALUE' });
  });

  test('refuses the query before it looks at the body', async () => {
    const api = await boot();
    asked.length = 0;

    const { body } = await api.post('/odd?fields=nothing', []).expect(400);
    expect(body).toMatchObject({ code: 'CRUD_UNKNOWN_FIELD', field: 'nothing' });
    expect((await api.post('/odd', []).expect(400)).body).toMatchObject({ code: 'CRUD_INVALID_BODY' });
    await api.post('/odd', { text: 'right' }).expect(201);
    expect(asked).toEqual(['right']);
  });

  test('is let alone by pipes of the application that rewrite objects, which see the body', async () => {
    const values: unknown[] = [];
    const api = await boot({
      transform: (value: unknown) => {
        if (typeof value !== 'object') return value;
        values.push(value);

        return { ...value, text: 'rewritten' };
      },
    });

    await api.post('/odd', { text: 'right' }).expect(201, { text: 'rewritten', id: 2 });
    expect(values).toMatchObject([{ text: 'right' }]);
  });

  test('hides what it hides also where the application parsed several requests into one', async () => {
    const parsed = { fields: [], search: {}, filter: [], or: [], join: [], sort: [], paramsFilter: [] };
    const shared = { parsed, options: { query: {}, routes: {}, params: {} } };

    @Crud({ model: { type: Note } })
    @Controller('shared')
    class SharedController {
      constructor(public service: Notes) {}
    }

    const api = await start({
      platform,
      controllers: [SharedController],
      providers: [Notes],
      configure: (app) =>
        app.useGlobalGuards({
          canActivate: (context) => {
            Object.assign(context.switchToHttp().getRequest<object>(), { [PARSED_CRUD_REQUEST_KEY]: shared });

            return true;
          },
        }),
    });
    const answers = await Promise.all([1, 2, 3].map(() => api.get('/shared')));

    expect(answers.map(({ body }) => body as unknown)).toEqual(answers.map(() => [{ id: 1, text: 'one' }]));
  });

  test('keeps a body in the scope of a request that an interceptor of the controller has parsed', async () => {
    @UseInterceptors(CrudRequestInterceptor)
    @Crud({
      model: { type: Note },
      params: { text: { field: 'text', type: 'string' }, id: { field: 'id', primary: true } },
    })
    @Controller('texts/:text/notes')
    class ScopedController {
      constructor(public service: Notes) {}
    }

    const api = await start({ platform, controllers: [ScopedController], providers: [Notes] });

    await api.post('/texts/two/notes', { text: 'one' }).expect(201, { id: 2, text: 'two' });
    await api.get('/texts/two/notes').expect(200, [{ id: 2, text: 'two' }]);
  });

  test('hands records to an override that calls it, and once to one that calls two', async () => {
    const calling: { getOneBase(req: CrudRequest): Promise<Note> }[] = [];

    @Injectable()
    class Calling extends Notes {
      override async deleteOne(req: CrudRequest) {
        return { text: (await calling[0]!.getOneBase(req)).secret } as Note;
      }
    }

    @Crud({ model: { type: Note }, routes: { deleteOneBase: { returnDeleted: true } } })
    @Controller('calls')
    class CallingController {
      declare getOneBase: (req: CrudRequest) => Promise<Note>;

      constructor(public service: Calling) {}

      @Override()
      async getMany(@ParsedRequest() req: CrudRequest) {
        return [{ text: (await this.getOneBase(req)).secret }];
      }
    }

    const api = await start({ platform, controllers: [CallingController], providers: [Calling] });
    calling.push(api.resolve(CallingController));

    await api.get('/calls').expect(200, [{ text: 'a' }]);
    await api.delete('/calls/1').expect(200, { text: 'a' });
  });
});
