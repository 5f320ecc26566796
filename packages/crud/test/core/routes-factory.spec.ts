/** Own routes factories: every step that may be overridden is called, and takes effect. */
import { afterEach, expect, test } from '@jest/globals';
import { Controller, Header, Injectable, RequestMethod, type Type } from '@nestjs/common';
import {
  type BaseRoute,
  type BaseRouteName,
  Crud,
  CrudActions,
  type CrudOptions,
  type CrudRequest,
  CrudRoutesFactory,
  getAction,
} from '@nestwright/crud';
import { start, stopAll } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Note {
  id!: number;
}

class Memo {
  id!: number;
}

@Injectable()
class Notes extends MemoryService {
  constructor() {
    super([{ id: 1 }]);
  }
}

const ROUTES: BaseRouteName[] = [
  'getManyBase',
  'getOneBase',
  'createOneBase',
  'createManyBase',
  'updateOneBase',
  'replaceOneBase',
  'deleteOneBase',
  'recoverOneBase',
];

function declare(routesFactory: typeof CrudRoutesFactory, options: Partial<CrudOptions> = {}): Type<object> {
  @Crud({
    model: { type: Note },
    query: { softDelete: true },
    ...options,
    routesFactory,
  })
  @Controller('notes')
  class NotesController {
    constructor(public service: Notes) {}
  }

  return NotesController;
}

afterEach(stopAll);

test('every step is called', () => {
  const called: string[] = [];
  const note = (step: string): void => {
    if (!called.includes(step)) called.push(step);
  };

  class Noting extends CrudRoutesFactory {
    protected override get modelName() {
      note('modelName');
      return super.modelName;
    }
    protected override get modelType() {
      note('modelType');
      return super.modelType;
    }
    protected override get actionsMap() {
      note('actionsMap');
      return super.actionsMap;
    }
    protected override create() {
      note('create');
      super.create();
    }
    protected override getRoutesSchema() {
      note('getRoutesSchema');
      return super.getRoutesSchema();
    }
    protected override canCreateRoute(name: BaseRouteName) {
      note('canCreateRoute');
      return super.canCreateRoute(name);
    }
    protected override getPrimaryParams() {
      note('getPrimaryParams');
      return super.getPrimaryParams();
    }
    protected override setBaseRouteMeta(name: BaseRouteName) {
      note('setBaseRouteMeta');
      super.setBaseRouteMeta(name);
    }
    protected override setDecorators(name: BaseRouteName) {
      note('setDecorators');
      super.setDecorators(name);
    }
    protected override setInterceptors(name: BaseRouteName) {
      note('setInterceptors');
      super.setInterceptors(name);
    }
  }
  for (const route of ROUTES) {
    const step = (Noting.prototype as unknown as Record<string, (name: string) => void>)[route];
    Object.defineProperty(Noting.prototype, route, {
      value(this: unknown, name: string) {
        note(route);
        step?.call(this, name);
      },
    });
  }

  declare(Noting);
  expect([...called].sort()).toEqual(
    [
      ...ROUTES,
      'actionsMap',
      'canCreateRoute',
      'create',
      'getPrimaryParams',
      'getRoutesSchema',
      'modelName',
      'modelType',
      'setBaseRouteMeta',
      'setDecorators',
      'setInterceptors',
    ].sort(),
  );
});

test('routes, paths, actions, decorators and handlers are what the factory says', async () => {
  class Own extends CrudRoutesFactory {
    protected override canCreateRoute(name: BaseRouteName) {
      return name !== 'deleteOneBase' && super.canCreateRoute(name);
    }

    protected override getRoutesSchema(): BaseRoute[] {
      return super
        .getRoutesSchema()
        .map((route) =>
          route.name === 'createManyBase' ? { ...route, path: '/batch', method: RequestMethod.PUT } : route,
        );
    }

    protected override get actionsMap() {
      return { ...super.actionsMap, getManyBase: 'List' as CrudActions };
    }

    protected override setDecorators(name: BaseRouteName) {
      super.setDecorators(name);
      Header('X-Own', name)(
        this.targetProto,
        name,
        Object.getOwnPropertyDescriptor(this.targetProto, name) as PropertyDescriptor,
      );
    }

    protected override getOneBase(name: BaseRouteName) {
      this.targetProto[name] = function getOneBase(this: { service: Notes }, req: CrudRequest) {
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
  const api = await start({ controllers: [controller], providers: [Notes] });

  await api.delete('/notes/1').expect(404);
  await api.put('/notes/batch', { bulk: [{}] }).expect(200, [{ id: 2 }]);
  const one = await api.get('/notes/1').expect(200, { record: { id: 1 } });
  expect(one.headers['x-own']).toBe('getOneBase');
  const prototype = controller.prototype as Record<string, object>;
  expect(getAction(prototype['getManyBase'] as object)).toBe('List');
});

test('the static create makes a factory too', () => {
  class Bare {
    service = new Notes();
  }

  CrudRoutesFactory.create(Bare, { model: { type: Note } });
  expect(Object.getOwnPropertyNames(Bare.prototype)).toEqual(expect.arrayContaining(ROUTES));
});

test('handlers are there although their routes are not', () => {
  const controller = declare(CrudRoutesFactory, { routes: { only: ['getManyBase'] } });
  const prototype = controller.prototype as Record<string, unknown>;

  for (const route of ROUTES) expect(typeof prototype[route]).toBe('function');
});
