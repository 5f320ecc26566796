/** The decorators that stand beside `@Crud()`. */
import { createParamDecorator, type CustomDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import {
  ACTION_NAME_METADATA,
  CRUD_AUTH_OPTIONS_METADATA,
  FEATURE_NAME_METADATA,
  OVERRIDE_METHOD_METADATA,
  PARSED_BODY_METADATA,
  PARSED_CRUD_REQUEST_KEY,
} from './constants.js';
import type { CrudRequest } from './crud-request.js';
import type { AuthOptions } from './definition/auth-options.js';
import { forApplication } from './plan/changed-options.js';
import type { BaseRouteName } from './routes/route-table.js';

/**
 * Restricts a resource by the user of the request: conditions that every record seen or written satisfies, and values
 * written into it. `T` is the entity of the resource, by which the compiler checks names of fields and relations
 * (`@CrudAuth<User>`). It may be above or below `@Crud()`, and on a base class.
 *
 * @example
 * `@CrudAuth({ property: 'user', filter: (user: User) => ({ companyId: user.companyId }), persist: (user: User) => ({ companyId: user.companyId }) })`
 */
export const CrudAuth =
  // As for `AuthOptions`, whose default takes conditions on any entity.
  <T = any>(options: AuthOptions<NoInfer<T>>): ClassDecorator =>
    (target) => {
      Reflect.defineMetadata(CRUD_AUTH_OPTIONS_METADATA, options, target);
    };

/**
 * Names the feature that a controller serves, for guards to ask with {@link getFeature}.
 *
 * @example
 * `@Feature('users')` above a controller; `getFeature(context.getClass())` in a guard is `'users'`.
 */
export const Feature = (name: string): CustomDecorator<symbol> => SetMetadata(FEATURE_NAME_METADATA, name);

/**
 * Names what a handler does, for guards to ask with {@link getAction}. Generated handlers and those that override them
 * carry theirs already.
 *
 * @example
 * `@Action(CrudActions.ReadAll)` or `@Action('Export')` above a method.
 */
export const Action = (action: string): CustomDecorator<symbol> => SetMetadata(ACTION_NAME_METADATA, action);

/**
 * The feature of a controller, of its base class if it has none, or `undefined`.
 *
 * @example
 * getFeature(context.getClass()); // 'users'
 */
// Callers of nestjsx/crud give the result the type that they named the feature by.
export function getFeature<T = any>(target: object): T {
  return Reflect.getMetadata(FEATURE_NAME_METADATA, target) as T;
}

/**
 * The action of a handler, or `undefined` if it has none.
 *
 * @example
 * getAction(context.getHandler()) === CrudActions.DeleteOne;
 */
// As above: `any` unless the caller says otherwise.
export function getAction<T = any>(target: object): T {
  return Reflect.getMetadata(ACTION_NAME_METADATA, target) as T;
}

/**
 * Puts a method in the place of a generated route. The method inherits the route's path, parameters, pipes,
 * interceptors, decorators (guards among them) and OpenAPI description; what Nest's own decorators say on the method
 * wins. Without an argument the method's name says which: `getMany` replaces `getManyBase`. The generated handler stays
 * callable: `this.getManyBase(req)`.
 *
 * @example
 * `@Override() getMany(@ParsedRequest() req: CrudRequest) { return this.base.getManyBase(req); }`
 */
export const Override =
  (name?: BaseRouteName): MethodDecorator =>
  (_target, key, descriptor: PropertyDescriptor) => {
    const own = String(key);

    Reflect.defineMetadata(
      OVERRIDE_METHOD_METADATA,
      name ?? (own.endsWith('Base') ? own : `${own}Base`),
      descriptor.value as object,
    );
  };

const findParsedRequest = (context: ExecutionContext): CrudRequest | undefined =>
  context.switchToHttp().getRequest<Record<string, CrudRequest | undefined>>()[PARSED_CRUD_REQUEST_KEY];

/**
 * Injects the `CrudRequest` that `CrudRequestInterceptor` made: into overriding handlers, and into own routes that use
 * the interceptor. Its `options` are a copy of the resource's, for this request alone: changes that a handler makes
 * there apply to this request. A change that would stop the start of the application (an unknown relation) is a 500
 * with a line in the log.
 *
 * @example
 * `@Get('export') @UseInterceptors(CrudRequestInterceptor) export(@ParsedRequest() req: CrudRequest) { … }`
 */
export const ParsedRequest: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext): CrudRequest | undefined => {
    const request = findParsedRequest(context);

    return request && forApplication(request);
  },
);

/** Injects the same request into generated handlers, which do not change it and so need no copy of its options. */
export const GeneratedRequest: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext): CrudRequest | undefined => findParsedRequest(context),
);

/**
 * Injects the validated body into an overriding handler, with path values and `persist` set, as the generated handler
 * would get it. Elsewhere than on an `@Override()` it means nothing, which stops the start.
 *
 * @example
 * `@Override() createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: User) { return this.base.createOneBase(req, dto); }`
 */
export const ParsedBody = (): ParameterDecorator => (target, key, index) => {
  if (key !== undefined) Reflect.defineMetadata(PARSED_BODY_METADATA, index, target, key);
};
