/** A pool that is used up by exports whose clients do not read, or by requests that wait: who is served, and what the health check says. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Controller, Get, Inject, Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { HealthCheck, HealthCheckService, TerminusModule, TypeOrmHealthIndicator } from '@nestjs/terminus';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { POSTGRES_PROGRAMS, PrivatePostgres } from '../test-support/private-postgres.js';
import { ExportsController, type RunningService, startService } from './service.js';

@Controller('health')
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: TypeOrmHealthIndicator,
    @Inject(getDataSourceToken('health')) private readonly connection: DataSource,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    const { connection } = this;

    return this.health.check([() => this.database.pingCheck('database', { connection, timeout: 1_000 })]);
  }

  @Get('pool')
  @HealthCheck()
  checkPool() {
    return this.health.check([() => this.database.pingCheck('database', { timeout: 300 })]);
  }
}

(POSTGRES_PROGRAMS ? describe : describe.skip)('a pool that is used up · postgres programs', () => {
  let server: PrivatePostgres;
  let service: RunningService;
  const open: IncomingMessage[] = [];

  beforeAll(async () => {
    server = await PrivatePostgres.create();
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  }, 60_000);
  afterEach(async () => {
    open.splice(0).forEach((response) => response.destroy());
    await service.app.close();
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await server?.remove();
  });

  const start = async (poolSize: number) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    service = await startService({ type: 'postgres', url: server.url, poolSize }, new ExpressAdapter(), {
      controllers: [ExportsController, HealthController],
      imports: [
        TerminusModule,
        TypeOrmModule.forRoot({ name: 'health', type: 'postgres', url: server.url, poolSize: 1 }),
      ],
    });

    return warn.mock.calls.map(([message]) => String(message)).filter((message) => message.includes('concurrent'));
  };
  const statusOf = async (path: string) => (await fetch(service.url + path)).status;

  test('two exports that nobody reads leave a pool of four to others, and a third is refused at once', async () => {
    expect(await start(4)).toEqual([]);
    await server.query(`INSERT INTO items (name) SELECT repeat('x', 50) FROM generate_series(1, 100000)`);
    for (let times = 0; times < 2; times += 1) {
      const [response] = (await once(get(`${service.url}/exports?format=ndjson`, { agent: false }), 'response')) as [
        IncomingMessage,
      ];
      open.push(response);
    }
    const began = Date.now();
    const refused = await fetch(`${service.url}/exports?format=ndjson`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await Promise.all(Array.from({ length: 10 }, () => statusOf('/items?limit=1')))).toEqual(
      Array(10).fill(200),
    );
    expect(Date.now() - began).toBeLessThan(5_000);
    open.splice(0).forEach((response) => response.destroy());
    await server.query('TRUNCATE items');
  });

  test('a start warns where exports may take the whole pool', async () => {
    expect(await start(2)).toEqual([
      'Item: 2 exports may run at a time (query.export.concurrent), and the pool has 2 connections: all other requests would wait for the readers of exports.',
    ]);
  });

  test('a health check on a connection of its own is well while requests wait for the pool', async () => {
    await start(2);
    const client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE');
    const waiting = Array.from({ length: 10 }, () => statusOf('/items'));
    await sleep(200);
    expect([await statusOf('/health/pool'), await statusOf('/health')]).toEqual([503, 200]);
    await client.end();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
  });
});
