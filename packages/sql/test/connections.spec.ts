/** Whose turn it is on a shared connection, what is tried again, and what is told of statements. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type Connection, type Database, POSTGRES, SQLITE } from '@nestwright/sql';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as turn } from 'node:timers/promises';
import { holdConnection } from '../src/connections/hold.js';
import { publishedQuery } from '../src/connections/published-query.js';
import { enqueue, findOwnUse, queueWork, serialized } from '../src/connections/queue.js';
import { withRetries } from '../src/connections/retry.js';
import { makeDatabase } from './bare-database.js';

const fault = (code: string) => Object.assign(new Error(code), { code, severity: 'ERROR' });

describe('a shared connection', () => {
  test('has one work at a time, in order, also after one that failed', async () => {
    const shared = makeDatabase(SQLITE);
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await turn();
      order.push(`${name} ends`);
      if (name === 'b') throw new Error(name);
    };
    const connection = { database: shared } as Connection;
    const works = [serialized(shared, work('a')), queueWork(connection, work('b')), enqueue(shared, work('c'))];
    await Promise.allSettled(works);
    expect(order).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
    await expect(works[1]).rejects.toThrow('b');
  });

  test('is that of the work around, which it does not wait for', async () => {
    const [shared, other] = [makeDatabase(SQLITE), makeDatabase(SQLITE)];
    const order: string[] = [];
    let background!: Promise<void>;
    const outer = enqueue(shared, async () => {
      const use = findOwnUse(shared);
      await enqueue(other, () =>
        enqueue(shared, async () => {
          order.push('inner');
          expect(findOwnUse(shared)).toBe(use);
        }),
      );
      expect([use?.active, findOwnUse(other)]).toEqual([true, undefined]);
      background = (async () => {
        await outer;
        expect(findOwnUse(shared)).toBeUndefined();
        await enqueue(shared, () => Promise.resolve(void order.push('background')));
      })();
      order.push('outer');
    });
    const later = enqueue(shared, async () => {
      await turn();
      order.push('later');
    });
    await Promise.all([outer, later]);
    await background;
    expect(order).toEqual(['inner', 'outer', 'later', 'background']);
    expect(findOwnUse(shared)).toBeUndefined();
  });

  test('is nothing that other databases have', async () => {
    const database = makeDatabase(POSTGRES);
    let isDone = false;
    const first = serialized(database, () => turn().then(() => (isDone = true)));
    await serialized(database, () => Promise.resolve(expect(isDone).toBe(false)));
    await first;
    const [one, other] = [{ database }, { database }] as Connection[];
    const order: string[] = [];
    await Promise.all([
      queueWork(one!, () => turn().then(() => order.push('one'))),
      queueWork(one!, () => Promise.resolve(order.push('then'))),
      queueWork(other!, () => Promise.resolve(order.push('other'))),
    ]);
    expect(order).toEqual(['other', 'one', 'then']);
  });
});

describe('work that failed', () => {
  afterEach(() => void jest.restoreAllMocks());

  test.each<[code: string, retries: number | undefined, mayRetry: boolean | undefined, times: number]>([
    ['40P01', undefined, undefined, 6],
    ['40P01', 2, undefined, 3],
    ['40P01', undefined, false, 1],
    ['57014', undefined, undefined, 1],
    ['57014', 8, true, 9],
  ])('with %s is tried again up to %j times, if that may help (%j)', async (code, retries, mayRetry, times) => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const told: unknown[] = [];
    const listen = (message: unknown) => void told.push(message);
    subscribe('nestwright:retry', listen);
    let tried = 0;
    const work = () => {
      tried += 1;
      return Promise.reject(fault(code));
    };
    await expect(withRetries(work, retries, mayRetry === undefined ? undefined : () => mayRetry)).rejects.toThrow(code);
    unsubscribe('nestwright:retry', listen);
    expect(tried).toBe(times);
    const attempts = Array.from({ length: times - 1 }, (_, at) => ({ attempt: at + 1, code }));
    expect(told).toMatchObject(attempts);
  });

  test.each([
    ['ECONNRESET', ['write', 'ECONNRESET', 'released']],
    ['23505', ['write', 'released']],
  ])('with %s leaves the connection as it may be used: %j', async (code, expected) => {
    const seen: unknown[] = [];
    const connection = {
      close: (error: Error) => Promise.resolve(void seen.push(error.message)),
      release: () => Promise.resolve(void seen.push('released')),
    } as unknown as Connection;
    const database = { connect: (use: string) => (seen.push(use), connection) } as unknown as Database;
    const work = holdConnection(database, 'write', () => Promise.reject(fault(code)));
    await expect(work).rejects.toThrow(code);
    expect(seen).toEqual(expected);
  });
});

describe('a statement', () => {
  const told: unknown[] = [];
  const listen = (message: unknown) => void told.push(message);
  afterEach(() => void unsubscribe('nestwright:query', listen));

  test.each<[result: unknown, rows: number]>([
    [5, 5],
    [['a', 'b'], 2],
    [[['a', 'b', 'c'], 'fields'], 3],
    [{ records: ['a'], rows: [] }, 1],
    [{ rows: ['a', 'b'] }, 2],
    [undefined, 0],
  ])('whose result is %j has %i rows', async (result, rows) => {
    subscribe('nestwright:query', listen);
    expect(await publishedQuery('SELECT', () => Promise.resolve(result))).toBe(result);
    const times = { startedAt: expect.any(Number), durationMs: expect.any(Number) };
    expect(told.splice(0)).toEqual([{ sql: 'SELECT', failed: false, rows, request: undefined, ...times }]);
  });

  test('that failed is told with its code, and to nobody if nobody listens', async () => {
    await expect(publishedQuery('SELECT', () => Promise.reject(fault('1')))).rejects.toThrow('1');
    subscribe('nestwright:query', listen);
    await expect(publishedQuery('SELECT', () => Promise.reject(fault('2')))).rejects.toThrow('2');
    expect(told).toEqual([expect.objectContaining({ failed: true, code: '2' })]);
  });
});
