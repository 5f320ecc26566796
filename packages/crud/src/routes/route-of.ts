/** A handler in, the route that it serves out: generated or overriding; undefined for own routes of the application. */
import { ROUTE_NAME_METADATA } from '../constants.js';
import { type BaseRouteName, ROUTES } from './route-table.js';

/** The route of a handler. */
export function routeOf(handler: object): BaseRouteName | undefined {
  return Reflect.getMetadata(ROUTE_NAME_METADATA, handler) as BaseRouteName | undefined;
}

/** The route that does what an `@Action()` says; undefined for actions of the application's own. */
export function routeOfAction(action: unknown): BaseRouteName | undefined {
  return (Object.keys(ROUTES) as BaseRouteName[]).find((route) => ROUTES[route].action === action);
}
