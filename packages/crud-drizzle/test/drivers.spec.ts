/** Drivers: which are known, and what they say and answer. */
import { describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { openDriver } from '../src/drizzle/drivers.js';

test('a driver that is not known is told with those that are', () => {
  const known = 'postgres.js, PGlite, node-postgres, mysql2, sql.js, better-sqlite3';
  const message = `The driver of the database is none of ${known}, which are known`;
  expect(() => openDriver({}, 'sqlite')).toThrow(new Error(message));
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
      const answer = { rows: [{ wide: 5, whole: 6 }], affected: 1, insertId: undefined };
      expect(await client.send('SELECT 5::int8 AS wide, $1::int4 AS whole', [6])).toEqual(answer);
      await client.release();
      expect(await client.send('SELECT 1 AS one', [])).toMatchObject({ rows: [{ one: 1 }] });
      await native.end();
    });
  },
  ['postgres'],
);
