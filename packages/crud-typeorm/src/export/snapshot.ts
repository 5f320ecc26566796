/** A transaction in which every statement sees the database as the first one saw it, for as long as a list is read. */
import { HttpException } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import { dialectOf } from '../dialect/dialect-of.js';
import { closeConnection, withOwnRunner } from '../own-runner.js';

/** Runs work in a snapshot. If the signal is aborted, its statement is cancelled and its connection closed at once. */
export function inSnapshot(
  dataSource: DataSource,
  signal: AbortSignal,
  work: (runner: QueryRunner) => Promise<void>,
): Promise<void> {
  return withOwnRunner(dataSource, dataSource.driver.isReplicated ? 'slave' : 'master', async (runner) => {
    await runner.connect();
    signal.throwIfAborted();

    try {
      // A driver may never report that a connection was closed.
      await untilAborted(signal, transact(runner, work));
    } catch (error) {
      // A pending statement is not awaited; its rejection is expected.
      if (error instanceof HttpException && !signal.aborted) await runner.rollbackTransaction();
      else await giveUp(runner, error);

      throw error;
    }
  });
}

async function transact(runner: QueryRunner, work: (runner: QueryRunner) => Promise<void>): Promise<void> {
  await runner.startTransaction('REPEATABLE READ');
  await work(runner);
  await runner.commitTransaction();
}

async function untilAborted(signal: AbortSignal, work: Promise<void>): Promise<void> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  // Only the first to settle counts.
  work.catch(() => undefined);

  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function giveUp(runner: QueryRunner, reason: unknown): Promise<void> {
  const cancel = await dialectOf(runner.connection).canceller(runner);
  await closeConnection(runner, reason);
  void cancel().catch(() => undefined);
}
