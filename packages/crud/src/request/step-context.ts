/** What the steps of one request share. */
import type { QueryFilter, RequestQueryParser, SCondition } from '@nestwright/crud-request';
import type { MergedCrudOptions } from '../definition/merge-options.js';
import type { RequestInput } from './request-input.js';

/** The merged options, possibly incomplete. */
export type Options = Partial<MergedCrudOptions>;

/** A value, or a promise of one. */
export type Awaitable<T> = T | Promise<T>;

/** Whether a path condition is on the key or on other parameters. */
export type PathPart = 'key' | 'other';

/** What is known of a request while it goes through the steps. */
export interface StepContext {
  readonly input: RequestInput;
  /** The options that the steps were called with; a step refuses to run with others. */
  readonly options: Options;
  /** The client's conditions, by its filters. */
  readonly clients: ReadonlyMap<QueryFilter, ClientCondition>;
  /** Conditions of the path; undefined for those of an override. */
  readonly path: Map<SCondition, PathPart | undefined>;
  /** Asynchronous conditions, awaited before the request is built. */
  readonly pending: Promise<unknown>[];
}

/** A condition of the client's, with the filter that it was made from. */
export interface ClientCondition {
  readonly condition: SCondition;
  readonly filter: QueryFilter;
}

// By parser, which is passed from step to step; the interceptor itself is shared by all requests.
export const contexts = new WeakMap<RequestQueryParser, StepContext>();
