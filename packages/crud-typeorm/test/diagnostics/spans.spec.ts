/** The spans that docs/monitoring.md makes of the channels, by the code that stands there. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type HrTime, SpanStatusCode, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter } from '@opentelemetry/sdk-trace-base';
import { type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { documented } from '../../../../integration/operations/documented.js';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { faultyApp } from '../faults/faulty-app.js';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

beforeAll(() => {
  trace.setGlobalTracerProvider(provider);
  documented("trace.getTracer('nestwright')");
});
beforeEach(() => exporter.reset());
afterAll(async () => {
  await provider.shutdown();
  trace.disable();
});

const msOf = ([seconds, nanoseconds]: HrTime) => seconds * 1000 + nanoseconds / 1e6;
const below = (parent: ReadableSpan | undefined) =>
  exporter
    .getFinishedSpans()
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent?.spanContext().spanId);

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
