/** Requests while channels have subscribers → one message for each event, which names the request and holds no value of a client's. */
import { channel, tracingChannel } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CrudCacheMessage, CrudChannels, CrudFastPathMessage, CrudFaultMessage } from '@nestwright/crud';
import type { CrudQueryMessage, CrudRequestMessage, CrudRetryMessage } from '@nestwright/crud';
import { configureCrudDatabase } from '@nestwright/crud-typeorm';
import { describeDatabases, describePlatforms, FAST_PATHS } from '../../../../integration/test-support/index.js';
import { ALL, CHANGES, faultyApp, READS } from '../faults/faulty-app.js';

const NAMES = ['query', 'retry', 'fault', 'cache', 'fast-path'] as const;
type Name = (typeof NAMES)[number];
const REQUEST = tracingChannel('nestwright:request');

/** What is published during a test, by channel. */
class Listener {
  readonly requests: CrudRequestMessage[] = [];
  readonly started: CrudRequestMessage[] = [];
  readonly of = Object.fromEntries(NAMES.map((name) => [name, [] as unknown[]])) as Record<Name, unknown[]>;
  private readonly lists = [
    ...NAMES.map((name) => [channel(`nestwright:${name}`), this.of[name]] as const),
    [REQUEST.start, this.started] as const,
    [REQUEST.asyncEnd, this.requests] as const,
  ].map(([from, list]) => ({ from, list, add: (message: unknown) => void (list as unknown[]).push(message) }));
  constructor() {
    beforeEach(() => this.listen());
    afterEach(() => {
      this.stop();
      jest.restoreAllMocks();
    });
  }
  listen(): void {
    for (const { from, add } of this.lists) from.subscribe(add);
  }
  stop(): void {
    for (const { from, list, add } of this.lists) {
      from.unsubscribe(add);
      list.length = 0;
    }
  }
  messages<N extends Name>(name: N): CrudChannels[`nestwright:${N}`][] {
    return this.of[name] as CrudChannels[`nestwright:${N}`][];
  }
}

const routesOf = (messages: readonly { readonly request?: CrudRequestMessage | undefined }[]) =>
  messages.map(({ request }) => request && `${request.resource}.${request.route}`);

const READ_ROUTES = ['getManyBase', 'getManyBase', 'getOneBase'];
const ROUTES = [...READ_ROUTES, 'updateOneBase', 'replaceOneBase', 'deleteOneBase', 'createOneBase', 'createManyBase'];
const TIMES = { startedAt: expect.any(Number), durationMs: expect.any(Number) };

