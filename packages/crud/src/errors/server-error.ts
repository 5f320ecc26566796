import { inspect } from 'node:util';
import { HttpException, InternalServerErrorException } from '@nestjs/common';

/**
 * The exception for a mistake in the application, which clients must not see and cannot fix. Its body is that of an unknown error in Nest.
 *
 * @example
 * throw serverError(new Error('…'));
 */
export function serverError(cause: unknown): HttpException {
  return new InternalServerErrorException({ statusCode: 500, message: 'Internal server error' }, { cause });
}

/** The message of an error, with the field to blame. A thrown value that is no error is printed. */
export function textOfError(error: unknown): string {
  const body = error instanceof HttpException ? error.getResponse() : error;
  const { message, field } = (body ?? {}) as { message?: unknown; field?: string };
  const text = String(message ?? (typeof error === 'string' || error instanceof Error ? error : inspect(error)));

  return field === undefined || text.includes(field) ? text : `${text} "${field}"`;
}
