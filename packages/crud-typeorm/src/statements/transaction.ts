import type { EntityManager, QueryRunner } from 'typeorm';
import { endsConnection } from '../errors/operational.js';
import { closeConnection, withOwnRunner } from '../own-runner.js';
import { withRetries } from '../retry.js';
import { getDialect } from '../dialect/dialect-of.js';
import { queueWork, serialized } from '../shared-connection.js';
import { collectingReports, forgetChanges } from './commits.js';

export interface BeginOptions {
  /** Isolation level. Default: that of the data source. */
  readonly isolation?: IsolationLevel | undefined;
  /** How often it is repeated after a deadlock or a serialization failure. Default: 5. */
  readonly retries?: number | undefined;
}

type IsolationLevel = NonNullable<Parameters<QueryRunner['startTransaction']>[0]>;

/**
 * Runs work in a transaction, which is committed when the promise is fulfilled and rolled back when it is rejected. A
 * manager that is in a transaction already is joined (by a savepoint, so that work refused half-way leaves nothing
 * behind). After a deadlock or a serialization failure the whole work is repeated, up to five times.
 */
export function inTransaction<T>(
  manager: EntityManager,
  work: (runner: QueryRunner) => Promise<T>,
  options?: BeginOptions,
): Promise<T> {
  return findThenTransact(manager, () => Promise.resolve(), work, options);
}

/**
 * As {@link inTransaction}, with what `find` returns on the same connection before the transaction begins. A snapshot
 * that the database takes for a transaction at its first read is then not older than the locks that the work takes.
 */
export async function findThenTransact<Found, T>(
  manager: EntityManager,
  find: (runner: QueryRunner) => Promise<Found>,
  work: (runner: QueryRunner, found: Found) => Promise<T>,
  { isolation, retries }: BeginOptions = {},
): Promise<T> {
  const own = manager.queryRunner;
  const reports: (() => Promise<void>)[] = [];
  const all = async (runner: QueryRunner) => {
    const found = await find(runner);

    return transact(
      runner,
      () => work(runner, found),
      isolation,
      (report) => void reports.push(report),
    );
  };

  const result = await (own?.isTransactionActive
    ? queueWork(own, () => all(own))
    : serialized(manager.connection, () => withRetries(() => onRunner(manager, all), retries)));
  // After the connection is released, since hooks may need one.
  for (const report of reports) await report();

  return result;
}

/**
 * Runs work of one statement, which commits by itself. The manager must not be bound to a connection. After a deadlock
 * or a serialization failure it is repeated as a transaction is.
 */
export function withoutTransaction<T>(manager: EntityManager, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  return serialized(manager.connection, () => withRetries(() => onRunner(manager, work)));
}

async function onRunner<T>(
  { queryRunner, connection }: EntityManager,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  return queryRunner ? work(queryRunner) : withOwnRunner(connection, 'master', work);
}

/** @param collect Collects functions that report the changes after the commit. */
async function transact<T>(
  runner: QueryRunner,
  work: () => Promise<T>,
  isolation: IsolationLevel | undefined,
  collect: (report: () => Promise<void>) => void,
): Promise<T> {
  const isNested = runner.isTransactionActive;

  try {
    await runner.startTransaction(isNested ? undefined : chooseLevel(runner, isolation));
  } catch (error) {
    if (!isNested) await undo(runner, error);

    throw error;
  }

  try {
    const result = await work();

    await (isNested
      ? runner.commitTransaction()
      : collectingReports(runner, collect, () => runner.commitTransaction()));

    return result;
  } catch (error) {
    await (isNested ? runner.rollbackTransaction().catch(() => undefined) : undo(runner, error));

    throw error;
  }
}

/** On a shared connection, transactions run one after another, which satisfies any level. */
function chooseLevel({ connection }: QueryRunner, isolation: IsolationLevel | undefined): IsolationLevel | undefined {
  return getDialect(connection).sharedConnection ? undefined : isolation;
}

/**
 * Rolls back; if that fails, closes the connection, since the transaction may still be open. Errors here are dropped in
 * favour of the original one.
 */
async function undo(runner: QueryRunner, error: unknown): Promise<void> {
  forgetChanges(runner);
  // A rollback would wait for the abandoned statement.
  if (endsConnection(error)) await closeConnection(runner, error);

  try {
    await runner.rollbackTransaction();
  } catch (failure) {
    if (runner.isTransactionActive) await closeConnection(runner, failure);
  }
}
