import type { ClientOptions } from './client.types.js';
import { CrudError, type CrudErrorDetails } from './errors.js';
import { type Asking, print } from './print-query.js';
import type { CallOptions } from './resource.types.js';

/**
 * Whether an answer has the shape that the route answers with; it gets no null. Instead of a function `null`: answers
 * are handed over as they come.
 */
export type Fits = ((data: unknown) => unknown) | null;

/** Sends a request. Its only error is a `CrudError`, or the reason of an aborted signal. */
export type Send = (
  method: string,
  place: string,
  fits: Fits,
  order?: CallOptions,
  ask?: Asking,
  body?: Record<string, unknown>,
  // What an answer holds is known to the calls alone.
) => Promise<any>;

/** Methods and places of what may be repeated. A removal by a condition would tell a wrong number the second time. */
const IDEMPOTENT = /^(GET|PUT|DELETE\/(?!bulk))/;
/** Creations, which are so if they change the record that is there. */
const CREATION = /^POST(\/bulk)?$/;
/** Longer waits are left to the caller, in seconds. */
const LONGEST_WAIT = 30;
/** Milliseconds before the first repetition; each further one waits twice as long. */
const FIRST_WAIT = 200;

/** The tags of records that were read or written by themselves. */
export const tags = new WeakMap<object, string>();

export const isRow = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

export function makeSender(path: string, options: ClientOptions): Send {
  const { baseUrl = '', retries = 2, onConflict } = options;

  return async (method, place, fits, order = {}, ask, body) => {
    const url = baseUrl + path + place + print(ask);
    const route = method + place;
    // A conditional write that was done would be refused the second time.
    const isConditional = order.headers?.['if-match'] ?? body?.['version'];
    const isRepeatable = !isConditional && (IDEMPOTENT.test(route) || (onConflict && CREATION.test(route)));

    for (let attempt = 0; ; attempt += 1) {
      stopIfAborted(order);
      try {
        return await sendOnce(method, url, fits, order, body, options);
      } catch (error) {
        stopIfAborted(order);
        const { status, code, retryAfter = 0 } = error as CrudError;
        // The attempt before may have removed it, although no answer came.
        if (attempt && method === 'DELETE' && status === 404) return undefined;
        const isPassing = status === 503 || code === 'CLIENT_NETWORK';
        if (!isRepeatable || !isPassing || attempt >= retries || retryAfter > LONGEST_WAIT) throw error;

        await wait(Math.max(retryAfter * 1000, FIRST_WAIT * 2 ** attempt * (0.5 + Math.random())), order);
      }
    }
  };
}

function wait(time: number, { signal }: CallOptions): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function sendOnce(
  method: string,
  url: string,
  fits: Fits,
  { signal, headers }: CallOptions,
  body: Record<string, unknown> | undefined,
  { headers: own, timeout = 30_000, reviver, fetch = globalThis.fetch }: ClientOptions,
): Promise<unknown> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  const timer = setTimeout(() => {
    // Not every platform's signals have a reason.
    isLate = true;
    stop();
  }, timeout);
  const fail = (what: string, code: 'INVALID_RESPONSE' | 'TIMEOUT' | 'NETWORK', details?: CrudErrorDetails) =>
    new CrudError(`${method} ${url} ${what}`, { ...details, code: `CLIENT_${code}` });
  let isOpen = false;
  let isLate = false;
  signal?.addEventListener('abort', stop);

  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(typeof own === 'function' ? await own() : own),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body ? JSON.stringify(body, printBigInt) : null,
      signal: abort.signal,
    });
    const { ok, status, statusText, headers: answered } = response;
    // What is still read can still be aborted.
    if (!fits && (isOpen = ok)) return response;

    const text = await response.text();
    const data = parse(text, reviver);
    if (!ok) {
      const { message, code, field } = (data ?? {}) as CrudErrorDetails & { readonly message?: string | string[] };
      const messages = [message ?? (statusText || String(status))].flat();
      const retryAfter = Number(answered.get('retry-after')) || undefined;

      throw new CrudError(messages.join(', '), { status, code, field, messages, retryAfter });
    }
    if (!fits!(data ?? text)) throw fail('was not answered by a resource', 'INVALID_RESPONSE', { status });

    const tag = answered.get('etag');
    if (tag && isRow(data)) tags.set(data, tag);

    return data;
  } catch (cause) {
    if (cause instanceof CrudError) throw cause;
    throw isLate
      ? fail(`took longer than ${timeout} ms`, 'TIMEOUT')
      : fail(`failed: ${String(cause)}`, 'NETWORK', { cause });
  } finally {
    clearTimeout(timer);
    if (!isOpen) signal?.removeEventListener('abort', stop);
  }
}

/** Not every platform's signals have `throwIfAborted`, or a reason. */
function stopIfAborted({ signal }: CallOptions): void {
  if (signal?.aborted) throw (signal.reason as Error | undefined) ?? new Error('Aborted');
}

function printBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** What an answer holds; undefined if it is no JSON, or nothing. */
function parse(text: string, reviver: ClientOptions['reviver']): unknown {
  try {
    return JSON.parse(text, reviver as never);
  } catch {
    return undefined;
  }
}
