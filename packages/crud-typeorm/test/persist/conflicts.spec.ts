/** Writes that the database refuses, for a deadlock or a serialization failure → how often they are retried, what is answered and stored. */
import { beforeEach, expect, test } from '@jest/globals';
import { AbstractLogger, Column, type DataSource, Entity, PrimaryColumn, type QueryRunner } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('accounts')
class Account {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @Column({ type: 'int', default: 0 }) balance!: number;
}

/** Keeps the codes of the statements that the database refuses. */
class Refusals extends AbstractLogger {
  readonly codes: unknown[] = [];
  override logQueryError(error: string | Error): void {
    const { code, errno } = error as { code?: unknown; errno?: unknown };
    this.codes.push(errno ?? code);
  }
  protected override writeLog(): void {}
}

const message = 'Another request was writing the same records: send this one again';
const CONFLICT = { statusCode: 409, message, error: 'Conflict', code: 'CRUD_CONFLICT' };
/** A write is tried once and repeated five times. */
const ATTEMPTS = 6;

type Write = [method: 'patch' | 'put' | 'delete', path: string, body?: object];
const PATCH: Write = ['patch', '/accounts/1', { name: 'mine' }];
const PUT: Write = ['put', '/accounts/1', { name: 'mine' }];
const DELETE: Write = ['delete', '/accounts/1'];
const SIX = [1, 2, 3, 4, 5, 6].map((id) => ({ id, name: `a${id}`, balance: 0 }));

describeDatabases(
  'writes that the database refuses',
  (db) => {
    const isPostgres = db.kind === 'postgres';
    const level = '-c default_transaction_isolation=serializable -c deadlock_timeout=20ms';
    const refusals = new Refusals(['error']);
    const served = serving(db, [Account], [resource(Account, 'accounts', { validation: false })], {
      source: { logging: ['error'], logger: refusals, ...(isPostgres && { extra: { options: level } }) },
    });
    /** Work of others that ends with the request's transaction. */
    const others: Promise<void>[] = [];
    const accounts = () => served.source.getRepository(Account);
    const reset = async () => {
      served.source.subscribers.length = 0;
      await Promise.all(others.splice(0));
      await accounts().clear();
      await accounts().insert(SIX);
      refusals.codes.length = 0;
    };
    beforeEach(reset);

    /** Sends a write that others interfere with five times, and one with always; what is stored after each. Transactions that they begin count for nothing. */
    async function refusedOftenAndAlways(
      write: Write,
      moment: 'afterTransactionStart' | 'beforeTransactionCommit' | 'afterUpdate',
      interfere: (runner: QueryRunner) => Promise<void>,
      code: unknown,
    ) {
      const stored: Account[][] = [];
      for (const times of [ATTEMPTS - 1, ATTEMPTS]) {
        let [attempts, busy] = [0, false];
        const hook = async ({ queryRunner }: { queryRunner: QueryRunner }) => {
          if (busy || (attempts += 1) > times) return;
          busy = true;
          await interfere(queryRunner).finally(() => (busy = false));
        };
        served.source.subscribers.push({ listenTo: () => Account, [moment]: hook });
        const { status, body } = await served.send(...write);
        expect(times < ATTEMPTS ? status : body).toEqual(times < ATTEMPTS ? 200 : CONFLICT);
        await Promise.all(others.splice(0));
        expect([attempts, refusals.codes]).toEqual([ATTEMPTS, Array(times).fill(code)]);
        stored.push(await accounts().find({ order: { id: 'ASC' } }));
        await reset();
      }
      return stored as [Account[], Account[]];
    }

    const WAITING = isPostgres
      ? "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
      : // Not INNODB_TRX, which is cached for a tenth of a second.
        "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO = 'UPDATE accounts SET balance = balance + 1 WHERE id = 1'";
    const untilOneWaits = async (source: DataSource) => {
      while ((await source.query<unknown[]>(WAITING)).length === 0) await new Promise((next) => setTimeout(next, 5));
    };

    test.each([PATCH, PUT, DELETE])(
      '%s is repeated until it succeeds, or a 409 after five repetitions',
      async (...write) => {
        // MariaDB's alone, and of late.
        const variable = "SHOW VARIABLES LIKE 'innodb_snapshot_isolation'";
        if (!isPostgres && (await served.source.query<unknown[]>(variable)).length === 0) return;
        const [done, refused] = await refusedOftenAndAlways(
          write,
          'afterTransactionStart',
          async (runner) => {
            if (!isPostgres) await runner.query('SET SESSION innodb_snapshot_isolation = ON');
            await runner.query('SELECT balance FROM accounts');
            await served.source.query('UPDATE accounts SET balance = balance + 1 WHERE id = 1');
          },
          isPostgres ? '40001' : 1020,
        );
        // PUT gives what it omits its default; what the others stored is not lost otherwise.
        const balance = { patch: ATTEMPTS - 1, put: 0 }[write[0] as string];
        expect(done[0]).toEqual(balance === undefined ? SIX[1] : { id: 1, name: 'mine', balance });
        expect(refused[0]).toEqual({ id: 1, name: 'a1', balance: ATTEMPTS });
      },
    );

    test('a deadlock is repeated until the write succeeds, or a 409 after five repetitions', async () => {
      const [done, refused] = await refusedOftenAndAlways(
        PATCH,
        'afterUpdate',
        // The other transaction is made the costlier one, so that the database ends the request's.
        async (runner) => {
          const other = served.source.createQueryRunner();
          await other.startTransaction();
          if (isPostgres) await other.query("SET LOCAL deadlock_timeout = '1min'");
          await other.query('UPDATE accounts SET balance = balance + 1 WHERE id > 1');
          const released = other
            .query('UPDATE accounts SET balance = balance + 1 WHERE id = 1')
            .then(() => other.rollbackTransaction())
            .finally(() => other.release());
          others.push(released);
          await untilOneWaits(served.source);
          await runner.query('UPDATE accounts SET balance = 100 WHERE id = 2');
        },
        isPostgres ? '40P01' : 1213,
      );
      expect(done).toEqual([{ ...SIX[0], name: 'mine' }, ...SIX.slice(1)]);
      expect(refused).toEqual(SIX);
    });

    if (!isPostgres) return;

    test('a single statement without a transaction is repeated, too', async () => {
      const other = served.source.createQueryRunner();
      await other.startTransaction();
      await other.query('UPDATE accounts SET balance = 7 WHERE id = 1');
      const patched = served.send(...PATCH);
      await untilOneWaits(served.source);
      await other.commitTransaction();
      await other.release();
      expect(await patched).toEqual({ status: 200, body: { id: 1, name: 'mine', balance: 7 } });
      expect(refusals.codes).toEqual(['40001']);
    });

    test('what cannot be serialized is found out as late as by the commit', async () => {
      // Another transaction reads what this one writes, and writes what this one has read.
      const [done, refused] = await refusedOftenAndAlways(
        PATCH,
        'beforeTransactionCommit',
        async (runner) => {
          await runner.query('SELECT sum(balance) FROM accounts');
          await served.source.transaction(async (manager) => {
            await manager.query('SELECT sum(balance) FROM accounts');
            await manager.query('UPDATE accounts SET balance = balance + 1 WHERE id = 2');
          });
        },
        '40001',
      );
      const others = (balance: number) => [{ ...SIX[1], balance }, ...SIX.slice(2)];
      expect(done).toEqual([{ ...SIX[0], name: 'mine' }, ...others(ATTEMPTS - 1)]);
      expect(refused).toEqual([SIX[0], ...others(ATTEMPTS)]);
    });
  },
  ['postgres', 'mysql'],
);
