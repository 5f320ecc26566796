/** How many exports run in this process. */
import { crudError } from '../errors/errors.js';

/** Exports that may run at a time where the options do not say. */
export const DEFAULT_CONCURRENT = 2;

/** Seconds after which a refused client may try again. */
const RETRY_AFTER = 5;

let running = 0;

/**
 * Begins an export; whoever asked calls the function that comes back once, at its end.
 *
 * @throws HttpException 503 `CRUD_UNAVAILABLE` where as many run as may.
 */
export function beginExport(most = DEFAULT_CONCURRENT): () => void {
  if (running >= most) {
    throw crudError('CRUD_UNAVAILABLE', { message: 'Too many exports are running', retryAfter: RETRY_AFTER });
  }

  running += 1;
  let ended = false;

  return () => {
    if (!ended) running -= 1;
    ended = true;
  };
}
