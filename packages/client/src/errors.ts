/** Codes of the server's errors: the `code` of its body. */
export type CrudErrorCode =
  | 'CRUD_INVALID_QUERY'
  | 'CRUD_INVALID_SEARCH'
  | 'CRUD_UNKNOWN_FIELD'
  | 'CRUD_UNKNOWN_RELATION'
  | 'CRUD_UNKNOWN_OPERATOR'
  | 'CRUD_INVALID_VALUE'
  | 'CRUD_INVALID_PAGINATION'
  | 'CRUD_INVALID_CURSOR'
  | 'CRUD_LIMIT_EXCEEDED'
  | 'CRUD_INVALID_PARAM'
  | 'CRUD_INVALID_BODY'
  | 'CRUD_EMPTY_BODY'
  | 'CRUD_CONDITION_REQUIRED'
  | 'CRUD_OUT_OF_SCOPE'
  | 'CRUD_NOT_NULL_VIOLATION'
  | 'CRUD_CHECK_VIOLATION'
  | 'CRUD_VALUE_OUT_OF_RANGE'
  | 'CRUD_NOT_FOUND'
  | 'CRUD_UNIQUE_VIOLATION'
  | 'CRUD_FOREIGN_KEY_VIOLATION'
  | 'CRUD_STALE_VERSION'
  | 'CRUD_CONFLICT'
  | 'CRUD_PRECONDITION_FAILED'
  | 'CRUD_UNSUPPORTED_MEDIA_TYPE'
  | 'CRUD_PRECONDITION_REQUIRED'
  | 'CRUD_CLIENT_CLOSED'
  | 'CRUD_UNAVAILABLE'
  | 'CRUD_TIMEOUT';

/**
 * Codes of errors that no server has sent: the network failed, an answer took longer than `timeout`, an answer is not
 * what the route answers with (the page of a proxy, a body that was cut), a key cannot stand in a path.
 */
export type ClientErrorCode = 'CLIENT_NETWORK' | 'CLIENT_TIMEOUT' | 'CLIENT_INVALID_RESPONSE' | 'CLIENT_INVALID_KEY';

/** What is known of a refusal. */
export interface CrudErrorDetails {
  /** HTTP status. Default: 0, if there was no answer. */
  readonly status?: number | undefined;
  /** The server's code, or the client's own; undefined for errors that the library did not raise. */
  readonly code?: CrudErrorCode | ClientErrorCode | undefined;
  /** The property, query parameter or path parameter that is to blame. */
  readonly field?: string | undefined;
  /** The texts of a refused body, one for each property. Default: the message alone. */
  readonly messages?: readonly string[];
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter?: number | undefined;
  /** The error underneath. */
  readonly cause?: unknown;
}

/** A record as others have changed it, and the fields that differ from the one that was edited. */
export interface Conflict<Row> {
  /** The record as it is stored now, with the tag that a new attempt needs. */
  readonly current: Row;
  /** Names of the fields whose values differ. */
  readonly changed: readonly (keyof Row & string)[];
}

/**
 * The one error of a client. Only an aborted call fails otherwise: with the reason of its signal.
 *
 * @example
 * try {
 *   await tasks.create({ title });
 * } catch (error) {
 *   if (error instanceof CrudError && error.code === 'CRUD_UNIQUE_VIOLATION') show(error.field, error.message);
 * }
 */
export class CrudError extends Error {
  /** `CrudError`. */
  override readonly name = 'CrudError';
  /** HTTP status; 0 if there was no answer. */
  declare status: number;
  /** The server's code, or the client's own; undefined for errors that the library did not raise. */
  declare readonly code: CrudErrorCode | ClientErrorCode | undefined;
  /** The property, query parameter or path parameter that is to blame. */
  declare readonly field: string | undefined;
  /** The texts of a refused body, one for each property; otherwise the message alone. */
  declare readonly messages: readonly string[];
  /** Seconds after which the server wants to be asked again. */
  declare readonly retryAfter: number | undefined;
  /**
   * Reads the record again and says what has changed. Only there if a record was written that others have changed: 412
   * `CRUD_PRECONDITION_FAILED` or 409 `CRUD_STALE_VERSION`.
   */
  // The error does not know the type of the records.
  declare compare?: () => Promise<Conflict<any>>;

  constructor(message: string, details?: CrudErrorDetails) {
    super(message);
    Object.assign(this, { messages: [message] }, details);
    this.status ??= 0;
  }
}
