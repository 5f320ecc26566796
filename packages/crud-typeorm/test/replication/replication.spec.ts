/** A primary and a real replica that follows it, whose replay is held: what is answered from old rows was read from the replica, what is answered from new ones from the primary. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureCrudDatabase } from '@nestwright/crud-typeorm';
import request from 'supertest';
import { Column, DeleteDateColumn, Entity, PrimaryColumn, ViewColumn, ViewEntity } from 'typeorm';
import { FAST_PATHS } from '../../../../integration/test-support/index.js';
import { POSTGRES_PROGRAMS, PrivatePostgres } from '../../../../integration/test-support/private-postgres.js';
import { type Application, resource, serve } from '../support/resources.js';

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

const RESOURCES = [
  resource(Note, 'mine', { auth: { filter: () => ({ owner: 1 }) } }),
  resource(Note, 'notes', { query: { alwaysPaginate: true, softDelete: true } }),
  resource(Note, 'cached', { query: { cache: 600_000 } }),
  resource(SlowNote, 'slow', { params: {}, routes: { only: ['getManyBase'] } }),
];

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
    let served: Application;
    const get = async (path: string) => (await request(served.url).get(path).expect(200)).body;
    const send = async (method: 'post' | 'patch' | 'put' | 'delete', path: string, expected: number, sent?: object) =>
      (await request(served.url)[method](path).send(sent).expect(expected)).body;
    /** Until the replica has what the primary has. */
    const caughtUp = async () => {
      const [row] = await primary.query<{ at: string }>('SELECT pg_current_wal_lsn() AS at');
      for (;;) {
        const [reached] = await replica.query(`SELECT 1 WHERE pg_last_wal_replay_lsn() >= '${row!.at}'`);
        if (reached) return;
        await sleep(20);
      }
    };
    const replay = async () => {
      await replica.query('SELECT pg_wal_replay_resume()');
      await caughtUp();
    };

    beforeAll(async () => {
      const replication = { master: { url: primary.url }, slaves: [{ url: replica.url }] };
      const connection = { type: 'postgres', replication, cache: true } as never;
      served = await serve({ connection }, [Note, SlowNote], RESOURCES);
      configureCrudDatabase(served.source, { fastPaths });
    });
    beforeEach(async () => {
      await primary.query(`TRUNCATE note; TRUNCATE "query-result-cache"`);
      await primary.query(`INSERT INTO note (id, owner, text) VALUES (1, 1, 'old'), (2, 2, 'old'), (3, 1, 'old')`);
      await caughtUp();
      await replica.query('SELECT pg_wal_replay_pause()');
      await primary.query(`UPDATE note SET text = 'new'; INSERT INTO note (id, owner, text) VALUES (4, 1, 'new')`);
    });
    afterEach(() => replica.query('SELECT pg_wal_replay_resume()'));
    afterAll(() => served?.app.close());

    test('lists, totals and records come from the replica, and what is cached is stored on the primary', async () => {
      expect(await get('/notes')).toMatchObject({ total: 3, data: Array(3).fill({ text: 'old' }) });
      expect(await get('/notes/1')).toMatchObject({ text: 'old' });
      await request(served.url).get('/notes/4').expect(404);
      expect(await get('/cached')).toHaveLength(3);
      expect(await primary.query('SELECT count(*)::int AS kept FROM "query-result-cache"')).toEqual([{ kept: 1 }]);
      await replay();
      expect(await get('/notes')).toMatchObject({ total: 4 });
      expect(await get('/notes/4')).toMatchObject({ text: 'new' });
      expect(await get('/cached')).toHaveLength(3);
    });

    test('writes find what only the primary has, in its scope, and answer with what it has stored', async () => {
      const note = { id: 5, owner: 1, text: 'mine' };
      expect(await send('post', '/notes', 201, note)).toMatchObject({ ...note, deletedAt: null });
      const bulk = { bulk: [6, 7].map((id) => ({ id, owner: 1, text: 'many' })) };
      expect(await send('post', '/notes/bulk', 201, bulk)).toMatchObject(bulk.bulk);
      // Record 4 is not on the replica yet: it is replaced, not created.
      expect(await send('put', '/notes/4', 200, { owner: 1, text: 'put' })).toMatchObject({ id: 4, text: 'put' });
      await send('post', '/notes', 409, { id: 4, owner: 1, text: 'again' });
      const stored = { id: 4, owner: 9, text: 'put', deletedAt: null };
      expect(await send('patch', '/notes/4', 200, { owner: 9 })).toEqual(stored);
      await send('delete', '/notes/4', 200);
      await send('patch', '/notes/4', 404, { text: 'gone' });
      expect(await send('patch', '/notes/4/recover', 200)).toEqual(stored);
      await primary.query('UPDATE note SET owner = 3 - owner WHERE id < 3');
      await send('patch', '/mine/1', 404, { text: 'x' });
      expect(await send('patch', '/mine/2', 200, { text: 'x' })).toMatchObject({ id: 2, text: 'x' });
      expect(await send('patch', '/mine/2', 400, { owner: 2 })).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
      expect(await get('/notes')).toMatchObject({ total: 3 });
    });

    test('a read that stands in the way of the replica is repeated', async () => {
      const conflicts = () => replica.query('SELECT sum(confl_lock) AS count FROM pg_stat_database_conflicts');
      const alter = async (change: string) => {
        await replica.query(`ALTER SYSTEM ${change}`);
        await replica.query('SELECT pg_reload_conf()');
      };
      await replay();
      await alter('SET max_standby_streaming_delay = 0');
      const before = await conflicts();
      const read = get('/slow');
      await sleep(150);
      await primary.query('BEGIN; LOCK TABLE note IN ACCESS EXCLUSIVE MODE; COMMIT');
      expect(await read).toHaveLength(4);
      while (JSON.stringify(await conflicts()) === JSON.stringify(before)) await sleep(20);
      await alter('RESET max_standby_streaming_delay');
    });
  });
});
