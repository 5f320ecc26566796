import type { DataSource, QueryRunner, ReplicationMode } from 'typeorm';
import { getDialect } from './dialect/dialect-of.js';
import { endsConnection } from './errors/operational.js';
import { publishingQueries } from './query-messages.js';

/**
 * Runs work with a query runner of its own. If the connection's state is unknown afterwards, it is closed, not returned
 * to the pool.
 */
export async function withOwnRunner<T>(
  dataSource: DataSource,
  mode: ReplicationMode,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner(mode);

  try {
    return await publishingQueries(runner, work);
  } catch (error) {
    if (endsConnection(error)) await closeConnection(runner, error);

    throw error;
  } finally {
    await runner.release();
  }
}

/** Closes a runner's connection, so that the pool opens another; a shared connection stays open. */
export async function closeConnection(runner: QueryRunner, reason: unknown): Promise<void> {
  await getDialect(runner.connection).closeConnection(runner, reason);
}
