import type { SCondition } from '@nestwright/crud-request';
import { settleAll, whenSettled } from './when-settled.js';
import { type AuthOptions, type RelatedOptions, relatedOptions } from './definition/auth-options.js';

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
  /** Values written into related records that cascades store, by relation path. */
  relationPersist?: Record<string, object>;
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
export function evaluateAuth(auth: AuthOptions, http: object): EvaluatedAuth | Promise<EvaluatedAuth> {
  const { property, checkWrites = true } = auth;
  const user = property === undefined ? undefined : (http as Record<string, unknown>)[property];
  const subject = property === undefined ? http : user;
  const answers = settleAll([
    auth.filter?.(subject),
    auth.or?.(subject),
    auth.relations && evaluateEach(auth.relations, ({ filter }) => filter, subject),
    auth.relations && evaluateEach(auth.relations, ({ persist }) => persist, subject),
    auth.persist?.(subject),
    auth.groups?.(subject),
    auth.classTransformOptions?.(subject),
  ]);

  return whenSettled(answers, ([filter, or, relations, persisted, persist, groups, classTransformOptions]) => ({
    ...(property !== undefined && { user }),
    // A string or number is not a condition. It is kept, so that planning refuses it.
    ...(filter !== undefined && filter !== null && { filter }),
    ...(or && { or }),
    ...(relations && { relations }),
    ...(persisted && Object.keys(persisted).length > 0 && { relationPersist: persisted as Record<string, object> }),
    // As nestjsx/crud does: handlers read `authPersist` if there is a function at all.
    ...(auth.persist && { persist: persist || {} }),
    ...(groups && { groups }),
    ...(classTransformOptions && { classTransformOptions }),
    checkWrites,
  }));
}

/** What an option of `@CrudAuth.relations` gives for this request, by the paths that have it. */
function evaluateEach<T>(
  relations: NonNullable<AuthOptions['relations']>,
  pick: (options: RelatedOptions) => ((subject: unknown) => T | Promise<T>) | false | undefined,
  subject: unknown,
): Record<string, T | false> | Promise<Record<string, T | false>> {
  const options = Object.entries(relations).flatMap(([path, scope]) => {
    const option = pick(relatedOptions(scope));

    return option === undefined ? [] : [[path, option] as const];
  });

  return whenSettled(settleAll(options.map(([, option]) => option && option(subject))), (values) =>
    Object.fromEntries(options.map(([path], index) => [path, values[index] as T | false])),
  );
}
