/** SQL without an ORM: eight routes over tables described by hand and a bare driver. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, Injectable } from '@nestjs/common';
import { Crud } from '@nestwright/crud';
import { CATALOG, type Catalog, STORE, StoreService } from '@nestwright/crud/adapter';
import { type Database, SqlStore, type Table, withoutTransaction } from '@nestwright/sql';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { type Api, start, stopAll } from '../../crud/test/support/application.js';
import { openBareDatabase } from './bare-database.js';
import { describeTable } from './bare-tables.js';

class Author {
  id!: number;
  name!: string;
}

class Note {
  id!: number;
  title!: string;
  done!: boolean;
  size!: number | null;
  authorId!: number | null;
  author?: Author | null;
}

/** What an adapter writes around SQL. */
class BareStore extends SqlStore {
  constructor(
    override readonly executor: Database,
    override readonly table: Table,
  ) {
    super();
  }
}

const KEYS = { sqlite: 'INTEGER PRIMARY KEY', postgres: 'SERIAL PRIMARY KEY', mysql: 'INT AUTO_INCREMENT PRIMARY KEY' };

describeDatabases('tables described by hand', (db) => {
  let database: ReturnType<typeof openBareDatabase>;
  let api: Api;

  const run = (...statements: string[]) =>
    withoutTransaction(database, async (connection) => {
      for (const statement of statements) await connection.run(statement);
    });

  beforeAll(async () => {
    database = openBareDatabase(db);
    const authorId = database.quote('authorId');
    await run(
      `CREATE TABLE authors (id ${KEYS[db.kind]}, name VARCHAR(40) NOT NULL)`,
      `CREATE TABLE notes (id ${KEYS[db.kind]}, title VARCHAR(40) NOT NULL UNIQUE, done BOOLEAN NOT NULL DEFAULT FALSE, ` +
        `size INT, ${authorId} INT, FOREIGN KEY (${authorId}) REFERENCES authors (id))`,
    );
  });
  afterAll(() => database.end());

  beforeEach(async () => {
    await run(
      'DELETE FROM notes',
      'DELETE FROM authors',
      "INSERT INTO authors (id, name) VALUES (1, 'Ada'), (2, 'Bo')",
    );
    const key = { kind: 'integer', type: 'integer', key: true } as const;
    const authors: Table = describeTable(database, Author, 'authors', {
      id: key,
      name: { kind: 'text', type: 'varchar' },
    });
    const notes = describeTable(database, Note, 'notes', {
      id: key,
      title: { kind: 'text', type: 'varchar', unique: true },
      done: { kind: 'boolean', type: 'boolean', defaultSql: 'FALSE' },
      size: { kind: 'integer', type: 'integer', nullable: true },
      authorId: { kind: 'integer', type: 'integer', nullable: true, refers: { path: 'author', to: () => authors } },
    });

    @Injectable()
    class NotesService extends StoreService<Note> {
      override readonly [STORE] = new BareStore(database, notes);

      override get [CATALOG](): Catalog {
        return notes.catalog;
      }
    }

    @Crud({
      model: { type: Note },
      query: { join: { author: { allow: ['name'] } }, aggregate: { groupBy: ['done'], functions: { size: ['sum'] } } },
      routes: { updateManyBase: {}, aggregateBase: true, createOneBase: { onConflict: ['title'] } },
      validation: false,
    })
    @Controller('notes')
    class NotesController {
      constructor(readonly service: NotesService) {}
    }

    api = await start({ controllers: [NotesController], providers: [NotesService] });
    await api.post('/notes/bulk', {
      bulk: [{ title: 'a', size: 1, author: 1 }, { title: 'B', size: 2, authorId: 2, done: true }, { title: 'c' }],
    });
  });
  afterEach(stopAll);

  const titles = async (query: string) => {
    const { body } = await api.get(`/notes?${query}`).expect(200);

    return (body as Note[]).map(({ title }) => title);
  };
  const idOf = async (title: string) => {
    const { body } = await api.get(`/notes?filter=title||eq||${title}`).expect(200);

    return (body as Note[])[0]!.id;
  };

  describe('reading', () => {
    test('lists with joins, conditions, order and pages', async () => {
      const { body } = await api
        .get('/notes?join=author&fields=title,done&sort=id,ASC&filter=size||notnull')
        .expect(200);

      expect(body).toEqual([
        { id: expect.any(Number), title: 'a', done: false, author: { id: 1, name: 'Ada' } },
        { id: expect.any(Number), title: 'B', done: true, author: { id: 2, name: 'Bo' } },
      ]);
      expect(await titles('filter=author.name||eq||Bo')).toEqual(['B']);
      expect(await titles('filter=title||contL||b')).toEqual(['B']);
      const page = await api.get('/notes?sort=id,DESC&limit=1&offset=1').expect(200);
      expect(page.body).toMatchObject({ data: [{ title: 'B' }], total: 3 });
    });

    test('counts pages, and groups', async () => {
      const { body } = await api.get('/notes?limit=2&page=2&sort=id,ASC').expect(200);
      expect(body).toMatchObject({ count: 1, total: 3, pageCount: 2, data: [{ title: 'c' }] });

      const groups = await api.get('/notes/aggregate?aggregate=sum||size&groupBy=done').expect(200);
      expect(groups.body).toEqual(expect.arrayContaining([expect.objectContaining({ done: true })]));
      expect(groups.body).toHaveLength(2);
    });

    test('answers with one record, or with a 404', async () => {
      const { body } = await api.get(`/notes/${await idOf('a')}?join=author`).expect(200);
      expect(body).toMatchObject({ title: 'a', author: { name: 'Ada' } });
      await api.get('/notes/999').expect(404);
    });
  });

  describe('writing', () => {
    test('inserts, and takes the defaults of the database', async () => {
      const { body } = await api.post('/notes', { title: 'd', author: { id: 2 } }).expect(201);

      expect(body).toMatchObject({ title: 'd', done: false, size: null, authorId: 2 });
    });

    test('changes and replaces', async () => {
      const id = await idOf('a');
      const changed = await api.patch(`/notes/${id}`, { done: true, author: null }).expect(200);
      expect(changed.body).toMatchObject({ id, title: 'a', done: true, size: 1, authorId: null });

      const replaced = await api.put(`/notes/${id}`, { title: 'z' }).expect(200);
      expect(replaced.body).toMatchObject({ id, title: 'z', done: false, size: null });
    });

    test('changes many together, or none of them', async () => {
      const [a, c] = [await idOf('a'), await idOf('c')];
      await api.patch('/notes/bulk', { bulk: [{ id: a, size: 7 }, { id: c, size: 8 }] }).expect(200); // prettier-ignore
      const refused = await api.patch('/notes/bulk', { bulk: [{ id: a, size: 9 }, { id: c, title: 'B' }] }); // prettier-ignore

      expect(refused.status).toBe(409);
      expect(await titles('filter=size||gte||7&sort=size,ASC')).toEqual(['a', 'c']);
      expect(await titles('filter=size||eq||9')).toEqual([]);
    });

    test('updates a record with the same unique value', async () => {
      const { body } = await api.post('/notes', { title: 'a', size: 5 }).expect(200);

      expect(body).toMatchObject({ id: await idOf('a'), size: 5, authorId: 1 });
    });

    test('deletes', async () => {
      await api.delete(`/notes/${await idOf('a')}`).expect(200);

      expect(await titles('sort=id,ASC')).toEqual(['B', 'c']);
    });

    test('blames the property that the database refuses', async () => {
      const id = await idOf('c');
      const taken = await api.patch(`/notes/${id}`, { title: 'B' }).expect(409);
      expect(taken.body).toMatchObject({ code: 'CRUD_UNIQUE_VIOLATION', field: 'title' });

      const missing = await api.patch(`/notes/${id}`, { authorId: 99 }).expect(409);
      expect(missing.body).toMatchObject({ code: 'CRUD_FOREIGN_KEY_VIOLATION' });
    });
  });
});
