/**
 * The one table of errors that the library raises, and the function that makes a Nest exception of a row; every
 * exception carries `code` and, if one is to blame, `field`.
 */
import {
  BadRequestException,
  ConflictException,
  HttpException,
  type HttpExceptionOptions,
  InternalServerErrorException,
  NotFoundException,
  PreconditionFailedException,
  ServiceUnavailableException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { inspect } from 'node:util';
import { RETRY_AFTER_KEY } from './constants.js';

interface ErrorDescriptor {
  readonly status: 400 | 404 | 409 | 412 | 415 | 428 | 499 | 503;
  /** Text used if the place that raises the error has nothing better to say. */
  readonly message: string;
}

/** Error codes, their HTTP status and default message. `docs/errors.md` is held equal to this table by a test. */
export const ERRORS = {
  CRUD_INVALID_QUERY: { status: 400, message: 'Invalid query' },
  CRUD_INVALID_SEARCH: { status: 400, message: 'Invalid search param. JSON expected' },
  CRUD_UNKNOWN_FIELD: { status: 400, message: 'Unknown field' },
  CRUD_UNKNOWN_RELATION: { status: 400, message: 'Unknown relation' },
  CRUD_UNKNOWN_OPERATOR: { status: 400, message: 'Unknown operator' },
  CRUD_INVALID_VALUE: { status: 400, message: 'Invalid value' },
  CRUD_INVALID_PAGINATION: { status: 400, message: 'Invalid pagination' },
  CRUD_INVALID_CURSOR: { status: 400, message: 'Invalid cursor' },
  CRUD_LIMIT_EXCEEDED: { status: 400, message: 'Limit exceeded' },
  CRUD_INVALID_PARAM: { status: 400, message: 'Invalid path parameter' },
  CRUD_INVALID_BODY: { status: 400, message: 'Invalid body' },
  CRUD_EMPTY_BODY: { status: 400, message: 'Empty data. Nothing to save.' },
  CRUD_CONDITION_REQUIRED: { status: 400, message: 'A condition that excludes some records is required' },
  CRUD_OUT_OF_SCOPE: { status: 400, message: 'The record would leave the scope of this resource' },
  CRUD_NOT_NULL_VIOLATION: { status: 400, message: 'A value is required' },
  CRUD_CHECK_VIOLATION: { status: 400, message: 'A value is not allowed' },
  CRUD_VALUE_OUT_OF_RANGE: { status: 400, message: 'A value is out of range' },
  CRUD_NOT_FOUND: { status: 404, message: 'Not found' },
  CRUD_UNIQUE_VIOLATION: { status: 409, message: 'A record with these values already exists' },
  CRUD_FOREIGN_KEY_VIOLATION: {
    status: 409,
    message: 'A related record is missing, or other records still refer to this one',
  },
  CRUD_STALE_VERSION: { status: 409, message: 'The record was changed in the meantime' },
  CRUD_CONFLICT: { status: 409, message: 'Another request was writing the same records: send this one again' },
  CRUD_PRECONDITION_FAILED: {
    status: 412,
    message: 'The record has changed or already exists: read it again and send its current ETag',
  },
  CRUD_UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The header Content-Type must be application/json' },
  CRUD_PRECONDITION_REQUIRED: { status: 428, message: 'The header If-Match is required' },
  CRUD_CLIENT_CLOSED: { status: 499, message: 'The client has closed the connection' },
  CRUD_UNAVAILABLE: { status: 503, message: 'The database is not available' },
  CRUD_TIMEOUT: { status: 503, message: 'The database did not answer in time' },
} as const satisfies Record<`CRUD_${string}`, ErrorDescriptor>;

/** Code of an error that the library raises: the `code` of the body. */
export type CrudErrorCode = keyof typeof ERRORS;

/** The status is nginx's; nobody receives it, but access logs show it. */
class ClientClosedException extends HttpException {
  constructor(body: object, options: HttpExceptionOptions) {
    super(body, 499, options);
  }
}

/** Nest has no class of this status. */
class PreconditionRequiredException extends HttpException {
  constructor(body: object, options: HttpExceptionOptions) {
    super(body, 428, options);
  }
}

const EXCEPTIONS = {
  400: { type: BadRequestException, error: 'Bad Request' },
  404: { type: NotFoundException, error: 'Not Found' },
  409: { type: ConflictException, error: 'Conflict' },
  412: { type: PreconditionFailedException, error: 'Precondition Failed' },
  415: { type: UnsupportedMediaTypeException, error: 'Unsupported Media Type' },
  428: { type: PreconditionRequiredException, error: 'Precondition Required' },
  499: { type: ClientClosedException, error: 'Client Closed Request' },
  503: { type: ServiceUnavailableException, error: 'Service Unavailable' },
} as const;

/** What may be said of an error beside its code. */
export interface CrudErrorDetails {
  /** One text, or an array of `<propertyPath> <text>` on routes with a body. Default: the row's message. */
  readonly message?: string | readonly string[];
  /** Property path, query parameter or path parameter that is to blame. */
  readonly field?: string;
  /** The error underneath, for logs; never sent. */
  readonly cause?: unknown;
  /**
   * Seconds, sent as the header `Retry-After` from every handler that the library parses requests for. Default: no
   * header.
   */
  readonly retryAfter?: number;
}

/**
 * Makes the Nest exception for a code: `BadRequestException`, `NotFoundException`, `ConflictException`,
 * `PreconditionFailedException`, `UnsupportedMediaTypeException` or `ServiceUnavailableException`, so that exception
 * filters of the application catch it by its ordinary class.
 *
 * @example
 * throw crudError('CRUD_NOT_FOUND', { message: 'User not found' });
 */
export function crudError(
  code: CrudErrorCode,
  { message, field, cause, retryAfter }: CrudErrorDetails = {},
): HttpException {
  const { type: Exception } = EXCEPTIONS[ERRORS[code].status];
  const exception = new Exception(errorBody(code, { message, field }), { cause });

  return retryAfter === undefined ? exception : Object.assign(exception, { [RETRY_AFTER_KEY]: retryAfter });
}

/** The body that an error is answered with. */
export function errorBody(code: CrudErrorCode, { message, field }: CrudErrorDetails = {}): object {
  const { status, message: usual } = ERRORS[code];

  return {
    statusCode: status,
    message: message ?? usual,
    error: EXCEPTIONS[status].error,
    code,
    ...(field && { field }),
  };
}

/** Seconds after which a client may retry what an exception has refused; undefined if it names none. */
export function readRetryDelay(error: unknown): number | undefined {
  return (Object(error) as { readonly [RETRY_AFTER_KEY]?: number })[RETRY_AFTER_KEY];
}

/**
 * The exception for a mistake in the application, which clients must not see and cannot fix. Its body is that of an
 * unknown error in Nest.
 *
 * @example
 * throw serverError(new Error('…'));
 */
export function serverError(cause: unknown): HttpException {
  return new InternalServerErrorException({ statusCode: 500, message: 'Internal server error' }, { cause });
}

/** The message of an error, with the field to blame. A thrown value that is no error is printed. */
export function printError(error: unknown): string {
  const body = error instanceof HttpException ? error.getResponse() : error;
  const { message, field } = (body ?? {}) as { message?: unknown; field?: string };
  const text = String(message ?? (typeof error === 'string' || error instanceof Error ? error : inspect(error)));

  return field === undefined || text.includes(field) ? text : `${text} "${field}"`;
}
