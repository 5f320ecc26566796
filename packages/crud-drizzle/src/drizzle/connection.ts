/** A connection of Drizzle's driver, or that of a transaction which Drizzle has begun. */
import type { Readable } from 'node:stream';
import type { Change } from '@nestwright/crud';
import { getOrInsert } from '@nestwright/crud/adapter';
import {
  type Connection,
  type Database,
  type Isolation,
  type PgClient,
  publishedQuery,
  queryForTextsOn,
  type Result,
  type Row,
  type TextQuery,
  type WriteHooks,
} from '@nestwright/sql';
import type { Client } from './drivers.js';

/** A change that is stored, but not committed; the depth of its transaction. */
interface Pending {
  readonly hooks: WriteHooks;
  readonly change: Change;
  level: number;
}

export class DrizzleConnection implements Connection {
  /** The driver's connection, once it is open. */
  current: Client | undefined;
  private client: Promise<Client> | undefined;
  private depth: number;
  private pending: Pending[] = [];
  private through: ((sql: string, send: () => Promise<unknown>) => Promise<unknown>) | undefined;

  /** @param outer How many transactions the application has begun on it. */
  constructor(
    readonly database: Database,
    private readonly connect: () => Promise<Client>,
    readonly outer: number,
  ) {
    this.depth = outer;
  }

  get isInTransaction(): boolean {
    return this.depth > 0;
  }

  /** The driver's connection. */
  opened(): Promise<Client> {
    return (this.client ??= this.connect().then((client) => (this.current = client)));
  }

  async open(): Promise<unknown> {
    return (await this.opened()).native;
  }

  async select(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return [...(await this.run(sql, parameters)).rows];
  }

  selectCached(
    _sql: string,
    _parameters: readonly unknown[],
    _cache: unknown,
    run: () => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    return run();
  }

  async run(sql: string, parameters: readonly unknown[] = []): Promise<Result> {
    const client = await this.opened();
    const send = () => publishedQuery(sql, () => client.send(sql, parameters));

    return (this.through ? await this.through(sql, send) : await send()) as Result;
  }

  async stream(sql: string, parameters: readonly unknown[]): Promise<Readable> {
    const client = await this.opened();
    if (!client.stream) throw new Error('The driver has no streams');

    return client.stream(sql, parameters);
  }

  async findTextQuery(): Promise<TextQuery | undefined> {
    const { texts, native } = await this.opened();
    const isSeen = this.through !== undefined;

    return texts && !isSeen ? queryForTextsOn(native as PgClient, { ...texts, database: this.database }) : undefined;
  }

  async begin(isolation?: Isolation): Promise<void> {
    if (this.depth > 0) await this.run(`SAVEPOINT nestwright_${this.depth}`);
    else await this.beginOutermost(isolation);
    this.depth += 1;
  }

  private async beginOutermost(isolation: Isolation | undefined): Promise<void> {
    const level = isolation && ` ISOLATION LEVEL ${isolation}`;
    const { name } = this.database.dialect;
    if (level && name === 'mysql') await this.run(`SET TRANSACTION${level}`);
    await this.run(`BEGIN${level && name === 'postgres' ? level : ''}`);
  }

  async commit(collect?: (report: () => Promise<void>) => void): Promise<void> {
    const level = this.depth - 1;
    await this.run(level === 0 ? 'COMMIT' : `RELEASE SAVEPOINT nestwright_${level}`);
    this.depth = level;
    for (const entry of this.pending) entry.level = Math.min(entry.level, level);
    if (level === 0) await this.report(collect);
  }

  async rollback(): Promise<void> {
    const level = this.depth - 1;
    this.pending = this.pending.filter((entry) => entry.level <= level);
    await this.run(level === 0 ? 'ROLLBACK' : `ROLLBACK TO SAVEPOINT nestwright_${level}`);
    // Only now: a connection whose rollback has failed is still in the transaction.
    this.depth = level;
  }

  /** The commit of a transaction that the application has begun cannot be observed. */
  reportAfterCommit(hooks: WriteHooks, change: Change): void {
    if (this.outer === 0) this.pending.push({ hooks, change, level: this.depth });
  }

  /** Calls what waits for the commit. */
  async report(collect?: (report: () => Promise<void>) => void): Promise<void> {
    const byWrite = new Map<WriteHooks, Change[]>();
    for (const { hooks, change } of this.pending) getOrInsert(byWrite, hooks, () => []).push(change);
    this.pending = [];

    for (const [hooks, changes] of byWrite) {
      const work = () => hooks.committed(changes);
      if (collect) collect(work);
      else await work();
    }
  }

  saveInTree(): Promise<void> {
    return Promise.reject(new Error('Drizzle has no trees'));
  }

  intercept(through: (sql: string, send: () => Promise<unknown>) => Promise<unknown>): () => void {
    const { through: before } = this;
    this.through = through;

    return () => void (this.through = before);
  }

  async canceller(): Promise<() => Promise<void>> {
    return (await this.opened()).canceller();
  }

  async close(reason: unknown): Promise<void> {
    if (this.outer > 0 || this.database.dialect.sharedConnection) return;
    const { client } = this;
    this.client = undefined;
    this.depth = 0;
    await (await client)?.release(reason instanceof Error ? reason : new Error(String(reason)));
  }

  async release(): Promise<void> {
    if (this.outer > 0) return;
    const { client } = this;
    this.client = undefined;
    await (await client)?.release();
  }
}
