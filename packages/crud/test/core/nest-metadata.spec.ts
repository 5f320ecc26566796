/** Decorated classes in; out, what their metadata says of paths, parameters and routes, and copies of it; with settings and hooks of HTTP platforms, why a response must be made as an object. */
import { expect, test } from '@jest/globals';
import { Body, Controller, Get, HostParam, HttpCode, Param, Post, Render, UseInterceptors } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Override, ParsedBody } from '@nestwright/crud';
import * as metadata from '../../src/nest/metadata.js';
import { handlerPaths, listHosts, listPathParameters, readsParameter } from '../../src/nest/paths.js';
import { customJsonPrinter, findObserver, hasSendHook } from '../../src/nest/response-observers.js';
import { interceptorsAround, moveOutermost, removeOnlyInterceptor } from '../../src/nest/response-observers.js';
import * as handlers from '../../src/routes/handlers.js';
import * as optional from '../../src/routes/optional-routes.js';
import { routeNames } from '../../src/routes/route-table.js';

const { controllerPaths, ownControllerPath } = metadata;

class Base {
  shared(): void {}
  @Get('base') @Override('getOneBase') inherited(): void {}
  @Get(['a/:x', 'b']) @Override() getMany(): void {}
}

@Controller({ path: ['one', 'two'], host: ['a.:tenant', /b/] as never })
class Sub extends Base {
  get accessor(): number {
    return 1;
  }
  @Post() @HttpCode(200) own(@Body() _: object, @ParsedBody() _parsed: object): void {}
  @Get('c') @Override() override getMany(): void {}
  read(@Param('id') _: string, @HostParam('tenant') _host: string): void {}
  readAll(@Body('id') _: string, @Param() _all: object): void {}
}

test('paths of controllers and of their handlers, those of base classes included', () => {
  const paths = handlerPaths(Sub).map(({ method, paths, http }) => `${method} ${http} ${paths.join()}`);
  expect(paths).toEqual(['own 1 /', 'getMany 0 c', 'inherited 0 base']);
  const pathsOf = (type: object) => [controllerPaths(type), ownControllerPath(type), listHosts(type)];
  expect(pathsOf(Sub)).toEqual([['one', 'two'], 'one', ['a.:tenant']]);
  expect(pathsOf(Base)).toEqual([undefined, undefined, []]);
  expect(ownControllerPath(class extends Sub {})).toBeUndefined();
  expect(listPathParameters(':a/b(:x)/:c_1(\\d+)')).toEqual(['a', 'c_1']);
});

test('methods that read a parameter of path or host', () => {
  const read = ['read id', 'read tenant', 'readAll any'];
  const asked = [...read, 'read other', 'own id', 'shared id'];
  expect(asked.filter((pair) => readsParameter(Sub, ...(pair.split(' ') as [string, string])))).toEqual(read);
});

test('overriding methods, the own ones before those of base classes, each route once', () => {
  class Third extends Sub {
    @Override('getOneBase') mine(): void {}
  }

  const overridesOf = (type: typeof Sub) => handlers.listOverrides(type).map(({ method, name }) => `${method} ${name}`);
  expect(overridesOf(Sub)).toEqual(['getMany getManyBase', 'inherited getOneBase']);
  expect(overridesOf(Third)).toEqual(['mine getOneBase', 'getMany getManyBase']);
  expect(handlers.generatedRoutes(Third, new Set(['getManyBase', 'countBase'] as const))).toEqual(['countBase']);
  expect(['own', 'read'].map((name) => handlers.findBodyParameter(Sub.prototype, name))).toEqual([1, undefined]);
  expect(handlers.listParsedBodies(Third)).toEqual(['own']);
});

/** Its keys and values, of a method or of a class. */
const notesOf = (target: object, property = undefined as never): Record<string, unknown> => {
  const keys = Reflect.getOwnMetadataKeys(target, property) as string[];
  return Object.fromEntries(keys.map((key) => [key, Reflect.getOwnMetadata(key, target, property) as unknown]));
};
const note = (holder: object, notes: object, property = undefined as never) =>
  Object.entries(notes).forEach(([key, value]) => Reflect.defineMetadata(key, value, holder, property));

test('metadata that is inherited goes before lists, under objects, and nowhere else where there is some', () => {
  const [from, to] = [() => 0, () => 0];
  class Named {}
  const old = { mixed: [1], text: 'old', named: new Named(), empty: null, gone: undefined };
  const own = { mixed: { a: 1 }, text: '', named: { a: 1 }, empty: { a: 1 }, gone: { a: 1 } };
  note(from, { list: [1, 2], object: { a: 1, b: 1 }, fresh: 'new', ...old });
  note(to, { list: [2, 3], object: { b: 2 }, ...own });
  metadata.inheritMetadata(from, to);
  expect(notesOf(to)).toEqual({ list: [1, 2, 3], object: { a: 1, b: 2 }, fresh: 'new', ...own });
});

function methods() {
  class Target {
    kept(this: Target, one?: number): unknown[] {
      return [this.constructor.name, one];
    }
    changed(): void {}
  }

  const { kept } = Target.prototype;
  for (const holder of [Target, Target.prototype]) note(holder, { of: holder === Target }, 'kept' as never);
  note(kept, { handler: 1 });
  return Target;
}

