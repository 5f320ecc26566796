/** A service behind PgBouncer in transaction mode: where its time limits must be set, and what clients read when the pooler is full or away. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Client } from 'pg';
import { freePort } from '../test-support/free-port.js';
import { describePlatforms, HTTP_ADAPTERS } from '../test-support/index.js';
import { POSTGRES_PROGRAMS, PrivatePostgres } from '../test-support/private-postgres.js';
import { documented } from './documented.js';
import { type Item, type RunningService, startService } from './service.js';

const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));

(POSTGRES_PROGRAMS && PGBOUNCER ? describe : describe.skip)('PgBouncer · pgbouncer', () => {
  let server: PrivatePostgres;
  let pooler: ChildProcess | undefined;
  let home: string;
  let port: number;
  let service: RunningService | undefined;
  const url = () => `postgres://postgres@127.0.0.1:${port}/postgres`;

  const startPooler = async () => {
    // It refuses to run as root.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    pooler = spawn(PGBOUNCER!, [join(home, 'pgbouncer.ini')], { stdio: 'ignore', ...nobody });
    for (;;) {
      const client = new Client({ connectionString: url() });
      const isThere = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      if (isThere) return;
      await sleep(50);
    }
  };
  const stopPooler = async () => {
    if (!pooler) return;
    const ended = once(pooler, 'exit');
    pooler.kill('SIGKILL');
    await ended;
    pooler = undefined;
  };

  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    server = await PrivatePostgres.create();
    port = await freePort();
    home = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
    chmodSync(home, 0o755);
    writeFileSync(join(home, 'users.txt'), '"postgres" ""\n');
    writeFileSync(
      join(home, 'pgbouncer.ini'),
      [
        '[databases]',
        `* = host=127.0.0.1 port=${new URL(server.url).port} user=postgres`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
        'unix_socket_dir =',
        'auth_type = any',
        `auth_file = ${join(home, 'users.txt')}`,
        'pool_mode = transaction',
        'default_pool_size = 1',
        'query_wait_timeout = 1',
      ].join('\n'),
    );
    await startPooler();
  }, 60_000);
  afterEach(async () => {
    await service?.app.close();
    service = undefined;
    await server.query('ALTER ROLE postgres RESET statement_timeout');
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await stopPooler();
    await server?.remove();
    if (home) rmSync(home, { recursive: true, force: true });
  });

  describePlatforms('over HTTP', (platform) => {
    const start = async (extra: object = {}, more: object = {}) => {
      service = await startService({ type: 'postgres', url: url(), extra }, HTTP_ADAPTERS[platform](), more);

      return service.url;
    };
    const read = async (path: string) => {
      const answer = await fetch(path);

      return [answer.status, ((await answer.json()) as { code?: string }).code];
    };

    test('does not take time limits from connections', async () => {
      await expect(start({ statement_timeout: 100 })).rejects.toThrow(/startup parameter/);
    });

    test('keeps to those of the role', async () => {
      await server.query("ALTER ROLE postgres SET statement_timeout = '1500ms'");
      await stopPooler();
      await startPooler();
      const at = await start();
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query('BEGIN; SET LOCAL statement_timeout = 0; LOCK TABLE items IN ACCESS EXCLUSIVE MODE');
      expect(await read(`${at}/items`)).toEqual([503, 'CRUD_TIMEOUT']);
      await client.query('ROLLBACK');
      await client.end();
      expect(await read(`${at}/items`)).toEqual([200, undefined]);
    });

    test('that has no connection to give in time is a 503 CRUD_UNAVAILABLE', async () => {
      const at = await start();
      const other = new Client({ connectionString: url() });
      other.on('error', () => undefined);
      await other.connect();
      await other.query('BEGIN');
      expect(await read(`${at}/items`)).toEqual([503, 'CRUD_UNAVAILABLE']);
      await other.query('ROLLBACK');
      await other.end();
      expect(await read(`${at}/items`)).toEqual([200, undefined]);
    });

    test('whose failures are counted has no label without a value', async () => {
      const { counters } = documented<{ counters: ReadonlyMap<string, number> }>('const counters', 'counters');
      await start();
      await service!.app.get<TypeOrmCrudService<Item>>(TypeOrmCrudService).transaction(async () => undefined);
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query('BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE');
      const cut = read(`${service!.url}/items`);
      await sleep(300);
      await stopPooler();
      expect(await cut).toEqual([503, 'CRUD_UNAVAILABLE']);
      await client.end();
      await startPooler();
      expect([...counters.keys()]).toEqual(
        expect.arrayContaining([
          'queries{resource="none",route="none"}',
          'queries{resource="ItemsController",route="getManyBase"}',
          'faults{kind="unavailable",code="none"}',
        ]),
      );
      expect([...counters.keys()].join()).not.toContain('undefined');
    });

    test('that is away is a 503 CRUD_UNAVAILABLE until it is back', async () => {
      const at = await start();
      await stopPooler();
      expect(await read(`${at}/items`)).toEqual([503, 'CRUD_UNAVAILABLE']);
      await startPooler();
      expect(await read(`${at}/items`)).toEqual([200, undefined]);
    });
  });
});
