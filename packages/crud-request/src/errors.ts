/** The one exception of the query language. It is recognised across copies of this package. */

/** Why a query was refused; the part of the library's error codes that this package raises. */
export type QueryErrorCode =
  | 'CRUD_INVALID_QUERY'
  | 'CRUD_INVALID_SEARCH'
  | 'CRUD_UNKNOWN_OPERATOR'
  | 'CRUD_INVALID_VALUE'
  | 'CRUD_INVALID_PAGINATION'
  | 'CRUD_LIMIT_EXCEEDED'
  | 'CRUD_INVALID_PARAM';

/** Where in a request the mistake is. */
export interface QueryErrorPlace {
  /** Query parameter as the client spelt it (`filter`, `per_page`, `s`). */
  readonly parameter?: string | undefined;
  /** Offset into the value of that parameter, in UTF-16 units, from 0. */
  readonly position?: number;
  /** Field of a condition, or name of a path parameter. */
  readonly field?: string | undefined;
}

const BRAND = /* @__PURE__ */ Symbol.for('nestwright.query.exception');

/**
 * Raised by the builder for a query that cannot be expressed, and by the parser for one that cannot be read. A server
 * answers it with 400.
 *
 * @example
 * try {
 *   parseQuery({ limit: 'ten' });
 * } catch (error) {
 *   // CRUD_INVALID_PAGINATION limit
 *   if (RequestQueryException.isRequestQueryException(error)) console.log(error.code, error.parameter);
 * }
 */
export class RequestQueryException extends Error {
  /** Default: `CRUD_INVALID_QUERY`. */
  readonly code: QueryErrorCode;
  /** Query parameter as the client spelt it; undefined if none is to blame. */
  readonly parameter?: string;
  /** Offset into the parameter's value, in UTF-16 units, from 0; set wherever `parameter` is set by the parser. */
  readonly position?: number;
  /** Field of a condition, or name of a path parameter. */
  readonly field?: string;

  constructor(message: string, code: QueryErrorCode = 'CRUD_INVALID_QUERY', place?: QueryErrorPlace) {
    super(message);
    this.code = code;
    // A mark and not `instanceof`, since an application may load this package as ES module and as CommonJS at once.
    Object.assign(this, place, { name: 'RequestQueryException', [BRAND]: true });
  }

  /**
   * Whether a value is this exception, thrown by this or by another copy of the package.
   *
   * @example
   * RequestQueryException.isRequestQueryException(new Error()); // false
   */
  static isRequestQueryException(error: unknown): error is RequestQueryException {
    return (error as { [BRAND]?: boolean } | null | undefined)?.[BRAND] === true;
  }
}

export function refuse(message: string, code?: QueryErrorCode, place?: QueryErrorPlace): never {
  throw new RequestQueryException(message, code, place);
}

const NAME = /^[A-Za-z][A-Za-z0-9]*(?:[._][A-Za-z0-9]+)*$/;
const LONGEST_NAME = 64;

/**
 * A name that a client sent, if an answer may repeat it: only plain identifiers, so that an answer cannot reflect an
 * attack. Whether a field of that name exists does not matter, so that the answer does not reveal it.
 *
 * @example
 * speakable('company.name'); // 'company.name'
 * speakable("id' OR 1=1"); // undefined
 */
export function speakable(name: unknown): string | undefined {
  return typeof name === 'string' &&
    name.length <= LONGEST_NAME &&
    NAME.test(name) &&
    !name.split('.').some((part) => part in Object.prototype)
    ? name
    : undefined;
}
