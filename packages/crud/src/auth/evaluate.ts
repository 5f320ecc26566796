import type { SCondition } from '@nestwright/crud-request';
import { allOf, whenSettled } from '../when-settled.js';
import type { AuthOptions, RelationScope } from '../definition/auth-options.js';

/** What `@CrudAuth()` says of one request. */
export interface EvaluatedAuth {
  /** What `property` picked from the request. */
  user?: unknown;
  /** Condition that all records seen or written satisfy. */
  filter?: SCondition;
  /** Condition that lets records through beside the client's. */
  or?: SCondition;
  /** Conditions on related records by relation path; `false` where all are in reach, undefined where a function gave nothing and none is. */
  relations?: Record<string, SCondition | false | undefined>;
  /** Values written into every stored record. */
  persist?: Record<string, unknown>;
  /** class-transformer's groups for the response. */
  groups?: string[];
  /** class-transformer's other options for the response. */
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
  return auth && evaluate(auth, http);
}

function evaluate(auth: AuthOptions, http: object): EvaluatedAuth | Promise<EvaluatedAuth> {
  const { property, checkWrites = true } = auth;
  const user = property === undefined ? undefined : (http as Record<string, unknown>)[property];
  const subject = property === undefined ? http : user;
  const answers = allOf([
    auth.filter?.(subject),
    auth.or?.(subject),
    auth.relations && evaluateRelations(auth.relations, subject),
    auth.persist?.(subject),
    auth.groups?.(subject),
    auth.classTransformOptions?.(subject),
  ]);

  return whenSettled(answers, ([filter, or, relations, persist, groups, classTransformOptions]) => ({
    ...(property !== undefined && { user }),
    // A text or a number is no condition, empty or not: it is kept, to be refused.
    ...(filter !== undefined && filter !== null && { filter }),
    ...(or && { or }),
    ...(relations && { relations }),
    ...(persist && { persist }),
    ...(groups && { groups }),
    ...(classTransformOptions && { classTransformOptions }),
    checkWrites,
  }));
}

type Relations = NonNullable<EvaluatedAuth['relations']>;

function evaluateRelations(
  relations: NonNullable<AuthOptions['relations']>,
  subject: unknown,
): Relations | Promise<Relations> {
  const paths = Object.keys(relations);
  const ask = (scope: RelationScope) => (scope === false ? scope : scope(subject));

  return whenSettled(allOf(Object.values(relations).map(ask)), (scopes) =>
    Object.fromEntries(paths.map((path, index) => [path, scopes[index]])),
  );
}
