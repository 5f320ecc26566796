/** A Galera cluster of three nodes behind HAProxy, with one writer: nodes die, lose their quorum and return under load. */
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import { createConnection } from 'mysql2/promise';
import { type RunningService, startService } from '../operations/service.js';
import { Load, lostWrites, report } from './load.js';
import { freePorts, haproxyConfig, Programs, until } from './programs.js';

interface Node {
  readonly name: string;
  readonly port: number;
  readonly cluster: number;
  readonly transfer: number;
  readonly increments: number;
  readonly check: number;
}

const TIMEOUTS =
  'evs.keepalive_period=PT0.3S;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.install_timeout=PT4S';
const programs = new Programs('galera');
const checks: Server[] = [];
let nodes: Node[] = [];
let entrance: number;
let service: RunningService;

async function query(node: Node, sql: string): Promise<Record<string, string>[]> {
  const connection = await createConnection({
    host: '127.0.0.1',
    port: node.port,
    user: 'root',
    connectTimeout: 1_000,
  });
  try {
    return (await connection.query({ sql, timeout: 2_000 }))[0] as Record<string, string>[];
  } finally {
    connection.destroy();
  }
}

async function isSynced(node: Node): Promise<boolean> {
  const rows = await query(node, `SHOW STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_local_state')`);

  return (
    rows
      .map(({ Value }) => Value)
      .sort()
      .join() === '4,ON'
  );
}

function start(node: Node, ...more: string[]): void {
  const provider = `gmcast.listen_addr=tcp://127.0.0.1:${node.cluster};ist.recv_addr=127.0.0.1:${node.increments};${TIMEOUTS}`;
  programs.start(node.name, '/usr/sbin/mariadbd', [
    '--no-defaults',
    `--datadir=${join(programs.home, node.name)}`,
    `--port=${node.port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(programs.home, `${node.name}.sock`)}`,
    '--innodb-buffer-pool-size=32M',
    '--innodb-flush-log-at-trx-commit=2',
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--max-statement-time=5',
    '--innodb-lock-wait-timeout=2',
    '--wsrep-on=ON',
    '--wsrep-provider=/usr/lib/galera/libgalera_smm.so',
    `--wsrep-cluster-address=gcomm://${nodes.map(({ cluster }) => `127.0.0.1:${cluster}`).join()}`,
    '--wsrep-node-address=127.0.0.1',
    `--wsrep-node-name=${node.name}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${node.transfer}`,
    `--wsrep-provider-options=${provider}`,
    ...more,
  ]);
}

beforeAll(async () => {
  const ports = await freePorts(16);
  entrance = ports.pop()!;
  nodes = [0, 1, 2].map((index) => {
    const [port, cluster, transfer, increments, check] = ports.slice(index * 5, index * 5 + 5) as [
      number,
      number,
      number,
      number,
      number,
    ];

    return { name: `node${index}`, port, cluster, transfer, increments, check };
  });
  for (const [index, node] of nodes.entries()) {
    const data = programs.folder(node.name);
    await programs.run('mariadb-install-db', [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ]);
    start(node, ...(index === 0 ? ['--wsrep-new-cluster'] : []));
    await until(`${node.name} is synced`, () => isSynced(node)).catch((error: Error) => {
      throw new Error(`${error.message}\n${programs.tail(node.name)}`);
    });
    checks.push(
      createServer((_, response) => {
        void isSynced(node)
          .catch(() => false)
          .then((synced) => response.writeHead(synced ? 200 : 503).end());
      }).listen(node.check, '127.0.0.1'),
    );
  }
  await query(nodes[0]!, 'CREATE DATABASE trial');
  const servers = nodes.map(({ port, check }) => ({ port, checkPort: check }));
  const config = programs.file('haproxy.cfg', haproxyConfig(entrance, 'option httpchk GET /', servers, true));
  programs.start('haproxy', '/usr/sbin/haproxy', ['-db', '-f', config]);
  const connection = {
    type: 'mariadb',
    host: '127.0.0.1',
    port: entrance,
    username: 'root',
    database: 'trial',
    poolSize: 6,
  };
  await until(
    'the entrance answers',
    async () => (await query({ ...nodes[0]!, port: entrance }, 'SELECT 1')).length === 1,
  );
  service = await startService({ ...connection, connectTimeout: 2_000 }, new ExpressAdapter());
}, 240_000);

afterAll(async () => {
  await service?.app.close();
  checks.forEach((server) => server.close());
  await programs.remove();
}, 60_000);

test('nothing acknowledged is lost, and each answer is 2xx, 409 or 503 with Retry-After', async () => {
  const [writer, second, third] = nodes as [Node, Node, Node];
  const load = new Load(service.url);
  await sleep(3_000);

  await programs.kill(writer.name);
  await load.untilWritten();
  await sleep(2_000);
  start(writer);
  await until('the killed node is synced again', () => isSynced(writer));
  await sleep(3_000);

  // The others do not answer, so that the writer is without a quorum.
  for (const { name } of [second, third]) programs.signal(name, 'SIGSTOP');
  await until('the writer is without a quorum', async () => !(await isSynced(writer)));
  await sleep(3_000);
  for (const { name } of [second, third]) programs.signal(name, 'SIGCONT');
  await load.untilWritten();
  await sleep(3_000);

  await load.stop();
  report('Galera: the writer killed, restarted, cut off from the others', load);
  for (const node of nodes) {
    await until(`${node.name} is synced`, () => isSynced(node));
    await query(node, 'SET GLOBAL wsrep_sync_wait = 1');
    const rows = await query(node, 'SELECT id, name FROM trial.items');
    expect(lostWrites(load.expected, rows as never)).toEqual([]);
  }
  expect(load.wrong).toEqual([]);
  expect(load.expected.size).toBeGreaterThan(50);
}, 300_000);

test('with wsrep_sync_wait, another node answers what was written a moment ago', async () => {
  const [writer, , third] = nodes as [Node, Node, Node];
  for (let turn = 0; turn < 20; turn += 1) {
    await query(writer, `INSERT INTO trial.items (name) VALUES ('read ${turn}')`);
    expect(await query(third, `SELECT name FROM trial.items WHERE name = 'read ${turn}'`)).toHaveLength(1);
  }
});

test('conflicts of two writers are retried or a 409', async () => {
  const [first, second] = nodes as [Node, Node];
  const connect = ({ port }: Node) =>
    startService(
      { type: 'mariadb', host: '127.0.0.1', port, username: 'root', database: 'trial', poolSize: 4 },
      new ExpressAdapter(),
    );
  const services = [await connect(first), await connect(second)];
  const headers = { 'content-type': 'application/json' };
  const answers = new Map<number, number>();
  const patch = async (url: string, name: string) => {
    const body = JSON.stringify({ name });
    const { status } = await fetch(`${url}/items/${id}`, { method: 'PATCH', headers, body });
    answers.set(status, (answers.get(status) ?? 0) + 1);
  };
  const [{ id }] = (await query(first, 'SELECT MIN(id) AS id FROM trial.items')) as [{ id: string }];
  try {
    for (let turn = 0; turn < 50; turn += 1)
      await Promise.all(services.flatMap(({ url }, index) => [0, 1].map((at) => patch(url, `${turn} ${index} ${at}`))));
  } finally {
    for (const { app } of services) await app.close();
  }
  process.stdout.write(`Galera: two writers of one row: ${JSON.stringify([...answers])}\n`);
  expect([...answers.keys()].filter((status) => status !== 200 && status !== 409)).toEqual([]);
}, 60_000);
