/** A request as the library made it in, the same as code of the application is given it out: with options of its own, and values that say what a client's texts say. */
import type { CrudRequest } from '../request/crud-request.js';
import { giveOwnOptions } from './changed-options.js';
import { typeValues } from './typed-values.js';

/**
 * Makes a request ready for code of the application. Adapters call it before they hand a request, or parts of it, to an override.
 *
 * @example
 * return service.getMany(handOver(request));
 */
export function handOver(request: CrudRequest): CrudRequest {
  typeValues(request);

  return giveOwnOptions(request);
}
