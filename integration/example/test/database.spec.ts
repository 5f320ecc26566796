/** The example's tables and records: the same on every database, whatever the time zone of process, server or session, and anew on each start. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { DataSource, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../test-support/index.js';
import { Category } from '../src/categories/category.entity.js';
import { Company } from '../src/companies/company.entity.js';
import { openDatabase } from '../src/database/database.js';
import { RECORDS } from '../src/database/seed-records.js';
import { Device } from '../src/devices/device.entity.js';
import { Event } from '../src/events/event.entity.js';
import { Membership } from '../src/memberships/membership.entity.js';
import { Project } from '../src/projects/project.entity.js';
import { Profile } from '../src/users/profile.entity.js';
import { User } from '../src/users/user.entity.js';

type Row = Record<string, unknown>;

const counted = (rows: object[], key: (id: number) => unknown = (id) => id): Row[] =>
  rows.map((row, index) => ({ id: key(index + 1), ...row }));

/** Every table with what its repository must find, besides the columns that the database fills. */
const CONTENTS: readonly (readonly [EntityTarget<ObjectLiteral> & { name: string }, number, () => Row[]])[] = [
  [Company, 10, () => counted(RECORDS.companies).map((row) => ({ ...row, deletedAt: null }))],
  [User, 100, () => counted(RECORDS.users).map((row) => ({ ...row, version: 1 }))],
  [Profile, 100, () => counted(RECORDS.profiles)],
  [Project, 30, () => counted(RECORDS.projects)],
  [Device, 20, () => RECORDS.devices as Row[]],
  [Membership, 40, () => RECORDS.memberships as Row[]],
  [Category, 23, () => counted(RECORDS.categories)],
  [Event, 200, () => counted(RECORDS.events, String)],
];

/** Records as a response would show them, in an order of their own: the databases collate differently. */
const plain = (rows: object[]): unknown[] =>
  (JSON.parse(JSON.stringify(rows)) as unknown[]).map((row) => JSON.stringify(row, keysInOrder)).sort();

const keysInOrder = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

describeDatabases('example database', ({ kind, url }) => {
  let dataSource: DataSource;

  beforeAll(async () => {
    if (kind === 'postgres') await setTimeZone(url, 'Asia/Kathmandu');
    dataSource = await openDatabase(url);
  });
  afterAll(() => dataSource?.destroy());

  test.each(CONTENTS.map(([entity, ...rest]) => [entity.name, entity, ...rest] as const))(
    '%s: each record is as it was written',
    async (_, entity, count, expected) => {
      const found = await dataSource.getRepository(entity).find({ loadEagerRelations: false });

      expect(found).toHaveLength(count);
      expect(plain(found)).toEqual(plain(expected()));
    },
  );

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

  test('the next start shows the same records again', async () => {
    await dataSource.getRepository(Company).update(2, { name: 'changed' });
    await dataSource.destroy();
    dataSource = await openDatabase(url);

    const companies = await dataSource.getRepository(Company).find();

    expect(plain(companies)).toEqual(plain(CONTENTS[0]?.[2]() ?? []));
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
        await other.query('INSERT INTO users VALUES (1, 2)');
        await expect(openDatabase(url)).rejects.toThrow(/table "(public\.)?users" with a column "salary"/);
        expect(await other.query('SELECT salary FROM users')).toEqual([{ salary: 2 }]);
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

  await client.connect();
  await client.query(
    `ALTER DATABASE ${client.escapeIdentifier(new URL(url).pathname.slice(1))} SET timezone TO '${zone}'`,
  );
  await client.end();
}
