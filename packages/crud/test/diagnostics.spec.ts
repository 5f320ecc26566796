/** Requests that are traced, and subscribers → what each event tells, and to which request a message belongs. */
import { channel, tracingChannel } from 'node:diagnostics_channel';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type CrudRequestMessage, isTracing, isWatched, publish, type Refusal, Trace } from '../src/diagnostics.js';

const REQUEST = tracingChannel<'nestwright:request', CrudRequestMessage>('nestwright:request');
const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
const RETRY = channel('nestwright:retry');
const NAMES = ['query', 'retry', 'fault', 'cache', 'fast-path'] as const;
const CHANNELS = [...EVENTS.map((event) => REQUEST[event]), ...NAMES.map((name) => channel(`nestwright:${name}`))];

type Told = [event: string, message: Partial<CrudRequestMessage>];
let told: unknown[] = [];
const listeners = EVENTS.map((event) => [event, (message: unknown) => void told.push([event, message])] as const);
const note = (message: unknown) => void told.push(message);
const of = { resource: 'NotesController', model: 'Note', route: 'getManyBase' };

beforeEach(() => {
  told = [];
  for (const [event, listener] of listeners) REQUEST[event].subscribe(listener);
});
afterEach(() => {
  for (const [event, listener] of listeners) REQUEST[event].unsubscribe(listener);
  for (const one of CHANNELS) one.unsubscribe(note);
});

const ENDED = { ...of, startedAt: expect.any(Number), durationMs: expect.any(Number) };
const SENT = { rows: 2, bytes: 10 };
const refused: Refusal = { status: 400, code: 'CRUD_INVALID_QUERY' };
/** What is told of the end of a request. */
const ends = (message: object, ...before: string[]) =>
  [...before, 'asyncStart', 'asyncEnd'].map((event) => [event, { ...ENDED, ...message }]);

test.each<[what: string, end: (trace: Trace, sent?: ReturnType<Trace['holdEnd']>) => void, events: unknown[]]>([
  ['succeeds', (trace) => trace.end(), ends({})],
  ['is refused', (trace) => trace.end(refused), ends(refused, 'error')],
  ['fails', (trace) => trace.end({ status: 500, code: undefined }), ends({ status: 500 }, 'error')],
  ['ends twice', (trace) => [undefined, refused].forEach((refusal) => trace.end(refusal)), ends({})],
  ['is sent later', (trace) => (trace.holdEnd(), trace.end()), []],
  ['was sent', (trace, sent = trace.holdEnd()) => (trace.end(), sent(SENT)), ends(SENT)],
  ['was cut', (trace) => trace.holdEnd()(SENT, refused), ends({ ...SENT, ...refused }, 'error')],
  ['was refused', (trace, sent = trace.holdEnd()) => (trace.end(refused), sent(SENT)), ends(refused, 'error')],
])('a request that %s', (_, end, events) => {
  const trace = new Trace(of);
  trace.run(() => undefined);
  end(trace);
  const begun = ['start', 'end'].map((event) => [event, expect.objectContaining(of)]);
  expect(told).toStrictEqual([...begun, ...events]);
  for (const [, { durationMs = 0 }] of told as Told[]) expect(durationMs).toBeLessThan(performance.now());
});

test('what is published during a request names it, and what is published outside does not', () => {
  RETRY.subscribe(note);
  const trace = new Trace(of);
  const retry = (attempt: number) => publish('nestwright:retry', () => ({ attempt }));
  expect(trace.run(() => (retry(1), 5))).toBe(5);
  expect(trace.resume(() => (retry(2), 6))).toBe(6);
  retry(3);
  // To this channel nobody listens, so that no message is made.
  publish('nestwright:fault', () => JSON.parse('{') as never);
  expect(() => trace.run(() => JSON.parse('{'))).toThrow(SyntaxError);
  const request = { ...of, startedAt: expect.any(Number) };
  const events = ['start', 'end'].map((event) => [event, request]);
  const [start, ended] = events;
  expect(told).toEqual([start, { request, attempt: 1 }, ended, { request, attempt: 2 }, { attempt: 3 }, ...events]);
});

test('nothing is traced unless somebody listens, to whichever channel', () => {
  expect(isTracing()).toBe(true);
  for (const [event, listener] of listeners) REQUEST[event].unsubscribe(listener);
  const seen = CHANNELS.map((one) => {
    one.subscribe(note);
    const whileWatched = [isTracing(), NAMES.filter((name) => isWatched(`nestwright:${name}`)).length];
    one.unsubscribe(note);
    return whileWatched;
  });
  expect(seen).toEqual([...EVENTS.map(() => [true, 0]), ...NAMES.map(() => [true, 1])]);
  expect(isTracing()).toBe(false);
});
