/** Routes that are there only if `routes` names them, and their static paths. */
import type { Constructor } from '../nest/metadata.js';
import { type BaseRouteName, ROUTES, routeNames } from './route-table.js';

/** The part of the options that says which routes there are. */
type RouteSwitches = Partial<Record<string, unknown>>;

/** Routes that a resource may have: all but the optional ones that its options do not ask for. */
export function candidateRoutes(routes: RouteSwitches, query: RouteSwitches = {}): BaseRouteName[] {
  const { only } = routes;

  return routeNames().filter((name) => {
    const { optional, askedBy } = ROUTES[name];
    const isAsked = routes[name] !== undefined || (askedBy !== undefined && query[askedBy] !== undefined);

    return !optional || isAsked || (Array.isArray(only) && only.includes(name));
  });
}

/** Options of routes with `true` replaced by `{}`. */
export function withoutSwitches<T extends object | undefined>(routes: T): T {
  if (typeof routes !== 'object' || routes === null) return routes;
  const switches = Object.entries(routes).filter(([name, options]) => options === true && isOptional(name));

  return switches.length > 0 ? { ...routes, ...Object.fromEntries(switches.map(([name]) => [name, {}])) } : routes;
}

/** Whether a name is that of an optional route. */
export function isOptional(name: string): boolean {
  return routeNames().some((route) => route === name && ROUTES[route].optional === true);
}

/** The optional routes among others: their paths have no key. */
export function staticRoutes(routes: Iterable<BaseRouteName>): BaseRouteName[] {
  return [...routes].filter(isOptional);
}

/** Moves methods before the others of a prototype: of two routes that match one path, Express takes the first one. */
export function moveFirst(target: Constructor, methods: readonly string[]): void {
  if (methods.length === 0) return;
  const prototype = target.prototype as Record<string, unknown>;
  const others = Object.getOwnPropertyNames(prototype).filter(
    (name) => name !== 'constructor' && !methods.includes(name),
  );

  for (const name of others) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
    if (!descriptor?.configurable) continue;

    delete prototype[name];
    Object.defineProperty(prototype, name, descriptor);
  }
}

/** First segments of static paths, which no key may equal; in lower case, since Express ignores case. */
export function reservedWords(routes: Iterable<BaseRouteName>, keys: number): ReadonlySet<string> {
  const paths = staticRoutes(routes).map((name) => ROUTES[name].suffix.slice(1).split('/'));

  return new Set(paths.filter((path) => path.length >= keys).map(([first]) => first!));
}
