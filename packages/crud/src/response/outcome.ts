/** What a service reports of a request beside its result, for status and headers of the response. */
import type { CrudRequest } from '../crud-request.js';
import { ensureState, type Outcome, stateOf } from './request-state.js';

/** For adapters: sets the outcome of a request. */
export function reportOutcome(request: CrudRequest, outcome: Outcome): void {
  const state = ensureState(request);

  state.outcome = { ...state.outcome, ...outcome };
}

/** The reported outcome; empty if none was reported. */
export function outcomeOf(request: CrudRequest): Outcome {
  return stateOf(request)?.outcome ?? {};
}
