import { queueWork } from './connections/queue.js';
import { withRetries } from './connections/retry.js';
import { type Executor, isConnection, type Table } from './database/database.js';
import { isRetryable, isServerAway } from './errors/operational.js';
import { toCrudError } from './errors/to-crud-error.js';

/** A replica may be chosen at random: of two, the one that is down is chosen each time for one read in two million. */
const REPLICA_RETRIES = 20;

/**
 * Runs a read, and retries it after a deadlock or conflict, unless it is part of a transaction, which is aborted then.
 * Errors of the database become exceptions.
 */
export async function runRead<R>(
  on: { readonly executor: Executor; readonly table: Table },
  work: (executor: Executor) => Promise<R>,
): Promise<R> {
  const { executor } = on;
  const read = () => work(executor);

  try {
    if (isConnection(executor) && executor.isInTransaction) return await queueWork(executor, read);

    return await (!isConnection(executor) && executor.isReplicated
      ? withRetries(read, REPLICA_RETRIES, (error) => isRetryable(error) || isServerAway(error))
      : withRetries(read));
  } catch (error) {
    throw toCrudError(error, on.table, 'read');
  }
}
