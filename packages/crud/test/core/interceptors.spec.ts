/** Requests in and responses out of generated routes, own routes and plain controllers. */
import { beforeEach, expect, jest, test } from '@jest/globals';
import {
  type ArgumentsHost,
  BadRequestException,
  Catch,
  ClassSerializerInterceptor,
  Controller,
  type ExceptionFilter,
  Get,
  HttpCode,
  Injectable,
  Logger,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  UseInterceptors,
} from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import {
  Action,
  Crud,
  CrudActions,
  CrudRequestInterceptor,
  type CrudRequest,
  Override,
  PARSED_CRUD_REQUEST_KEY,
  ParsedBody,
  ParsedRequest,
} from '@nestwright/crud';
import { RequestQueryException } from '@nestwright/crud-request';
import { catalog, column } from '../plan/catalogs.js';
import { describePlatforms, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { Note, NoteService } from '../support/notes.js';

@Injectable()
class Notes extends NoteService {
  constructor() {
    super([
      { id: 1, text: 'one', secret: 'a' },
      { id: 2, text: 'two', secret: 'b' },
    ]);
  }
}

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

describePlatforms('requests', (platform) => {
  test('a plain controller may use the query language', async () => {
    const api = await start({ platform, controllers: [PlainController] });

    const { body } = await api.get('/plain?filter=age||gt||3&limit=7').expect(200);
    expect(body).toMatchObject({ limit: 7, options: { query: {}, routes: {}, params: {} } });
    expect(body.filter).toHaveLength(1);
    expect(JSON.stringify(body.search)).toContain('"age"');
    await api.get('/plain/without').expect(200, { given: false });
    expect((await api.get('/plain?limit=x').expect(400)).body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Invalid limit. Number expected',
      code: 'CRUD_INVALID_PAGINATION',
      field: 'limit',
    });
  });

  test('no condition is lost behind a thousand other parameters', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}
    }
    const api = await start({ platform, controllers: [NotesController], providers: [Notes] });
    const junk = (count: number) => Array.from({ length: count }, (_, index) => `x${index}=1`).join('&');

    expect((await api.get(`/notes?${junk(999)}&filter=id||eq||2`).expect(200)).body).toHaveLength(1);
    const { body, status } = await api.get(`/notes?${junk(1000)}&filter=id||eq||2`);
    // Fastify's parser reads them all.
    if (platform === 'fastify') expect(body).toEqual([{ id: 2, text: 'two' }]);
    else expect([status, (body as { code: string }).code]).toEqual([400, 'CRUD_LIMIT_EXCEEDED']);
  });

  test('a function in query.filter is told of an own route whether its action is a list', async () => {
    @Crud({ model: { type: Note }, query: { filter: (search, getMany) => (getMany ? { id: 2 } : search!) } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}

      @Get('own/plain')
      @UseInterceptors(CrudRequestInterceptor)
      plain(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }

      @Get('own/list')
      @Action(CrudActions.ReadAll)
      @UseInterceptors(CrudRequestInterceptor)
      list(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }
    }

    const api = await start({ platform, controllers: [NotesController], providers: [Notes] });
    const ids = async (path: string) =>
      ((await api.get(`${path}?filter=id||eq||1`).expect(200)).body as Note[]).map(({ id }) => id);

    expect(await ids('/notes')).toEqual([2]);
    expect(await ids('/notes/own/plain')).toEqual([1]);
    expect(await ids('/notes/own/list')).toEqual([2]);
  });

  test('own routes of a resource use its options and parameters', async () => {
    @Crud({ model: { type: Note }, query: { exclude: ['secret'] } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}

      @Get(':id/copy')
      @UseInterceptors(CrudRequestInterceptor)
      copy(@ParsedRequest() req: CrudRequest) {
        return this.service.getOne(req);
      }

      @Get('own/refused')
      @UseInterceptors(CrudRequestInterceptor)
      refused() {
        throw new RequestQueryException('No such thing', 'CRUD_INVALID_VALUE', { field: 'text' });
      }
    }

    const api = await start({ platform, controllers: [NotesController], providers: [Notes] });
    expect((await api.get('/notes/2/copy').expect(200)).body).toMatchObject({ id: 2 });
    await api.get('/notes/x/copy').expect(400);
    await api.get('/notes/1/copy?filter=secret||eq||a').expect(400);
    expect((await api.get('/notes/own/refused').expect(400)).body).toMatchObject({
      code: 'CRUD_INVALID_VALUE',
      message: 'No such thing',
      field: 'text',
    });
  });

  test('what a response hides cannot be asked for', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}
    }

    const api = await start({ platform, controllers: [NotesController], providers: [Notes] });
    await api.get('/notes').expect(200, [
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ]);
    for (const query of ['filter=secret||eq||a', 'or=secret||eq||a', 's={"secret":"a"}', 'sort=secret,ASC']) {
      expect((await api.get(`/notes?${query}`).expect(400)).body).toMatchObject({
        code: 'CRUD_UNKNOWN_FIELD',
        field: 'secret',
      });
    }
  });

  test('a request that was parsed before is left alone', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}
    }

    const prepared = {
      parsed: { fields: [], search: { id: 2 }, filter: [], or: [], join: [], sort: [], paramsFilter: [] },
      options: { query: {}, routes: {}, params: {} },
    };

    const api = await start({
      platform,
      controllers: [NotesController],
      providers: [Notes],
      configure: (app) => {
        const interceptor = {
          intercept(context: { switchToHttp(): { getRequest(): Record<string, unknown> } }, next: { handle(): never }) {
            context.switchToHttp().getRequest()[PARSED_CRUD_REQUEST_KEY] = prepared;

            return next.handle();
          },
        };
        app.useGlobalInterceptors(interceptor as never);
      },
    });
    await api.get('/notes?filter=id||eq||1').expect(200, [{ id: 2, text: 'two' }]);
    await api.patch('/notes/2', { text: 'x' }).expect(200);
    expect(api.resolve(Notes).last.dto).toEqual({ text: 'x' });
  });

  test('errors pass through the filters of the application', async () => {
    @Catch(BadRequestException)
    class Teapot implements ExceptionFilter {
      constructor(private readonly host: HttpAdapterHost) {}

      catch(exception: BadRequestException, host: ArgumentsHost): void {
        this.host.httpAdapter.reply(
          host.switchToHttp().getResponse(),
          { was: (exception.getResponse() as { code: string }).code },
          418,
        );
      }
    }

    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}
    }

    const api = await start({
      platform,
      controllers: [NotesController],
      providers: [Notes],
      configure: (app) => app.useGlobalFilters(new Teapot(app.get(HttpAdapterHost))),
    });
    await api.get('/notes?limit=x').expect(418, { was: 'CRUD_INVALID_PAGINATION' });
    await api.post('/notes/bulk', {}).expect(418, { was: 'CRUD_EMPTY_BODY' });
  });

  test('two applications of one process have each their own service', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}
    }

    const first = await start({ platform, controllers: [NotesController], providers: [Notes] });
    const second = await start({
      platform,
      controllers: [NotesController],
      providers: [
        {
          provide: Notes,
          useValue: new MemoryService(
            [{ id: 1, other: true }],
            catalog('Other', [column('id', 'integer', { primary: true }), column('other', 'boolean')]),
          ),
        },
      ],
    });

    await first.get('/notes?sort=text,ASC').expect(200);
    await first.get('/notes?sort=other,ASC').expect(400);
    await second.get('/notes?sort=other,ASC').expect(200);
    await second.get('/notes?sort=text,ASC').expect(400);
  });

  test('middleware and ClassSerializerInterceptor of the application stand beside', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}
    }

    let passed = 0;
    @Module({ controllers: [NotesController], providers: [Notes] })
    class NotesModule implements NestModule {
      configure(consumer: MiddlewareConsumer): void {
        consumer
          .apply((_request: unknown, _response: unknown, next: () => void) => {
            passed += 1;
            next();
          })
          .forRoutes(NotesController);
      }
    }

    const api = await start({
      platform,
      imports: [NotesModule],
      configure: (app) => app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector))),
    });
    await api.get('/notes/1').expect(200, { id: 1, text: 'one' });
    await api.post('/notes', { text: 'n', secret: 's' }).expect(201, { text: 'n', id: 3 });
    expect(passed).toBe(2);
  });
});

