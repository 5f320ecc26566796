/** TypeORM's query runner as a connection. */
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Change } from '@nestwright/crud';
import { getOrInsert, isWatched } from '@nestwright/crud/adapter';
import {
  type CacheOptions,
  cancelRequest,
  type Connection,
  type Database,
  type Entity,
  type Isolation,
  publishedQuery,
  type Result,
  type Row,
  type RunRows,
  type Table,
  type TextQuery,
  type WriteHooks,
} from '@nestwright/sql';
import type { QueryRunner } from 'typeorm';
import { collectingReports, reportAfterCommit } from './commits.js';
import { cachedRows } from './result-cache.js';
import { bindTextQuery } from './text-rows.js';

const connections = new WeakMap<QueryRunner, RunnerConnection>();

/** The connection of a runner. */
export function toConnection(runner: QueryRunner, database: Database): RunnerConnection {
  return getOrInsert(connections, runner, () => new RunnerConnection(runner, database));
}

/** TypeORM's runner of a connection. */
export function getRunner(connection: Connection): QueryRunner {
  return (connection as RunnerConnection).runner;
}

/** Members of TypeORM's runners that their public interface does not have. */
interface NativeRunner {
  readonly databaseConnection?: { end?(): Promise<void>; destroy?(): void };
  releasePostgresConnection?(reason: unknown): Promise<void>;
}

/** How long the closing of a connection is waited for, in milliseconds. */
const MAX_CLOSING = 100;

class RunnerConnection implements Connection {
  /** How often the runner is in use: on a shared connection all have the same. */
  private uses = 0;
  private restore: (() => void) | undefined;

  constructor(
    readonly runner: QueryRunner,
    readonly database: Database,
  ) {}

  get isInTransaction(): boolean {
    return this.runner.isTransactionActive;
  }

  open(): Promise<unknown> {
    return this.runner.connect();
  }

  select(sql: string, parameters?: readonly unknown[]): Promise<Row[]> {
    return this.runner.query(sql, parameters as unknown[]);
  }

  selectCached(
    sql: string,
    parameters: readonly unknown[],
    cache: CacheOptions,
    run: RunRows,
  ): Promise<readonly Row[]> {
    return cachedRows(this.runner, sql, parameters, cache, run);
  }

  async run(sql: string, parameters?: readonly unknown[]): Promise<Result> {
    const { raw, records, affected } = await this.runner.query(sql, parameters as unknown[], true);
    const { insertId } = (raw ?? {}) as { readonly insertId?: number | string };

    return { rows: (records ?? []) as Row[], affected: affected ?? 0, insertId };
  }

  stream(sql: string, parameters: readonly unknown[]): Promise<Readable> {
    return this.runner.stream(sql, parameters as unknown[]) as Promise<Readable>;
  }

  async findTextQuery(): Promise<TextQuery | undefined> {
    return bindTextQuery(this.runner.connection, this.database, await this.runner.connect());
  }

  begin(isolation?: Isolation): Promise<void> {
    return this.runner.startTransaction(isolation);
  }

  commit(collect?: (report: () => Promise<void>) => void): Promise<void> {
    const commit = () => this.runner.commitTransaction();

    return collect ? collectingReports(this.runner, collect, commit) : commit();
  }

  rollback(): Promise<void> {
    return this.runner.rollbackTransaction();
  }

  reportAfterCommit(hooks: WriteHooks, change: Change): void {
    reportAfterCommit(this.runner, hooks, change);
  }

  async saveInTree(table: Table, entity: Entity): Promise<void> {
    await this.runner.manager.save(table.target, entity, { transaction: false });
  }

  intercept(through: Parameters<typeof interceptQueries>[1]): () => void {
    return interceptQueries(this.runner, through);
  }

  async canceller(): Promise<() => Promise<void>> {
    return CANCELLERS[this.database.dialect.name](await this.runner.connect(), this.runner);
  }

  async close(reason: unknown): Promise<void> {
    await CLOSERS[this.database.dialect.name](this.runner as NativeRunner, reason);
  }

  /** Notes a use of the runner, whose statements are published until the last one ends. */
  use(): this {
    this.uses += 1;
    if (isWatched('nestwright:query')) this.restore ??= interceptQueries(this.runner, publishedQuery);

    return this;
  }

  async release(): Promise<void> {
    this.uses -= 1;
    if (this.uses === 0) {
      this.restore?.();
      this.restore = undefined;
    }
    await this.runner.release();
  }
}

/** Passes each statement of a runner through a function, until what comes back is called. */
function interceptQueries(
  runner: QueryRunner,
  through: (sql: string, send: () => Promise<unknown>) => Promise<unknown>,
): () => void {
  const own = Object.getOwnPropertyDescriptor(runner, 'query');
  const query = runner.query as (this: QueryRunner, ...sent: unknown[]) => Promise<unknown>;
  const value = (...sent: unknown[]) => through(String(sent[0]), () => query.apply(runner, sent));

  Object.defineProperty(runner, 'query', { value, configurable: true, writable: true });

  return () => {
    if (own) Object.defineProperty(runner, 'query', own);
    else Reflect.deleteProperty(runner, 'query');
  };
}

const CLOSERS: Readonly<
  Record<Database['dialect']['name'], (runner: NativeRunner, reason: unknown) => Promise<unknown>>
> = {
  postgres: async (runner, reason) => {
    const { databaseConnection } = runner;
    // TypeORM's own `release()` does not pass the error to the pool.
    await runner.releasePostgresConnection?.(reason);
    // Statements under way are rejected first; a server that does not answer is not waited for.
    await Promise.race([databaseConnection?.end?.(), delay(MAX_CLOSING, undefined, { ref: false })]);
  },
  mysql: async ({ databaseConnection }) => databaseConnection?.destroy?.(),
  // All work shares it.
  sqlite: async () => undefined,
};

/** What cancels the statement that runs on a connection of the driver. */
const CANCELLERS: Readonly<
  Record<Database['dialect']['name'], (client: unknown, runner: QueryRunner) => () => Promise<void>>
> = {
  postgres: cancelRequest,
  mysql: (client, { connection }) => {
    const { threadId } = (client ?? {}) as { readonly threadId?: unknown };
    // The connection may go to another server, where the id may be in use, too.
    const isKnown = Number.isInteger(threadId) && !connection.driver.isReplicated;

    return async () => {
      if (isKnown) await connection.query(`KILL QUERY ${String(threadId)}`);
    };
  },
  // Statements run synchronously, so there is nothing to cancel.
  sqlite: () => () => Promise.resolve(),
};
