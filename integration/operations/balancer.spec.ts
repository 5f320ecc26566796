/** Two processes behind HAProxy: that one ends, and the other does not know its tags. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { freePorts, Programs, until } from '../clusters/programs.js';
import { describePlatforms } from '../test-support/index.js';
import { POSTGRES_PROGRAMS, PrivatePostgres } from '../test-support/private-postgres.js';
import { ServiceProcess } from './processes.js';

const HAPROXY = '/usr/sbin/haproxy';
const CLIENTS = 8;
const JSON_HEADERS = { 'content-type': 'application/json' };

(POSTGRES_PROGRAMS && existsSync(HAPROXY) ? describe : describe.skip)('two processes · haproxy', () => {
  let database: PrivatePostgres;
  let programs: Programs;
  let services: ServiceProcess[] = [];

  beforeAll(async () => {
    database = await PrivatePostgres.create();
    await database.query('CREATE TABLE items (id serial PRIMARY KEY, name varchar(50) NOT NULL)');
  }, 60_000);
  afterEach(async () => {
    await Promise.all(services.map((service) => service.end('SIGKILL')));
    services = [];
    await programs?.remove();
  });
  afterAll(() => database?.remove());

  describePlatforms('over HTTP', (platform) => {
    const start = async (more: object = {}, env: NodeJS.ProcessEnv = {}) => {
      const connection = { type: 'postgres', url: database.url, synchronize: false };
      const service = await ServiceProcess.start({ platform, connection, ...more }, env);
      services.push(service);

      return service;
    };

    /** Puts HAProxy, as the page shows it, before services. */
    const balance = async (...behind: readonly ServiceProcess[]) => {
      const [port] = (await freePorts(1)) as [number];
      programs = new Programs('balancer');
      const servers = behind.map(({ url }, index) => `  server app${index} ${new URL(url).host} check`);
      const config = programs.file(
        'haproxy.cfg',
        `defaults
  timeout connect 1s
  timeout client 30s
  timeout server 30s
listen service
  bind 127.0.0.1:${port}
  mode http
  option httpchk GET /ready
  default-server inter 500ms fall 2 rise 1
${servers.join('\n')}
`,
      );
      programs.start('haproxy', HAPROXY, ['-db', '-f', config]);
      const url = `http://127.0.0.1:${port}`;
      await until('the balancer answers', async () => (await fetch(`${url}/ready`)).ok);

      return url;
    };

    test('that leave in order drop no request', async () => {
      const [first, second] = [await start(), await start()];
      const url = await balance(first, second);
      const answers = new Map<number | string, number>();
      let isRunning = true;
      const note = (answer: number | string) => answers.set(answer, (answers.get(answer) ?? 0) + 1);
      const send = async (turn: number) => {
        const post = { method: 'POST', headers: JSON_HEADERS, body: '{"name":"under load"}' };
        const answer = await fetch(`${url}/items?limit=5`, turn % 2 ? post : {});
        await answer.arrayBuffer();
        note(answer.status);
      };
      const clients = Array.from({ length: CLIENTS }, async () => {
        for (let turn = 0; isRunning; turn += 1) await send(turn).catch((error: Error) => note(String(error.cause)));
      });
      await sleep(500);
      const before = answers.get(200)!;
      first.signal('SIGUSR2');
      await sleep(2_000);
      const began = Date.now();
      await first.end('SIGTERM');
      expect(Date.now() - began).toBeLessThan(4_000);
      await sleep(500);
      isRunning = false;
      await Promise.all(clients);
      expect([...answers.keys()].sort()).toEqual([200, 201]);
      expect(answers.get(200)).toBeGreaterThan(before + 50);
    }, 60_000);

    test.each([
      ['do not know each other’s tags without a secret, and say so at the start', undefined, 412, 1],
      ['know each other’s tags with a secret in common', 'of both', 200, 0],
    ])(
      '%s',
      async (_, etagSecret, status, warnings) => {
        const env = { NODE_ENV: 'production' };
        const [first, second] = [await start({ etagSecret }, env), await start({ etagSecret }, env)];
        const body = '{"name":"tagged"}';
        const { id } = (await (
          await fetch(`${first.url}/tagged`, { method: 'POST', headers: JSON_HEADERS, body })
        ).json()) as { id: number };
        const change = async (by: ServiceProcess) => {
          const tag = (await fetch(`${first.url}/tagged/${id}`)).headers.get('etag')!;
          const headers = { ...JSON_HEADERS, 'if-match': tag };

          return (await fetch(`${by.url}/tagged/${id}`, { method: 'PATCH', headers, body })).status;
        };
        expect([await change(first), await change(second)]).toEqual([200, status]);
        for (const { log } of services) expect(log.join('').split('no etagSecret is set').length - 1).toBe(warnings);
      },
      60_000,
    );
  });
});
