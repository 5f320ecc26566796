/** The connection on which a read runs. */
import { type Client, refuseGone, refuseLeaving } from '@nestwright/crud/adapter';
import type { DataSource, QueryRunner } from 'typeorm';
import { withOwnRunner } from '../own-runner.js';
import { serialized } from '../shared-connection.js';
import type { Row } from '../rows/row-form.js';
import { cachedRows, type CacheOptions } from './result-cache.js';
import { bindStatement, type Statement, type StatementInput } from './parameters.js';

/** Where a read runs: on a runner that is there (a transaction), or on connections of a data source. */
export type ReadTarget = QueryRunner | DataSource;

/** The data source behind a target. */
export function dataSourceOf(target: ReadTarget): DataSource {
  return isRunner(target) ? target.connection : target;
}

/** Whether a target is a runner that is there. */
export function isRunner(target: ReadTarget): target is QueryRunner {
  return 'isTransactionActive' in target;
}

/** Runs one statement, unless its client has gone by the time that a connection is there. */
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
 * Lends work a runner: the one that is given, or one of the data source's own, from a replica where there are any. Where everyone shares a connection, the work waits
 * until no transaction is under way.
 */
export async function withRunner<T>(
  target: ReadTarget,
  work: (runner: QueryRunner) => Promise<T>,
  client?: Client,
): Promise<T> {
  if (isRunner(target)) {
    return work(target);
  }

  return serialized(target, async () => {
    refuseGone(client);

    // TypeORM's cache stores through a runner that may write: with any other it would wait for a second connection while this one is held.
    return withOwnRunner(target, target.driver.isReplicated ? 'slave' : 'master', work);
  });
}

/** Whether two statements of one read may run at the same time. */
export function runsConcurrently(target: ReadTarget, sharedConnection: boolean): boolean {
  return !isRunner(target) && !sharedConnection;
}
