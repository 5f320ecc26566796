/** Refuses a query string with more parameters than its parser has handed over: a condition may be among the lost. */
import { crudError } from '../errors/errors.js';
import type { HttpRequest } from './request-context.js';

/** Parsers that stop somewhere (Node's own, qs) stop after so many parameters and say nothing. */
const PARSED = 1000;

/** Compares what was sent with what was parsed. Costs nothing for query strings of a usual length: Express parses them anew whenever it is asked. */
export function refuseCutQuery(http: HttpRequest): void {
  const { url = '' } = http;
  if (url.length < PARSED) return;

  const sent = url
    .slice(url.indexOf('?') + 1)
    .split('&')
    .filter(Boolean).length;
  if (url.includes('?') && sent > PARSED && valuesIn(http.query) < sent) {
    throw crudError('CRUD_LIMIT_EXCEEDED', { message: `Invalid query. At most ${PARSED} parameters expected` });
  }
}

function valuesIn(query: unknown): number {
  if (typeof query !== 'object' || query === null) return 1;

  return Object.values(query).reduce((sum: number, value) => sum + valuesIn(value), 0);
}
