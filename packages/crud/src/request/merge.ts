/** Combines the checked condition of a client with the trusted ones around it. Nothing of the client's can widen them. */
import type { ParamsOptions, QueryFilter, SCondition } from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../auth/evaluate.js';
import { isPlainObject } from '../definition/plain-objects.js';
import { filterCondition } from '../plan/filter-condition.js';

/** The parts of a search. */
export interface SearchParts {
  readonly auth?: Pick<EvaluatedAuth, 'filter' | 'or'>;
  readonly path: readonly QueryFilter[];
  /** `query.filter`, where it is no function. */
  readonly option: readonly SCondition[];
  /** The client's condition, or what a filter function made of it. */
  readonly client?: SCondition;
}

/**
 * Whether a condition is not empty. Values that are no condition (a list, a Map) are kept, so that planning refuses
 * them.
 */
export function isStated(condition: SCondition | void | null): condition is SCondition {
  if (condition === undefined || condition === null) return false;

  return !isPlainObject(condition) || Object.keys(condition).length > 0;
}

/** `filter AND path AND option AND client`; with `or`, `filter AND path AND (or OR (option AND client))`. */
export function mergeSearch({ auth, path, option, client }: SearchParts): SCondition {
  return mergeConditions(auth, path.map(filterCondition), [...option, ...(isStated(client) ? [client] : [])]);
}

/** {@link mergeSearch} of conditions: those of the path, and those that an alternative of `@CrudAuth` may stand in for. */
export function mergeConditions(
  auth: SearchParts['auth'] | undefined,
  path: readonly SCondition[],
  inner: readonly SCondition[],
): SCondition {
  const outer = [...(isStated(auth?.filter) ? [auth.filter] : []), ...path];
  if (!isStated(auth?.or)) return { $and: [...outer, ...inner] };

  // Without inner conditions everything within the outer ones matches anyway.
  return { $and: inner.length === 0 ? outer : [...outer, { $or: [auth.or, { $and: [...inner] }] }] };
}

/**
 * What records of the resource's own entity satisfy where a body links to them. A resource without a key is one record,
 * so its filter cannot apply to others.
 */
export function mergeLinkScope(auth: EvaluatedAuth | undefined, params: ParamsOptions): SCondition | undefined {
  const hasKey = Object.values(params).some(({ primary, disabled }) => primary && !disabled);

  return hasKey && isStated(auth?.filter) ? auth.filter : undefined;
}

/** What a record must still satisfy after a write. */
export function mergeScope(auth: EvaluatedAuth | undefined, path: readonly SCondition[]): SCondition {
  return { $and: [...path, ...(auth?.checkWrites && isStated(auth.filter) ? [auth.filter] : [])] };
}
