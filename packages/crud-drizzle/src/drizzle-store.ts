import type { Change } from '@nestwright/crud';
import type { StoreHooks } from '@nestwright/crud/adapter';
import { type Executor, SqlStore, type Table, type WriteHooks } from '@nestwright/sql';
import type { Table as DrizzleTable } from 'drizzle-orm';
import type { DrizzleConnection } from './drizzle/connection.js';
import { type DrizzleDatabase, executorOf, type Known, managerOf } from './drizzle/database.js';

/** Executes plans on Drizzle's database, or in a transaction of it. */
export class DrizzleStore extends SqlStore {
  override readonly hooks: StoreHooks = {
    getManager: (connection?: DrizzleConnection) =>
      connection ? managerOf(connection, this.manager, this.known.db) : this.manager,
    reportAfterCommit: (connection: DrizzleConnection, hooks: WriteHooks, change: Change) =>
      connection.reportAfterCommit(hooks, change),
  };

  constructor(
    readonly known: Known,
    readonly manager: DrizzleDatabase,
    private readonly drizzle: DrizzleTable,
  ) {
    super();
  }

  override get executor(): Executor {
    return executorOf(this.manager, this.known);
  }

  override get table(): Table {
    return this.known.tables.find(this.drizzle);
  }
}
