/** Requests to a database that keeps them waiting, lets nobody in, takes no writes or is full → a 503 with its code, no driver text, and connections that the next request can use. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { ALL, CHANGES, expectAll, faultyApp, INSERTS, READS, refused, WRITES } from './faulty-app.js';

const ROW_LOCK = 'SELECT * FROM items WHERE id = 1 FOR UPDATE';
const UNAVAILABLE = refused('CRUD_UNAVAILABLE', '1');
const TIMEOUT = refused('CRUD_TIMEOUT');

interface Pool {
  on(event: 'connection', listener: (connection: { query(sql: string): unknown }) => void): void;
}

/** Lets every session of an application on MySQL or MariaDB wait for a second. */
const waiting = async (source: DataSource) => {
  const statement = 'SET SESSION innodb_lock_wait_timeout = 1, lock_wait_timeout = 1';
  (source.driver as unknown as { readonly pool: Pool }).pool.on('connection', (one) => one.query(statement));
  await source.query(statement);
};

/** How the same is brought about on each database. */
const ON = {
  postgres: {
    lock: 'LOCK TABLE items IN ACCESS EXCLUSIVE MODE',
    clientTimeout: { options: { extra: { query_timeout: 1_000, max: 1 } } },
    smallPool: { options: { extra: { max: 1, connectionTimeoutMillis: 100 } } },
    lockTimeout: { options: { extra: { options: '-c lock_timeout=200ms' } } },
    lockCode: '55P03',
  },
  mysql: {
    lock: 'LOCK TABLES items WRITE',
    clientTimeout: { options: { maxQueryExecutionTime: 1_000, enableQueryTimeout: true, poolSize: 1 }, logged: true },
    smallPool: { options: { extra: { connectionLimit: 1, queueLimit: 1 } } },
    lockTimeout: { prepare: waiting },
    lockCode: 1205,
  },
};

beforeEach(() => void jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined));
afterEach(() => void jest.restoreAllMocks());

// Each has a title of its own, so that CI runs both.
describe.each([
  ['PostgreSQL', 'postgres'],
  ['MySQL and MariaDB', 'mysql'],
] as const)('%s', (_, kind) => {
  const { lock, lockCode, ...on } = ON[kind];
  describeDatabases(
    'faults',
    (db) => {
      describe('a client that does not wait', () => {
        const app = faultyApp(db, 'express', on.clientTimeout);

        test('answers 503 CRUD_TIMEOUT, and leaves no connection behind on which a write is still under way', async () => {
          const calls = kind === 'postgres' ? [READS[1]!, READS[2]!, CHANGES[0]!, INSERTS[0]!] : READS.slice(2);
          await app.whileLocked(lock, () => expectAll(app, calls, TIMEOUT, false));
          await app.whileLocked(ROW_LOCK, () => expectAll(app, [['put', '/items/1', { name: 'late' }]], TIMEOUT));
          // The only connection of the pool: work on it would be part of the transaction that nobody has ended.
          expect((await app.call(['post', '/items', { name: 'next' }])).status).toBe(201);
          expect((await app.rows()).map(({ name }) => name)).toContain('next');
          if (kind !== 'postgres') return;
          expect(await app.source.query('SELECT pg_current_xact_id_if_assigned() AS id')).toEqual([{ id: null }]);
        });
      });

      describe('a pool that is used up', () => {
        const app = faultyApp(db, 'express', on.smallPool);

        test('is a 503 CRUD_UNAVAILABLE that says when to come again', async () => {
          const runner = app.source.createQueryRunner();
          await runner.connect();
          const queued = kind === 'mysql' ? [app.call(['get', '/items/1'])] : [];
          await sleep(50);
          try {
            await expectAll(app, kind === 'mysql' ? [READS[2]!, ...WRITES] : ALL, UNAVAILABLE);
          } finally {
            await runner.release();
          }
          for (const answer of queued) expect((await answer).status).toBe(200);
          expect((await app.call(['get', '/items'])).status).toBe(200);
        });
      });

      describe('a lock that is not let go', () => {
        const app = faultyApp(db, 'express', { ...on.lockTimeout, logged: true });

        test.each([
          ['a write with 409 CRUD_CONFLICT', ROW_LOCK, CHANGES, refused('CRUD_CONFLICT')],
          ['a read with 503 CRUD_TIMEOUT', lock, READS.slice(2), refused('CRUD_TIMEOUT', '1')],
        ])('ends %s after one wait, not four', async (_title, sql, calls, answer) => {
          await app.whileLocked(sql, () => expectAll(app, calls, answer));
          expect(app.refusals.codes).toEqual(calls.map(() => lockCode));
        });
      });
    },
    [kind],
  );
});

describeDatabases(
  'a SQLite database',
  (db) => {
    const app = faultyApp(db, 'express');

    test('that takes no writes, or is full, is a 503 CRUD_UNAVAILABLE with Retry-After', async () => {
      await app.source.query('PRAGMA query_only = 1');
      await expectAll(app, WRITES, UNAVAILABLE);
      expect((await app.call(['get', '/items/1'])).status).toBe(200);
      await app.source.query('PRAGMA query_only = 0');
      const [{ page_count: pages }] = await app.source.query<[{ page_count: number }]>('PRAGMA page_count');
      await app.source.query(`PRAGMA max_page_count = ${pages}`);
      const bulk = Array.from({ length: 2000 }, (_, index) => ({ name: `full${index}` }));
      await expectAll(app, [['post', '/items/bulk', { bulk }]], refused('CRUD_UNAVAILABLE'));
      await app.source.query('PRAGMA max_page_count = 1000000');
      expect(await app.rows()).toHaveLength(3);
    });
  },
  ['sqlite'],
);
