/** A primary and a real replica that follows it, whose replay is held: what is answered from old rows was read from the replica, what is answered from new ones from the primary. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  type INestApplication,
  Inject,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken, getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud, CrudAuth } from '@nestwright/crud';
import { configureCrudDatabase, TypeOrmCrudService } from '@nestwright/crud-typeorm';
import request from 'supertest';
import {
  Column,
  type DataSource,
  DeleteDateColumn,
  Entity,
  PrimaryColumn,
  type Repository,
  ViewColumn,
  ViewEntity,
} from 'typeorm';
import { FAST_PATHS, listen } from '../../../../integration/test-support/index.js';
import { POSTGRES_PROGRAMS, PrivatePostgres } from '../../../../integration/test-support/private-postgres.js';

@Entity()
class Note {
  @PrimaryColumn() id!: number;
  @Column() owner!: number;
  @Column() text!: string;
  @DeleteDateColumn() deletedAt!: Date | null;
}

/** The notes, read so slowly that the replica's recovery gets in the way. */
@ViewEntity({ expression: 'SELECT id, pg_sleep(0.1) IS NOT NULL AS late FROM note' })
class SlowNote {
  @ViewColumn() id!: number;
  @ViewColumn() late!: boolean;
}

class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<{ user?: { id: number } }>().user = { id: 1 };
    return true;
  }
}

@Crud({ model: { type: Note }, query: { alwaysPaginate: true, softDelete: true } })
@Controller('notes')
class NotesController {
  constructor(readonly service: TypeOrmCrudService<Note>) {}
}

@Crud({ model: { type: Note } })
@CrudAuth({ property: 'user', filter: (user: { id: number }) => ({ owner: user.id }) })
@UseGuards(UserGuard)
@Controller('mine')
class MyNotesController {
  constructor(readonly service: TypeOrmCrudService<Note>) {}
}

@Crud({ model: { type: Note }, query: { cache: 600_000 } })
@Controller('cached')
class CachedController {
  constructor(readonly service: TypeOrmCrudService<Note>) {}
}

@Crud({ model: { type: SlowNote }, params: {}, routes: { only: ['getManyBase'] } })
@Controller('slow')
class SlowController {
  constructor(@Inject('slow') readonly service: TypeOrmCrudService<SlowNote>) {}
}

const suite = POSTGRES_PROGRAMS ? describe : describe.skip;

