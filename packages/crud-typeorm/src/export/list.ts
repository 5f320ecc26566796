import type { CrudRequest } from '@nestwright/crud';
import { type Catalog, planRead, type ReadPlan, refuseLong, withoutReturnedJoins } from '@nestwright/crud/adapter';
import type { DataSource, ObjectLiteral, QueryRunner } from 'typeorm';
import { holdsAny, type ReadOptions, type RowsResult } from '../sql/index.js';

export interface ExportedList {
  readonly request: CrudRequest;
  readonly catalog: Catalog;
  readonly dataSource: DataSource;
  /** The whole list, or as much of it as the request asks for. */
  readonly plan: ReadPlan;
  readonly options: ReadOptions;
  readonly signal: AbortSignal;
  /** Maximum duration in milliseconds; Infinity: none. */
  readonly timeout: number;
  /** Passes records to the reader; returns their size in bytes. */
  take(rows: RowsResult<ObjectLiteral>): Promise<number>;
}

/** The plan of a list without a page. `query.cache` is ignored. */
export function planExport(request: CrudRequest, catalog: Catalog): ReadPlan {
  const { cache: _, ...plan } = planRead(request, catalog, 'many', {
    take: request.parsed.limit ?? null,
    skip: null,
  });

  return plan;
}

/** Refuses a list of more than `maxRows` records, before any is read. */
export async function refuseLongList(list: ExportedList, target: QueryRunner | DataSource): Promise<void> {
  if (await isTooLong(list, target)) refuseLong(Infinity, list.request);
}

/** Whether a list has more than `maxRows` records. */
export async function isTooLong(
  { request, plan, options }: ExportedList,
  target: QueryRunner | DataSource,
): Promise<boolean> {
  const most = request.options.query?.export?.maxRows;
  if (most === undefined || (plan.limit ?? Infinity) <= most) return false;

  // Only whether more records follow matters, not which.
  return holdsAny({ ...withoutReturnedJoins(plan), sort: [], limit: 1, offset: most }, target, options);
}
