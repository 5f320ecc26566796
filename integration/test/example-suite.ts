/** In: a suite's name and body. Out: the suite once per database and HTTP platform, each against an example application of its own, over real HTTP. */
import { afterAll, beforeAll } from '@jest/globals';
import { describeDatabases, describePlatforms } from '../test-support/index.js';
import { type RunningExample, serveExample } from '../test-support/example.js';

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

/** A client of the running example. */
export interface ExampleApi {
  get(path: string, headers?: Headers): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  delete(path: string, headers?: Headers): Promise<Answer>;
  /** Sends a body as it stands, under `content-type: application/json`. */
  raw(method: Method, path: string, body: string): Promise<Answer>;
  /** Number of records of a list. */
  total(path: string): Promise<number>;
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function clientOf(origin: () => string): ExampleApi {
  const send = async (method: Method, path: string, body?: string, headers?: Headers): Promise<Answer> => {
    const response = await fetch(origin() + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
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
    total: async (path) => {
      const { status, body } = await send('GET', `${path}?page=1&limit=1`);
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
      return body.total;
    },
  };
}

/**
 * Runs a suite against the seeded example on every database of the run and on both HTTP platforms.
 *
 * @example describeExample('companies', (api) => { test('…', async () => expect((await api.get('/companies')).status).toBe(200)); });
 */
export function describeExample(name: string, body: (api: ExampleApi) => void): void {
  describePlatforms(name, (platform) =>
    describeDatabases(platform, (database) => {
      let example: RunningExample;

      beforeAll(async () => {
        example = await serveExample({ databaseUrl: database.url, http: platform });
      }, 60_000);
      afterAll(() => example?.close());

      body(clientOf(() => example.origin));
    }),
  );
}
