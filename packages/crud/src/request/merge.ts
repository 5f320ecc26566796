/** Combines the checked condition of a client with the trusted ones around it. Nothing of the client's can widen them. */
import { convertFilterToSearch, type ParamsOptions, type QueryFilter, type SCondition } from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../auth/evaluate.js';
import { keyParams } from '../definition/path-params.js';
import { isNotEmpty } from '../plan/condition.js';

export interface SearchParts {
  readonly auth?: Pick<EvaluatedAuth, 'filter' | 'or'>;
  readonly path: readonly QueryFilter[];
  /** `query.filter`, if it is no function. */
  readonly option: readonly SCondition[];
  /** The client's condition, or what a filter function made of it. */
  readonly client?: SCondition;
}

/** `filter AND path AND option AND client`; with `or`, `filter AND path AND (or OR (option AND client))`. */
export function mergeSearch({ auth, path, option, client }: SearchParts): SCondition {
  return mergeConditions(auth, path.map(convertFilterToSearch), [...option, ...(isNotEmpty(client) ? [client] : [])]);
}

/** {@link mergeSearch} of conditions: those of the path, and those to which `@CrudAuth.or` is an alternative. */
export function mergeConditions(
  auth: SearchParts['auth'] | undefined,
  path: readonly SCondition[],
  inner: readonly SCondition[],
): SCondition {
  const outer = [...(isNotEmpty(auth?.filter) ? [auth.filter] : []), ...path];
  if (!isNotEmpty(auth?.or)) return { $and: [...outer, ...inner] };

  // Without inner conditions everything within the outer ones matches anyway.
  return { $and: inner.length === 0 ? outer : [...outer, { $or: [auth.or, { $and: [...inner] }] }] };
}

/**
 * What records of the resource's own entity satisfy if a body links to them. A resource without a key is one record,
 * so its filter cannot apply to others.
 */
export function mergeLinkScope(auth: EvaluatedAuth | undefined, params: ParamsOptions): SCondition | undefined {
  return isNotEmpty(auth?.filter) && keyParams(params).length > 0 ? auth.filter : undefined;
}

/** What a record must still satisfy after a write. */
export function mergeScope(auth: EvaluatedAuth | undefined, path: readonly SCondition[]): SCondition {
  return { $and: [...path, ...(auth?.checkWrites && isNotEmpty(auth.filter) ? [auth.filter] : [])] };
}
