/**
 * Why nested records must not be inserted. Only the adapter finds out whether some of them exist (the record of a
 * one-to-one relation, a child whose key has a part of its parent's), so their refusals wait here, by the record in the
 * validated body.
 */
import { isObject } from '../definition/plain-objects.js';
import { valueAtPath } from './property-paths.js';

/** Makes the exception. */
export type InsertRefusal = () => unknown;

const refusals = new WeakMap<object, InsertRefusal>();

/** Refuses the insert of the record at a path of a body. */
export function refuseInsert(body: object, path: string, refusal: InsertRefusal): void {
  const record = valueAtPath(body, path.split('.'));
  if (isObject(record)) refusals.set(record, refusal);
}

/** Why a record of a body must not be inserted; undefined if it may be. */
export function insertRefusalOf(record: object): InsertRefusal | undefined {
  return refusals.get(record);
}
