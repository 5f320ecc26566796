/** What an application puts around its resources, and takes away again: versions, pipes, interceptors, CORS, microservices, the end. */
import { expect, test } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type INestApplication,
  Module,
  type NestInterceptor,
  ValidationPipe,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, BaseExceptionFilter, NestFactory } from '@nestjs/core';
import {
  ClientProxyFactory,
  MessagePattern,
  type MicroserviceOptions,
  Payload,
  Transport,
} from '@nestjs/microservices';
import { Crud, CrudController, type CrudRequest, Override, ParsedBody, ParsedRequest } from '@nestwright/crud';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { createServer, type Server } from 'node:net';
import { firstValueFrom, map, type Observable } from 'rxjs';
import { type Api, describePlatforms, start, stopAll } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Note {
  @IsOptional({ always: true })
  @IsInt({ always: true })
  id!: number;

  @IsOptional({ always: true })
  @IsString({ always: true })
  text!: string;
}

@Injectable()
class Notes extends MemoryService<Note> {
  constructor() {
    super([
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ]);
  }
}

@Crud({ model: { type: Note }, query: { softDelete: true } })
@Controller('notes')
class NotesController {
  constructor(public service: Notes) {}
}

const application = { controllers: [NotesController], providers: [Notes] };

/** Asks every route once; answers the statuses. */
async function ask(api: Api, base: string, headers: Record<string, string> = {}): Promise<number[]> {
  const requests = [
    () => api.get(base),
    () => api.get(`${base}/1`),
    () => api.post(base, { text: 'x' }),
    () => api.post(`${base}/bulk`, { bulk: [{ text: 'x' }] }),
    () => api.patch(`${base}/1`, { text: 'x' }),
    () => api.put(`${base}/1`, { text: 'x' }),
    () => api.patch(`${base}/1/recover`),
    () => api.delete(`${base}/1`),
  ];
  const statuses: number[] = [];
  for (const request of requests) statuses.push((await request().set(headers)).status);

  return statuses;
}

const ANSWERED = [200, 200, 201, 201, 200, 200, 200, 200];
const ABSENT = ANSWERED.map(() => 404);

describePlatforms('versions', (platform) => {
  const options = { model: { type: Note }, query: { softDelete: true } };

  @Crud(options)
  @Controller({ path: 'notes', version: ['1', '2'] })
  class VersionedController {
    constructor(public service: Notes) {}
  }

  @Crud(options)
  @Controller({ path: 'timeless', version: VERSION_NEUTRAL })
  class TimelessController {
    constructor(public service: Notes) {}
  }

  const boot = (configure: (app: INestApplication) => void) =>
    start({ platform, controllers: [VersionedController, TimelessController], providers: [Notes], configure });

  test('in the path, after a global prefix, reach every route', async () => {
    const api = await boot((app) => {
      app.setGlobalPrefix('api/rest');
      app.enableVersioning({ type: VersioningType.URI, prefix: 'v', defaultVersion: '1' });
    });

    expect(await ask(api, '/api/rest/v1/notes')).toEqual(ANSWERED);
    expect(await ask(api, '/api/rest/v2/notes')).toEqual([...ANSWERED.slice(0, 1), 404, 201, 201, 404, 201, 200, 200]);
    expect(await ask(api, '/api/rest/v3/notes')).toEqual(ABSENT);
    expect(await ask(api, '/v1/notes')).toEqual(ABSENT);
    expect((await api.get('/api/rest/timeless/2')).status).toBe(200);
  });

  test.each([
    ['header', { type: VersioningType.HEADER, header: 'x-version' } as const, (v: string) => ({ 'x-version': v })],
    [
      'media type',
      { type: VersioningType.MEDIA_TYPE, key: 'v=' } as const,
      (v: string) => ({ accept: `application/json;v=${v}` }),
    ],
    [
      'the application itself',
      {
        type: VersioningType.CUSTOM,
        extractor: (request: unknown) => (request as { headers: Record<string, string> }).headers['x-own'] ?? '',
      } as const,
      (v: string) => ({ 'x-own': v }),
    ],
  ])('by %s reach every route', async (_name, versioning, headers) => {
    const api = await boot((app) => app.enableVersioning(versioning));

    expect(await ask(api, '/notes', headers('3'))).toEqual(ABSENT);
    expect(await ask(api, '/notes')).toEqual(ABSENT);
    expect(await ask(api, '/notes', headers('1'))).toEqual(ANSWERED);
    expect((await api.get('/notes/2', headers('2'))).status).toBe(200);
    expect((await api.get('/timeless/2')).status).toBe(200);
  });
});

