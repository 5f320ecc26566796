/** What the steps of one request share. */
import type { QueryFilter, RequestQueryParser, SCondition } from '@nestwright/crud-request';
import type { MergedCrudOptions } from '../definition/merge-options.js';
import type { ClassTransformOptions, ParsedQuery } from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../auth/evaluate.js';
import type { CrudRequest } from '../crud-request.js';
import type { AuthorizedQuery } from './authorize.js';
import type { RequestInput } from './request-route.js';

/** The merged options, possibly incomplete. */
export type Options = Partial<MergedCrudOptions>;

/** A value, or a promise of one. */
export type Awaitable<T> = T | Promise<T>;

/** A query whose names are permitted. */
export interface CheckedQuery {
  /** The query as it was sent. */
  readonly sent: ParsedQuery;
  readonly authorized: AuthorizedQuery;
  /** The client's condition of a write by condition. */
  readonly narrowing: SCondition | undefined;
  /** How class-transformer shapes the response. */
  readonly classTransformOptions: ClassTransformOptions | undefined;
}

/** A request, and what its scope is made of. */
export interface ScopedRequest {
  readonly request: CrudRequest;
  readonly auth: EvaluatedAuth | undefined;
  /** Conditions of the path that stored records must satisfy. */
  readonly stored: readonly SCondition[];
}

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
