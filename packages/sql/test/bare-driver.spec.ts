/** SQL without an ORM: routes over tables described by hand and a bare driver. */
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Controller, Inject, Injectable, type Type } from '@nestjs/common';
import { type AuthOptions, type Change, Crud, CrudAuth, type CrudOptions } from '@nestwright/crud';
import { CATALOG, type Catalog, STORE, StoreService } from '@nestwright/crud/adapter';
import { type Database, type Entity, SqlStore, type Table, withoutTransaction } from '@nestwright/sql';
import { type Api, start, stopAll } from '../../crud/test/support/application.js';
import { afterInserts } from '../src/persist/hooked-rows.js';
import type { WriteHooks } from '../src/statements/write-context.js';
import { openBareDatabase } from './bare-database.js';
import { describeTable, INTEGER, KEY, TEXT } from './bare-tables.js';

/** What an adapter writes around SQL. */
class BareStore extends SqlStore {
  constructor(
    override readonly executor: Database,
    override readonly table: Table,
  ) {
    super();
  }
}

function serviceOf(table: Table) {
  @Injectable()
  class Service extends StoreService<object> {
    override readonly [STORE] = new BareStore(table.database, table);
    override get [CATALOG](): Catalog {
      return table.catalog;
    }
  }
  return Service;
}

let database: Awaited<ReturnType<typeof openBareDatabase>>;
let api: Api;
const run = async (...statements: string[]) => {
  for (const statement of statements) await database.send(statement);
};

beforeAll(async () => {
  database = await openBareDatabase();
  await run(
    'CREATE TABLE authors (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL)',
    `CREATE TABLE notes (id INTEGER PRIMARY KEY, title VARCHAR(40) COLLATE NOCASE NOT NULL UNIQUE, done BOOLEAN NOT NULL DEFAULT FALSE,
     size INT, "authorId" INT REFERENCES authors (id), code TEXT UNIQUE)`,
    'CREATE TABLE seats ("row" TEXT COLLATE NOCASE, number INTEGER, note TEXT, PRIMARY KEY ("row", number))',
  );
  const authors = describeTable(database, 'Author', 'authors', { id: KEY, name: TEXT });
  const notes = describeTable(database, 'Note', 'notes', {
    id: KEY,
    // A list is nothing that the driver takes.
    title: { ...TEXT, unique: true, encode: (text) => (text === 'list' ? [] : text) },
    done: { kind: 'boolean', type: 'boolean', defaultSql: 'FALSE' },
    size: { ...INTEGER, nullable: true },
    authorId: { ...INTEGER, nullable: true, refers: { path: 'author', to: authors } },
    code: { ...TEXT, nullable: true, unique: true },
  });
  const row = { ...TEXT, key: 'given' } as const;
  const seats = describeTable(database, 'Seat', 'seats', { row, number: KEY, note: { ...TEXT, nullable: true } });
  const resourceOf = (table: Table, options: Partial<CrudOptions>) => {
    const Service = serviceOf(table);
    const at = (path: string, auth: AuthOptions = {}) => {
      @Crud({ model: { type: table.target as Type }, validation: false, ...options })
      @CrudAuth(auth)
      @Controller(path)
      class Resource {
        constructor(@Inject(Service) readonly service: StoreService<object>) {}
      }
      return Resource;
    };
    return { Service, at };
  };
  const part = (field: 'row' | 'number') => ({ field, type: 'string', primary: true }) as const;
  const params = { row: part('row'), number: part('number') };
  const ofSeats = resourceOf(seats, { params, routes: { updateManyBase: {}, deleteManyBase: {} } });
  const ofNotes = resourceOf(notes, { routes: { updateManyBase: {}, createOneBase: { onConflict: ['title'] } } });
  const controllers = [
    ofSeats.at('seats'),
    ofSeats.at('front', { persist: () => ({ row: 'a' }) }),
    ofNotes.at('notes'),
    ofNotes.at('first', { persist: () => ({ id: 1 }) }),
    ofNotes.at('nobody', { persist: () => ({ id: undefined }) }),
  ];
  api = await start({ controllers, providers: [ofNotes.Service, ofSeats.Service] });
});

beforeEach(async () => {
  await run('DELETE FROM notes', 'DELETE FROM authors', "INSERT INTO authors VALUES (1, 'Ada'), (2, 'Bo')");
  await run('DELETE FROM seats', "INSERT INTO seats VALUES ('A', 1, 'a'), ('B', 1, 'b')");
  await run("INSERT INTO notes VALUES (1, 'a', 0, 1, 1, NULL), (2, 'B', 1, 2, 2, NULL), (3, 'c', 0, NULL, NULL, NULL)");
});

afterAll(async () => {
  await stopAll();
  database.end();
});

