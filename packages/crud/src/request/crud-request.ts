/** The request that handlers, services and overrides work with: public and mutable, since an override may edit it before the service plans it. */
import type { ParsedRequestParams, SCondition } from '@nestwright/crud-request';
import type { CrudRequestOptions } from '../definition/options.js';

/**
 * A parsed, permission-checked request.
 *
 * `parsed.search` is the one condition that the service executes; `parsed.filter` and `parsed.or` only inform. What an override puts into `search` is trusted.
 */
export interface CrudRequest {
  parsed: ParsedRequestParams;
  options: CrudRequestOptions;
  /** What `@CrudAuth({ property })` picked from the HTTP request. */
  // The application's own user type.
  auth?: any;
  /** The conditions that stored records must still satisfy after a write: path parameters and `@CrudAuth.filter`. Default: the path's alone. */
  scope?: SCondition;
}
