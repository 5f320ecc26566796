/** A server that is told what to answer, and a client of it. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crudClient, type CrudError } from '../src/index.js';
import type { User } from './entities.js';
import { json, type Reply } from './replies.js';

type Seen = { readonly line: string; readonly headers: IncomingMessage['headers']; readonly body: string };

/** What the server has seen in a test, and its replies: the last one is repeated. */
export const told = { baseUrl: '', seen: [] as Seen[], replies: [] as Reply[] };

export function tellServer(): void {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      told.seen.push({ line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString() });
      (told.replies.length > 1 ? told.replies.shift()! : told.replies[0]!)(response);
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    told.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    told.seen = [];
    told.replies = [json(200, {})];
  });
}

export type Ask = NonNullable<Parameters<ReturnType<typeof users>['getMany']>[0]>;
export const users = (options: object = {}) => crudClient<User>()('/users', { baseUrl: told.baseUrl, ...options });
export const lines = () => told.seen.map(({ line }) => line);
export const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: CrudError) => error,
  );

/** What a call fails with that is answered so. */
export const failureOf = (reply: Reply, call: () => Promise<unknown>) => {
  told.replies = [reply];
  return failure(call());
};

export const olderThan3: Ask = (query) => query.setFilter(['age', '$gt', 3]);
