/** What a service has to say of a request beside its result; the response interceptor turns it into status and headers. */
import type { CrudRequest } from '../crud-request.js';
import type { PageLinks } from './page-links.js';
import { notesOf, notesOn } from './request-notes.js';

/** What became of a request. */
export interface Outcome {
  /** PUT made the record: 201 in place of 200. */
  readonly created?: boolean;
  /** POST changed the record that was there: 200 in place of 201. */
  readonly updated?: boolean;
  /** The default ceiling cut a plain array: header `X-Crud-Truncated`. */
  readonly truncated?: boolean;
  /** The other pages of the list: header `Link`. */
  readonly links?: PageLinks;
  /** The tag of the stored record that the answer shows, as `rowTagOf` makes it; never one of a later state. */
  readonly row?: string;
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
