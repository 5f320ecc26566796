import { HttpException, InternalServerErrorException } from '@nestjs/common';

/**
 * Makes the exception for a mistake of the application's own, which clients can neither read of nor mend. Its body is that of an unknown error in Nest.
 *
 * @example
 * throw serverError(new Error('…'));
 */
export function serverError(cause: unknown): HttpException {
  return new InternalServerErrorException({ statusCode: 500, message: 'Internal server error' }, { cause });
}

/** What an error says, the field to blame included. */
export function textOfError(error: unknown): string {
  const said = error instanceof HttpException ? error.getResponse() : error;
  const { message, field } = said as { message?: unknown; field?: string };
  const text = String(message ?? error);

  return field === undefined || text.includes(field) ? text : `${text} "${field}"`;
}
