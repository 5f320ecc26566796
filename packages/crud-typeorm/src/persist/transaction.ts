/** Work on one connection goes in, its committed result comes out; refuses nothing itself, but repeats work that the database refused for a deadlock or a serialization failure. */
import type { EntityManager, QueryRunner } from 'typeorm';
import { endsConnection } from '../errors/operational.js';
import { closeConnection, withOwnRunner } from '../own-runner.js';
import { withoutNames } from '../prepared-statements.js';
import { repeat } from '../repeat.js';
import { inTurn, inTurnOn } from '../turn.js';

/**
 * Runs work in a transaction, which is committed when the promise is fulfilled and rolled back when it is rejected. A manager that is in a transaction already is joined
 * (by a savepoint, so that work refused half-way leaves nothing behind). After a deadlock or a serialization failure the whole work is repeated, up to five times.
 *
 * @example
 * await inTransaction(repository.manager, (runner) => runner.manager.insert(User, { email: 'a@b.example' }));
 */
export function inTransaction<T>(manager: EntityManager, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  return inTransactionAfter(manager, () => Promise.resolve(), work);
}

/**
 * As {@link inTransaction}, with what `look` finds on the same connection before the transaction begins. A snapshot that the database takes for a transaction at its first
 * read is then not older than the locks that the work takes.
 *
 * @example
 * await inTransactionAfter(manager, (runner) => findKey(runner), (runner, key) => update(runner, key));
 */
export function inTransactionAfter<Found, T>(
  manager: EntityManager,
  look: (runner: QueryRunner) => Promise<Found>,
  work: (runner: QueryRunner, found: Found) => Promise<T>,
): Promise<T> {
  const own = manager.queryRunner;
  const all = async (runner: QueryRunner) => {
    const found = await look(runner);

    return transact(runner, () => work(runner, found));
  };

  return own?.isTransactionActive
    ? inTurnOn(own, () => all(own))
    : inTurn(manager.connection, () => repeat((retry) => onRunner(manager, retry, all)));
}

/**
 * Runs work of one statement, which commits by itself. The manager must not be bound to a connection. After a deadlock or a serialization failure it is repeated as a
 * transaction is.
 *
 * @example
 * await withoutTransaction(repository.manager, (runner) => runner.query('DELETE FROM notes'));
 */
export function withoutTransaction<T>(manager: EntityManager, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  return inTurn(manager.connection, () => repeat((retry) => onRunner(manager, retry, work)));
}

/** Hands out the manager's runner, or one of its own for as long as the work lasts. */
async function onRunner<T>(
  manager: EntityManager,
  retry: number,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const attempt = async (runner: QueryRunner) =>
    retry === 0 ? work(runner) : withoutNames(runner, await runner.connect(), () => work(runner));

  return manager.queryRunner ? attempt(manager.queryRunner) : withOwnRunner(manager.connection, 'master', attempt);
}

async function transact<T>(runner: QueryRunner, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const isNested = runner.isTransactionActive;

  try {
    await runner.startTransaction();
  } catch (error) {
    if (!isNested) await undo(runner, error);

    throw error;
  }

  try {
    const result = await work(runner);

    await runner.commitTransaction();

    return result;
  } catch (error) {
    await (isNested ? runner.rollbackTransaction().catch(() => undefined) : undo(runner, error));

    throw error;
  }
}

/** Rolls back, or sees to it that nobody gets a connection on which the transaction may still be open. What goes wrong here is not told: the error that led here says why. */
async function undo(runner: QueryRunner, error: unknown): Promise<void> {
  // A rollback would wait behind the statement that nobody waits for any more.
  if (endsConnection(error)) await closeConnection(runner, error);

  try {
    await runner.rollbackTransaction();
  } catch (failure) {
    if (runner.isTransactionActive) await closeConnection(runner, failure);
  }
}
