import type { Change } from '@nestwright/crud';
import { type Catalog, getOrInsert, type StoreHooks } from '@nestwright/crud/adapter';
import { type Connection, type Executor, SqlStore, type Table, type WriteHooks } from '@nestwright/sql';
import type { EntityManager, ObjectLiteral, Repository } from 'typeorm';
import { toExecutor } from './typeorm/database.js';
import { toTable } from './typeorm/entity-tables.js';
import { withPlainRelations } from './typeorm/lazy-relations.js';
import { getRunner } from './typeorm/runner-connection.js';

/** Executes plans on a repository's connection, or in the transaction that it is bound to. */
export class TypeOrmStore extends SqlStore {
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
  override get executor(): Executor {
    return toExecutor(this.repo.manager);
  }

  override get table(): Table {
    return toTable(this.repo.metadata);
  }

  override copyBody<B extends object>(body: B, catalog: Catalog): B {
    return withPlainRelations(body, catalog);
  }
}

const stores = new WeakMap<object, TypeOrmStore>();

/** The store of a repository. */
export function getStore<T extends ObjectLiteral>(repo: Repository<T>): TypeOrmStore {
  return getOrInsert(stores, repo, () => new TypeOrmStore(repo as unknown as Repository<ObjectLiteral>));
}
