import type { SCondition } from '@nestwright/crud-request';
import { allOf, whenSettled } from '../when-settled.js';
import type { AuthOptions, RelationScope } from '../definition/auth-options.js';

/** What the options of `@CrudAuth()` evaluate to for one request. */
export interface EvaluatedAuth {
  /** What `property` picked from the request. */
  user?: unknown;
  /** Condition that all records seen or written satisfy. */
  filter?: SCondition;
  /** Alternative to the client's condition: a record that matches it is included, too. */
  or?: SCondition;
  /**
   * Conditions on related records by relation path; `false` if all are in reach, undefined (the function returned
   * nothing) if none is.
   */
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
 * Calls every function of the options, asynchronous ones concurrently. If all are synchronous, so is the result.
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
    // A string or number is not a condition. It is kept, so that planning refuses it.
    ...(filter !== undefined && filter !== null && { filter }),
    ...(or && { or }),
    ...(relations && { relations }),
    // As nestjsx/crud does: handlers read `authPersist` if there is a function at all.
    ...(auth.persist && { persist: persist || {} }),
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
