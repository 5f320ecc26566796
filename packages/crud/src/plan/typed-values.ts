/**
 * Code of the application reads typed values in conditions; plans are made from the client's texts, which a column
 * reads exactly.
 */
import { type ParsedQuery, type SCondition, typeValue } from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import { stateOf } from '../response/request-state.js';

type Conditions = Pick<ParsedQuery, 'filter' | 'or' | 'join'>;

/** The value of a key before it was typed: a text, or a list with texts in it. */
interface Sent {
  readonly key: string;
  readonly value: unknown;
}

// By the object that holds the value, which stays the same if conditions are reassembled.
const sent = new WeakMap<object, Sent>();

/**
 * Types the values of a request that application code is about to read, once. Not done before, since only application
 * code needs typed values.
 */
export function typeValues(request: CrudRequest): void {
  const state = stateOf(request);
  if (!state?.texts) return;

  typeConditions(request.parsed);
  typeSearch(state.texts);
  state.texts = undefined;
}

/** Types the values of filters in place: `filter`, `or`, and those of joins. */
export function typeConditions({ filter, or, join }: Conditions): void {
  for (const one of [...filter, ...or, ...join.flatMap(({ on = [] }) => on)]) typeAt(one, 'value');
}

/** Types the values of a search in place that was made of filters. */
export function typeSearch(condition: SCondition): void {
  for (const part of Object.values(condition)) {
    if (Array.isArray(part)) part.forEach(typeSearch);
    else for (const operator of Object.keys(part as object)) typeAt(part as object, operator);
  }
}

function typeAt(holder: object, key: string): void {
  const held = holder as Record<string, unknown>;
  const value = held[key];
  const typed = typeValue(value);
  if (sent.has(holder) || isSame(typed, value)) return;

  held[key] = typed;
  sent.set(holder, { key, value });
}

/**
 * The value under a key of a condition, as the client sent it; a value that application code has set, as it is.
 *
 * @example
 * // { zip: { $eq: '007' } } and { age: { $eq: '5' } } → { zip: { $eq: '007' } } and { age: { $eq: 5 } }
 * typeSearch(search);
 * sentValue(search.age, '$eq'); // '5'
 */
export function sentValue(holder: object, key: string): unknown {
  const value = (holder as Record<string, unknown>)[key];
  const before = sent.get(holder);
  if (before?.key !== key) return value;
  if (!Array.isArray(before.value) || !Array.isArray(value)) return untouched(value, before.value);

  const texts: readonly unknown[] = before.value;

  return value.map((item: unknown, index) => untouched(item, texts[index]));
}

function untouched(value: unknown, text: unknown): unknown {
  return isSame(value, typeValue(text)) ? text : value;
}

/** Whether values are equal; a date may have been changed in place. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));

  return one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : Object.is(one, other);
}
