/** The client's condition of a write by condition. */
import type { ParsedQuery, SCondition } from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import { crudError } from '../errors/errors.js';
import { ensureState } from '../response/request-state.js';
import type { RequestRoute } from './request-route.js';
import { restricts } from './tautology.js';

/** Parameters that would make a client expect that only some of the records are written. */
const PARTS = ['limit', 'page', 'offset'] as const;

/**
 * The condition as the client sent it; undefined if it sent none.
 *
 * @throws HttpException 400 `CRUD_INVALID_PAGINATION` for a part of the records, or an order: all that match are written.
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
