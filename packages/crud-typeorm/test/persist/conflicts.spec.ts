/** Writes that the database refuses since the rows changed that they have read → how often they are repeated, what is answered and stored. What else is repeated: `packages/sql/test/connections.spec.ts`. */
import { beforeEach, expect, test } from '@jest/globals';
import { Column, type DataSource, Entity, PrimaryColumn, type QueryRunner } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
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

type Write = [method: 'patch' | 'put' | 'delete', body: object | undefined];
const WRITES: Write[] = [
  ['patch', { name: 'mine' }],
  ['put', { name: 'mine' }],
  ['delete', undefined],
];

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

describeDatabases(
  'writes of rows that changed since they were read',
  (db) => {
    const isPostgres = db.kind === 'postgres';
    const level = { extra: { options: '-c default_transaction_isolation=repeatable\\ read' } };
    const refusals = new Refusals(['error']);
    const app = serving(db, [Account], [resource(Account, 'accounts', { validation: false })], {
      source: { logging: ['error'], logger: refusals, ...(isPostgres && level) },
    });
    const accounts = () => app.source.getRepository(Account);
    const reset = async () => {
      app.source.subscribers.length = 0;
      await accounts().clear();
      await accounts().insert([1, 2].map((id) => ({ id, name: `a${id}` })));
      refusals.codes.length = 0;
    };
    beforeEach(reset);

    const change = async (runner: QueryRunner) => {
      if (!isPostgres) await runner.query('SET SESSION innodb_snapshot_isolation = ON');
      await runner.query('SELECT balance FROM accounts');
      await app.source.query('UPDATE accounts SET balance = balance + 1 WHERE id = 1');
    };

    test.each(WRITES)('%s is repeated until it succeeds, or a 409 after five repetitions', async (method, sent) => {
      // MariaDB's alone, and of late.
      const variable = "SHOW VARIABLES LIKE 'innodb_snapshot_isolation'";
      if (!isPostgres && (await app.source.query<unknown[]>(variable)).length === 0) return;
      const stored: Account[][] = [];
      for (const times of [ATTEMPTS - 1, ATTEMPTS]) {
        const { state, hook } = interfering(times, change);
        app.source.subscribers.push({ listenTo: () => Account, afterTransactionStart: hook });
        const { status, body } = await app.send(method, '/accounts/1', sent);
        expect(times < ATTEMPTS ? status : body).toEqual(times < ATTEMPTS ? 200 : CONFLICT);
        expect([state.attempts, refusals.codes]).toEqual([ATTEMPTS, Array(times).fill(isPostgres ? '40001' : 1020)]);
        stored.push(await accounts().find({ order: { id: 'ASC' } }));
        await reset();
      }
      // PUT gives what it omits its default; what the others stored is not lost otherwise.
      const balance = { patch: ATTEMPTS - 1, put: 0, delete: undefined }[method];
      const other = { id: 2, name: 'a2', balance: 0 };
      expect(stored[0]).toEqual(balance === undefined ? [other] : [{ id: 1, name: 'mine', balance }, other]);
      expect(stored[1]).toEqual([{ id: 1, name: 'a1', balance: ATTEMPTS }, other]);
    });

    test('a single statement without a transaction is repeated, too', async () => {
      if (!isPostgres) return;
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      const isWaiting = async (source: DataSource) => (await source.query<unknown[]>(waiting)).length > 0;
      const other = app.source.createQueryRunner();
      await other.startTransaction();
      await other.query('UPDATE accounts SET balance = 7 WHERE id = 1');
      const patched = app.send('patch', '/accounts/1', { name: 'mine' });
      while (!(await isWaiting(app.source))) await new Promise((resolve) => setTimeout(resolve, 5));
      await other.commitTransaction();
      await other.release();
      expect(await patched).toEqual({ status: 200, body: { id: 1, name: 'mine', balance: 7 } });
      expect(refusals.codes).toEqual(['40001']);
    });
  },
  ['postgres', 'mysql'],
);
