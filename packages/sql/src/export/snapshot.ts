/** A transaction in which every statement sees the database as the first one saw it, for as long as a list is read. */
import { setTimeout as delay } from 'node:timers/promises';
import { refuseLong } from '@nestwright/crud/adapter';
import { holdConnection } from '../connections/hold.js';
import { type ExportedList, isTooLong } from './list.js';
import type { Connection } from '../database/database.js';

/** Milliseconds in which a cancelled statement should have ended. */
const LAST_WAIT = 500;

/**
 * Reads a list in a snapshot. If its signal is aborted, its statement is cancelled and its connection closed at once.
 */
export async function inSnapshot(list: ExportedList, read: (connection: Connection) => Promise<void>): Promise<void> {
  const { database, signal } = list;

  const isLong = await holdConnection(database, 'read', async (connection) => {
    await connection.open();
    signal.throwIfAborted();

    const work = transact(list, connection, read);
    try {
      return await untilAborted(signal, work);
    } catch (error) {
      await giveUp(connection, error);
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
  connection: Connection,
  read: (connection: Connection) => Promise<void>,
): Promise<boolean> {
  const { dialect, server } = list.database;
  const limits = dialect.timeLimits(list.timeout, server);
  if (limits) await connection.select(limits.replace);
  await connection.begin('REPEATABLE READ');
  const isLong = await isTooLong(list, connection);
  if (!isLong) await read(connection);
  await connection.commit();
  if (limits) await connection.select(limits.restore);

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

async function giveUp(connection: Connection, reason: unknown): Promise<void> {
  const cancel = await connection.canceller();
  await connection.close(reason);
  void cancel().catch(() => undefined);
}
