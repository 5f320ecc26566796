import { HttpException } from '@nestjs/common';
import { definitionOf } from '../definition/definitions.js';
import { type Refusal, type Trace, traceRequest } from '../diagnostics/channels.js';
import type { Exchange } from './exchange.js';
import { ensureState } from './http.js';
import { toHttpException } from './to-http-exception.js';

/** Begins the trace of a request; undefined if nobody listens, and if an interceptor around has begun it. */
export function beginTrace({ context, route, http }: Exchange): Trace | undefined {
  const trace = traceRequest(() => ({
    resource: context.getClass().name,
    model: definitionOf(context.getClass())?.modelName ?? '',
    route: route.name ?? context.getHandler().name,
  }));
  if (!trace) return undefined;

  const state = ensureState(http);

  return state.trace ? undefined : (state.trace = trace);
}

/** Runs the work of a request in its trace. */
export function traceWork<T>(exchange: Exchange, work: () => Promise<T>): Promise<T> {
  const trace = beginTrace(exchange);
  if (!trace) return work();

  return trace.run(work).then(
    (result) => {
      trace.end();

      return result;
    },
    (error: unknown) => {
      const exception = toHttpException(error, exchange);
      trace.end(describeRefusal(exception));
      throw exception;
    },
  );
}

/** What a message says of an exception. */
export function describeRefusal(error: unknown): Refusal {
  if (!(error instanceof HttpException)) return { status: 500, code: undefined };

  const body = error.getResponse();
  const code = typeof body === 'object' ? (body as { readonly code?: unknown }).code : undefined;

  return { status: error.getStatus(), code: typeof code === 'string' ? code : undefined };
}
