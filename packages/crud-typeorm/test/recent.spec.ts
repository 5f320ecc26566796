/** Keys in, what was made for them out: once, until others push it out. */
import { expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { configureCrudDatabase } from '../src/index.js';
import { Recent } from '../src/recent.js';

const source = () => new DataSource({ type: 'postgres' });

function counting(dataSource: DataSource) {
  const recent = new Recent<string>();
  const made: string[] = [];
  const get = (key: string, from = dataSource) =>
    recent.get(from, key, () => {
      made.push(key);

      return key.toUpperCase();
    });

  return { made, get };
}

test('each thing is made once', () => {
  const { made, get } = counting(source());

  expect(['a', 'b', 'a', 'b', 'a'].map((key) => get(key))).toEqual(['A', 'B', 'A', 'B', 'A']);
  expect(made).toEqual(['a', 'b']);
});

test('the one that was not used for longest gives way', () => {
  const dataSource = source();
  configureCrudDatabase(dataSource, { statementCache: 2 });
  const { made, get } = counting(dataSource);

  for (const key of ['a', 'b', 'a', 'c', 'a', 'b', 'a']) get(key);

  // b gave way to c, then c to b; a was in use all the time.
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('1,000 are kept by default', () => {
  const { made, get } = counting(source());

  for (let key = 0; key < 1000; key++) get(String(key));
  get('0');
  expect(made).toHaveLength(1000);
  get('1000');
  get('0');
  expect(made).toHaveLength(1001);
  get('1');
  expect(made).toHaveLength(1002);
});

test('each data source has its own', () => {
  const one = source();
  const other = source();
  const { made, get } = counting(one);

  get('a', one);
  get('a', other);

  expect(made).toEqual(['a', 'a']);
});
