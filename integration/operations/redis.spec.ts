/** Cached reads whose Redis is frozen or gone are answered from the database, where the Redis client was told not to wait. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { CrudCacheMessage } from '@nestwright/crud';
import { freePort } from '../test-support/free-port.js';
import { CachedController, type RunningService, startService } from './service.js';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

const PATIENT = { maxRetriesPerRequest: 0 };
const IN_A_HURRY = { ...PATIENT, commandTimeout: 200, enableOfflineQueue: false };

(hasRedis ? describe : describe.skip)('Redis that does not answer · redis-server', () => {
  let port: number;
  let redis: ChildProcess;
  let service: RunningService | undefined;
  const outcomes: string[] = [];
  const listener = (message: unknown) => void outcomes.push((message as CrudCacheMessage).outcome);

  const answers = async () => {
    for (;;) {
      const socket = createConnection(port, '127.0.0.1');
      const isThere = await Promise.race([once(socket, 'connect').then(() => true), sleep(500)]).catch(() => false);
      socket.destroy();
      if (isThere) return;
      await sleep(20);
    }
  };

  beforeAll(async () => {
    port = await freePort();
    redis = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    });
    await answers();
    channel('nestwright:cache').subscribe(listener);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    redis.kill('SIGCONT');
    await service?.app.close();
    service = undefined;
  });
  afterAll(async () => {
    channel('nestwright:cache').unsubscribe(listener);
    jest.restoreAllMocks();
    const ended = once(redis, 'exit');
    redis.kill('SIGKILL');
    await ended;
  });

  const start = async (options: object, adapter = new ExpressAdapter() as ExpressAdapter | FastifyAdapter) => {
    const cache = { type: 'ioredis', options: { host: '127.0.0.1', port, ...options } };
    service = await startService({ type: 'sqljs', cache }, adapter, { controllers: [CachedController] });
    // Until the client is connected, reads pass over the store.
    do {
      outcomes.length = 0;
      await sleep(20);
      expect((await fetch(`${service.url}/cached`)).status).toBe(200);
    } while (outcomes.includes('failure'));

    return service.url;
  };

  test.each([
    ['express', () => new ExpressAdapter()],
    ['fastify', () => new FastifyAdapter()],
  ])('is passed over in time with commandTimeout and without an offline queue, on %s', async (_, adapter) => {
    const url = await start(IN_A_HURRY, adapter());
    outcomes.length = 0;
    expect((await fetch(`${url}/cached`)).status).toBe(200);
    expect(outcomes.splice(0)).toEqual(['hit']);
    redis.kill('SIGSTOP');
    const began = Date.now();
    expect((await fetch(`${url}/cached`)).status).toBe(200);
    expect(Date.now() - began).toBeLessThan(1500);
    expect(outcomes).toEqual(['failure', 'miss', 'failure']);
  });

  test('keeps reads waiting without commandTimeout', async () => {
    const url = await start(PATIENT);
    redis.kill('SIGSTOP');
    const read = fetch(`${url}/cached`).then(({ status }) => status);
    expect(await Promise.race([read, sleep(1000, 'waiting')])).toBe('waiting');
    redis.kill('SIGCONT');
    expect(await read).toBe(200);
  });
});
