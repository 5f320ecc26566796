/** Requests to a MySQL or MariaDB that ends statements, lets nobody in or takes no writes → a 503 with its code, no driver text, and connections that the next request can use. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { type Call, CHANGES, expectAll, type FaultyApp, faultyApp, INSERTS, READS, refused } from './faulty-app.js';

const ALL: readonly Call[] = [...READS, ...CHANGES, ...INSERTS];
const WRITES: readonly Call[] = [...CHANGES, ...INSERTS];
const LOCK = 'LOCK TABLES items WRITE';
const ROW_LOCK = 'SELECT * FROM items WHERE id = 1 FOR UPDATE';

interface Pool {
  on(event: 'connection', listener: (connection: { query(sql: string): unknown }) => void): void;
}

/** Sets something in every session of the application. */
const session = (settings: string) => async (source: DataSource) => {
  (source.driver as unknown as { readonly pool: Pool }).pool.on('connection', (connection) => {
    connection.query(`SET SESSION ${settings}`);
  });
  await source.query(`SET SESSION ${settings}`);
};

beforeEach(() => void jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined));
afterEach(() => void jest.restoreAllMocks());

/** Has the connection of a pool with one connection refuse its next COMMIT as a node without a quorum does. */
function failNextCommit(source: DataSource) {
  const { pool } = source.driver as unknown as {
    readonly pool: { readonly _allConnections: { get(index: number): Sender } };
  };
  const connection = pool._allConnections.get(0);
  const { query } = connection;
  const sent = jest.fn<(sql: string) => void>();
  connection.query = function (sql, ...rest) {
    if (sql !== 'COMMIT') return query.call(this, sql, ...rest);
    sent(sql);
    const sqlMessage = "Got error 6 'No such device or address' during COMMIT";
    const failed = rest.find((one) => typeof one === 'function') as (error: Error) => void;

    return failed(Object.assign(new Error(sqlMessage), { errno: 1180, code: 'ER_ERROR_DURING_COMMIT', sqlMessage }));
  };

  return sent;
}

interface Sender {
  query(this: Sender, sql: string, ...rest: unknown[]): unknown;
}

/** Kills every session of the application that waits for a lock, or its statement, until none is left. */
async function toWaiting({ outside }: FaultyApp, action: 'KILL' | 'KILL QUERY', running: Promise<unknown>) {
  const done = { yet: false };
  void running.finally(() => (done.yet = true)).catch(() => undefined);
  while (!done.yet) {
    const waiting = await outside.query<{ ID: number }[]>(
      `SELECT ID FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND STATE LIKE '%lock%'`,
    );
    for (const { ID } of waiting) await outside.query(`${action} ${ID}`).catch(() => undefined);
    await sleep(10);
  }
}