describePlatforms('an application-wide ValidationPipe', (platform) => {
  const STRICT = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true, transform: true };

  /** Refuses whatever it sees: `text` is a number here, and nothing else is known. */
  class Stricter {
    @IsInt()
    text!: number;
  }

  @Crud({ model: { type: Note } })
  @Controller('own')
  class OwnController implements CrudController<Note> {
    constructor(public service: Notes) {}

    @Override()
    getMany(@ParsedRequest() req: CrudRequest) {
      return this.service.getMany(req);
    }

    @Override()
    createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Note) {
      return this.service.createOne(req, dto);
    }

    @Override()
    replaceOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Stricter) {
      return this.service.replaceOne(req, dto);
    }
  }

  const ways: [string, (pipe: ValidationPipe) => Partial<Parameters<typeof start>[0]>][] = [
    ['useGlobalPipes', (pipe) => ({ configure: (app) => app.useGlobalPipes(pipe) })],
    ['APP_PIPE', (pipe) => ({ providers: [Notes, { provide: APP_PIPE, useValue: pipe }] })],
  ];

  test.each(
    ways.flatMap(([name, way]) =>
      [false, true].map((validateCustomDecorators) => [name, validateCustomDecorators, way] as const),
    ),
  )(
    'by %s, decorators of applications seen: %p, guards bodies and nothing else',
    async (_name, validateCustomDecorators, way) => {
      const pipe = new ValidationPipe({ ...STRICT, validateCustomDecorators });
      const api = await start({
        platform,
        ...application,
        controllers: [NotesController, OwnController],
        ...way(pipe),
      });

      expect(await ask(api, '/notes')).toEqual(ANSWERED);
      await api.post('/notes', { text: 'x' }).expect(201);
      await api.patch('/notes/2', { text: 'x' }).expect(200);
      await api.post('/notes/bulk', { bulk: [{ text: 'x' }] }).expect(201);
      await api.post('/notes', { text: 'x', stranger: 1 }).expect(400);
      await api.patch('/notes/2', { text: 'x', stranger: 1 }).expect(400);
      await api.post('/notes/bulk', { bulk: [{ text: 'x', stranger: 1 }] }).expect(400);
      await api.post('/notes', { text: 1 }).expect(400);

      await api.get('/own?filter=id||eq||2').expect(200, [{ id: 2, text: 'x' }]);
      await api.post('/own', { text: 'x' }).expect(201);
      await api.post('/own', { text: 'x', stranger: 1 }).expect(400);
      await api.put('/own/2', { text: 'x' }).expect(400);
      await api.put('/own/2', { text: 3 }).expect(200);
      await api.put('/own/2', { text: 3, stranger: 1 }).expect(400);
    },
  );
});

describePlatforms('bound to the whole application', (platform) => {
  @Injectable()
  class Wrap implements NestInterceptor {
    intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
      return next.handle().pipe(map((body: unknown) => ({ body })));
    }
  }

  class Mark extends BaseExceptionFilter {
    override catch(exception: Error & { getResponse?: () => object }, host: never): void {
      Object.assign(exception.getResponse?.() ?? {}, { marked: true });
      super.catch(exception, host);
    }
  }

  const asked: unknown[] = [];
  class Watch {
    canActivate(context: ExecutionContext): boolean {
      asked.push(context.getClass(), context.getHandler().name);
      return true;
    }
  }

  test('guards, interceptors and filters stand around every route', async () => {
    const api = await start({
      platform,
      controllers: [NotesController],
      providers: [
        Notes,
        { provide: APP_GUARD, useClass: Watch },
        { provide: APP_INTERCEPTOR, useClass: Wrap },
        { provide: APP_FILTER, useClass: Mark },
      ],
    });
    asked.length = 0;

    await api.get('/notes/1').expect(200, { body: { id: 1, text: 'one' } });
    expect(asked).toEqual([NotesController, 'getOneBase']);
    await api.get('/notes?page=1&limit=1').expect(200, {
      body: { data: [{ id: 1, text: 'one' }], count: 1, total: 2, page: 1, pageCount: 2 },
    });
    await api.post('/notes', { text: 'x' }).expect(201, { body: { id: 3, text: 'x' } });
    await api.get('/notes/9').expect(404, {
      statusCode: 404,
      message: 'Note not found',
      error: 'Not Found',
      code: 'CRUD_NOT_FOUND',
      marked: true,
    });
    expect((await api.get('/notes?limit=x').expect(400)).body).toMatchObject({ marked: true });
    expect((await api.post('/notes', { text: 1 }).expect(400)).body).toMatchObject({ marked: true });
  });

  test('CORS answers preflights of every route and names its origins and headers', async () => {
    const api = await start({
      platform,
      ...application,
      configure: (app) =>
        app.enableCors({ origin: 'https://app.example', exposedHeaders: ['X-Crud-Truncated'], credentials: true }),
    });
    const { app } = api;
    await app.listen(0, '127.0.0.1');
    const origin = (await app.getUrl()).replace('[::1]', '127.0.0.1');
    const from = { origin: 'https://app.example' };

    for (const [path, method] of [
      ['/notes', 'GET'],
      ['/notes', 'POST'],
      ['/notes/bulk', 'POST'],
      ['/notes/1', 'PATCH'],
      ['/notes/1', 'PUT'],
      ['/notes/1', 'DELETE'],
      ['/notes/1/recover', 'PATCH'],
    ] as const) {
      const preflight = await fetch(origin + path, {
        method: 'OPTIONS',
        headers: { ...from, 'access-control-request-method': method, 'access-control-request-headers': 'content-type' },
      });
      expect([path, preflight.status]).toEqual([path, 204]);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example');
    }
    for (const path of ['/notes', '/notes/9', '/notes?limit=x']) {
      const { headers } = await fetch(origin + path, { headers: from });
      expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('access-control-expose-headers')).toBe('X-Crud-Truncated');
    }
  });
});

