/**
 * Transactions that a service joins without `within()`: its own `transaction()`, and those of
 * `@nestjs-cls/transactional`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { outerTransactions } from '@nestwright/crud/adapter';
import { type BeginOptions, inTransaction } from '@nestwright/sql';
import { type DataSource, EntityManager } from 'typeorm';
import type { DATA_SOURCE } from './within.js';
import { toExecutor } from './typeorm/database.js';
import { getRunner } from './typeorm/runner-connection.js';

/** Default number of retries of an application's transaction. */
const RETRIES = 2;

/** Options of {@link TypeOrmCrudService.transaction}. They are ignored if it joins an open transaction. */
export interface TransactionOptions {
  /**
   * Isolation level: `'READ COMMITTED'`, `'REPEATABLE READ'`, `'SERIALIZABLE'` …; SQLite is always serializable.
   * Default: that of the data source.
   */
  isolation?: BeginOptions['isolation'];
  /** How often the whole work is repeated after a deadlock or a serialization failure. Default: 2. */
  retries?: number;
}

interface Ambient {
  readonly manager: EntityManager;
  /** The enclosing transaction, possibly of another data source. */
  readonly outer: Ambient | undefined;
}

const ambient = new AsyncLocalStorage<Ambient>();

interface JoinableService {
  readonly [DATA_SOURCE]: DataSource;
  within(manager: EntityManager): this;
}

/**
 * The service, joined to the caller's current transaction; the service itself if there is none, or if it has joined
 * one already.
 */
export function joined<S extends JoinableService>(service: S, own: EntityManager | undefined): S {
  if (!own || own.queryRunner) return service;

  const manager = ambientManager(own.connection);

  return manager ? service.within(manager) : service;
}

/** Runs work in a transaction, which services of the data source join wherever the work calls them. */
export function inAmbientTransaction<T>(
  manager: EntityManager,
  work: (manager: EntityManager) => Promise<T>,
  { isolation, retries = RETRIES }: TransactionOptions,
): Promise<T> {
  const outer = ambient.getStore();

  return inTransaction(
    toExecutor(chooseManager(manager)),
    (connection) => {
      const { manager: inner } = getRunner(connection);

      return ambient.run({ manager: inner, outer }, () => work(inner));
    },
    { isolation, retries },
  );
}

function chooseManager(manager: EntityManager): EntityManager {
  return manager.queryRunner ? manager : (ambientManager(manager.connection) ?? manager);
}

function ambientManager(dataSource: DataSource): EntityManager | undefined {
  for (let one = ambient.getStore(); one; one = one.outer) if (isOpen(one.manager, dataSource)) return one.manager;

  return outerTransactions().find(
    (transaction): transaction is EntityManager =>
      transaction instanceof EntityManager && isOpen(transaction, dataSource),
  );
}

function isOpen({ connection, queryRunner }: EntityManager, dataSource: DataSource): boolean {
  return connection === dataSource && queryRunner?.isTransactionActive === true && !queryRunner.isReleased;
}
