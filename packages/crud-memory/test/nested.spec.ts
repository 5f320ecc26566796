/** Nested bodies of records in memory: what they change, insert, link and refuse, with and without limits of relations. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { type Change, Crud, CrudAuth } from '@nestwright/crud';
import { type Api, start, stopAll } from '../../crud/test/support/application.js';
import { MemoryCrudService, MemoryDatabase, type TableDefinition } from '../src/index.js';

class Author {}
class Profile {}
class Book {}
class Tag {}
class AuthorTag {}

const id = { kind: 'integer', primary: true, counter: true } as const;
const text = { kind: 'text' } as const;
const number = { kind: 'integer', primary: true } as const;
const cascade = ['insert', 'update'] as const;
const TABLES: Record<string, TableDefinition> = {
  authors: {
    model: Author,
    columns: { id, name: text },
    relations: {
      profile: { one: 'profiles', of: 'authorId', cascade },
      books: { many: 'books', of: 'authorId', cascade },
      tags: { many: 'tags', through: 'authorTags', cascade },
      // These change what is linked, and store nothing new.
      card: { one: 'profiles', of: 'authorId', cascade: ['update'] },
    },
  },
  profiles: {
    model: Profile,
    columns: { id, text, authorId: { kind: 'integer', nullable: true, unique: true, references: 'authors' } },
    relations: {
      author: { one: 'authors', by: 'authorId', cascade },
      owner: { one: 'authors', by: 'authorId', cascade: ['update'] },
    },
  },
  books: {
    model: Book,
    columns: { id, title: text, authorId: { kind: 'integer', nullable: true, references: 'authors' } },
  },
  tags: { model: Tag, columns: { id, label: text } },
  authorTags: {
    model: AuthorTag,
    columns: { tagId: { ...number, references: 'tags' }, authorId: { ...number, references: 'authors' } },
  },
};

const database = new MemoryDatabase(TABLES);
const calls: string[] = [];

class NotedService extends MemoryCrudService<object> {
  override async afterChange({ kind, model }: Change<object>) {
    calls.push(`${kind} ${model}`);
  }
}

function resource(path: string, name: keyof typeof TABLES, auth?: object) {
  @Crud({
    model: { type: TABLES[name]!.model as never },
    query: { join: Object.fromEntries(Object.keys(TABLES[name]!.relations ?? {}).map((relation) => [relation, {}])) },
  })
  @Controller(path)
  class NestedController {
    readonly service = new NotedService(database, name as string);
  }
  if (auth) CrudAuth(auth as never)(NestedController);
  return NestedController;
}

/** Each row by its values; what counters make is above 1000. */
const ROWS: Record<string, string[]> = {
  authors: ['101 Ada', '102 Bo'],
  profiles: ['101 p 101', '102 free '],
  books: ['101 one 101', '102 secret 101', '103 other 102'],
  tags: ['101 red', '102 secret', '103 blue'],
  authorTags: ['101 101', '102 101'],
};
const valueOf = (word: string) => (/^\d+$/.test(word) ? Number(word) : word || null);

let api: Api;
beforeAll(async () => {
  api = await start({
    controllers: [
      resource('authors', 'authors'),
      resource('profiles', 'profiles'),
      resource('blind', 'authors', { relations: { profile: () => ({ text: 'none' }) } }),
      resource('mine', 'authors', {
        relations: {
          profile: () => ({ text: { $ne: 'secret' } }),
          books: () => ({ title: { $ne: 'secret' } }),
          tags: () => ({ label: { $ne: 'secret' } }),
        },
      }),
    ],
  });
});
afterAll(stopAll);

beforeEach(async () => {
  database.clear();
  calls.length = 0;
  await database.transaction(async (transaction) => {
    for (const [name, rows] of Object.entries(ROWS)) {
      const names = Object.keys(TABLES[name]!.columns);
      database.count(`${name}.id`, 1000n);
      for (const words of rows.map((row) => row.split(' ')))
        transaction.put(database.table(name), Object.fromEntries(words.map((word, at) => [names[at], valueOf(word)])));
    }
  });
});

