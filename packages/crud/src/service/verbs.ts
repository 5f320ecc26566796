import { type RouteDescriptor, ROUTES, routeNames } from '../routes/route-table.js';

/** Name of a method that a generated handler calls. */
export type Verb = RouteDescriptor['verb'] | NonNullable<RouteDescriptor['verbByCondition']>;

const libraryVerbs = new WeakSet<object>();

/**
 * For adapters: declares that the verbs of a class do not modify their requests, so that they can be given the
 * resource's own options.
 *
 * @example
 * noteVerbs(TypeOrmCrudService.prototype);
 */
export function noteVerbs(prototype: Readonly<Partial<Record<Verb, object>>>): void {
  for (const name of routeNames()) {
    const { verb, verbByCondition } = ROUTES[name];

    for (const method of [prototype[verb], verbByCondition && prototype[verbByCondition]])
      if (method) libraryVerbs.add(method);
  }
}

/** Whether a method is a verb of the library's. */
export function isLibraryVerb(method: object): boolean {
  return libraryVerbs.has(method);
}
