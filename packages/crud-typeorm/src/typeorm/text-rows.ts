/**
 * Runs statements on PostgreSQL whose rows come as arrays of the database's own texts. Not used if replication, a
 * logger, subscribers or the application's parsers need to see the statement. Global parsers are read, never set.
 */
import { refuseGone } from '@nestwright/crud/adapter';
import {
  ClientGoneError,
  type Database,
  endsConnection,
  getRowFormat,
  type PgClient,
  type PgModule,
  type PgQuery,
  type PgTypes,
  publishedQuery,
  sendForTexts,
  type StatementRows,
  type TextQuery,
  type Waiting,
} from '@nestwright/sql';
import { type DataSource, QueryFailedError } from 'typeorm';

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

/** Finds what runs statements for texts: at each request, since subscribers may be added at run time. */
export function makeTextQueryFinder(dataSource: DataSource, database: Database): Database['findTextQuery'] {
  const driver = dataSource.driver as unknown as PgDriver;
  if (database.dialect.name !== 'postgres' || driver.isReplicated || !driver.obtainMasterConnection) return undefined;

  return () => {
    const support = findTextSupport(dataSource);

    return (
      support &&
      ((sql, parameters, waiting) =>
        publishedQuery(sql, () => runForArrays({ dataSource, database, ...support, waiting }, sql, parameters)))
    );
  };
}

/** The same on an open connection, whose owner handles its state. */
export function bindTextQuery(dataSource: DataSource, database: Database, connection: unknown): TextQuery | undefined {
  const support = findTextSupport(dataSource);

  return (
    support &&
    ((sql, parameters) =>
      publishedQuery(sql, async () => {
        try {
          const { rows, fields } = await sendForTexts(connection as PgClient, support.Query, sql, parameters);

          return { rows, format: getRowFormat(fields, support.types, database) };
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
  readonly database: Database;
  readonly Query: PgQuery;
  readonly types: PgTypes;
  readonly waiting: Waiting | undefined;
}

async function runForArrays(
  { dataSource, database, Query, types, waiting }: ArrayStatement,
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

    return { rows, format: getRowFormat(fields, types, database) };
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
