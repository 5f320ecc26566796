/** Decorators of Nest, and settings and hooks of HTTP platforms in; out, why a response must be made as an object. */
import { expect, test } from '@jest/globals';
import { Redirect, Render, Sse, UseInterceptors } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { customJsonPrinter, findObserver, hasSendHook } from '../../src/nest/response-observers.js';
import { interceptorsAround, moveOutermost, removeOnlyInterceptor } from '../../src/nest/response-observers.js';

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
  [undefined, decorated([by(Own)])],
  ['a global interceptor', decorated([]), (config) => config.addGlobalInterceptor(new Other() as never)],
  ['a global interceptor', decorated([]), (config) => config.addGlobalRequestInterceptor({} as never)],
  ['an interceptor of the controller', decorated([], by(Own))],
  ['an interceptor of the route', decorated([by(Own, Other)])],
  ['a decorator of the route', decorated([by(Own), Render('page')])],
  ['a decorator of the route', decorated([Redirect('/')])],
  ['a decorator of the route', decorated([Sse('events')])],
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
  ['a setting of Express for JSON', 'json replacer', {}],
  ['a setting of Express for JSON', 'json escape', {}],
  ['middleware that listens to responses', 'view cache', { json: null }],
  ['middleware that listens to responses', 'view cache', { send: null }],
])('what prints JSON on Express: %s, with the setting %s and the response %j', (told, setting, response) => {
  const adapter = new ExpressAdapter();
  adapter.set(setting, 1);
  expect(customJsonPrinter(adapter, response)).toBe(told);
});

const FASTIFY = 'a hook or serializer of Fastify';
const text = () => 'text';
interface Fastify {
  setReplySerializer: (by: () => string) => object;
}
const hook = (_: unknown, __: unknown, body: unknown, done: (error: null, body: unknown) => void) => done(null, body);
const serializing = async (_: unknown, reply: { serializer: (by: object) => void }) => void reply.serializer(text);
const response = { 200: { type: 'object', additionalProperties: true } };

test.each<[string, told: string | undefined, hooked: boolean, (fastify: Fastify) => object]>([
  ['nothing', undefined, false, () => ({})],
  ['onSend', undefined, true, () => ({ onSend: hook })],
  ['preSerialization', FASTIFY, false, () => ({ preSerialization: hook })],
  ['a schema', FASTIFY, false, () => ({ schema: { response } })],
  ['a serializer of all replies', FASTIFY, false, (fastify) => fastify.setReplySerializer(text) && {}],
  ['a serializer of the reply', FASTIFY, false, () => ({ preHandler: serializing })],
])('what prints JSON on Fastify, with %s: %s', async (_, told, hooked, prepare) => {
  const adapter = new FastifyAdapter();
  const fastify = adapter.getInstance();
  const found: unknown[] = [];
  fastify.get('/', prepare(fastify), (_request, reply) => {
    found.push(customJsonPrinter(adapter, reply), hasSendHook(reply));
    return {};
  });
  await fetch(await fastify.listen({ port: 0 }));
  await fastify.close();
  expect(found).toEqual([told, hooked]);
});

test('of what is no reply of Fastify, and of other platforms, nothing is assumed', () => {
  expect([customJsonPrinter(new FastifyAdapter(), {}), hasSendHook({})]).toEqual([FASTIFY, true]);
  const unknown = Object.assign(new ExpressAdapter(), { getType: () => 'other' });
  expect(customJsonPrinter(unknown, {})).toBe('an unknown HTTP platform');
});
