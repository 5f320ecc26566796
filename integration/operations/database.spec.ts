/** A PostgreSQL that is slow, frozen or away: what clients read, what is stored, what the health check says, and what a deep page costs. */
import { channel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Controller, Get, Logger } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { HealthCheck, HealthCheckService, TerminusModule, TypeOrmHealthIndicator } from '@nestjs/terminus';
import type { CrudQueryMessage } from '@nestwright/crud';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { describePlatforms, HTTP_ADAPTERS } from '../test-support/index.js';
import { POSTGRES_PROGRAMS, PrivatePostgres } from '../test-support/private-postgres.js';
import { type Item, type RunningService, startService } from './service.js';

@Controller('health')
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: TypeOrmHealthIndicator,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.health.check([() => this.database.pingCheck('database', { timeout: 1_000 })]);
  }
}

(POSTGRES_PROGRAMS ? describe : describe.skip)('a database of its own · postgres programs', () => {
  let server: PrivatePostgres;
  let service: RunningService | undefined;

  beforeAll(async () => {
    server = await PrivatePostgres.create();
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  }, 60_000);
  afterEach(async () => {
    await service?.app.close();
    service = undefined;
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await server?.remove();
  });

  describePlatforms('over HTTP', (platform) => {
    const start = async (extra: object, more: object = {}) => {
      const connection = { type: 'postgres', url: server.url, extra };
      service = await startService(connection, HTTP_ADAPTERS[platform](), more);

      return service.url;
    };
    const post = async (url: string, name: string) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/items`, { method: 'POST', headers, body: JSON.stringify({ name }) });

      return [answer.status, ((await answer.json()) as { code?: string }).code];
    };
    const stored = async (name: string) =>
      (await server.query<{ id: number }>(`SELECT id FROM items WHERE name = '${name}'`)).length;
    const whileLocked = async <T>(work: () => Promise<T>): Promise<T> => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query('BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE');
      try {
        return await work();
      } finally {
        await client.query('ROLLBACK');
        await client.end();
      }
    };

    test('a write that the driver gave up is applied all the same', async () => {
      const url = await start({ query_timeout: 1_000 });
      const name = `late on ${platform}`;
      expect(await whileLocked(() => post(url, name))).toEqual([503, 'CRUD_TIMEOUT']);
      while ((await stored(name)) === 0) await sleep(20);
    });

    test('a write that the server has ended before that is not', async () => {
      const url = await start({ statement_timeout: 250, query_timeout: 5_000 });
      const name = `never on ${platform}`;
      expect(await whileLocked(() => post(url, name))).toEqual([503, 'CRUD_TIMEOUT']);
      await sleep(500);
      expect(await stored(name)).toBe(0);
    });

    test('a session that is frozen is given up with query_timeout, and kept waiting for without', async () => {
      for (const [extra, expected] of [
        [{ max: 1, query_timeout: 1_000 }, 503],
        [{ max: 1 }, 'waiting'],
      ] as const) {
        const url = await start(extra);
        const source = service!.app.get<DataSource>(getDataSourceToken());
        const [{ pid }] = (await source.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
        process.kill(pid, 'SIGSTOP');
        const read = fetch(`${url}/items`).then(({ status }) => status);
        expect(await Promise.race([read, sleep(4_000, 'waiting')])).toBe(expected);
        if (expected === 503) expect((await fetch(`${url}/items`)).status).toBe(200);
        process.kill(pid, 'SIGCONT');
        expect(await read).toBe(expected === 503 ? 503 : 200);
        await service!.app.close();
        service = undefined;
      }
    });

    test('a request waits for a free connection for ever without connectionTimeoutMillis', async () => {
      const url = await start({ max: 1 });
      const runner = service!.app.get<DataSource>(getDataSourceToken()).createQueryRunner();
      await runner.connect();
      const read = fetch(`${url}/items`).then(({ status }) => status);
      expect(await Promise.race([read, sleep(500, 'waiting')])).toBe('waiting');
      await runner.release();
      expect(await read).toBe(200);
    });

    test('the health check says whether the database answers', async () => {
      const url = await start(
        { connectionTimeoutMillis: 500 },
        { imports: [TerminusModule], controllers: [HealthController] },
      );
      const health = async () => {
        const answer = await fetch(`${url}/health`);

        return [answer.status, ((await answer.json()) as { status: string }).status];
      };
      expect(await health()).toEqual([200, 'ok']);
      await server.stop('fast');
      expect(await health()).toEqual([503, 'error']);
      await server.start();
      expect(await health()).toEqual([200, 'ok']);
    });

    test('a deep page reads all rows before it, a condition on the key only those of the page', async () => {
      const url = await start({});
      const source = service!.app.get<DataSource>(getDataSourceToken());
      await source.query('TRUNCATE items RESTART IDENTITY');
      await source.query(`INSERT INTO items (name) SELECT 'n' || n FROM generate_series(1, 20000) n`);
      await source.query('ANALYZE items');
      const read = async (query: string, parameters: unknown[]) => {
        let sql = '';
        const listener = (message: unknown) => {
          const sent = (message as CrudQueryMessage).sql;
          // A page is counted, too.
          if (sent.includes('LIMIT')) sql = sent;
        };
        channel('nestwright:query').subscribe(listener);
        const body = (await (await fetch(`${url}/items?${query}`)).json()) as Item[] | { data: Item[] };
        const ids = (Array.isArray(body) ? body : body.data).map(({ id }) => id);
        channel('nestwright:query').unsubscribe(listener);
        const [row] = (await source.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, parameters)) as [
          { 'QUERY PLAN': [{ Plan: { Plans: [{ 'Actual Rows': number }] } }] },
        ];

        return { ids, rows: row['QUERY PLAN'][0].Plan.Plans[0]['Actual Rows'] };
      };
      const deep = await read('sort=id,ASC&limit=10&offset=15000', [10, 15000]);
      const keyed = await read('sort=id,ASC&limit=10&filter=id||gt||15000', [15000, 10]);
      expect(keyed.ids).toEqual(deep.ids);
      expect([deep.rows, keyed.rows]).toEqual([15010, 10]);
    });
  });
});
