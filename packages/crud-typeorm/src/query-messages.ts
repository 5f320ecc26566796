import { isWatched, publish } from '@nestwright/crud/adapter';
import type { QueryRunner } from 'typeorm';
import { readErrorCode } from './errors/fault.js';

/** Runs a statement and publishes a message about it. */
export function publishedQuery<T>(sql: string, send: () => Promise<T>): Promise<T> {
  return isWatched('nestwright:query') ? sendWatched(sql, send) : send();
}

async function sendWatched<T>(sql: string, send: () => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  const began = performance.now();
  const publishEnd = (end: { readonly failed: boolean; readonly rows?: number; readonly code?: string | undefined }) =>
    publish('nestwright:query', () => ({ sql, startedAt, durationMs: performance.now() - began, ...end }));

  try {
    const result = await send();
    publishEnd({ failed: false, rows: countRows(result) });

    return result;
  } catch (error) {
    publishEnd({ failed: true, code: readErrorCode(error) });

    throw error;
  }
}

const publishing = new WeakSet<QueryRunner>();

/** Runs work on a runner and publishes a message for each of its statements. */
export async function publishingQueries<T>(runner: QueryRunner, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  // On a shared connection the runner is shared too, and calls may be nested.
  if (!isWatched('nestwright:query') || publishing.has(runner)) return work(runner);

  publishing.add(runner);
  const restore = interceptQueries(runner, publishedQuery);

  try {
    return await work(runner);
  } finally {
    publishing.delete(runner);
    restore();
  }
}

/** Passes each statement of a runner through a function, until what comes back is called. */
export function interceptQueries(
  runner: QueryRunner,
  through: (sql: string, send: () => Promise<unknown>) => Promise<unknown>,
): () => void {
  const own = Object.getOwnPropertyDescriptor(runner, 'query');
  const query = runner.query as (this: QueryRunner, ...sent: unknown[]) => Promise<unknown>;
  const value = (...sent: unknown[]) => through(String(sent[0]), () => query.apply(runner, sent));

  Object.defineProperty(runner, 'query', { value, configurable: true, writable: true });

  return () => {
    if (own) Object.defineProperty(runner, 'query', own);
    else Reflect.deleteProperty(runner, 'query');
  };
}

/** The rows of a result; a number counts streamed ones. */
function countRows(result: unknown): number {
  if (typeof result === 'number') return result;
  if (Array.isArray(result)) return Array.isArray(result[0]) ? result[0].length : result.length;

  const { records, rows } = (result ?? {}) as { readonly records?: unknown; readonly rows?: unknown };
  const list = records ?? rows;

  return Array.isArray(list) ? list.length : 0;
}
