/** Writes that the database refuses, for a deadlock or a serialization failure, and writes while the way to the server is cut and mended → how often they are retried, what is answered and stored. */
import { type AddressInfo, connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Column, type DataSource, Entity, PrimaryColumn, type QueryRunner } from 'typeorm';
import { describeDatabases, type TestDatabase } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Refusals } from '../faults/faulty-app.js';
import { requestOf } from '../support/requests.js';
import { connect, resource } from '../support/resources.js';
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

type Write = [method: 'patch' | 'put' | 'delete' | 'post', path: string, body: object | undefined, status: number];
const WRITES: Write[] = [
  ['patch', '/accounts/1', { name: 'mine' }, 200],
  ['put', '/accounts/1', { name: 'mine' }, 200],
  ['delete', '/accounts/1', undefined, 200],
];
const POSTED: Write = ['post', '/accounts', { id: 9, name: 'mine' }, 201];
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

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await pause(5);
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
  const send = ([method, path, body]: Write) => served.send(method, path, body);
  beforeEach(reset);
  return {
    refusals,
    others,
    served,
    send,
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
        const { status, body } = await send(write);
        expect(times < ATTEMPTS ? status : body).toEqual(times < ATTEMPTS ? write[3] : CONFLICT);
        await Promise.all(others.splice(0));
        expect([state.attempts, refusals.codes]).toEqual([ATTEMPTS, Array(times).fill(code)]);
        stored.push(await accounts().find({ order: { id: 'ASC' } }));
        await reset();
      }
      return stored as [Account[], Account[]];
    },
  };
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

    describe('rows that changed since they were read, and locks', () => {
      const at = bank(db, level('repeatable\\ read -c deadlock_timeout=20ms'));

      test.each(WRITES)('%s is repeated until it succeeds, or a 409 after five repetitions', async (...write) => {
        // MariaDB's alone, and of late.
        const variable = "SHOW VARIABLES LIKE 'innodb_snapshot_isolation'";
        if (!isPostgres && (await at.served.source.query<unknown[]>(variable)).length === 0) return;
        const [done, refused] = await at.refusedOftenAndAlways(
          write,
          'afterTransactionStart',
          async (runner) => {
            if (!isPostgres) await runner.query('SET SESSION innodb_snapshot_isolation = ON');
            await runner.query('SELECT balance FROM accounts');
            await at.served.source.query('UPDATE accounts SET balance = balance + 1 WHERE id = 1');
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
        const other = at.served.source.createQueryRunner();
        await other.startTransaction();
        await other.query('UPDATE accounts SET balance = 7 WHERE id = 1');
        const patched = at.send(WRITES[0]!);
        await until(() => isWaiting(at.served.source));
        await other.commitTransaction();
        await other.release();
        expect(await patched).toEqual({ status: 200, body: { id: 1, name: 'mine', balance: 7 } });
        expect(at.refusals.codes).toEqual(['40001']);
      });

      test('a deadlock is repeated until the write succeeds, or a 409 after five repetitions', async () => {
        const [done, refused] = await at.refusedOftenAndAlways(
          WRITES[0]!,
          'afterUpdate',
          // The other transaction is made the costlier one, so that the database ends the request's.
          async (runner) => {
            const other = at.served.source.createQueryRunner();
            await other.startTransaction();
            if (isPostgres) await other.query("SET LOCAL deadlock_timeout = '1min'");
            await other.query('UPDATE accounts SET balance = balance + 1 WHERE id > 1');
            const released = other
              .query('UPDATE accounts SET balance = balance + 1 WHERE id = 1')
              .then(() => other.rollbackTransaction())
              .finally(() => other.release());
            at.others.push(released);
            await until(() => isWaiting(at.served.source));
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

      test.each([
        ['afterTransactionStart', WRITES[0]!],
        ['afterTransactionStart', POSTED],
        ['beforeTransactionCommit', WRITES[0]!],
        ['beforeTransactionCommit', WRITES[2]!],
      ] as const)('are found out %s: %s', async (moment, write) => {
        // Another transaction reads what this one writes, and writes what this one has read.
        const [done, refused] = await at.refusedOftenAndAlways(
          write,
          moment,
          async (runner) => {
            await runner.query('SELECT sum(balance) FROM accounts');
            await at.served.source.transaction(async (manager) => {
              await manager.query('SELECT sum(balance) FROM accounts');
              await manager.query('UPDATE accounts SET balance = balance + 1 WHERE id = 2');
            });
          },
          '40001',
        );
        const others = (balance: number) => SIX.slice(1).map((row) => (row.id === 2 ? { ...row, balance } : row));
        expect(done.filter(({ name }) => name !== 'mine' && name !== 'a1')).toEqual(others(ATTEMPTS - 1));
        expect(done.filter(({ name }) => name === 'mine')).toHaveLength(write[0] === 'delete' ? 0 : 1);
        expect(done).toHaveLength({ patch: 6, put: 6, delete: 5, post: 7 }[write[0]]);
        expect(refused).toEqual([SIX[0], ...others(ATTEMPTS)]);
      });
    });
  },
  ['postgres', 'mysql'],
);

/** Stands between the application and its server, and can be taken away. */
class Wire {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  port = 0;

  constructor(private readonly target: { readonly host: string; readonly port: number }) {}

  async mend(): Promise<void> {
    this.server = createServer((client) => {
      const upstream = connectTo(this.target.port, this.target.host);
      for (const socket of [client, upstream]) this.sockets.add(socket.on('error', () => socket.destroy()));
      client.pipe(upstream).pipe(client);
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

describeDatabases(
  'an outage',
  (db) => {
    let source: DataSource;
    let wire: Wire;
    let accounts: TypeOrmCrudService<Account>;

    beforeAll(async () => {
      Logger.overrideLogger(false);
      const url = new URL(db.url);
      wire = new Wire({ host: url.hostname, port: Number(url.port) || (db.kind === 'postgres' ? 5432 : 3306) });
      await wire.mend();
      url.hostname = '127.0.0.1';
      url.port = String(wire.port);
      source = await connect({ connection: { ...db.connection, url: url.href } as never }, [Account], { poolSize: 10 });
      accounts = new TypeOrmCrudService(source.getRepository(Account));
    });

    afterAll(async () => {
      Logger.overrideLogger(true);
      await source.destroy();
      await wire.cut();
    });

    test('is a 503 until it ends; no write that was acknowledged is lost', async () => {
      const acknowledged: number[] = [];
      const codes = new Set<unknown>();
      let running = true;
      let count = 0;
      const worker = async () => {
        while (running) {
          const id = (count += 1);
          try {
            await accounts.createOne(requestOf(), { id, name: 'new' });
            acknowledged.push(id);
          } catch (error) {
            codes.add((error as { getResponse?: () => { code?: unknown } }).getResponse?.().code ?? error);
            await pause(10);
          }
        }
      };
      const workers = Array.from({ length: 10 }, worker);
      await until(() => acknowledged.length > 0);
      await wire.cut();
      await pause(300);
      const before = acknowledged.length;
      await wire.mend();
      const mended = Date.now();
      await until(() => acknowledged.length > before || Date.now() - mended > 5000);
      const healed = Date.now() - mended;
      await pause(100);
      running = false;
      await Promise.all(workers);
      const stored = new Set((await source.getRepository(Account).find()).map(({ id }) => id));
      expect([...codes]).toEqual(['CRUD_UNAVAILABLE']);
      expect(before).toBeGreaterThan(0);
      expect(healed).toBeLessThan(5000);
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    });
  },
  ['postgres', 'mysql'],
);
