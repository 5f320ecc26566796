import { OPERATORS, RequestQueryException, speakable } from '@nestwright/crud-request';
import { listOperators } from '../definition/wording.js';
import { crudError, readRetryDelay } from '../errors/errors.js';
import type { Exchange } from './exchange.js';

const OPERATOR_NAMES = listOperators(Object.values(OPERATORS));

/**
 * The exception for an error, with its headers set: `Retry-After`. A `RequestQueryException`, of whichever copy of the
 * package, becomes a `BadRequestException` with `code` and `field`; anything else stays what it is.
 */
export function toHttpException(error: unknown, { adapter, context, response, route }: Exchange): unknown {
  const seconds = readRetryDelay(error);
  if (seconds !== undefined && context.getType() === 'http')
    adapter?.setHeader(response, 'Retry-After', String(seconds));
  if (!RequestQueryException.isRequestQueryException(error)) return error;

  const { code, message, field, parameter } = error;
  const custom = Object.keys(route.definition.options.operators.custom ?? {});
  const allowed = code === 'CRUD_UNKNOWN_OPERATOR' ? `; allowed: ${[...OPERATOR_NAMES, ...custom].join(', ')}` : '';

  return crudError(code, { message: message + allowed, field: speakable(field) ?? speakable(parameter), cause: error });
}
