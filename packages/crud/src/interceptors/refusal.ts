import type { ExecutionContext } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { definitionOf } from '../definition/definitions.js';
import { retryAfterOf } from '../errors/errors.js';
import { toHttpError } from '../errors/query-exception.js';
import { httpResponseOf } from './request-context.js';

/** The exception for an error; sets `Retry-After` on the response. */
export function refusalOf(error: unknown, context: ExecutionContext, host: HttpAdapterHost | undefined): unknown {
  const seconds = retryAfterOf(error);

  if (seconds !== undefined && context.getType() === 'http') {
    host?.httpAdapter?.setHeader(httpResponseOf(context), 'Retry-After', String(seconds));
  }

  return toHttpError(error, Object.keys(definitionOf(context.getClass())?.options.operators.custom ?? {}));
}
