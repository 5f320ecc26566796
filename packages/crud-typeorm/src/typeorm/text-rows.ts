/**
 * Runs statements on PostgreSQL whose rows come as arrays of the database's own texts. Not used if replication, a
 * logger, subscribers or the application's parsers need to see the statement. Global parsers are read, never set.
 */
import {
  type Database,
  type PgClient,
  type PgModule,
  type PgQuery,
  type PgTypes,
  queryForTexts,
  queryForTextsOn,
  type TextQuery,
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

    return support && queryForTexts({ ...support, database, wrap, take: () => driver.obtainMasterConnection!() });
  };
}

/** The same on an open connection. */
export function bindTextQuery(dataSource: DataSource, database: Database, connection: unknown): TextQuery | undefined {
  const support = findTextSupport(dataSource);

  return support && queryForTextsOn(connection as PgClient, { ...support, database, wrap });
}

function wrap(error: unknown, sql: string, parameters: unknown[]): Error {
  return new QueryFailedError(sql, parameters, error as Error);
}

/** How statements are sent for texts; undefined if a logger, subscriber or parser must see them. */
function findTextSupport(dataSource: DataSource): { Query: PgQuery; types: PgTypes } | undefined {
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
