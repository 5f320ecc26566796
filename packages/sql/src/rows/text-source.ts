/** Statements on a pool of `pg` whose rows come as arrays of the database's own texts. */
import { refuseGone } from '@nestwright/crud/adapter';
import { publishedQuery } from '../connections/published-query.js';
import type { Database, TextQuery, Waiting } from '../database/database.js';
import type { StatementRows } from '../database/rows.js';
import { endsConnection } from '../errors/operational.js';
import type { PgTypes } from './default-parsers.js';
import { getRowFormat } from './text-format.js';
import { ClientGoneError, type PgClient, type PgQuery, sendForTexts } from './text-query.js';

/** Where connections for such statements come from. */
export interface TextSource {
  /** The database that the pool is of. */
  readonly database: Database;
  /** pg's class of statements. */
  readonly Query: PgQuery;
  /** pg's parsers. */
  readonly types: PgTypes;
  /** Numbers of types whose values stay texts, whatever parser they have. Default: none. */
  readonly kept?: ReadonlySet<number>;
  /** A connection of the pool, and what returns it, or with an error closes it. */
  take(): Promise<readonly [client: PgClient, release: (error?: Error) => void]>;
  /** The error to throw for one of the driver. Default: it as it is. */
  wrap?(error: unknown, sql: string, parameters: unknown[]): unknown;
}

/** Runs statements for texts, each on a connection of its own. */
export function queryForTexts(source: TextSource): TextQuery {
  return (sql, parameters, waiting) => publishedQuery(sql, () => runForTexts(source, sql, parameters, waiting));
}

/** Runs statements for texts on an open connection, whose owner handles its state. */
export function queryForTextsOn(client: PgClient, source: Omit<TextSource, 'take'>): TextQuery {
  return (sql, parameters) =>
    publishedQuery(sql, async () => {
      try {
        return await send(client, source, sql, parameters);
      } catch (error) {
        throw source.wrap ? source.wrap(error, sql, parameters) : error;
      }
    });
}

async function send(
  client: PgClient,
  { Query, types, database, kept }: Omit<TextSource, 'take'>,
  sql: string,
  parameters: unknown[],
  waiting?: Waiting['client'],
): Promise<StatementRows> {
  const { rows, fields } = await sendForTexts(client, Query, sql, parameters, waiting);

  return { rows, format: getRowFormat(fields, types, database, kept) };
}

async function runForTexts(
  source: TextSource,
  sql: string,
  parameters: unknown[],
  { client: gone, mayEnd }: Partial<Waiting> = {},
): Promise<StatementRows> {
  refuseGone(gone);
  const [client, release] = await source.take();
  let broken: Error | undefined;

  if (gone?.isGone) release();
  refuseGone(gone);

  // A broken connection is reported twice: by an event and by the statement's error.
  const onError = (error?: Error) => void (broken = error ?? new Error('The connection broke'));

  client.on('error', onError);

  try {
    return await send(client, source, sql, parameters, mayEnd ? gone : undefined);
  } catch (error) {
    if (error instanceof ClientGoneError) {
      // The remaining rows would still arrive, so the connection is closed.
      broken = error;
      refuseGone(gone);
    }
    if (endsConnection(error)) broken ??= error as Error;

    throw source.wrap ? source.wrap(error, sql, parameters) : error;
  } finally {
    client.removeListener('error', onError);
    release(broken);
  }
}
