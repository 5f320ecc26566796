/** The request that handlers, services and overrides work with: public and mutable, since an override may edit it before the service plans it. */
import type { ParsedRequestParams, SCondition } from '@nestwright/crud-request';
import type { CrudRequestOptions } from './definition/options.js';

/**
 * A parsed, permission-checked request.
 *
 * `parsed.search` is the one condition that the service executes; `parsed.filter` and `parsed.or` only inform. What an override puts into `search` is trusted.
 *
 * `AUTH` is what `@CrudAuth({ property })` picks, `EXTRA` what clients send in `extra.`.
 *
 * @example
 * getMany(@ParsedRequest() request: CrudRequest<User, { tenant?: string }>) {
 *   return this.service.listFor(request.auth, request.parsed.extra?.tenant);
 * }
 */
// What `@CrudAuth` picks and what clients send beside the query language is the application's own.
export interface CrudRequest<AUTH = any, EXTRA = any> {
  /** What the client asks and what the server adds; `parsed.search` is what is executed. */
  parsed: ParsedRequestParams<EXTRA>;
  /** The options of the resource; those of this request alone if an override is given them. */
  options: CrudRequestOptions;
  /** What `@CrudAuth({ property })` picked from the HTTP request. */
  auth?: AUTH;
  /** The conditions that stored records must still satisfy after a write: path parameters and `@CrudAuth.filter`. Default: the path's alone. */
  scope?: SCondition;
  /**
   * The condition that records of the resource's own entity satisfy if a body links or cascades to them and `parsed.authRelations` has no key for the relation: `@CrudAuth.filter`.
   * One on the primary key alone is ignored. Default: none.
   */
  linkScope?: SCondition;
  /**
   * Preconditions of the write from the client's headers (`If-Match`, `If-None-Match`); a service with its own writes
   * must check them. Default: none; always none without `query.etag`.
   */
  preconditions?: Preconditions;
}

/** Headers that make a write depend on what is stored, as they were sent. */
export interface Preconditions {
  /** Entity tags, one of which must match the stored record, or `*`: a record must exist. Default: none was sent. */
  readonly ifMatch?: string;
  /** `*`, on PUT: there must be no record yet. Default: none was sent. */
  readonly ifNoneMatch?: string;
}
