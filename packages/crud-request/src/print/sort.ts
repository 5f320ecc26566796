/** A sort comes in, its text goes out; a name that holds a delimiter and an order that is none are refused. */
import { refuse } from '../errors.js';
import type { QueryLanguage } from '../syntax/language.js';
import type { QuerySort, QuerySortArr } from '../types.js';
import { printName } from './text.js';

/** Prints one sort. */
export function printSort(sort: QuerySort | QuerySortArr, { delimStr }: QueryLanguage): string {
  const [field, order] = Array.isArray(sort) ? sort : [sort?.field, sort?.order];
  const name = printName(field, 'Invalid sort field. String expected', delimStr);
  if (order !== 'ASC' && order !== 'DESC') {
    refuse('Invalid sort order. ASC,DESC expected');
  }

  return name + delimStr + order;
}
