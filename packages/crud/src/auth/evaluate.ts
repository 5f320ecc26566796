/** The options of `@CrudAuth()` and an HTTP request in, what they say of this request out; what a function throws ends the request. */
import type { SCondition } from '@nestwright/crud-request';
import { isPlainObject } from '../definition/freeze.js';
import type { AuthOptions } from './auth-options.js';

/** What `@CrudAuth()` says of one request. */
export interface EvaluatedAuth {
  /** What `property` picked from the request. */
  user?: unknown;
  filter?: SCondition;
  or?: SCondition;
  persist?: Record<string, unknown>;
  groups?: string[];
  classTransformOptions?: object;
  /** Whether stored records must still satisfy {@link filter}. */
  checkWrites: boolean;
}

/**
 * Asks every function of the options, the asynchronous ones at the same time.
 *
 * @example
 * await evaluateAuth({ property: 'user', filter: (user) => ({ ownerId: user.id }) }, { user: { id: 7 } });
 * // { user: { id: 7 }, filter: { ownerId: 7 }, checkWrites: true }
 */
export async function evaluateAuth(auth: AuthOptions | undefined, http: object): Promise<EvaluatedAuth | undefined> {
  if (!auth) return undefined;

  const { property, checkWrites = true } = auth;
  const user = property === undefined ? undefined : (http as Record<string, unknown>)[property];
  const subject = property === undefined ? http : user;
  const [filter, or, persist, groups, classTransformOptions] = await Promise.all([
    auth.filter?.(subject),
    auth.or?.(subject),
    auth.persist?.(subject),
    auth.groups?.(subject),
    auth.classTransformOptions?.(subject),
  ]);

  return {
    ...(property !== undefined && { user }),
    ...(filter && !isEmpty(filter) && { filter }),
    ...(or && { or }),
    ...(persist && { persist }),
    ...(groups && { groups }),
    ...(classTransformOptions && { classTransformOptions }),
    checkWrites,
  };
}

// A condition that holds for every record says nothing, however it is written; routes without a key depend on the difference.
function isEmpty(condition: unknown): boolean {
  // A list is no condition at all: it is kept, to be refused.
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return false;

  return Object.entries(condition).every(([key, value]: [string, unknown]) => {
    if (key === '$and') return Array.isArray(value) && value.every(isEmpty);
    if (key === '$or') return Array.isArray(value) && value.some(isEmpty);
    // What holds for every record, negated, holds for none.
    if (key === '$not') return false;

    return isPlainObject(value) && Object.keys(value).length === 0;
  });
}
