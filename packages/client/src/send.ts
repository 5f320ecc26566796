import type { ClientOptions } from './client.types.js';
import { CrudError, type CrudErrorDetails } from './errors.js';
import type { CallOptions } from './resource.types.js';

/** What is sent beside method and path. */
export interface Order extends CallOptions {
  readonly body?: unknown;
}

/** Whether an answer has the shape that the route answers with; `null`: it is handed over as it comes. */
export type Fits = ((data: unknown) => unknown) | null;

/** Sends a request. Its only error is a `CrudError`, or the reason of an aborted signal. */
// What an answer holds is known to the calls alone.
export type Send = (method: string, place: string, order: Order | undefined, fits: Fits) => Promise<any>;

/** A removal by a condition would tell a wrong number the second time. */
const IDEMPOTENT = /^(?:GET|PUT|DELETE \/(?!bulk))/;
/** Longer waits are left to the caller, in seconds. */
const LONGEST_WAIT = 30;
/** Milliseconds before the first repetition; each further one waits twice as long. */
const FIRST_WAIT = 200;

/** The tags of records that were read or written by themselves. */
export const tags = new WeakMap<object, string>();

export const isRow = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

export function makeSender(path: string, options: ClientOptions): Send {
  return async (method, place, order = {}, fits) => {
    const { signal, headers, body } = order;
    const url = (options.baseUrl ?? '') + path + place;
    // A conditional write that was done would be refused the second time.
    const isConditional = headers?.['if-match'] ?? (isRow(body) && 'version' in body);
    const retries = IDEMPOTENT.test(`${method} ${place}`) && !isConditional ? (options.retries ?? 2) : 0;

    for (let attempt = 0; ; attempt += 1) {
      stopIfAborted(signal);
      try {
        return await sendOnce(method, url, order, fits, options);
      } catch (error) {
        stopIfAborted(signal);
        const { status, code, retryAfter = 0 } = error as CrudError;
        // The attempt before may have removed it, although no answer came.
        if (attempt && method === 'DELETE' && status === 404) return undefined;
        if (attempt >= retries || retryAfter > LONGEST_WAIT || (status !== 503 && code !== 'CLIENT_NETWORK'))
          throw error;

        await wait(Math.max(retryAfter * 1000, FIRST_WAIT * 2 ** attempt * (0.5 + Math.random())), signal);
      }
    }
  };
}

function wait(time: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

async function sendOnce(
  method: string,
  url: string,
  { signal, body, headers }: Order,
  fits: Fits,
  { headers: own, timeout = 30_000, reviver, fetch = globalThis.fetch }: ClientOptions,
): Promise<unknown> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  const timer = setTimeout(() => abort.abort('late'), timeout);
  let isOpen = false;
  signal?.addEventListener('abort', stop);

  try {
    const hasBody = body !== undefined;
    const response = await fetch(url, {
      method,
      headers: {
        ...(typeof own === 'function' ? await own() : own),
        ...(hasBody && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: hasBody ? JSON.stringify(body, printBigInt) : null,
      signal: abort.signal,
    });
    // What is still read can still be aborted.
    if (!fits && (isOpen = response.ok)) return response;

    const text = await response.text();
    const data = parse(text, reviver);
    if (!response.ok) throw makeRefusal(response, data);
    if (!fits!(data ?? text)) throw fail('was not answered by a resource', 'INVALID_RESPONSE', response);

    const tag = response.headers.get('etag');
    if (tag && isRow(data)) tags.set(data, tag);

    return data;
  } catch (cause) {
    if (cause instanceof CrudError) throw cause;
    throw abort.signal.reason === 'late'
      ? fail(`took longer than ${timeout} ms`, 'TIMEOUT')
      : fail(`failed: ${String(cause)}`, 'NETWORK', { cause });
  } finally {
    clearTimeout(timer);
    if (!isOpen) signal?.removeEventListener('abort', stop);
  }

  function fail(what: string, code: 'INVALID_RESPONSE' | 'TIMEOUT' | 'NETWORK', details?: CrudErrorDetails) {
    const { status, cause } = details ?? {};

    return new CrudError(`${method} ${url} ${what}`, { status, cause, code: `CLIENT_${code}` });
  }
}

/** Not every platform's signals have `throwIfAborted`, or a reason. */
function stopIfAborted(signal: AbortSignal | undefined): void {
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

function makeRefusal({ status, statusText, headers }: Response, body: unknown): CrudError {
  const { message, code, field } = (body ?? {}) as CrudErrorDetails & { readonly message?: string | string[] };
  const messages = [message ?? (statusText || String(status))].flat();

  return new CrudError(messages.join(', '), {
    status,
    code,
    field,
    messages,
    retryAfter: Number(headers.get('retry-after')) || undefined,
  });
}
