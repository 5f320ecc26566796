/** The example's tables and records: the same whatever the time zone of process, server or session, and anew on each start. The corpus reads all of them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { describeDatabases } from '../../test-support/index.js';
import { Category } from '../src/categories/category.entity.js';
import { Company } from '../src/companies/company.entity.js';
import { openDatabase } from '../src/database/database.js';
import { RECORDS } from '../src/database/seed-records.js';
import { User } from '../src/users/user.entity.js';

describeDatabases('example database', ({ kind, url }) => {
  let dataSource: DataSource;

  beforeAll(async () => {
    if (kind === 'postgres') await setTimeZone(url, 'Asia/Kathmandu');
    dataSource = await openDatabase(url);
  });
  afterAll(() => dataSource?.destroy());

  test('times are instants in UTC with milliseconds', async () => {
    const [row] = await dataSource.query(
      {
        sqlite: `SELECT "createdAt" AS text FROM companies WHERE id = 4`,
        postgres: `SELECT to_char("createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS text FROM companies WHERE id = 4`,
        mysql: `SELECT CAST(createdAt AS CHAR) AS text FROM companies WHERE id = 4`,
      }[kind],
    );
    expect(row.text).toBe('2020-02-29 18:14:59.999');
  });

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

async function setTimeZone(url: string, zone: string): Promise<void> {
  const client = new Client({ connectionString: url });
  const name = client.escapeIdentifier(new URL(url).pathname.slice(1));
  await client.connect();
  await client.query(`ALTER DATABASE ${name} SET timezone TO '${zone}'`);
  await client.end();
}
