/** Work on one connection goes in, its committed result comes out; refuses nothing itself, but repeats work that the database refused for a deadlock or a serialization failure. */
import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager, QueryRunner } from 'typeorm';
import { faultOf } from '../errors/fault.js';
import { withoutNames } from '../prepared-statements.js';
import { inTurn } from '../turn.js';

/** How often work is repeated after a deadlock or a serialization failure. */
const RETRIES = 3;

/** Longest pause before the first repetition, in milliseconds; it doubles with each. */
const FIRST_PAUSE = 20;

/**
 * Runs work in a transaction, which is committed when the promise is fulfilled and rolled back when it is rejected. A manager that is in a transaction already is joined
 * (by a savepoint, so that work refused half-way leaves nothing behind). After a deadlock or a serialization failure the whole work is repeated, up to three times.
 *
 * @example
 * await inTransaction(repository.manager, (runner) => runner.manager.insert(User, { email: 'a@b.example' }));
 */
export function inTransaction<T>(manager: EntityManager, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const own = manager.queryRunner;

  return own?.isTransactionActive
    ? transact(own, work)
    : inTurn(manager.connection, () => repeat((retry) => onRunner(manager, retry, (runner) => transact(runner, work))));
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

  if (manager.queryRunner) {
    return attempt(manager.queryRunner);
  }

  const runner = manager.connection.createQueryRunner('master');

  try {
    return await attempt(runner);
  } finally {
    await runner.release();
  }
}

async function transact<T>(runner: QueryRunner, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  await runner.startTransaction();

  try {
    const result = await work(runner);

    await runner.commitTransaction();

    return result;
  } catch (error) {
    // A rollback fails where the connection is lost; the first error is the one that says so.
    await runner.rollbackTransaction().catch(() => undefined);

    throw error;
  }
}

/** Does work that commits by itself, again after a deadlock or a serialization failure, up to three times. */
export async function repeat<T>(work: (retry: number) => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await work(retry);
    } catch (error) {
      if (retry === RETRIES || faultOf(error)?.kind !== 'conflict') {
        throw error;
      }

      await delay(Math.random() * FIRST_PAUSE * 2 ** retry);
    }
  }
}
