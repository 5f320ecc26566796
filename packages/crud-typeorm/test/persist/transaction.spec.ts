/** Work that fails, collides or comes all at once → what is committed, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource, EntitySubscriberInterface, InsertEvent } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { readFault } from '../../../sql/src/errors/fault.js';
import { toCrudError } from '../../../sql/src/errors/to-crud-error.js';
import { inTransaction } from '../../../sql/src/statements/transaction.js';
import { serialized } from '../../../sql/src/connections/queue.js';
import { Note, Team } from './entities.js';
import { connect, empty } from './statements.js';
import { toDatabase, toExecutor } from '../../src/typeorm/database.js';
import { getRunner } from '../../src/typeorm/runner-connection.js';
import type { Connection } from '../../../sql/src/database/database.js';

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describeDatabases('transactions', (db) => {
  let source: DataSource;

  beforeAll(async () => {
    ({ source } = await connect(db, { poolSize: 20 }));
  });

  afterAll(() => source.destroy());
  beforeEach(() => empty(source));

  const titles = async () =>
    (await source.getRepository(Team).find({ order: { id: 'ASC' } })).map(({ title }) => title);
  const rename = (id: number, title: string) => `UPDATE teams SET title = '${title}' WHERE id = ${id}`;

  test('work is committed, and undone when it fails', async () => {
    await inTransaction(toExecutor(source.manager), (runner) => runner.select(rename(901, 'pink')));
    await expect(
      inTransaction(toExecutor(source.manager), async (runner) => {
        await runner.select(rename(901, 'black'));
        throw new Error('no');
      }),
    ).rejects.toThrow('no');

    expect(await titles()).toEqual(['pink', 'blue']);
  });

  test('a reader in turn sees no half-done work', async () => {
    const writing = inTransaction(toExecutor(source.manager), async (runner) => {
      await runner.select(rename(901, 'half'));
      await pause(20);
      await runner.select(rename(901, 'done'));
    });
    const seen = await serialized(toDatabase(source), titles);
    await writing;

    expect(seen[0]).not.toBe('half');
  });

  test('a transaction that is there already is joined, and what was refused in it leaves nothing', async () => {
    await source.transaction(async (manager) => {
      await inTransaction(toExecutor(manager), (runner) => runner.select(rename(901, 'pink')));
      await expect(
        inTransaction(toExecutor(manager), async (runner) => {
          await runner.select(rename(902, 'black'));
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
    });
    await expect(
      source.transaction(async (manager) => {
        await inTransaction(toExecutor(manager), (runner) => runner.select(rename(902, 'lost')));
        throw new Error('outer');
      }),
    ).rejects.toThrow('outer');

    expect(await titles()).toEqual(['pink', 'blue']);
  });

  test('work that is started from within work does not wait for itself', async () => {
    const subscriber: EntitySubscriberInterface<Note> = {
      listenTo: () => Note,
      afterInsert: ({ entity }: InsertEvent<Note>) =>
        db.kind === 'sqlite'
          ? inTransaction(toExecutor(source.manager), (runner) => runner.select(rename(901, entity.text)))
          : undefined,
    };
    source.subscribers.push(subscriber);
    await inTransaction(toExecutor(source.manager), (runner) =>
      getRunner(runner).manager.save(Object.assign(new Note(), { text: 'hi' })),
    );
    source.subscribers.splice(source.subscribers.indexOf(subscriber), 1);

    expect(await titles()).toEqual([db.kind === 'sqlite' ? 'hi' : 'red', 'blue']);
  });

  if (db.kind !== 'sqlite') {
    test('a deadlock is repeated until both succeed', async () => {
      const attempts = { one: 0, two: 0 };
      const both = (name: 'one' | 'two', first: number, second: number) =>
        inTransaction(toExecutor(source.manager), async (runner) => {
          attempts[name] += 1;
          await runner.select(rename(first, `${name}-${first}`));
          await pause(100);
          await runner.select(rename(second, `${name}-${second}`));
        });
      await Promise.all([both('one', 901, 902), both('two', 902, 901)]);

      expect(attempts.one + attempts.two).toBeGreaterThan(2);
      expect(['one-901,one-902', 'two-901,two-902']).toContain(String(await titles()));
    });

    test('a conflict that remains is a 409 after five repetitions', async () => {
      let attempts = 0;
      const error = await inTransaction(toExecutor(source.manager), async () => {
        attempts += 1;
        throw Object.assign(
          new Error('deadlock'),
          db.kind === 'postgres' ? { code: '40P01', severity: 'ERROR' } : { errno: 1213, sqlMessage: 'Deadlock' },
        );
      }).catch(toCrudError);

      expect(attempts).toBe(6);
      expect((error as { getResponse: () => unknown }).getResponse()).toMatchObject({
        statusCode: 409,
        code: 'CRUD_CONFLICT',
      });
    });

    describe('a lost connection', () => {
      test('is a fault of availability, and the next work finds another', async () => {
        const kill = async (connection: Connection) => {
          const [{ id } = { id: 0 }] = (await connection.select(
            `SELECT ${db.kind === 'postgres' ? 'pg_backend_pid()' : 'CONNECTION_ID()'} AS id`,
          )) as { id: number }[];
          await source.query(db.kind === 'postgres' ? `SELECT pg_terminate_backend(${id})` : `KILL ${id}`);
          await pause(50);
          await connection.select('SELECT 1');
        };
        const error = await inTransaction(toExecutor(source.manager), kill).catch((caught: unknown) => caught);

        expect(readFault(error)).toEqual({ kind: 'unavailable' });
        await inTransaction(toExecutor(source.manager), (runner) => runner.select(rename(901, 'healed')));
        expect((await titles())[0]).toBe('healed');
      });
    });
  }
});
