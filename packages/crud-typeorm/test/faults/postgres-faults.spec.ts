/** Requests to a PostgreSQL that ends statements, lets nobody in, takes no writes or goes away → a 503 with its code, no driver text, and connections that the next request can use. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { EntitySubscriberInterface } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import {
  type Call,
  CHANGES,
  expectAll,
  type FaultyApp,
  faultyApp,
  INSERTS,
  Item,
  READS,
  refused,
} from './faulty-app.js';

const ALL: readonly Call[] = [...READS, ...CHANGES, ...INSERTS];
const WRITES: readonly Call[] = [...CHANGES, ...INSERTS];
const LOCK = 'LOCK TABLE items IN ACCESS EXCLUSIVE MODE';
const ROW_LOCK = 'SELECT * FROM items WHERE id = 1 FOR UPDATE';
const options = (text: string) => ({ extra: { options: text } });

beforeEach(() => void jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined));
afterEach(() => void jest.restoreAllMocks());

/** Does something to every session of the application that waits for a lock, until none is left. */
async function toWaiting({ outside }: FaultyApp, running: Promise<unknown>): Promise<void> {
  const done = { yet: false };
  void running.finally(() => (done.yet = true)).catch(() => undefined);
  while (!done.yet) {
    await outside.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    await sleep(10);
  }
}

describeDatabases(
  'faults of PostgreSQL',
  (db) => {
    describePlatforms('over HTTP', (platform) => {
      describe('statement_timeout', () => {
        const app = faultyApp(db, platform, { options: options('-c statement_timeout=250ms') });

        test('ends reads and writes with 503 CRUD_TIMEOUT, and the same connections go on', async () => {
          await app.whileLocked(LOCK, () => expectAll(app, ALL, refused('CRUD_TIMEOUT')));
          expect((await app.call(['get', '/items/1'])).body).toEqual({ id: 1, name: 'i1' });
          expect((await app.call(['patch', '/items/1', { name: 'free' }])).body).toEqual({ id: 1, name: 'free' });
          expect(await app.rows()).toHaveLength(3);
        });

        test('is not waited for again', async () => {
          const retries: unknown[] = [];
          const note = (message: unknown) => void retries.push(message);
          subscribe('nestwright:retry', note);
          try {
            await app.whileLocked(ROW_LOCK, () => expectAll(app, CHANGES, refused('CRUD_TIMEOUT')));
          } finally {
            unsubscribe('nestwright:retry', note);
          }
          expect(retries).toEqual([]);
        });
      });

      describe('query_timeout', () => {
        const app = faultyApp(db, platform, { options: { extra: { query_timeout: 1_000, max: 1 } } });

        test('ends reads and writes with 503 CRUD_TIMEOUT', async () => {
          await app.whileLocked(LOCK, () =>
            expectAll(app, [READS[1]!, READS[2]!, CHANGES[0]!, INSERTS[0]!], refused('CRUD_TIMEOUT'), false),
          );
        });

        test('leaves no connection behind on which a write is still under way', async () => {
          const merge: Call = ['put', '/items/1', { name: 'late' }];
          await app.whileLocked(ROW_LOCK, () => expectAll(app, [merge], refused('CRUD_TIMEOUT')));
          // The only connection of the pool: work on it would be part of the transaction that nobody has ended.
          expect((await app.call(['post', '/items', { name: 'next' }])).status).toBe(201);
          expect((await app.rows()).map(({ name }) => name)).toEqual(expect.arrayContaining(['next']));
          expect(await app.source.query('SELECT pg_current_xact_id_if_assigned() AS id')).toEqual([{ id: null }]);
          await app.outside.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`,
          );
          expect((await app.rows()).map(({ name }) => name)).toEqual(expect.arrayContaining(['next']));
        });
      });

      describe('a pool that is used up', () => {
        const app = faultyApp(db, platform, { options: { extra: { max: 1, connectionTimeoutMillis: 100 } } });

        test('is a 503 CRUD_UNAVAILABLE that says when to come again', async () => {
          const runner = app.source.createQueryRunner();
          await runner.connect();
          try {
            await expectAll(app, ALL, refused('CRUD_UNAVAILABLE', '1'));
          } finally {
            await runner.release();
          }
          expect((await app.call(['get', '/items'])).status).toBe(200);
        });
      });

      describe('a server that takes no writes', () => {
        const app = faultyApp(db, platform, { options: options('-c default_transaction_read_only=on') });

        test('refuses writes with 503 CRUD_UNAVAILABLE and answers reads', async () => {
          await expectAll(app, WRITES, refused('CRUD_UNAVAILABLE', '1'));
          expect((await app.call(['get', '/items/1'])).body).toEqual({ id: 1, name: 'i1' });
        });

        test('is given up: the next connection may lead to one that does', async () => {
          const pids = async () =>
            (
              await app.outside.query<{ pid: number }[]>(
                `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
              )
            ).map(({ pid }) => pid);
          await app.call(['get', '/items']);
          const before = await pids();
          while ((await pids()).some((pid) => before.includes(pid))) await app.call(CHANGES[0]!);
        });
      });

      describe('sessions that are ended', () => {
        const app = faultyApp(db, platform);

        test('while they read or write are a 503 CRUD_UNAVAILABLE, and others take their place', async () => {
          await app.whileLocked(LOCK, async () => {
            const all = expectAll(app, ALL, refused('CRUD_UNAVAILABLE', '1'));
            await toWaiting(app, all);
            await all;
          });
          expect((await app.call(['patch', '/items/1', { name: 'free' }])).status).toBe(200);
        });
      });

      describe('idle_in_transaction_session_timeout', () => {
        const app = faultyApp(db, platform, { options: options('-c idle_in_transaction_session_timeout=500ms') });

        test('that ends a transaction is a 503, and nothing is stored', async () => {
          const subscriber: EntitySubscriberInterface<Item> = {
            listenTo: () => Item,
            // A promise of the suite's own: TypeORM would not wait for one of Node's.
            afterUpdate: async () => void (await sleep(1_500)),
          };
          app.source.subscribers.push(subscriber);
          const { status, body } = await app.call(CHANGES[0]!);
          app.source.subscribers.pop();
          expect([status, (body as { code: string }).code]).toEqual([503, 'CRUD_UNAVAILABLE']);
          expect((await app.rows())[0]).toEqual({ id: 1, name: 'i1' });
          expect((await app.call(CHANGES[0]!)).status).toBe(200);
        });
      });

      describe('lock_timeout', () => {
        const app = faultyApp(db, platform, { options: options('-c lock_timeout=200ms'), logged: true });

        test('ends a write with 409 CRUD_CONFLICT after one wait, not four', async () => {
          await app.whileLocked(ROW_LOCK, () => expectAll(app, CHANGES, refused('CRUD_CONFLICT')));
          expect(app.refusals.codes).toEqual(['55P03', '55P03', '55P03']);
        });

        test('ends a read with 503 CRUD_TIMEOUT after one wait', async () => {
          await app.whileLocked(LOCK, () => expectAll(app, READS.slice(2), refused('CRUD_TIMEOUT', '1')));
          expect(app.refusals.codes).toEqual(['55P03']);
        });
      });
    });
  },
  ['postgres'],
);
