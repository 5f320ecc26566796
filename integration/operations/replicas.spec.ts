/** Replicas of which one is down, and a standby whose recovery ends long reads. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { haproxyConfig, Programs, until } from '../clusters/programs.js';
import { freePort } from '../test-support/free-port.js';
import { POSTGRES_PROGRAMS, PrivatePostgres } from '../test-support/private-postgres.js';
import { ExportsController, type RunningService, startService } from './service.js';

const HAPROXY = '/usr/sbin/haproxy';

/** A port that leads to a server until it is closed. */
class Way {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(to: string) {
    this.server = createServer((incoming) => {
      const outgoing = connect(Number(new URL(to).port), '127.0.0.1');
      for (const socket of [incoming, outgoing]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => [incoming, outgoing].map((one) => one.destroy()));
      }
      incoming.pipe(outgoing).pipe(incoming);
    });
  }

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');

    return `postgres://postgres@127.0.0.1:${(this.server.address() as { port: number }).port}/postgres`;
  }

  close(): void {
    this.server.close();
    this.sockets.forEach((socket) => socket.destroy());
  }
}

(POSTGRES_PROGRAMS ? describe : describe.skip)('replicas · postgres programs', () => {
  let primary: PrivatePostgres;
  let service: RunningService | undefined;

  beforeAll(async () => {
    primary = await PrivatePostgres.create();
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  }, 60_000);
  afterEach(async () => {
    await service?.app.close();
    service = undefined;
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await primary?.remove();
  });

  const start = async (slaves: readonly { url: string }[]) => {
    const connection = { type: 'postgres', replication: { master: { url: primary.url }, slaves } };
    service = await startService(connection, new ExpressAdapter(), { controllers: [ExportsController] });

    return service.url;
  };

  test('with one down, all reads are answered by the other; with none, they are a 503', async () => {
    const ways = [new Way(primary.url), new Way(primary.url)];
    const url = await start(await Promise.all(ways.map(async (way) => ({ url: await way.open() }))));
    const statuses = async (count: number) =>
      Promise.all(Array.from({ length: count }, async () => (await fetch(`${url}/items`)).status));
    await statuses(30);
    ways[0]!.close();
    const answers: number[] = [];
    for (let times = 0; times < 6; times += 1) answers.push(...(await statuses(10)));
    expect(answers.filter((status) => status !== 200)).toEqual([]);
    ways[1]!.close();
    expect(await statuses(3)).toEqual([503, 503, 503]);
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${url}/items`, { method: 'POST', headers, body: '{"name":"still"}' })).status).toBe(201);
  });

  test('a start fails with one down', async () => {
    const ways = [new Way(primary.url), new Way(primary.url)];
    const slaves = await Promise.all(ways.map(async (way) => ({ url: await way.open() })));
    ways[0]!.close();
    await expect(start(slaves)).rejects.toThrow('ECONNREFUSED');
    ways[1]!.close();
  });

  (existsSync(HAPROXY) ? describe : describe.skip)('behind a balancer · haproxy', () => {
    test('a start and all reads succeed with one down', async () => {
      const programs = new Programs('replicas');
      const ways = [new Way(primary.url), new Way(primary.url)];
      const urls = await Promise.all(ways.map((way) => way.open()));
      try {
        const port = await freePort();
        const servers = urls.map((url) => Number(new URL(url).port)).map((own) => ({ port: own, checkPort: own }));
        const check = 'option pgsql-check user postgres\n  option redispatch 1';
        programs.start('haproxy', HAPROXY, [
          '-db',
          '-f',
          programs.file('haproxy.cfg', haproxyConfig(port, check, servers, false)),
        ]);
        const slaves = [{ url: `postgres://postgres@127.0.0.1:${port}/postgres` }];
        const isReady = () =>
          start(slaves).then(
            () => true,
            () => false,
          );
        await until('the balancer answers', isReady);
        const answers: number[] = [];
        const read = async () => {
          for (let turn = 0; turn < 40; turn += 1) {
            answers.push((await fetch(`${service!.url}/items`)).status);
            await sleep(20);
          }
        };
        const reads = Array.from({ length: 6 }, read);
        await sleep(200);
        ways[0]!.close();
        await Promise.all(reads);
        expect(answers.filter((status) => status !== 200)).toEqual([]);
        await service!.app.close();
        service = undefined;
        expect((await fetch(`${await start(slaves)}/items`)).status).toBe(200);
      } finally {
        await service?.app.close();
        service = undefined;
        ways.forEach((way) => way.close());
        await programs.remove();
      }
    }, 60_000);
  });

  test.each([
    ['cut', { max_standby_streaming_delay: '0' }],
    ['complete', { max_standby_streaming_delay: '0', hot_standby_feedback: 'on' }],
    ['complete', { max_standby_streaming_delay: '60s' }],
  ] as const)(
    'an export from a standby is %s under vacuum, with %o',
    async (outcome, settings) => {
      const rows = 150_000;
      await primary.query('CREATE TABLE IF NOT EXISTS items (id serial PRIMARY KEY, name varchar(50) NOT NULL)');
      await primary.query('TRUNCATE items RESTART IDENTITY');
      await primary.query(`INSERT INTO items (name) SELECT repeat('x', 50) FROM generate_series(1, ${rows})`);
      const standby = await primary.replicate();
      try {
        await standby.stop('fast');
        await standby.start({ ...settings, wal_receiver_status_interval: '1s' });
        const url = await start([{ url: standby.url }]);
        await sleep(1500);
        const [response] = (await once(get(`${url}/exports?format=ndjson`, { agent: false }), 'response')) as [
          IncomingMessage,
        ];
        await sleep(1500);
        await primary.query('DELETE FROM items WHERE id > 10');
        await primary.query('VACUUM items');
        await sleep(2500);
        const read = text(response).then(
          (body) => (body.split('\n').length === rows + 1 ? 'complete' : 'short'),
          () => 'cut',
        );
        expect(await read).toBe(outcome);
      } finally {
        await service?.app.close();
        service = undefined;
        await standby.remove();
      }
    },
    60_000,
  );
});
