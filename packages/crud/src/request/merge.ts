/** Combines the checked condition of a client with the trusted ones around it. Nothing of the client's can widen them. */
import type { ParamsOptions, SCondition } from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../auth/evaluate.js';
import { keyParams } from '../definition/path-params.js';
import { isNotEmpty } from '../plan/condition.js';

/**
 * `filter AND path AND inner`; with `or`, `filter AND path AND (or OR inner)`.
 *
 * @param auth What `@CrudAuth` says of the request.
 * @param path The conditions of the path.
 * @param inner `query.filter`, and the client's condition or what a filter function made of it.
 */
export function mergeConditions(
  auth: Pick<EvaluatedAuth, 'filter' | 'or'> | undefined,
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
