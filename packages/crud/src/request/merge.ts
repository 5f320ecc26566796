/**
 * Combines the checked condition of a client with the trusted ones around it. Nothing of the client's can widen them.
 */
import type { ParamsOptions, ParsedQuery, SCondition } from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../evaluate-auth.js';
import type { CrudRequest } from '../crud-request.js';
import { keyParams } from '../definition/resource-definition.js';
import { crudError } from '../errors.js';
import { isNotEmpty } from '../plan/condition.js';
import type { RequestRoute } from './request-route.js';
import { restricts } from './tautology.js';
import { ensureState } from '../response/request-state.js';

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
export function mergeLinkScope(auth: EvaluatedAuth, params: ParamsOptions): SCondition | undefined {
  return isNotEmpty(auth.filter) && keyParams(params).length > 0 ? auth.filter : undefined;
}

/** What a record must still satisfy after a write. */
export function mergeScope(auth: EvaluatedAuth | undefined, path: readonly SCondition[]): SCondition {
  return { $and: [...path, ...(auth?.checkWrites && isNotEmpty(auth.filter) ? [auth.filter] : [])] };
}

/** Parameters that would make a client expect that only some of the records are written. */
const PARTS = ['limit', 'page', 'offset'] as const;

/**
 * The condition as the client sent it; undefined if it sent none.
 *
 * @throws HttpException 400 `CRUD_INVALID_PAGINATION` for a part of the records, or an order: all that match are
 * written.
 */
export function readSentCondition(parsed: ParsedQuery, condition: SCondition | undefined): SCondition | undefined {
  const part = PARTS.find((name) => parsed[name] !== undefined);
  if (part) {
    throw crudError('CRUD_INVALID_PAGINATION', {
      message: `Invalid ${part}. Writes have no pages: all records that are named or match are written`,
      field: part,
    });
  }
  if (parsed.sort.length > 0) {
    throw crudError('CRUD_INVALID_PAGINATION', {
      message: 'Invalid sort. Writes have no order: all records that are named or match are written',
      field: 'sort',
    });
  }
  const isSent = parsed.search !== undefined || parsed.filter.length + parsed.or.length > 0;

  return isSent ? (condition ?? {}) : undefined;
}

/**
 * Restricts a write to the records that the client's condition matches, whatever `@CrudAuth.or` and a filter function
 * make of it; stores the form of the condition.
 */
export function narrowToSent(
  request: CrudRequest,
  sent: SCondition,
  route: Pick<RequestRoute, 'catalog' | 'definition'>,
): void {
  const { parsed } = request;
  ensureState(request).conditionForm = restricts(sent, route) ? 'some' : 'every';
  parsed.search = { $and: [...(parsed.search ? [parsed.search] : []), sent] } as SCondition;
}
