/** Refuses a query string that its parser has truncated: a condition may be among the lost parameters. */
import { crudError } from '../errors/errors.js';
import type { HttpRequest } from './http.js';

/** Node's own parser and qs silently stop after this many parameters. */
const MAX_PARAMETERS = 1000;

/**
 * Compares what was sent with what was parsed. Only long query strings are compared, since Express parses the query on
 * each access.
 */
export function refuseTruncatedQuery(http: HttpRequest): void {
  const { url = '' } = http;
  if (url.length < MAX_PARAMETERS) return;

  const sent = url
    .slice(url.indexOf('?') + 1)
    .split('&')
    .filter(Boolean).length;
  if (url.includes('?') && sent > MAX_PARAMETERS && countValues(http.query) < sent)
    throw crudError('CRUD_LIMIT_EXCEEDED', { message: `Invalid query. At most ${MAX_PARAMETERS} parameters expected` });
}

function countValues(query: unknown): number {
  if (typeof query !== 'object' || query === null) return 1;

  return Object.values(query).reduce((sum: number, value) => sum + countValues(value), 0);
}
