/** The options of `@CrudAuth()` and an HTTP request in, what they say of this request out; what a function throws ends the request. */
import type { SCondition } from '@nestwright/crud-request';
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
  const [filter, or, relations, persist, groups, classTransformOptions] = await Promise.all([
    auth.filter?.(subject),
    auth.or?.(subject),
    auth.relations && evaluateRelations(auth.relations, subject),
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

async function evaluateRelations(
  relations: NonNullable<AuthOptions['relations']>,
  subject: unknown,
): Promise<NonNullable<EvaluatedAuth['relations']>> {
  const evaluate = async ([path, scope]: [string, RelationScope]) =>
    [path, scope === false ? scope : await scope(subject)] as const;

  return Object.fromEntries(await Promise.all(Object.entries(relations).map(evaluate)));
}
