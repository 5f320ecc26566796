/** Own routes factories: every step that may be overridden is called, and takes effect. */
import { expect, test } from '@jest/globals';
import { Header, RequestMethod, type Type } from '@nestjs/common';
import { type BaseRoute, type BaseRouteName, CrudActions, CrudRoutesFactory, getAction } from '@nestwright/crud';
import { definitionOf } from '@nestwright/crud/adapter';
import { handlerPaths } from '../../src/nest/paths.js';
import { isGenerated, readRouteName } from '../../src/routes/handlers.js';
import { arrangeInterceptors, parsesRequests } from '../../src/controller/handlers.js';
import { CrudRequestInterceptor, CrudResponseInterceptor, CrudRouteInterceptor } from '../../src/index.js';
import { describeApplications } from '../support/application.js';
import { memoryOf } from '../support/memory.service.js';
import { Note, resource, run } from './resource.js';

class Memo {}
class Memos extends memoryOf([{ id: 1 }]) {}

const VERBS = 'getMany getOne createOne createMany updateOne replaceOne deleteOne recoverOne';
const ROUTES = VERBS.split(' ').map((verb) => `${verb}Base`);

type Handlers = Record<string, (request?: { parsed?: object }) => unknown>;

const declare = (routesFactory: typeof CrudRoutesFactory, options: object = {}): Type<object> =>
  resource(Memos, { query: { softDelete: true }, ...options, routesFactory });

const pathsOf = (controller: Type<object>) =>
  Object.fromEntries(handlerPaths(controller).map(({ method, paths }) => [method, paths.join()]));

describeApplications('a factory', () => {
  test('decides on routes, paths, actions, decorators and handlers', async () => {
    class Own extends CrudRoutesFactory {
      protected override canCreateRoute(name: BaseRouteName) {
        return name !== 'deleteOneBase' && super.canCreateRoute(name);
      }
      protected override getRoutesSchema(): BaseRoute[] {
        const moved: Record<string, object> = { createManyBase: { path: '/batch', method: RequestMethod.PUT } };
        return super.getRoutesSchema().map((route) => ({ ...route, ...moved[route.name] }));
      }
      protected override get actionsMap() {
        return { ...super.actionsMap, getManyBase: 'List' as CrudActions };
      }
      protected override setDecorators(name: BaseRouteName) {
        super.setDecorators(name);
        Header('X-Own', name)(this.targetProto, name, Object.getOwnPropertyDescriptor(this.targetProto, name)!);
      }
      protected override setBaseRouteMeta(name: BaseRouteName) {
        super.setBaseRouteMeta(name);
        Reflect.defineMetadata('own', name, this.targetProto[name]!);
      }
      protected override getPrimaryParams() {
        return [...super.getPrimaryParams(), 'also'];
      }
      protected override get modelName() {
        return 'Notice';
      }
      protected override get modelType(): Type<unknown> {
        return Memo;
      }
    }

    function value(this: { targetProto: Handlers }, name: string): void {
      this.targetProto[name] = (request) => name + (request?.parsed ? ' of a request' : '');
    }
    for (const route of ROUTES) Object.defineProperty(Own.prototype, route, { value });

    const controller = declare(Own);
    const { getOneBase, deleteOneBase } = pathsOf(controller);
    expect([getOneBase, deleteOneBase]).toEqual(['/:id/:also', undefined]);
    const api = await run({ providers: [Memos] }, controller);
    await api
      .put('/notes/batch', { bulk: [{}] })
      .expect(200, 'createManyBase of a request')
      .expect('x-own', 'createManyBase');
    const handlers = controller.prototype as Handlers;
    expect(ROUTES.map((route) => handlers[route]!())).toEqual(ROUTES);
    expect(getAction(handlers['getManyBase']!)).toBe('List');
    expect(Reflect.getMetadata('own', handlers['getManyBase']!)).toBe('getManyBase');
    expect(definitionOf(controller)).toMatchObject({ model: Memo, modelName: 'Notice' });
  });
});

test('the static create makes a factory too, and handlers are there although their routes are not', () => {
  class Bare {}
  CrudRoutesFactory.create(Bare, { model: { type: Note } });
  const narrow = declare(CrudRoutesFactory, { routes: { only: ['getManyBase'] } });
  for (const { prototype } of [Bare, narrow])
    expect(Object.getOwnPropertyNames(prototype)).toEqual(expect.arrayContaining(ROUTES));
});

const ALL = { softDelete: true, aggregate: { groupBy: ['id'] } };
const names = ['countBase', 'updateManyBase', 'replaceManyBase', 'deleteManyBase', 'recoverManyBase'];
const OPTIONAL = Object.fromEntries(names.map((name) => [name, true]));

