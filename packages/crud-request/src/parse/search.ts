/**
 * The text of `s` comes in, the search condition and its node go out; what is no JSON, no condition or too large is refused, with the offset of the place.
 * What the JSON may say stands with `parseSearch`.
 */
import type { ConditionNode } from '../ast/nodes.js';
import { parseSearch } from '../ast/parse-search.js';
import { RequestQueryException } from '../errors.js';
import type { SCondition } from '../types.js';
import { locate, positionOfSyntaxError } from './json-position.js';
import { type QueryReading, refuseAt } from './reading.js';

/** Reads the parameter `s`. */
export function parseSearchText(text: string, reading: QueryReading): { search: SCondition; condition: ConditionNode } {
  const path: (string | number)[] = [];
  try {
    const search = JSON.parse(text) as SCondition;
    const { limits, custom } = reading;
    return { search, condition: parseSearch(search, { source: 'client', limits, customOperators: custom, path }) };
  } catch (error) {
    if (RequestQueryException.isRequestQueryException(error)) {
      refuseAt(reading, locate(text, path), error.message, error.code, error.field);
    }
    refuseAt(reading, positionOfSyntaxError(error), 'Invalid search param. JSON expected', 'CRUD_INVALID_SEARCH');
  }
}
