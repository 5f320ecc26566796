import { type Client, refuseGone, refuseLeaving } from '@nestwright/crud/adapter';
import type { DataSource, QueryRunner } from 'typeorm';
import { withOwnRunner } from '../own-runner.js';
import { serialized } from '../shared-connection.js';
import type { Row } from '../rows/row-format.js';
import { cachedRows, type CacheOptions } from './result-cache.js';
import { bindStatement, type Statement, type StatementInput } from './parameters.js';

/** The target of a read: a given runner (a transaction), or a data source. */
export type ReadTarget = QueryRunner | DataSource;

export function getDataSource(target: ReadTarget): DataSource {
  return isRunner(target) ? target.connection : target;
}

export function isRunner(target: ReadTarget): target is QueryRunner {
  return 'isTransactionActive' in target;
}

/** Runs one statement, unless the client has disconnected by the time that a connection is available. */
export async function runStatement(
  runner: QueryRunner,
  statement: Statement,
  input: StatementInput,
  { cache, client }: { readonly cache: CacheOptions | undefined; readonly client?: Client | undefined },
): Promise<readonly Row[]> {
  const parameters = bindStatement(statement, input);
  const run = async () => {
    if (client) {
      await runner.connect();
      await refuseLeaving(client);
    }

    return (await runner.query(statement.sql, parameters)) as Row[];
  };

  return cache ? cachedRows(runner, statement.sql, parameters, cache, run) : run();
}

/**
 * Runs work with a runner: the given one, or one of the data source (of a replica, if there are any). On a shared
 * connection it waits for running transactions.
 */
export async function withRunner<T>(
  target: ReadTarget,
  work: (runner: QueryRunner) => Promise<T>,
  client?: Client,
): Promise<T> {
  if (isRunner(target)) return work(target);

  return serialized(target, async () => {
    refuseGone(client);

    // TypeORM's cache writes through a master runner; with any other it would wait for a second connection while
    // holding this one.
    return withOwnRunner(target, target.driver.isReplicated ? 'slave' : 'master', work);
  });
}
