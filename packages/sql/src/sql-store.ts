import { HttpException } from '@nestjs/common';
import type { CrudRequest } from '@nestwright/crud';
import {
  type AggregatePlan,
  type AggregateRows,
  type Catalog,
  hasTag,
  type Key,
  type ListExport,
  planOne,
  type ReadPlan,
  type ReadUse,
  type Rows,
  Store,
  type Stored,
  type Upserted,
} from '@nestwright/crud/adapter';
import { type Connection, type Entity, type Executor, isConnection, type Table } from './database/database.js';
import { getTable } from './database/links.js';
import { readFault } from './errors/fault.js';
import { exportList } from './export/export-list.js';
import { upsert } from './persist/upsert.js';
import { write } from './persist/write.js';
import { runRead } from './run-read.js';
import { noteRequestedTag } from './scope/row-tag.js';
import { count, holdsAny, read, readAggregates, readPage, readRows, withConnection } from './select/index.js';
import { withoutTransaction } from './statements/transaction.js';
import { readKey } from './statements/values.js';
import type { Upsert, Write } from './statements/write-context.js';

type TagContext = Parameters<typeof noteRequestedTag>[0];

/**
 * Executes plans on a database, or in the transaction of a connection. An adapter says which, and which table.
 *
 * @example
 * class NotesStore extends SqlStore {
 *   readonly table = notes;
 *   readonly executor = database;
 * }
 */
export abstract class SqlStore extends Store {
  /** What statements run on; asked each time. */
  abstract readonly executor: Executor;

  /** The table whose records are read and written. */
  abstract readonly table: Table;

  override read<T>(plan: ReadPlan, use: ReadUse): Promise<Rows<T>> {
    return this.run(use, (executor) => readRows<T & Entity>(plan, executor, use, use.most));
  }

  override readTagged<T>(plan: ReadPlan, context: TagContext, use: ReadUse): Promise<Rows<T>> {
    // On one connection, since replicas may differ.
    return this.run(use, (executor) =>
      withConnection(
        executor,
        async (connection) => {
          await noteRequestedTag(context, connection, plan.withDeleted);

          return readRows<T & Entity>(plan, connection, use);
        },
        use.client,
      ),
    );
  }

  override readPage<T>(plan: ReadPlan, use: ReadUse): Promise<{ readonly rows: Rows<T>; readonly total: number }> {
    return this.run(use, (executor) => readPage<T & Entity>(plan, executor, use));
  }

  override async readKeys(plan: ReadPlan, use: ReadUse): Promise<Key[]> {
    const find = (connection: Connection) => read(plan, connection, use);
    // Read from the primary: a replica may lag behind.
    const found = await this.run({}, (executor) =>
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

  /**
   * Notes the tag of the record that a request will be answered with by other means than {@link readTagged}, if the
   * resource has tags. With replicas nothing is noted, since they may differ: then the tag covers the body only.
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
    return runRead(this, async (executor) => {
      try {
        return await work(executor);
      } catch (error) {
        const kind = error instanceof HttpException ? undefined : readFault(error)?.kind;

        throw refusedValue && (kind === 'outOfRange' || kind === 'invalidText') ? refusedValue(error) : error;
      }
    });
  }
}
