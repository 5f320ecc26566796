import { endsConnection } from '../errors/operational.js';
import { holdConnection } from '../connections/hold.js';
import { withRetries } from '../connections/retry.js';
import { queueWork, serialized } from '../connections/queue.js';
import { type Connection, type Executor, getDatabase, isConnection, type Isolation } from '../database/database.js';

/** How a transaction begins, and how often it is repeated. */
export interface BeginOptions {
  /** Isolation level. Default: the database's. */
  readonly isolation?: Isolation | undefined;
  /** How often it is repeated after a deadlock or a serialization failure. Default: 5. */
  readonly retries?: number | undefined;
}

/**
 * Runs work in a transaction, which is committed when the promise is fulfilled and rolled back when it is rejected. A
 * connection that is in a transaction already is joined (by a savepoint, so that work refused half-way leaves nothing
 * behind). After a deadlock or a serialization failure the whole work is repeated, up to five times.
 */
export function inTransaction<T>(
  executor: Executor,
  work: (connection: Connection) => Promise<T>,
  options?: BeginOptions,
): Promise<T> {
  return findThenTransact(executor, () => Promise.resolve(), work, options);
}

/**
 * As {@link inTransaction}, with what `find` returns on the same connection before the transaction begins. A snapshot
 * that the database takes for a transaction at its first read is then not older than the locks that the work takes.
 */
export async function findThenTransact<Found, T>(
  executor: Executor,
  find: (connection: Connection) => Promise<Found>,
  work: (connection: Connection, found: Found) => Promise<T>,
  { isolation, retries }: BeginOptions = {},
): Promise<T> {
  const own = isConnection(executor) ? executor : undefined;
  const reports: (() => Promise<void>)[] = [];
  const all = async (connection: Connection) => {
    const found = await find(connection);

    return transact(
      connection,
      () => work(connection, found),
      isolation,
      (report) => void reports.push(report),
    );
  };

  const result = await (own?.isInTransaction
    ? queueWork(own, () => all(own))
    : serialized(getDatabase(executor), () => withRetries(() => onConnection(executor, all), retries)));
  // After the connection is released, since hooks may need one.
  for (const report of reports) await report();

  return result;
}

/**
 * Runs work of one statement, which commits by itself. After a deadlock or a serialization failure it is repeated as a
 * transaction is.
 */
export function withoutTransaction<T>(executor: Executor, work: (connection: Connection) => Promise<T>): Promise<T> {
  return serialized(getDatabase(executor), () => withRetries(() => onConnection(executor, work)));
}

function onConnection<T>(executor: Executor, work: (connection: Connection) => Promise<T>): Promise<T> {
  return isConnection(executor) ? work(executor) : holdConnection(executor, 'write', work);
}

/** @param collect Collects functions that report the changes after the commit. */
async function transact<T>(
  connection: Connection,
  work: () => Promise<T>,
  isolation: Isolation | undefined,
  collect: (report: () => Promise<void>) => void,
): Promise<T> {
  const isNested = connection.isInTransaction;

  try {
    await connection.begin(isNested ? undefined : chooseLevel(connection, isolation));
  } catch (error) {
    if (!isNested) await undo(connection, error);

    throw error;
  }

  try {
    const result = await work();

    await connection.commit(isNested ? undefined : collect);

    return result;
  } catch (error) {
    await (isNested ? connection.rollback().catch(() => undefined) : undo(connection, error));

    throw error;
  }
}

/** On a shared connection, transactions run one after another, which satisfies any level. */
function chooseLevel({ database }: Connection, isolation: Isolation | undefined): Isolation | undefined {
  return database.dialect.sharedConnection ? undefined : isolation;
}

/**
 * Rolls back; if that fails, closes the connection, since the transaction may still be open. Errors here are dropped in
 * favour of the original one.
 */
async function undo(connection: Connection, error: unknown): Promise<void> {
  // A rollback would wait for the abandoned statement.
  if (endsConnection(error)) await connection.close(error);

  try {
    await connection.rollback();
  } catch (failure) {
    if (connection.isInTransaction) await connection.close(failure);
  }
}
