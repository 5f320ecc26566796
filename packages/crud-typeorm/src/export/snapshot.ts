/** A transaction in which every statement sees the database as the first one saw it, for as long as a list is read. */
import { setTimeout as delay } from 'node:timers/promises';
import { refuseLong } from '@nestwright/crud/adapter';
import type { QueryRunner } from 'typeorm';
import { getDialect } from '../dialect/dialect-of.js';
import { closeConnection, withOwnRunner } from '../own-runner.js';
import { type ExportedList, isTooLong } from './list.js';

/** Milliseconds in which a cancelled statement should have ended. */
const LAST_WAIT = 500;

/**
 * Reads a list in a snapshot. If its signal is aborted, its statement is cancelled and its connection closed at once.
 */
export async function inSnapshot(list: ExportedList, read: (runner: QueryRunner) => Promise<void>): Promise<void> {
  const { dataSource, signal } = list;
  const mode = dataSource.driver.isReplicated ? 'slave' : 'master';

  const isLong = await withOwnRunner(dataSource, mode, async (runner) => {
    await runner.connect();
    signal.throwIfAborted();

    const work = transact(list, runner, read);
    try {
      return await untilAborted(signal, work);
    } catch (error) {
      await giveUp(runner, error);
      // A statement ends before its request; but a driver may never report that a connection was closed.
      await Promise.race([work, delay(LAST_WAIT, undefined, { ref: false })]).catch(() => undefined);

      throw error;
    }
  });
  if (isLong) refuseLong(Infinity, list.request);
}

/** Returns whether the list is too long; then nothing is read, and the connection is as it was. */
async function transact(
  list: ExportedList,
  runner: QueryRunner,
  read: (runner: QueryRunner) => Promise<void>,
): Promise<boolean> {
  const restoreLimits = await getDialect(list.dataSource).replaceTimeLimits(runner, list.timeout);
  await runner.startTransaction('REPEATABLE READ');
  const isLong = await isTooLong(list, runner);
  if (!isLong) await read(runner);
  await runner.commitTransaction();
  await restoreLimits();

  return isLong;
}

async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  // Only the first to settle counts.
  work.catch(() => undefined);

  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function giveUp(runner: QueryRunner, reason: unknown): Promise<void> {
  const cancel = await getDialect(runner.connection).canceller(runner);
  await closeConnection(runner, reason);
  void cancel().catch(() => undefined);
}
