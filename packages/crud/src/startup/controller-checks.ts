/**
 * Checks of a controller's paths and interceptors: a path parameter that nobody reads would leave a resource unscoped.
 */
import { RequestMethod } from '@nestjs/common';
import { keyParams } from '../definition/resource-definition.js';
import type { CrudResource } from './find-resources.js';
import { handlerPaths, listPathParameters, readsParameter } from '../nest/paths.js';
import { listOverrides, ownHandlerPaths, ownHandlers } from '../routes/handlers.js';
import { staticRoutes } from '../routes/optional-routes.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { show } from '../definition/wording.js';
import { REQUEST_HOOKS } from '../constants.js';
import { getOrInsert } from '../get-or-insert.js';
import { type Constructor, listClassChain } from '../nest/metadata.js';
import { interceptorsAround } from '../nest/response-observers.js';

/** `params` names a parameter that neither the controller's path nor an own handler's has. */
export function* hasParamsInPath({ controller, definition, paths, hosts }: CrudResource): Generator<string> {
  const elsewhere = new Set([...hosts, ...ownHandlerPaths(controller)].flatMap(listPathParameters));

  for (const [name, param] of Object.entries(definition.options.params)) {
    if (param.primary || param.disabled || elsewhere.has(name)) continue;

    for (const path of paths) {
      if (!listPathParameters(path).includes(name)) {
        yield (
          `params.${name} is ${show(param)}, but the path ${show(path)} has no :${name}: add it to @Controller(), or ` +
          `remove it from params`
        );
      }
    }
  }
}

/**
 * The controller's path has a parameter that `params` does not name, so that records of every value of it would be in
 * reach.
 */
export function* namesParamsOfPath({ controller, definition, paths, hosts }: CrudResource): Generator<string> {
  for (const [kind, place] of [...paths.map((path) => ['path', path]), ...hosts.map((host) => ['host', host])]) {
    for (const name of listPathParameters(place as string)) {
      if (Object.hasOwn(definition.options.params, name)) continue;
      const route = [...definition.routes].find((one) => !isReadByOverride(controller, one, name));
      if (route === undefined) continue;

      yield (
        `the ${kind} ${show(place)} has :${name}, but params does not name it, so that ${route} would serve ` +
        `the same records whatever :${name} is: ` +
        `add ${name}: { field: '<a column>', type: 'string' } to params, or ${name}: { disabled: true } ` +
        'where it selects no records'
      );
    }
  }
}

/** Single-record routes end in the primary parameters, which cannot be in the controller's path as well. */
export function* hasKeyOnce({ definition, paths }: CrudResource): Generator<string> {
  if (![...definition.routes].some((route) => ROUTES[route].single)) return;

  for (const { name } of keyParams(definition.options.params)) {
    const path = paths.find((candidate) => listPathParameters(candidate).includes(name));
    if (path !== undefined) {
      yield (
        `params.${name} is primary, so that routes of one record end in :${name}, but the path ${show(path)} ` +
        'has it already'
      );
    }
  }
}

/** A handler of the application's own has the path of an optional route, and one of both would never be called. */
export function* keepsStaticPaths({ controller, definition }: CrudResource): Generator<string> {
  for (const name of staticRoutes(definition.routes)) {
    for (const { method, suffix } of [ROUTES[name], ROUTES[name].also ?? []].flat()) {
      for (const own of ownHandlers(controller)) {
        const path = own.paths.find((candidate) => plainPath(candidate) === suffix);
        if (path === undefined || (own.http !== method && own.http !== RequestMethod.ALL)) continue;

        yield (
          `routes has ${name}, which is ${RequestMethod[method]} ${suffix}, and so is the method ` +
          `${own.method} (${show(path)}): ` +
          `put @Override('${name}') on it in place of its own path, or take ${name} out of routes`
        );
      }
    }
  }
}

// Express ignores case and a trailing slash.
function plainPath(path: string): string {
  return `/${path}`
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
    .toLowerCase();
}

/** Whether the route is served by a method of the application that reads the parameter itself. */
function isReadByOverride(controller: CrudResource['controller'], route: BaseRouteName, name: string): boolean {
  const override = listOverrides(controller).find((one) => one.name === route);

  return override !== undefined && readsParameter(controller, override.method, name);
}

type Methods = Readonly<Record<string, unknown>>;

/** An interceptor that parses requests. */
interface Parsing {
  readonly name: string;
  readonly prototype: Methods;
  /** Steps of parsing that it overrides. */
  readonly overridden: readonly string[];
}

/** Reports interceptors with overridden parsing steps that run after the request is parsed. */
export function* callsRequestHooks({ controller }: CrudResource): Generator<string> {
  const target = controller as Constructor;
  const late = new Map<string, { readonly one: Parsing; readonly before: string; readonly handlers: string[] }>();

  for (const { method, handler } of handlerPaths(target)) {
    const [first, ...others] = interceptorsAround(target, handler).flatMap(describeParsing);

    for (const one of others.filter(({ overridden, prototype }) =>
      overridden.some((hook) => prototype[hook] !== first!.prototype[hook]),
    ))
      getOrInsert(late, one.name, () => ({ one, before: first!.name, handlers: [] })).handlers.push(method);
  }

  for (const { one, before, handlers } of late.values()) {
    yield (
      `${one.name} overrides ${one.overridden.join(', ')}, which is never called on ${handlers.join(', ')}, ` +
      `since ${before} parses the request before: bind ${one.name} before it, or alone`
    );
  }
}

/** Nothing for an interceptor that parses no requests; it may be given as a class or as an instance. */
function describeParsing(interceptor: unknown): Parsing[] {
  const type = (typeof interceptor === 'function' ? interceptor : (interceptor as object).constructor) as Constructor;
  const base = listClassChain(type).find((owner) => Object.hasOwn(owner, REQUEST_HOOKS));
  if (!base) return [];

  const { prototype, [REQUEST_HOOKS]: hooks } = base as { prototype: Methods; [REQUEST_HOOKS]: readonly string[] };
  const overridden = hooks.filter((hook) => (type.prototype as Methods)[hook] !== prototype[hook]);

  return [{ name: type.name, prototype: type.prototype as Methods, overridden }];
}