describePlatforms('responses', (platform) => {
  let warn: ReturnType<typeof jest.spyOn>;
  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    warn.mockClear();
  });

  test('a list cut by the default ceiling says so, and the log once', async () => {
    @Injectable()
    class Many extends MemoryService {
      constructor() {
        super(Array.from({ length: 1001 }, (_, index) => ({ id: index + 1 })));
      }
    }

    @Crud({ model: { type: Note } })
    @Controller('many')
    class ManyController {
      constructor(public service: Many) {}
    }

    const api = await start({ platform, controllers: [ManyController], providers: [Many] });
    for (let time = 0; time < 2; time += 1) {
      const { body, headers } = await api.get('/many').expect(200);
      expect(body).toHaveLength(1000);
      expect(headers['x-crud-truncated']).toBe('true');
    }
    expect((await api.get('/many?filter=id||eq||5')).headers).not.toHaveProperty('x-crud-truncated');
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('ManyController: a list was cut'));
  });

  test('a status of the application stays', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}

      @Override()
      @HttpCode(202)
      replaceOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Note) {
        return this.service.replaceOne(req, dto);
      }
    }

    const api = await start({ platform, controllers: [NotesController], providers: [Notes] });
    await api.put('/notes/77', { text: 'n' }).expect(202);
  });
});
