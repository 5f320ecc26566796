/** A request in, what the library notes on it for its response out; refuses nothing. */
import type { CrudRequest } from '../request/crud-request.js';
import type { Client } from './client.js';
import type { TextWish } from './json-text.js';
import type { Outcome } from './outcome.js';

/** What may be noted on a request. */
export interface RequestNotes {
  wish?: TextWish | undefined;
  outcome?: Outcome;
  /** Why text will not do; noted only where somebody listens. */
  reason?: string;
  client?: Client;
}

// The request itself is public, and may be copied.
const notes = new WeakMap<CrudRequest, RequestNotes>();

/** The notes on a request, to be read. */
export function notesOf(request: CrudRequest): RequestNotes | undefined {
  return notes.get(request);
}

/** The notes on a request, to be written. */
export function notesOn(request: CrudRequest): RequestNotes {
  let known = notes.get(request);
  if (!known) notes.set(request, (known = {}));

  return known;
}
