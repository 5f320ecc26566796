/** Drivers and connections: what is sent to them, and how they answer. */
import { createRequire } from 'node:module';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Change } from '@nestwright/crud';
import { type Database, MYSQL, POSTGRES, SQLITE, type WriteHooks } from '@nestwright/sql';
import { createPool, type Pool } from 'mysql2/promise';
import { Client } from 'pg';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { DrizzleConnection } from '../src/drizzle/connection.js';
import { type Driver, openDriver } from '../src/drizzle/drivers.js';

test('a driver that is not known is told with those that are', () => {
  expect(() => openDriver({}, 'sqlite')).toThrow(
    new Error(
      'The driver of the database is none of postgres.js, PGlite, node-postgres, mysql2, sql.js, better-sqlite3, which are known',
    ),
  );
});

describe('a connection', () => {
  const sent: unknown[] = [];
  const client = {
    native: 'native',
    send: (sql: string, parameters: readonly unknown[]) => {
      sent.push(sql);
      if (sql === 'bad' || parameters.length > 0) return Promise.reject(new Error(String(parameters)));
      return Promise.resolve({ rows: [{ sql }], affected: 1, insertId: undefined });
    },
    release: (error?: Error) => void sent.push(error ?? 'released'),
    canceller: () => () => Promise.resolve(void sent.push('cancelled')),
  };
  const open = (dialect = POSTGRES, outer = 0) =>
    new DrizzleConnection({ dialect } as Database, () => Promise.resolve(client), outer);
  const flush = () => sent.splice(0);

  test.each([
    [POSTGRES, ['BEGIN ISOLATION LEVEL SERIALIZABLE']],
    [MYSQL, ['SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'BEGIN']],
    [SQLITE, ['BEGIN']],
  ])('$name begins a transaction with its isolation', async (dialect, statements) => {
    await open(dialect).begin('SERIALIZABLE');
    expect(flush()).toEqual(statements);
    await open(dialect).begin();
    expect(flush()).toEqual(['BEGIN']);
  });

  test('transactions within it are savepoints; changes that they undo are not reported', async () => {
    const connection = open();
    const reported: unknown[] = [];
    const hooksOf = (name: string) =>
      ({
        committed: (changes: unknown) => Promise.resolve(void reported.push([name, changes])),
      }) as unknown as WriteHooks;
    const [first, second] = [hooksOf('first'), hooksOf('second')];
    const note = (hooks: WriteHooks, change: string) =>
      connection.reportAfterCommit(hooks, change as unknown as Change);
    await connection.begin();
    note(first, 'a');
    await connection.begin();
    note(second, 'b');
    await connection.begin();
    note(first, 'c');
    await connection.commit();
    await connection.rollback();
    note(first, 'd');
    note(second, 'e');
    expect([connection.isInTransaction, reported]).toEqual([true, []]);
    await connection.commit();
    expect(connection.isInTransaction).toBe(false);
    expect(reported.splice(0)).toEqual([
      ['first', ['a', 'd']],
      ['second', ['e']],
    ]);
    expect(flush()).toEqual([
      'BEGIN',
      'SAVEPOINT nestwright_1',
      'SAVEPOINT nestwright_2',
      'RELEASE SAVEPOINT nestwright_2',
      'ROLLBACK TO SAVEPOINT nestwright_1',
      'COMMIT',
    ]);
    await connection.report();
    const collected: (() => Promise<void>)[] = [];
    await connection.begin();
    note(first, 'f');
    await connection.commit((report) => void collected.push(report));
    expect(reported).toEqual([]);
    for (const report of collected) await report();
    expect(reported).toEqual([['first', ['f']]]);
    flush();
  });

  test('of a transaction that the application has begun, nothing is reported, and its connection stays open', async () => {
    const connection = open(POSTGRES, 1);
    connection.reportAfterCommit({} as WriteHooks, {} as Change);
    await connection.begin();
    await connection.rollback();
    expect(connection.isInTransaction).toBe(true);
    await connection.report();
    await connection.release();
    await connection.close('lost');
    expect(flush()).toEqual(['SAVEPOINT nestwright_1', 'ROLLBACK TO SAVEPOINT nestwright_1']);
  });

  test('closed, it tells the driver why; released, it opens another', async () => {
    const connection = open();
    await connection.close('never opened');
    await connection.begin();
    await connection.close('lost');
    expect([connection.isInTransaction, ...flush()]).toEqual([false, 'BEGIN', new Error('lost')]);
    await connection.opened();
    const error = new TypeError('bad');
    await connection.close(error);
    expect(flush()[0]).toBe(error);
    await connection.opened();
    await connection.release();
    await connection.release();
    expect(flush()).toEqual(['released']);
    const shared = open({ ...SQLITE, sharedConnection: true });
    await shared.opened();
    await shared.close('lost');
    expect(flush()).toEqual([]);
  });

  test('statements go through what intercepts them', async () => {
    const connection = open();
    const seen: string[] = [];
    const through = (mark: string) => (sql: string, send: () => Promise<unknown>) => (seen.push(mark + sql), send());
    const stop = connection.intercept(through('a '));
    connection.intercept(through('b '))();
    expect(await connection.select('x')).toEqual([{ sql: 'x' }]);
    stop();
    await connection.run('y');
    await expect(connection.select('x', [1, 2])).rejects.toThrow(new Error('1,2'));
    expect([seen, flush()]).toEqual([['a x'], ['x', 'y', 'x']]);
  });

  test('what neither Drizzle nor a driver has', async () => {
    const connection = open();
    await expect(connection.saveInTree()).rejects.toThrow(new Error('Drizzle has no trees'));
    await expect(connection.stream('x', [])).rejects.toThrow(new Error('The driver has no streams'));
    expect(await connection.findTextQuery()).toBeUndefined();
    expect(await connection.selectCached('x', [], {}, () => Promise.resolve([{ a: 1 }]))).toEqual([{ a: 1 }]);
    expect(await connection.open()).toBe('native');
    await (
      await connection.canceller()
    )();
    expect(flush()).toEqual(['cancelled']);
  });
});

describe('SQLite', () => {
  const { dialect } = openDriver({ getRowsModified: () => 0 }, 'sqlite');
  const column = (type: string, precision?: number, kind = 'datetime') =>
    ({ type, precision, catalogColumn: { kind } }) as Parameters<typeof dialect.now>[0];

  test.each([
    [column('integer', 3), "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"],
    [column('integer'), "CAST(strftime('%s', 'now') AS INTEGER)"],
    [column('datetime'), "strftime('%Y-%m-%d %H:%M:%f', 'now')"],
    [column('integer', undefined, 'integer'), undefined],
  ])('the present, as column %# stores it', (asked, sql) => expect(dialect.now(asked)).toBe(sql));

  test.each([
    [column('integer', 3), "strftime('%Y', strftime('%Y-%m-%d %H:%M:%f', x / 1000.0, 'unixepoch'))"],
    [column('integer'), "strftime('%Y', strftime('%Y-%m-%d %H:%M:%f', x, 'unixepoch'))"],
    [column('text'), "strftime('%Y', x)"],
  ])('the year of a moment, as column %# stores it', (stored, sql) => {
    expect(dialect.aggregates.period('x', 'year', stored.catalogColumn, stored)).toBe(sql);
  });

  test('better-sqlite3 answers with rows, or how many have changed', async () => {
    const prepare = (sql: string) => ({
      reader: sql === 'SELECT',
      all: (...values: unknown[]) => [{ values }],
      run: (...values: unknown[]) => ({ changes: values.length }),
    });
    const driver = openDriver({ prepare, pragma: () => undefined }, 'sqlite');
    const { send, canceller, release } = await driver.connect();
    const date = new Date(0);
    expect([await send('SELECT', [true, date, 'a']), await send('DELETE', [1, 2]), driver.isShared]).toEqual([
      { rows: [{ values: [1, date.toISOString(), 'a'] }], affected: 1, insertId: undefined },
      { rows: [], affected: 2, insertId: undefined },
      true,
    ]);
    expect([await canceller()(), release(), driver.wrap(undefined)]).toEqual([
      undefined,
      undefined,
      await driver.connect(),
    ]);
  });
});

describe('mysql2', () => {
  /** What the driver has of a server. */
  interface Session {
    on(event: 'query' | 'error', answer: (sql: string) => void): void;
    serverHandshake(parameters: object): void;
    writeOk(result: object): void;
    writeTextResult(rows: object[], columns: object[]): void;
    sequenceId: number;
  }
  const { createServer } = createRequire(import.meta.url)('mysql2') as {
    createServer(): {
      listen(port: number): void;
      on(event: 'connection', answer: (session: Session) => void): void;
      close(): void;
      _server: Server;
    };
  };
  const asked: string[] = [];
  const moment = '2024-02-29 12:00:00';
  const row = { moment, day: '2024-02-29', stamp: moment, wide: '9007199254740993', whole: '5' };
  const read = { ...row, whole: 5 };
  const types = { moment: 12, day: 10, stamp: 7, wide: 8, whole: 3 };
  const nowhere = { catalog: 'def', schema: '', table: '', orgTable: '', columnLength: 0, flags: 0, decimals: 0 };
  const columns = Object.entries(types).map(([name, columnType]) => ({
    ...nowhere,
    name,
    orgName: name,
    characterSet: 63,
    columnType,
  }));
  const server = createServer();
  let sessions = 0;
  let pool: Pool;
  let driver: Driver;
  beforeAll(async () => {
    server.on('connection', (session) => {
      session.serverHandshake({
        protocolVersion: 10,
        serverVersion: '5.5.5-11.4.2-MariaDB',
        connectionId: (sessions += 1),
        statusFlags: 2,
        characterSet: 45,
        capabilityFlags: 0xff_ff_ff,
        // Packets of each statement are counted from 0, which it leaves to us.
        authCallback: (_: unknown, accept: (error: null) => void) => {
          accept(null);
          session.sequenceId = 0;
        },
      });
      // The driver leaves.
      session.on('error', () => undefined);
      session.on('query', (sql) => {
        asked.push(sql);
        if (sql.startsWith('SELECT')) session.writeTextResult([row], columns);
        else session.writeOk({ affectedRows: 2, insertId: 3 });
        session.sequenceId = 0;
      });
    });
    server.listen(0);
    await new Promise((resolve) => server._server.once('listening', resolve));
    pool = createPool({ host: '127.0.0.1', port: (server._server.address() as AddressInfo).port, user: 'u' });
    driver = openDriver(pool, 'mysql');
  });
  afterAll(async () => {
    await pool.end();
    server.close();
  });

  test('moments and 64 bits are texts; whether it is MariaDB is known once a connection was opened', async () => {
    expect([driver.isMariaDb, driver.isShared]).toEqual([undefined, false]);
    const client = await driver.connect();
    expect(driver.isMariaDb).toBe(true);
    expect(await client.send('SELECT ?', ['a'])).toEqual({ rows: [read], affected: 1, insertId: undefined });
    expect(await client.send('DELETE', [])).toEqual({ rows: [], affected: 2, insertId: 3 });
    const rows: unknown[] = [];
    for await (const one of client.stream!('SELECT ?', [1])) rows.push(one);
    expect(rows).toEqual([read]);
    await client.canceller()();
    expect(asked.splice(0)).toEqual(["SELECT 'a'", 'DELETE', 'SELECT 1', 'KILL QUERY 1']);
    await client.release();
  });

  test('a connection returns to its pool, one with an error does not, and that of the application stays', async () => {
    const connect = async () => {
      const client = await driver.connect();
      return { ...client, id: (client.native as { threadId: number }).threadId };
    };
    const [first, second] = [await connect(), await connect()];
    await driver.wrap(first.native).release();
    await second.release();
    const third = await connect();
    await third.release(new Error('lost'));
    expect([first.id, second.id, third.id, (await connect()).id]).toEqual([1, 2, 2, 3]);
  });
});

describeDatabases(
  'pg',
  ({ url }) => {
    test('a client without a pool is shared, and has parsers of its own', async () => {
      const native = new Client({ connectionString: url });
      await native.connect();
      native.setTypeParser(20, Number);
      const driver = openDriver(native, 'postgres');
      const client = await driver.connect();
      expect([driver.isShared, driver.texts]).toEqual([true, undefined]);
      expect(await client.send('SELECT 5::int8 AS wide, $1::int4 AS whole', [6])).toEqual({
        rows: [{ wide: 5, whole: 6 }],
        affected: 1,
        insertId: undefined,
      });
      await client.release();
      expect(await client.send('SELECT 1 AS one', [])).toMatchObject({ rows: [{ one: 1 }] });
      await native.end();
    });
  },
  ['postgres'],
);
