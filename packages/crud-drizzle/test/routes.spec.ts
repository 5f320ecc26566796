/** A table of Drizzle as a resource, over HTTP, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, Inject, Injectable } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Crud, type CrudRequest } from '@nestwright/crud';
import { eq } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { type Api, start, stopAll } from '../../crud/test/support/application.js';
import { type ChangeContext, DrizzleCrudService, modelOf } from '../src/index.js';
import { openShop, type OpenShop } from './shop.js';

type Author = OpenShop['authors']['$inferSelect'] & { notes?: Note[] };
type Note = OpenShop['notes']['$inferSelect'] & { author?: Author | null };

describeDatabases('tables of Drizzle', (db) => {
  let shop: OpenShop;
  let api: Api;
  const committed: unknown[] = [];

  beforeAll(async () => {
    shop = await openShop(db);
    const { notes, authors } = shop;

    @Injectable()
    class NotesService extends DrizzleCrudService<typeof notes> {
      constructor(@Inject('DB') database: OpenShop['db']) {
        super(database, notes, { deletedAt: 'deletedAt', version: 'version', createdAt: 'createdAt' });
      }

      override async afterChange(change: { kind: string; record: { id?: unknown } }, context: ChangeContext) {
        // In the transaction of the write.
        const manager = context.manager as NodePgDatabase;
        const rows = await manager
          .select()
          .from(notes)
          .where(eq(notes.id, change.record.id as number));
        if (change.kind === 'create') expect(rows).toHaveLength(1);
      }

      override afterCommit(changes: readonly { kind: string }[]) {
        committed.push(...changes.map(({ kind }) => kind));

        return Promise.resolve();
      }
    }

    @Injectable()
    class AuthorsService extends DrizzleCrudService<typeof authors> {
      constructor(@Inject('DB') database: OpenShop['db']) {
        super(database, authors);
      }

      async createTwo(request: CrudRequest, fails: boolean) {
        return this.transaction(async (manager) => {
          await this.within(manager).createOne(request, { name: 'One' });
          if (fails) throw new Error('undone');
          await this.within(manager).createOne(request, { name: 'Two' });
        });
      }
    }

    @Crud({
      model: { type: modelOf<Note>(notes, 'Note') },
      query: {
        softDelete: true,
        cursor: true,
        etag: true,
        export: { formats: ['ndjson', 'csv'] },
        join: { author: {} },
        aggregate: { groupBy: ['mood', 'author.name'], functions: { '*': ['count'], price: ['sum'] } },
      },
      routes: {
        updateManyBase: { byCondition: true },
        deleteManyBase: true,
        aggregateBase: true,
        countBase: true,
        createManyBase: { onConflict: ['title'] },
      },
      validation: false,
    })
    @Controller('notes')
    class NotesController {
      constructor(readonly service: NotesService) {}
    }

    @Crud({ model: { type: modelOf<Author>(authors, 'Author') }, query: { join: { notes: {} } }, validation: false })
    @Controller('authors')
    class AuthorsController {
      constructor(readonly service: AuthorsService) {}
    }

    api = await start({
      controllers: [NotesController, AuthorsController],
      providers: [NotesService, AuthorsService, { provide: 'DB', useValue: shop.db }],
    });
  }, 60_000);
  beforeEach(async () => {
    committed.length = 0;
    await shop.run(
      'DELETE FROM notes',
      'DELETE FROM authors',
      "INSERT INTO authors (id, name) VALUES (1, 'Ada'), (2, 'Bo')",
    );
    await api
      .post('/notes/bulk', {
        bulk: [
          {
            title: 'a',
            price: '1.50',
            authorId: 1,
            views: db.kind === 'sqlite' ? 5 : '9007199254740993',
            settings: { a: [1] },
          },
          { title: 'B', isDone: true, mood: 'busy', authorId: 2, day: '2026-01-02' },
          { title: 'c', price: '2.25' },
        ],
      })
      .expect(({ status, body }) => {
        if (status !== 201) throw new Error(JSON.stringify(body));
      });
  });
  afterAll(async () => {
    await stopAll();
    await shop?.close();
  });

  const titles = async (query: string): Promise<string[]> => {
    const { body } = await api.get(`/notes?${query}`).expect(200);

    return ((Array.isArray(body) ? body : (body as { data: unknown }).data) as { title: string }[]).map(
      ({ title }) => title,
    );
  };
  const idOf = async (title: string): Promise<number> => {
    const { body } = await api.get(`/notes?filter=title||eq||${title}`).expect(200);

    return (body as { id: number }[])[0]!.id;
  };

  describe('reading', () => {
    test('has values as Drizzle does, and moments as JSON has them', async () => {
      const { body } = await api.get(`/notes/${await idOf('a')}?join=author`).expect(200);

      expect(body).toMatchObject({
        title: 'a',
        isDone: false,
        mood: 'calm',
        price: db.kind === 'sqlite' ? expect.anything() : '1.50',
        views: db.kind === 'sqlite' ? 5 : '9007199254740993',
        settings: { a: [1] },
        day: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        deletedAt: null,
        changedAt: expect.stringMatching(/^\d{4}-/),
        version: 1,
        author: { id: 1, name: 'Ada' },
      });
    });

    test('lists by conditions, sorts, pages and joins', async () => {
      expect(await titles('filter=author.name||eq||Bo&join=author')).toEqual(['B']);
      expect(await titles('filter=title||contL||b')).toEqual(['B']);
      expect(await titles('filter=isDone||eq||true')).toEqual(['B']);
      expect(await titles('filter=mood||in||busy')).toEqual(['B']);
      expect(await titles('filter=price||gte||2&sort=id,ASC')).toEqual(['c']);
      expect(await titles('sort=title,DESC&limit=2&page=1')).toHaveLength(2);
      const past = '2020-01-01T00:00:00.000Z';
      expect(await titles(`filter=createdAt||gt||${past}&sort=id,ASC`)).toEqual(['a', 'B', 'c']);
      expect(await titles(`filter=createdAt||lt||${past}`)).toEqual([]);
    });

    test('joins lists, and conditions on them', async () => {
      const { body } = await api.get('/authors?join=notes&sort=id,ASC').expect(200);
      expect(body).toEqual([
        { id: 1, name: 'Ada', notes: [expect.objectContaining({ title: 'a' })] },
        { id: 2, name: 'Bo', notes: [expect.objectContaining({ title: 'B' })] },
      ]);
      const found = await api.get('/authors?join=notes&filter=notes.title||eq||B').expect(200);
      expect(found.body).toMatchObject([{ name: 'Bo' }]);
    });

    test('walks by cursor, counts, groups and exports', async () => {
      const first = await api.get('/notes?sort=createdAt,DESC&limit=2&cursor=').expect(200);
      const { next, data } = first.body as { next: string; data: { title: string }[] };
      const second = await api.get(`/notes?sort=createdAt,DESC&limit=2&cursor=${encodeURIComponent(next)}`).expect(200);
      expect(
        [...data, ...(second.body as { data: { title: string }[] }).data].map(({ title }) => title).sort(),
      ).toEqual(['B', 'a', 'c']);
      expect((await api.get('/notes/count').expect(200)).body).toEqual({ count: 3 });
      const groups = await api.get('/notes/aggregate?groupBy=mood&aggregate=count||*').expect(200);
      expect(groups.body).toEqual(
        expect.arrayContaining([
          { mood: 'calm', count: 2 },
          { mood: 'busy', count: 1 },
        ]),
      );
      const file = await api.get('/notes?format=csv&fields=title&sort=title,DESC').expect(200);
      expect((file as { text: string }).text.trim().split(/\r?\n/)).toHaveLength(4);
    });
  });

  test('the description of the API has the columns of the table', () => {
    const { components } = SwaggerModule.createDocument(api.app, new DocumentBuilder().build());
    const schemas = components?.schemas as Record<string, { properties?: Record<string, object>; required?: string[] }>;
    const [name] = Object.keys(schemas).filter((one) => /^Note/.test(one) && schemas[one]!.properties?.['authorId']);

    expect(schemas[name!]!.properties).toMatchObject({
      id: { type: 'integer' },
      title: { type: 'string' },
      isDone: { type: 'boolean' },
      createdAt: { type: 'string', format: 'date-time' },
    });
    expect(JSON.stringify(schemas)).toContain('"enum":["calm","busy"]');
  });

  describe('writing', () => {
    test('changes one, unless somebody else has', async () => {
      const id = await idOf('a');
      const changed = await api.patch(`/notes/${id}`, { title: 'z', authorId: 2, version: 1 }).expect(200);
      expect(changed.body).toMatchObject({
        id,
        title: 'z',
        authorId: 2,
        version: 2,
        price: (changed.body as { price: unknown }).price,
      });
      const stale = await api.patch(`/notes/${id}`, { title: 'y', version: 1 });
      expect(stale.status).toBe(409);
      expect(committed).toContain('update');
      const [row] = await (shop.db as NodePgDatabase).select().from(shop.notes).where(eq(shop.notes.id, id));
      expect(Math.abs(row!.changedAt!.getTime() - Date.now())).toBeLessThan(20_000);
    });

    test.each([['true story'], ['123'], [123], [null], [{ a: ['"'] }], [[1, null]], [false]])(
      'the document %j is read as it was written',
      async (settings) => {
        const { body } = await api.post('/notes/bulk', { bulk: [{ title: 'document', settings }] }).expect(201);
        const { id } = (body as { id: number }[])[0]!;
        expect((await api.get(`/notes/${id}`).expect(200)).body).toMatchObject({ settings });
      },
    );

    test('deletes and recovers', async () => {
      const id = await idOf('a');
      const began = Date.now();
      await api.delete(`/notes/${id}`).expect(200);
      await api.get(`/notes/${id}`).expect(404);
      const [row] = await (shop.db as NodePgDatabase).select().from(shop.notes).where(eq(shop.notes.id, id));
      expect(Math.abs(row!.deletedAt!.getTime() - began)).toBeLessThan(20_000);
      await api.patch(`/notes/${id}/recover`).expect(200);
      await api.get(`/notes/${id}`).expect(200);
    });

    test('changes many together, or none of them', async () => {
      const [a, c] = [await idOf('a'), await idOf('c')];
      await api.patch('/notes/bulk', { bulk: [{ id: a, mood: 'busy' }, { id: c, mood: 'busy' }] }).expect(200); // prettier-ignore
      const refused = await api.patch('/notes/bulk', { bulk: [{ id: a, title: 'n' }, { id: c, title: 'B' }] }); // prettier-ignore
      expect(refused.status).toBe(409);
      expect(await titles('filter=mood||eq||busy&sort=id,ASC')).toEqual(['a', 'B', 'c']);
    });

    test('updates what has the same unique value', async () => {
      await api.post('/notes/bulk', { bulk: [{ title: 'a', isDone: true }] }).expect(200);
      expect(await titles('filter=isDone||eq||true&sort=id,ASC')).toEqual(['a', 'B']);
    });

    test('blames the property that the database refuses', async () => {
      const id = await idOf('c');
      expect((await api.patch(`/notes/${id}`, { title: 'B' }).expect(409)).body).toMatchObject({
        code: 'CRUD_UNIQUE_VIOLATION',
        field: 'title',
      });
      expect((await api.patch(`/notes/${id}`, { authorId: 99 }).expect(409)).body).toMatchObject({
        code: 'CRUD_FOREIGN_KEY_VIOLATION',
      });
    });
  });
});
