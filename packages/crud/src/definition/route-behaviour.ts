/** How routes of many records follow the options of routes of one. */
import type { BaseRouteName } from '../routes/route-table.js';
import type {
  CreateOneRouteOptions,
  DeleteManyRouteOptions,
  RecoverManyRouteOptions,
  ReplaceManyRouteOptions,
  SettledRoutesOptions,
} from './route-options.js';

/** The single-record counterpart of each bulk route. */
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
 * The options of a bulk route, completed by those of its single-record counterpart.
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

/** Every option of a route, so far as it has it. */
export type RouteBehaviour = Partial<
  CreateOneRouteOptions & ReplaceManyRouteOptions & DeleteManyRouteOptions & RecoverManyRouteOptions
>;

/** The options of any route, those of a bulk route completed as by {@link manyOptions}. */
export function readBehaviour(routes: SettledRoutesOptions, route: BaseRouteName): RouteBehaviour {
  return isManyRoute(route) ? manyOptions(routes, route) : (routes[route] ?? {});
}

/**
 * What is known of a client's condition from its form: it is missing, it matches every record, or it may exclude some.
 */
export type ConditionForm = 'none' | 'every' | 'some';

/** Whether a route also writes all records that a client's condition matches. */
export function writesByCondition(route: string | undefined, routes: SettledRoutesOptions | undefined): boolean {
  return (route === 'updateManyBase' || route === 'deleteManyBase') && routes?.[route]?.byCondition === true;
}

/** Whether a route writes many records by their keys. */
export function isManyRoute(route: string | undefined): route is ManyRoute {
  return route !== undefined && Object.hasOwn(SINGLE_ROUTES, route);
}
