/** A request and what a service says of paging in, the plan, the place and the options of its read out; reads are guarded here: repeated where that helps, their errors told as faults. */
import {
  CATALOG,
  type Catalog,
  clientOf,
  type CrudRequest,
  CrudService,
  handOver,
  type PlannedSource,
  planRead,
  type ReadPlan,
} from '@nestwright/crud';
import type { DataSource, FindManyOptions, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { toCrudError } from './errors/to-crud-error.js';
import { repeat } from './repeat.js';
import type { ReadOptions } from './sql/index.js';
import { inTurnOn } from './turn.js';

/** What decides on the page of a list. */
type Paging = Pick<CrudService<ObjectLiteral>, (typeof PAGING_HOOKS)[number]> & {
  readonly [CATALOG]: Catalog;
};

/** What `count` takes: a request, or TypeORM's options. */
export interface Count<T extends ObjectLiteral> {
  (request: CrudRequest): Promise<number>;
  (options?: FindManyOptions<T>): Promise<number>;
}

/** Whether what is counted is a request; TypeORM's options have no such property. */
export function isRequest(asked: unknown): asked is CrudRequest {
  return typeof asked === 'object' && asked !== null && 'parsed' in asked;
}

const PAGING_HOOKS = ['decidePagination', 'getTake', 'getSkip'] as const;

/** The plan of a list: whether it is a page with a total, and the most records where one more than those is read, since nobody asked for that page size. */
export function planMany(service: Paging, request: CrudRequest): { plan: ReadPlan; most?: number; isPage: boolean } {
  const plan = planPage(service, request, 'many');
  const { parsed, options } = request;
  if (service.decidePagination(parsed, options)) return { plan, isPage: true };

  const asked = parsed.limit ?? options?.query?.limit;
  const isCeiling = plan.limit !== undefined && (asked === undefined || asked > plan.limit);

  return isCeiling
    ? { plan: { ...plan, limit: plan.limit! + 1 }, most: plan.limit!, isPage: false }
    : { plan, isPage: false };
}

/** The plan of a page, of the size and the offset that the service decides on; of one record without them. */
export function planPage(service: Paging, request: CrudRequest, mode: 'one' | 'many'): ReadPlan {
  if (PAGING_HOOKS.some((hook) => service[hook] !== CrudService.prototype[hook])) handOver(request);

  const take = service.getTake(request.parsed, request.options?.query ?? {});
  const skip = service.getSkip(request.parsed, take);

  return planRead(request, service[CATALOG], mode, { take, skip });
}

/** The plan of one record; two are read where there are several, so that they are noticed. */
export function planOne(request: CrudRequest, catalog: Catalog, withDeleted: boolean): ReadPlan {
  const plan = planRead(request, catalog, 'one');

  return { ...plan, limit: 2, withDeleted: withDeleted || plan.withDeleted };
}

/** The plan of all records that a request would list, whatever page it asks for. */
export function planAll(request: CrudRequest, catalog: Catalog): ReadPlan {
  return planRead(request, catalog, 'many', { take: null, skip: null });
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

/** What reading a request needs beside its plan. */
export function readOptionsOf(request: CrudRequest): ReadOptions {
  return { operators: request.options?.operators?.custom, client: clientOf(request) };
}

/** Where reads run: in the manager's transaction if it is in one. */
export function readTarget<T extends ObjectLiteral>({ manager }: Repository<T>): QueryRunner | DataSource {
  return manager.queryRunner ?? manager.connection;
}

/** Does a read, again where the database has ended it for another's sake, unless it is part of a transaction, which is lost then. */
export async function guarded<T extends ObjectLiteral, R>(
  { manager, metadata }: Repository<T>,
  work: () => Promise<R>,
): Promise<R> {
  const { queryRunner } = manager;

  try {
    return await (queryRunner?.isTransactionActive ? inTurnOn(queryRunner, work) : repeat(work));
  } catch (error) {
    throw toCrudError(error, metadata, 'read');
  }
}
