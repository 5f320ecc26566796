import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { getDialect } from './dialect/dialect-of.js';

/** Work with exclusive use of a shared connection. */
interface Use {
  /** What is shared: a data source whose work all runs on one connection, or the runner of a transaction. */
  readonly shared: DataSource | QueryRunner;
  /** The use that the work was started in. */
  readonly outer: Use | undefined;
  /**
   * False once the work has ended: work that it left running in the background does not own the connection any more.
   */
  active: boolean;
}

const ownUses = new AsyncLocalStorage<Use>();

/** Tail of the queue for a connection, or for work nested in a use. */
const queues = new WeakMap<DataSource | QueryRunner | Use, Promise<unknown>>();

/**
 * Runs work when a shared connection (SQLite) is free; on other databases at once. Nested work (a subscriber that
 * calls a service) does not wait for the outer work.
 */
export function serialized<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  return getDialect(dataSource).sharedConnection ? enqueue(dataSource, work) : work();
}

/**
 * Runs work in a transaction when no other work of {@link queueWork} runs in it: savepoints of two must not overlap.
 */
export function queueWork<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  return enqueue(getDialect(runner.connection).sharedConnection ? runner.connection : runner, work);
}

/**
 * The outermost work that the caller is part of and that has a data source's only connection; undefined if the data
 * source has several, or the caller is part of none.
 */
export function findOwnUse(dataSource: DataSource): Readonly<Pick<Use, 'active'>> | undefined {
  let found: Use | undefined;

  for (let use = ownUses.getStore(); use; use = use.outer) if (use.active && use.shared === dataSource) found = use;

  return found;
}

const serializing = new WeakSet<EntityManager>();

/**
 * Serializes the transactions that the application begins by `dataSource.transaction()` or
 * `repository.manager.transaction()`, too, if all share one connection: a request in between would otherwise be part of
 * one, and lost when it is rolled back.
 */
export function serializeTransactions(dataSource: DataSource): void {
  const { manager } = dataSource;
  if (serializing.has(manager) || !getDialect(dataSource).sharedConnection) return;

  serializing.add(manager);
  const transaction = manager.transaction.bind(manager) as (...parameters: unknown[]) => Promise<unknown>;
  manager.transaction = (...parameters: unknown[]) => enqueue(dataSource, () => transaction(...parameters)) as never;
}

function enqueue<T>(shared: Use['shared'], work: () => Promise<T>): Promise<T> {
  const outer = ownUses.getStore();
  const queue = innermostUse(shared, outer) ?? shared;
  const use: Use = { shared, outer, active: true };
  const result = (queues.get(queue) ?? Promise.resolve()).then(() => ownUses.run(use, work));
  const end = result.then(
    () => void (use.active = false),
    () => void (use.active = false),
  );

  queues.set(queue, end);

  return result;
}

function innermostUse(shared: Use['shared'], innermost: Use | undefined): Use | undefined {
  for (let use = innermost; use; use = use.outer) if (use.active && use.shared === shared) return use;

  return undefined;
}
