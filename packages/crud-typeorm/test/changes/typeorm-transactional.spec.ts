/** Transactions that `typeorm-transactional` has opened, on each database: services join them, what fails later undoes what was written, and commits are told at their end. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import {
  addTransactionalDataSource,
  deleteDataSourceByName,
  initializeTransactionalContext,
  runInTransaction,
  StorageDriver,
} from 'typeorm-transactional';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { bare } from '../within/accounts.application.js';
import { clear, connect, Note, type NotesService, servicesOf } from './application.js';

const commitsOf = (notes: NotesService) =>
  notes.told.flatMap(({ hook, changes }) => (hook === 'commit' ? [changes.map(({ record }) => record.title)] : []));

describeDatabases('typeorm-transactional', (db) => {
  let source: DataSource;
  let notes: NotesService;

  beforeAll(async () => {
    initializeTransactionalContext({ storageDriver: StorageDriver.ASYNC_LOCAL_STORAGE });
    source = addTransactionalDataSource(await connect(db.connection));
    ({ notes } = servicesOf(source));
  });
  beforeEach(async () => {
    await clear(source);
    notes.reset();
  });
  afterAll(async () => {
    deleteDataSourceByName('default');
    await source.destroy();
  });

  test('writes are in the transaction, and read there; they are told at its commit', async () => {
    const read = await runInTransaction(async () => {
      const { id } = await notes.createOne(bare(), { title: 'a' });
      await notes.updateOne(bare(id), { title: 'b' });
      expect(commitsOf(notes)).toEqual([]);

      return notes.getMany(bare());
    });

    expect(read).toMatchObject([{ title: 'b' }]);
    expect(commitsOf(notes)).toEqual([['a'], ['b']]);
  });

  test('a later failure undoes them, and nothing is told', async () => {
    const failed = runInTransaction(async () => {
      await notes.createOne(bare(), { title: 'a' });
      throw new Error('later');
    });

    await expect(failed).rejects.toThrow('later');
    expect(await source.manager.count(Note)).toBe(0);
    expect(commitsOf(notes)).toEqual([]);
  });
});
