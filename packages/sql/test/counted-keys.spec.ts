/** Inserted rows of a database that returns none → the keys that its counter has given them. */
import { beforeAll, expect, test } from '@jest/globals';
import { type Connection, type Database, type Entity, MYSQL, type Row, SQLITE } from '@nestwright/sql';
import { insertRows } from '../src/persist/insert-rows.js';
import { openBareDatabase } from './bare-database.js';
import { describeTable } from './bare-tables.js';

class Note {}

let bare: Awaited<ReturnType<typeof openBareDatabase>>;
beforeAll(async () => {
  bare = await openBareDatabase();
  bare.end();
});

/** Inserts rows by a driver with fixed answers; returns their keys, and the statements that it was sent. */
function inserting(dialect: Database['dialect'], insertId: number | undefined, answer: Row) {
  const database = { ...bare, dialect, returns: { insert: false, update: false } };
  const id = { kind: 'integer', type: 'integer', key: true } as const;
  const table = describeTable(database, Note, 'notes', { id, title: { kind: 'text', type: 'varchar' } });
  const sent: string[] = [];
  const connection = {
    database,
    run: (sql: string) => {
      sent.push(sql);
      return Promise.resolve({ rows: [], affected: 1, insertId });
    },
    select: (sql: string) => {
      sent.push(sql);
      return Promise.resolve([answer]);
    },
  } as unknown as Connection;

  return async (...ids: (number | undefined)[]) => {
    const rows = ids.map((own, index) => ({ entity: { id: own, title: 't' } as Entity, path: `bulk.${index}` }));
    await insertRows(connection, table, rows);
    return [rows.map(({ entity }) => entity['id'] as unknown), ...sent.splice(0)];
  };
}

const NONE = undefined;
const INTO = 'INSERT INTO "notes"("id", "title") VALUES ';
const STEP = 'SELECT @@auto_increment_increment AS step';

test('the last key is asked for where the driver tells none, and the others come before it', async () => {
  const insert = inserting(SQLITE, undefined, { id: 9 });
  const last = 'SELECT last_insert_rowid() AS id';
  const three = `${INTO}(NULL, ?), (NULL, ?), (NULL, ?)`;
  expect(await insert(NONE, NONE, NONE)).toEqual([[7, 8, 9], three, last]);
  expect(await insert(NONE)).toEqual([[9], `${INTO}(NULL, ?)`, last]);
  expect(await insert(4)).toEqual([[4], `${INTO}(?, ?)`]);
});

test('the others come after the first key in steps of the server, which are asked for once, for several rows', async () => {
  const insert = inserting(MYSQL, 5, { step: '3' });
  const two = `${INTO}(DEFAULT, ?), (DEFAULT, ?)`;
  expect(await insert(NONE)).toEqual([[5], `${INTO}(DEFAULT, ?)`]);
  expect(await insert(NONE, NONE, NONE)).toEqual([[5, 8, 11], `${two}, (DEFAULT, ?)`, STEP]);
  expect(await insert(NONE, NONE)).toEqual([[5, 8], two]);
});

test('rows with keys of their own are inserted apart, in the order given', async () => {
  const insert = inserting(MYSQL, 5, { step: 1 });
  const statements = ['(?, ?)', '(DEFAULT, ?), (DEFAULT, ?)', STEP, '(?, ?), (?, ?)'];
  const sent = statements.map((text) => (text === STEP ? text : INTO + text));
  expect(await insert(20, NONE, NONE, 30, 31)).toEqual([[20, 5, 6, 30, 31], ...sent]);
});
