/** Drizzle's database as a database of SQL, and what is known of its tables. */
import { getOrInsert } from '@nestwright/crud/adapter';
import {
  type Connection,
  type Database,
  DEFAULT_OPTIONS,
  type Executor,
  inTransaction,
  NO_LISTENERS,
  queryForTexts,
  type TextQuery,
} from '@nestwright/sql';
import { type Column, is, type SQL, TransactionRollbackError } from 'drizzle-orm';
import { MySqlDatabase } from 'drizzle-orm/mysql-core';
import { PgDatabase } from 'drizzle-orm/pg-core';
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import { DrizzleConnection } from './connection.js';
import { type Driver, openDriver } from './drivers.js';
import type { Schema } from './known-tables.js';
import { Tables } from './tables.js';

/** Any of Drizzle's databases, or a transaction of one. */
export type DrizzleDatabase =
  PgDatabase<any, any, any> | MySqlDatabase<any, any, any, any> | BaseSQLiteDatabase<any, any, any, any>; // What it was told of its schema does not matter here.

/** Members that Drizzle does not declare. */
interface Internals {
  readonly $client?: unknown;
  readonly dialect: {
    sqlToQuery(sql: SQL): { readonly sql: string };
    readonly casing?: { getColumnCasing(column: Column): string };
  };
  readonly session: { readonly client?: unknown; readonly schema?: unknown; readonly options?: unknown };
  readonly mode?: string;
  readonly nestedIndex?: number;
  readonly _: {
    readonly schema?: Schema['tables'];
    readonly tableNamesMap?: Schema['tableNamesMap'];
    readonly fullSchema?: Record<string, unknown>;
  };
}

const internalsOf = (db: DrizzleDatabase): Internals => db as unknown as Internals;

/** What is known of one database. */
export interface Known {
  readonly database: Database;
  readonly tables: Tables;
  readonly driver: Driver;
  readonly db: DrizzleDatabase;
}

const known = new WeakMap<object, Known>();
/** Those of hooks' managers. */
const connections = new WeakMap<object, DrizzleConnection>();
/** Those of Drizzle's transactions and of the savepoints in them, by their depth. */
const transactions = new WeakMap<object, Map<number, DrizzleConnection>>();

/**
 * What is known of a database.
 *
 * @throws Error if it is none of Drizzle's, or its driver is not known
 */
export function knowDatabase(db: DrizzleDatabase): Known {
  return getOrInsert(known, db, () => makeKnown(db));
}

function makeKnown(db: DrizzleDatabase): Known {
  const kind = dialectOf(db);
  const { $client, session, dialect, _ } = internalsOf(db);
  const driver = openDriver($client ?? session.client, kind);
  const database = new DrizzleSqlDatabase(db, driver);
  const { schema, tableNamesMap, fullSchema } = _;
  const told = schema && tableNamesMap ? { tables: schema, tableNamesMap, fullSchema } : undefined;
  const tables = new Tables(
    database,
    told,
    (column) => dialect.casing?.getColumnCasing(column) ?? column.name,
    (sql) => dialect.sqlToQuery(sql).sql,
  );

  return { database, tables, driver, db };
}

function dialectOf(db: DrizzleDatabase): 'postgres' | 'mysql' | 'sqlite' {
  if (is(db, PgDatabase)) return 'postgres';
  if (is(db, MySqlDatabase)) return 'mysql';
  if (is(db, BaseSQLiteDatabase)) return 'sqlite';

  throw new Error('The database of a DrizzleCrudService is none of Drizzle: pass what drizzle() has made');
}

/**
 * What statements of a database are sent on now: a connection of its own each time, or that of a transaction, which
 * Drizzle has begun or a hook was given. Asked each time, since a library for transactions may stand in for the database.
 */
export function executorOf(manager: DrizzleDatabase, { database, driver }: Known): Executor {
  const { session, nestedIndex } = internalsOf(manager);
  const own = connections.get(manager);
  if (own || nestedIndex === undefined) return own ?? database;

  return getOrInsert(
    getOrInsert(transactions, session, () => new Map<number, DrizzleConnection>()),
    nestedIndex,
    () => new DrizzleConnection(database, () => Promise.resolve(driver.wrap(session.client)), nestedIndex + 1),
  );
}

/**
 * Drizzle's database on a connection of ours: what hooks are given. Its transactions are savepoints of the connection's.
 *
 * @param given The database, transaction or manager that the service works with.
 */
export function managerOf(connection: DrizzleConnection, given: DrizzleDatabase, db: DrizzleDatabase): DrizzleDatabase {
  const { dialect, session, mode, _ } = internalsOf(db);
  const { native } = connection.current!;
  // In a transaction that it has begun, and where all work shares a connection, Drizzle is on it already.
  const manager =
    connection.outer > 0 || connection.database.dialect.sharedConnection
      ? (Object.create(given) as DrizzleDatabase)
      : new (db.constructor as Constructor<DrizzleDatabase>)(
          dialect,
          new (session.constructor as Constructor<object>)(native, dialect, session.schema, session.options ?? {}),
          { ..._ },
          mode,
        );
  connections.set(manager, connection);
  const transaction = (work: (inner: object) => Promise<unknown>) =>
    inTransaction(connection, () => work(Object.assign(managerOf(connection, given, db), { rollback })));

  return Object.assign(manager, { transaction });
}

function rollback(): never {
  throw new TransactionRollbackError();
}

type Constructor<T> = new (...parameters: unknown[]) => T;

class DrizzleSqlDatabase implements Database {
  readonly dialect: Database['dialect'];
  readonly options = DEFAULT_OPTIONS;
  readonly returns: Database['returns'];
  readonly makesUuids: boolean;
  readonly isReplicated = false;
  readonly isolation = undefined;
  readonly listeners = NO_LISTENERS;

  constructor(
    readonly db: DrizzleDatabase,
    private readonly driver: Driver,
  ) {
    const { dialect, isShared } = driver;
    const returns = dialect.name !== 'mysql';
    this.dialect = isShared ? { ...dialect, sharedConnection: true } : dialect;
    this.returns = { insert: returns, update: returns };
    this.makesUuids = dialect.name === 'postgres';
  }

  /** Read late, since only a connection tells. */
  get server(): Database['server'] {
    return { isMariaDb: this.driver.isMariaDb === true, isUtc: true, hasOldSpatialNames: false };
  }

  readonly quote = (name: string): string => {
    const mark = this.dialect.name === 'mysql' ? '`' : '"';

    return mark + name.replaceAll(mark, mark + mark) + mark;
  };

  readonly placeholder = (position: number): string => (this.dialect.name === 'postgres' ? `$${position + 1}` : '?');

  /** Asked each time, since the parsers are known once a connection was opened. */
  readonly findTextQuery = (): TextQuery | undefined => {
    const { texts } = this.driver;

    return texts && queryForTexts({ ...texts, database: this });
  };

  connect(): Connection {
    return new DrizzleConnection(this, () => this.driver.connect(), 0);
  }
}
