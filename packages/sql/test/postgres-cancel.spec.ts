/** PostgreSQL's cancel request, as a server receives it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cancelRequest } from '../src/dialect/postgres-cancel.js';

const received: Buffer[] = [];
const servers: Server[] = [];
let folder: string;

const listen = async (path?: string) => {
  const server = createServer((socket) => void socket.on('data', (data) => received.push(data)));
  servers.push(server);
  server.listen(path ?? { port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  return server.address() as AddressInfo;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cancel-'));
});
afterAll(async () => {
  for (const server of servers) server.close();
  await rm(folder, { recursive: true });
});

test.each([
  ['host and port', async () => ({ host: '127.0.0.1', port: String((await listen()).port) })],
  ['a folder of sockets', async () => (await listen(join(folder, '.s.PGSQL.5433')), { host: folder, port: 5433 })],
])('is sent to %s', async (_, address) => {
  const client = { ...(await address()), processID: 258, secretKey: 0xfffffffe };
  await cancelRequest(client)();
  expect(received.splice(0).map((request) => request.toString('hex'))).toEqual(['0000001004d2162e00000102fffffffe']);
});

test('is given up where nobody listens', async () => {
  const work = cancelRequest({ host: folder, port: 1, processID: 1, secretKey: 1 })();
  await expect(work).resolves.toBeUndefined();
});

test.each([
  undefined,
  { processID: 1, secretKey: 1 },
  { host: '127.0.0.1', secretKey: 1 },
  { host: '127.0.0.1', processID: 1 },
])('is not sent for a client that does not say where and what: %j', async (given) => {
  const client = given && { ...given, port: (await listen()).port };
  await expect(cancelRequest(client)()).resolves.toBeUndefined();
  expect(received).toEqual([]);
});
