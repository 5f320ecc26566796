/** The harness itself: every suite gets an empty database of its own, on every database of the run. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { DATABASES, describeDatabases } from '../index.js';

const urls = new Set<string>();

describe.each([1, 2])('suite %i', () => {
  describeDatabases('a database of its own', (db) => {
    let source: DataSource;

    beforeAll(async () => {
      source = await new DataSource(db.connection).initialize();
    });
    afterAll(() => source.destroy());

    test('is empty, writable and named like no other, and folds letters beyond ASCII where it can', async () => {
      if (db.kind !== 'sqlite') expect(urls.has(db.url)).toBe(false);
      urls.add(db.url);
      await source.query('CREATE TABLE t (a int)');
      await source.query('INSERT INTO t VALUES (1)');
      expect(await source.query('SELECT a FROM t')).toEqual([{ a: 1 }]);
      const [row] = await source.query(`SELECT lower('ÄÖ') AS l`);
      expect(row.l).toBe(db.kind === 'sqlite' ? 'ÄÖ' : 'äö');
    });
  });
});

test('the kinds are the three that the project supports', () =>
  expect(DATABASES).toEqual(['sqlite', 'postgres', 'mysql']));
