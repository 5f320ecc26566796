import { ROUTE_NAME_METADATA } from '../constants.js';
import { type BaseRouteName, ROUTES, routeNames } from './route-table.js';

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
