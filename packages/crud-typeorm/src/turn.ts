/** Work on a data source goes in and waits where all share one connection, until nobody else uses it; refuses nothing. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource } from 'typeorm';
import { dialectOf } from './dialect/dialect-of.js';

/** One stretch of work that has a shared connection for itself. */
interface Turn {
  readonly dataSource: DataSource;
  /** False once the work has ended; what it left running in the background does not own the connection any more. */
  active: boolean;
}

const ownTurns = new AsyncLocalStorage<Turn>();

/** End of the queue of a data source, or of the work nested in a turn. */
const queues = new WeakMap<DataSource | Turn, Promise<unknown>>();

/**
 * Runs work when nobody else uses the connection, where all of a data source's work shares one (SQLite); elsewhere at once. Work that is started from within
 * such work (a subscriber that calls a service) does not wait for its own end.
 *
 * @example
 * const users = await inTurn(dataSource, () => repository.find());
 */
export function inTurn<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  if (!dialectOf(dataSource).sharedConnection) {
    return work();
  }

  const outer = ownTurns.getStore();
  const queue = outer?.active && outer.dataSource === dataSource ? outer : dataSource;
  const turn: Turn = { dataSource, active: true };
  const result = (queues.get(queue) ?? Promise.resolve()).then(() => ownTurns.run(turn, work));
  const end = result.then(
    () => void (turn.active = false),
    () => void (turn.active = false),
  );

  queues.set(queue, end);

  return result;
}
