/** Work on a connection that several share goes in and waits until nobody else uses it; refuses nothing. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { dialectOf } from './dialect/dialect-of.js';

/** One stretch of work that has a shared connection for itself. */
interface Turn {
  /** What is shared: a data source whose work all runs on one connection, or the runner of a transaction. */
  readonly shared: DataSource | QueryRunner;
  /** The turn that the work was started in. */
  readonly outer: Turn | undefined;
  /** False once the work has ended; what it left running in the background does not own the connection any more. */
  active: boolean;
}

const ownTurns = new AsyncLocalStorage<Turn>();

/** End of the queue of what is shared, or of the work nested in a turn. */
const queues = new WeakMap<DataSource | QueryRunner | Turn, Promise<unknown>>();

/**
 * Runs work when nobody else uses the connection, where all of a data source's work shares one (SQLite); elsewhere at once. Work that is started from within
 * such work (a subscriber that calls a service) does not wait for its own end.
 *
 * @example
 * const users = await inTurn(dataSource, () => repository.find());
 */
export function inTurn<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  return dialectOf(dataSource).sharedConnection ? take(dataSource, work) : work();
}

/**
 * Runs work in a transaction when no other work of {@link inTurnOn} runs in it: savepoints of two must not overlap.
 *
 * @example
 * const stored = await inTurnOn(runner, () => insert(runner, user));
 */
export function inTurnOn<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  return take(dialectOf(runner.connection).sharedConnection ? runner.connection : runner, work);
}

/** The outermost turn that the caller is in, which has a data source's only connection; undefined where the data source has several, or the caller is in none. */
export function turnOn(dataSource: DataSource): Readonly<Pick<Turn, 'active'>> | undefined {
  let found: Turn | undefined;

  for (let turn = ownTurns.getStore(); turn; turn = turn.outer) {
    if (turn.active && turn.shared === dataSource) found = turn;
  }

  return found;
}

const turning = new WeakSet<EntityManager>();

/**
 * Lets the transactions that the application begins by `dataSource.transaction()` or `repository.manager.transaction()` take turns, too, where all share one connection: a
 * request in between would otherwise be part of one, and lost when it is rolled back.
 */
export function takeTurnsInTransactions(dataSource: DataSource): void {
  const { manager } = dataSource;
  if (turning.has(manager) || !dialectOf(dataSource).sharedConnection) return;

  turning.add(manager);
  const transaction = manager.transaction.bind(manager) as (...parameters: unknown[]) => Promise<unknown>;
  manager.transaction = (...parameters: unknown[]) => take(dataSource, () => transaction(...parameters)) as never;
}

function take<T>(shared: Turn['shared'], work: () => Promise<T>): Promise<T> {
  const outer = ownTurns.getStore();
  const queue = ownTurnOn(shared, outer) ?? shared;
  const turn: Turn = { shared, outer, active: true };
  const result = (queues.get(queue) ?? Promise.resolve()).then(() => ownTurns.run(turn, work));
  const end = result.then(
    () => void (turn.active = false),
    () => void (turn.active = false),
  );

  queues.set(queue, end);

  return result;
}

function ownTurnOn(shared: Turn['shared'], innermost: Turn | undefined): Turn | undefined {
  for (let turn = innermost; turn; turn = turn.outer) {
    if (turn.active && turn.shared === shared) return turn;
  }

  return undefined;
}
