/** A table of Drizzle as a resource, over HTTP, on each driver: values, bodies validated by the table alone, transactions of services and of Drizzle. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { Crud, type CrudRequest, CrudRequestInterceptor, ParsedRequest } from '@nestwright/crud';
import { eq } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Client } from 'pg';
import { describeDatabases, type TestDatabase } from '../../../integration/test-support/index.js';
import { type Api, start, stopAll } from '../../crud/test/support/application.js';
import { type ChangeContext, DrizzleCrudService, modelOf } from '../src/index.js';
import { knowDatabase } from '../src/drizzle/database.js';
import { openDriver } from '../src/drizzle/drivers.js';
import type { DriverName } from './dialects.js';
import { openShop, type OpenShop } from './shop.js';

type Row = OpenShop['notes']['$inferSelect'];

function describeDriver(driver: DriverName, database: Pick<TestDatabase, 'kind' | 'url'>): void {
  // SQLite's driver reads 64 bits as doubles.
  const isLite = database.kind === 'sqlite';
  const wide = isLite ? 5 : '9007199254740993';
  describe(driver, () => {
    let shop: OpenShop;
    let api: Api;
    let committed: unknown[] = [];
    beforeAll(async () => {
      shop = await openShop(database, driver);
      const { notes } = shop;

      /** The transactions of a hook's manager, whoever has begun the one around them. */
      async function useSavepoints(manager: NodePgDatabase) {
        await manager.transaction(async (inner) => void (await inner.select().from(notes)));
        const undone = manager.transaction(async (inner) => {
          await inner.insert(notes).values({ title: 'undone' });
          inner.rollback();
        });
        await expect(undone).rejects.toThrow('Rollback');
      }

      class NotesService extends DrizzleCrudService<typeof notes> {
        constructor() {
          super(shop.db, notes, { deletedAt: 'deletedAt', version: 'version', createdAt: 'createdAt' });
        }

        override async afterChange({ kind, record }: { kind: string; record: object }, { manager }: ChangeContext) {
          const { id, title } = record as Row;
          // In the transaction of the write.
          const select = () => (manager as NodePgDatabase).select().from(notes).where(eq(notes.id, id));
          if (title !== 'clash' && kind === 'create') expect(await select()).toHaveLength(1);
          if (title === 'one' || title === 'by the service') await useSavepoints(manager as NodePgDatabase);
          if (title === 'clash') await (manager as NodePgDatabase).insert(notes).values({ title });
        }

        override afterCommit(changes: readonly { record: object }[]) {
          committed.push(...changes.map(({ record }) => (record as Row).title));
          return Promise.resolve();
        }
      }

      @Crud({
        model: { type: modelOf<Row & { author?: OpenShop['authors']['$inferSelect'] | null }>(notes, 'Note') },
        query: { softDelete: true, join: { author: {} } },
      })
      @Controller('notes')
      class NotesController {
        readonly service = new NotesService();

        /** Two notes by a transaction of the service. */
        @Post('two')
        @UseInterceptors(CrudRequestInterceptor)
        two(@ParsedRequest() request: CrudRequest, @Body() { fails }: { fails?: boolean }) {
          return this.service.transaction(async (manager) => {
            await this.service.within(manager).createOne(request, { title: 'one' });
            if (fails) throw new Error('undone');
            await this.service.within(manager).createOne(request, { title: 'two' });
          });
        }

        /** Ends the connection of the transaction. */
        @Post('lost')
        lost() {
          return this.service.transaction(async (manager) => {
            const db = manager as NodePgDatabase;
            await db.execute('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
            await new Promise((resolve) => setTimeout(resolve, 50));
            await db.execute('SELECT 1');
          });
        }

        /** A note by the service, and one by Drizzle itself, in a transaction of Drizzle. */
        @Post('both')
        @UseInterceptors(CrudRequestInterceptor)
        both(@ParsedRequest() request: CrudRequest, @Body() { fails }: { fails?: boolean }) {
          return (shop.db as NodePgDatabase).transaction(async (tx) => {
            await this.service.within(tx).createOne(request, { title: 'by the service' });
            await tx.insert(notes).values({ title: 'by Drizzle' });
            if (fails) throw new Error('undone');
          });
        }
      }
      api = await start({ controllers: [NotesController] });
    }, 60_000);
    beforeEach(async () => {
      committed = [];
      await shop.run('DELETE FROM notes', 'DELETE FROM authors', "INSERT INTO authors VALUES (1, 'Ada'), (2, 'Bo')");
    });
    afterAll(async () => {
      await stopAll();
      await shop?.close();
    });

    const titles = async () =>
      ((await api.get('/notes?sort=title,ASC').expect(200)).body as Row[]).map(({ title }) => title);
    const create = async (note: object) => ((await api.post('/notes', note).expect(201)).body as Row).id;
    const stored = async (id: number) => {
      const [row] = await (shop.db as NodePgDatabase).select().from(shop.notes).where(eq(shop.notes.id, id));
      return row!;
    };
    const isNow = (date: Date | null) => Math.abs(date!.getTime() - Date.now()) < 20_000;
    test('values are as Drizzle has them, and moments as JSON has them', async () => {
      const sent = { title: 'a', price: '1.50', authorId: 1, views: wide, settings: { a: [1] } };
      const { body } = await api.get(`/notes/${await create(sent)}?join=author`).expect(200);
      expect(body).toMatchObject({
        ...sent,
        isDone: false,
        mood: 'calm',
        day: null,
        deletedAt: null,
        version: 1,
        author: { id: 1, name: 'Ada' },
        price: isLite ? expect.anything() : '1.50',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        changedAt: expect.stringMatching(/^\d{4}-/),
      });
      for (const settings of ['true story', '123', 123, null, [{ a: ['"'] }], [[1, null]], false]) {
        const id = await create({ title: `document ${JSON.stringify(settings)}`, settings });
        expect((await api.get(`/notes/${id}`).expect(200)).body).toMatchObject({ settings });
      }
    });

    test('a change sets what Drizzle sets at an update', async () => {
      const id = await create({ title: 'a' });
      const { body } = await api.patch(`/notes/${id}`, { title: 'z', authorId: 2, version: 1 }).expect(200);
      expect(body).toMatchObject({ id, title: 'z', authorId: 2, version: 2 });
      expect([committed, isNow((await stored(id)).changedAt)]).toEqual([['a', 'z'], true]);
      await api.delete(`/notes/${id}`).expect(200);
      expect(isNow((await stored(id)).deletedAt)).toBe(true);
    });

    // A driver whose statements run at once has transactions of functions that return at once.
    test.each([
      ['the service', 'two', ['one', 'two'], ['one', 'two']],
      ...(isLite ? [] : [['Drizzle, which the service joins,', 'both', ['by Drizzle', 'by the service'], []] as const]),
    ])('a transaction of %s commits all, or nothing', async (_, path, stored, told) => {
      await api.post(`/notes/${path}`, {}).expect(201);
      expect([await titles(), committed]).toEqual([stored, told]);
      await shop.run('DELETE FROM notes');
      await api.post(`/notes/${path}`, { fails: true }).expect(500);
      expect([await titles(), committed]).toEqual([[], told]);
    });

    test('what the database refuses of a hook is told as that of the library, and undoes all', async () => {
      const refusal = { statusCode: 409, code: 'CRUD_UNIQUE_VIOLATION' };
      expect((await api.post('/notes', { title: 'clash' })).body).toMatchObject(refusal);
      expect(await titles()).toEqual([]);
    });

    test('bodies are held to what the columns store', async () => {
      await api.post('/notes', { title: 'x'.repeat(41) }).expect(400);
      const [title, mood, isDone] = [{ isDone: true }, { title: 'x', mood: 'sad' }, { title: 'x', isDone: 'maybe' }];
      for (const [field, body] of Object.entries({ title, mood, isDone }))
        expect((await api.post('/notes', body)).body).toMatchObject({ statusCode: 400, field });
      const { body } = await api.post('/notes', { title: 'x', isDone: true, unknown: 1 }).expect(201);
      expect(body).toMatchObject({ title: 'x', isDone: true, mood: 'calm', version: 1 });
      expect(body).not.toHaveProperty('unknown');
      expect(await titles()).toEqual(['x']);
    });

    if (database.kind === 'postgres') {
      test('what the driver tells: changed rows, refusals, and days and times as the server has them', async () => {
        const client = await knowDatabase(shop.db).driver.connect();
        const sent = async (sql: string, ...values: unknown[]) => (await client.send(sql, values)).affected;
        expect(await sent("INSERT INTO authors VALUES (3, 'Cy'), (4, $1)", 'Di')).toBe(2);
        expect(await sent('SET TIME ZONE UTC')).toBe(0);
        const refused = sent('INSERT INTO notes (title) VALUES (NULL)');
        await expect(refused).rejects.toMatchObject({ code: '23502', table: 'notes', column: 'title' });
        const clash = sent("INSERT INTO notes (title) VALUES ('x'), ('x')");
        await expect(clash).rejects.toMatchObject({ code: '23505', constraint: 'notes_title_unique' });
        // Without parsers of its own, postgres.js makes dates of them.
        if (driver !== 'postgres.js') {
          const [date, time] = ['2024-02-29', '12:00:00'];
          const types = { date, time, timestamp: `${date} ${time}`, timetz: `${time}+02`, interval: '1 day' };
          const values = Object.entries(types);
          const { rows } = await client.send(`SELECT ${values.map(([type, text]) => `${type} '${text}'`).join()}`, []);
          expect(rows).toEqual([Object.fromEntries(values)]);
        }
        await client.release();
      });
    }

    if (driver === 'node-postgres') {
      test('a connection that is lost in a transaction ends that alone', async () => {
        expect((await api.post('/notes/lost', {})).status).toBeGreaterThanOrEqual(500);
        await api.post('/notes', { title: 'after' }).expect(201);
        expect(await titles()).toEqual(['after']);
      });
    }
  });
}

describeDatabases('tables of Drizzle', (db) => {
  const drivers = { postgres: ['node-postgres', 'postgres.js'], mysql: ['mysql2'], sqlite: ['sql.js'] } as const;
  for (const driver of drivers[db.kind]) describeDriver(driver, db);
});

describeDriver('PGlite', { kind: 'postgres', url: '' });

describeDatabases(
  'pg',
  ({ url }) => {
    test('a client without a pool is shared, and has parsers of its own', async () => {
      const native = new Client({ connectionString: url });
      await native.connect();
      native.setTypeParser(20, Number);
      const driver = openDriver(native, 'postgres');
      const client = await driver.connect();
      expect([driver.isShared, driver.texts]).toEqual([true, undefined]);
      const answer = { rows: [{ wide: 5, whole: 6 }], affected: 1, insertId: undefined };
      expect(await client.send('SELECT 5::int8 AS wide, $1::int4 AS whole', [6])).toEqual(answer);
      await client.release();
      expect(await client.send('SELECT 1 AS one', [])).toMatchObject({ rows: [{ one: 1 }] });
      await native.end();
    });
  },
  ['postgres'],
);
