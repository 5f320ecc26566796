/** Rows that are inserted where statements return none: their keys are those that the counter of SQLite has given them. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Entity, type Table, withoutTransaction } from '@nestwright/sql';
import { insertRows } from '../src/persist/insert-rows.js';
import { openBareDatabase } from './bare-database.js';
import { describeTable } from './bare-tables.js';

class Note {}

class Code {}

let database: Awaited<ReturnType<typeof openBareDatabase>>;
let table: Table;
const run = (sql: string) => withoutTransaction(database, (connection) => connection.run(sql));

beforeAll(async () => {
  database = await openBareDatabase(false);
  await run('CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT)');
  const id = { kind: 'integer', type: 'integer', key: true } as const;
  table = describeTable(database, Note, 'notes', { id, title: { kind: 'text', type: 'varchar' } });
});

beforeEach(async () => {
  await run('DELETE FROM notes');
  await run("INSERT INTO notes VALUES (6, 'six')");
});
afterAll(() => database.end());

test.each<[string, ids: (number | undefined)[], keys: number[]]>([
  ['of one row', [undefined], [7]],
  ['of several rows, in their order', [undefined, undefined, undefined], [7, 8, 9]],
  ['that a row brings', [40], [40]],
  ['between those that rows bring', [20, undefined, undefined, 30, 31], [20, 21, 22, 30, 31]],
])('the keys %s are known, and stored', async (_, ids, keys) => {
  const rows = ids.map((id, at) => ({ entity: { id, title: `t${at}` } as Entity, path: `bulk.${at}` }));
  await withoutTransaction(database, (connection) => insertRows(connection, table, rows));
  expect(rows.map(({ entity }) => entity['id'])).toEqual(keys);
  const stored = (await run("SELECT id, title FROM notes WHERE title <> 'six' ORDER BY title")).rows;
  expect(stored).toEqual(keys.map((id, at) => ({ id, title: `t${at}` })));
});

test('each insert writes the SQL of its own values as it stands', async () => {
  for (const title of [() => "lower('A')", () => "lower('B')", "lower('C')"]) {
    const rows = [{ entity: { title }, path: '' }];
    await withoutTransaction(database, (connection) => insertRows(connection, table, rows));
  }
  const { rows } = await run("SELECT title FROM notes WHERE title <> 'six' ORDER BY id");
  expect(rows.map(({ title }) => title)).toEqual(['a', 'b', "lower('C')"]);
});

test('a key that only the database knows is told as the mistake that it is', async () => {
  await run("CREATE TABLE codes (code TEXT PRIMARY KEY DEFAULT 'x', title TEXT)");
  const text = { kind: 'text', type: 'varchar' } as const;
  const codes = describeTable(database, Code, 'codes', {
    code: { ...text, key: 'given', defaultSql: "'x'" },
    title: text,
  });
  const rows = [{ code: 'a' }, {}].map((entity, at) => ({ entity, path: `bulk.${at}` }));
  const work = withoutTransaction(database, (connection) => insertRows(connection, codes, rows));
  await expect(work).rejects.toThrow('Code: the database does not return the key that its default generated');
});
