/** Two PostgreSQL servers under Patroni behind HAProxy: a switchover, and a primary that dies, under load. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Client } from 'pg';
import { type RunningService, startService } from '../operations/service.js';
import { Load, lostWrites, report } from './load.js';
import { freePorts, haproxyConfig, Programs, until } from './programs.js';

interface Node {
  readonly name: string;
  readonly port: number;
  readonly rest: number;
}

const INSTALLED = '/usr/lib/postgresql';
const programs = new Programs('patroni');
let nodes: Node[] = [];
let etcd: number;
let entrance: number;
let service: RunningService;

async function rowsOf(port: number, sql: string): Promise<{ id: number; name: string }[]> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: 2_000,
  });
  await client.connect();
  try {
    return (await client.query(sql)).rows as { id: number; name: string }[];
  } finally {
    await client.end();
  }
}

const is = async (node: Node, path: 'primary' | 'synchronous') =>
  (await fetch(`http://127.0.0.1:${node.rest}/${path}`)).status === 200;

async function inOrder(): Promise<[Node, Node]> {
  const [first, second] = nodes as [Node, Node];

  return (await is(first, 'primary').catch(() => false)) ? [first, second] : [second, first];
}

function configOf({ name, port, rest }: Node): string {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0]!;

  return `scope: trial
name: ${name}
restapi: { listen: '127.0.0.1:${rest}', connect_address: '127.0.0.1:${rest}' }
etcd3: { host: '127.0.0.1:${etcd}' }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    synchronous_mode: true
    postgresql: { use_pg_rewind: true, parameters: { fsync: 'off', max_connections: 40, shared_buffers: 32MB } }
  initdb: [{ encoding: UTF8 }, { locale: C }]
  pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
postgresql:
  listen: '127.0.0.1:${port}'
  connect_address: '127.0.0.1:${port}'
  data_dir: ${join(programs.home, name)}
  bin_dir: ${join(INSTALLED, newest, 'bin')}
  pgpass: ${join(programs.home, `${name}.pgpass`)}
  authentication:
    superuser: { username: postgres }
    replication: { username: postgres }
  parameters: { unix_socket_directories: ${programs.home} }
`;
}

function start(node: Node): void {
  programs.start(node.name, '/usr/bin/patroni', [join(programs.home, `${node.name}.yml`)]);
}

beforeAll(async () => {
  const ports = await freePorts(7);
  [etcd, entrance] = ports.splice(0, 2) as [number, number];
  const peers = ports.pop()!;
  nodes = [0, 1].map((index) => ({ name: `node${index}`, port: ports[index * 2]!, rest: ports[index * 2 + 1]! }));
  programs.start('etcd', '/usr/bin/etcd', [
    ...['--data-dir', programs.folder('etcd-data')],
    ...['--listen-client-urls', `http://127.0.0.1:${etcd}`, '--advertise-client-urls', `http://127.0.0.1:${etcd}`],
    ...[
      '--listen-peer-urls',
      `http://127.0.0.1:${peers}`,
      '--initial-advertise-peer-urls',
      `http://127.0.0.1:${peers}`,
    ],
    ...['--initial-cluster', `default=http://127.0.0.1:${peers}`],
  ]);
  await until('etcd answers', async () => (await fetch(`http://127.0.0.1:${etcd}/health`)).ok);
  for (const [index, node] of nodes.entries()) {
    programs.file(`${node.name}.yml`, configOf(node));
    start(node);
    await until(`${node.name} is ready`, () => is(node, index === 0 ? 'primary' : 'synchronous')).catch(
      (error: Error) => {
        throw new Error(`${error.message}\n${programs.tail(node.name)}`);
      },
    );
  }
  const servers = nodes.map(({ port, rest }) => ({ port, checkPort: rest }));
  const config = programs.file('haproxy.cfg', haproxyConfig(entrance, 'option httpchk GET /primary', servers, false));
  programs.start('haproxy', '/usr/sbin/haproxy', ['-db', '-f', config]);
  await until('the entrance answers', async () => (await rowsOf(entrance, 'SELECT 1')).length === 1);
  const extra = {
    connectionTimeoutMillis: 2_000,
    statement_timeout: 5_000,
    lock_timeout: 2_000,
    query_timeout: 10_000,
  };
  const connection = {
    type: 'postgres',
    url: `postgres://postgres@127.0.0.1:${entrance}/postgres`,
    poolSize: 6,
    extra,
  };
  service = await startService(connection, new ExpressAdapter());
}, 240_000);

afterAll(async () => {
  await service?.app.close();
  await programs.remove();
}, 60_000);

test('nothing acknowledged is lost, and each answer is 2xx, 409 or 503 with Retry-After', async () => {
  const load = new Load(service.url);
  await sleep(3_000);

  const [leader, follower] = await inOrder();
  const config = join(programs.home, `${leader.name}.yml`);
  await programs.run('patronictl', [
    '-c',
    config,
    'switchover',
    '--master',
    leader.name,
    '--candidate',
    follower.name,
    '--force',
  ]);
  await until('the follower is the primary', () => is(follower, 'primary'));
  await load.untilWritten();
  await until('the former primary follows', () => is(leader, 'synchronous'));
  await sleep(3_000);

  await programs.kill(follower.name);
  await until('the other is the primary', () => is(leader, 'primary'));
  await load.untilWritten();
  await sleep(2_000);
  start(follower);
  await until('the killed one follows', () => is(follower, 'synchronous'));
  await sleep(2_000);

  await load.stop();
  report('Patroni: a switchover, a primary killed', load);
  for (const { port } of [...nodes, { port: entrance }]) {
    await until(
      'the rows are there',
      async () => {
        const rows = await rowsOf(port, 'SELECT id, name FROM items');

        return lostWrites(load.expected, rows).length === 0;
      },
      10_000,
    );
  }
  expect(load.wrong).toEqual([]);
  expect(load.expected.size).toBeGreaterThan(50);
}, 300_000);
