/**
 * For generated handlers without interceptors: the pipe of their request parameter parses the request, and the handler
 * shapes the response itself.
 */
import { createParamDecorator, type ExecutionContext, type PipeTransform, type Type } from '@nestjs/common';
import { HTTP_STATE_KEY } from '../constants.js';
import type { CrudRequest } from '../crud-request.js';
import { ensureHttpState, type HttpRequest, httpRequestOf, type Respond } from './request-context.js';

/** A request that is parsed, and how it is answered. */
export interface PipedRequest {
  readonly request: CrudRequest;
  readonly respond: Respond;
}

/** A request that is not parsed yet: a function, so that pipes that rewrite objects leave it alone. */
export type UnparsedRequest = (parse: (context: ExecutionContext) => Promise<PipedRequest>) => Promise<CrudRequest>;

const unparsedRequest = createParamDecorator((_: unknown, context: ExecutionContext) => unparsedRequestIn(context));

function unparsedRequestIn(context: ExecutionContext): UnparsedRequest {
  const http = httpRequestOf(context);
  let parsed!: (respond: Respond) => void;
  ensureHttpState(http).respond = new Promise<Respond>((resolve) => (parsed = resolve));

  return async (parse) => {
    const { request, respond } = await parse(context);
    parsed(respond);

    return request;
  };
}

/** Injects the request that a pipe makes of its {@link UnparsedRequest}; the first of the parameters, since the others wait for it. */
export const RequestFromPipe = (pipe: Type<PipeTransform<UnparsedRequest, Promise<CrudRequest>>>): ParameterDecorator =>
  unparsedRequest(undefined, pipe);

/** Injects the {@link Respond} of the request, once it is parsed. */
export const RespondParameter: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext) => respondOf(httpRequestOf(context)),
);

/**
 * Resolves when the pipe has parsed the request; never settles if the request is refused, since the refusal is the
 * answer.
 */
export function respondOf(http: HttpRequest): Promise<Respond> | undefined {
  return http[HTTP_STATE_KEY]?.respond;
}
