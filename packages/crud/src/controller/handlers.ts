/**
 * The handlers of a controller's routes: those that `@Crud()` makes and those under `@Override()`, with their
 * interceptors, parameters and second paths.
 */
import {
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type PipeTransform,
  RequestMapping,
  type RequestMethod,
  type Type,
} from '@nestjs/common';
import { GENERATED_METADATA, OVERRIDE_METHOD_METADATA, PARSED_BODY_METADATA } from '../constants.js';
import type { CrudRequest } from '../crud-request.js';
import { GeneratedRequest } from '../decorators.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { BaseRouteOptions } from '../definition/route-options.js';
import { CrudRequestInterceptor, CrudResponseInterceptor, CrudRouteInterceptor } from '../exchange/interceptors.js';
import { type Application, ApplicationPart, Exchange } from '../exchange/exchange.js';
import { handleRequest } from '../exchange/handle-request.js';
import { FAST_PATHS } from '../fast-paths.js';
import { aliasMethod, hideParameterType, inheritMetadata, metadataKey, parameterType } from '../nest/metadata.js';
import { removeOnlyInterceptor } from '../nest/response-observers.js';
import { ensureOwnMethod, findBodyParameter, isGenerated, listOverrides, markGenerated } from '../routes/handlers.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import type { CrudService } from '../service/crud.service.js';
import { callVerb } from '../service/run-verb.js';
import { type BodyRules, makeBodyRules } from '../validation/body-rules.js';
import { readBody } from '../exchange/read-body.js';

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
 * exchange, unless an interceptor has read that; the application calls it with a request, and gets what the verb
 * returns.
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
 * Adds the parameters to a generated handler, which must have its decorators by now. If the library's interceptor is
 * the only one, the handler takes the exchange in its place.
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

/**
 * Adds a method for the second path of a route, if it has one, with all metadata of its handler. Returns the names of
 * both.
 */
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

/** The method that handles a route. */
export interface RouteHandler {
  readonly method: string;
  /** Class of the body parameter in an overriding handler. Default: none. */
  readonly declaredBody?: unknown;
}

/**
 * Has overriding methods handle their routes, with the metadata of the generated handlers; marks these routes as
 * overridden.
 */
export function installOverrides(
  target: Type<object>,
  definition: ResourceDefinition,
  schema: readonly BaseRoute[],
): ReadonlyMap<BaseRouteName, RouteHandler> {
  const prototype = target.prototype as Record<string, object>;
  const handlers = new Map<BaseRouteName, RouteHandler>(schema.map(({ name }) => [name, { method: name }]));

  for (const { method, name } of listOverrides(target)) {
    const route = schema.find((candidate) => candidate.name === name && candidate.enable);
    if (!route) continue;

    inheritMetadata(prototype[route.name]!, ensureOwnMethod(target, method));
    handlers.set(route.name, { method, declaredBody: takeBody(prototype, method, route.name, definition) });
    route.override = true;
  }

  return handlers;
}

/** Gives the parameter under `@ParsedBody()` the validated body, and hides its class from pipes; returns the class. */
function takeBody(prototype: object, method: string, route: BaseRouteName, definition: ResourceDefinition): unknown {
  const index = findBodyParameter(prototype, method);
  if (index === undefined) return undefined;

  const declared = parameterType(prototype, method, index);
  const rules = makeBodyRules(definition, route, declared);
  if (rules) BodyParameter(route, rules)(prototype, method, index);
  hideParameterType(prototype, method, index);

  return declared;
}

// Parameters that need more than Nest gives a decorator: the application. Each is first a function, so that pipes of
// the application, which Nest runs on it too, leave it alone; a pipe of the library calls it.

type Unread = (application: Application) => Exchange;

/** What a parameter is given. */
interface Parameter {
  /** Whether it is the body; else it is the exchange itself. */
  readonly isBody: boolean;
  /** What messages call it. */
  readonly label: string;
  /** The rules of the handler's body. Default: it reads none. */
  readonly rules?: BodyRules | undefined;
}

@Injectable()
class ParameterPipe extends ApplicationPart implements PipeTransform<Unread> {
  transform(unread: Unread, { data }: { readonly data?: unknown }): unknown {
    const { isBody, rules, label } = data as Parameter;
    if (typeof unread === 'function') {
      const exchange = unread(this.application);

      return isBody ? readBody(exchange, rules!) : exchange;
    }

    throw new Error(
      `A pipe of the application has replaced ${label} before it was read: a pipe must return parameters of ` +
        'type "custom" that it does not know as they are',
    );
  }
}

// One for all: by the identity of its decorator, Nest tells whether a parameter replaces an inherited one.
const decorate = createParamDecorator(
  ({ rules }: Parameter, context: ExecutionContext): Unread =>
    (application) =>
      new Exchange(context, application, rules),
);

/** Injects the exchange itself. */
const ExchangeParameter = (route: string, rules?: BodyRules): ParameterDecorator =>
  decorate({ isBody: false, label: `the request of ${route}`, rules }, ParameterPipe);

/** Injects the validated body. */
const BodyParameter = (route: string, rules: BodyRules): ParameterDecorator =>
  decorate({ isBody: true, label: `the body of ${route} (${rules.type.name})`, rules }, ParameterPipe);
