/** Requests to servers of the suite's own that are full, take no writes, shut down or lose their database → 503 CRUD_UNAVAILABLE throughout, and recovery. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Connection, createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { describePlatforms } from '../../../../integration/test-support/index.js';
import { MARIADB_PROGRAM, PrivateMariadb } from '../../../../integration/test-support/private-mariadb.js';
import { POSTGRES_PROGRAMS, PrivatePostgres } from '../../../../integration/test-support/private-postgres.js';
import { type Call, CHANGES, expectAll, faultyApp, INSERTS, READS, refused } from './faulty-app.js';

const ALL: readonly Call[] = [...READS, ...CHANGES, ...INSERTS];
const AWAY = refused('CRUD_UNAVAILABLE', '1');

beforeEach(() => void jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined));
afterEach(() => void jest.restoreAllMocks());

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

(POSTGRES_PROGRAMS ? describe : describe.skip)('a server of its own · postgres programs', () => {
  let server: PrivatePostgres;

  const db = {
    get connection(): DataSourceOptions {
      return { type: 'postgres', url: server.url.replace(/postgres$/, 'app') };
    },
  };

  beforeAll(async () => {
    server = await PrivatePostgres.create();
    await server.query('CREATE DATABASE app');
  }, 60_000);
  afterAll(() => server?.remove());

  describePlatforms('over HTTP', (platform) => {
    const app = faultyApp(db, platform, { options: { extra: { max: 10, idleTimeoutMillis: 1 } } });
    const isBack = () => until(async () => (await app.call(['get', '/items'])).status === 200);

    test('that has too many connections is a 503 until one is free', async () => {
      // Those that are kept for superusers are used up, too.
      const others: Client[] = [];
      try {
        for (;;) {
          const other = new Client({ connectionString: server.url });
          other.on('error', () => undefined);
          await other.connect();
          others.push(other);
        }
      } catch (error) {
        expect((error as { code: string }).code).toBe('53300');
      }
      try {
        await expectAll(app, ALL, AWAY, false);
      } finally {
        await Promise.all(others.map((other) => other.end()));
      }
      await isBack();
    });

    test('that shuts down ends what is under way with 503, is away with 503, and comes back', async () => {
      await app.whileLocked('LOCK TABLE items IN ACCESS EXCLUSIVE MODE', async () => {
        const all = expectAll(app, ALL, AWAY);
        await until(async () => {
          const waiting = await server.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
          return waiting.length >= ALL.length;
        });
        await server.stop('fast');
        await all;
        await expectAll(app, ALL, AWAY);
        await server.start({ max_connections: '20' });
      });
      await isBack();
    });

    test('whose database is dropped is a 503', async () => {
      await app.outside.destroy();
      await server.query('DROP DATABASE app WITH (FORCE)');
      try {
        await expectAll(app, ALL, AWAY);
      } finally {
        await server.query('CREATE DATABASE app');
      }
      await app.outside.initialize();
      await isBack();
    });
  });
});

(MARIADB_PROGRAM ? describe : describe.skip)('a server of its own · mariadb', () => {
  let server: PrivateMariadb;

  const db = {
    get connection(): DataSourceOptions {
      return { type: 'mysql', url: server.url('app') };
    },
  };

  beforeAll(async () => {
    server = await PrivateMariadb.create();
    await server.query('CREATE USER app@localhost');
    await server.query('CREATE USER app@127.0.0.1');
    for (const host of ['localhost', '127.0.0.1']) await server.query(`GRANT ALL ON app.* TO app@${host}`);
  }, 60_000);
  afterAll(() => server?.remove());

  describePlatforms('over HTTP', (platform) => {
    const app = faultyApp(db, platform);
    const isBack = () => until(async () => (await app.call(['get', '/items'])).status === 200);

    test('that takes no writes refuses them with 503 and answers reads', async () => {
      await server.query('SET GLOBAL read_only = ON');
      try {
        await expectAll(app, [...CHANGES, ...INSERTS], AWAY);
        expect((await app.call(['get', '/items/1'])).body).toEqual({ id: 1, name: 'i1' });
      } finally {
        await server.query('SET GLOBAL read_only = OFF');
      }
      expect((await app.call(CHANGES[0]!)).status).toBe(200);
    });

    test('that has too many connections is a 503 until one is free', async () => {
      await server.query('SET GLOBAL max_connections = 10');
      await server.query('KILL USER app');
      const { hostname: host, port } = new URL(server.url());
      const others: Connection[] = [];
      try {
        for (;;) others.push(await createConnection({ host, port: Number(port), user: 'root' }));
      } catch (error) {
        expect((error as { errno: number }).errno).toBe(1040);
      }
      try {
        await expectAll(app, ALL, AWAY);
      } finally {
        others.forEach((other) => other.destroy());
        await until(() =>
          server.query('SET GLOBAL max_connections = 100').then(
            () => true,
            () => false,
          ),
        );
      }
      await isBack();
    });

    test('that shuts down ends what is under way with 503, is away with 503, and comes back', async () => {
      await app.whileLocked('LOCK TABLES items WRITE', async () => {
        const all = Promise.all(ALL.map((call) => app.call(call)));
        await sleep(100);
        await server.stop();
        // The holder of the lock may be ended before those that wait for it, which are then answered.
        for (const answer of await all) if (answer.status >= 400) expect(answer).toEqual(AWAY);
        await expectAll(app, ALL, AWAY);
        await server.start();
      });
      await isBack();
    });
  });
});
