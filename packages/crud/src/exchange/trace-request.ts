import { HttpException } from '@nestjs/common';
import { definitionOf } from '../definition/resource-definition.js';
import { type Refusal, Trace } from '../diagnostics.js';
import type { Exchange } from './exchange.js';
import { ensureHttpState } from '../response/request-state.js';
import { toHttpException } from './send.js';

/** Begins the trace of a request, for those that listen; undefined if an interceptor around has begun it. */
export function beginTrace({ context, route, http }: Exchange): Trace | undefined {
  const state = ensureHttpState(http);
  if (state.trace) return undefined;

  return (state.trace = new Trace({
    resource: context.getClass().name,
    model: definitionOf(context.getClass())?.modelName ?? '',
    route: route.name ?? context.getHandler().name,
  }));
}

/** Runs the work of a request in its trace. */
export async function traceWork<T>(trace: Trace, work: () => Promise<T>, exchange: Exchange): Promise<T> {
  try {
    const result = await trace.run(work);
    trace.end();

    return result;
  } catch (error) {
    const exception = toHttpException(error, exchange);
    trace.end(describeRefusal(exception));
    throw exception;
  }
}

/** What a message says of an exception. */
export function describeRefusal(error: unknown): Refusal {
  if (!(error instanceof HttpException)) return { status: 500, code: undefined };

  const body = error.getResponse();
  const code = typeof body === 'object' ? (body as { readonly code?: unknown }).code : undefined;

  return { status: error.getStatus(), code: typeof code === 'string' ? code : undefined };
}
