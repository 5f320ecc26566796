/** Writes of records in memory: keys, constraints, deletion, recovery and transactions; and what catalogues know of tables. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { type Change, Crud, CrudAuth, type CrudOptions } from '@nestwright/crud';
import { describeColumn } from '@nestwright/crud/adapter';
import { type Api, start, stopAll } from '../../crud/test/support/application.js';
import { MemoryCrudService, MemoryDatabase, type TableDefinition } from '../src/index.js';

class Shelf {}
class Book {}
class Loan {}
class Label {}

const id = { kind: 'integer', primary: true, counter: true } as const;
const TABLES: Record<string, TableDefinition> = {
  shelves: {
    model: Shelf,
    columns: { id, name: { kind: 'text' }, deletedAt: { kind: 'datetime', nullable: true, source: 'deleteDate' } },
    relations: {
      books: { many: 'books', of: 'shelfId' },
      loans: { many: 'loans', of: 'shelfId' },
      labels: { many: 'labels', through: 'shelfLabels' },
      neighbours: { many: 'shelves', through: 'neighbours' },
    },
  },
  books: {
    model: Book,
    columns: {
      id,
      title: { kind: 'text' },
      place: { kind: 'integer', nullable: true, check: (place: number) => place > 0 },
      cover: { kind: 'binary', nullable: true },
      price: { kind: 'decimal', default: '0' },
      state: { kind: 'enum', members: ['new', 'old'], default: () => 'new' },
      shelfId: { kind: 'integer', nullable: true, references: 'shelves', onDelete: 'set null' },
      sequelId: { kind: 'integer', nullable: true, unique: true, references: 'books' },
    },
    unique: ['place,title', 'shelfId,place'].map((names) => names.split(',')),
    relations: {
      shelf: { one: 'shelves', by: 'shelfId', cascade: ['update'] },
      sequel: { one: 'books', by: 'sequelId' },
      prequel: { one: 'books', of: 'sequelId' },
    },
  },
  loans: { model: Loan, columns: { id, shelfId: { kind: 'integer', references: 'shelves' } } },
  labels: {
    model: Label,
    columns: { code: { kind: 'text', primary: true, default: () => 'made' }, name: { kind: 'text', nullable: true } },
    relations: { shelves: { many: 'shelves', through: 'shelfLabels', cascade: ['update'] } },
  },
  shelfLabels: {
    model: class {},
    columns: {
      label: { kind: 'text', primary: true, references: 'labels', onDelete: 'cascade' },
      shelf: { kind: 'integer', primary: true, references: 'shelves', onDelete: 'cascade' },
    },
  },
  neighbours: {
    model: class {},
    columns: {
      left: { kind: 'integer', primary: true, references: 'shelves' },
      right: { kind: 'integer', primary: true, references: 'shelves' },
    },
  },
};

const database = new MemoryDatabase(TABLES);
const calls: unknown[] = [];
let seen: unknown;

class NotedService extends MemoryCrudService<object> {
  override readonly needsBefore = true;
  override beforeChange({ record }: Change<{ id?: number; name?: unknown; deletedAt?: unknown }>) {
    seen = [record.id, record.deletedAt !== null];
    if (record.name === 'bad') record.name = {};
  }
  override async afterChange({ kind, record, before }: Change<object>) {
    const gone = [record, before].map((of) => of && (of as { deletedAt: Date | null }).deletedAt !== null);
    calls.push([kind, seen, ...gone]);
  }
}

function resource(path: string, name: string, options: Partial<CrudOptions> = {}, auth?: object) {
  @Crud({ model: { type: TABLES[name]!.model as never }, ...options })
  @Controller(path)
  class NamedController {
    readonly service = path === 'shelves' ? new NotedService(database, name) : new MemoryCrudService(database, name);
  }
  if (auth) CrudAuth(auth as never)(NamedController);
  return NamedController;
}

let api: Api;
beforeAll(async () => {
  const byKey = (field: string, type: 'string' | 'number') => ({ params: { [field]: { field, type, primary: true } } });
  api = await start({
    controllers: [
      resource('shelves', 'shelves', { query: { softDelete: true }, routes: { recoverManyBase: {} } }),
      resource('gone-shelves', 'shelves', { query: { join: { loans: {} } } }),
      resource('books', 'books', { routes: { updateManyBase: { byCondition: true } } }),
      resource('placed', 'books', {}, { persist: () => ({ place: 1 }) }),
      resource('titles', 'books', byKey('title', 'string') as never),
      resource('chosen', 'books', { routes: { createOneBase: { allowGeneratedKey: true } } }),
      resource('labels', 'labels', byKey('code', 'string') as never),
      resource('fixed', 'labels', byKey('code', 'string') as never, { persist: () => ({ code: 'x' }) }),
      resource('own', 'labels', byKey('code', 'string') as never, { filter: () => ({ name: { $notnull: true } }) }),
      resource('broken', 'labels', byKey('code', 'string') as never, { persist: () => ({ code: [] }) }),
    ],
  });
});
afterAll(stopAll);

const NEW = { place: null, cover: null, price: '0', state: 'new', shelfId: null, sequelId: null };
const FIRST = { ...NEW, id: 1, title: 'one', place: 1, shelfId: 1 };

beforeEach(async () => {
  database.clear();
  calls.length = 0;
  for (const name of ['books', 'shelves']) database.count(`${name}.id`, 10n);
  const rows: Record<string, Record<string, unknown>[]> = {
    shelves: ['a', 'b', 'c'].map((name, at) => ({ id: at + 1, name, deletedAt: name === 'c' ? new Date(0) : null })),
    books: [FIRST, { ...NEW, id: 2, title: 'two' }, { ...NEW, id: 3, title: 'two', sequelId: 2, shelfId: 3 }], // prettier-ignore
    loans: [{ id: 1, shelfId: 2 }],
    labels: [{ code: 'x', name: null }, { code: 'y', name: null }], // prettier-ignore
    shelfLabels: [{ label: 'x', shelf: 1 }, { label: 'y', shelf: 3 }], // prettier-ignore
  };
  await database.transaction(async (transaction) => {
    for (const [name, list] of Object.entries(rows)) for (const row of list) transaction.put(database.table(name), row);
  });
});

const rowsOf = (name: string) => [...database.of(database.table(name))];
const send = (verb: 'post' | 'patch' | 'put' | 'delete', path: string, body?: object) =>
  (api[verb] as Api['post'])(`/${path}`, body);
const COUNTED = 'is generated by the database and cannot be chosen';
const REFER = 'still refer to this one: delete or change them first';
const HIDDEN = 'is outside the scope of this resource';
const BAD = { bulk: [{ name: 'x' }, { name: 'bad' }] };
const LEAVES = 'The record would leave the scope of this resource';

test.each([
  ['patch', 'titles/two', { place: 2 }, 'CRUD_CONFLICT', 'Several records of Book match'],
  ['post', 'books', { id: 2, title: 'x' }, 'CRUD_UNIQUE_VIOLATION', ['id already exists']],
  ['post', 'books/bulk', { bulk: [{ title: 'x' }, { id: 90 }] }, 'CRUD_INVALID_BODY', [`bulk.1.id ${COUNTED}`]],
  ['post', 'shelves/bulk', BAD, 'CRUD_INVALID_VALUE', ['bulk.1.name must be a string']],
  ['post', 'chosen', { id: 2, title: 'x' }, 'CRUD_UNIQUE_VIOLATION', ['id already exists']],
  ['patch', 'books/2', { title: 'one', place: 1 }, 'CRUD_UNIQUE_VIOLATION', ['place already exists']],
  ['patch', 'placed/2', { title: 'one' }, 'CRUD_UNIQUE_VIOLATION', ['title already exists']],
  ['patch', 'fixed/y', { name: 'n' }, 'CRUD_OUT_OF_SCOPE', LEAVES],
  ['put', 'fixed/z', { name: 'n' }, 'CRUD_OUT_OF_SCOPE', LEAVES],
  ['put', 'own/y', { name: 'n' }, 'CRUD_NOT_FOUND', 'Label not found'],
  // The shelf is deleted.
  ['patch', 'books/3', { shelf: { id: 3, name: 'x' } }, 'CRUD_OUT_OF_SCOPE', [`shelf ${HIDDEN}`]],
  ['patch', 'labels/y', { shelves: [{ id: 3, name: 'x' }] }, 'CRUD_OUT_OF_SCOPE', [`shelves ${HIDDEN}`]],
  ['patch', 'broken/x', { name: 'n' }, 'CRUD_OUT_OF_SCOPE', LEAVES],
  ['delete', 'gone-shelves/2', undefined, 'CRUD_FOREIGN_KEY_VIOLATION', `Records in loans ${REFER}`],
  ['delete', 'chosen/2', undefined, 'CRUD_FOREIGN_KEY_VIOLATION', `Other records ${REFER}`],
] as const)('%s %s %j is refused', async (verb, path, body, code, message) => {
  const before = Object.keys(TABLES).map(rowsOf);
  expect((await send(verb, path, body)).body).toMatchObject({ code, message });
  expect(Object.keys(TABLES).map(rowsOf)).toEqual(before);
});

test.each([
  ['put', 'fixed/x', { name: 'n' }, 200, { code: 'x', name: 'n' }],
  ['put', 'labels/z', { name: 'n' }, 201, { code: 'z', name: 'n' }],
  ['post', 'labels', { name: 'n' }, 201, { code: 'made', name: 'n' }],
  ['patch', 'books/1', { price: 5, cover: 'AQID' }, 200, { ...FIRST, price: '5', cover: 'AQID' }],
  ['patch', 'books/bulk?filter=title||eq||two', { set: { place: null } }, 200, { affected: 2 }],
] as const)('%s %s %j: %i', async (verb, path, body, status, answer) => {
  const sent = await send(verb, path, body);
  expect([sent.status, sent.body]).toEqual([status, answer]);
});

test('a counter goes on from a key that was chosen; what it has counted for a refused record is lost', async () => {
  const chosen = Number(database.count('books.id')) + 100;
  const post = async (path: string, body: object) => ((await send('post', path, body)).body as { id?: number }).id;
  expect(await post('chosen', { id: chosen, title: 'x' })).toBe(chosen);
  expect(await post('books', { title: 'y' })).toBe(chosen + 1);
  expect(await post('books', { title: 'z', sequelId: 9999 })).toBeUndefined();
  expect(await post('books', { title: 'z', state: 'old' })).toBe(chosen + 3);
  expect(rowsOf('books').at(-1)).toEqual({ ...NEW, id: chosen + 3, title: 'z', state: 'old' });
});

test('what refers to a deleted record goes along, or refers to none', async () => {
  expect((await send('delete', 'gone-shelves/2')).body).toMatchObject({ field: 'loans' });
  await send('delete', 'gone-shelves/1').expect(200);
  expect(rowsOf('shelfLabels')).toEqual([{ label: 'y', shelf: 3 }]);
  expect(rowsOf('books')).toMatchObject([{ title: 'one', shelfId: null }, { title: 'two' }, { title: 'two' }]);
});

test('hooks see records before and after changes, and no key that is still to be counted', async () => {
  await send('post', 'shelves', { name: 'd' }).expect(201);
  await send('delete', 'shelves/2').expect(200);
  await send('patch', 'shelves/2/recover').expect(200);
  await send('patch', 'shelves/2/recover').expect(200);
  await send('patch', 'shelves/bulk/recover', { bulk: [{ id: 2 }, { id: 3 }] }).expect(200);
  expect(calls).toEqual([
    ['create', [undefined, false], false, undefined],
    ['delete', [2, false], false, false],
    ['recover', [2, false], false, true],
    ['recover', [3, false], false, true],
  ]);
});

test.each([
  ['shelves', 'books', 'one-to-many', 'Book.shelf', ''],
  ['shelves', 'neighbours', 'many-to-many', 'Shelf.undefined', ''],
  ['books', 'shelf', 'many-to-one', 'Shelf.books', 'shelfId → id'],
  ['books', 'sequel', 'one-to-one', 'Book.prequel', 'sequelId → id'],
  ['books', 'prequel', 'one-to-one-inverse', 'Book.sequel', ''],
  ['labels', 'shelves', 'many-to-many', 'Shelf.labels', ''],
])('%s.%s is %s of %s', (table, path, kind, other, by) => {
  const { target, inverse, references, ...relation } = database.table(table).catalog.relations.get(path)!;
  const pairs = references.map(({ column, references: to }) => `${column.path} → ${to.path}`);
  const cascades = { cascadeInsert: false, cascadeUpdate: path.startsWith('shel') };
  const rest = { toMany: kind.endsWith('many'), nullable: true, ...cascades };
  expect([{ ...relation }, `${target.model}.${inverse}`, pairs.join()]).toEqual([{ path, kind, ...rest }, other, by]);
});

test('columns as the catalogue has them', () => {
  const { columns, primary, deleteDate } = database.table('shelves').catalog;
  const counted = { primary: true, autoIncrement: true, generated: true, hasDefault: true };
  expect(columns.get('id')).toEqual(describeColumn('id', 'integer', counted));
  expect([primary, deleteDate]).toEqual([[columns.get('id')], columns.get('deletedAt')]);
  const price = database.table('books').catalog.columns.get('price');
  expect(price).toEqual(describeColumn('price', 'decimal', { scale: 0, hasDefault: true }));
  expect(database.table('labels').catalog.primary).toEqual([
    describeColumn('code', 'text', { primary: true, generated: true, hasDefault: true }),
  ]);
});

test('a table that is not there is told with those that are', () => {
  const message = `There is no table none: the database has ${Object.keys(TABLES).join(', ')}`;
  expect(() => database.table('none')).toThrow(new Error(message));
});

test('within transactions of two databases, each knows its own', async () => {
  const [first, second] = [new MemoryDatabase(TABLES), new MemoryDatabase(TABLES)];
  await first.transaction(async (outer) => {
    expect([first.current(), second.current()]).toEqual([outer, undefined]);
    await second.transaction(async (inner) => expect([first.current(), second.current()]).toEqual([outer, inner]));
    expect(second.current()).toBeUndefined();
  });
  expect(first.current()).toBeUndefined();
});
