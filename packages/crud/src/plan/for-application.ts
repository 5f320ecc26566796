import type { CrudRequest } from '../crud-request.js';
import { giveOwnOptions } from './changed-options.js';
import { typeValues } from './typed-values.js';

/**
 * Prepares a request for application code: own options, typed values. Adapters call it before they hand a request, or
 * parts of it, to an override.
 *
 * @example
 * return service.getMany(forApplication(request));
 */
export function forApplication(request: CrudRequest): CrudRequest {
  typeValues(request);

  return giveOwnOptions(request);
}