test('a controller is as it was when the snapshot was taken', () => {
  const Target = methods();
  const { prototype } = Target;
  const { kept, changed } = prototype;
  const snapshot = metadata.takeSnapshot(Target);
  note(kept, { handler: 2, more: 1 });
  note(prototype, { of: 2, more: 2 }, 'kept' as never);
  prototype.changed = () => undefined;
  metadata.aliasMethod(Target, 'kept', 'added');
  metadata.restoreSnapshot(snapshot);
  expect(Object.getOwnPropertyNames(prototype)).toEqual(['constructor', 'kept', 'changed']);
  expect([prototype.kept, prototype.changed]).toEqual([kept, changed]);
  expect([notesOf(kept), notesOf(prototype, 'kept' as never)]).toEqual([{ handler: 1 }, { of: false }]);
  expect(notesOf(prototype, 'added' as never)).toEqual({});
});

const BASE_ROUTES = routeNames().filter((name) => !optional.isOptional(name));

test('optional routes have paths without a key, whose first words no key may equal', () => {
  expect(optional.staticRoutes(routeNames())).toEqual(routeNames().filter(optional.isOptional));
  expect([optional.isOptional('getManyBase'), optional.isOptional('nothing')]).toEqual([false, false]);
  const words = (keys: number) => [...optional.reservedWords(routeNames(), keys)].join();
  expect([words(1), words(2), words(3)]).toEqual(['count,aggregate,bulk', 'bulk', '']);
  expect(optional.reservedWords(BASE_ROUTES, 1).size).toBe(0);
});

class Own {}
class Other {}
class Third {}

/** A class whose method is decorated, and that method. */
function decorated(ofMethod: MethodDecorator[], ...ofClass: ClassDecorator[]) {
  class Owner {
    handle(): void {}
  }
  const handler = Owner.prototype.handle;
  for (const decorate of ofMethod) decorate(Owner.prototype, 'handle', { value: handler });
  for (const decorate of ofClass) decorate(Owner);
  return { controller: Owner, handler };
}

const by = (...interceptors: unknown[]) => UseInterceptors(...(interceptors as never[]));
const isOwn = (interceptor: unknown) => interceptor === Own;

test.each<[string | undefined, ReturnType<typeof decorated>, add?: (config: ApplicationConfig) => void]>([
  [undefined, decorated([])],
  ['a global interceptor', decorated([]), (config) => config.addGlobalInterceptor(new Other() as never)],
  ['a global interceptor', decorated([]), (config) => config.addGlobalRequestInterceptor({} as never)],
  ['an interceptor of the controller', decorated([], by(Own))],
  ['an interceptor of the route', decorated([by(Own, Other)])],
  ['a decorator of the route', decorated([by(Own), Render('page')])],
])('what sees the response: %s', (told, place, add = () => undefined) => {
  const config = new ApplicationConfig();
  add(config);
  expect(findObserver(place, config, isOwn)).toBe(told);
});

test('interceptors of the library are moved outside those of the route, but not of the controller', () => {
  const orders = [[Other, Own, Third, Own], [Other, Third], []].map((before) => {
    const { controller, handler } = decorated([by(...before)], by(Third));
    moveOutermost(handler, isOwn);
    return interceptorsAround(controller, handler);
  });
  expect(orders).toEqual([[Third, Own, Own, Other, Third], [Third, Other, Third], [Third]]);
});

test.each([
  [[Own], true, []],
  [[Other], false, [Other]],
  [[Own, Other], false, [Own, Other]],
])('the interceptor of the library is removed where it is the only one: case %#', (before, isRemoved, after) => {
  const { controller, handler } = decorated([by(...before)]);
  expect(removeOnlyInterceptor(handler, Own)).toBe(isRemoved);
  expect(interceptorsAround(controller, handler)).toEqual(after);
});

test.each<[string | undefined, setting: string, response: object]>([
  [undefined, 'view cache', {}],
  ['a setting of Express for JSON', 'json spaces', {}],
  ['middleware that listens to responses', 'view cache', { json: null }],
])('what prints JSON on Express: %s, with the setting %s and the response %j', (told, setting, response) => {
  const adapter = new ExpressAdapter();
  adapter.set(setting, 1);
  expect(customJsonPrinter(adapter, response)).toBe(told);
});

const FASTIFY = 'a hook or serializer of Fastify';
const text = () => 'text';
const hook = (_: unknown, __: unknown, body: unknown, done: (error: null, body: unknown) => void) => done(null, body);
const serializing = async (_: unknown, reply: { serializer: (by: object) => void }) => void reply.serializer(text);
const response = { 200: { type: 'object', additionalProperties: true } };

test.each<[string, told: string | undefined, hooked: boolean, () => object]>([
  ['nothing', undefined, false, () => ({})],
  ['onSend', undefined, true, () => ({ onSend: hook })],
  ['preSerialization', FASTIFY, false, () => ({ preSerialization: hook })],
  ['a schema', FASTIFY, false, () => ({ schema: { response } })],
  ['a serializer of the reply', FASTIFY, false, () => ({ preHandler: serializing })],
])('what prints JSON on Fastify, with %s: %s', async (_, told, hooked, prepare) => {
  const adapter = new FastifyAdapter();
  const fastify = adapter.getInstance();
  const found: unknown[] = [];
  fastify.get('/', prepare(), (_request, reply) => {
    found.push(customJsonPrinter(adapter, reply), hasSendHook(reply));
    return {};
  });
  await fetch(await fastify.listen({ port: 0 }));
  await fastify.close();
  expect(found).toEqual([told, hooked]);
});

test('nothing is assumed of other platforms, or of what is no reply of Fastify', () => {
  expect([customJsonPrinter(new FastifyAdapter(), {}), hasSendHook({})]).toEqual([FASTIFY, true]);
  const unknown = Object.assign(new ExpressAdapter(), { getType: () => 'other' });
  expect(customJsonPrinter(unknown, {})).toBe('an unknown HTTP platform');
});
