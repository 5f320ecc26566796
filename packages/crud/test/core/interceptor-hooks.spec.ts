/** Subclasses of CrudRequestInterceptor and CrudResponseInterceptor, bound in every way that applications bind them: each method of nestjsx/crud's that they override takes effect. */
import { expect, jest, test } from '@jest/globals';
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
  Action,
  Crud,
  CrudActions,
  CrudAuth,
  type CrudOptions,
  type CrudRequest,
  CrudRequestInterceptor,
  CrudResponseInterceptor,
  Override,
  ParsedRequest,
} from '@nestwright/crud';
import type { RequestQueryParser, SCondition } from '@nestwright/crud-request';
import { Exclude, Expose } from 'class-transformer';
import { map, type Observable } from 'rxjs';
import { describeApplications, describePlatforms, start } from '../support/application.js';
import {
  type Binding,
  BINDINGS,
  factoryOf,
  FirstOwner,
  ids,
  onController,
  type Options,
  Post,
  Posts,
  serveBound,
} from './interceptor-hooks.application.js';

/** Overrides steps, as a class in TypeScript would. */
function stepping(steps: Record<string, (...step: never[]) => unknown>): typeof CrudRequestInterceptor {
  class Stepping extends CrudRequestInterceptor {}

  return Object.assign(Stepping.prototype, steps) && Stepping;
}

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

    const api = await serve(onController(Injected));
    expect(await ids(api, '/posts')).toEqual([1, 2]);
    // It knows the entity of the resource, too.
    await api.get('/posts?filter=nope||eq||1').expect(400);
  });

  test('getSearch: what it adds to the parser, and what it leaves out', async () => {
    class Adding extends CrudRequestInterceptor {
      override getSearch(parser: RequestQueryParser, ...rest: [Options, CrudActions, object?]) {
        parser.filter.push({ field: 'title', operator: '$cont', value: 'o' });

        return super.getSearch(parser, ...rest);
      }
    }

    const adding = await serve(onController(Adding));
    expect(await ids(adding, '/posts')).toEqual([1, 2]);
    expect(await ids(adding, '/posts?filter=id||gt||1')).toEqual([2]);

    const replacing = await serve(onController(stepping({ getSearch: () => [{ title: 'two' }] })));
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
    const api = await serve(onController(Next));

    expect(await ids(api, '/posts?filter=id||eq||2')).toEqual([3]);
    expect(await ids(api, '/posts?filter=id||in||3')).toEqual([1, 3]);
    expect(await ids(api, '/posts?filter=id||gt||1&or=title||eq||two')).toEqual([2, 3]);
    expect(read).toEqual([2, [3, 1], 1, 'two']);
  });

  test('getSearch: no record is meant where a client alone tells which', async () => {
    const grouping = (...more: SCondition[]) =>
      class extends CrudRequestInterceptor {
        override getSearch(...step: Parameters<CrudRequestInterceptor['getSearch']>) {
          return [{ $and: [...super.getSearch(...step), ...more] }];
        }
      };
    const nobody = CrudAuth({ filter: () => ({}) });
    const me = {
      params: { id: { disabled: true } },
      routes: { only: ['getOneBase'] },
      query: { filter: { id: { $gt: 2 } } },
    } as const;

    const scoped = (one: typeof CrudRequestInterceptor): Binding => ({
      around: (target) => (nobody(target), UseInterceptors(one)(target)),
    });
    await (await serve(scoped(grouping()), me)).get('/posts?s={"id":3}').expect(404);

    expect((await (await serve(scoped(grouping({ ownerId: 2 })), me)).get('/posts').expect(200)).body.id).toBe(3);
  });

  test('getSearch: query.filter as a function, asynchronous or not, gets what a client asks for', async () => {
    const seen: unknown[] = [];
    const filter = (isAsync: boolean) => (search: SCondition | undefined, many: boolean) => {
      seen.push([search, many]);
      const condition = { $and: [search ?? {}, { id: { $gt: 1 } }] };

      return isAsync ? Promise.resolve(condition) : condition;
    };

    for (const isAsync of [false, true]) {
      const api = await serve(onController(FirstOwner), { query: { filter: filter(isAsync) } });
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
    const getParamsSearch = (_parser: unknown, _options: unknown, params?: { id?: string }) =>
      params?.id === undefined ? [] : [{ slug: params.id }];
    const bySlug = await serve(onController(stepping({ getParamsSearch })));
    expect((await bySlug.get('/posts/c').expect(200)).body.id).toBe(3);
    expect((await bySlug.patch('/posts/b', { title: 'zwei' }).expect(200)).body.id).toBe(2);
    expect(bySlug.resolve(Posts).last.request.scope).toEqual({ $and: [{ slug: 'b' }] });
    await bySlug.delete('/posts/nope').expect(404);

    // No condition is left: no record is meant.
    const everything = await serve(onController(stepping({ getParamsSearch: () => [] })));
    expect((await everything.delete('/posts/1').expect(404)).body.code).toBe('CRUD_NOT_FOUND');
    expect(await ids(everything, '/posts')).toEqual([1, 2, 3]);
  });

  test('getAuth: filter, or, persist and user', async () => {
    class Tenant extends CrudRequestInterceptor {
      override getAuth(parser: RequestQueryParser, options: Options, req: { headers: Record<string, string> }) {
        const auth = super.getAuth(parser, options, req);
        parser.setAuthPersist({ ...parser.authPersist, slug: 'kept' });

        const owner = { ownerId: Number(req.headers['x-owner']) };

        return { ...auth, filter: { $and: [auth.filter ?? {}, owner] }, auth: 'me' };
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

    const alternative = await serve(onController(stepping({ getAuth: () => ({ or: { id: 3 } }) })));
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
        const { crudOptions, ...info } = super.getCrudInfo(context);

        return { ...info, crudOptions: { ...crudOptions, query: { ...crudOptions.query, filter: { id: 3 } } } };
      }
    }

    expect(await ids(await serve(onController(Limited)), '/posts')).toEqual([1]);
    expect(await ids(await serve(onController(Filtered)), '/posts')).toEqual([3]);
  });

  test('intercept: what it does around the handler', async () => {
    class Wrapping extends CrudRequestInterceptor {
      override intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
        return super.intercept(context, next).pipe(map((posts) => ({ posts })));
      }
    }

    const api = await serve(onController(Wrapping), { routes: { only: ['getManyBase'] } });
    expect((await api.get('/posts?filter=id||eq||1').expect(200)).body).toEqual({
      posts: [{ id: 1, title: 'one', slug: 'a', ownerId: 1 }],
    });
    await api.get('/posts?limit=x').expect(400);
  });

  test('a condition of a step that is none is the server’s mistake', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const wrong = stepping({ getAuth: () => ({ filter: `ownerId = ${platform}` }) });

    await (await serve(onController(wrong))).get('/posts').expect(500);
    expect(JSON.stringify(error.mock.calls)).toContain('is not a condition');
    error.mockRestore();
  });
});

