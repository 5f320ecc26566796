/** What an application puts around its resources: own routes, versions, scopes, pipes, guards, interceptors, filters, microservices. */
import { expect, test } from '@jest/globals';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import {
  Controller,
  Get,
  Injectable,
  Module,
  Scope,
  UseInterceptors,
  ValidationPipe,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, BaseExceptionFilter, NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { ClientProxyFactory, MessagePattern, Payload, Transport } from '@nestjs/microservices';
import { Crud, CrudRequestInterceptor, Override } from '@nestwright/crud';
import { createServer, type Server } from 'node:net';
import { firstValueFrom, map } from 'rxjs';
import { type Api, describePlatforms, start } from '../support/application.js';
import { handler, Note, Notes, OfNotes, resource } from './resource.js';

/** Asks every route once; answers the statuses. */
async function ask(api: Api, base: string, headers: Record<string, string> = {}): Promise<number[]> {
  const [one, body, statuses] = [`${base}/1`, { text: 'x' }, [] as number[]];
  for (const path of [base, one]) statuses.push((await api.get(path, headers)).status);
  for (const send of [
    () => api.post(base, body),
    () => api.post(`${base}/bulk`, { bulk: [body] }),
    () => api.patch(one, body),
    () => api.put(one, body),
    () => api.delete(one),
  ])
    statuses.push((await send().set(headers)).status);

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

    const me = handler('me', (_, req) => req.parsed.filter, Get('me'), UseInterceptors(CrudRequestInterceptor));
    const api = await start({ platform, controllers: [resource(Scoped, {}, 'notes', me)], providers: [Scoped] });
    await api.get('/notes/1').expect(200, { id: 1, text: 'one' });
    await api.get('/notes/me?filter=id||eq||3').expect(200, [{ field: 'id', operator: 'eq', value: 3 }]);
  });
});

describePlatforms('bound to the whole application', (platform) => {
  test('a ValidationPipe for decorators of applications, too, lets every request through', async () => {
    const own = handler('getMany', (notes, req) => notes.getMany(req), Override());
    const strict = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true, transform: true };
    const pipe = new ValidationPipe({ ...strict, validateCustomDecorators: true });
    const configure = (app: Api['app']) => app.useGlobalPipes(pipe);
    const api = await start({
      platform,
      controllers: [resource(Notes, {}, 'own', own)],
      providers: [Notes],
      configure,
    });

    await api.get('/own?filter=id||eq||2').expect(200, [{ id: 2, text: 'two' }]);
    await api.get('/own/2').expect(200);
    await api.delete('/own/1').expect(200);
  });

  test('guards, interceptors and filters stand around every route', async () => {
    class Wrap implements NestInterceptor {
      intercept(_: ExecutionContext, next: CallHandler) {
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
    const canActivate = (context: ExecutionContext) => asked.push(context.getClass(), context.getHandler().name) > 0;
    const controller = resource(Notes);
    const around = [
      { provide: APP_GUARD, useValue: { canActivate } },
      { provide: APP_INTERCEPTOR, useClass: Wrap },
      { provide: APP_FILTER, useClass: Mark },
    ];
    const api = await start({ platform, controllers: [controller], providers: [Notes, ...around] });
    const one = { id: 1, text: 'one' };
    await api.get('/notes/1').expect(200, { body: one });
    expect(asked).toEqual([controller, 'getOneBase']);
    const page = { data: [one], count: 1, total: 2, page: 1, pageCount: 2 };
    await api.get('/notes?page=1&limit=1').expect(200, { body: page });
    await api.post('/notes', { text: 'x' }).expect(201, { body: { text: 'x', id: 3 } });
    for (const [path, statusCode] of Object.entries({ '/notes/9': 404, '/notes?limit=x': 400 }))
      expect((await api.get(path).expect(statusCode)).body).toMatchObject({ statusCode, marked: true });
    const empty = { code: 'CRUD_EMPTY_BODY', marked: true };
    expect((await api.post('/notes/bulk', {}).expect(400)).body).toMatchObject(empty);
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
