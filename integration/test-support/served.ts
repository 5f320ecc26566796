/** Runs a suite once per database and HTTP platform, each time against an application of its own, over real HTTP. */
import { afterAll, beforeAll } from '@jest/globals';
import { describeDatabases, type TestDatabase } from './databases.js';
import type { Served } from './listening.js';
import { describePlatforms, type HttpPlatform } from './platforms.js';

type Headers = Record<string, string>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An answer: its status, its headers, its text, and the text read as JSON where it is some. */
export interface Answer {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly text: string;
  // Bodies are whatever the routes answer; the tests assert their shape.
  readonly body: any;
}

export interface Api {
  get(path: string, headers?: Headers): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  delete(path: string, headers?: Headers): Promise<Answer>;
  /** Sends a body as it stands, under `content-type: application/json`. */
  raw(method: Method, path: string, body: string): Promise<Answer>;
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param every headers of all requests */
export function clientOf(origin: () => string, every: Headers = {}): Api {
  const send = async (method: Method, path: string, body?: string, headers?: Headers): Promise<Answer> => {
    const response = await fetch(origin() + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...every, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: read(text) };
  };
  const sendJson = (method: Method) => (path: string, body?: unknown, headers?: Headers) =>
    send(method, path, body === undefined ? undefined : JSON.stringify(body), headers);
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    post: sendJson('POST'),
    put: sendJson('PUT'),
    patch: sendJson('PATCH'),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    raw: send,
  };
}

/** Serves an application from a database, whose tables it makes and fills, on a platform. */
export type Serve<T extends Served> = (options: { databaseUrl: string; http: HttpPlatform }) => Promise<T>;

/**
 * Runs a suite against an application of its own on every database of the run and on both HTTP platforms.
 *
 * @param body is given what is running, which is there from the first `beforeAll` on
 */
export function describeServed<T extends Served>(
  name: string,
  serve: Serve<T>,
  body: (running: () => T, database: TestDatabase, platform: HttpPlatform) => void,
): void {
  describePlatforms(name, (platform) =>
    describeDatabases(platform, (database) => {
      let running: T;

      beforeAll(async () => {
        running = await serve({ databaseUrl: database.url, http: platform });
      }, 60_000);
      afterAll(() => running?.close());
      body(() => running, database, platform);
    }),
  );
}
