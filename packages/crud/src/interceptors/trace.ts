import { type ExecutionContext, HttpException } from '@nestjs/common';
import { definitionOf } from '../definition/definitions.js';
import { type Trace, traceRequest } from '../diagnostics/channels.js';
import { routeOf } from '../routes/route-of.js';

export function traceOf(context: ExecutionContext): Trace | undefined {
  return traceRequest(() => ({
    resource: context.getClass().name,
    model: definitionOf(context.getClass())?.modelName ?? '',
    route: routeOf(context.getHandler()) ?? context.getHandler().name,
  }));
}

/** What a message says of an exception. */
export function statusAndCode(error: unknown): { readonly status: number; readonly code: string | undefined } {
  if (!(error instanceof HttpException)) return { status: 500, code: undefined };

  const body = error.getResponse();
  const code = typeof body === 'object' ? (body as { readonly code?: unknown }).code : undefined;

  return { status: error.getStatus(), code: typeof code === 'string' ? code : undefined };
}
