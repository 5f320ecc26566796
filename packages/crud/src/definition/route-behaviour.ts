/** What routes of many records have in common with those of one. */
import type { SettledRoutesOptions } from './route-options.js';

/** The route that does to one record what a route does to many. */
export const SINGLE_ROUTES = {
  updateManyBase: 'updateOneBase',
  replaceManyBase: 'replaceOneBase',
  deleteManyBase: 'deleteOneBase',
  recoverManyBase: 'recoverOneBase',
} as const satisfies { readonly [Route in keyof SettledRoutesOptions]?: keyof SettledRoutesOptions };

/** A route that writes many records by their keys. */
export type ManyRoute = keyof typeof SINGLE_ROUTES;

type Behaviour<Route extends ManyRoute> = NonNullable<SettledRoutesOptions[(typeof SINGLE_ROUTES)[Route]]> &
  NonNullable<SettledRoutesOptions[Route]>;

/**
 * How a route of many records treats each: as its own options say, else as those of the route of one record.
 *
 * @example
 * manyOptions({ deleteOneBase: { returnDeleted: true } }, 'deleteManyBase').returnDeleted; // true
 */
export function manyOptions<Route extends ManyRoute>(
  routes: SettledRoutesOptions | undefined,
  route: Route,
): Partial<Behaviour<Route>> {
  return { ...routes?.[SINGLE_ROUTES[route]], ...routes?.[route] } as Partial<Behaviour<Route>>;
}

/** What a client's condition says by its form alone: there is none, it leaves every record, or it may leave some out. */
export type ConditionForm = 'none' | 'every' | 'some';

/** Whether a route also writes all records that a client's condition matches. */
export function writesByCondition(route: string | undefined, routes: SettledRoutesOptions | undefined): boolean {
  return (route === 'updateManyBase' || route === 'deleteManyBase') && routes?.[route]?.byCondition === true;
}

/** Whether a route writes many records by their keys. */
export function isManyRoute(route: string | undefined): route is ManyRoute {
  return route !== undefined && Object.hasOwn(SINGLE_ROUTES, route);
}
