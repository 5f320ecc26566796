/**
 * Parses the text of one sort.
 *
 * @grammar
 * sort  = field [ delimStr order ] ;               (* without an order: ASC *)
 * order = "ASC" | "DESC" ;                         (* in any case *)
 */
import { cut } from '../syntax/list.js';
import type { QuerySort } from '../types/query.js';
import { parseName } from './names.js';
import { type ParseContext, refuseText } from './parse-context.js';

export function parseSort(text: string, context: ParseContext): QuerySort {
  const [field, next] = cut(text, context.language.delimStr);
  parseName(field, 0, context);
  const order = next ? text.slice(next, next + 5).toUpperCase() : 'ASC';
  if (order !== 'ASC' && order !== 'DESC')
    refuseText(context, next, 'Invalid sort order. ASC,DESC expected', 'CRUD_INVALID_QUERY', field);

  return { field, order };
}
