/** Posts, whose routes have an interceptor bound in one of the ways in which applications bind them. */
import { Injectable, type NestInterceptor, type Type, UseInterceptors } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import {
  type BaseRouteName,
  CrudActions,
  type CrudOptions,
  CrudRequestInterceptor,
  CrudRoutesFactory,
  type MergedCrudOptions,
} from '@nestwright/crud';
import type { RequestQueryParser, SCondition } from '@nestwright/crud-request';
import { catalog, column } from '../plan/catalogs.js';
import { type Api, type Platform, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { resource } from './resource.js';

export class Post {
  id!: number;
  title!: string;
  slug!: string;
  ownerId!: number;
}

const posts = catalog('Post', [
  column('id', 'integer', { primary: true }),
  column('title', 'text'),
  column('slug', 'text'),
  column('ownerId', 'integer'),
]);
Object.assign(posts, { target: Post });

@Injectable()
export class Posts extends MemoryService<Post> {
  constructor() {
    super(
      [
        { id: 1, title: 'one', slug: 'a', ownerId: 1 },
        { id: 2, title: 'two', slug: 'b', ownerId: 1 },
        { id: 3, title: 'three', slug: 'c', ownerId: 2 },
      ],
      posts,
      (row) => Object.assign(new Post(), row),
    );
  }
}

export type Options = Partial<MergedCrudOptions>;

/** Puts a condition of its own beside the others. */
export class FirstOwner extends CrudRequestInterceptor {
  override getSearch(parser: RequestQueryParser, options: Options, action: CrudActions, params?: object): SCondition[] {
    return [...super.getSearch(parser, options, action, params), { ownerId: 1 }];
  }
}

export interface Binding {
  around?: ClassDecorator;
  options?: Partial<CrudOptions>;
  application?: Type<NestInterceptor>;
}

export const onController = (one: Type<NestInterceptor> | NestInterceptor): Binding => ({
  around: UseInterceptors(one),
});

/** Ways to bind an interceptor to every route of a controller. */
export const BINDINGS: Record<string, (interceptor: Type<NestInterceptor>) => Binding> = {
  'on the controller': onController,
  'on the controller, made by hand': (one) => onController(new one()),
  'in routes.<route>.interceptors': (one) => ({
    options: { routes: { getManyBase: { interceptors: [one] }, getOneBase: { interceptors: [one] } } },
  }),
  'in setInterceptors of a routes factory, after the library': (one) => ({
    options: { routesFactory: factoryOf(one, true) },
  }),
  'for the application': (one) => ({ application: one }),
};

export function factoryOf(interceptor: unknown, after: boolean): typeof CrudRoutesFactory {
  return class extends CrudRoutesFactory {
    protected override setInterceptors(name: BaseRouteName): void {
      if (after) super.setInterceptors(name);
      const all = after ? [interceptor] : [CrudRequestInterceptor, interceptor];
      UseInterceptors(...(all as Type[]))(this.targetProto, name, { value: this.targetProto[name] });
    }
  };
}

export const ids = async (api: Api, path: string): Promise<unknown> =>
  (await api.get(path).expect(200)).body.map(({ id }: Post) => id);

/** An application of which one resource has an interceptor bound so. */
export const serveBound = (platform: Platform, binding: Binding, more: Partial<CrudOptions> = {}): Promise<Api> =>
  start({
    platform,
    controllers: [
      resource(
        Posts,
        { model: { type: Post }, ...more, ...binding.options },
        'posts',
        ...(binding.around ? [binding.around] : []),
      ),
    ],
    providers: [Posts, ...(binding.application ? [{ provide: APP_INTERCEPTOR, useClass: binding.application }] : [])],
  });
