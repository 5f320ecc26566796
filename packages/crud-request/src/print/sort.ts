import { refuse } from '../errors.js';
import type { Spelling } from '../syntax/usual.js';
import type { QuerySort, QuerySortArr } from '../types/query.js';
import { printName } from './text.js';

export function printSort(sort: QuerySort | QuerySortArr, language: Spelling): string {
  const [field, order] = Array.isArray(sort) ? sort : [sort?.field, sort?.order];
  if (order !== 'ASC' && order !== 'DESC') refuse('Invalid sort order. ASC,DESC expected');

  return printName(field, 'sort', language.delimStr) + language.delimStr + order;
}
