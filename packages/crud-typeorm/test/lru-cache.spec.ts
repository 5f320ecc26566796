/** Keys → cached values, made once until they are evicted. */
import { expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { configureCrudDatabase } from '../src/index.js';
import { cachedBytes, LruCache } from '../../sql/src/lru-cache.js';
import { toDatabase } from '../src/typeorm/database.js';

/** A database whose caches have a budget of 160,000 bytes, if no other is named. */
function databaseOf(options: Parameters<typeof configureCrudDatabase>[1] = { statementCacheBytes: 160_000 }) {
  const dataSource = new DataSource({ type: 'postgres' });
  configureCrudDatabase(dataSource, options);
  return toDatabase(dataSource);
}

test('the least recently used entry gives way, in each data source by itself', () => {
  const [first, second] = [databaseOf({ statementCache: 2 }), databaseOf()];
  const cache = new LruCache<string>();
  const made: string[] = [];
  const get = (key: string, from = first) => cache.get(from, key, () => (made.push(key), key));
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b', 'a']) get(key);
  // b gave way to c, then c to b; a was in use all the time.
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  get('a', second);
  expect(made.at(-1)).toBe('a');
});

test('all caches of a data source share one budget of bytes; the least recently used gives way', () => {
  const database = databaseOf();
  const caches = [new LruCache<string>(), new LruCache<string>()] as const;
  const made: string[] = [];
  const get = (cache: 0 | 1, key: string) =>
    caches[cache].get(database, key, (weigh) => {
      made.push(key);
      weigh(9000);
      return key;
    });
  for (let round = 0; round < 20; round++) {
    get(0, 'kept');
    get(0, `a${round}`);
    get(1, `b${round}`);
    expect(cachedBytes(database)).toBeLessThanOrEqual(160_000);
  }
  expect(cachedBytes(database)).toBeGreaterThan(150_000);
  expect(made.filter((key) => key === 'kept')).toEqual(['kept']);
  const kept = [caches[0].find(database, 'a19'), caches[1].find(database, 'b19'), caches[0].find(database, 'a5')];
  expect(kept).toEqual(['a19', 'b19', undefined]);
});

test('what takes more than a sixteenth of the budget, at once or later, is not kept, and drives nothing else out', () => {
  const database = databaseOf();
  const cache = new LruCache<string>();
  cache.get(database, 'small', () => 'small');
  const before = cachedBytes(database);
  expect(cache.get(database, 'large', (weigh) => (weigh(10_000), 'large'))).toBe('large');
  expect(cachedBytes(database)).toBe(before);
  let grow!: (bytes: number) => void;
  cache.get(database, 'growing', (weigh) => ((grow = weigh), 'growing'));
  const grown = cachedBytes(database) + 5000;
  grow(5000);
  expect(cachedBytes(database)).toBe(grown);
  for (let times = 0; times < 2; times += 1) grow(5000);
  const found = ['large', 'growing', 'small'].map((key) => cache.find(database, key));
  expect(found).toEqual([undefined, undefined, 'small']);
  expect(cachedBytes(database)).toBe(before);
});
