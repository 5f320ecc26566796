/** What a service has to say of a request beside its result; the response interceptor turns it into status and headers. */
import type { CrudRequest } from '../request/crud-request.js';
import { notesOf, notesOn } from './request-notes.js';

export interface Outcome {
  /** PUT made the record: 201 in place of 200. */
  readonly created?: boolean;
  /** The default ceiling cut a plain array: header `X-Crud-Truncated`. */
  readonly truncated?: boolean;
}

/** For adapters: notes what became of a request. */
export function reportOutcome(request: CrudRequest, outcome: Outcome): void {
  const notes = notesOn(request);

  notes.outcome = { ...notes.outcome, ...outcome };
}

/** What was noted for a request; empty where nothing was. */
export function outcomeOf(request: CrudRequest): Outcome {
  return notesOf(request)?.outcome ?? {};
}
