/** Requests while channels have subscribers → one message for each event, which names the request and holds no value of a client's. */
import { type Channel, channel, tracingChannel } from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CrudChannels, CrudOptions, CrudRequestMessage } from '@nestwright/crud';
import { configureCrudDatabase } from '@nestwright/crud-typeorm';
import { SpanStatusCode, trace } from '@opentelemetry/api';
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
  const of = {} as { [N in Name]: CrudChannels[`nestwright:${N}`][] };
  const told = (message: unknown) => void requests.push(message as CrudRequestMessage);
  const listeners = NAMES.map((name) => {
    const add = (message: unknown) => void (of[name] as unknown[]).push(message);
    return [channel(`nestwright:${name}`), add] as const;
  });
  const all = [...listeners, [REQUEST.asyncEnd as Channel, told] as const];
  const stop = () => all.forEach(([from, add]) => from.unsubscribe(add));

  beforeEach(() => {
    for (const name of NAMES) of[name] = [];
    requests.length = 0;
    for (const [from, add] of all) from.subscribe(add);
  });
  afterEach(() => {
    stop();
    jest.restoreAllMocks();
  });
  return { requests, of, stop };
}

const READ_ROUTES = ['getManyBase', 'getManyBase', 'getOneBase'];
const ROUTES = [...READ_ROUTES, 'updateOneBase', 'replaceOneBase', 'deleteOneBase', 'createOneBase', 'createManyBase'];
const TIMES = { startedAt: expect.any(Number), durationMs: expect.any(Number) };

describeDatabases('diagnostics', (db) => {
  describePlatforms('over HTTP', (platform) => {
    describe.each(FAST_PATHS)('with fast paths: %s', (fastPaths) => {
      const query: CrudOptions['query'] = { export: { formats: ['csv'] } };
      const app = faultyApp(db, platform, { prepare: (source) => configureCrudDatabase(source, { fastPaths }), query });
      const { requests, of, stop } = listening();

      test('each request is told with its resource and route, and each of its statements names it', async () => {
        for (const call of [...ALL, ['get', '/items?format=csv'] as const])
          expect((await app.call(call)).status).toBeLessThan(300);
        while (requests.length <= ROUTES.length) await new Promise(setImmediate);
        const item = { resource: 'ResourceController', model: 'Item', ...TIMES };
        const exported = { ...item, route: 'getManyBase', rows: 5, bytes: 40 };
        expect(requests).toEqual([...ROUTES.map((route) => ({ ...item, route })), exported]);
        // Each has statements, and there are no others.
        expect(new Set(of.query.map(({ request }) => requests.indexOf(request!)))).toEqual(new Set(requests.keys()));
        const sql = expect.stringMatching(/^SELECT .* FROM .items./);
        expect(of.query[0]).toEqual({ request: requests[0], sql, ...TIMES, rows: 3, failed: false });
        stop();
        await app.call(READS[0]!);
        expect(requests).toHaveLength(ROUTES.length + 1);
      });

      test('refusals tell their status, code and the error of the database, and no values', async () => {
        await app.call(['post', '/items', { name: 'i1' }]);
        await app.call(['get', '/items/99?filter=name||eq||i1']);
        expect(requests).toEqual([
          expect.objectContaining({ route: 'createOneBase', status: 409, code: 'CRUD_UNIQUE_VIOLATION' }),
          expect.objectContaining({ route: 'getOneBase', status: 404, code: 'CRUD_NOT_FOUND' }),
        ]);
        const code = { postgres: '23505', mysql: '1062' }[db.kind as string];
        const fault = { kind: 'unique', ...(code && { code }), answer: 'CRUD_UNIQUE_VIOLATION' };
        expect(of.fault).toEqual([{ request: requests[0], ...fault }]);
        expect(of.query.some(({ failed }) => failed)).toBe(true);
        await app.call(['patch', '/items/1', { name: 'i1 again' }]);
        expect(JSON.stringify([requests, of])).not.toContain('i1');
      });

      test('short cuts are told, or why they were not taken', async () => {
        const isOff = process.env['NESTWRIGHT_FAST_PATHS'] === 'off';
        const told = (name: string) => of['fast-path'].filter(({ path }) => path === name);
        const outcome = fastPaths ? { taken: true } : { taken: false, reason: 'the option fastPaths: false' };
        await app.call(READS[0]!);
        expect(told('text')).toEqual(isOff ? [] : [{ request: requests[0], path: 'text', ...outcome }]);
        await app.call(CHANGES[0]!);
        expect(told('returning')).toMatchObject([{ taken: fastPaths && db.kind !== 'mysql' && !isOff }]);
      });
    });
  });
});

describeDatabases('diagnostics of the cache', (db) => {
  const app = faultyApp(db, 'express', { options: { cache: true, synchronize: true }, query: { cache: 60_000 } });
  beforeEach(() => app.source.queryResultCache!.clear());
  const { of } = listening();

  test('tell of hits, misses, replacements and failures of the store', async () => {
    for (const path of ['/items', '/items', '/items?cache=0']) await app.call(['get', path]);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await app.source.query(`ALTER TABLE ${app.source.driver.escape('query-result-cache')} RENAME TO away`);
    await app.call(['get', '/items']);
    await app.source.query(`ALTER TABLE away RENAME TO ${app.source.driver.escape('query-result-cache')}`);
    const outcomes = ['miss', 'hit', 'replace', 'failure', 'miss', 'failure'];
    expect(of.cache.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(new Set(of.cache.map(({ request }) => request?.route))).toEqual(new Set(['getManyBase']));
  });
});

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const below = (parent: ReadableSpan) => {
  const { spanId } = parent.spanContext();
  return exporter.getFinishedSpans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === spanId);
};

describe('the spans that docs/monitoring.md makes of the channels, by the code that stands there', () => {
  beforeAll(() => {
    trace.setGlobalTracerProvider(provider);
    documented("trace.getTracer('nestwright')");
  });
  afterAll(async () => {
    await provider.shutdown();
    trace.disable();
  });

  describeDatabases('OpenTelemetry', (db) => {
    const app = faultyApp(db, 'express');
    const requests = () => exporter.getFinishedSpans().filter(({ name }) => name.startsWith('ResourceController.'));

    test('has a span for each request, and below it one for each statement', async () => {
      await app.call(['get', '/items?page=1&limit=2']);
      await app.call(['post', '/items', { name: 'i1' }]);
      while (requests().length < 2) await new Promise(setImmediate);
      const [list, post] = requests() as [ReadableSpan, ReadableSpan];
      expect([list, post].map(({ name, status }) => [name.split('.')[1], status.code])).toEqual([
        ['getManyBase', SpanStatusCode.UNSET],
        ['createOneBase', SpanStatusCode.ERROR],
      ]);
      expect(post.attributes).toEqual({ 'crud.model': 'Item', 'error.type': 'CRUD_UNIQUE_VIOLATION' });
      expect(below(list)).toMatchObject(
        Array(2).fill({ name: 'SELECT', attributes: { 'db.query.text': expect.stringContaining('items') } }),
      );
    });
  });
});
