import type { CrudRequest } from '@nestwright/crud';
import { type Catalog, planRead, type ReadPlan, refuseLong, withoutReturnedJoins } from '@nestwright/crud/adapter';
import { holdsAny, type ReadOptions, type RowsResult } from '../select/index.js';
import type { Connection, Database, Entity } from '../database/database.js';

export interface ExportedList {
  readonly request: CrudRequest;
  readonly catalog: Catalog;
  readonly database: Database;
  /** The whole list, or as much of it as the request asks for. */
  readonly plan: ReadPlan;
  readonly options: ReadOptions;
  readonly signal: AbortSignal;
  /** Maximum duration in milliseconds; Infinity: none. */
  readonly timeout: number;
  /** Passes records to the reader; returns their size in bytes. */
  take(rows: RowsResult<Entity>): Promise<number>;
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
export async function refuseLongList(list: ExportedList, target: Connection | Database): Promise<void> {
  if (await isTooLong(list, target)) refuseLong(Infinity, list.request);
}

/** Whether a list has more than `maxRows` records. */
export async function isTooLong(
  { request, plan, options }: ExportedList,
  target: Connection | Database,
): Promise<boolean> {
  const most = request.options.query?.export?.maxRows;
  if (most === undefined || (plan.limit ?? Infinity) <= most) return false;

  // Only whether more records follow matters, not which.
  return holdsAny({ ...withoutReturnedJoins(plan), sort: [], limit: 1, offset: most }, target, options);
}
