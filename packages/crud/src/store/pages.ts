/** Plans of reads: the page that a request asks for, as the service decides it, or the place that a cursor names. */
import type { CATALOG } from '../constants.js';
import type { CrudRequest } from '../crud-request.js';
import type { Catalog } from '../plan/catalog.js';
import { catalogFor, forApplication } from '../plan/changed-options.js';
import { type CursorPlan, planCursor } from '../plan/cursor.js';
import { planRead } from '../plan/read.js';
import type { PlannedSource, ReadPlan } from '../plan/read-plan.js';
import { clientOf } from '../response/request-state.js';
import { CrudService } from '../service/crud.service.js';
import type { ReadOptions } from './store.js';

const PAGING_HOOKS = ['decidePagination', 'getTake', 'getSkip'] as const;

/** The service's methods that decide the page of a list. */
export type Paging = Pick<CrudService<object>, (typeof PAGING_HOOKS)[number]> & { readonly [CATALOG]: Catalog };

/**
 * The plan of a list, and whether it is a page with a total. `most`: the page size if the client did not ask for it;
 * one more record is read to notice that the list is cut.
 */
export function planMany(service: Paging, request: CrudRequest): { plan: ReadPlan; most?: number; isPage: boolean } {
  const { take, skip, ...page } = decidePage(service, request);

  return {
    plan: planRead(request, catalogFor(service, request), 'many', {
      take: page.most === undefined ? take : take! + 1,
      skip,
    }),
    ...page,
  };
}

/**
 * The page that a request asks for, as the service decides, and whether it has a total. `most`: the page size if the
 * client did not ask for it.
 */
export function decidePage(
  service: Paging,
  request: CrudRequest,
): { readonly take: number | null; readonly skip: number | null; readonly most?: number; readonly isPage: boolean } {
  const { parsed, options } = request;
  const take = decideTake(service, request);
  const skip = service.getSkip(parsed, take);
  if (service.decidePagination(parsed, options ?? {})) return { take, skip, isPage: true };

  const asked = parsed.limit ?? options?.query?.limit;
  const isCeiling = take !== null && (asked === undefined || asked > take);

  return isCeiling ? { take, skip, most: take, isPage: false } : { take, skip, isPage: false };
}

/** The plan of a page, of the size and the offset that the service decides on; of one record without them. */
export function planPage(service: Paging, request: CrudRequest, mode: 'one' | 'many'): ReadPlan {
  const take = decideTake(service, request);
  const skip = service.getSkip(request.parsed, take);

  return planRead(request, catalogFor(service, request), mode, { take, skip });
}

/**
 * The plan of a page that is read by a cursor, of the size that the service decides on: one more record is read than
 * the page has.
 */
export function planByCursor(
  service: Paging,
  request: CrudRequest,
): CursorPlan & { readonly most: number | undefined } {
  const most = decideTake(service, request) ?? undefined;

  return { ...planCursor(request, catalogFor(service, request), { take: most === undefined ? null : most + 1 }), most };
}

/** The size of a page, as the service decides. */
function decideTake(service: Paging, request: CrudRequest): number | null {
  if (PAGING_HOOKS.some((hook) => service[hook] !== CrudService.prototype[hook])) forApplication(request);

  return service.getTake(request.parsed, request.options?.query ?? {});
}

export function hasCursor({ parsed, options }: CrudRequest): boolean {
  return parsed.cursor !== undefined && options?.query?.cursor === true;
}

/** The plan of one record; two are read if there are several, so that they are noticed. */
export function planOne(request: CrudRequest, catalog: Catalog, withDeleted: boolean): ReadPlan {
  const plan = planRead(request, catalog, 'one');

  return { ...plan, limit: 2, withDeleted: withDeleted || plan.withDeleted };
}

/** The same plan, of the root's own columns. */
export function withoutReturnedJoins(plan: ReadPlan): ReadPlan {
  const unreturned = (source: PlannedSource): PlannedSource => ({
    ...source,
    returned: false,
    joins: source.joins.map(unreturned),
  });

  return { ...plan, root: { ...plan.root, joins: plan.root.joins.map(unreturned) } };
}

/** What every read of a request is given. */
export function makeReadOptions(request: CrudRequest): ReadOptions {
  return { operators: request.options?.operators?.custom, client: clientOf(request) };
}
