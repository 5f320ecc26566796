/** A server that is told what to answer, and a client of it. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crudClient, type CrudError } from '../src/index.js';
import type { User } from './entities.js';

export type Reply = (response: ServerResponse) => void;
export const raw =
  (status: number, body: string, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', connection: 'close', ...headers }).end(body);
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  raw(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
export const cut: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100', connection: 'close' });
  response.write('[{"id": 1');
  setTimeout(() => response.destroy(), 20);
};

export const refused: Reply = (response) => void response.destroy();
export const silent: Reply = () => undefined;
export const SIGN_IN = raw(200, '<html>sign in</html>');
export const NOT_FOUND = json(404, { code: 'CRUD_NOT_FOUND' });

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
