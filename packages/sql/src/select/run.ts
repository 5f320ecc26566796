import { type Client, refuseGone, refuseLeaving } from '@nestwright/crud/adapter';
import { type CacheOptions, type Connection, type Executor, isConnection } from '../database/database.js';
import { holdConnection } from '../connections/hold.js';
import { serialized } from '../connections/queue.js';
import type { Row } from '../database/rows.js';
import { bindStatement, type Statement, type StatementInput } from './parameters.js';

/** Runs one statement, unless the client has disconnected by the time that a connection is available. */
export async function runStatement(
  connection: Connection,
  statement: Statement,
  input: StatementInput,
  { cache, client }: { readonly cache: CacheOptions | undefined; readonly client?: Client | undefined },
): Promise<readonly Row[]> {
  const parameters = bindStatement(statement, input);
  const run = async () => {
    if (client) {
      await connection.open();
      await refuseLeaving(client);
    }

    return connection.select(statement.sql, parameters);
  };

  return cache ? connection.selectCached(statement.sql, parameters, cache, run) : run();
}

/**
 * Runs work with a connection: the given one, or one of the database (of a replica, if there are any). On a shared
 * connection it waits for running transactions.
 */
export async function withConnection<T>(
  executor: Executor,
  work: (connection: Connection) => Promise<T>,
  client?: Client,
): Promise<T> {
  if (isConnection(executor)) return work(executor);

  return serialized(executor, async () => {
    refuseGone(client);

    return holdConnection(executor, 'read', work);
  });
}
