/** Writes over HTTP whose transactions the database refuses, for a deadlock, a serialization failure or a lock timeout → how often they are retried, and what is answered and stored. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import {
  AbstractLogger,
  Column,
  type DataSource,
  Entity,
  type EntitySubscriberInterface,
  type LogLevel,
  type LogMessage,
  PrimaryColumn,
  type QueryRunner,
} from 'typeorm';
import { describeDatabases, type TestDatabase } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';

@Entity('accounts')
class Account {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @Column({ type: 'int', default: 0 }) balance!: number;
}

/** Collects the code of every statement that the database refuses. */
class Refusals extends AbstractLogger {
  readonly codes: unknown[] = [];

  override logQueryError(error: string | Error): void {
    const { code, errno } = error as { code?: unknown; errno?: unknown };
    this.codes.push(errno ?? code);
  }
  protected override writeLog(_: LogLevel, __: LogMessage | LogMessage[]): void {}
}

const CONFLICT = {
  statusCode: 409,
  message: 'Another request was writing the same records: send this one again',
  error: 'Conflict',
  code: 'CRUD_CONFLICT',
};
/** A write is tried once and repeated five times. */
const ATTEMPTS = 6;

type Method = 'patch' | 'put' | 'delete' | 'post';
type Write = [method: Method, path: string, body: object | undefined, status: number];
const WRITES: Write[] = [
  ['patch', '/accounts/1', { name: 'mine' }, 200],
  ['put', '/accounts/1', { name: 'mine' }, 200],
  ['delete', '/accounts/1', undefined, 200],
];
const POSTED: Write = ['post', '/accounts', { id: 9, name: 'mine' }, 201];

interface Bank {
  readonly source: DataSource;
  readonly refusals: Refusals;
  send(method: Method, path: string, body?: object): request.Test;
  /** Adds a subscriber until the end of the test. */
  watch(subscriber: EntitySubscriberInterface<Account>): void;
  rows(): Promise<Account[]>;
}

/** Registers an application, empty before each test but for six accounts. */
function bank(db: TestDatabase, more: object): Bank {
  const { controller, provider } = resource(Account, 'accounts', { validation: false });
  const refusals = new Refusals(['error']);
  let app: INestApplication;
  let url: string;
  let source: DataSource;

  beforeAll(async () => {
    ({ app, url, source } = await serve(db, [Account], [{ controller, provider }], {
      source: { logging: ['error'], logger: refusals, ...more },
    }));
  });
  afterAll(() => app?.close());
  beforeEach(async () => {
    await source.getRepository(Account).clear();
    await source.getRepository(Account).insert([1, 2, 3, 4, 5, 6].map((id) => ({ id, name: `a${id}` })));
    refusals.codes.length = 0;
  });
  afterEach(() => {
    source.subscribers.length = 0;
  });

  return {
    get source() {
      return source;
    },
    refusals,
    send: (method, path, body) => request(url)[method](path).send(body),
    watch: (subscriber) => void source.subscribers.push(subscriber),
    rows: () => source.getRepository(Account).find({ order: { id: 'ASC' } }),
  };
}