describeDatabases('diagnostics', (db) => {
  describePlatforms('over HTTP', (platform) => {
    describe.each(FAST_PATHS)('with fast paths: %s', (fastPaths) => {
      const app = faultyApp(db, platform, { prepare: (source) => configureCrudDatabase(source, { fastPaths }) });
      const listener = new Listener();

      test('each request is told with its resource and route, and each of its statements names it', async () => {
        for (const call of ALL) expect((await app.call(call)).status).toBeLessThan(300);
        expect(listener.requests).toEqual(
          ROUTES.map((route) => ({ resource: 'ResourceController', model: 'Item', route, ...TIMES })),
        );
        expect(listener.started).toEqual(listener.requests);
        const queries = listener.messages('query');
        for (const request of listener.requests)
          expect(queries.filter((query) => query.request === request).length).toBeGreaterThan(0);
        expect(queries.filter(({ request }) => request === undefined)).toEqual([]);
        const [list] = queries as [CrudQueryMessage];
        expect(list).toEqual({
          request: listener.requests[0],
          sql: expect.stringMatching(/^SELECT .* FROM .items./),
          ...TIMES,
          rows: 3,
          failed: false,
        });
      });

      test('no message holds a value', async () => {
        const secret = 'a-secret-name';
        await app.call(['post', '/items', { name: secret }]);
        await app.call(['post', '/items', { name: secret }]);
        await app.call(['get', `/items?filter=name||eq||${secret}`]);
        await app.call(['patch', '/items/1', { name: secret }]);
        const told = JSON.stringify([listener.requests, listener.of]);
        expect(told).toContain('createOneBase');
        expect(told).not.toContain(secret);
      });

      test('refusals tell their status and code, and the fault of the database behind them', async () => {
        await app.call(['post', '/items', { name: 'i1' }]);
        await app.call(['get', '/items/99']);
        expect(listener.requests).toEqual([
          expect.objectContaining({ route: 'createOneBase', status: 409, code: 'CRUD_UNIQUE_VIOLATION' }),
          expect.objectContaining({ route: 'getOneBase', status: 404, code: 'CRUD_NOT_FOUND' }),
        ]);
        const code = { postgres: '23505', mysql: '1062' }[db.kind as string];
        const faults: CrudFaultMessage[] = listener.messages('fault');
        expect(faults).toEqual([
          { request: listener.requests[0], kind: 'unique', ...(code && { code }), answer: 'CRUD_UNIQUE_VIOLATION' },
        ]);
        expect(listener.messages('query').some(({ failed }) => failed)).toBe(true);
      });

      test('short cuts are told, or why they were not taken', async () => {
        const isOff = process.env['NESTWRIGHT_FAST_PATHS'] === 'off';
        const told = (name: CrudFastPathMessage['path']) =>
          listener.messages('fast-path').filter(({ path }) => path === name);
        const outcome = fastPaths ? { taken: true } : { taken: false, reason: 'the option fastPaths: false' };
        await app.call(READS[0]!);
        expect(told('text')).toEqual(isOff ? [] : [{ request: listener.requests[0], path: 'text', ...outcome }]);
        await app.call(CHANGES[0]!);
        expect(told('returning')).toMatchObject([{ taken: fastPaths && db.kind !== 'mysql' && !isOff }]);
      });

      test('nothing is told once nobody listens', async () => {
        listener.stop();
        await app.call(READS[0]!);
        expect([...listener.requests, ...Object.values(listener.of).flat()]).toEqual([]);
        listener.listen();
        await app.call(READS[0]!);
        expect(listener.requests).toHaveLength(1);
      });
    });
  });
});

describeDatabases(
  'diagnostics of repetitions',
  (db) => {
    const app = faultyApp(db, 'express', {
      options: { extra: { options: '-c default_transaction_isolation=serializable' } },
    });
    const listener = new Listener();

    test('each is told with the code of what ended the work before it', async () => {
      let left = 2;
      jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      app.source.subscribers.push({
        beforeUpdate: async () => {
          if ((left -= 1) >= 0) throw Object.assign(new Error('deadlock'), { code: '40P01', severity: 'ERROR' });
        },
      });
      expect((await app.call(CHANGES[0]!)).status).toBe(200);
      app.source.subscribers.pop();
      const retries: CrudRetryMessage[] = listener.messages('retry');
      expect(retries).toEqual([1, 2].map((attempt) => ({ request: listener.requests[0], attempt, code: '40P01' })));
      expect(listener.messages('fault')).toEqual([]);
      expect(new Set(routesOf(listener.messages('query')))).toEqual(new Set(['ResourceController.updateOneBase']));
    });
  },
  ['postgres'],
);

describeDatabases('diagnostics of the cache', (db) => {
  const app = faultyApp(db, 'express', { options: { cache: true, synchronize: true }, query: { cache: 60_000 } });
  beforeEach(() => app.source.queryResultCache!.clear());
  const listener = new Listener();

  test('tell of hits, misses, replacements and failures of the store', async () => {
    await app.call(['get', '/items']);
    await app.call(['get', '/items']);
    await app.call(['get', '/items?cache=0']);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await app.source.query(`ALTER TABLE ${app.source.driver.escape('query-result-cache')} RENAME TO away`);
    await app.call(['get', '/items']);
    await app.source.query(`ALTER TABLE away RENAME TO ${app.source.driver.escape('query-result-cache')}`);
    const told: CrudCacheMessage[] = listener.messages('cache');
    expect(told.map(({ outcome }) => outcome)).toEqual(['miss', 'hit', 'replace', 'failure', 'miss', 'failure']);
    expect(new Set(told.map(({ request }) => request?.route))).toEqual(new Set(['getManyBase']));
  });
});
