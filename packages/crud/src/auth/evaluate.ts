/** The options of `@CrudAuth()` and an HTTP request in, what they say of this request out; what a function throws ends the request. */
import type { SCondition } from '@nestwright/crud-request';
import { atOnce, isPromise, settled, type Work } from '../request/at-once.js';
import type { AuthOptions, RelationScope } from './auth-options.js';

/** What `@CrudAuth()` says of one request. */
export interface EvaluatedAuth {
  /** What `property` picked from the request. */
  user?: unknown;
  filter?: SCondition;
  or?: SCondition;
  /** Conditions on related records by relation path; `false` where all are in reach, undefined where a function gave nothing and none is. */
  relations?: Record<string, SCondition | false | undefined>;
  persist?: Record<string, unknown>;
  groups?: string[];
  classTransformOptions?: object;
  /** Whether stored records must still satisfy {@link filter}. */
  checkWrites: boolean;
}

/**
 * Asks every function of the options, the asynchronous ones at the same time. Where none is, there is nothing to wait for.
 *
 * @example
 * await evaluateAuth({ property: 'user', filter: (user) => ({ ownerId: user.id }) }, { user: { id: 7 } });
 * // { user: { id: 7 }, filter: { ownerId: 7 }, checkWrites: true }
 */
export function evaluateAuth(
  auth: AuthOptions | undefined,
  http: object,
): EvaluatedAuth | undefined | Promise<EvaluatedAuth | undefined> {
  return auth && atOnce(evaluate(auth, http));
}

function* evaluate(auth: AuthOptions, http: object): Work<EvaluatedAuth> {
  const { property, checkWrites = true } = auth;
  const user = property === undefined ? undefined : (http as Record<string, unknown>)[property];
  const subject = property === undefined ? http : user;
  const [filter, or, relations, persist, groups, classTransformOptions] = yield* all([
    auth.filter?.(subject),
    auth.or?.(subject),
    auth.relations && atOnce(evaluateRelations(auth.relations, subject)),
    auth.persist?.(subject),
    auth.groups?.(subject),
    auth.classTransformOptions?.(subject),
  ]);

  return {
    ...(property !== undefined && { user }),
    // A text or a number is no condition, empty or not: it is kept, to be refused.
    ...(filter !== undefined && filter !== null && { filter }),
    ...(or && { or }),
    ...(relations && { relations }),
    ...(persist && { persist }),
    ...(groups && { groups }),
    ...(classTransformOptions && { classTransformOptions }),
    checkWrites,
  };
}

function* evaluateRelations(
  relations: NonNullable<AuthOptions['relations']>,
  subject: unknown,
): Work<NonNullable<EvaluatedAuth['relations']>> {
  const paths = Object.keys(relations);
  const ask = (scope: RelationScope) => (scope === false ? scope : scope(subject));
  const scopes = yield* all(Object.values(relations).map(ask));

  return Object.fromEntries(paths.map((path, index) => [path, scopes[index]]));
}

/** What each of the values comes to; all are waited for at the same time. */
function* all<T extends readonly unknown[]>(
  values: readonly [...T],
): Work<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  return yield* settled(
    (values.some(isPromise) ? Promise.all(values) : values) as { -readonly [K in keyof T]: Awaited<T[K]> },
  );
}
