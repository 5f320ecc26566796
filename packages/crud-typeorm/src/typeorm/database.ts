/** TypeORM's data source as a database. */
import { getOrInsert } from '@nestwright/crud/adapter';
import {
  type Connection,
  type Database,
  type DatabaseOptions,
  DEFAULT_OPTIONS,
  type Dialect,
  enqueue,
  type Executor,
  type Isolation,
  type Listeners,
  type Server,
} from '@nestwright/sql';
import type { DataSource, EntityManager } from 'typeorm';
import { getDialect } from './dialect-of.js';
import { DataSourceListeners } from './listeners.js';
import { toConnection } from './runner-connection.js';
import { makeTextQueryFinder } from './text-rows.js';

const databases = new WeakMap<DataSource, DataSourceDatabase>();

export function toDatabase(dataSource: DataSource): DataSourceDatabase {
  return getOrInsert(databases, dataSource, () => new DataSourceDatabase(dataSource));
}

/** What the statements of a manager run on: its connection, if it is bound to one. */
export function toExecutor({ queryRunner, connection }: EntityManager): Executor {
  return queryRunner ? toConnection(queryRunner, toDatabase(connection)) : toDatabase(connection);
}

class DataSourceDatabase implements Database {
  readonly dialect: Dialect;
  readonly isReplicated: boolean;
  readonly isolation: Isolation | undefined;
  readonly listeners: Listeners;
  readonly findTextQuery: Database['findTextQuery'];
  options: DatabaseOptions = DEFAULT_OPTIONS;

  constructor(private readonly dataSource: DataSource) {
    const { driver, options } = dataSource;
    this.dialect = getDialect(dataSource);
    this.isReplicated = driver.isReplicated;
    this.isolation = (options as { readonly isolationLevel?: Isolation }).isolationLevel;
    this.listeners = new DataSourceListeners(dataSource);
    this.findTextQuery = makeTextQueryFinder(dataSource, this);
  }

  get returns(): Database['returns'] {
    return findReturns(this.dataSource, this.dialect);
  }

  get makesUuids(): boolean {
    return this.dataSource.driver.isUUIDGenerationSupported();
  }

  /** Read late, since it may depend on the server's version. */
  get server(): Server {
    const { options, driver } = this.dataSource;
    const { timezone, legacySpatialSupport } = options as { timezone?: unknown; legacySpatialSupport?: boolean };

    return {
      // The data source's type may be `mysql` for MariaDB, too; versions of MySQL have a one-digit major number.
      isMariaDb: options.type === 'mariadb' || /^\d\d|mariadb/i.test(driver.version ?? ''),
      isUtc: timezone === 'Z' || timezone === '+00:00',
      hasOldSpatialNames: legacySpatialSupport === true,
    };
  }

  readonly quote = (name: string): string => this.dataSource.driver.escape(name);

  readonly placeholder = (position: number): string => this.dataSource.driver.createParameter('p', position);

  connect(use: 'read' | 'write'): Connection {
    // TypeORM's cache writes through a master runner; with any other it would wait for a second connection while
    // holding this one.
    const mode = use === 'read' && this.isReplicated ? 'slave' : 'master';

    return toConnection(this.dataSource.createQueryRunner(mode), this).use();
  }
}

/** TypeORM's drivers say so of all their servers but SQLite's, of which `sqlite` discards the rows. */
function findReturns({ driver, options }: DataSource, { name }: Dialect): Database['returns'] {
  const insert = name === 'sqlite' ? options.type !== SQLITE3 : driver.isReturningSqlSupported('insert');

  return { insert, update: name === 'mysql' ? false : insert };
}

const SQLITE3: string = 'sqlite';

const serializing = new WeakSet<EntityManager>();

/**
 * Serializes the transactions that the application begins by `dataSource.transaction()` or
 * `repository.manager.transaction()`, too, if all share one connection: a request in between would otherwise be part of
 * one, and lost when it is rolled back.
 */
export function serializeTransactions(dataSource: DataSource): void {
  const { manager } = dataSource;
  const database = toDatabase(dataSource);
  if (serializing.has(manager) || !database.dialect.sharedConnection) return;

  serializing.add(manager);
  const transaction = manager.transaction.bind(manager) as (...parameters: unknown[]) => Promise<unknown>;
  manager.transaction = (...parameters: unknown[]) => enqueue(database, () => transaction(...parameters)) as never;
}
