import { OPERATORS, RequestQueryException, speakable } from '@nestwright/crud-request';
import type { ExecutionContext } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { definitionOf } from '../definition/definitions.js';
import { crudError, retryAfterOf } from '../errors/errors.js';
import { httpResponseOf } from './request-context.js';

const OPERATOR_NAMES = Object.keys(OPERATORS);

/** The exception for an error; sets `Retry-After` on the response. */
export function refusalOf(error: unknown, context: ExecutionContext, host: HttpAdapterHost | undefined): unknown {
  const seconds = retryAfterOf(error);

  if (seconds !== undefined && context.getType() === 'http')
    host?.httpAdapter?.setHeader(httpResponseOf(context), 'Retry-After', String(seconds));

  return toHttpError(error, Object.keys(definitionOf(context.getClass())?.options.operators.custom ?? {}));
}

/**
 * Turns a `RequestQueryException`, of whichever copy of the package, into a `BadRequestException` with `code` and `field`.
 *
 * @param custom Names of the resource's own operators, listed if a request names an unknown one.
 */
function toHttpError(error: unknown, custom: readonly string[] = []): unknown {
  if (!RequestQueryException.isRequestQueryException(error)) return error;
  const { code, message, field, parameter } = error;
  const allowed = code === 'CRUD_UNKNOWN_OPERATOR' ? `; allowed: ${[...OPERATOR_NAMES, ...custom].join(', ')}` : '';

  return crudError(code, { message: message + allowed, field: speakable(field) ?? speakable(parameter), cause: error });
}
