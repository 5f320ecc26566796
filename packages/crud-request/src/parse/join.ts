/**
 * Parses the text of one join.
 *
 * @grammar
 * join     = relation [ delim [ fields ] ] [ delim on ] ;
 * relation = name ;
 * on       = numbered { delimStr numbered } ;
 * numbered = "on[" digits "]=" condition ;         (* "\" and the first character of delimStr are escaped by "\" *)
 */
import type { QueryFilter } from '../types/conditions.js';
import type { QueryJoin } from '../types/query.js';
import { cut, escapeItem, splitList } from '../syntax/list.js';
import { parseCondition } from './condition.js';
import { parseName, parseNames } from './names.js';
import { type ParseContext, refuseText } from './parse-context.js';

const OPENING = /^on\[\d+\]=/;

export function parseJoin(text: string, context: ParseContext): QueryJoin {
  const { delim } = context.language;
  const [field, next] = cut(text, delim);
  parseName(field, 0, context);
  const join: QueryJoin = { field };
  let at = next;
  if (at && !OPENING.test(text.slice(at))) {
    const [names, behind] = cut(text, delim, at);
    if (names) {
      context.offset = at;
      parseNames(names, (join.select = []), context);
      context.offset = 0;
    }
    at = behind;
  }
  if (at) join.on = parseJoinConditions(text, at, context);

  return join;
}

/**
 * Conditions of a join. An item that does not begin a condition continues the one before: some clients do not escape
 * delimiters.
 */
function parseJoinConditions(text: string, start: number, context: ParseContext): QueryFilter[] {
  const { delimStr } = context.language;
  const conditions: string[] = [];
  for (const item of splitList(text.slice(start), delimStr, Infinity) as string[]) {
    if (OPENING.test(item)) conditions.push(item);
    else if (!conditions.length) refuseText(context, start, 'Invalid join condition. on[0]= expected');
    else conditions[conditions.length - 1] += delimStr + item;
  }
  context.offset = start;
  const on = conditions.map((condition) => {
    const [opening] = OPENING.exec(condition) as RegExpExecArray;
    context.offset += opening.length;
    const { filter } = parseCondition(condition.slice(opening.length), context);
    context.offset += escapeItem(condition, delimStr).length + delimStr.length - opening.length;

    return filter;
  });
  context.offset = 0;

  return on;
}
