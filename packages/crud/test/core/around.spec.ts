/** What an application puts around its resources: versions, guards, interceptors, filters, microservices. */
import { expect, test } from '@jest/globals';
import { Controller, type ExecutionContext, Module, VERSION_NEUTRAL, VersioningType } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, BaseExceptionFilter, NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { ClientProxyFactory, MessagePattern, Payload, Transport } from '@nestjs/microservices';
import { Crud } from '@nestwright/crud';
import { firstValueFrom, map } from 'rxjs';
import { freePort } from '../../../../integration/test-support/free-port.js';
import { type Api, describePlatforms } from '../support/application.js';
import { around, Note, Notes, OfNotes, resource, run } from './resource.js';

describePlatforms('around resources', (platform) => {
  test('there is a version in the path, after a global prefix', async () => {
    const configure = (app: Api['app']) =>
      app.setGlobalPrefix('api/rest').enableVersioning({ type: VersioningType.URI, prefix: 'v', defaultVersion: '1' });
    const api = await run(
      { platform, configure },
      resource(Notes, {}, { path: 'notes', version: ['1', '2'] }),
      resource(Notes, {}, { path: 'timeless', version: VERSION_NEUTRAL }),
    );
    const body = { text: 'x' };
    for (const [version, status] of Object.entries({ v1: 200, v2: 200, v3: 404 })) {
      const base = `/api/rest/${version}/notes`;
      expect((await api.get(base)).status).toBe(status);
      expect((await api.put(`${base}/2`, body)).status).toBe(status);
      expect((await api.post(`${base}/bulk`, { bulk: [body] })).status).toBe(status === 200 ? 201 : 404);
    }
    await api.get('/api/rest/timeless/2').expect(200);
  });

  test('there are guards, interceptors and filters', async () => {
    class Mark extends BaseExceptionFilter {
      override catch(exception: Error & { getResponse?: () => object }, host: never): void {
        Object.assign(exception.getResponse?.() ?? {}, { marked: true });
        super.catch(exception, host);
      }
    }

    const asked: unknown[] = [];
    const canActivate = (context: ExecutionContext) => asked.push(context.getClass(), context.getHandler().name) > 0;
    const controller = resource(Notes);
    const providers = [
      { provide: APP_GUARD, useValue: { canActivate } },
      { provide: APP_INTERCEPTOR, useClass: around(map((body) => ({ body }))) },
      { provide: APP_FILTER, useClass: Mark },
    ];
    const api = await run({ platform, providers: [Notes, ...providers] }, controller);
    await api.get('/notes/1').expect(200, { body: { id: 1, text: 'one' } });
    expect(asked).toEqual([controller, 'getOneBase']);
    await api.post('/notes', { text: 'x' }).expect(201, { body: { text: 'x', id: 3 } });
    for (const [path, statusCode] of Object.entries({ '/notes/9': 404, '/notes?limit=x': 400 }))
      expect((await api.get(path).expect(statusCode)).body).toMatchObject({ statusCode, marked: true });
    const empty = { code: 'CRUD_EMPTY_BODY', marked: true };
    expect((await api.post('/notes/bulk', {}).expect(400)).body).toMatchObject(empty);
  });
});

@Crud({ model: { type: Note } })
@Controller('both')
class HybridController extends OfNotes {
  @MessagePattern('note.text')
  text(@Payload() id: number): unknown {
    return this.service.rows.find((row) => row['id'] === id)?.['text'];
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
