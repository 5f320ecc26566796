/** Requests to a database that keeps them waiting, or lets nobody in → a 503 with its code, no driver text, and connections that the next request can use. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { Statements } from '../support/statements.js';
import { ALL, type Call, CHANGES, faultyApp, INSERTS, READS } from './faulty-app.js';

const refused = (code: string, message: string, retryAfter?: string) => ({
  status: 503,
  body: { statusCode: 503, message, error: 'Service Unavailable', code },
  retryAfter,
});
const TIMEOUT = refused('CRUD_TIMEOUT', 'The database did not answer in time');
const UNAVAILABLE = refused('CRUD_UNAVAILABLE', 'The database is not available', '1');

/** How the same is brought about on each database. */
const ON = {
  postgres: {
    lock: 'LOCK TABLE items IN ACCESS EXCLUSIVE MODE',
    clientTimeout: { extra: { query_timeout: 1_000, max: 1 } },
    smallPool: { extra: { max: 1, connectionTimeoutMillis: 100 } },
  },
  mysql: {
    lock: 'LOCK TABLES items WRITE',
    clientTimeout: {
      maxQueryExecutionTime: 1_000,
      enableQueryTimeout: true,
      poolSize: 1,
      // While one listens, some of the fast paths are off, to which the option does not apply.
      logger: new Statements(),
      logging: ['error'],
    },
    smallPool: { extra: { connectionLimit: 1, queueLimit: 1 } },
  },
};

beforeEach(() => void jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined));
afterEach(() => void jest.restoreAllMocks());

// Each has a title of its own, so that CI runs both.
describe.each([
  ['PostgreSQL', 'postgres'],
  ['MySQL and MariaDB', 'mysql'],
] as const)('%s', (_, kind) => {
  const { lock, clientTimeout, smallPool } = ON[kind];
  describeDatabases(
    'faults',
    (db) => {
      describe('a client that does not wait', () => {
        const app = faultyApp(db, 'express', { options: clientTimeout });

        test('answers 503 CRUD_TIMEOUT, and leaves no connection behind on which a write is still under way', async () => {
          const expectTimeout = async (call: Call) => expect([call, await app.call(call)]).toEqual([call, TIMEOUT]);
          await app.whileLocked(lock, async () => {
            const calls = kind === 'postgres' ? [READS[1]!, READS[2]!, CHANGES[0]!, INSERTS[0]!] : READS.slice(2);
            for (const call of calls) await expectTimeout(call);
          });
          const rowLock = 'SELECT * FROM items WHERE id = 1 FOR UPDATE';
          await app.whileLocked(rowLock, () => expectTimeout(['put', '/items/1', { name: 'late' }]));
          // The only connection of the pool: work on it would be part of the transaction that nobody has ended.
          expect((await app.call(['post', '/items', { name: 'next' }])).status).toBe(201);
          expect(await app.source.query("SELECT name FROM items WHERE name = 'next'")).toHaveLength(1);
          if (kind !== 'postgres') return;
          expect(await app.source.query('SELECT pg_current_xact_id_if_assigned() AS id')).toEqual([{ id: null }]);
        });
      });

      describe('a pool that is used up', () => {
        const app = faultyApp(db, 'express', { options: smallPool });

        test('is a 503 CRUD_UNAVAILABLE that says when to come again', async () => {
          const runner = app.source.createQueryRunner();
          await runner.connect();
          const queued = kind === 'mysql' ? [app.call(['get', '/items/1'])] : [];
          await sleep(50);
          const calls = kind === 'mysql' ? ALL.slice(2) : ALL;
          const answers = await Promise.all(calls.map((call) => app.call(call)));
          await runner.release();
          expect(answers).toEqual(calls.map(() => UNAVAILABLE));
          for (const answer of queued) expect((await answer).status).toBe(200);
          expect((await app.call(['get', '/items'])).status).toBe(200);
        });
      });
    },
    [kind],
  );
});
