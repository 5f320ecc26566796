/** What the query language refuses becomes a 400 with its code. */
import { OPERATORS, RequestQueryException, speakable } from '@nestwright/crud-request';
import { crudError } from './errors.js';

/**
 * Turns a `RequestQueryException`, of whichever copy of the package, into a `BadRequestException` with `code` and `field`.
 *
 * @param custom Names of the resource's own operators, told where a request names an unknown one.
 */
export function toHttpError(error: unknown, custom: readonly string[] = []): unknown {
  if (!RequestQueryException.isRequestQueryException(error)) return error;
  const { code, message, field, parameter } = error;
  const allowed = code === 'CRUD_UNKNOWN_OPERATOR' ? `; allowed: ${[...NAMES, ...custom].join(', ')}` : '';

  return crudError(code, { message: message + allowed, field: speakable(field) ?? speakable(parameter), cause: error });
}

const NAMES = Object.keys(OPERATORS);
