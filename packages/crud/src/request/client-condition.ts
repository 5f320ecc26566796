/** The client's condition of a write by condition. */
import type { ParsedQuery, SCondition } from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import { writesByCondition } from '../definition/route-behaviour.js';
import { crudError } from '../errors/errors.js';
import { ensureState } from '../response/request-state.js';
import type { RequestInput } from './request-input.js';
import { restricts } from './tautology.js';

/** Parameters that would make a client expect that only some of the records are written. */
const PARTS = ['limit', 'page', 'offset'] as const;

/**
 * The condition as the client sent it; undefined on other routes, and if the client sent none.
 *
 * @throws HttpException 400 `CRUD_INVALID_PAGINATION` for a part of the records: all that match are written.
 */
export function sentCondition(
  { route, definition }: Pick<RequestInput, 'route' | 'definition'>,
  parsed: ParsedQuery,
  condition: SCondition | undefined,
): SCondition | undefined {
  if (!writesByCondition(route, definition.options.routes)) return undefined;
  const part = PARTS.find((name) => parsed[name] !== undefined);
  if (part) {
    throw crudError('CRUD_INVALID_PAGINATION', {
      message: `Invalid ${part}. Writes have no pages: all records that are named or match are written`,
      field: part,
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
  sent: SCondition | undefined,
  input: Pick<RequestInput, 'catalog' | 'definition'>,
): void {
  if (!sent) return;

  const { parsed } = request;
  ensureState(request).conditionForm = restricts(sent, input) ? 'some' : 'every';
  parsed.search = { $and: [...(parsed.search ? [parsed.search] : []), sent] } as SCondition;
}
