/** Page size, offset, and whether a list is enveloped. Nothing is refused: larger pages are capped. */
import type { ParsedRequestParams } from '@nestwright/crud-request';
import { QUERY } from '../definition/option-table.js';
import type { QueryOptions } from '../definition/query-options.js';

type Paging = Partial<Pick<ParsedRequestParams, 'limit' | 'offset' | 'page' | 'format'>>;

/**
 * Largest page size of a resource: `maxLimit`; else 1000, or the option's `limit` if that is larger; `Infinity` if
 * `maxLimit` is `false`.
 */
export function computeCeiling({ limit = 0, maxLimit }: QueryOptions): number {
  if (maxLimit === false) return Infinity;

  return maxLimit ?? Math.max(limit, QUERY.maxLimit.unset);
}

/**
 * Page size of a request: what it asks for, else the option's, else the ceiling; never above the ceiling. Null if there
 * is no bound at all. An export has the whole list, or as much as it asks for.
 */
export function computeTake(parsed: Paging, query: QueryOptions): number | null {
  if (isExport(parsed, query)) return parsed.limit ?? null;

  const size = Math.min(parsed.limit ?? query.limit ?? Infinity, computeCeiling(query));

  return Number.isFinite(size) ? size : null;
}

/** Records to skip: by `page` if a page size is in force, else by `offset`. Null if neither says anything. */
export function computeSkip({ page, offset }: Paging, take: number | null): number | null {
  // No database counts further, and a driver may print a larger number with an exponent.
  if (page && take) return Math.min((page - 1) * take, Number.MAX_SAFE_INTEGER);

  return offset || null;
}

/**
 * Whether a list is enveloped: always if the option says so, else if a page or offset is asked for and a page size is
 * in force.
 */
export function isEnveloped(parsed: Paging, query: QueryOptions, take: number | null): boolean {
  if (isExport(parsed, query)) return false;

  return query.alwaysPaginate === true || ((parsed.page !== undefined || parsed.offset !== undefined) && take !== null);
}

/** Whether a request asks for a whole list in another format than JSON. */
export function isExport({ format }: Paging, query: QueryOptions): boolean {
  return format !== undefined && query.export !== undefined;
}
