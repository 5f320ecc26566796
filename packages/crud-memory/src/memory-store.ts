import type { Change, CrudRequest } from '@nestwright/crud';
import {
  type AggregatePlan,
  type AggregateRows,
  type Catalog,
  ListExport,
  makeReadOptions,
  planOne,
  planRead,
  type ReadPlan,
  type ReadUse,
  refuseLong,
  reportOutcome,
  type Rows as Answered,
  Store,
  type Stored,
  type StoreHooks,
  type Upsert,
  type Upserted,
  type Write,
  type WriteContext,
  type WriteHooks,
} from '@nestwright/crud/adapter';
import { aggregate } from './aggregates.js';
import type { MemoryDatabase, MemoryHooks, MemoryTransaction } from './memory-database.js';
import { findMatches, readRows } from './reads.js';
import type { MemoryTable, Rows } from './tables.js';
import { upsert } from './upsert.js';
import { tagOf, write } from './write.js';
import type { MemoryWrite, MemoryWriteContext } from './write-context.js';

/** Records of a part of an export. */
const PART = 500;

/** Executes plans on a database in memory, or in a transaction of it. */
export class MemoryStore extends Store {
  override readonly hooks: StoreHooks = {
    getManager: (transaction?: MemoryTransaction) => transaction ?? this.database,
    reportAfterCommit: (transaction: MemoryTransaction, hooks: WriteHooks, change: Change) =>
      transaction.note(hooks as MemoryHooks, change),
  };

  constructor(
    readonly database: MemoryDatabase,
    readonly table: MemoryTable,
    private readonly transaction?: MemoryTransaction,
  ) {
    super();
  }

  /** The rows that it reads. */
  get rows(): Rows {
    return this.transaction ?? this.database.current() ?? this.database;
  }

  override async read<T>(plan: ReadPlan, use: ReadUse): Promise<Answered<T>> {
    return Promise.resolve(readRows<T>(plan, this.rows, use));
  }

  override async count(plan: ReadPlan): Promise<number> {
    return Promise.resolve(findMatches(plan, this.rows).length);
  }

  override async readTagged<T>(
    plan: ReadPlan,
    { catalog, request }: Pick<WriteContext, 'catalog' | 'request'>,
    use: ReadUse,
  ): Promise<Answered<T>> {
    const [match, another] = findMatches(planOne(request, catalog, plan.withDeleted), this.rows);
    if (match && !another) reportOutcome(request, { row: tagOf(catalog, match.row) });

    return this.read(plan, use);
  }

  override async aggregate(plan: AggregatePlan, use: ReadUse & { readonly counts: boolean }): Promise<AggregateRows> {
    return Promise.resolve(aggregate(plan, this.rows, use));
  }

  override export(catalog: Catalog, request: CrudRequest): ListExport {
    return new ListExport(async ({ signal, take }) => {
      const plan = planRead(request, catalog, 'many', { take: request.parsed.limit ?? null, skip: null });
      // As they are now: later changes replace rows.
      const records = (await (await this.read<object>(plan, makeReadOptions(request))).records()) as object[];
      if (records.length > (request.options.query?.export?.maxRows ?? Infinity)) refuseLong(records.length, request);
      for (let at = 0; at === 0 || at < records.length; at += PART) {
        signal.throwIfAborted();
        await take({ records: () => records.slice(at, at + PART) });
      }
    });
  }

  override write(asked: Write): Promise<Stored> {
    return this.inTransaction((transaction) => write(asked as unknown as MemoryWrite, transaction));
  }

  override upsert(asked: Upsert): Promise<Upserted> {
    return this.inTransaction((transaction) => upsert(asked as unknown as Upsert<MemoryWriteContext>, transaction));
  }

  private inTransaction<R>(work: (transaction: MemoryTransaction) => Promise<R>): Promise<R> {
    return this.database.transaction(work, this.transaction ?? this.database.current());
  }
}
