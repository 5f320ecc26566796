import { isWatched, publish } from '@nestwright/crud/adapter';
import { readErrorCode } from '../errors/fault.js';

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

/** The rows of a result; a number counts streamed ones. */
function countRows(result: unknown): number {
  if (typeof result === 'number') return result;
  if (Array.isArray(result)) return Array.isArray(result[0]) ? result[0].length : result.length;

  const { records, rows } = (result ?? {}) as { readonly records?: unknown; readonly rows?: unknown };
  const list = records ?? rows;

  return Array.isArray(list) ? list.length : 0;
}
