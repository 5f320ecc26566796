/** Generated handlers around which nothing of the application's own stands in; they parse and answer by themselves, and what applications see of a request stays as it is behind an interceptor. */
import { tracingChannel } from 'node:diagnostics_channel';
import { expect, test } from '@jest/globals';
import type { CallHandler, ExecutionContext, NestInterceptor, PipeTransform } from '@nestjs/common';
import { UseInterceptors } from '@nestjs/common';
import { CrudRequestInterceptor, type CrudRequestMessage, Override, PARSED_CRUD_REQUEST_KEY } from '@nestwright/crud';
import { RequestQueryException } from '@nestwright/crud-request';
import { of, tap } from 'rxjs';
import { CrudRouteInterceptor } from '../../src/index.js';
import { type Api, describePlatforms } from '../support/application.js';
import { handler, Note, Notes, resource, run } from './resource.js';

const note = () => Object.assign(new Note(), { id: 1, text: 'one', secret: 'a' });

describePlatforms('an interceptor of the library', (platform) => {
  test('stands around the handlers that others stand around, or that the application wrote', async () => {
    const seen: unknown[] = [];

    class Watch implements NestInterceptor {
      intercept(context: ExecutionContext, next: CallHandler) {
        seen.push(PARSED_CRUD_REQUEST_KEY in context.switchToHttp().getRequest<object>());
        return next.handle().pipe(tap((result: unknown) => seen.push(result)));
      }
    }

    const routes = { getOneBase: { interceptors: [Watch] }, updateOneBase: { decorators: [UseInterceptors(Watch)] } };
    const list = handler('getMany', (notes, req) => notes.getMany(req), Override());
    const controller = resource(Notes, { routes }, 'notes', list);
    const interceptorsOn = (handler: string): unknown =>
      Reflect.getMetadata('__interceptors__', (controller.prototype as Record<string, object>)[handler]!);
    expect(['createOneBase', 'getMany'].map(interceptorsOn)).toEqual([undefined, [CrudRouteInterceptor]]);
    for (const route of Object.keys(routes)) expect(interceptorsOn(route)).toEqual([CrudRouteInterceptor, Watch]);

    const api = await run({ platform }, controller);
    await api.post('/notes', { text: 'new' }).expect(201, { id: 3, text: 'new' });
    await api.get('/notes?filter=id||eq||1').expect(200, [{ id: 1, text: 'one' }]);
    expect(seen).toEqual([]);
    await api.get('/notes/1').expect(200, { id: 1, text: 'one' });
    await api.patch('/notes/1', { text: 'x' }).expect(200, { id: 1, text: 'x' });
    expect(seen).toEqual([true, note(), true, { ...note(), text: 'x' }]);
  });
});

describePlatforms('a handler that answers by itself', (platform) => {
  class Odd extends Notes {
    // What a service returns is not held to its type at run time.
    override getOne(): never {
      return of(note()) as never;
    }
    override getMany(): never {
      throw new RequestQueryException('Not now', 'CRUD_INVALID_VALUE');
    }
  }

  const boot = (pipe?: PipeTransform, controller = resource(Odd)) => {
    const configure = (app: Api['app']) => pipe && app.useGlobalPipes(pipe);
    return run({ platform, providers: [Notes, Odd], configure }, controller);
  };

  test('takes Observables, and errors of the query language, from a service', async () => {
    const api = await boot();
    await api.get('/notes/1').expect(200, { id: 1, text: 'one' });
    const refused = { message: 'Not now', code: 'CRUD_INVALID_VALUE' };
    expect((await api.get('/notes').expect(400)).body).toMatchObject(refused);
  });

  test('refuses the query before it looks at the body', async () => {
    const api = await boot();
    const { body } = await api.post('/notes?fields=nothing', []).expect(400);
    expect(body).toMatchObject({ code: 'CRUD_UNKNOWN_FIELD', field: 'nothing' });
    expect((await api.post('/notes', []).expect(400)).body).toMatchObject({ code: 'CRUD_INVALID_BODY' });
    await api.post('/notes', { text: 'right' }).expect(201);
    expect(api.resolve(Odd).calls.map(({ dto }) => dto)).toEqual([{ text: 'right' }]);
  });

  test('is let alone by pipes of its application that rewrite objects, which see the body', async () => {
    const values: unknown[] = [];
    const controller = resource(Notes);
    const rewriting = (text: string) => ({
      transform: (value: unknown) => (typeof value === 'object' ? (values.push(value), { ...value, text }) : value),
    });
    const [first, second] = [await boot(rewriting('1st'), controller), await boot(rewriting('2nd'), controller)];
    const send = (api: Api, text: string, id: number) => api.post('/notes', { text: 'sent' }).expect(201, { text, id });
    for (const id of [3, 4]) await Promise.all([send(first, '1st', id), send(second, '2nd', id)]);
    expect(values).toEqual(Array(4).fill({ text: 'sent' }));
  });

  test('behind a CrudRequestInterceptor of its controller, keeps a body in scope and is traced once', async () => {
    const ended: unknown[] = [];
    const onEnd = (message: unknown) => {
      const { route, status } = message as CrudRequestMessage;
      ended.push(`${route} ${status}`);
    };
    const params = { text: { field: 'text', type: 'string' }, id: { field: 'id', primary: true } };
    const controller = resource(Notes, { params }, 'of/:text/notes', UseInterceptors(CrudRequestInterceptor));
    const api = await run({ platform }, controller);
    const { asyncEnd } = tracingChannel('nestwright:request');
    asyncEnd.subscribe(onEnd);
    await api.post('/of/new/notes', { text: 'one' }).expect(201, { id: 3, text: 'new' });
    await api.get('/of/new/notes').expect(200, [{ id: 3, text: 'new' }]);
    await api.get('/of/new/notes/1').expect(404);
    asyncEnd.unsubscribe(onEnd);
    expect(ended).toEqual(['createOneBase undefined', 'getManyBase undefined', 'getOneBase 404']);
  });
});