/** A hook that interferes with the first transactions of requests, up to a number of times; it ignores transactions that it begins itself. */
function interfering(times: number, interfere: (runner: QueryRunner) => Promise<void>) {
  const state = { attempts: 0, busy: false };
  const hook = async ({ queryRunner }: { queryRunner: QueryRunner }) => {
    if (state.busy) return;
    state.attempts += 1;
    if (state.attempts > times) return;
    state.busy = true;
    try {
      await interfere(queryRunner);
    } finally {
      state.busy = false;
    }
  };

  return { state, hook };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

describeDatabases(
  'serialization failures',
  (db) => {
    const level = (name: string) => ({ extra: { options: `-c default_transaction_isolation=${name}` } });

    describe('of rows that changed since they were read', () => {
      const at = bank(db, level('repeatable\\ read'));
      /** Changes a row after the transaction has read it, before it writes. */
      const late = (times: number) =>
        interfering(times, async (runner) => {
          await runner.query('SELECT balance FROM accounts');
          await at.source.query('UPDATE accounts SET balance = balance + 1 WHERE id = 1');
        });

      test.each(WRITES)('%s is repeated until it succeeds', async (method, path, body, status) => {
        const { state, hook } = late(ATTEMPTS - 1);
        at.watch({ listenTo: () => Account, afterTransactionStart: hook });
        expect((await at.send(method, path, body)).status).toBe(status);
        expect([state.attempts, at.refusals.codes]).toEqual([ATTEMPTS, Array(ATTEMPTS - 1).fill('40001')]);
        const [first] = await at.rows();
        // PUT gives what it omits its default; what the others stored is not lost otherwise.
        expect(first).toEqual(
          { patch: { id: 1, name: 'mine', balance: ATTEMPTS - 1 }, put: { id: 1, name: 'mine', balance: 0 } }[
            method as string
          ] ?? {
            id: 2,
            name: 'a2',
            balance: 0,
          },
        );
      });

      test.each(WRITES)('%s is a 409 after five repetitions, and nothing is stored', async (method, path, body) => {
        const { state, hook } = late(Infinity);
        at.watch({ listenTo: () => Account, afterTransactionStart: hook });
        expect((await at.send(method, path, body)).body).toEqual(CONFLICT);
        expect([state.attempts, at.refusals.codes]).toEqual([ATTEMPTS, Array(ATTEMPTS).fill('40001')]);
        expect((await at.rows())[0]).toEqual({ id: 1, name: 'a1', balance: ATTEMPTS });
      });

      test('a single statement without a transaction is repeated, too', async () => {
        const other = at.source.createQueryRunner();
        await other.startTransaction();
        await other.query('UPDATE accounts SET balance = 7 WHERE id = 1');
        const patched = at.send('patch', '/accounts/1', { name: 'mine' }).then(({ status, body }) => [status, body]);
        await until(async () => {
          const waiting = await at.source.query<unknown[]>(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          );
          return waiting.length > 0;
        });
        await other.commitTransaction();
        await other.release();

        expect(await patched).toEqual([200, { id: 1, name: 'mine', balance: 7 }]);
        expect(at.refusals.codes).toEqual(['40001']);
      });
    });

    describe('of transactions that cannot be serialized', () => {
      const at = bank(db, level('serializable'));
      /** Another transaction reads what this one writes, and writes what this one has read. */
      const crossing = (times: number) =>
        interfering(times, async (runner) => {
          await runner.query('SELECT sum(balance) FROM accounts');
          await at.source.transaction(async (manager) => {
            await manager.query('SELECT sum(balance) FROM accounts');
            await manager.query('UPDATE accounts SET balance = balance + 1 WHERE id = 2');
          });
        });

      describe.each(['afterTransactionStart', 'beforeTransactionCommit'] as const)('%s', (moment) => {
        test.each([...WRITES, POSTED])('%s is repeated until it succeeds', async (method, path, body, status) => {
          const { state, hook } = crossing(ATTEMPTS - 1);
          at.watch({ listenTo: () => Account, [moment]: hook });
          expect((await at.send(method, path, body)).status).toBe(status);
          expect([state.attempts, at.refusals.codes]).toEqual([ATTEMPTS, Array(ATTEMPTS - 1).fill('40001')]);
          const stored = await at.rows();
          expect(stored.find(({ id }) => id === 2)).toEqual({ id: 2, name: 'a2', balance: ATTEMPTS - 1 });
          expect(stored.filter(({ name }) => name === 'mine')).toHaveLength(method === 'delete' ? 0 : 1);
          expect(stored).toHaveLength({ patch: 6, put: 6, delete: 5, post: 7 }[method]);
        });

        test.each([...WRITES, POSTED])('%s is a 409 after five repetitions', async (method, path, body) => {
          const { state, hook } = crossing(Infinity);
          at.watch({ listenTo: () => Account, [moment]: hook });
          expect((await at.send(method, path, body)).body).toEqual(CONFLICT);
          expect([state.attempts, at.refusals.codes]).toEqual([ATTEMPTS, Array(ATTEMPTS).fill('40001')]);
          expect(await at.rows()).toEqual(
            [1, 2, 3, 4, 5, 6].map((id) => ({ id, name: `a${id}`, balance: id === 2 ? ATTEMPTS : 0 })),
          );
        });
      });
    });
  },
  ['postgres'],
);

describeDatabases(
  'locks',
  (db) => {
    const at = bank(
      db,
      db.kind === 'postgres' ? { extra: { options: '-c deadlock_timeout=20ms -c lock_timeout=200ms' } } : {},
    );
    const waits = async () => {
      const sql =
        db.kind === 'postgres'
          ? "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
          : // Not INNODB_TRX, which is cached for a tenth of a second.
            "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO = 'UPDATE accounts SET balance = balance + 1 WHERE id = 1'";

      return (await at.source.query<unknown[]>(sql)).length > 0;
    };
    const others: Promise<void>[] = [];
    afterEach(() => Promise.all(others.splice(0)));

    /** Causes a deadlock with the request's transaction. The other transaction is made the costlier one, so that the database ends the request's. */
    const deadlocking = (times: number) =>
      interfering(times, async (runner) => {
        const other = at.source.createQueryRunner();
        await other.startTransaction();
        if (db.kind === 'postgres')
          await other.query("SET LOCAL deadlock_timeout = '1min'; SET LOCAL lock_timeout = 0");
        await other.query('UPDATE accounts SET balance = balance + 1 WHERE id > 1');
        const released = other
          .query('UPDATE accounts SET balance = balance + 1 WHERE id = 1')
          .then(() => other.rollbackTransaction())
          .finally(() => other.release());
        others.push(released);
        await until(waits);
        await runner.query('UPDATE accounts SET balance = 100 WHERE id = 2');
      });
    const DEADLOCK = db.kind === 'postgres' ? '40P01' : 1213;

    test('a deadlock is repeated until the write succeeds', async () => {
      const { state, hook } = deadlocking(ATTEMPTS - 1);
      at.watch({ listenTo: () => Account, afterUpdate: hook as never });
      const { status, body } = await at.send('patch', '/accounts/1', { name: 'mine' });
      expect([status, body]).toEqual([200, { id: 1, name: 'mine', balance: 0 }]);
      expect([state.attempts, at.refusals.codes]).toEqual([ATTEMPTS, Array(ATTEMPTS - 1).fill(DEADLOCK)]);
    });

    test('a deadlock that remains is a 409 after five repetitions, and nothing is stored', async () => {
      const { state, hook } = deadlocking(Infinity);
      at.watch({ listenTo: () => Account, afterUpdate: hook as never });
      expect((await at.send('patch', '/accounts/1', { name: 'mine' })).body).toEqual(CONFLICT);
      await Promise.all(others);
      expect([state.attempts, at.refusals.codes]).toEqual([ATTEMPTS, Array(ATTEMPTS).fill(DEADLOCK)]);
      expect(await at.rows()).toEqual([1, 2, 3, 4, 5, 6].map((id) => ({ id, name: `a${id}`, balance: 0 })));
    });

    test.each(WRITES)('%s that waits too long is a 409 at once, and nothing is stored', async (...write) => {
      const [method, path, body] = write;
      if (db.kind === 'mysql') {
        at.watch({
          listenTo: () => Account,
          afterTransactionStart: async ({ queryRunner }) => {
            await queryRunner.query('SET SESSION innodb_lock_wait_timeout = 1');
          },
        });
      }
      const other = at.source.createQueryRunner();
      await other.startTransaction();
      await other.query('UPDATE accounts SET balance = 7 WHERE id = 1');
      expect((await at.send(method, path, body)).body).toEqual(CONFLICT);
      await other.rollbackTransaction();
      await other.release();
      expect(at.refusals.codes).toEqual([db.kind === 'postgres' ? '55P03' : 1205]);
      expect((await at.rows())[0]).toEqual({ id: 1, name: 'a1', balance: 0 });
    });
  },
  ['postgres', 'mysql'],
);

describeDatabases(
  'rows that changed since they were read',
  (db) => {
    const at = bank(db, {});
    const late = (times: number) =>
      interfering(times, async (runner) => {
        await runner.query('SET SESSION innodb_snapshot_isolation = ON');
        await runner.query('SELECT balance FROM accounts');
        await at.source.query('UPDATE accounts SET balance = balance + 1 WHERE id = 1');
      });

    test.each(WRITES)('%s is repeated, and a 409 after five repetitions', async (method, path, body, status) => {
      // MariaDB's alone, and of late.
      if ((await at.source.query<unknown[]>("SHOW VARIABLES LIKE 'innodb_snapshot_isolation'")).length === 0) return;
      const once = late(1);
      at.watch({ listenTo: () => Account, afterTransactionStart: once.hook });
      expect((await at.send(method, path, body)).status).toBe(status);
      expect([once.state.attempts, at.refusals.codes]).toEqual([2, [1020]]);
      await at.source.getRepository(Account).save({ id: 1, name: 'a1', balance: 0 });

      at.source.subscribers.length = 0;
      at.refusals.codes.length = 0;
      const always = late(Infinity);
      at.watch({ listenTo: () => Account, afterTransactionStart: always.hook });
      expect((await at.send(method, path, body)).body).toEqual(CONFLICT);
      expect([always.state.attempts, at.refusals.codes]).toEqual([ATTEMPTS, Array(ATTEMPTS).fill(1020)]);
      expect((await at.rows())[0]).toEqual({ id: 1, name: 'a1', balance: ATTEMPTS });
    });
  },
  ['mysql'],
);
