/** Requests while channels have subscribers → one message for each event, which names the request and holds no value of a client's. */
import { channel, tracingChannel } from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CrudChannels, CrudFastPathMessage, CrudRequestMessage } from '@nestwright/crud';
import { configureCrudDatabase } from '@nestwright/crud-typeorm';
import { type HrTime, SpanStatusCode, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter } from '@opentelemetry/sdk-trace-base';
import { type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { documented } from '../../../../integration/operations/documented.js';
import { describeDatabases, describePlatforms, FAST_PATHS } from '../../../../integration/test-support/index.js';
import { ALL, CHANGES, faultyApp, READS } from '../faults/faulty-app.js';

const NAMES = ['query', 'retry', 'fault', 'cache', 'fast-path'] as const;
type Name = (typeof NAMES)[number];
const REQUEST = tracingChannel('nestwright:request');

/** Registers what takes note of all that is published during a test, by channel. */
function listening() {
  const requests: CrudRequestMessage[] = [];
  const started: CrudRequestMessage[] = [];
  const of = Object.fromEntries(NAMES.map((name) => [name, []])) as unknown as {
    [N in Name]: CrudChannels[`nestwright:${N}`][];
  };
  const lists = [
    ...NAMES.map((name) => [channel(`nestwright:${name}`), of[name]] as const),
    [REQUEST.start, started] as const,
    [REQUEST.asyncEnd, requests] as const,
  ].map(([from, list]) => ({ from, list, add: (message: unknown) => void (list as unknown[]).push(message) }));
  const listen = () => lists.forEach(({ from, add }) => from.subscribe(add));
  const stop = () =>
    lists.forEach(({ from, list, add }) => {
      from.unsubscribe(add);
      list.length = 0;
    });

  beforeEach(listen);
  afterEach(() => {
    stop();
    jest.restoreAllMocks();
  });
  return { requests, started, of, listen, stop };
}

const READ_ROUTES = ['getManyBase', 'getManyBase', 'getOneBase'];
const ROUTES = [...READ_ROUTES, 'updateOneBase', 'replaceOneBase', 'deleteOneBase', 'createOneBase', 'createManyBase'];
const TIMES = { startedAt: expect.any(Number), durationMs: expect.any(Number) };

describeDatabases('diagnostics', (db) => {
  describePlatforms('over HTTP', (platform) => {
    describe.each(FAST_PATHS)('with fast paths: %s', (fastPaths) => {
      const app = faultyApp(db, platform, { prepare: (source) => configureCrudDatabase(source, { fastPaths }) });
      const listener = listening();

      test('each request is told with its resource and route, and each of its statements names it', async () => {
        for (const call of ALL) expect((await app.call(call)).status).toBeLessThan(300);
        const { requests, started, of } = listener;
        const item = { resource: 'ResourceController', model: 'Item' };
        expect(requests).toEqual(ROUTES.map((route) => ({ ...item, route, ...TIMES })));
        expect(started).toEqual(requests);
        // Each has statements, and there are no others.
        expect(new Set(of.query.map(({ request }) => requests.indexOf(request!)))).toEqual(new Set(ROUTES.keys()));
        const sql = expect.stringMatching(/^SELECT .* FROM .items./);
        expect(of.query[0]).toEqual({ request: requests[0], sql, ...TIMES, rows: 3, failed: false });
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
        const fault = { kind: 'unique', ...(code && { code }), answer: 'CRUD_UNIQUE_VIOLATION' };
        expect(listener.of.fault).toEqual([{ request: listener.requests[0], ...fault }]);
        expect(listener.of.query.some(({ failed }) => failed)).toBe(true);
      });

      test('short cuts are told, or why they were not taken', async () => {
        const isOff = process.env['NESTWRIGHT_FAST_PATHS'] === 'off';
        const told = (name: CrudFastPathMessage['path']) =>
          listener.of['fast-path'].filter(({ path }) => path === name);
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
    const extra = { options: '-c default_transaction_isolation=serializable' };
    const app = faultyApp(db, 'express', { options: { extra } });
    const listener = listening();

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
      expect(listener.of.retry).toEqual(
        [1, 2].map((attempt) => ({ request: listener.requests[0], attempt, code: '40P01' })),
      );
      expect(listener.of.fault).toEqual([]);
      const routes = listener.of.query.map(({ request }) => request && `${request.resource}.${request.route}`);
      expect(new Set(routes)).toEqual(new Set(['ResourceController.updateOneBase']));
    });
  },
  ['postgres'],
);

describeDatabases('diagnostics of the cache', (db) => {
  const app = faultyApp(db, 'express', { options: { cache: true, synchronize: true }, query: { cache: 60_000 } });
  beforeEach(() => app.source.queryResultCache!.clear());
  const listener = listening();

  test('tell of hits, misses, replacements and failures of the store', async () => {
    await app.call(['get', '/items']);
    await app.call(['get', '/items']);
    await app.call(['get', '/items?cache=0']);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await app.source.query(`ALTER TABLE ${app.source.driver.escape('query-result-cache')} RENAME TO away`);
    await app.call(['get', '/items']);
    await app.source.query(`ALTER TABLE away RENAME TO ${app.source.driver.escape('query-result-cache')}`);
    const told = listener.of.cache;
    expect(told.map(({ outcome }) => outcome)).toEqual(['miss', 'hit', 'replace', 'failure', 'miss', 'failure']);
    expect(new Set(told.map(({ request }) => request?.route))).toEqual(new Set(['getManyBase']));
  });
});

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

const msOf = ([seconds, nanoseconds]: HrTime) => seconds * 1000 + nanoseconds / 1e6;
const below = (parent: ReadableSpan | undefined) =>
  exporter
    .getFinishedSpans()
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent?.spanContext().spanId);

describe('the spans that docs/monitoring.md makes of the channels, by the code that stands there', () => {
  beforeAll(() => {
    trace.setGlobalTracerProvider(provider);
    documented("trace.getTracer('nestwright')");
  });
  beforeEach(() => exporter.reset());
  afterAll(async () => {
    await provider.shutdown();
    trace.disable();
  });

  describeDatabases('OpenTelemetry', (db) => {
    const app = faultyApp(db, 'express', { query: { export: { formats: ['ndjson'] } } });
    const requests = () => exporter.getFinishedSpans().filter(({ name }) => name.startsWith('ResourceController.'));

    test('has a span for each request, and below it one for each statement', async () => {
      await app.call(['get', '/items?page=1&limit=2']);
      await app.call(['post', '/items', { name: 'i1' }]);
      const [list, post] = requests();
      expect([list?.name, post?.name]).toEqual(['ResourceController.getManyBase', 'ResourceController.createOneBase']);
      expect(post?.status.code).toBe(SpanStatusCode.ERROR);
      expect(post?.attributes).toEqual({ 'crud.model': 'Item', 'error.type': 'CRUD_UNIQUE_VIOLATION' });
      expect(below(list).map(({ name }) => name)).toEqual(['SELECT', 'SELECT']);
    });

    test('has the statements of an export within the span of its request', async () => {
      expect((await app.call(['get', '/items?format=ndjson'])).status).toBe(200);
      // It ends with the last byte, which the client may read a moment before.
      while (requests().length === 0) await new Promise(setImmediate);
      const [list] = requests();
      expect(list?.status.code).toBe(SpanStatusCode.UNSET);
      const statements = below(list);
      expect(statements.map(({ attributes }) => attributes['db.query.text']).join()).toContain('items');
      // The times of statements are whole milliseconds.
      for (const { endTime } of statements) expect(msOf(endTime)).toBeLessThanOrEqual(msOf(list!.endTime) + 1);
    });
  });
});
