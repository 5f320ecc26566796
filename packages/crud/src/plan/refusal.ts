/** Why a value does not fit a column, as data; callers make the error. */
import type { CrudErrorCode } from '../errors/errors.js';

/** A value that a column cannot hold. It never repeats the value, since that is the client's. */
export class Refusal {
  constructor(
    readonly code: Extract<CrudErrorCode, 'CRUD_INVALID_VALUE' | 'CRUD_VALUE_OUT_OF_RANGE' | 'CRUD_NOT_NULL_VIOLATION'>,
    /** Follows the name of the field: `must be an integer`. */
    readonly text: string,
  ) {}
}

/** The value is of another type than the column. */
export function wrongType(text: string): Refusal {
  return new Refusal('CRUD_INVALID_VALUE', text);
}

/** The value has the right type, but the column cannot hold it. */
export function outOfRange(text: string): Refusal {
  return new Refusal('CRUD_VALUE_OUT_OF_RANGE', text);
}