describeDatabases(
  'faults of MySQL and MariaDB',
  (db) => {
    describePlatforms('over HTTP', (platform) => {
      describe('a statement that takes too long', () => {
        const app = faultyApp(db, platform, {
          prepare: async (source) => {
            const isMariadb = String((await source.query<{ v: string }[]>('SELECT version() AS v'))[0]!.v);
            await session(/mariadb/i.test(isMariadb) ? 'max_statement_time = 0.25' : 'max_execution_time = 250')(
              source,
            );
          },
        });

        test('is ended with 503 CRUD_TIMEOUT, and the same connections go on', async () => {
          // MySQL bounds the time of SELECT alone.
          const [{ v }] = (await app.outside.query<{ v: string }[]>('SELECT version() AS v')) as [{ v: string }];
          const bounded = /mariadb/i.test(v) ? ALL : READS;
          await app.whileLocked(LOCK, () => expectAll(app, bounded, refused('CRUD_TIMEOUT')));
          expect((await app.call(['get', '/items/1'])).body).toEqual({ id: 1, name: 'i1' });
          expect((await app.call(['patch', '/items/1', { name: 'free' }])).body).toEqual({ id: 1, name: 'free' });
          expect(await app.rows()).toHaveLength(3);
        });
      });

      describe('enableQueryTimeout', () => {
        const app = faultyApp(db, platform, {
          options: { maxQueryExecutionTime: 1_000, enableQueryTimeout: true, poolSize: 1 },
          logged: true,
        });

        test('ends reads and writes with 503 CRUD_TIMEOUT, and leaves no write under way', async () => {
          await app.whileLocked(LOCK, () => expectAll(app, READS.slice(2), refused('CRUD_TIMEOUT')));
          const put: Call = ['put', '/items/1', { name: 'late' }];
          await app.whileLocked(ROW_LOCK, () => expectAll(app, [put], refused('CRUD_TIMEOUT')));
          expect((await app.call(['post', '/items', { name: 'next' }])).status).toBe(201);
          expect((await app.rows()).map(({ name }) => name)).toEqual(expect.arrayContaining(['next']));
        });
      });

      describe('a pool that is used up', () => {
        const app = faultyApp(db, platform, { options: { extra: { connectionLimit: 1, queueLimit: 1 } } });

        test('is a 503 CRUD_UNAVAILABLE that says when to come again', async () => {
          const runner = app.source.createQueryRunner();
          await runner.connect();
          const queued = app.call(['get', '/items/1']);
          await sleep(50);
          try {
            await expectAll(app, READS.slice(2), refused('CRUD_UNAVAILABLE', '1'));
            await expectAll(app, WRITES, refused('CRUD_UNAVAILABLE', '1'));
          } finally {
            await runner.release();
          }
          expect((await queued).status).toBe(200);
        });
      });

      describe('sessions that take no writes', () => {
        const app = faultyApp(db, platform, { prepare: session('TRANSACTION READ ONLY') });

        test('refuse writes with 503 CRUD_UNAVAILABLE and answer reads', async () => {
          await expectAll(app, WRITES, refused('CRUD_UNAVAILABLE', '1'));
          expect((await app.call(['get', '/items/1'])).body).toEqual({ id: 1, name: 'i1' });
        });
      });

      describe('sessions that are ended', () => {
        const app = faultyApp(db, platform);

        test('while they read or write are a 503 CRUD_UNAVAILABLE, and others take their place', async () => {
          await app.whileLocked(LOCK, async () => {
            const all = expectAll(app, ALL, refused('CRUD_UNAVAILABLE', '1'));
            await toWaiting(app, 'KILL', all);
            await all;
          });
          expect((await app.call(['patch', '/items/1', { name: 'free' }])).status).toBe(200);
        });

        test('only their statements are a 503 CRUD_TIMEOUT', async () => {
          await app.whileLocked(LOCK, async () => {
            const all = expectAll(app, ALL, refused('CRUD_TIMEOUT'));
            await toWaiting(app, 'KILL QUERY', all);
            await all;
          });
        });
      });

      describe('a node of a cluster without a quorum', () => {
        const app = faultyApp(db, platform, { options: { extra: { connectionLimit: 1 } } });
        const idOf = async () => (await app.source.query<{ id: number }[]>('SELECT CONNECTION_ID() AS id'))[0]!.id;

        test.each([1047, 1180, 1181])(
          'is a 503 CRUD_UNAVAILABLE on another connection the next time: %s',
          async (errno) => {
            const signal = `SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'of the node'`;
            for (const event of ['INSERT', 'UPDATE', 'DELETE'])
              await app.outside.query(`CREATE TRIGGER on_${event} BEFORE ${event} ON items FOR EACH ROW ${signal}`);
            try {
              for (const write of WRITES) {
                const before = await idOf();
                await expectAll(app, [write], refused('CRUD_UNAVAILABLE', '1'));
                expect(await idOf()).not.toBe(before);
              }
            } finally {
              for (const event of ['INSERT', 'UPDATE', 'DELETE']) await app.outside.query(`DROP TRIGGER on_${event}`);
            }
          },
        );

        test('is the same where it refuses the commit', async () => {
          const before = await idOf();
          const fail = failNextCommit(app.source);
          await expectAll(app, [['put', '/items/1', { name: 'lost' }]], refused('CRUD_UNAVAILABLE', '1'));
          expect(fail).toHaveBeenCalledWith('COMMIT');
          expect(await idOf()).not.toBe(before);
          expect((await app.rows()).map(({ name }) => name)).toEqual(['i1', 'i2', 'i3']);
        });
      });

      describe('a lock that is not let go', () => {
        const app = faultyApp(db, platform, {
          prepare: session('innodb_lock_wait_timeout = 1, lock_wait_timeout = 1'),
          logged: true,
        });

        test('ends a write with 409 CRUD_CONFLICT after one wait, not four', async () => {
          await app.whileLocked(ROW_LOCK, () => expectAll(app, CHANGES, refused('CRUD_CONFLICT')));
          expect(app.refusals.codes).toEqual([1205, 1205, 1205]);
        });

        test('ends a read with 503 CRUD_TIMEOUT after one wait', async () => {
          await app.whileLocked(LOCK, () => expectAll(app, READS.slice(2), refused('CRUD_TIMEOUT', '1')));
          expect(app.refusals.codes).toEqual([1205]);
        });
      });
    });
  },
  ['mysql'],
);