describePlatforms('a subclass of CrudResponseInterceptor', (platform) => {
  class Numbered extends CrudResponseInterceptor {
    protected override transform(dto: unknown, data: object, options?: object): unknown {
      return { ...(super.transform(dto, data, options) as object), dto: (dto as Type | undefined)?.name };
    }
  }
  class Wrapped extends CrudResponseInterceptor {
    protected override serialize(context: ExecutionContext, data: unknown): unknown {
      return { result: super.serialize(context, data) as unknown };
    }
  }
  class Renamed {
    @Expose({ name: 'heading' }) title!: string;
    @Exclude() ownerId!: number;
  }

  const ONE = { id: 1, title: 'one', slug: 'a', ownerId: 1 };
  const BOUND: typeof BINDINGS = {
    ...BINDINGS,
    'in setInterceptors of a routes factory, alone': (one) => ({
      options: { routesFactory: factoryOf(one, false) },
    }),
  };

  test.each(Object.entries(BOUND))('is called for each record where it is bound %s', async (_, bind) => {
    const api = await serveBound(platform, bind(Numbered));

    expect((await api.get('/posts/1').expect(200)).body).toEqual({ ...ONE, dto: 'Post' });
    expect((await api.get('/posts?filter=id||eq||1').expect(200)).body).toEqual([{ ...ONE, dto: 'Post' }]);
    expect((await api.get('/posts?limit=1&page=1').expect(200)).body).toEqual({
      data: [{ ...ONE, dto: 'Post' }],
      count: 1,
      total: 3,
      page: 1,
      pageCount: 3,
    });
  });

  test('is called for each response, and keeps what its classes rename', async () => {
    const more: Partial<CrudOptions> = { serialize: { get: Renamed, getMany: Renamed } };

    for (const bind of [BOUND['on the controller']!, BOUND['in setInterceptors of a routes factory, alone']!]) {
      const api = await serveBound(platform, bind(Wrapped), more);
      expect((await api.get('/posts/1').expect(200)).body).toEqual({ result: { id: 1, heading: 'one', slug: 'a' } });
      expect((await api.get('/posts?filter=id||eq||1').expect(200)).body).toEqual({
        result: [{ id: 1, heading: 'one', slug: 'a' }],
      });
    }
  });

  test('shapes what handlers of the application return, by the class of their action or their own', async () => {
    @Crud({ model: { type: Post }, serialize: { get: Renamed } })
    @Controller('posts')
    class PostsController {
      constructor(public service: Posts) {}

      @Get('first/plain')
      @UseInterceptors(CrudRequestInterceptor, CrudResponseInterceptor)
      first(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }

      @Get('first/read')
      @Action(CrudActions.ReadOne)
      @UseInterceptors(CrudRequestInterceptor, Numbered)
      async read(@ParsedRequest() req: CrudRequest) {
        return ((await this.service.getMany(req)) as Post[])[0];
      }
    }

    const api = await start({ platform, controllers: [PostsController], providers: [Posts] });
    expect((await api.get('/posts/first/plain?filter=id||eq||1').expect(200)).body).toEqual([ONE]);
    await api.get('/posts/first/read').expect(200, { id: 1, slug: 'a', heading: 'one', dto: 'Renamed' });
  });
});

describeApplications('the start stops', () => {
  test('where a request is parsed before the interceptor that would parse it', async () => {
    const bound = (...all: (typeof CrudRequestInterceptor)[]) =>
      serveBound('express', { around: UseInterceptors(...all) });

    await expect(bound(CrudRequestInterceptor, FirstOwner)).rejects.toThrow(
      'PostsController: FirstOwner overrides getSearch, which is never called on getManyBase, getOneBase, createOneBase, createManyBase, ' +
        'updateOneBase, replaceOneBase, deleteOneBase, since CrudRequestInterceptor parses the request before: bind FirstOwner before it, or alone',
    );
    await bound(FirstOwner, CrudRequestInterceptor);
    // Bound twice, to the application and a controller, say: its steps are called by the first.
    await bound(FirstOwner, FirstOwner);
    await bound(class extends FirstOwner {}, FirstOwner);
  });
});
