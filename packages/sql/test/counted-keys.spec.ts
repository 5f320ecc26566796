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

/** Inserts rows by a driver with fixed answers; returns their keys, and what else it was asked. */
function inserting(dialect: Database['dialect'], insertId: number | undefined, answer: Row) {
  const database = { ...bare, dialect, returns: { insert: false, update: false } };
  const id = { kind: 'integer', type: 'integer', key: true } as const;
  const table = describeTable(database, Note, 'notes', { id, title: { kind: 'text', type: 'varchar' } });
  const asked: string[] = [];
  const connection = {
    database,
    run: () => Promise.resolve({ rows: [], affected: 1, insertId }),
    select: (sql: string) => {
      asked.push(sql);
      return Promise.resolve([answer]);
    },
  } as unknown as Connection;

  return async (...titles: string[]) => {
    const rows = titles.map((title, index) => ({ entity: { title } as Entity, path: `bulk.${index}` }));
    await insertRows(connection, table, rows);
    return [rows.map(({ entity }) => entity['id'] as unknown), asked.splice(0)];
  };
}

test('the last key is asked for where the driver tells none, and the others come before it', async () => {
  const insert = inserting(SQLITE, undefined, { id: 9 });
  expect(await insert('a', 'b', 'c')).toEqual([[7, 8, 9], ['SELECT last_insert_rowid() AS id']]);
  expect(await insert('a')).toEqual([[9], ['SELECT last_insert_rowid() AS id']]);
});

test('the others come after the first key in steps of the server, which are asked for once, for several rows', async () => {
  const insert = inserting(MYSQL, 5, { step: '3' });
  expect(await insert('a')).toEqual([[5], []]);
  expect(await insert('a', 'b', 'c')).toEqual([[5, 8, 11], ['SELECT @@auto_increment_increment AS step']]);
  expect(await insert('a', 'b')).toEqual([[5, 8], []]);
});
