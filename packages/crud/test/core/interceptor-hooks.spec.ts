/** Subclasses of CrudRequestInterceptor, bound in every way that applications bind them: each method of nestjsx/crud's that they override takes effect. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Logger,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  Crud,
  CrudActions,
  CrudAuth,
  type CrudOptions,
  type CrudRequest,
  CrudRequestInterceptor,
  Override,
  ParsedRequest,
} from '@nestwright/crud';
import type { RequestQueryParser, SCondition } from '@nestwright/crud-request';
import { map, type Observable } from 'rxjs';
import { describePlatforms, start, stopAll } from '../support/application.js';
import {
  type Binding,
  BINDINGS,
  controllerOf,
  FirstOwner,
  ids,
  type Options,
  Post,
  Posts,
  serveBound,
} from './interceptor-hooks.application.js';

describePlatforms('a subclass of CrudRequestInterceptor', (platform) => {
  const serve = (binding: Binding, more?: Partial<CrudOptions>) => serveBound(platform, binding, more);

  test.each(Object.entries(BINDINGS))('is called where it is bound %s', async (_, bind) => {
    const api = await serve(bind(FirstOwner));

    expect(await ids(api, '/posts')).toEqual([1, 2]);
    expect(await ids(api, '/posts?filter=title||eq||two')).toEqual([2]);
    expect(await ids(api, '/posts?s={"$or":[{"id":1},{"id":3}]}')).toEqual([1]);
    expect((await api.get('/posts/1').expect(200)).body).toEqual({ id: 1, title: 'one', slug: 'a', ownerId: 1 });
    await api.get('/posts/3').expect(404);
    expect((await api.get('/posts?filter=nope||eq||1').expect(400)).body.code).toBe('CRUD_UNKNOWN_FIELD');
    expect((await api.get('/posts/x').expect(400)).body.code).toBe('CRUD_INVALID_PARAM');
  });

  test('is called on an overriding handler and on one of its own', async () => {
    @Crud({ model: { type: Post } })
    @Controller('posts')
    class PostsController {
      constructor(public service: Posts) {}

      @Override()
      @UseInterceptors(FirstOwner)
      getMany(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }

      @Get('of/owner')
      @UseInterceptors(FirstOwner)
      ofOwner(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }
    }

    const api = await start({ platform, controllers: [PostsController], providers: [Posts] });
    expect(await ids(api, '/posts')).toEqual([1, 2]);
    expect(await ids(api, '/posts/of/owner?filter=id||gt||1')).toEqual([2]);
  });

  test('gets what its own constructor asks for', async () => {
    @Injectable()
    class Injected extends FirstOwner {
      constructor(private readonly reflector: Reflector) {
        super();
      }

      override getSearch(...step: Parameters<CrudRequestInterceptor['getSearch']>): SCondition[] {
        return this.reflector instanceof Reflector ? super.getSearch(...step) : [{ id: 0 }];
      }
    }

    const api = await serve(BINDINGS['on the controller']!(Injected));
    expect(await ids(api, '/posts')).toEqual([1, 2]);
    // It knows the entity of the resource, too.
    await api.get('/posts?filter=nope||eq||1').expect(400);
  });

  test('getSearch: what it adds to the parser, and what it leaves out', async () => {
    class Adding extends CrudRequestInterceptor {
      override getSearch(parser: RequestQueryParser, ...rest: [Options, CrudActions, object?]): SCondition[] {
        parser.filter.push({ field: 'title', operator: '$cont', value: 'o' });

        return super.getSearch(parser, ...rest);
      }
    }
    class Replacing extends CrudRequestInterceptor {
      override getSearch(): SCondition[] {
        return [{ title: 'two' }];
      }
    }

    const adding = await serve(BINDINGS['on the controller']!(Adding));
    expect(await ids(adding, '/posts')).toEqual([1, 2]);
    expect(await ids(adding, '/posts?filter=id||gt||1')).toEqual([2]);

    const replacing = await serve(BINDINGS['on the controller']!(Replacing));
    expect(await ids(replacing, '/posts?filter=id||eq||1')).toEqual([2]);
    expect((await replacing.get('/posts/1').expect(200)).body.id).toBe(2);
  });

  test('getSearch: it reads and changes values of the client’s filters', async () => {
    const read: unknown[] = [];
    class Next extends CrudRequestInterceptor {
      override getSearch(parser: RequestQueryParser, options: Options, action: CrudActions, params?: object) {
        for (const filter of [...parser.filter, ...parser.or]) {
          read.push(filter.value);
          if (filter.value === 2) filter.value = 3;
          if (Array.isArray(filter.value)) filter.value.push(1);
        }

        return super.getSearch(parser, options, action, params);
      }
    }
    const api = await serve({ around: UseInterceptors(Next) });

    expect(await ids(api, '/posts?filter=id||eq||2')).toEqual([3]);
    expect(await ids(api, '/posts?filter=id||in||3')).toEqual([1, 3]);
    expect(await ids(api, '/posts?filter=id||gt||1&or=title||eq||two')).toEqual([2, 3]);
    expect(read).toEqual([2, [3, 1], 1, 'two']);
  });

  test('getSearch: no record is meant where a client alone tells which', async () => {
    class Grouping extends CrudRequestInterceptor {
      override getSearch(...step: Parameters<CrudRequestInterceptor['getSearch']>): SCondition[] {
        return [{ $and: super.getSearch(...step) }];
      }
    }
    const nobody = CrudAuth({ filter: () => ({}) });
    const me = {
      params: { id: { disabled: true } },
      routes: { only: ['getOneBase'] },
      query: { filter: { id: { $gt: 2 } } },
    } as const;

    {
      const api = await serve({ around: (target) => (nobody(target), UseInterceptors(Grouping)(target)) }, me);
      await api.get('/posts?s={"id":3}').expect(404);
    }

    class Third extends CrudRequestInterceptor {
      override getSearch(...step: Parameters<CrudRequestInterceptor['getSearch']>): SCondition[] {
        return [{ $and: [...super.getSearch(...step), { ownerId: 2 }] }];
      }
    }
    const third = await serve({ around: (target) => (nobody(target), UseInterceptors(Third)(target)) }, me);
    expect((await third.get('/posts').expect(200)).body.id).toBe(3);
  });

  test('getSearch: query.filter as a function, asynchronous or not, gets what a client asks for', async () => {
    const seen: unknown[] = [];
    const filter = (isAsync: boolean) => (search: SCondition | undefined, many: boolean) => {
      seen.push([search, many]);
      const condition = { $and: [search ?? {}, { id: { $gt: 1 } }] };

      return isAsync ? Promise.resolve(condition) : condition;
    };

    for (const isAsync of [false, true]) {
      const api = await serve(BINDINGS['on the controller']!(FirstOwner), { query: { filter: filter(isAsync) } });
      expect(await ids(api, '/posts')).toEqual([2]);
      expect(await ids(api, '/posts?filter=title||eq||two')).toEqual([2]);
      await api.get('/posts/1').expect(404);
    }
    expect(seen.slice(0, 3)).toEqual([
      [undefined, true],
      [{ $and: [{ title: { eq: 'two' } }] }, true],
      [undefined, false],
    ]);
  });

  test('getParamsSearch: another condition for the path', async () => {
    class BySlug extends CrudRequestInterceptor {
      override getParamsSearch(_parser: RequestQueryParser, _options: Options, params?: { id?: string }): SCondition[] {
        return params?.id === undefined ? [] : [{ slug: params.id }];
      }
    }
    class Everything extends CrudRequestInterceptor {
      override getParamsSearch(): SCondition[] {
        return [];
      }
    }

    const bySlug = await serve(BINDINGS['on the controller']!(BySlug));
    expect((await bySlug.get('/posts/c').expect(200)).body.id).toBe(3);
    expect((await bySlug.patch('/posts/b', { title: 'zwei' }).expect(200)).body).toMatchObject({
      id: 2,
      title: 'zwei',
    });
    expect(bySlug.resolve(Posts).last.request.scope).toEqual({ $and: [{ slug: 'b' }] });
    await bySlug.delete('/posts/nope').expect(404);

    // No condition is left: no record is meant.
    const everything = await serve(BINDINGS['on the controller']!(Everything));
    expect((await everything.delete('/posts/1').expect(404)).body.code).toBe('CRUD_NOT_FOUND');
    expect(await ids(everything, '/posts')).toEqual([1, 2, 3]);
  });

  test('getAuth: filter, or, persist and user', async () => {
    class Tenant extends CrudRequestInterceptor {
      override getAuth(parser: RequestQueryParser, options: Options, req: { headers: Record<string, string> }) {
        const auth = super.getAuth(parser, options, req);
        parser.setAuthPersist({ ...parser.authPersist, slug: 'kept' });

        return {
          ...auth,
          filter: { $and: [auth.filter ?? {}, { ownerId: Number(req.headers['x-owner']) }] },
          auth: 'me',
        };
      }
    }
    class Alternative extends CrudRequestInterceptor {
      override getAuth() {
        return { or: { id: 3 } };
      }
    }
    const scoped = CrudAuth({
      filter: () => Promise.resolve({ id: { $gt: 1 } }),
      persist: () => ({ title: 'persisted' }),
    });

    const tenant = await serve({ around: (target) => (scoped(target), UseInterceptors(Tenant)(target)) });
    expect((await tenant.get('/posts', { 'x-owner': '1' }).expect(200)).body).toMatchObject([{ id: 2 }]);
    await tenant.get('/posts/3', { 'x-owner': '1' }).expect(404);
    expect(tenant.resolve(Posts).last.request).toMatchObject({
      auth: 'me',
      scope: { $and: [{ id: { $eq: 3 } }, { $and: [{ id: { $gt: 1 } }, { ownerId: 1 }] }] },
    });
    await tenant.post('/posts', { title: 'x' }).set('x-owner', '1').expect(201);
    expect(tenant.resolve(Posts).last.dto).toEqual({ title: 'persisted', slug: 'kept' });

    const alternative = await serve(BINDINGS['on the controller']!(Alternative));
    expect(await ids(alternative, '/posts?filter=id||eq||1')).toEqual([1, 3]);
  });

  test('getCrudRequest and getCrudInfo: the request and the options', async () => {
    class Limited extends CrudRequestInterceptor {
      override getCrudRequest(parser: RequestQueryParser, options: Options, auth?: unknown): CrudRequest {
        const request = super.getCrudRequest(parser, options, auth);
        request.parsed.limit = 1;

        return request;
      }
    }
    class Filtered extends CrudRequestInterceptor {
      protected override getCrudInfo(context: ExecutionContext) {
        const info = super.getCrudInfo(context);

        return {
          ...info,
          crudOptions: { ...info.crudOptions, query: { ...info.crudOptions.query, filter: { id: 3 } } },
        };
      }
    }

    expect(await ids(await serve(BINDINGS['on the controller']!(Limited)), '/posts')).toEqual([1]);
    expect(await ids(await serve(BINDINGS['on the controller']!(Filtered)), '/posts')).toEqual([3]);
  });

  test('intercept: what it does around the handler', async () => {
    class Wrapping extends CrudRequestInterceptor {
      override intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
        return super.intercept(context, next).pipe(map((posts) => ({ posts })));
      }
    }

    const api = await serve(BINDINGS['on the controller']!(Wrapping), { routes: { only: ['getManyBase'] } });
    expect((await api.get('/posts?filter=id||eq||1').expect(200)).body).toEqual({
      posts: [{ id: 1, title: 'one', slug: 'a', ownerId: 1 }],
    });
    await api.get('/posts?limit=x').expect(400);
  });

  test('a condition of a step that is none is the server’s mistake', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    class Wrong extends CrudRequestInterceptor {
      override getAuth() {
        return { filter: `ownerId = ${platform}` };
      }
    }

    await (await serve(BINDINGS['on the controller']!(Wrong))).get('/posts').expect(500);
    expect(JSON.stringify(error.mock.calls)).toContain('is not a condition');
    error.mockRestore();
  });
});

describe('the start stops', () => {
  afterEach(stopAll);

  const failure = async (controller: Type<object>): Promise<string> => {
    try {
      await start({ controllers: [controller], providers: [Posts] });
    } catch (error) {
      return (error as Error).message;
    }

    return 'started';
  };

  test('where a request is parsed before the interceptor that would parse it', async () => {
    const late = (around: ClassDecorator) => failure(controllerOf({ around }));

    expect(await late(UseInterceptors(CrudRequestInterceptor, FirstOwner))).toBe(
      'Mistakes in the options of @Crud() (https://github.com/nestwright/nestwright/blob/main/docs/startup-errors.md):\n  - PostsController: FirstOwner overrides getSearch, which is never called on getManyBase, getOneBase, createOneBase, createManyBase, ' +
        'updateOneBase, replaceOneBase, deleteOneBase, since CrudRequestInterceptor parses the request before: bind FirstOwner before it, or alone',
    );
    expect(await late(UseInterceptors(FirstOwner, CrudRequestInterceptor))).toBe('started');
    // Bound twice, to the application and a controller, say: its steps are called by the first.
    expect(await late(UseInterceptors(FirstOwner, FirstOwner))).toBe('started');
    expect(await late(UseInterceptors(class extends FirstOwner {}, FirstOwner))).toBe('started');
  });
});
