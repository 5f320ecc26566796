/** The handlers that `@Crud()` puts on a controller: their functions, interceptors, parameters and second paths. */
import { HttpCode, RequestMapping, type RequestMethod, type Type } from '@nestjs/common';
import { GENERATED_METADATA, OVERRIDE_METHOD_METADATA, PARSED_BODY_METADATA } from '../constants.js';
import type { CrudRequest } from '../crud-request.js';
import { GeneratedRequest } from '../decorators.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { BaseRouteOptions } from '../definition/route-options.js';
import { CrudRequestInterceptor } from '../exchange/crud-request.interceptor.js';
import { CrudResponseInterceptor } from '../exchange/crud-response.interceptor.js';
import { CrudRouteInterceptor } from '../exchange/crud-route.interceptor.js';
import { Exchange } from '../exchange/exchange.js';
import { BodyParameter, ExchangeParameter } from '../exchange/exchange-parameter.js';
import { handleRequest } from '../exchange/handle-request.js';
import { FAST_PATHS } from '../fast-paths.js';
import { aliasMethod } from '../nest/metadata.js';
import { removeOnlyInterceptor } from '../nest/response-observers.js';
import { metadataKey } from '../nest/swagger-metadata.js';
import { isGenerated, markGenerated } from '../routes/route-of.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import type { CrudService } from '../service/crud.service.js';
import { callVerb } from '../service/run-verb.js';
import { makeBodyRules } from '../validation/body-rules.js';

/** One route, as a factory works with it. */
export interface BaseRoute {
  /** Name of the generated handler. */
  name: BaseRouteName;
  /** Path below the controller's: what follows the primary parameters if `withParams` is set. */
  path: string;
  /** HTTP method. */
  method: RequestMethod;
  /** Whether the route exists. */
  enable: boolean;
  /** Whether a method of the controller replaces the generated one. */
  override: boolean;
  /** Whether the path begins with the primary parameters. */
  withParams: boolean;
}

interface WithService {
  readonly service: CrudService<object>;
}

/** Functions that use `this`, the controller. */
type Handler = (this: WithService, first: CrudRequest | Exchange, dto?: never) => Promise<unknown>;

/**
 * Makes the handler of a route: a new function each time, since metadata is kept by function. From Nest it is given the
 * exchange, unless an interceptor has read that; the application calls it with a request, and gets what the verb returns.
 */
export function makeBaseHandler(route: BaseRouteName): Handler {
  const handler = {
    [route](this: WithService, first: CrudRequest | Exchange, dto?: never) {
      return first instanceof Exchange ? handleRequest(first, this.service) : callVerb(this.service, route, first, dto);
    },
  }[route]!;

  markGenerated(handler);

  return handler;
}

type Interceptors = NonNullable<BaseRouteOptions['interceptors']>;

/** The interceptors of a route, with the library's inserted at its place. */
export function arrangeInterceptors(own: Interceptors): Interceptors {
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

/**
 * Adds the parameters to a generated handler, which must have its decorators by now. If the library's interceptor is the
 * only one, the handler takes the exchange in its place.
 */
export function addParameters(prototype: object, route: BaseRouteName, definition: ResourceDefinition): void {
  const handler = (prototype as Record<BaseRouteName, object>)[route];
  const rules = makeBodyRules(definition, route);

  if (FAST_PATHS.handlers && isGenerated(handler) && removeOnlyInterceptor(handler, CrudRouteInterceptor))
    return ExchangeParameter(route, rules)(prototype, route, 0);

  GeneratedRequest()(prototype, route, 0);
  if (rules) BodyParameter(route, rules)(prototype, route, 1);
}

/** The method that handles the second path of a route, by the name of the one that handles the first. */
export function secondMethod(handler: string): string {
  return `${handler}Also`;
}

/** Adds a method for the second path of a route, if it has one, with all metadata of its handler. Returns the names of both. */
export function addSecondPath(target: Type<object>, route: BaseRouteName, handler: string): string[] {
  const { also, status } = ROUTES[route];
  if (!also) return [handler];

  const name = secondMethod(handler);
  const made = aliasMethod(target, handler, name);
  Reflect.deleteMetadata(OVERRIDE_METHOD_METADATA, made);
  Reflect.deleteMetadata(PARSED_BODY_METADATA, target.prototype as object, name);
  Reflect.defineMetadata(GENERATED_METADATA, true, made);

  const descriptor = Object.getOwnPropertyDescriptor(target.prototype, name) as PropertyDescriptor;
  const decorate = (decorator: MethodDecorator) => decorator(target.prototype as object, name, descriptor);
  decorate(RequestMapping({ path: also.suffix, method: also.method }));
  if (!Reflect.hasMetadata(metadataKey('httpCode'), made)) decorate(HttpCode(status));

  return [handler, name];
}
