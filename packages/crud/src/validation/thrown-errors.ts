/**
 * Errors that rules, `@Transform()` or schemas of the application throw: their own HTTP exception if they chose one, else a 500, whose cause is
 * logged.
 */
import { HttpException, Logger } from '@nestjs/common';
import { crudError } from '../errors/errors.js';
import { serverError, textOfError } from '../errors/server-error.js';
import { isWellFormed } from '../plan/values.js';

const logger = new Logger('Crud');

/** Where it happened. */
export interface ThrownAt {
  /** Name of the controller. */
  readonly resource: string;
  /** `a rule`, `a @Transform()`. */
  readonly by: string;
  /** Path of the property in the body, if it is known. */
  readonly property?: string | undefined;
  /** Class or schema of the body. */
  readonly of: string;
}

/** The exception for something thrown while a body was read. */
export function thrownException(error: unknown, body: unknown, { resource, by, property, of }: ThrownAt): Error {
  if (error instanceof HttpException) return error;

  // Rules throw on half a surrogate pair, which JSON can carry and no database stores.
  if ((error as Error | undefined)?.name === 'URIError' && !hasWellFormedTexts(body)) {
    return crudError('CRUD_INVALID_BODY', {
      message: ['The body holds text that is not well-formed Unicode'],
      cause: error,
    });
  }

  const place = property === undefined ? of : `"${property}" of ${of}`;
  logger.error(
    `${resource}: ${by} on ${place} has thrown: ${textOfError(error)}. The request is answered with 500.`,
    (error as Error | undefined)?.stack,
  );

  return serverError(error);
}

function hasWellFormedTexts(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value !== 'object' || value === null) return true;

  return Object.entries(value).every(([key, inner]) => isWellFormed(key) && hasWellFormedTexts(inner));
}
