/** Writes to a SQLite database that takes none, or is full → a 503 with its code, while reads are answered. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { CHANGES, expectAll, faultyApp, INSERTS, refused } from './faulty-app.js';

beforeEach(() => void jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined));
afterEach(() => void jest.restoreAllMocks());

describeDatabases(
  'faults of SQLite',
  (db) => {
    describePlatforms('over HTTP', (platform) => {
      const app = faultyApp(db, platform);

      test('a database that takes no writes is a 503 CRUD_UNAVAILABLE that says when to come again', async () => {
        await app.source.query('PRAGMA query_only = 1');
        try {
          await expectAll(app, [...CHANGES, ...INSERTS], refused('CRUD_UNAVAILABLE', '1'));
          expect((await app.call(['get', '/items/1'])).status).toBe(200);
        } finally {
          await app.source.query('PRAGMA query_only = 0');
        }
        expect(await app.rows()).toHaveLength(3);
      });

      test('a database that is full is a 503 CRUD_UNAVAILABLE, and nothing is stored', async () => {
        const [{ page_count: pages }] = (await app.source.query('PRAGMA page_count')) as [{ page_count: number }];
        await app.source.query(`PRAGMA max_page_count = ${pages}`);
        const bulk = Array.from({ length: 2000 }, (_, index) => ({ name: `full${index}` }));
        try {
          await expectAll(app, [['post', '/items/bulk', { bulk }]], refused('CRUD_UNAVAILABLE'));
        } finally {
          await app.source.query('PRAGMA max_page_count = 1000000');
        }
        expect(await app.rows()).toHaveLength(3);
      });
    });
  },
  ['sqlite'],
);
