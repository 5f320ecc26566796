/**
 * A data source of PostgreSQL in, a way to run a statement whose rows come as arrays of the database's own texts out; `undefined` where somebody (replication, a logger,
 * subscribers, parsers of the application) would have to know of the statement. Global parsers are asked, never set.
 */
import { type DataSource, QueryFailedError } from 'typeorm';
import { databaseOptionsOf } from '../database-options.js';
import type { FormedRows } from './row-form.js';
import { formOf, type PgTypes } from './text-form.js';
import { type PgClient, type PgModule, sendForTexts } from './text-query.js';

/** Runs a statement. */
export type ArrayQuery = (sql: string, parameters: unknown[]) => Promise<FormedRows>;

/** What is used of TypeORM's driver for `pg`. */
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

/** The way to run statements for arrays, asked for each request since subscribers may come and go. */
export function arrayQueryOf(dataSource: DataSource): ArrayQuery | undefined {
  const driver = dataSource.driver as unknown as PgDriver;
  const { types, Query } = driver.postgres ?? {};
  const usable =
    dataSource.options.type === 'postgres' &&
    !driver.isReplicated &&
    driver.obtainMasterConnection !== undefined &&
    typeof types?.getTypeParser === 'function' &&
    typeof Query === 'function' &&
    isSilent(dataSource);
  if (!usable) return undefined;

  // A statement of its own kind goes past those who look for plain ones to give them names.
  const own = databaseOptionsOf(dataSource).preparedStatements ? undefined : Query;

  return (sql, parameters) => runForArrays(driver, own, types, sql, parameters);
}

/** Whether nobody listens to statements. */
function isSilent({ options, subscribers }: DataSource): boolean {
  const { logger, logging, maxQueryExecutionTime, nativeDriver, driver, extra } = options as PgOptions;
  const heard = typeof logger === 'object' || (Array.isArray(logging) ? logging.length > 0 : Boolean(logging));
  const special = nativeDriver || driver || extra?.types || extra?.binary;

  return (
    !heard &&
    !special &&
    !maxQueryExecutionTime &&
    !subscribers.some((subscriber) => subscriber.beforeQuery ?? subscriber.afterQuery)
  );
}

async function runForArrays(
  driver: PgDriver,
  Query: PgModule['Query'] | undefined,
  types: PgTypes,
  sql: string,
  parameters: unknown[],
): Promise<FormedRows> {
  const [client, release] = await driver.obtainMasterConnection!();
  let broken: Error | undefined;
  // A connection that breaks while it is in use says so twice: by an event and by the statement's own failure.
  const onError = (error?: Error) => void (broken = error ?? new Error('The connection broke'));

  client.on('error', onError);

  try {
    const { rows, fields } = await sendForTexts(client, Query, sql, parameters);

    return { rows, form: formOf(fields, types) };
  } catch (error) {
    throw new QueryFailedError(sql, parameters, error as Error);
  } finally {
    client.removeListener('error', onError);
    release(broken);
  }
}
