/** What a client may reach of tables of Drizzle: nothing beyond `@CrudAuth`, by whatever route. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CanActivate, Controller, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { Crud, CrudAuth } from '@nestwright/crud';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { type Api, start, stopAll } from '../../crud/test/support/application.js';
import { DrizzleCrudService, modelOf } from '../src/index.js';
import { openShop, type OpenShop } from './shop.js';

type Author = OpenShop['authors']['$inferSelect'];
type Note = OpenShop['notes']['$inferSelect'] & { author?: Author | null };

/** Every request acts for the first author. */
@Injectable()
class AsAda implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<{ user: object }>().user = { id: 1 };

    return true;
  }
}

describeDatabases('the scope of tables of Drizzle', (db) => {
  let shop: OpenShop;
  let api: Api;

  beforeAll(async () => {
    shop = await openShop(db);
    const { notes } = shop;

    @Injectable()
    class NotesService extends DrizzleCrudService<typeof notes> {
      constructor() {
        super(shop.db, notes);
      }
    }

    @Crud({
      model: { type: modelOf<Note>(notes, 'Note') },
      query: {
        cursor: true,
        export: { formats: ['ndjson'] },
        join: { author: {} },
        aggregate: { groupBy: ['author.name'], functions: { '*': ['count'] } },
      },
      routes: {
        updateManyBase: { byCondition: true },
        deleteManyBase: { byCondition: true },
        replaceManyBase: {},
        aggregateBase: true,
        countBase: true,
        createOneBase: { onConflict: ['title'] },
      },
    })
    @CrudAuth({
      property: 'user',
      filter: ({ id }: { id: number }) => ({ authorId: id }),
      persist: ({ id }: { id: number }) => ({ authorId: id }),
      relations: { author: ({ id }: { id: number }) => ({ id }) },
    })
    @UseGuards(AsAda)
    @Controller('notes')
    class NotesController {
      constructor(readonly service: NotesService) {}
    }

    api = await start({ controllers: [NotesController], providers: [NotesService, AsAda] });
  }, 60_000);
  beforeEach(() =>
    shop.run(
      'DELETE FROM notes',
      'DELETE FROM authors',
      "INSERT INTO authors (id, name) VALUES (1, 'Ada'), (2, 'Bo')",
      "INSERT INTO notes (id, title, author_id) VALUES (11, 'own', 1), (12, 'also', 1), (21, 'theirs', 2)",
    ),
  );
  afterAll(async () => {
    await stopAll();
    await shop?.close();
  });

  /** The note of another author, as the database has it. */
  const theirs = async () => {
    const { db: database, notes } = shop as unknown as {
      db: { select(): { from(table: object): Promise<Note[]> } };
      notes: object;
    };
    const rows = await database.select().from(notes);

    return rows.filter(({ authorId }) => authorId === 2);
  };

  describe.each([
    '/notes?sort=id,ASC',
    '/notes?filter=authorId||eq||2&sort=id,ASC',
    '/notes?or=id||eq||21&or=id||gt||0&sort=id,ASC',
    `/notes?s=${encodeURIComponent('{"$or":[{"authorId":2},{"id":{"$gt":0}}]}')}&sort=id,ASC`,
    '/notes?limit=5&page=1&sort=id,ASC',
    '/notes?cursor=&limit=5&sort=id,ASC',
    '/notes?join=author&filter=author.name||eq||Bo',
    '/notes?format=ndjson&sort=id,ASC',
    '/notes/aggregate?groupBy=author.name&aggregate=count||*',
    '/notes/count',
  ])('GET %s', (path) => {
    test('shows nothing of others', async () => {
      const { status, text } = (await api.get(path)) as { status: number; text: string };
      expect(status).toBe(200);
      expect(text).not.toMatch(/theirs|Bo|"count":3/);
    });
  });

  test.each<[string, () => Promise<{ status: number }>, number]>([
    ['GET one', async () => api.get('/notes/21'), 404],
    ['PATCH', async () => api.patch('/notes/21', { title: 'mine' }), 404],
    ['PUT', async () => api.put('/notes/21', { title: 'mine' }), 404],
    ['DELETE', async () => api.delete('/notes/21'), 404],
    ['PATCH of many', async () => api.patch('/notes/bulk', { bulk: [{ id: 11, title: 'x' }, { id: 21, title: 'y' }] }), 404], // prettier-ignore
    ['DELETE of many', async () => api.post('/notes/bulk/delete', { bulk: [{ id: 11 }, { id: 21 }] }), 404],
    ['an upsert', async () => api.post('/notes', { title: 'theirs', isDone: true }), 409],
    // `persist` decides.
    ['a link to another author', async () => api.patch('/notes/11', { author: { id: 2 } }), 200],
  ])('%s reaches nothing of others', async (_, send, status) => {
    const before = await theirs();
    expect((await send()).status).toBe(status);
    expect(await theirs()).toEqual(before);
    expect(((await api.get('/notes?sort=id,ASC')).body as Note[]).map(({ title }) => title)).toEqual(['own', 'also']);
  });

  test('writes by a condition change own records alone', async () => {
    const before = await theirs();
    expect((await api.patch('/notes/bulk?filter=id||gt||0', { set: { isDone: true } }).expect(200)).body).toEqual({
      affected: 2,
    });
    expect(await theirs()).toEqual(before);
    await api.delete('/notes/bulk?filter=id||gte||11').expect(200);
    expect(await theirs()).toEqual(before);
  });

  test('a new record is the own, whatever the body says', async () => {
    const { body } = await api.post('/notes', { title: 'new', authorId: 2 }).expect(201);
    expect(body).toMatchObject({ title: 'new', authorId: 1 });
    expect(await theirs()).toHaveLength(1);
  });

  test.each(['id";DROP TABLE notes;--', "title' OR '1'='1", 'constructor', '__proto__', 'author.constructor'])(
    'the name %j reaches no statement',
    async (name) => {
      for (const path of ['filter', 'sort', 'fields', 'join']) {
        const value = { filter: `${name}||eq||1`, sort: `${name},ASC`, fields: name, join: name }[path]!;
        const { status } = (await api.get(`/notes?${path}=${encodeURIComponent(value)}`)) as { status: number };
        expect(status).toBe(400);
      }
      expect(await theirs()).toHaveLength(1);
    },
  );
});
