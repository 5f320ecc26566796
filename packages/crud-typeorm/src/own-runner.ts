/** A query runner for as long as work lasts. A connection whose state is unknown afterwards is closed, not handed to the next. */
import type { DataSource, QueryRunner, ReplicationMode } from 'typeorm';
import { dialectOf } from './dialect/dialect-of.js';
import { endsConnection } from './errors/operational.js';
import { tellingQueries } from './query-messages.js';

/**
 * Lends work a runner for as long as it lasts.
 *
 * @example
 * const rows = await withOwnRunner(dataSource, 'master', (runner) => runner.query('SELECT 1'));
 */
export async function withOwnRunner<T>(
  dataSource: DataSource,
  mode: ReplicationMode,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner(mode);

  try {
    return await tellingQueries(runner, work);
  } catch (error) {
    if (endsConnection(error)) await closeConnection(runner, error);

    throw error;
  } finally {
    await runner.release();
  }
}

/** Closes a runner's connection, so that the pool makes another; where all share one, it stays. */
export async function closeConnection(runner: QueryRunner, reason: unknown): Promise<void> {
  await dialectOf(runner.connection).closeConnection(runner, reason);
}
