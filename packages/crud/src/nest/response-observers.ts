/** Whether anything between handler and client sees the response, or prints it otherwise than `JSON.stringify`. */
import type { AbstractHttpAdapter, ApplicationConfig } from '@nestjs/core';

// Keys of Nest's decorators, as they have been since its first releases.
const INTERCEPTORS = '__interceptors__';
const ELSEWHERE = ['__renderTemplate__', '__redirect__', '__sse__'];

/**
 * Why the application needs the response of a handler as an object: an interceptor, or a decorator such as `@Render()`;
 * undefined if it does not.
 *
 * @param isOwn Whether an interceptor is the library's.
 */
export function findObserver(
  { controller, handler }: { readonly controller: object; readonly handler: object },
  config: ApplicationConfig,
  isOwn: (interceptor: unknown) => boolean,
): string | undefined {
  if (config.getGlobalInterceptors().length > 0 || config.getGlobalRequestInterceptors().length > 0)
    return 'a global interceptor';
  if (readInterceptors(controller).length > 0) return 'an interceptor of the controller';
  if (!readInterceptors(handler).every(isOwn)) return 'an interceptor of the route';

  return ELSEWHERE.some((key) => Reflect.hasMetadata(key, handler)) ? 'a decorator of the route' : undefined;
}

/** Moves some of a handler's interceptors to the front, so that they run outside the others. */
export function moveOutermost(handler: object, isOuter: (interceptor: unknown) => boolean): void {
  const all = readInterceptors(handler);
  const outer = all.filter(isOuter);
  if (outer.length === 0) return;

  Reflect.defineMetadata(INTERCEPTORS, [...outer, ...all.filter((one) => !isOuter(one))], handler);
}

/** Removes the library's interceptor from a handler that has no other; returns whether it did. */
export function removeOnlyInterceptor(handler: object, interceptor: unknown): boolean {
  const all = readInterceptors(handler);
  const isOnly = all.length === 1 && all[0] === interceptor;
  if (isOnly) Reflect.deleteMetadata(INTERCEPTORS, handler);

  return isOnly;
}

/** Interceptors of a handler or controller, as classes or instances, in their order. */
export function readInterceptors(handler: object): readonly unknown[] {
  return (Reflect.getMetadata(INTERCEPTORS, handler) ?? []) as unknown[];
}

/** Interceptors of a controller and of one of its handlers, in the order in which they run. */
export function interceptorsAround(controller: object, handler: object): readonly unknown[] {
  return [...readInterceptors(controller), ...readInterceptors(handler)];
}

const JSON_SETTINGS = ['json spaces', 'json replacer', 'json escape'];

/**
 * Why the platform prints JSON otherwise than `JSON.stringify`, or lets the application see the text; undefined if it
 * does neither.
 */
export function customJsonPrinter(adapter: AbstractHttpAdapter, response: object): string | undefined {
  const printer = PRINTERS[adapter.getType()];

  return printer ? printer(adapter, response) : 'an unknown HTTP platform';
}

const PRINTERS: Readonly<Record<string, (adapter: AbstractHttpAdapter, response: object) => string | undefined>> = {
  express: (adapter, response) => {
    const express = adapter.getInstance<{ get?: (setting: string) => unknown }>();

    for (const name of JSON_SETTINGS) if (express.get?.(name)) return 'a setting of Express for JSON';

    return Object.hasOwn(response, 'json') || Object.hasOwn(response, 'send')
      ? 'middleware that listens to responses'
      : undefined;
  },
  fastify: (_, response) => {
    const { request } = response as FastifyReply;
    const context = readFastifyContext(response);
    const plain =
      context !== undefined &&
      !context.preSerialization &&
      !request?.routeOptions?.schema?.response &&
      !bySymbol(context, 'fastify.replySerializerDefault') &&
      !bySymbol(response, 'fastify.reply.serializer');

    return plain ? undefined : 'a hook or serializer of Fastify';
  },
};

interface FastifyReply {
  readonly request?: { readonly routeOptions?: { readonly schema?: { readonly response?: unknown } } };
}

interface FastifyContext {
  readonly preSerialization?: unknown;
  readonly onSend?: unknown;
}

/** Whether a hook of Fastify wants to see the body of a response. */
export function hasSendHook(response: object): boolean {
  const context = readFastifyContext(response);

  return !context || Boolean(context.onSend);
}

function readFastifyContext(response: object): FastifyContext | undefined {
  return bySymbol((response as FastifyReply).request, 'fastify.context') as FastifyContext | undefined;
}

// Fastify keeps these under symbols of its own; if they are not found, nothing is assumed.
function bySymbol(holder: object | undefined, description: string): unknown {
  const key = holder && Object.getOwnPropertySymbols(holder).find((symbol) => symbol.description === description);

  return key && (holder as Record<symbol, unknown>)[key];
}
