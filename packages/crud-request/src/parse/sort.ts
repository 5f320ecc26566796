/**
 * The text of one sort comes in, field and order go out; an empty name and an order that is none are refused.
 *
 * @grammar
 * sort  = field [ delimStr order ] ;               (* without an order: ASC *)
 * order = "ASC" | "DESC" ;                         (* in any case *)
 */
import type { QuerySort } from '../types.js';
import { cut } from '../syntax/cut.js';
import { parseName } from './names.js';
import { type QueryReading, refuseAt } from './reading.js';

/** Reads one sort. */
export function parseSort(text: string, reading: QueryReading): QuerySort {
  const [field, next] = cut(text, reading.language.delimStr);
  parseName(field, 0, reading);
  const order = next ? text.slice(next, next + 5).toUpperCase() : 'ASC';
  if (order !== 'ASC' && order !== 'DESC') {
    refuseAt(reading, next, 'Invalid sort order. ASC,DESC expected', 'CRUD_INVALID_QUERY', field);
  }

  return { field, order };
}
