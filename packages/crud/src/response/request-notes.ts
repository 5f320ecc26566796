/** A request in, what the library notes on it for later steps out; refuses nothing. */
import type { SCondition } from '@nestwright/crud-request';
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
  /** The client's condition, while its values, and those of its filters and joins, are texts. */
  texts?: SCondition | undefined;
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
