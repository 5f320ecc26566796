/**
 * Who wrote which part of a search condition. A request's condition is one object that overrides may take apart and put together anew, so its parts are known by their identity: those
 * of the client, and those of `@CrudAuth` and `query.filter`. What neither wrote is an override's.
 */
import type { ConditionAuthor } from '@nestwright/crud-request';
import { serverMistake } from './server-mistakes.js';

// WeakMap rather than a mark on the objects: conditions may be frozen, and are compared and printed by users.
const authors = new WeakMap<object, ConditionAuthor>();

/**
 * Remembers a condition as the client's, with every object in it, so that a copy of its outermost members (`{ ...search, isActive: true }`) is still known.
 *
 * @example
 * claimForClient({ age: { $gte: 18 } });
 */
export function claimForClient(condition: unknown): void {
  if (typeof condition !== 'object' || condition === null) return;

  authors.set(condition, 'client');
  for (const part of Object.values(condition)) claimForClient(part);
}

/** Remembers a condition as the application's; parts of it that are the client's stay the client's. A text, a number or a boolean is a mistake, which nobody could tell later. */
export function claimForServer(condition: unknown, model: string): void {
  if (condition === undefined || condition === null) return;
  if (typeof condition !== 'object')
    throw serverMistake(model, new Error(`${JSON.stringify(condition)} is not a condition`));

  if (!authors.has(condition)) authors.set(condition, 'server');
}

/** Who wrote what stands at the end of a path into a condition. */
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
