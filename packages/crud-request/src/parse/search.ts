import type { ConditionNode } from '../ast/nodes.js';
import { parseSearch } from '../ast/parse-search.js';
import { RequestQueryException } from '../errors.js';
import type { SCondition } from '../types/conditions.js';
import { type ParseContext, refuseText } from './parse-context.js';

/** Reads the parameter `s`. */
export function parseSearchText(text: string, context: ParseContext): { search: SCondition; condition: ConditionNode } {
  const path: (string | number)[] = [];
  try {
    const search = JSON.parse(text) as SCondition;
    const { limits, custom } = context;
    return { search, condition: parseSearch(search, { source: 'client', limits, customOperators: custom, path }) };
  } catch (error) {
    if (RequestQueryException.isRequestQueryException(error))
      refuseText(context, locate(text, path), error.message, error.code, error.field);

    refuseText(context, positionOfSyntaxError(error), 'Invalid search param. JSON expected', 'CRUD_INVALID_SEARCH');
  }
}

/**
 * Offset of the key or item at a path, in JSON that is known to be valid.
 *
 * @example
 * locate('{"a":[1,{"b":2}]}', ['a', 1, 'b']); // 9
 */
function locate(json: string, path: readonly (string | number)[]): number {
  let depth = 0;
  let index = 0;
  let step = 0;
  let found = 0;
  // Strings, with the colon that makes them keys, and single characters.
  for (const { 0: token, 1: colon, index: at } of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[^"]/gy)) {
    const opens = token === '[' || token === '{';
    depth += opens ? 1 : token === ']' || token === '}' ? -1 : 0;
    // Only tokens directly inside the container at the path so far count.
    if (depth !== step + 1) continue;

    if (opens) index = 0;
    else if (token === ',') index += 1;

    if (
      colon
        ? JSON.parse(token.slice(0, -colon.length)) === path[step]
        : (opens || token === ',') && index === path[step]
    ) {
      found = colon ? at : at + 1;
      step += 1;
    }
  }

  return found;
}

/** Offset at which a text stops being JSON, if the engine's message names it; else 0. */
function positionOfSyntaxError(error: unknown): number {
  return Number(/position (\d+)/.exec(String(error))?.[1] ?? 0);
}
