/** Services in transactions of their own and of Drizzle, on each driver; bodies that are validated by the table alone. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Body, Controller, Injectable, Post, UseInterceptors } from '@nestjs/common';
import { Crud, type CrudRequest, CrudRequestInterceptor, ParsedRequest } from '@nestwright/crud';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { type Api, start, stopAll } from '../../crud/test/support/application.js';
import { type ChangeContext, DrizzleCrudService, modelOf } from '../src/index.js';
import type { DriverName } from './dialects.js';
import { openShop, type OpenShop } from './shop.js';

type Row = OpenShop['notes']['$inferSelect'];

function describeDriver(title: string, open: () => Promise<OpenShop>, isSync = false): void {
  describe(title, () => {
    let shop: OpenShop;
    let api: Api;
    let committed: unknown[] = [];

    beforeAll(async () => {
      shop = await open();
      const { notes } = shop;

      @Injectable()
      class NotesService extends DrizzleCrudService<typeof notes> {
        constructor() {
          super(shop.db, notes, { version: 'version' });
        }

        override async afterChange({ record }: { record: object }, { manager }: ChangeContext) {
          const { title } = record as Row;
          if (title === 'clash') await (manager as NodePgDatabase).insert(notes).values({ title });
        }

        override afterCommit(changes: readonly { record: object }[]) {
          committed.push(...changes.map(({ record }) => (record as Row).title));
          return Promise.resolve();
        }
      }

      @Crud({ model: { type: modelOf(notes, 'Note') } })
      @Controller('notes')
      class NotesController {
        constructor(readonly service: NotesService) {}

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
            await (manager as NodePgDatabase)
              .execute('SELECT pg_terminate_backend(pg_backend_pid())')
              .catch(() => undefined);
            await new Promise((resolve) => setTimeout(resolve, 50));
            await (manager as NodePgDatabase).execute('SELECT 1');
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

      api = await start({ controllers: [NotesController], providers: [NotesService] });
    }, 60_000);
    beforeEach(async () => {
      committed = [];
      await shop.run('DELETE FROM notes');
    });
    afterAll(async () => {
      await stopAll();
      await shop?.close();
    });

    const titles = async () =>
      ((await api.get('/notes?sort=title,ASC').expect(200)).body as Row[]).map(({ title }) => title);

    test('the service commits all, or nothing', async () => {
      await api.post('/notes/two', {}).expect(201);
      expect(await titles()).toEqual(['one', 'two']);
      expect(committed).toEqual(['one', 'two']);
      await shop.run('DELETE FROM notes');
      await api.post('/notes/two', { fails: true }).expect(500);
      expect(await titles()).toEqual([]);
      expect(committed).toHaveLength(2);
    });

    // A driver whose statements run at once has transactions of functions that return at once.
    if (!isSync) {
      test('the service joins a transaction of Drizzle', async () => {
        await api.post('/notes/both', {}).expect(201);
        expect(await titles()).toEqual(['by Drizzle', 'by the service']);
        await shop.run('DELETE FROM notes');
        await api.post('/notes/both', { fails: true }).expect(500);
        expect(await titles()).toEqual([]);
      });
    }

    test('what the database refuses of a hook is told as that of the library, and undoes all', async () => {
      expect((await api.post('/notes', { title: 'clash' })).body).toMatchObject({
        statusCode: 409,
        code: 'CRUD_UNIQUE_VIOLATION',
      });
      expect(await titles()).toEqual([]);
    });

    test('bodies are held to what the columns store', async () => {
      await api.post('/notes', { title: 'x'.repeat(41) }).expect(400);
      const wrong = {
        title: { isDone: true },
        mood: { title: 'x', mood: 'sad' },
        isDone: { title: 'x', isDone: 'maybe' },
      };
      for (const [field, body] of Object.entries(wrong))
        expect((await api.post('/notes', body)).body).toMatchObject({ statusCode: 400, field });
      const { body } = await api.post('/notes', { title: 'x', isDone: true, unknown: 1 }).expect(201);
      expect(body).toMatchObject({ title: 'x', isDone: true, mood: 'calm', version: 1 });
      expect(body).not.toHaveProperty('unknown');
      expect(await titles()).toEqual(['x']);
    });

    if (title === 'node-postgres') {
      test('a connection that is lost in a transaction ends that alone', async () => {
        expect((await api.post('/notes/lost', {})).status).toBeGreaterThanOrEqual(500);
        await api.post('/notes', { title: 'after' }).expect(201);
        expect(await titles()).toEqual(['after']);
      });
    }

    test('two writers of one record: the second is told', async () => {
      const { body } = await api.post('/notes', { title: 'x' }).expect(201);
      const { id } = body as Row;
      const answers = await Promise.all(
        [1, 2, 3].map((n) => api.patch(`/notes/${id}`, { title: `x${n}`, version: 1 })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    });
  });
}

describeDatabases('transactions', (db) => {
  const drivers: DriverName[] =
    db.kind === 'postgres' ? ['node-postgres', 'postgres.js'] : [db.kind === 'mysql' ? 'mysql2' : 'sql.js'];
  for (const driver of drivers) describeDriver(driver, () => openShop(db, driver), driver === 'sql.js');
});

describeDriver('PGlite', () => openShop({ kind: 'postgres', url: '' }, 'PGlite'));
