/** A request of HTTP → its client, and when that is known to have gone; what is noted of a request for its answer. */
import { expect, test } from '@jest/globals';
import type { CrudRequest } from '../../src/index.js';
import { clientOf, ensureState, HttpClient, outcomeOf, readHeader } from '../../src/response/request-state.js';
import { readState, refuseGone, refuseLeaving, reportOutcome } from '../../src/response/request-state.js';

const [here, gone] = [{ destroyed: false }, { destroyed: true }];

test.each<[string, http: object, isGone: boolean]>([
  ['of HTTP/1, by its socket', { httpVersionMajor: 1, socket: gone, stream: here }, true],
  ['of HTTP/2, by its stream', { httpVersionMajor: 2, socket: gone, stream: here }, false],
  ['of HTTP/2 without a stream, by its socket', { httpVersionMajor: 2, socket: gone }, true],
  ['of Fastify, by what it holds', { raw: { httpVersionMajor: 2, stream: gone }, socket: here }, true],
  ['of Express, whatever else it holds', { httpVersionMajor: 1, raw: { httpVersionMajor: 1 }, socket: gone }, true],
  ['without a socket', { httpVersionMajor: 1, socket: null }, false],
])('the client of a request %s', (_, http, isGone) => {
  const client = new HttpClient(http);
  expect(client.isGone).toBe(isGone);
  if (isGone) expect(() => refuseGone(client)).toThrow(expect.objectContaining({ status: 499 }));
  else expect(refuseGone(client)).toBeUndefined();
});

test.each([1, 4, 5])('of a client that leaves, three turns of the event loop are waited for: %p', async (turns) => {
  let asked = 0;
  const client = {
    get isGone() {
      return (asked += 1) >= turns;
    },
  };
  let passed = 0;
  const count = () => void setImmediate(() => (passed += 1) < 9 && count());
  count();
  const left = await refuseLeaving(client).then(
    () => 'stays',
    ({ status }) => status as number,
  );
  expect([left, passed]).toEqual([turns > 4 ? 'stays' : 499, Math.min(turns - 1, 3)]);
});

test('outcomes of a request add up, and those of a copy are its own', () => {
  const request = { parsed: {} } as CrudRequest;
  expect([readState(request), clientOf(request), outcomeOf(request)]).toStrictEqual([undefined, undefined, {}]);
  expect(() => refuseGone(clientOf(request))).not.toThrow();
  const client = new HttpClient({});
  ensureState(request).client = client;
  reportOutcome(request, { created: true });
  reportOutcome(request, { truncated: true });
  expect([clientOf(request), outcomeOf(request)]).toEqual([client, { created: true, truncated: true }]);
  expect(readState({ ...request })).toBeUndefined();
});

test.each([
  [{ headers: { a: 'x' } }, 'x'],
  [{ headers: { a: ['x'] } }, undefined],
  [{ headers: {} }, undefined],
  [{}, undefined],
])('the header of %j is %p', (http, text) => expect(readHeader(http, 'a')).toBe(text));
