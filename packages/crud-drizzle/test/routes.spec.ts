/** A table of Drizzle as a resource, over HTTP, on each database. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Controller, Inject, Injectable } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Crud } from '@nestwright/crud';
import { eq } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { type Api, start, stopAll } from '../../crud/test/support/application.js';
import { type ChangeContext, DrizzleCrudService, modelOf } from '../src/index.js';
import { openShop, type OpenShop } from './shop.js';

type Note = OpenShop['notes']['$inferSelect'] & { author?: OpenShop['authors']['$inferSelect'] | null };

describeDatabases('tables of Drizzle', (db) => {
  let shop: OpenShop;
  let api: Api;
  const committed: unknown[] = [];

  beforeAll(async () => {
    shop = await openShop(db);
    const { notes } = shop;

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

    @Crud({
      model: { type: modelOf<Note>(notes, 'Note') },
      query: { softDelete: true, join: { author: {} } },
      validation: false,
    })
    @Controller('notes')
    class NotesController {
      constructor(readonly service: NotesService) {}
    }

    api = await start({
      controllers: [NotesController],
      providers: [NotesService, { provide: 'DB', useValue: shop.db }],
    });
  }, 60_000);
  beforeEach(async () => {
    committed.length = 0;
    await shop.run('DELETE FROM notes', 'DELETE FROM authors', "INSERT INTO authors VALUES (1, 'Ada'), (2, 'Bo')");
  });
  afterAll(async () => {
    await stopAll();
    await shop?.close();
  });

  const create = async (note: object): Promise<number> => {
    const { body } = await api.post('/notes', note).expect(201);
    return (body as Note).id;
  };
  const stored = async (id: number) => {
    const [row] = await (shop.db as NodePgDatabase).select().from(shop.notes).where(eq(shop.notes.id, id));
    return row!;
  };
  const isNow = (date: Date | null) => Math.abs(date!.getTime() - Date.now()) < 20_000;

  test('values are as Drizzle has them, and moments as JSON has them', async () => {
    const wide = db.kind === 'sqlite' ? 5 : '9007199254740993';
    const id = await create({ title: 'a', price: '1.50', authorId: 1, views: wide, settings: { a: [1] } });
    const { body } = await api.get(`/notes/${id}?join=author`).expect(200);

    expect(body).toMatchObject({
      title: 'a',
      isDone: false,
      mood: 'calm',
      price: db.kind === 'sqlite' ? expect.anything() : '1.50',
      views: wide,
      settings: { a: [1] },
      day: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      deletedAt: null,
      changedAt: expect.stringMatching(/^\d{4}-/),
      version: 1,
      author: { id: 1, name: 'Ada' },
    });
  });

  test('the description of the API has the columns of the table', () => {
    const { components } = SwaggerModule.createDocument(api.app, new DocumentBuilder().build());
    const schemas = components?.schemas as Record<string, { properties?: Record<string, object> }>;

    expect(Object.values(schemas).find(({ properties }) => properties?.['authorId'])).toMatchObject({
      properties: {
        id: { type: 'integer' },
        title: { type: 'string' },
        isDone: { type: 'boolean' },
        createdAt: { type: 'string', format: 'date-time' },
      },
    });
    expect(JSON.stringify(schemas)).toContain('"enum":["calm","busy"]');
  });

  test('a change is refused if somebody else was first, and sets what Drizzle sets at an update', async () => {
    const id = await create({ title: 'a' });
    const changed = await api.patch(`/notes/${id}`, { title: 'z', authorId: 2, version: 1 }).expect(200);
    expect(changed.body).toMatchObject({ id, title: 'z', authorId: 2, version: 2 });
    await api.patch(`/notes/${id}`, { title: 'y', version: 1 }).expect(409);
    expect(committed).toEqual(['create', 'update']);
    expect(isNow((await stored(id)).changedAt)).toBe(true);
  });

  test.each([['true story'], ['123'], [123], [null], [{ a: ['"'] }], [[1, null]], [false]])(
    'the document %j is read as it was written',
    async (settings) => {
      const id = await create({ title: 'document', settings });
      expect((await api.get(`/notes/${id}`).expect(200)).body).toMatchObject({ settings });
    },
  );

  test('what is deleted has the present as its moment, and comes back', async () => {
    const id = await create({ title: 'a' });
    await api.delete(`/notes/${id}`).expect(200);
    await api.get(`/notes/${id}`).expect(404);
    expect(isNow((await stored(id)).deletedAt)).toBe(true);
    await api.patch(`/notes/${id}/recover`).expect(200);
    await api.get(`/notes/${id}`).expect(200);
  });
});
