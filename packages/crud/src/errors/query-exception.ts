/** An error that a request ended with in, the exception that Nest should see out: what the query language refuses becomes a 400 with its code; all else passes. */
import { RequestQueryException, speakable } from '@nestwright/crud-request';
import { crudError } from './errors.js';

/** Turns a `RequestQueryException`, of whichever copy of the package, into a `BadRequestException` with `code` and `field`. */
export function toHttpError(error: unknown): unknown {
  if (!RequestQueryException.isRequestQueryException(error)) return error;
  const { code, message, field, parameter } = error;

  return crudError(code, { message, field: speakable(field) ?? speakable(parameter), cause: error });
}