/** The rows of each table, as they are written above. */
const stored = () =>
  Object.fromEntries(
    Object.keys(TABLES).map((name) => {
      const rows = [...database.of(database.table(name))].map((row) => Object.values(row).join(' '));
      const named = rows.map((row) => row.replace(/\b1\d{3}\b/, 'new'));
      return [name, named.sort().join()];
    }),
  );

test.each([
  ['authors/101', { profile: { text: 'q' } }, 'update Profile', { profiles: '101 q 101,102 free ' }],
  ['authors/102', { profile: { text: 'q' } }, 'create Profile', { profiles: '101 p 101,102 free ,new q 102' }],
  [
    'authors/101',
    { books: [{ id: 101, title: 'uno' }, { title: 'three' }] },
    'update Book,create Book',
    { books: '101 uno 101,102 secret 101,103 other 102,new three 101' },
  ],
  [
    'authors/101',
    { tags: [{ id: 101, label: 'rot' }, 102, { label: 'green' }] },
    'update Tag,create Tag,update Author',
    { tags: '101 rot,102 secret,103 blue,new green', authorTags: '101 101,102 101,new 101' },
  ],
  ['authors/101', { tags: [101] }, 'update Author', { authorTags: '101 101' }],
  ['authors/101', { tags: [101, 102] }, '', {}],
  ['authors/101', { tags: [{ id: 101, label: 'rot' }, 102] }, 'update Tag', { tags: '101 rot,102 secret,103 blue' }],
  ['profiles/101', { author: { name: 'Eve' } }, 'update Author', { authors: '101 Eve,102 Bo' }],
  ['profiles/101', { author: { id: 102, name: 'Eve' } }, 'update Profile', { profiles: '101 p 102,102 free ' }],
  [
    'profiles/102',
    { author: { id: 0, name: 'Eve' } },
    'create Author,update Profile',
    { authors: '101 Ada,102 Bo,new Eve', profiles: '101 p 101,102 free new' },
  ],
  ['profiles/102', { owner: { name: 'Eve' } }, '', {}],
  ['authors/101', { card: { text: 'q' } }, 'update Profile', { profiles: '101 q 101,102 free ' }],
  ['authors/102', { card: { text: 'q' } }, '', {}],
  // What a client cannot see stays linked.
  ['mine/101', { tags: [101] }, '', {}],
  ['mine/101', { tags: [101, 103] }, 'update Author', { authorTags: '101 101,102 101,103 101' }],
])('PATCH of %s by %j', async (path, body, called, changed) => {
  const before = stored();
  expect((await api.patch(`/${path}`, body)).status).toBe(200);
  expect([calls.join(), stored()]).toEqual([called, { ...before, ...changed }]);
});

const SECOND = 'is a new record, but there is one already';
const FOREIGN = 'does not belong to this record';
const HIDDEN = 'is outside the scope of this resource';
test.each([
  ['authors/101', { profile: { id: 0, text: 'q' } }, `profile ${SECOND}`],
  ['authors/101', { profile: { id: 102, text: 'q' } }, `profile ${FOREIGN}`],
  ['authors/101', { books: [{ title: 'new' }, { id: 103, title: 'x' }] }, `books.1 ${FOREIGN}`],
  ['authors/101', { tags: [{ id: 999 }] }, 'tags does not exist'],
  ['mine/101', { tags: [101, 102] }, `tags ${HIDDEN}`],
  ['mine/101', { tags: [{ label: 'secret' }] }, `tags ${HIDDEN}`],
  ['mine/101', { books: [{ id: 102, title: 'x' }] }, `books.0 ${HIDDEN}`],
  ['mine/101', { books: [{ id: 101, title: 'secret' }] }, `books.0 ${HIDDEN}`],
  ['mine/101', { profile: { id: 0, text: 'x' } }, `profile ${HIDDEN}`],
  ['mine/101', { profile: { text: 'secret' } }, `profile ${HIDDEN}`],
  ['blind/101', { profile: { text: 'q' } }, `profile ${HIDDEN}`],
])('PATCH of %s by %j is refused', async (path, body, message) => {
  const before = stored();
  const field = message.split(' ')[0];
  expect((await api.patch(`/${path}`, body)).body).toMatchObject({ message: [message], field });
  expect(stored()).toEqual(before);
});
