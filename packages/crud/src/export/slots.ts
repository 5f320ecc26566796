/** How many exports run in this process. */
import { EXPORT } from '../definition/option-table.js';
import { crudError } from '../errors.js';

/** For adapters: exports that may run at a time if the options do not say. */
export const DEFAULT_CONCURRENT = EXPORT.concurrent.unset;

/** Seconds after which a refused client may try again. */
const RETRY_AFTER = 5;

let running = 0;

/**
 * Takes a slot for an export; call the returned function once, when the export ends.
 *
 * @throws HttpException 503 `CRUD_UNAVAILABLE` if all slots are taken.
 */
export function beginExport(most = DEFAULT_CONCURRENT): () => void {
  if (running >= most)
    throw crudError('CRUD_UNAVAILABLE', { message: 'Too many exports are running', retryAfter: RETRY_AFTER });

  running += 1;
  let ended = false;

  return () => {
    if (!ended) running -= 1;
    ended = true;
  };
}
