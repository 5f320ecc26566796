import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { PARSED_BODY_METADATA, PARSED_CRUD_REQUEST_KEY } from '../constants.js';
import { forApplication } from '../plan/changed-options.js';
import type { CrudRequest } from '../crud-request.js';

const requestIn = (context: ExecutionContext): CrudRequest | undefined =>
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
    const request = requestIn(context);

    return request && forApplication(request);
  },
);

/** Injects the same request into generated handlers, which do not change it and so need no copy of its options. */
export const GeneratedRequest: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext): CrudRequest | undefined => requestIn(context),
);

/**
 * Injects the validated body into an overriding handler, with path values and `persist` set, as the generated handler would get it.
 * Elsewhere than on an `@Override()` it means nothing, which stops the start.
 *
 * @example
 * `@Override() createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: User) { return this.base.createOneBase(req, dto); }`
 */
export const ParsedBody = (): ParameterDecorator => (target, key, index) => {
  if (key !== undefined) Reflect.defineMetadata(PARSED_BODY_METADATA, index, target, key);
};
