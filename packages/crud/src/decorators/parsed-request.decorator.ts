/** An execution context in, the parsed request or the place of the validated body out. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { PARSED_BODY_METADATA, PARSED_CRUD_REQUEST_KEY } from '../constants.js';
import type { CrudRequest } from '../request/crud-request.js';

/**
 * Injects the `CrudRequest` that `CrudRequestInterceptor` made: into generated and overriding handlers, and into own routes that use the interceptor.
 *
 * @example
 * `@Get('export') @UseInterceptors(CrudRequestInterceptor) export(@ParsedRequest() req: CrudRequest) { … }`
 */
export const ParsedRequest: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext): CrudRequest | undefined =>
    context.switchToHttp().getRequest<Record<string, CrudRequest | undefined>>()[PARSED_CRUD_REQUEST_KEY],
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