test('writes: inserts, changes, replaces, deletes, and changes what has the same unique value', async () => {
  const created = await api.post('/notes', { title: 'd', author: { id: 2 } }).expect(201);
  expect(created.body).toMatchObject({ id: 4, title: 'd', done: false, size: null, authorId: 2 });
  const changed = await api.patch('/notes/1', { done: true, author: null }).expect(200);
  expect(changed.body).toMatchObject({ title: 'a', done: true, size: 1, authorId: null });
  expect((await api.put('/notes/1', { title: 'z' })).body).toMatchObject({ title: 'z', done: false, size: null });
  // The same by the rules of the column.
  for (const title of ['B', 'b']) {
    const { body } = await api.post('/notes', { title, size: 5 }).expect(200);
    expect(body).toMatchObject({ id: 2, title: 'B', size: 5, authorId: 2 });
  }
  await api.delete('/notes/1').expect(200);
  await api.get('/notes/1').expect(404);
  await api.get('/notes/2').expect(200);
});

test.each([
  ['a value that is stored', 'bulk.1.title already exists', [{}, { title: 'b' }]],
  ['a value twice', 'bulk.2.title already exists', [{}, { title: 'y' }, { title: 'Y' }]],
  ['a value twice beside records without one', 'bulk.3.code already exists', [{}, {}, { code: 'x' }, { code: 'x' }]],
  ['a link to nothing', 'bulk.2.authorId does not exist', [{}, { title: 'y', authorId: 1 }, { authorId: 99 }]],
])('blames the record of a bulk that has %s', async (_, message, records) => {
  const bulk = records.map((record, index) => ({ title: `new ${index}`, ...record }));
  expect((await api.post('/notes/bulk', { bulk })).body).toMatchObject({ statusCode: 409, message: [message] });
});

test('refuses values that the driver does not take, and names their place', async () => {
  const invalid = (field: string) => ({ statusCode: 400, code: 'CRUD_INVALID_VALUE', field });
  const many = await api.post('/notes/bulk', { bulk: [{ title: 'x' }, { title: 'list' }] });
  const message = [expect.stringMatching(/of the wrong type$/)];
  expect(many.body).toMatchObject({ ...invalid('bulk.1.title'), message });
  expect((await api.patch('/notes/1', { title: 'list' })).body).toMatchObject(invalid('title'));
  // Looked up before anything is stored, since the key may only be that of a stored record.
  expect((await api.post('/first', { title: 'list' })).body).toMatchObject(invalid('title'));
  expect((await api.get('/notes')).body).toHaveLength(3);
});

test('refuses every record where the key that the application names is not known', async () => {
  const { body } = await api.patch('/nobody/1', { size: 9 });
  expect(body).toMatchObject({ statusCode: 400, code: 'CRUD_OUT_OF_SCOPE' });
  expect((await api.get('/notes/1')).body).toMatchObject({ size: 1 });
});

test('a record has the key that the application names if the database holds the two equal', async () => {
  await api.patch('/front/A/1', { note: 'x' }).expect(200);
  expect((await api.patch('/front/B/1', { note: 'x' })).body).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
});

test('writes nothing if a transaction does not begin', async () => {
  const { connect } = database;
  const begin = () => Promise.reject(new Error('no transaction today'));
  const spy = jest.spyOn(database, 'connect').mockImplementation((use) => Object.assign(connect(use), { begin }));
  await api.patch('/notes/bulk', { bulk: [{ id: 1, size: 9 }, { id: 2, size: 9 }] }).expect(500); // prettier-ignore
  spy.mockRestore();
  expect((await api.get('/notes?sort=id,ASC')).body).toMatchObject([{ size: 1 }, { size: 2 }, { size: null }]);
});

test('a bulk finds records by keys that the database holds equal, locks them in order, and changes them together', async () => {
  const bulk = ['b', 'a'].map((row) => ({ row, number: 1, note: row.repeat(2) }));
  const { sent } = database;
  sent.length = 0;
  const { body } = await api.patch('/seats/bulk', { bulk }).expect(200);
  expect(body).toEqual([{ row: 'B', number: 1, note: 'bb' }, { row: 'A', number: 1, note: 'aa' }]); // prettier-ignore
  expect(sent.find((sql) => sql.startsWith('SELECT'))).toMatch(/ORDER BY "column0", "column1"$/);
  expect(sent.filter((sql) => sql.startsWith('UPDATE'))).toHaveLength(1);
});

test('a hook is told of new records without a key as they were inserted', async () => {
  await run('CREATE TABLE tallies (day INTEGER)');
  const tallies = describeTable(database, 'Tally', 'tallies', { day: INTEGER });
  const [days, told]: [Entity[], unknown[]] = [[{ day: 1 }, { day: 2 }], []];
  const hooks = { callsAfter: true, after: ({ record }: Change) => void told.push(record) } as unknown as WriteHooks;
  await withoutTransaction(database, (connection) => afterInserts(connection, hooks, tallies, days));
  expect(told).toEqual(days);
});

test('deletes the records of a bulk alone, of those that have a part of their keys in common', async () => {
  await run("INSERT INTO seats VALUES ('A', 2, 'stays')");
  const bulk = ['A', 'B'].map((row) => ({ row, number: 1 }));
  await api.delete('/seats/bulk').send({ bulk }).expect(200);
  expect((await api.get('/seats')).body).toEqual([{ row: 'A', number: 2, note: 'stays' }]);
});
