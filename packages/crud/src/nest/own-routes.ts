import { interceptorsOn } from './response-observers.js';
import { ownMethods } from './metadata.js';

/** A method that is a route. */
export interface RouteMethod {
  readonly handler: (...parameters: never[]) => unknown;
  /** Paths below the controller's. */
  readonly paths: readonly string[];
  /** Nest's number of the HTTP method. */
  readonly method: number;
  /** Interceptors of the controller and of the method, as classes or instances. */
  readonly interceptors: readonly unknown[];
}

const PATH = 'path';
const METHOD = 'method';

/** The routes of a controller. */
export function routeMethodsOf(controller: object): readonly RouteMethod[] {
  const { prototype } = controller as { prototype: object };
  const methods = new Map<string, RouteMethod['handler']>();

  for (let owner = prototype; owner && owner !== Object.prototype; owner = Object.getPrototypeOf(owner) as object) {
    for (const [name, { value }] of ownMethods(owner)) {
      if (!methods.has(name)) methods.set(name, value as RouteMethod['handler']);
    }
  }

  return [...methods.values()].flatMap((handler) => {
    const path = Reflect.getMetadata(PATH, handler) as string | string[] | undefined;
    if (path === undefined) return [];

    return [
      {
        handler,
        paths: [path].flat(),
        method: (Reflect.getMetadata(METHOD, handler) as number | undefined) ?? 0,
        interceptors: [...interceptorsOn(controller), ...interceptorsOn(handler)],
      },
    ];
  });
}
