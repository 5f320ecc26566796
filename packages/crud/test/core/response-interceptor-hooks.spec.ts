/** Subclasses of CrudResponseInterceptor, bound in every way that applications bind them: each method of nestjsx/crud's that they override takes effect. */
import { expect, test } from '@jest/globals';
import { Controller, type ExecutionContext, Get, type Type, UseInterceptors } from '@nestjs/common';
import {
  Action,
  Crud,
  CrudActions,
  type CrudOptions,
  type CrudRequest,
  CrudRequestInterceptor,
  CrudResponseInterceptor,
  ParsedRequest,
} from '@nestwright/crud';
import { Exclude, Expose } from 'class-transformer';
import { describePlatforms, start } from '../support/application.js';
import { type Binding, BINDINGS, factoryOf, Post, Posts, serveBound } from './interceptor-hooks.application.js';

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
    @Expose({ name: 'heading' })
    title!: string;

    @Exclude()
    ownerId!: number;
  }

  const serve = (binding: Binding, more?: Partial<CrudOptions>) => serveBound(platform, binding, more);
  const ONE = { id: 1, title: 'one', slug: 'a', ownerId: 1 };
  const BOUND: typeof BINDINGS = {
    ...BINDINGS,
    'in setInterceptors of a routes factory, alone': (one) => ({ factory: factoryOf(one, false) }),
  };

  test.each(Object.entries(BOUND))('is called for each record where it is bound %s', async (_, bind) => {
    const api = await serve(bind(Numbered));

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
      const api = await serve(bind(Wrapped), more);
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
    expect((await api.get('/posts/first/read').expect(200)).body).toEqual({
      id: 1,
      heading: 'one',
      slug: 'a',
      dto: 'Renamed',
    });
  });
});
