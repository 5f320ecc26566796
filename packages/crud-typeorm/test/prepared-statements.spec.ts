/** Reads and writes with `preparedStatements` on PostgreSQL → names on the connections, bounded, and right answers after DDL, after DISCARD ALL, in transactions, and behind a real PgBouncer in transaction mode. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpException } from '@nestjs/common';
import type { CrudRequest } from '@nestwright/crud';
import { Client } from 'pg';
import { Column, DataSource, type DataSourceOptions, Entity, PrimaryGeneratedColumn, type QueryRunner } from 'typeorm';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../src/index.js';
import { inTransaction } from '../src/statements/transaction.js';
import { noteRecurring } from '../src/prepared-statements.js';

@Entity('prepared')
class Prepared {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @Column({ type: 'int', default: 0 }) count!: number;
}

@Entity('prepared_codes')
class Coded {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20, unique: true }) code!: string;
}

const requestOf = (path: Record<string, unknown> = {}, search?: object): CrudRequest => {
  const paramsFilter = Object.entries(path).map(([field, value]) => ({ field, operator: '$eq', value }));
  const scope = { $and: paramsFilter.map(({ field, value }) => ({ [field]: { $eq: value } })) };

  return {
    parsed: { fields: [], paramsFilter, search: search ?? scope, filter: [], or: [], join: [], sort: [], extra: {} },
    scope,
    options: {},
  } as unknown as CrudRequest;
};

const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

describeDatabases(
  'prepared statements',
  (db) => {
    let source: DataSource | undefined;

    const open = async (options: object = {}): Promise<TypeOrmCrudService<Prepared>> => {
      source = new DataSource({
        ...db.connection,
        entities: [Prepared, Coded],
        extra: { max: 1 },
        ...options,
      } as DataSourceOptions);
      configureCrudDatabase(source, { preparedStatements: true });
      await source.initialize();

      return new TypeOrmCrudService(source.getRepository(Prepared));
    };
    const names = async () =>
      ((await source!.query('SELECT name FROM pg_prepared_statements')) as { name: string }[]).map(({ name }) => name);
    const times = async (count: number, work: (index: number) => Promise<unknown>) => {
      for (let index = 0; index < count; index += 1) await work(index);
    };

    beforeAll(async () => {
      const setup = new DataSource({
        ...db.connection,
        entities: [Prepared, Coded],
        synchronize: true,
      } as DataSourceOptions);

      await setup.initialize();
      await setup.destroy();
    });

    afterEach(async () => {
      await source?.destroy();
      source = undefined;
    });

    test('what comes often gets one name for each text, what comes seldom none', async () => {
      const service = await open();

      await times(4, (index) => service.createOne(requestOf(), { name: `n${index}` }));
      expect(await names()).toEqual([]);
      await times(10, (index) => service.createOne(requestOf(), { name: `n${index}` }));
      expect(await names()).toEqual([expect.stringMatching(/^nestwright_[0-9a-f]{40}_0$/)]);

      const { id } = await service.createOne(requestOf(), { name: 'last' });

      await times(8, (index) => service.updateOne(requestOf({ id }), { count: index }));
      await times(8, () => service.getOne(requestOf({ id })));
      expect(await names()).toHaveLength(3);
      expect(await service.getOne(requestOf({ id }))).toEqual(
        Object.assign(new Prepared(), { id, name: 'last', count: 7 }),
      );
    });

    test('names are bounded on each connection', async () => {
      const service = await open();

      for (let size = 1; size <= 110; size += 1) {
        const search = { $or: Array.from({ length: size }, (_, index) => ({ count: { $eq: -1 - index } })) };

        await times(6, () => service.getMany(requestOf({}, search)));
      }

      expect(await names()).toHaveLength(100);
    });

    test('a text of more than 16,384 characters gets no name, since every connection would keep it', async () => {
      const service = await open();
      const search = { $or: Array.from({ length: 600 }, (_, index) => ({ count: { $eq: -1 - index } })) };

      await times(8, () => service.getMany(requestOf({}, search)));
      expect(await names()).toEqual([]);
    });

    test('nothing is prepared unless it is asked for', async () => {
      const service = await open();

      configureCrudDatabase(source!, {});
      await times(12, (index) => service.createOne(requestOf(), { name: `n${index}` }));
      expect(await names()).toEqual([]);
    });

    test('a table that changes gives the plan up, by itself and in a transaction', async () => {
      const service = await open();
      const { id } = await service.createOne(requestOf(), { name: 'before' });
      const scoped = { ...requestOf({ id }), scope: { $and: [{ id }, { count: { $lt: 1_000_000 } }] } } as CrudRequest;
      const change = async (type: string) => {
        await source!.query(`ALTER TABLE prepared ALTER COLUMN count TYPE ${type}`);
      };

      await times(8, () => service.getOne(requestOf({ id })));
      await times(8, (index) => service.updateOne(requestOf({ id }), { count: index }));
      await times(8, (index) => service.updateOne(scoped, { count: index }));
      await change('numeric(10, 0)');
      expect(String((await service.getOne(requestOf({ id }))).count)).toBe('7');
      expect(String((await service.updateOne(requestOf({ id }), { count: 8 })).count)).toBe('8');
      expect(String((await service.updateOne(scoped, { count: 9 })).count)).toBe('9');
      await change('int');
      await times(8, (index) => service.updateOne(scoped, { count: index }));
      expect((await service.getOne(requestOf({ id }))).count).toBe(7);
    });

    test('a transaction in which every name is stale is repeated without names', async () => {
      await open();
      const texts = Array.from({ length: 8 }, (_, index) => `SELECT $1::int + ${index} AS sum`);
      const sums = async (runner: QueryRunner): Promise<number[]> => {
        const all: number[] = [];

        for (const text of texts) all.push(((await runner.query(text, [1])) as { sum: number }[])[0]!.sum);

        return all;
      };

      texts.forEach((text) => noteRecurring(source!, text));
      await times(8, () => inTransaction(source!.manager, sums));
      expect(await names()).toHaveLength(8);
      await source!.query('DISCARD ALL');
      expect(await inTransaction(source!.manager, sums)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    });

    test('a session that is reset forgets the names', async () => {
      const service = await open();
      const { id } = await service.createOne(requestOf(), { name: 'reset' });

      await times(3, async (round) => {
        await times(8, (index) => service.updateOne(requestOf({ id }), { count: round * 10 + index }));
        expect((await names()).length).toBeGreaterThan(0);
        await source!.query('DISCARD ALL');
      });
      expect((await service.updateOne(requestOf({ id }), { name: 'still' })).count).toBe(27);
    });

    test('a statement whose name was stale is refused for what it came to without one', async () => {
      await open();
      const insert = 'INSERT INTO prepared_codes (code) VALUES ($1)';

      noteRecurring(source!, insert);
      await times(8, (index) => source!.query(insert, [`c${index}`]));
      expect(await names()).toHaveLength(1);
      await source!.query('DISCARD ALL');
      await expect(source!.query(insert, ['c1'])).rejects.toMatchObject({ code: '23505' });
      await source!.query('TRUNCATE prepared_codes');
    });

    test('errors of the database come out as they are', async () => {
      const service = await open();
      const long = 'x'.repeat(30);

      await times(8, () => service.createOne(requestOf(), { name: 'fits' }));
      await expect(source!.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
      await expect(service.createOne(requestOf(), { name: long })).rejects.toMatchObject({ status: 400 });
    });

    const suite = PGBOUNCER ? describe : describe.skip;

    suite('behind a pooler · pgbouncer', () => {
      let pooler: ChildProcess | undefined;
      let home = '';

      afterAll(async () => {
        if (pooler && pooler.exitCode === null) {
          const ended = new Promise((resolve) => pooler!.once('exit', resolve));

          pooler.kill('SIGKILL');
          await ended;
        }
        if (home) rmSync(home, { recursive: true, force: true });
      });

      test.each([0, 200])('in transaction mode, with %i prepared statements of its own', async (own) => {
        const port = await freePort();
        const { hostname, port: postgresPort, pathname, username, password } = new URL(db.url);

        pooler?.kill('SIGKILL');
        home = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
        chmodSync(home, 0o755);
        writeFileSync(join(home, 'users.txt'), `"${username}" "${password}"\n`);
        writeFileSync(
          join(home, 'pgbouncer.ini'),
          [
            '[databases]',
            `* = host=${hostname} port=${postgresPort || '5432'} user=${username}${password && ` password=${password}`}`,
            '[pgbouncer]',
            'listen_addr = 127.0.0.1',
            `listen_port = ${port}`,
            'unix_socket_dir =',
            'auth_type = any',
            `auth_file = ${join(home, 'users.txt')}`,
            'pool_mode = transaction',
            'default_pool_size = 3',
            'ignore_startup_parameters = extra_float_digits',
            ...((await version(PGBOUNCER!)) >= 1.21 ? [`max_prepared_statements = ${own}`] : []),
          ].join('\n'),
        );
        // It refuses to run as root.
        const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

        pooler = spawn(PGBOUNCER!, [join(home, 'pgbouncer.ini')], { stdio: 'ignore', ...nobody });
        const url = `postgres://${username}@127.0.0.1:${port}${pathname}`;

        await answers(url);

        const service = await open({ url, extra: { max: 6 } });
        const { id } = await service.createOne(requestOf(), { name: 'pooled' });

        // Several clients share fewer connections, so that names are met where others left them.
        await times(30, (round) =>
          Promise.all(
            Array.from({ length: 6 }, async (_, index) => {
              const made = await service.createOne(requestOf(), { name: `r${round}`, count: index });

              expect(await service.getOne(requestOf({ id: made.id }))).toEqual(made);
              expect((await service.updateOne(requestOf({ id: made.id }), { count: 100 + index })).count).toBe(
                100 + index,
              );
            }),
          ),
        );
        expect((await service.getOne(requestOf({ id }))).name).toBe('pooled');

        const codes = new TypeOrmCrudService(source!.getRepository(Coded));
        const refusals = new Map<unknown, number>();

        await codes.createOne(requestOf(), { code: 'taken' });
        await times(40, () =>
          Promise.all(
            Array.from({ length: 6 }, async () => {
              const refusal = await codes.createOne(requestOf(), { code: 'taken' }).catch((error: HttpException) => {
                return (error.getResponse() as { code: unknown }).code;
              });

              refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
            }),
          ),
        );
        expect([...refusals]).toEqual([['CRUD_UNIQUE_VIOLATION', 240]]);
        await source!.query('TRUNCATE prepared_codes');
        await source!.destroy();
        source = undefined;
      });
    });
  },
  ['postgres'],
);

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );

  await new Promise((resolve) => server.close(resolve));

  return port;
}

/** Waits until a server takes a connection. */
async function answers(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client({ connectionString: url });

    try {
      await client.connect();
      await client.end();

      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await delay(100);
    }
  }
}

async function version(program: string): Promise<number> {
  const asked = spawn(program, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';

  for await (const part of asked.stdout) text += String(part);

  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? [];

  return Number(major) + Number(minor) / 100;
}
