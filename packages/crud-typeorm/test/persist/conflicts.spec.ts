/** Writes that the database refuses, for a deadlock or a serialization failure → how often they are retried, what is answered and stored. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Column, type DataSource, Entity, PrimaryColumn, type QueryRunner } from 'typeorm';
import { describeDatabases, type TestDatabase } from '../../../../integration/test-support/index.js';
import { Refusals } from '../faults/faulty-app.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('accounts')
class Account {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @Column({ type: 'int', default: 0 }) balance!: number;
}

const message = 'Another request was writing the same records: send this one again';
const CONFLICT = { statusCode: 409, message, error: 'Conflict', code: 'CRUD_CONFLICT' };

/** A write is tried once and repeated five times. */
const ATTEMPTS = 6;

type Write = [method: 'patch' | 'put' | 'delete', path: string, body: object | undefined, status: number];
const WRITES: Write[] = [
  ['patch', '/accounts/1', { name: 'mine' }, 200],
  ['put', '/accounts/1', { name: 'mine' }, 200],
  ['delete', '/accounts/1', undefined, 200],
];

const SIX = [1, 2, 3, 4, 5, 6].map((id) => ({ id, name: `a${id}`, balance: 0 }));

/** A hook that interferes with the first transactions of requests, up to a number of times; it ignores transactions that it begins itself. */
function interfering(times: number, interfere: (runner: QueryRunner) => Promise<void>) {
  const state = { attempts: 0, busy: false };
  const hook = async ({ queryRunner }: { queryRunner: QueryRunner }) => {
    if (state.busy || (state.attempts += 1) > times) return;
    state.busy = true;
    await interfere(queryRunner).finally(() => (state.busy = false));
  };
  return { state, hook };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** An application, with six accounts before each test. */
function bank(db: TestDatabase, more: object) {
  const refusals = new Refusals(['error']);
  /** Work of others that ends with the request's transaction. */
  const others: Promise<void>[] = [];
  const served = serving(db, [Account], [resource(Account, 'accounts', { validation: false })], {
    source: { logging: ['error'], logger: refusals, ...more },
  });
  const accounts = () => served.source.getRepository(Account);
  const reset = async () => {
    served.source.subscribers.length = 0;
    await Promise.all(others.splice(0));
    await accounts().clear();
    await accounts().insert(SIX);
    refusals.codes.length = 0;
  };
  const at = {
    refusals,
    others,
    get source(): DataSource {
      return served.source;
    },
    send: ([method, path, body]: Write) => served.send(method, path, body),
    /** Sends a write that is refused five times, and one that always is; what is stored after each. */
    async refusedOftenAndAlways(
      write: Write,
      moment: 'afterTransactionStart' | 'beforeTransactionCommit' | 'afterUpdate',
      interfere: (runner: QueryRunner) => Promise<void>,
      code: unknown,
    ) {
      const stored: Account[][] = [];
      for (const times of [ATTEMPTS - 1, ATTEMPTS]) {
        const { state, hook } = interfering(times, interfere);
        served.source.subscribers.push({ listenTo: () => Account, [moment]: hook });
        const { status, body } = await at.send(write);
        expect(times < ATTEMPTS ? status : body).toEqual(times < ATTEMPTS ? write[3] : CONFLICT);
        await Promise.all(others.splice(0));
        expect([state.attempts, refusals.codes]).toEqual([ATTEMPTS, Array(times).fill(code)]);
        stored.push(await accounts().find({ order: { id: 'ASC' } }));
        await reset();
      }
      return stored as [Account[], Account[]];
    },
  };
  beforeEach(reset);
  return at;
}

describeDatabases(
  'writes that the database refuses',
  (db) => {
    const isPostgres = db.kind === 'postgres';
    const level = (name: string) =>
      isPostgres ? { extra: { options: `-c default_transaction_isolation=${name}` } } : {};
    const WAITING = isPostgres
      ? "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
      : // Not INNODB_TRX, which is cached for a tenth of a second.
        "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO = 'UPDATE accounts SET balance = balance + 1 WHERE id = 1'";
    const isWaiting = async (source: DataSource) => (await source.query<unknown[]>(WAITING)).length > 0;

    describe('rows that changed since they were read', () => {
      const at = bank(db, level('repeatable\\ read'));

      test.each(WRITES)('%s is repeated until it succeeds, or a 409 after five repetitions', async (...write) => {
        // MariaDB's alone, and of late.
        const variable = "SHOW VARIABLES LIKE 'innodb_snapshot_isolation'";
        if (!isPostgres && (await at.source.query<unknown[]>(variable)).length === 0) return;
        const [done, refused] = await at.refusedOftenAndAlways(
          write,
          'afterTransactionStart',
          async (runner) => {
            if (!isPostgres) await runner.query('SET SESSION innodb_snapshot_isolation = ON');
            await runner.query('SELECT balance FROM accounts');
            await at.source.query('UPDATE accounts SET balance = balance + 1 WHERE id = 1');
          },
          isPostgres ? '40001' : 1020,
        );
        // PUT gives what it omits its default; what the others stored is not lost otherwise.
        const balance = { patch: ATTEMPTS - 1, put: 0 }[write[0] as string];
        expect(done[0]).toEqual(balance === undefined ? SIX[1] : { id: 1, name: 'mine', balance });
        expect(refused[0]).toEqual({ id: 1, name: 'a1', balance: ATTEMPTS });
      });

      test('a single statement without a transaction is repeated, too', async () => {
        if (!isPostgres) return;
        const other = at.source.createQueryRunner();
        await other.startTransaction();
        await other.query('UPDATE accounts SET balance = 7 WHERE id = 1');
        const patched = at.send(WRITES[0]!);
        await until(() => isWaiting(at.source));
        await other.commitTransaction();
        await other.release();
        expect(await patched).toEqual({ status: 200, body: { id: 1, name: 'mine', balance: 7 } });
        expect(at.refusals.codes).toEqual(['40001']);
      });
    });

    describe('locks', () => {
      const at = bank(db, isPostgres ? { extra: { options: '-c deadlock_timeout=20ms' } } : {});

      test('a deadlock is repeated until the write succeeds, or a 409 after five repetitions', async () => {
        const [done, refused] = await at.refusedOftenAndAlways(
          WRITES[0]!,
          'afterUpdate',
          // The other transaction is made the costlier one, so that the database ends the request's.
          async (runner) => {
            const other = at.source.createQueryRunner();
            await other.startTransaction();
            if (isPostgres) await other.query("SET LOCAL deadlock_timeout = '1min'");
            await other.query('UPDATE accounts SET balance = balance + 1 WHERE id > 1');
            const released = other
              .query('UPDATE accounts SET balance = balance + 1 WHERE id = 1')
              .then(() => other.rollbackTransaction())
              .finally(() => other.release());
            at.others.push(released);
            await until(() => isWaiting(at.source));
            await runner.query('UPDATE accounts SET balance = 100 WHERE id = 2');
          },
          isPostgres ? '40P01' : 1213,
        );
        expect(done).toEqual([{ ...SIX[0], name: 'mine' }, ...SIX.slice(1)]);
        expect(refused).toEqual(SIX);
      });
    });

    if (!isPostgres) return;

    describe('transactions that cannot be serialized', () => {
      const at = bank(db, level('serializable'));

      test.each(['afterTransactionStart', 'beforeTransactionCommit'] as const)('are found out %s', async (moment) => {
        // Another transaction reads what this one writes, and writes what this one has read.
        const [done, refused] = await at.refusedOftenAndAlways(
          WRITES[0]!,
          moment,
          async (runner) => {
            await runner.query('SELECT sum(balance) FROM accounts');
            await at.source.transaction(async (manager) => {
              await manager.query('SELECT sum(balance) FROM accounts');
              await manager.query('UPDATE accounts SET balance = balance + 1 WHERE id = 2');
            });
          },
          '40001',
        );
        const balances = (all: Account[]) => all.map(({ name, balance }) => `${name} ${balance}`).slice(0, 3);
        expect(balances(done)).toEqual(['mine 0', `a2 ${ATTEMPTS - 1}`, 'a3 0']);
        expect(balances(refused)).toEqual(['a1 0', `a2 ${ATTEMPTS}`, 'a3 0']);
      });
    });
  },
  ['postgres', 'mysql'],
);
