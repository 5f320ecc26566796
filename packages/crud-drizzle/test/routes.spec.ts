/** A table of Drizzle as a resource, over HTTP, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, Inject, Injectable } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Crud } from '@nestwright/crud';
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
  });
});
