/** The example's tables and records: made anew on each start. The corpus reads all of them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { describeDatabases } from '../../test-support/index.js';
import { Category } from '../src/categories/category.entity.js';
import { Company } from '../src/companies/company.entity.js';
import { openDatabase } from '../src/database/database.js';
import { RECORDS } from '../src/database/seed-records.js';
import { User } from '../src/users/user.entity.js';

describeDatabases('example database', ({ url }) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await openDatabase(url);
  });
  afterAll(() => dataSource?.destroy());

  test('the next start shows the records as they were written', async () => {
    await dataSource.getRepository(Company).update(2, { name: 'changed' });
    await dataSource.destroy();
    dataSource = await openDatabase(url);
    const companies = await dataSource.getRepository(Company).find({ order: { id: 'ASC' } });
    expect(companies).toEqual(RECORDS.companies.map((row, index) => ({ ...row, id: index + 1, deletedAt: null })));
    expect(await dataSource.getRepository(User).count()).toBe(100);
    expect((await dataSource.getRepository(Category).save({ name: 'next' })).id).toBe(24);
  });
});

describeDatabases(
  'example database of somebody else',
  ({ url, connection }) => {
    test('a table with columns of its own is left alone', async () => {
      const other = await new DataSource(connection).initialize();
      try {
        await other.query('CREATE TABLE users (id int, salary int)');
        await expect(openDatabase(url)).rejects.toThrow(/table "(public\.)?users" with a column "salary"/);
        expect(await other.query('SELECT salary FROM users')).toEqual([]);
      } finally {
        await other.destroy();
      }
    });
  },
  ['postgres', 'mysql'],
);

test('an address of another kind is refused, without repeating it', async () => {
  await expect(openDatabase('oracle://me:secret@host/db')).rejects.toThrow(/^DATABASE_URL begins with none of sqljs, /);
});
