/**
 * Runs statements on PostgreSQL whose rows come as arrays of the database's own texts. Not used if replication, a
 * logger, subscribers or the application's parsers need to see the statement. Global parsers are read, never set.
 */
import { type Client, refuseGone } from '@nestwright/crud/adapter';
import { type DataSource, QueryFailedError } from 'typeorm';
import { endsConnection } from '../errors/operational.js';
import { publishedQuery } from '../query-messages.js';
import type { PgTypes } from './default-parsers.js';
import type { StatementRows } from './row-format.js';
import { getRowFormat } from './text-format.js';
import { ClientGoneError, type PgClient, type PgModule, type PgQuery, sendForTexts } from './text-query.js';

/** Runs a statement, unless its client has disconnected by the time a connection is available. */
export type ArrayQuery = (sql: string, parameters: unknown[], waiting?: Waiting) => Promise<StatementRows>;

/** The client that waits for the rows. */
interface Waiting {
  readonly client: Client | undefined;
  /** Whether the statement may be ended while its rows come, as it changes nothing. */
  readonly mayEnd: boolean;
}

/** Members of TypeORM's driver for `pg` that are used. */
interface PgDriver {
  readonly isReplicated: boolean;
  readonly postgres?: PgModule & { readonly types?: PgTypes };
  obtainMasterConnection?(): Promise<[PgClient, (error?: Error) => void]>;
}

interface PgOptions {
  readonly logger?: unknown;
  readonly logging?: unknown;
  readonly maxQueryExecutionTime?: number;
  readonly nativeDriver?: unknown;
  readonly driver?: unknown;
  readonly extra?: { readonly types?: unknown; readonly binary?: unknown };
}

/** The function that runs statements for arrays; looked up per request, since subscribers may be added at run time. */
export function makeArrayQuery(dataSource: DataSource): ArrayQuery | undefined {
  const driver = dataSource.driver as unknown as PgDriver;
  const support = driver.isReplicated || !driver.obtainMasterConnection ? undefined : findTextSupport(dataSource);

  return (
    support &&
    ((sql, parameters, waiting) =>
      publishedQuery(sql, () => runForArrays({ dataSource, ...support, waiting }, sql, parameters)))
  );
}

/** The same on an open connection, whose owner handles its state. */
export function bindArrayQuery(dataSource: DataSource, connection: unknown): ArrayQuery | undefined {
  const support = findTextSupport(dataSource);

  return (
    support &&
    ((sql, parameters) =>
      publishedQuery(sql, async () => {
        try {
          const { rows, fields } = await sendForTexts(connection as PgClient, support.Query, sql, parameters);

          return { rows, format: getRowFormat(fields, support.types, dataSource) };
        } catch (error) {
          throw new QueryFailedError(sql, parameters, error as Error);
        }
      }))
  );
}

/** How statements are sent for texts; undefined if a logger, subscriber or parser must see them. */
function findTextSupport(dataSource: DataSource): Pick<ArrayStatement, 'Query' | 'types'> | undefined {
  const { types, Query } = (dataSource.driver as unknown as PgDriver).postgres ?? {};
  const isUsable =
    dataSource.options.type === 'postgres' &&
    typeof types?.getTypeParser === 'function' &&
    typeof Query === 'function' &&
    isUnobserved(dataSource);

  return isUsable ? { Query, types } : undefined;
}

/** Whether no logger or subscriber needs to see statements. */
function isUnobserved({ options, subscribers }: DataSource): boolean {
  const { logger, logging, maxQueryExecutionTime, nativeDriver, driver, extra } = options as PgOptions;
  const isLogged = typeof logger === 'object' || (Array.isArray(logging) ? logging.length > 0 : Boolean(logging));
  const custom = nativeDriver || driver || extra?.types || extra?.binary;

  return (
    !isLogged &&
    !custom &&
    !maxQueryExecutionTime &&
    !subscribers.some((subscriber) => subscriber.beforeQuery ?? subscriber.afterQuery)
  );
}

interface ArrayStatement {
  readonly dataSource: DataSource;
  readonly Query: PgQuery;
  readonly types: PgTypes;
  readonly waiting: Waiting | undefined;
}

async function runForArrays(
  { dataSource, Query, types, waiting }: ArrayStatement,
  sql: string,
  parameters: unknown[],
): Promise<StatementRows> {
  const { client: gone, mayEnd } = waiting ?? {};
  refuseGone(gone);
  const [client, release] = await (dataSource.driver as unknown as PgDriver).obtainMasterConnection!();
  let broken: Error | undefined;

  if (gone?.isGone) release();
  refuseGone(gone);

  // A broken connection is reported twice: by an event and by the statement's error.
  const onError = (error?: Error) => void (broken = error ?? new Error('The connection broke'));

  client.on('error', onError);

  try {
    const { rows, fields } = await sendForTexts(client, Query, sql, parameters, mayEnd ? gone : undefined);

    return { rows, format: getRowFormat(fields, types, dataSource) };
  } catch (error) {
    if (error instanceof ClientGoneError) {
      // The remaining rows would still arrive, so the connection is closed.
      broken = error;
      refuseGone(gone);
    }
    if (endsConnection(error)) broken ??= error as Error;

    throw new QueryFailedError(sql, parameters, error as Error);
  } finally {
    client.removeListener('error', onError);
    release(broken);
  }
}
