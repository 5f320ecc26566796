/**
 * Who wrote which part of a search condition. Overrides may take a request's condition apart and reassemble it, so its
 * parts are tracked by identity: those of the client, and those of `@CrudAuth` and `query.filter`. All other parts
 * were written by an override.
 */
import type { ConditionAuthor } from '@nestwright/crud-request';
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

/** Who wrote the part of a condition at a path. */
export function authorAt(condition: unknown, path: readonly (string | number)[]): ConditionAuthor | undefined {
  let part = condition;
  let author = authorOf(part);

  for (const key of path) {
    if (typeof part !== 'object' || part === null) break;
    part = (part as Record<string | number, unknown>)[key];
    author = authorOf(part) ?? author;
  }

  return author;
}

function authorOf(part: unknown): ConditionAuthor | undefined {
  return typeof part === 'object' && part !== null ? authors.get(part) : undefined;
}
