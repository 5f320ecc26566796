import { AsyncLocalStorage } from 'node:async_hooks';
import type { Connection, Database } from '../database/database.js';

/** Work with exclusive use of a shared connection. */
interface Use {
  /** What is shared: a database whose work all runs on one connection, or the connection of a transaction. */
  readonly shared: Database | Connection;
  /** The use that the work was started in. */
  readonly outer: Use | undefined;
  /**
   * False once the work has ended: work that it left running in the background does not own the connection any more.
   */
  active: boolean;
}

const ownUses = new AsyncLocalStorage<Use>();

/** Tail of the queue for a connection, or for work nested in a use. */
const queues = new WeakMap<Database | Connection | Use, Promise<unknown>>();

/**
 * Runs work when a shared connection (SQLite) is free; on other databases at once. Nested work (a subscriber that
 * calls a service) does not wait for the outer work.
 */
export function serialized<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return database.dialect.sharedConnection ? enqueue(database, work) : work();
}

/**
 * Runs work in a transaction when no other work of {@link queueWork} runs in it: savepoints of two must not overlap.
 */
export function queueWork<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  return enqueue(connection.database.dialect.sharedConnection ? connection.database : connection, work);
}

/**
 * The outermost work that the caller is part of and that has a database's only connection; undefined if it has several,
 * or the caller is part of none.
 */
export function findOwnUse(database: Database): Readonly<Pick<Use, 'active'>> | undefined {
  let found: Use | undefined;

  for (let use = ownUses.getStore(); use; use = use.outer) if (use.active && use.shared === database) found = use;

  return found;
}

/** Runs work when all that was queued before for the same has ended. */
export function enqueue<T>(shared: Use['shared'], work: () => Promise<T>): Promise<T> {
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
