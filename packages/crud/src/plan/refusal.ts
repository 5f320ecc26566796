/** Why a value does not fit a column, as data, and all that is wrong with a body. */
import { isObject, valueAtPath } from '../definition/plain-objects.js';
import { crudError, type CrudErrorCode } from '../errors.js';

/** A value that a column cannot hold. It never repeats the value, since that is the client's. */
export class Refusal {
  constructor(
    readonly code: Extract<
      CrudErrorCode,
      'CRUD_INVALID_BODY' | 'CRUD_INVALID_VALUE' | 'CRUD_VALUE_OUT_OF_RANGE' | 'CRUD_NOT_NULL_VIOLATION'
    >,
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

/** A record does not exist or is out of reach; the client cannot tell which. */
export function outOfScope(field: string): Error {
  return crudError('CRUD_OUT_OF_SCOPE', { field, message: [`${field} is outside the scope of this resource`] });
}

/** Collects what is wrong with a body, so that a client learns of everything at once. */
export class WriteFaults {
  private readonly faults: { readonly path: string; readonly refusal: Refusal }[] = [];

  add(path: string, refusal: Refusal): void {
    this.faults.push({ path, refusal });
  }

  /** Throws the faults, if there are any: the first one gives code and field. */
  throwIfAny(): void {
    const [first] = this.faults;
    if (!first) return;

    throw crudError(first.refusal.code, {
      // A nested record may be planned twice, with the same faults.
      message: [...new Set(this.faults.map(({ path, refusal }) => `${path} ${refusal.text}`))],
      field: first.path,
    });
  }
}

/** Makes the exception. */
type InsertRefusal = () => unknown;

const insertRefusals = new WeakMap<object, InsertRefusal>();

/**
 * Refuses the insert of the record at a path of a validated body. Only the adapter finds out whether some nested
 * records exist (the record of a one-to-one relation, a child whose key has a part of its parent's), so their refusals
 * wait.
 */
export function refuseInsert(body: object, path: string, refusal: InsertRefusal): void {
  const record = valueAtPath(body, path.split('.'));
  if (isObject(record)) insertRefusals.set(record, refusal);
}

/** Why a record of a body must not be inserted; undefined if it may be. */
export function findInsertRefusal(record: object): InsertRefusal | undefined {
  return insertRefusals.get(record);
}
