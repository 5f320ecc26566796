import { CrudRequestInterceptor } from '../exchange/crud-request.interceptor.js';
import { CrudResponseInterceptor } from '../exchange/crud-response.interceptor.js';
import { CrudRouteInterceptor } from '../exchange/crud-route.interceptor.js';
import type { BaseRouteOptions } from '../definition/route-options.js';

type Interceptors = NonNullable<BaseRouteOptions['interceptors']>;

/** The interceptors of a route, with the library's inserted at its place. */
export function interceptorsWith(own: Interceptors): Interceptors {
  // As in nestjsx/crud, it receives the response that the library has shaped.
  const shaping = own.filter((interceptor) => isA(interceptor, CrudResponseInterceptor));
  const others = own.filter((interceptor) => !shaping.includes(interceptor));

  return [...shaping, CrudRouteInterceptor, ...others];
}

/** Whether an interceptor makes the request that handlers are given. */
export function parsesRequests(interceptor: unknown): boolean {
  return isA(interceptor, CrudRequestInterceptor);
}

/** Whether an interceptor, as a class or as an instance, is of a class or of one that extends it. */
function isA(interceptor: unknown, type: typeof CrudRequestInterceptor | typeof CrudResponseInterceptor): boolean {
  return (
    interceptor === type ||
    (typeof interceptor === 'function' ? (interceptor.prototype as unknown) : interceptor) instanceof type
  );
}
