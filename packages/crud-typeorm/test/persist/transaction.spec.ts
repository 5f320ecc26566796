/** Transactions beside others and within others: none sees half-done work, none waits for itself, on each database. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DataSource, EntitySubscriberInterface, InsertEvent } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { inTransaction } from '../../../sql/src/statements/transaction.js';
import { serialized } from '../../../sql/src/connections/queue.js';
import { Note, Team } from './entities.js';
import { connect, empty } from './statements.js';
import { toDatabase, toExecutor } from '../../src/typeorm/database.js';
import { getRunner } from '../../src/typeorm/runner-connection.js';

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
});