/** A port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));

  return port;
}

@Crud({ model: { type: Note } })
@Controller('both')
class HybridController {
  constructor(public service: Notes) {}

  @MessagePattern('note.text')
  text(@Payload() id: number): unknown {
    return this.service.rows.find((row) => row['id'] === id)?.['text'] ?? null;
  }
}

describePlatforms('hybrid applications', (platform) => {
  test.each([true, false])(
    'serve routes and messages of one controller (inherited configuration: %p)',
    async (inherit) => {
      const tcp = { host: '127.0.0.1', port: await freePort() };
      const api = await start({
        platform,
        controllers: [HybridController],
        providers: [Notes],
        configure: (app) => {
          app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }));
          app.connectMicroservice<MicroserviceOptions>(
            { transport: Transport.TCP, options: tcp },
            { inheritAppConfig: inherit },
          );
        },
      });
      await api.app.startAllMicroservices();
      const client = ClientProxyFactory.create({ transport: Transport.TCP, options: tcp });

      try {
        expect(await firstValueFrom(client.send('note.text', 2))).toBe('two');
        await api.patch('/both/2', { text: 'zwei' }).expect(200, { id: 2, text: 'zwei' });
        expect(await firstValueFrom(client.send('note.text', 2))).toBe('zwei');
        await api.get('/both?limit=x').expect(400);
      } finally {
        await client.close();
      }
    },
  );
});

test('controllers of resources do not disturb an application without HTTP', async () => {
  @Module({ controllers: [HybridController, NotesController], providers: [Notes] })
  class NotesModule {}

  const context = await NestFactory.createApplicationContext(NotesModule, { logger: false, abortOnError: false });
  expect(context.get(NotesController).service).toBe(context.get(Notes));
  await context.close();

  const tcp = { host: '127.0.0.1', port: await freePort() };
  const service = await NestFactory.createMicroservice<MicroserviceOptions>(NotesModule, {
    transport: Transport.TCP,
    options: tcp,
    logger: false,
    abortOnError: false,
  });
  await service.listen();
  const client = ClientProxyFactory.create({ transport: Transport.TCP, options: tcp });
  expect(await firstValueFrom(client.send('note.text', 1))).toBe('one');
  await client.close();
  await service.close();
});

describePlatforms('the end of an application', (platform) => {
  test('closes its server immediately after responses, errors and a kept-alive connection', async () => {
    const { app } = await start({ platform, ...application, configure: (each) => each.enableShutdownHooks() });
    await app.listen(0, '127.0.0.1');
    const origin = (await app.getUrl()).replace('[::1]', '127.0.0.1');
    expect((app.getHttpServer() as Server).listening).toBe(true);

    for (const path of ['/notes', '/notes/1', '/notes/9', '/notes?limit=x'])
      await (await fetch(origin + path, { headers: { connection: 'keep-alive' } })).text();

    const began = Date.now();
    await stopAll();

    // Node.js keeps an idle connection for five seconds.
    expect(Date.now() - began).toBeLessThan(4_900);
    expect((app.getHttpServer() as Server).listening).toBe(false);
    await expect(fetch(`${origin}/notes`)).rejects.toThrow();
  });
});
