/**
 * Who wrote which part of a search condition, and as which text a client sent a value. Overrides may take a request's
 * condition apart and reassemble it, so its parts are tracked by identity: those of the client, and those of
 * `@CrudAuth` and `query.filter`. All other parts were written by an override.
 */
import { type ConditionAuthor, type ParsedQuery, type SCondition, typeValue } from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import { isObject, isSameValue } from '../definition/plain-objects.js';
import { readState } from '../response/request-state.js';
import { serverMistake } from './server-mistakes.js';

// WeakMap rather than a mark on the objects: conditions may be frozen, and are compared and printed by users.
const authors = new WeakMap<object, ConditionAuthor>();

/**
 * Marks a condition as the client's, with every object in it, so that a copy of its outermost members
 * (`{ ...search, isActive: true }`) is still known.
 *
 * @example
 * markClientCondition({ age: { $gte: 18 } });
 */
export function markClientCondition(condition: unknown): void {
  if (typeof condition !== 'object' || condition === null) return;

  authors.set(condition, 'client');
  for (const part of Object.values(condition)) markClientCondition(part);
}

/**
 * Marks a condition as the application's; parts of it that are the client's stay the client's. A string, number or
 * boolean is a mistake and reported here, since it has no identity to track.
 */
export function markServerCondition(condition: unknown, model: string): void {
  if (condition === undefined || condition === null) return;
  if (typeof condition !== 'object')
    throw serverMistake(model, new Error(`${JSON.stringify(condition)} is not a condition`));

  if (!authors.has(condition)) authors.set(condition, 'server');
}

/**
 * Who wrote the part of a condition at a path; what nobody is known to have written, the author of what is around it.
 */
export function findAuthor(condition: unknown, path: readonly (string | number)[]): ConditionAuthor | undefined {
  let part = condition;
  let author: ConditionAuthor | undefined;
  for (let depth = 0; isObject(part); depth++) {
    author = authors.get(part) ?? author;
    if (depth === path.length) break;
    part = (part as Record<string | number, unknown>)[path[depth]!];
  }

  return author;
}

type Conditions = Pick<ParsedQuery, 'filter' | 'or' | 'join'>;

/** The value of a key before it was typed: a text, or a list with texts in it. */
interface Sent {
  readonly key: string;
  readonly value: unknown;
}

// Code of the application reads typed values; plans are made from the client's texts, which a column reads exactly.
// By the object that holds the value, which stays the same if conditions are reassembled.
const sent = new WeakMap<object, Sent>();

/**
 * Types the values of a request that application code is about to read, once. Not done before, since only application
 * code needs typed values.
 */
export function typeValues(request: CrudRequest): void {
  const state = readState(request);
  if (!state?.texts) return;

  typeConditions(request.parsed);
  typeSearch(state.texts);
  state.texts = undefined;
}

/** Types the values of filters in place: `filter`, `or`, and those of joins. */
export function typeConditions({ filter, or, join }: Conditions): void {
  for (const one of [...filter, ...or, ...join.flatMap(({ on = [] }) => on)]) typeProperty(one, 'value');
}

/** Types the values of a search in place that was made of filters. */
export function typeSearch(condition: SCondition): void {
  for (const part of Object.values(condition)) {
    if (Array.isArray(part)) part.forEach(typeSearch);
    else for (const operator of Object.keys(part as object)) typeProperty(part as object, operator);
  }
}

function typeProperty(holder: object, key: string): void {
  const held = holder as Record<string, unknown>;
  const value = held[key];
  const typed = typeValue(value);
  if (sent.has(holder) || isSameValue(typed, value)) return;

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
  return isSameValue(value, typeValue(text)) ? text : value;
}
