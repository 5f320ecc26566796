/** What a service reports of a request beside its result, for status and headers of the response. */
import type { CrudRequest } from '../crud-request.js';
import type { PageLinks } from './page-links.js';
import { stateOf, ensureState } from './request-state.js';

/** The outcome of a request. */
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

/** For adapters: sets the outcome of a request. */
export function reportOutcome(request: CrudRequest, outcome: Outcome): void {
  const state = ensureState(request);

  state.outcome = { ...state.outcome, ...outcome };
}

/** The reported outcome; empty if none was reported. */
export function outcomeOf(request: CrudRequest): Outcome {
  return stateOf(request)?.outcome ?? {};
}
