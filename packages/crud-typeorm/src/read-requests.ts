import { type CrudRequest, CrudService } from '@nestwright/crud';
import type { CATALOG } from '@nestwright/crud/adapter';
import {
  catalogFor,
  type Catalog,
  clientOf,
  type CursorPlan,
  forApplication,
  planCursor,
  type PlannedSource,
  planRead,
  type ReadPlan,
} from '@nestwright/crud/adapter';
import type { DataSource, FindManyOptions, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { HttpException } from '@nestjs/common';
import { readFault } from './errors/fault.js';
import type { FaultKind } from './errors/fault-types.js';
import { isRetryable, isServerAway } from './errors/operational.js';
import { toCrudError } from './errors/to-crud-error.js';
import { withRetries } from './retry.js';
import type { ReadOptions } from './sql/index.js';
import { queueWork } from './shared-connection.js';

/** The service's methods that decide the page of a list. */
export type Paging = Pick<CrudService<ObjectLiteral>, (typeof PAGING_HOOKS)[number]> & {
  readonly [CATALOG]: Catalog;
};

/** What `count` takes: a request, or TypeORM's options. */
export interface Count<T extends ObjectLiteral> {
  (request: CrudRequest): Promise<number>;
  (options?: FindManyOptions<T>): Promise<number>;
}

/** Whether the argument is a request; TypeORM's options have no such property. */
export function isRequest(asked: unknown): asked is CrudRequest {
  return typeof asked === 'object' && asked !== null && 'parsed' in asked;
}

const PAGING_HOOKS = ['decidePagination', 'getTake', 'getSkip'] as const;

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
  if (service.decidePagination(parsed, options)) return { take, skip, isPage: true };

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

export function makeReadOptions(request: CrudRequest): ReadOptions {
  return { operators: request.options?.operators?.custom, client: clientOf(request) };
}

/** The target of reads: the manager's transaction if it is in one. */
export function readTarget<T extends ObjectLiteral>({ manager }: Repository<T>): QueryRunner | DataSource {
  return manager.queryRunner ?? manager.connection;
}

/** Runs a read; faults of the given kinds are answered by another error. */
export async function refusingFaults<R>(
  kinds: readonly FaultKind[],
  makeError: (fault: unknown) => Error,
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await work();
  } catch (error) {
    const kind = error instanceof HttpException ? undefined : readFault(error)?.kind;

    throw kind !== undefined && kinds.includes(kind) ? makeError(error) : error;
  }
}

/** TypeORM picks a replica at random: of two, the one that is down is picked each time for one read in two thousand. */
const REPLICA_RETRIES = 10;

/**
 * Runs a read, and retries it after a deadlock or conflict, unless it is part of a transaction, which is aborted then.
 */
export function runRead<T extends ObjectLiteral, R>(
  { manager, metadata }: Repository<T>,
  work: () => Promise<R>,
): Promise<R> {
  const { queryRunner, connection } = manager;
  const done = queryRunner?.isTransactionActive
    ? queueWork(queryRunner, work)
    : connection.driver.isReplicated && !queryRunner
      ? withRetries(work, REPLICA_RETRIES, (error) => isRetryable(error) || isServerAway(error))
      : withRetries(work);

  return done.catch((error: unknown) => {
    throw toCrudError(error, metadata, 'read');
  });
}
