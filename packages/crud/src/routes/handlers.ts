/**
 * Which route a handler serves, and which methods are the application's own: under `@Override()`, or beside the routes.
 */
import {
  GENERATED_METADATA,
  OVERRIDE_METHOD_METADATA,
  PARSED_BODY_METADATA,
  ROUTE_NAME_METADATA,
} from '../constants.js';
import { type Constructor, copyHandlerMetadata, listPrototypes, ownMethods } from '../nest/metadata.js';
import { handlerPaths } from '../nest/paths.js';
import { isOptional } from './optional-routes.js';
import { type BaseRouteName, routeNames, ROUTES } from './route-table.js';

/** One method under `@Override()`. */
export interface OverridingMethod {
  readonly method: string;
  /** What the decorator names, be it a route or not. */
  readonly name: string;
}

/**
 * Methods under `@Override()`, the class's own before those of base classes; a method that a class declares anew hides
 * its base class's.
 */
export function listOverrides(target: Constructor): readonly OverridingMethod[] {
  const seen = new Set<string>();
  const found: OverridingMethod[] = [];

  for (const prototype of listPrototypes(target)) {
    for (const [method, { value }] of ownMethods(prototype)) {
      if (seen.has(method)) continue;
      seen.add(method);

      const name = Reflect.getMetadata(OVERRIDE_METHOD_METADATA, value as object) as string | undefined;
      const taken = found.some((other) => other.name === name && !Object.hasOwn(prototype, other.method));
      if (name !== undefined && !taken) found.push({ method, name });
    }
  }

  return found;
}

/** Those of some routes that no method under `@Override()` handles. */
export function generatedRoutes(target: Constructor, routes: ReadonlySet<BaseRouteName>): readonly BaseRouteName[] {
  const overridden = new Set(listOverrides(target).map(({ name }) => name));

  return [...routes].filter((route) => !overridden.has(route));
}

type Method = (this: unknown, ...parameters: unknown[]) => unknown;

/** The method as the controller's own: two controllers with one base class have different routes on it. */
export function ensureOwnMethod(target: Constructor, name: string): object {
  const prototype = target.prototype as Record<string, Method>;
  const method = prototype[name] as Method;
  if (Object.hasOwn(prototype, name)) return method;

  const own: Method = function (...parameters) {
    return method.apply(this, parameters);
  };
  Object.defineProperty(own, 'name', { value: name });
  Object.defineProperty(prototype, name, { value: own, writable: true, configurable: true, enumerable: false });
  copyHandlerMetadata(method, own);

  return own;
}

/** Index of the parameter that `@ParsedBody()` marks. */
export function findBodyParameter(prototype: object, method: string): number | undefined {
  return Reflect.getMetadata(PARSED_BODY_METADATA, prototype, method) as number | undefined;
}

/** Methods, those of base classes included, with a parameter under `@ParsedBody()`. */
export function listParsedBodies(target: Constructor): readonly string[] {
  const methods = listPrototypes(target).flatMap((prototype) => ownMethods(prototype).map(([name]) => name));

  return [...new Set(methods)].filter((name) => findBodyParameter(target.prototype, name) !== undefined);
}

/** The application's own handlers. */
export function ownHandlers(controller: object): ReturnType<typeof handlerPaths> {
  const target = controller as Constructor;
  const ofRoutes = new Set<string>([
    ...Object.keys(ROUTES).filter((name) => !isOptional(name) || isAddedByLibrary(target, name)),
    ...listOverrides(target).map(({ method }) => method),
  ]);

  return handlerPaths(target).filter(({ method }) => !ofRoutes.has(method) && !isAddedByLibrary(target, method));
}

// An application may have a method of that name, which means nothing while the route is not there.
function isAddedByLibrary({ prototype }: Constructor, name: string): boolean {
  const method = (prototype as Record<string, object | undefined>)[name];

  return method !== undefined && Reflect.hasMetadata(GENERATED_METADATA, method);
}

/** Paths below the controller's, those of handlers of base classes included. */
export function ownHandlerPaths(controller: object): readonly string[] {
  return ownHandlers(controller).flatMap(({ paths }) => paths);
}

export function readRouteName(handler: object): BaseRouteName | undefined {
  return Reflect.getMetadata(ROUTE_NAME_METADATA, handler) as BaseRouteName | undefined;
}

/** The route that does what an `@Action()` says; undefined for actions of the application's own. */
export function findActionRoute(action: unknown): BaseRouteName | undefined {
  return routeNames().find((route) => ROUTES[route].action === action);
}

/** Whether a route is about all records that a request would list. */
export function isOfList(route: BaseRouteName | undefined): boolean {
  return route !== undefined && ROUTES[route].ofList === true;
}

const generated = new WeakSet<object>();

/** Marks a handler as made by the library. */
export function markGenerated(handler: object): void {
  generated.add(handler);
}

/** Whether a handler is the library's own, not one that wraps it. */
export function isGenerated(handler: object): boolean {
  return generated.has(handler);
}
