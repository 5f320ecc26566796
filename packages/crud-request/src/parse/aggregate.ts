/**
 * Parses what is computed of each group.
 *
 * @grammar
 * aggregate = function delim ( "*" | name ) [ delim alias ] ;  (* "*": count alone *)
 * function  = "count" | "countDistinct" | "sum" | "avg" | "min" | "max" ;
 */
import { aggregateName, isAggregateFunction } from '../syntax/aggregates.js';
import { cut } from '../syntax/list.js';
import type { QueryAggregate } from '../types/query.js';
import { parseAlias } from './group-by.js';
import { parseName } from './names.js';
import { type ParseContext, refuseText } from './parse-context.js';

export function parseAggregate(text: string, context: ParseContext): QueryAggregate {
  const { delim } = context.language;
  const [name, start] = cut(text, delim);
  if (!isAggregateFunction(name))
    refuseText(context, 0, 'Invalid aggregate. One of count, countDistinct, sum, avg, min, max expected');

  const [field, next] = start ? cut(text, delim, start) : ['', 0];
  parseName(name !== 'count' && field === '*' ? '' : field, start || text.length, context);

  return { function: name, field, name: next ? parseAlias(text, next, context) : aggregateName(name, field) };
}
