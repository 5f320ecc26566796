import { HttpException } from '@nestjs/common';
import type { CrudRequest } from '@nestwright/crud';
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
import type { DataSource, EntityManager, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { getEntityMetadata } from './catalog/catalog.js';
import { readFault } from './errors/fault.js';
import { exportList } from './export/export-list.js';
import { withPlainRelations } from './persist/lazy-relations.js';
import { upsert } from './persist/upsert.js';
import { write } from './persist/write.js';
import { readTarget, runRead } from './read-requests.js';
import { noteRequestedTag } from './scope/row-tag.js';
import { count, holdsAny, read, readAggregates, readPage, readRows, withRunner } from './sql/index.js';
import { reportAfterCommit } from './statements/commits.js';
import { withoutTransaction } from './statements/transaction.js';
import { readKey } from './statements/values.js';
import type { Upsert, Write } from './statements/write-context.js';

type TagContext = Parameters<typeof noteRequestedTag>[0];

/** Executes plans on a repository's connection, or in the transaction that it is bound to. */
export class TypeOrmStore extends Store {
  override readonly hooks: StoreHooks = {
    getManager: (runner?: QueryRunner) => runner?.manager ?? this.manager.connection.manager,
    reportAfterCommit,
  };

  constructor(private readonly repo: Repository<ObjectLiteral>) {
    super();
  }

  get manager(): EntityManager {
    return this.repo.manager;
  }

  override read<T>(plan: ReadPlan, use: ReadUse): Promise<Rows<T>> {
    return this.run(use, (target) => readRows<T & ObjectLiteral>(plan, target, use, use.most));
  }

  override readTagged<T>(plan: ReadPlan, context: TagContext, use: ReadUse): Promise<Rows<T>> {
    // On one connection, since replicas may differ.
    return this.run(use, (target) =>
      withRunner(
        target,
        async (runner) => {
          await noteRequestedTag(context, runner, plan.withDeleted);

          return readRows<T & ObjectLiteral>(plan, runner, use);
        },
        use.client,
      ),
    );
  }

  override readPage<T>(plan: ReadPlan, use: ReadUse): Promise<{ readonly rows: Rows<T>; readonly total: number }> {
    return this.run(use, (target) => readPage<T & ObjectLiteral>(plan, target, use));
  }

  override async readKeys(plan: ReadPlan, use: ReadUse): Promise<Key[]> {
    const { manager } = this.repo;
    const find = (runner: QueryRunner) => read(plan, runner, use);
    // Read from the primary: a replica may lag behind.
    const found = await runRead(this.repo, () =>
      manager.queryRunner ? find(manager.queryRunner) : withoutTransaction(manager, find),
    );
    const metadata = getEntityMetadata(plan.root.catalog);

    return found.map((record) => readKey(metadata, record)).filter((key) => key !== undefined);
  }

  override count(plan: ReadPlan, use: ReadUse): Promise<number> {
    return this.run(use, (target) => count(plan, target, use));
  }

  override holdsAny(plan: ReadPlan, use: ReadUse): Promise<boolean> {
    return this.run(use, (target) => holdsAny(plan, target, use));
  }

  override aggregate(plan: AggregatePlan, use: ReadUse & { readonly counts: boolean }): Promise<AggregateRows> {
    return this.run(use, (target) => readAggregates(plan, target, use, use));
  }

  override export(catalog: Catalog, request: CrudRequest): ListExport {
    return exportList(catalog, this.repo, request);
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
    if (!hasTag(request) || (!this.manager.queryRunner && this.manager.connection.driver.isReplicated)) return;

    const { withDeleted } = planOne(request, catalog, false);
    await this.run({}, (target) => withRunner(target, (runner) => noteRequestedTag(context, runner, withDeleted)));
  }

  /** Runs a read. Values that only the database refuses are answered as the read says. */
  private run<R>({ refusedValue }: ReadUse, work: (target: QueryRunner | DataSource) => Promise<R>): Promise<R> {
    return runRead(this.repo, async () => {
      try {
        return await work(readTarget(this.repo));
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
