/** Own routes factories: every step that may be overridden is called, and takes effect. */
import { expect, test } from '@jest/globals';
import { Header, RequestMethod, type Type } from '@nestjs/common';
import type { BaseRoute, BaseRouteName, CrudRequest } from '@nestwright/crud';
import { CrudActions, CrudRoutesFactory, getAction } from '@nestwright/crud';
import { describeApplications, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { Note, resource } from './resource.js';

class Memo {
  id!: number;
}

class Memos extends MemoryService {
  constructor() {
    super([{ id: 1 }]);
  }
}

const VERBS = 'getMany getOne createOne createMany updateOne replaceOne deleteOne recoverOne';
const ROUTES = VERBS.split(' ').map((verb) => `${verb}Base`);
const GETTERS = ['modelName', 'modelType', 'actionsMap'];
const STEPS = [
  ...['create', 'getRoutesSchema', 'canCreateRoute', 'getPrimaryParams', 'setBaseRouteMeta'],
  ...['setDecorators', 'setInterceptors'],
];

const declare = (routesFactory: typeof CrudRoutesFactory, options: object = {}): Type<object> =>
  resource(Memos, { query: { softDelete: true }, ...options, routesFactory });

test('every step is called', () => {
  const called = new Set<string>();

  class Noting extends CrudRoutesFactory {}

  const proto = CrudRoutesFactory.prototype as unknown as Record<string, (...parameters: unknown[]) => unknown>;
  for (const step of [...STEPS, ...ROUTES]) {
    const value = function (this: unknown, ...parameters: unknown[]): unknown {
      return (called.add(step), proto[step]!.apply(this, parameters));
    };
    Object.defineProperty(Noting.prototype, step, { value });
  }
  for (const name of GETTERS) {
    const get = function (this: unknown): unknown {
      return (called.add(name), Reflect.get(proto, name, this));
    };
    Object.defineProperty(Noting.prototype, name, { get });
  }

  declare(Noting);
  expect([...called].sort()).toEqual([...ROUTES, ...STEPS, ...GETTERS].sort());
});

describeApplications('a factory', () => {
  test('decides on routes, paths, actions, decorators and handlers', async () => {
    class Own extends CrudRoutesFactory {
      protected override canCreateRoute(name: BaseRouteName) {
        return name !== 'deleteOneBase' && super.canCreateRoute(name);
      }

      protected override getRoutesSchema(): BaseRoute[] {
        const batch = { path: '/batch', method: RequestMethod.PUT };

        return super
          .getRoutesSchema()
          .map((route) => (route.name === 'createManyBase' ? { ...route, ...batch } : route));
      }

      protected override get actionsMap() {
        return { ...super.actionsMap, getManyBase: 'List' as CrudActions };
      }

      protected override setDecorators(name: BaseRouteName) {
        super.setDecorators(name);
        Header('X-Own', name)(this.targetProto, name, Object.getOwnPropertyDescriptor(this.targetProto, name)!);
      }

      protected override getOneBase(name: BaseRouteName) {
        this.targetProto[name] = function getOneBase(this: { service: Memos }, req: CrudRequest) {
          return this.service.getOne(req).then((record) => ({ record }));
        };
      }

      protected override get modelName() {
        return 'Notice';
      }

      protected override get modelType(): Type<unknown> {
        return Memo;
      }
    }

    const controller = declare(Own);
    const api = await start({ controllers: [controller], providers: [Memos] });
    await api.delete('/notes/1').expect(404);
    await api.put('/notes/batch', { bulk: [{}] }).expect(200, [{ id: 2 }]);
    const one = await api.get('/notes/1').expect(200, { record: { id: 1 } });
    expect(one.headers['x-own']).toBe('getOneBase');
    expect(getAction((controller.prototype as Record<string, object>)['getManyBase']!)).toBe('List');
  });
});

test('the static create makes a factory too, and handlers are there although their routes are not', () => {
  class Bare {
    service = new Memos();
  }

  CrudRoutesFactory.create(Bare, { model: { type: Note } });
  const narrow = declare(CrudRoutesFactory, { routes: { only: ['getManyBase'] } });

  for (const { prototype } of [Bare, narrow])
    expect(Object.getOwnPropertyNames(prototype)).toEqual(expect.arrayContaining(ROUTES));
});