test('paths, methods and actions of the routes, static paths before those with a key', () => {
  const { prototype } = declare(CrudRoutesFactory, { query: ALL, routes: OPTIONAL }) as { prototype: object };
  const told = handlerPaths({ prototype } as never).map(({ method, handler, paths, http }) => {
    const also = method.endsWith('Also');
    expect([readRouteName(handler), isGenerated(handler)]).toEqual([method.replace('Also', ''), !also]);
    return `${method} ${RequestMethod[http]} ${paths.join()} ${String(getAction(handler))}`;
  });
  expect(told).toEqual([
    'countBase GET /count Count-All',
    'aggregateBase GET /aggregate Aggregate-All',
    'updateManyBase PATCH /bulk Update-Many',
    'replaceManyBase PUT /bulk Replace-Many',
    'deleteManyBase DELETE /bulk Delete-Many',
    'recoverManyBase PATCH /bulk/recover Recover-Many',
    'deleteManyBaseAlso POST /bulk/delete Delete-Many',
    'getManyBase GET / Read-All',
    'getOneBase GET /:id Read-One',
    'createOneBase POST / Create-One',
    'createManyBase POST /bulk Create-Many',
    'updateOneBase PATCH /:id Update-One',
    'replaceOneBase PUT /:id Replace-One',
    'deleteOneBase DELETE /:id Delete-One',
    'recoverOneBase PATCH /:id/recover Recover-One',
  ]);
});

test.each<[object, string[]]>([
  [{ query: {}, routes: { ...OPTIONAL, only: ['getOneBase', 'countBase', 'recoverManyBase'] } }, ['getOne', 'count']],
  [{ routes: { only: ['recoverOneBase'] } }, ['recoverOne']],
  [{ routes: { exclude: ROUTES.slice(1) } }, ['getMany']],
  [{ routes: { only: ['nothing', 'getOneBase'] } }, ['getOne']],
])('routes by the options %j: %j', (options, routes) => {
  const made = Object.keys(pathsOf(declare(CrudRoutesFactory, options))).sort();
  expect(made).toEqual(routes.map((name) => `${name}Base`).sort());
});

const [a, c] = ['a', 'c'].map((field) => ({ field, primary: true }));

test.each<[object, getOneBase: string, recoverOneBase: string]>([
  [{ a, b: { field: 'b' }, c }, '/:a/:c', '/:a/:c/recover'],
  [{ a, c: { ...c, disabled: true } }, '/:a', '/:a/recover'],
  [{ a: { ...a, disabled: true } }, '/', '/recover'],
])('the key in paths with the params %j is %s', (params, getOneBase, recoverOneBase) => {
  const paths = { getManyBase: '/', getOneBase, createManyBase: '/bulk', recoverOneBase };
  expect(pathsOf(declare(CrudRoutesFactory, { params }))).toMatchObject(paths);
});

test('a factory may leave out actions and add optional routes, and decorators may replace a handler', () => {
  class Own extends CrudRoutesFactory {
    protected override get actionsMap() {
      return { getManyBase: 'List' } as never;
    }
    countBase(): void {
      this.targetProto['countBase'] = () => 'counted';
    }
  }

  const replaced = () => 'replaced';
  const decorators = [() => ({ value: replaced }), () => undefined];
  const routes = { countBase: true, getOneBase: { decorators } };
  const { prototype } = declare(Own, { routes }) as { prototype: Record<string, () => unknown> };
  const handlers = ['getManyBase', 'countBase', 'createOneBase'].map((name) => prototype[name]!);
  expect(handlers.map((each) => getAction<string>(each))).toEqual(['List', 'Count-All', 'Create-One']);
  expect([handlers[1]!(), prototype['getOneBase']]).toEqual(['counted', replaced]);
});

test('an interceptor that shapes responses stands outside that of the library, any other inside', () => {
  class Shaping extends CrudResponseInterceptor {}
  class Parsing extends CrudRequestInterceptor {}
  class Other {}
  const [shaping, parsing, other] = [new Shaping(), new Parsing(), new Other() as never];
  const own = [Other, Shaping, parsing, CrudResponseInterceptor, other, shaping];
  const arranged = [Shaping, CrudResponseInterceptor, shaping, CrudRouteInterceptor, Other, parsing, other];
  expect(arrangeInterceptors(own as never)).toEqual(arranged);
  const parsers = [CrudRequestInterceptor, Parsing, parsing];
  expect([...parsers, Other, other].filter(parsesRequests)).toEqual(parsers);
});

const LOST =
  'parameter 2 of the constructor has no class. Import its class by import, not import type; if two files import each other, from its own file (';
const NO_MODEL =
  'model.type is undefined, but must be a class, an EntitySchema or a table. If two files import each other';

test.each<[string, object, unknown[]]>([
  [NO_MODEL, { model: {} }, [Memos]],
  [LOST, {}, [Memos, Object]],
  [LOST, {}, [Memos, undefined]],
])('what circular imports leave undefined is refused: %s', (text, options, types) => {
  const lost: ClassDecorator = (target) => Reflect.defineMetadata('design:paramtypes', types, target);
  expect(() => resource(Memos, options, 'notes', lost)).toThrow(`@Crud() of NotesController (path "notes"): ${text}`);
});
