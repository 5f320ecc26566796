/** What the steps of one request share. */
import type { QueryFilter, RequestQueryParser, SCondition } from '@nestwright/crud-request';
import type { MergedCrudOptions } from '../definition/merge-options.js';
import type { RequestInput } from './build-request.js';

/** The merged options, as far as a step is given them. */
export type Options = Partial<MergedCrudOptions>;

/** A value, or a promise of one. */
export type Awaitable<T> = T | Promise<T>;

/** Of which parameters a condition of the path is. */
export type PathPart = 'key' | 'other';

/** What is known of a request while it goes through the steps. */
export interface StepContext {
  readonly input: RequestInput;
  /** The options that the steps are given; with others, a step cannot tell what they mean. */
  readonly options: Options;
  /** Conditions of the client by its filters, with what these said. */
  readonly clients: ReadonlyMap<QueryFilter, ClientCondition>;
  /** Conditions of the path; undefined for those of an override. */
  readonly path: Map<SCondition, PathPart | undefined>;
  /** Conditions that are waited for. */
  readonly pending: Promise<unknown>[];
}

/** A condition of the client's, with the filter that it was made from. */
export interface ClientCondition {
  readonly condition: SCondition;
  readonly filter: QueryFilter;
}

// By parser, which goes from step to step, while subclasses are shared by all requests.
export const contexts = new WeakMap<RequestQueryParser, StepContext>();
