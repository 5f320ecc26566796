/** Services that are closed while clients keep connections open: how long that takes, and what becomes of a request under way. */
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type RunningService, startService } from './service.js';

/** Longest that the servers of these trials keep an idle connection open, in ms. */
const KEEP_ALIVE = 1500;

let begun: () => void;

@Controller('slow')
class SlowController {
  @Get() async wait() {
    begun();
    await sleep(200);

    return { done: true };
  }
}

const PLATFORMS = {
  express: { adapter: () => new ExpressAdapter(), forced: () => new ExpressAdapter(), keepAlive: 5_000 },
  fastify: {
    adapter: () => new FastifyAdapter(),
    forced: () => new FastifyAdapter({ forceCloseConnections: true }),
    keepAlive: 72_000,
  },
};

/** A client that keeps its connection open for as long as the server lets it. */
class PatientClient {
  private readonly socket: Socket;

  constructor(private readonly url: URL) {
    this.socket = connect(Number(url.port), url.hostname);
  }

  /** The status of an answer, or `lost`. */
  async get(path: string): Promise<number | 'lost'> {
    const answer = new Promise<number | 'lost'>((resolve) => {
      this.socket.once('data', (data) => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1])));
      for (const event of ['close', 'error']) this.socket.once(event, () => resolve('lost'));
    });
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: ${this.url.host}\r\n\r\n`);

    return answer;
  }

  end(): void {
    this.socket.destroy();
  }
}

describe.each(Object.entries(PLATFORMS))('the end of a service on %s', (_, { adapter, forced, keepAlive }) => {
  let client: PatientClient;
  const start = async (own: AbstractHttpAdapter = adapter(), options = {}) => {
    const service = await startService({ type: 'sqljs' }, own, { ...options, controllers: [SlowController] });
    client = new PatientClient(new URL(service.url));

    return service;
  };
  const serverOf = ({ app }: RunningService) => app.getHttpServer() as Server;

  afterEach(() => client.end());

  /** Closes a service while it answers; tells the answer, and how long closing took. */
  async function closeBusy(service: RunningService) {
    const handling = new Promise<void>((resolve) => (begun = resolve));
    const answer = client.get('/slow');
    await handling;
    const began = Date.now();
    await Promise.all([service.app.close(), answer]);

    return { answer: await answer, took: Date.now() - began };
  }

  test('does not wait for connections that are idle', async () => {
    const service = await start();
    expect(await client.get('/items')).toBe(200);
    const began = Date.now();
    await service.app.close();
    expect(Date.now() - began).toBeLessThan(KEEP_ALIVE);
  });

  test('answers what is under way, and then waits for as long as connections are kept alive', async () => {
    const service = await start();
    expect(serverOf(service).keepAliveTimeout).toBe(keepAlive);
    serverOf(service).keepAliveTimeout = KEEP_ALIVE;
    const { answer, took } = await closeBusy(service);
    expect(answer).toBe(200);
    expect(took).toBeGreaterThanOrEqual(KEEP_ALIVE);
  });

  test('answers what is under way and ends soon after where idle connections are closed meanwhile', async () => {
    const service = await start();
    const sweep = setInterval(() => serverOf(service).closeIdleConnections(), 50);
    const { answer, took } = await closeBusy(service);
    clearInterval(sweep);
    expect(answer).toBe(200);
    expect(took).toBeLessThan(KEEP_ALIVE);
  });

  test.each([true, false])(
    'refuses a request on an open connection while it closes on Fastify alone, unless told not to: %s',
    async (refuse) => {
      if (keepAlive === 5_000 && refuse) return;
      const own = keepAlive === 5_000 ? adapter() : new FastifyAdapter({ return503OnClosing: refuse });
      const service = await start(own);
      const url = new URL(service.url);
      const second = new PatientClient(url);
      const handling = new Promise<void>((resolve) => (begun = resolve));
      const [answer, busy] = [client.get('/slow'), second.get('/slow')];
      await handling;
      await sleep(50);
      const closing = service.app.close();
      await Promise.all([answer, busy]);
      serverOf(service).keepAliveTimeout = 100;
      expect(await client.get('/items')).toBe(refuse ? 503 : 200);
      second.end();
      client.end();
      await closing;
    },
  );

  test('is immediate with forceCloseConnections, and what is under way is lost', async () => {
    const { answer, took } = await closeBusy(await start(forced(), { forceCloseConnections: true }));
    expect(answer).toBe('lost');
    expect(took).toBeLessThan(KEEP_ALIVE);
  });
});
