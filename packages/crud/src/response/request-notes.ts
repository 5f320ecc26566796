import type { SCondition } from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import type { ConditionForm } from '../definition/route-behaviour.js';
import type { Client } from './client.js';
import type { Outcome } from './outcome.js';

/** What the library notes on a request for later steps. */
export interface RequestNotes {
  outcome?: Outcome;
  client?: Client;
  /** The client's condition, as long as its values (and those of filters and joins) are texts. */
  texts?: SCondition | undefined;
  /** The form of the client's condition, on routes that write by one. Default: `none`. */
  conditionForm?: ConditionForm;
}

/** Returns its argument from the constructor, so that a subclass adds private members to an existing object. */
class ReturnsArgument {
  constructor(object: object) {
    return object;
  }
}

/**
 * A request with notes. They are private members of it rather than entries of a WeakMap, since V8 keeps what those hold for a collection longer: with the HTTP request
 * among it, an eighth of what a small request costs.
 */
class NotedRequest extends ReturnsArgument {
  #notes: RequestNotes = {};

  static read(request: object): RequestNotes | undefined {
    return #notes in request ? request.#notes : undefined;
  }

  static write(request: object): RequestNotes {
    return NotedRequest.read(request) ?? new NotedRequest(request).#notes;
  }
}

/** The notes on a request, to be read; a copy of a request has none. */
export function notesOf(request: CrudRequest): RequestNotes | undefined {
  return NotedRequest.read(request);
}

/** The notes on a request, to be written. */
export function notesOn(request: CrudRequest): RequestNotes {
  return NotedRequest.write(request);
}