suite('replication · postgres programs', () => {
  let primary: PrivatePostgres;
  let replica: PrivatePostgres;

  beforeAll(async () => {
    primary = await PrivatePostgres.create();
    replica = await primary.replicate();
  }, 60_000);
  afterAll(async () => {
    await replica?.remove();
    await primary?.remove();
  });

  describe.each(FAST_PATHS)('fastPaths: %p', (fastPaths) => {
    let app: INestApplication;
    let url: string;

    const get = async (path: string) => (await request(url).get(path).expect(200)).body;
    /** Until the replica has what the primary has. */
    const caughtUp = async () => {
      const [row] = await primary.query<{ at: string }>('SELECT pg_current_wal_lsn() AS at');
      for (;;) {
        const [{ done } = { done: false }] = await replica.query<{ done: boolean }>(
          `SELECT pg_last_wal_replay_lsn() >= '${row!.at}' AS done`,
        );
        if (done) return;
        await sleep(20);
      }
    };

    beforeAll(async () => {
      const module = await Test.createTestingModule({
        imports: [
          TypeOrmModule.forRoot({
            type: 'postgres',
            replication: { master: { url: primary.url }, slaves: [{ url: replica.url }] },
            entities: [Note, SlowNote],
            synchronize: true,
            cache: true,
          }),
          TypeOrmModule.forFeature([Note, SlowNote]),
        ],
        controllers: [NotesController, MyNotesController, CachedController, SlowController],
        providers: [
          {
            provide: TypeOrmCrudService,
            useFactory: (notes: Repository<Note>) => new TypeOrmCrudService(notes),
            inject: [getRepositoryToken(Note)],
          },
          {
            provide: 'slow',
            useFactory: (notes: Repository<SlowNote>) => new TypeOrmCrudService(notes),
            inject: [getRepositoryToken(SlowNote)],
          },
        ],
      }).compile();
      configureCrudDatabase(module.get<DataSource>(getDataSourceToken()), { fastPaths });
      ({ app, url } = await listen(module, 'express'));
    });
    beforeEach(async () => {
      await primary.query(`TRUNCATE note; TRUNCATE "query-result-cache"`);
      await primary.query(`INSERT INTO note (id, owner, text) VALUES (1, 1, 'old'), (2, 2, 'old'), (3, 1, 'old')`);
      await caughtUp();
      await replica.query('SELECT pg_wal_replay_pause()');
      await primary.query(`UPDATE note SET text = 'new'; INSERT INTO note (id, owner, text) VALUES (4, 1, 'new')`);
    });
    afterEach(() => replica.query('SELECT pg_wal_replay_resume()'));
    afterAll(() => app?.close());

    test('lists, totals and records come from the replica, and catch up with it', async () => {
      expect(await get('/notes')).toMatchObject({
        total: 3,
        data: [{ text: 'old' }, { text: 'old' }, { text: 'old' }],
      });
      expect(await get('/notes/1')).toMatchObject({ text: 'old' });
      await request(url).get('/notes/4').expect(404);

      await replica.query('SELECT pg_wal_replay_resume()');
      await caughtUp();
      expect(await get('/notes')).toMatchObject({ total: 4 });
      expect(await get('/notes/4')).toMatchObject({ text: 'new' });
    });

    test('POST, bulk POST and PUT answer what the primary has stored', async () => {
      const posted = await request(url).post('/notes').send({ id: 5, owner: 1, text: 'mine' }).expect(201);
      expect(posted.body).toMatchObject({ id: 5, text: 'mine', deletedAt: null });
      const bulk = { bulk: [6, 7].map((id) => ({ id, owner: 1, text: 'many' })) };
      expect((await request(url).post('/notes/bulk').send(bulk).expect(201)).body).toMatchObject(bulk.bulk);
      // Record 4 is not on the replica yet: it is replaced, not created.
      const put = await request(url).put('/notes/4').send({ owner: 1, text: 'put' }).expect(200);
      expect(put.body).toMatchObject({ id: 4, text: 'put' });
      await request(url).post('/notes').send({ id: 4, owner: 1, text: 'again' }).expect(409);
      expect(await get('/notes')).toMatchObject({ total: 3 });
    });

    test('PATCH, DELETE and recover find what only the primary has, and answer with it', async () => {
      expect((await request(url).patch('/notes/4').send({ owner: 9 }).expect(200)).body).toMatchObject({
        id: 4,
        owner: 9,
        text: 'new',
      });
      await request(url).delete('/notes/4').expect(200);
      await request(url).patch('/notes/4').send({ text: 'gone' }).expect(404);
      expect((await request(url).patch('/notes/4/recover').expect(200)).body).toMatchObject({
        id: 4,
        text: 'new',
        deletedAt: null,
      });
      expect(await primary.query('SELECT owner, text, "deletedAt" FROM note WHERE id = 4')).toEqual([
        { owner: 9, text: 'new', deletedAt: null },
      ]);
    });

    test('a scope is checked on the primary', async () => {
      await primary.query('UPDATE note SET owner = 2 WHERE id = 1; UPDATE note SET owner = 1 WHERE id = 2');

      await request(url).patch('/mine/1').send({ text: 'x' }).expect(404);
      expect((await request(url).patch('/mine/2').send({ text: 'x' }).expect(200)).body).toMatchObject({
        id: 2,
        text: 'x',
      });
      expect((await request(url).patch('/mine/2').send({ owner: 2 }).expect(400)).body).toMatchObject({
        code: 'CRUD_OUT_OF_SCOPE',
      });
    });

    test('the cache is stored on the primary', async () => {
      expect(await get('/cached')).toHaveLength(3);
      expect(await primary.query('SELECT count(*)::int AS kept FROM "query-result-cache"')).toEqual([{ kept: 1 }]);
      await replica.query('SELECT pg_wal_replay_resume()');
      await caughtUp();
      expect(await get('/cached')).toHaveLength(3);
    });

    describe('a read that stands in the way of the replica', () => {
      const lockOnPrimary = () => primary.query('BEGIN; LOCK TABLE note IN ACCESS EXCLUSIVE MODE; COMMIT');
      const conflicts = async () => {
        const [row] = await replica.query<{ count: number }>(
          'SELECT sum(confl_lock)::int AS count FROM pg_stat_database_conflicts',
        );
        return row!.count;
      };

      beforeAll(async () => {
        await replica.query('ALTER SYSTEM SET max_standby_streaming_delay = 0');
        await replica.query('SELECT pg_reload_conf()');
      });
      beforeEach(async () => {
        await replica.query('SELECT pg_wal_replay_resume()');
        await caughtUp();
      });
      afterAll(async () => {
        await replica.query('ALTER SYSTEM RESET max_standby_streaming_delay');
        await replica.query('SELECT pg_reload_conf()');
      });

      test('is repeated', async () => {
        const before = await conflicts();
        const read = get('/slow').then((rows: unknown[]) => rows.length);
        await sleep(150);
        await lockOnPrimary();
        expect(await read).toBe(4);
        while ((await conflicts()) === before) await sleep(20);
      });

      test('is a 503 CRUD_UNAVAILABLE that says when to come again, where that does not help', async () => {
        let running = true;
        const read = request(url)
          .get('/slow')
          .then(({ status, body, headers }) => [status, body.code, headers['retry-after']])
          .finally(() => (running = false));
        while (running) {
          await lockOnPrimary();
          await sleep(50);
        }
        expect(await read).toEqual([503, 'CRUD_UNAVAILABLE', '1']);
      });
    });

    test('reads without their replica are a 503, writes go on, and both heal', async () => {
      await replica.query('SELECT pg_wal_replay_resume()');
      await replica.stop();
      try {
        expect((await request(url).get('/notes').expect(503)).body).toMatchObject({ code: 'CRUD_UNAVAILABLE' });
        await request(url).patch('/notes/1').send({ text: 'written' }).expect(200);
      } finally {
        await replica.start();
      }
      await caughtUp();
      expect(await get('/notes/1')).toMatchObject({ text: 'written' });
    });
  });
});
