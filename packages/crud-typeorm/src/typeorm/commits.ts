/**
 * Calls hooks once the outermost transaction has committed. Changes that are rolled back, also to a savepoint, are not
 * reported.
 */
import { Logger } from '@nestjs/common';
import type { Change } from '@nestwright/crud';
import { getOrInsert } from '@nestwright/crud/adapter';
import type { WriteHooks } from '@nestwright/sql';
import type { DataSource, QueryRunner } from 'typeorm';
import { getDialect } from './dialect-of.js';

/** A change that is stored but not committed. */
interface Entry {
  readonly hooks: WriteHooks;
  readonly change: Change;
  /** The depth of its savepoint, counted from where the transaction was first observed. */
  level: number;
}

/** The changes of a runner's open transaction. */
interface Pending {
  level: number;
  entries: Entry[];
  /**
   * Collects what reports the changes at the commit: the library's own transaction calls it once the connection is
   * free.
   */
  collect: ((report: () => Promise<void>) => void) | undefined;
}

const pending = new WeakMap<QueryRunner, Pending>();

/** Notes a change, for its hooks to be called after the commit. */
export function reportAfterCommit(runner: QueryRunner, hooks: WriteHooks, change: Change): void {
  const transaction = pending.get(runner) ?? observe(runner);
  if (!transaction) return warnUnobserved(runner);

  transaction.entries.push({ hooks, change, level: transaction.level });
}

/** Runs work that ends a transaction of the library; what reports its changes is collected, not called. */
export async function collectingReports<T>(
  runner: QueryRunner,
  collect: (report: () => Promise<void>) => void,
  work: () => Promise<T>,
): Promise<T> {
  const transaction = pending.get(runner);
  if (!transaction) return work();

  transaction.collect = collect;
  try {
    return await work();
  } finally {
    transaction.collect = undefined;
  }
}

/** Observes from now on how a runner's transactions end; undefined if that is not possible. */
function observe(runner: QueryRunner): Pending | undefined {
  const transaction: Pending = { level: 0, entries: [], collect: undefined };
  const { startTransaction, commitTransaction, rollbackTransaction, release } = runner;
  const own: Partial<QueryRunner> = {
    async startTransaction(...parameters) {
      const isNested = runner.isTransactionActive;
      await startTransaction.apply(runner, parameters);
      if (isNested) transaction.level += 1;
      else restart(transaction);
    },
    async commitTransaction() {
      await commitTransaction.apply(runner);
      await (runner.isTransactionActive ? moveToEnclosing(transaction) : report(transaction));
    },
    async rollbackTransaction() {
      try {
        await rollbackTransaction.apply(runner);
      } finally {
        if (runner.isTransactionActive) undo(transaction);
        else restart(transaction);
      }
    },
    async release() {
      // A released runner's transaction was ended by the application's SQL, if at all; a shared runner is released
      // during a transaction.
      if (transaction.entries.length > 0 && !getDialect(runner.connection).sharedConnection) {
        restart(transaction);
        warnUnobserved(runner);
      }
      await release.apply(runner);
    },
  };

  try {
    Object.assign(runner, own);
  } catch {
    return undefined;
  }
  pending.set(runner, transaction);

  return transaction;
}

function restart(transaction: Pending): void {
  transaction.level = 0;
  transaction.entries = [];
}

/** Moves the changes of a released savepoint to the enclosing one. */
function moveToEnclosing(transaction: Pending): void {
  transaction.level -= 1;
  for (const entry of transaction.entries) entry.level = Math.min(entry.level, transaction.level);
}

function undo(transaction: Pending): void {
  transaction.level -= 1;
  transaction.entries = transaction.entries.filter(({ level }) => level <= transaction.level);
}

async function report(transaction: Pending): Promise<void> {
  const byWrite = new Map<WriteHooks, Change[]>();
  for (const { hooks, change } of transaction.entries) getOrInsert(byWrite, hooks, () => []).push(change);
  restart(transaction);

  for (const [hooks, changes] of byWrite) {
    const work = () => hooks.committed(changes);
    if (transaction.collect) transaction.collect(work);
    else await work();
  }
}

const warned = new WeakSet<DataSource>();

function warnUnobserved({ connection }: QueryRunner): void {
  if (warned.has(connection)) return;

  warned.add(connection);
  new Logger('Crud').warn(
    'A transaction of the application ended where its commit cannot be observed: afterCommit and events are ' +
      'left out. Begin and end transactions by TypeORM (dataSource.transaction, ' +
      'queryRunner.commitTransaction), not by SQL of your own.',
  );
}
