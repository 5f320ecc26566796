/** What is told once the outermost transaction has committed; what is rolled back, be it to a savepoint, is told to nobody. */
import { Logger } from '@nestjs/common';
import type { Change } from '@nestwright/crud';
import type { DataSource, QueryRunner } from 'typeorm';
import { dialectOf } from '../dialect/dialect-of.js';
import type { WriteHooks } from './write-hooks.js';

/** A change that is stored, but not committed. */
interface Entry {
  readonly hooks: WriteHooks;
  readonly change: Change;
  /** The savepoint that it lies in, counted from where the transaction was first looked at. */
  level: number;
}

/** The changes of a runner's open transaction. */
interface Pending {
  level: number;
  entries: Entry[];
  /** Takes what has to be told in place of the commit, where the library's own transaction tells it when the connection is free. */
  takes: ((tell: () => Promise<void>) => void) | undefined;
}

const pending = new WeakMap<QueryRunner, Pending>();

/** Notes a change, to be told by its hooks after the commit. */
export function tellAfterCommit(runner: QueryRunner, hooks: WriteHooks, change: Change): void {
  const transaction = pending.get(runner) ?? observe(runner);
  if (!transaction) return warnUnobserved(runner);

  transaction.entries.push({ hooks, change, level: transaction.level });
}

/** Does work that ends a transaction of the library's own; what has to be told is handed over. */
export async function handingOver<T>(
  runner: QueryRunner,
  takes: (tell: () => Promise<void>) => void,
  work: () => Promise<T>,
): Promise<T> {
  const transaction = pending.get(runner);
  if (!transaction) return work();

  transaction.takes = takes;
  try {
    return await work();
  } finally {
    transaction.takes = undefined;
  }
}

/** Forgets what a transaction has changed that is over, however it ended. */
export function forgetChanges(runner: QueryRunner): void {
  const transaction = pending.get(runner);

  if (transaction) restart(transaction);
}

/** Observes how the transactions of a runner end, from now on; undefined where that cannot be. */
function observe(runner: QueryRunner): Pending | undefined {
  const transaction: Pending = { level: 0, entries: [], takes: undefined };
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
      await (runner.isTransactionActive ? keep(transaction) : tell(transaction));
    },
    async rollbackTransaction() {
      await rollbackTransaction.apply(runner);
      if (runner.isTransactionActive) undo(transaction);
      else restart(transaction);
    },
    async release() {
      // Ended by SQL of the application's, if at all; a runner that all share is released while a transaction goes on.
      if (transaction.entries.length > 0 && !dialectOf(runner.connection).sharedConnection) {
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

/** The changes of a savepoint become those of what is around it. */
function keep(transaction: Pending): void {
  transaction.level -= 1;
  for (const entry of transaction.entries) entry.level = Math.min(entry.level, transaction.level);
}

function undo(transaction: Pending): void {
  transaction.level -= 1;
  transaction.entries = transaction.entries.filter(({ level }) => level <= transaction.level);
}

async function tell(transaction: Pending): Promise<void> {
  const byWrite = new Map<WriteHooks, Change[]>();
  for (const { hooks, change } of transaction.entries) {
    const changes = byWrite.get(hooks);
    if (changes) changes.push(change);
    else byWrite.set(hooks, [change]);
  }
  restart(transaction);

  for (const [hooks, changes] of byWrite) {
    const work = () => hooks.committed(changes);
    if (transaction.takes) transaction.takes(work);
    else await work();
  }
}

const warned = new WeakSet<DataSource>();

/** Once for each data source. */
function warnUnobserved({ connection }: QueryRunner): void {
  if (warned.has(connection)) return;

  warned.add(connection);
  new Logger('Crud').warn(
    'A transaction of the application ended where its commit cannot be observed: afterCommit and events are left out. Begin and end transactions by TypeORM (dataSource.transaction, queryRunner.commitTransaction), not by SQL of your own.',
  );
}
