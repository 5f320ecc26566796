/** A handler in, the route that it serves out: generated or overriding; undefined for own routes of the application. */
import { ROUTE_NAME_METADATA } from '../constants.js';
import type { BaseRouteName } from './route-table.js';

/** The route of a handler. */
export function routeOf(handler: object): BaseRouteName | undefined {
  return Reflect.getMetadata(ROUTE_NAME_METADATA, handler) as BaseRouteName | undefined;
}
