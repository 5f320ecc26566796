/**
 * The request that handlers, services and overrides work with: public and mutable, since an override may edit it before
 * the service plans it.
 */
import type { ParsedRequestParams, SCondition } from '@nestwright/crud-request';
import type { CrudRequestOptions } from './definition/options.js';

/**
 * A parsed, permission-checked request.
 *
 * The service executes the condition `parsed.search` only; `parsed.filter` and `parsed.or` are for information.
 * Conditions that an override puts into `search` are trusted.
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
  /** The options of the resource. An override receives a copy for this request only. */
  options: CrudRequestOptions;
  /** What `@CrudAuth({ property })` picked from the HTTP request. */
  auth?: AUTH;
  /**
   * The conditions that stored records must still satisfy after a write: path parameters and `@CrudAuth.filter`.
   * Default: the path's alone.
   */
  scope?: SCondition;
  /**
   * `@CrudAuth.filter`, as a condition on other records of the resource's own entity. A body may link or cascade to
   * those that satisfy it. It applies to relations without a key in
   * `parsed.authRelations`, and is ignored if it uses the primary key only. Default: none.
   */
  linkScope?: SCondition;
  /**
   * Foreign keys of the resource's entity that responses hide. A body that contains the stored value of one is checked
   * like any other value, so that clients cannot guess it. Default: none.
   */
  hiddenKeys?: readonly string[];
  /**
   * Preconditions of the write from the client's headers (`If-Match`, `If-None-Match`); a service with its own writes
   * must check them. Default: none; always none without `query.etag`.
   */
  preconditions?: Preconditions;
}

/** The headers of a conditional write, as they were sent. */
export interface Preconditions {
  /** Entity tags, one of which must match the stored record; `*` matches any record. Default: none was sent. */
  readonly ifMatch?: string;
  /** `*` on a PUT: the record must not exist yet. Default: none was sent. */
  readonly ifNoneMatch?: string;
}
