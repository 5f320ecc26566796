import { isPlainObject } from '../definition/plain-objects.js';
import { crudError } from '../errors.js';

/** A record in a body, or the body itself. */
export type Body = Record<string, unknown>;

/** Deeper than any record, shallower than any stack. */
const DEEPEST = 200;
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Copies a value of a body; instances (buffers, dates, what a parser of the application made) stay what they are. */
export function copyBody<T>(value: T, depth = 0): T {
  if (depth > DEEPEST) throw crudError('CRUD_INVALID_BODY', { message: ['The body is nested too deeply'] });
  if (Array.isArray(value)) return value.map((item: unknown) => copyBody(item, depth + 1)) as T;
  if (!isPlainObject(value)) return value;

  const copy: Body = {};
  for (const key of Object.keys(value)) if (!FORBIDDEN.has(key)) copy[key] = copyBody(value[key], depth + 1);

  return copy as T;
}

/** Whether a value can be a record's body: an object that is no list. */
export function isRecordBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}

/** Whether a value can be a record that class-transformer has made: {@link isRecordBody}, and no date. */
export function isNestedRecord(value: unknown): value is Body {
  return isRecordBody(value) && !(value instanceof Date);
}
