/** What an application puts around its resources: own routes, versions, scopes, pipes, guards, interceptors, filters, microservices. */
import { expect, test } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  type NestInterceptor,
  Scope,
  UseInterceptors,
  ValidationPipe,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, BaseExceptionFilter, NestFactory } from '@nestjs/core';
import {
  ClientProxyFactory,
  MessagePattern,
  type MicroserviceOptions,
  Payload,
  Transport,
} from '@nestjs/microservices';
import {
  Crud,
  CrudController,
  type CrudRequest,
  CrudRequestInterceptor,
  Override,
  ParsedRequest,
} from '@nestwright/crud';
import { createServer, type Server } from 'node:net';
import { firstValueFrom, map, type Observable } from 'rxjs';
import { type Api, describePlatforms, start } from '../support/application.js';
import { Note, Notes, OfNotes, resource } from './resource.js';

/** Asks every route once; answers the statuses. */
async function ask(api: Api, base: string, headers: Record<string, string> = {}): Promise<number[]> {
  const requests = [
    () => api.get(base),
    () => api.get(`${base}/1`),
    () => api.post(base, { text: 'x' }),
    () => api.post(`${base}/bulk`, { bulk: [{ text: 'x' }] }),
    () => api.patch(`${base}/1`, { text: 'x' }),
    () => api.put(`${base}/1`, { text: 'x' }),
    () => api.delete(`${base}/1`),
  ];
  const statuses: number[] = [];
  for (const request of requests) statuses.push((await request().set(headers)).status);

  return statuses;
}

const ANSWERED = [200, 200, 201, 201, 200, 200, 200];
const ABSENT = ANSWERED.map(() => 404);

describePlatforms('every route is reached', (platform) => {
  const controllers = [
    resource(Notes, {}, { path: 'notes', version: ['1', '2'] }),
    resource(Notes, {}, { path: 'timeless', version: VERSION_NEUTRAL }),
  ];

  test('by its version in the path, after a global prefix', async () => {
    const configure = (app: Api['app']) =>
      app.setGlobalPrefix('api/rest').enableVersioning({ type: VersioningType.URI, prefix: 'v', defaultVersion: '1' });
    const api = await start({ platform, controllers, providers: [Notes], configure });

    expect(await ask(api, '/api/rest/v1/notes')).toEqual(ANSWERED);
    expect(await ask(api, '/api/rest/v2/notes')).toEqual([200, 404, 201, 201, 404, 201, 200]);
    expect(await ask(api, '/api/rest/v3/notes')).toEqual(ABSENT);
    expect((await api.get('/api/rest/timeless/2')).status).toBe(200);
  });

  test('by its version in a header', async () => {
    const configure = (app: Api['app']) => app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' });
    const api = await start({ platform, controllers, providers: [Notes], configure });

    expect(await ask(api, '/notes', { 'x-version': '3' })).toEqual(ABSENT);
    expect(await ask(api, '/notes', { 'x-version': '1' })).toEqual(ANSWERED);
    expect((await api.get('/timeless/2')).status).toBe(200);
  });

  test('beside routes of the application, also where controller and service are made for each request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped extends Notes {}

    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(readonly service: Scoped) {}

      @Get('me')
      @UseInterceptors(CrudRequestInterceptor)
      me(@ParsedRequest() { parsed }: CrudRequest) {
        return parsed.filter;
      }
    }

    const api = await start({ platform, controllers: [NotesController], providers: [Scoped] });
    await api.get('/notes/1').expect(200, { id: 1, text: 'one' });
    await api.get('/notes/me?filter=id||eq||3').expect(200, [{ field: 'id', operator: 'eq', value: 3 }]);
  });
});

describePlatforms('bound to the whole application', (platform) => {
  test('a ValidationPipe for decorators of applications, too, lets every request through', async () => {
    @Crud({ model: { type: Note } })
    @Controller('own')
    class OwnController extends OfNotes implements CrudController<Note> {
      @Override()
      getMany(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }
    }
    const strict = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true, transform: true };
    const api = await start({
      platform,
      controllers: [OwnController],
      providers: [Notes],
      configure: (app) => app.useGlobalPipes(new ValidationPipe({ ...strict, validateCustomDecorators: true })),
    });

    await api.get('/own?filter=id||eq||2').expect(200, [{ id: 2, text: 'two' }]);
    await api.get('/own/2').expect(200);
    await api.delete('/own/1').expect(200);
  });

  test('guards, interceptors and filters stand around every route', async () => {
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
    const controller = resource(Notes);
    const api = await start({
      platform,
      controllers: [controller],
      providers: [
        Notes,
        { provide: APP_GUARD, useClass: Watch },
        { provide: APP_INTERCEPTOR, useClass: Wrap },
        { provide: APP_FILTER, useClass: Mark },
      ],
    });

    await api.get('/notes/1').expect(200, { body: { id: 1, text: 'one' } });
    expect(asked).toEqual([controller, 'getOneBase']);
    await api.get('/notes?page=1&limit=1').expect(200, {
      body: { data: [{ id: 1, text: 'one' }], count: 1, total: 2, page: 1, pageCount: 2 },
    });
    await api.post('/notes', { text: 'x' }).expect(201, { body: { text: 'x', id: 3 } });
    for (const [path, status] of Object.entries({ '/notes/9': 404, '/notes?limit=x': 400 }))
      expect((await api.get(path).expect(status)).body).toMatchObject({ statusCode: status, marked: true });
    expect((await api.post('/notes/bulk', {}).expect(400)).body).toMatchObject({
      code: 'CRUD_EMPTY_BODY',
      marked: true,
    });
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
class HybridController extends OfNotes {
  @MessagePattern('note.text')
  text(@Payload() id: number): unknown {
    return this.service.rows.find((row) => row['id'] === id)?.['text'] ?? null;
  }
}

test('controllers of resources do not disturb an application without HTTP', async () => {
  @Module({ controllers: [HybridController], providers: [Notes] })
  class NotesModule {}
  const quiet = { logger: false, abortOnError: false } as const;

  const context = await NestFactory.createApplicationContext(NotesModule, quiet);
  expect(context.get(HybridController).service).toBe(context.get(Notes));
  await context.close();

  const tcp = { transport: Transport.TCP, options: { host: '127.0.0.1', port: await freePort() } } as const;
  const service = await NestFactory.createMicroservice<MicroserviceOptions>(NotesModule, { ...tcp, ...quiet });
  await service.listen();
  const client = ClientProxyFactory.create(tcp);
  expect(await firstValueFrom(client.send('note.text', 2))).toBe('two');
  await client.close();
  await service.close();
});
