import { HttpException } from '@nestjs/common';
import type { Change, CrudRequest } from '@nestwright/crud';
import {
  type AggregatePlan,
  type AggregateRows,
  type Catalog,
  getOrInsert,
  hasTag,
  type Key,
  type ListExport,
  planOne,
  type ReadPlan,
  type ReadUse,
  type Rows,
  Store,
  type Stored,
  type StoreHooks,
  type Upserted,
} from '@nestwright/crud/adapter';
import {
  type Connection,
  count,
  type Executor,
  exportList,
  getTable,
  holdsAny,
  isConnection,
  noteRequestedTag,
  read,
  readAggregates,
  readFault,
  readKey,
  readPage,
  readRows,
  upsert,
  type Upsert,
  withConnection,
  withoutTransaction,
  write,
  type Write,
  type WriteHooks,
} from '@nestwright/sql';
import type { EntityManager, ObjectLiteral, Repository } from 'typeorm';
import { withPlainRelations } from './typeorm/lazy-relations.js';
import { runRead } from './read-requests.js';
import { toExecutor } from './typeorm/database.js';
import { getRunner } from './typeorm/runner-connection.js';

type TagContext = Parameters<typeof noteRequestedTag>[0];

/** Executes plans on a repository's connection, or in the transaction that it is bound to. */
export class TypeOrmStore extends Store {
  override readonly hooks: StoreHooks = {
    getManager: (connection?: Connection) =>
      connection ? getRunner(connection).manager : this.manager.connection.manager,
    reportAfterCommit: (connection: Connection, hooks: WriteHooks, change: Change) =>
      connection.reportAfterCommit(hooks, change),
  };

  constructor(private readonly repo: Repository<ObjectLiteral>) {
    super();
  }

  get manager(): EntityManager {
    return this.repo.manager;
  }

  /** Asked each time, since a library for transactions may give a repository the manager of its caller. */
  get executor(): Executor {
    return toExecutor(this.repo.manager);
  }

  override read<T>(plan: ReadPlan, use: ReadUse): Promise<Rows<T>> {
    return this.run(use, (executor) => readRows<T & ObjectLiteral>(plan, executor, use, use.most));
  }

  override readTagged<T>(plan: ReadPlan, context: TagContext, use: ReadUse): Promise<Rows<T>> {
    // On one connection, since replicas may differ.
    return this.run(use, (executor) =>
      withConnection(
        executor,
        async (connection) => {
          await noteRequestedTag(context, connection, plan.withDeleted);

          return readRows<T & ObjectLiteral>(plan, connection, use);
        },
        use.client,
      ),
    );
  }

  override readPage<T>(plan: ReadPlan, use: ReadUse): Promise<{ readonly rows: Rows<T>; readonly total: number }> {
    return this.run(use, (executor) => readPage<T & ObjectLiteral>(plan, executor, use));
  }

  override async readKeys(plan: ReadPlan, use: ReadUse): Promise<Key[]> {
    const { executor } = this;
    const find = (connection: Connection) => read(plan, connection, use);
    // Read from the primary: a replica may lag behind.
    const found = await runRead(this.repo, () =>
      isConnection(executor) ? find(executor) : withoutTransaction(executor, find),
    );
    const table = getTable(plan.root.catalog);

    return found.map((record) => readKey(table, record)).filter((key) => key !== undefined);
  }

  override count(plan: ReadPlan, use: ReadUse): Promise<number> {
    return this.run(use, (executor) => count(plan, executor, use));
  }

  override holdsAny(plan: ReadPlan, use: ReadUse): Promise<boolean> {
    return this.run(use, (executor) => holdsAny(plan, executor, use));
  }

  override aggregate(plan: AggregatePlan, use: ReadUse & { readonly counts: boolean }): Promise<AggregateRows> {
    return this.run(use, (executor) => readAggregates(plan, executor, use, use));
  }

  override export(catalog: Catalog, request: CrudRequest): ListExport {
    return exportList(catalog, this.executor, request);
  }

  override write(asked: Write): Promise<Stored> {
    return write(asked);
  }

  override upsert(asked: Upsert): Promise<Upserted> {
    return upsert(asked);
  }

  override copyBody<B extends object>(body: B, catalog: Catalog): B {
    return withPlainRelations(body, catalog);
  }

  /**
   * Notes the tag of the record that the service's read hooks will show, if the resource has tags. With replicas nothing
   * is noted, since they may differ: then the tag covers the body only.
   */
  async noteTag(context: TagContext): Promise<void> {
    const { request, catalog } = context;
    const { executor } = this;
    if (!hasTag(request) || (!isConnection(executor) && executor.isReplicated)) return;

    const { withDeleted } = planOne(request, catalog, false);
    await this.run({}, () =>
      withConnection(executor, (connection) => noteRequestedTag(context, connection, withDeleted)),
    );
  }

  /** Runs a read. Values that only the database refuses are answered as the read says. */
  private run<R>({ refusedValue }: ReadUse, work: (executor: Executor) => Promise<R>): Promise<R> {
    return runRead(this.repo, async () => {
      try {
        return await work(this.executor);
      } catch (error) {
        const kind = error instanceof HttpException ? undefined : readFault(error)?.kind;

        throw refusedValue && (kind === 'outOfRange' || kind === 'invalidText') ? refusedValue(error) : error;
      }
    });
  }
}

const stores = new WeakMap<object, TypeOrmStore>();

/** The store of a repository. */
export function getStore<T extends ObjectLiteral>(repo: Repository<T>): TypeOrmStore {
  return getOrInsert(stores, repo, () => new TypeOrmStore(repo as unknown as Repository<ObjectLiteral>));
}
