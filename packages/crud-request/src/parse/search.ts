import type { ConditionNode } from '../ast/nodes.js';
import { parseSearch } from '../ast/parse-search.js';
import { RequestQueryException } from '../errors.js';
import type { SCondition } from '../types/conditions.js';
import { locate, positionOfSyntaxError } from './json-position.js';
import { type ParseContext, refuseAt } from './parse-context.js';

/** Reads the parameter `s`. */
export function parseSearchText(text: string, context: ParseContext): { search: SCondition; condition: ConditionNode } {
  const path: (string | number)[] = [];
  try {
    const search = JSON.parse(text) as SCondition;
    const { limits, custom } = context;
    return { search, condition: parseSearch(search, { source: 'client', limits, customOperators: custom, path }) };
  } catch (error) {
    if (RequestQueryException.isRequestQueryException(error)) {
      refuseAt(context, locate(text, path), error.message, error.code, error.field);
    }
    refuseAt(context, positionOfSyntaxError(error), 'Invalid search param. JSON expected', 'CRUD_INVALID_SEARCH');
  }
}
