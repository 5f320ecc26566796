/** Transactions that `typeorm-transactional` and `@nestjs-cls/transactional` have opened, on each database: services join them, what fails later undoes what was written, and commits are told at their end. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { addTransactionalDataSource, deleteDataSourceByName } from 'typeorm-transactional';
import { initializeTransactionalContext, runInTransaction, StorageDriver } from 'typeorm-transactional';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { bare } from '../within/accounts.application.js';
import { clear, Note, type NotesService, servicesOf, sourceOf } from './application.js';

const LOADER = new URL('../../../../integration/test-support/typescript-sources.mjs', import.meta.url).href;
const WRITER = fileURLToPath(new URL('./cls-writer.ts', import.meta.url));

describeDatabases('typeorm-transactional', (db) => {
  let source: DataSource;
  let notes: NotesService;

  beforeAll(async () => {
    initializeTransactionalContext({ storageDriver: StorageDriver.ASYNC_LOCAL_STORAGE });
    source = addTransactionalDataSource(await sourceOf(db.connection).initialize());
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
      expect(notes.commits).toEqual([]);
      return notes.getMany(bare());
    });
    expect(read).toMatchObject([{ title: 'b' }]);
    expect(notes.commits).toEqual([['a'], ['b']]);
  });

  test('a later failure undoes them, and nothing is told', async () => {
    const failed = runInTransaction(async () => {
      await notes.createOne(bare(), { title: 'a' });
      throw new Error('later');
    });
    await expect(failed).rejects.toThrow('later');
    expect([await source.manager.count(Note), notes.commits]).toEqual([0, []]);
  });
});

describeDatabases('@nestjs-cls/transactional', (db) => {
  let found: Record<string, unknown>;

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--import', LOADER, WRITER], {
      env: { ...process.env, CONNECTION: JSON.stringify(db.connection) },
    });
    found = JSON.parse(stdout.trim().split('\n').at(-1)!) as typeof found;
  }, 120_000);

  test.each([
    ['committed', { result: { titles: ['a', 'b'], early: [] }, commits: [['a'], ['b']], stored: ['a', 'b'] }],
    ['undone', { result: 'bad', commits: [], stored: [] }],
  ])('a transaction that is %s has the writes, which are told at its commit or not at all', (name, expected) =>
    expect(found[name]).toMatchObject(expected),
  );
});
