/** Requests of many records that reach for what is not theirs, or race → nothing beyond scope and reach is written, no key hides behind a path, and no racer is refused. */
import { beforeEach, expect, test } from '@jest/globals';
import { Column, Entity, ManyToOne, PrimaryColumn, type Relation, VersionColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('guarded_boards')
class Board {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'int' }) tenant!: number;
}

@Entity('guarded_cards')
class Card {
  @PrimaryColumn({ type: 'varchar', length: 10 }) id!: string;
  @Column({ type: 'varchar', length: 10, unique: true }) code!: string;
  @Column({ type: 'int', default: 0 }) points!: number;
  @Column({ type: 'int' }) tenant!: number;
  @ManyToOne(() => Board, { nullable: true }) board!: Relation<Board> | null;
  @VersionColumn() version!: number;
}

const params = { id: { field: 'id', type: 'string', primary: true } } as const;

const cards = resource(Card, 'cards', {
  params,
  query: { join: { board: { eager: true } } },
  routes: {
    createOneBase: { onConflict: ['code'] },
    createManyBase: { onConflict: ['code'] },
    updateManyBase: { byCondition: true },
    replaceManyBase: true,
    deleteManyBase: { byCondition: true },
  },
  auth: { filter: () => ({ tenant: 1 }), relations: { board: () => ({ tenant: 1 }) } },
});

const free = resource(Card, 'free', { params, routes: { updateManyBase: true } });

interface Refusal {
  readonly code: string;
  readonly message: unknown;
}

describeDatabases('many records, guarded', (db) => {
  const app = serving(db, [Board, Card], [cards, free]);

  // a, b, c are of tenant 1, x of tenant 2, and so are boards 1 and 2; c is on a board out of reach.
  beforeEach(async () => {
    await app.source.getRepository(Card).createQueryBuilder().delete().execute();
    await app.source.getRepository(Board).createQueryBuilder().delete().execute();
    await app.source.getRepository(Board).insert([1, 2].map((id) => ({ id, tenant: id })));
    const stored = (id: string) => ({ id, code: id, tenant: id === 'x' ? 2 : 1, board: { id: id === 'c' ? 2 : 1 } });
    await app.source.getRepository(Card).insert(['a', 'b', 'c', 'x'].map(stored));
  });

  const rows = () => app.source.getRepository(Card).find({ order: { id: 'ASC' }, relations: { board: true } });

  const ours = { points: 1, tenant: 1 };

  /** A bulk whose second item is this one. */
  const bulkWith = (item: object, first: object = { id: 'q', code: 'q', ...ours }) => ({ bulk: [first, item] });

  test.each([
    ['PATCH', 'patch', '/cards/bulk', bulkWith({ id: 'b', board: 2 }, { id: 'a', points: 1 })],
    ['PUT', 'put', '/cards/bulk', bulkWith({ id: 'b', code: 'b', ...ours, board: { id: 2 } })],
    ['PUT that creates', 'put', '/cards/bulk', { bulk: [{ id: 'n', code: 'n', ...ours, board: 2 }] }],
    ['PATCH by condition', 'patch', '/cards/bulk?filter=code||in||a,b', { set: { board: 2 } }],
    ['upsert', 'post', '/cards', { id: 'q', code: 'a', ...ours, board: 2 }],
    ['upsert in bulk', 'post', '/cards/bulk', bulkWith({ id: 'r', code: 'a', ...ours, board: 2 })],
    ['upsert out of scope', 'post', '/cards', { id: 'q', code: 'a', points: 1, tenant: 2 }],
  ] as const)('%s leads to no record out of reach', async (_, method, path, sent) => {
    const before = await rows();
    const { status, body } = await app.api[method](path, sent);

    expect([status, (body as Refusal).code]).toEqual([400, 'CRUD_OUT_OF_SCOPE']);
    expect(await rows()).toEqual(before);
  });

  test.each([
    ['PATCH', 404, () => app.api.patch('/cards/bulk', { bulk: [{ id: 'a', points: 1 }, { id: 'x' }] })],
    ['PUT', 404, () => app.api.put('/cards/bulk', { bulk: [{ id: 'x', code: 'x', ...ours }] })],
    ['DELETE', 404, () => app.api.delete('/cards/bulk').send({ bulk: [{ id: 'a' }, { id: 'x' }] })],
    ['upsert', 409, () => app.api.post('/cards', { id: 'q', code: 'x', ...ours })],
    ['upsert in bulk', 409, () => app.api.post('/cards/bulk', bulkWith({ id: 'x', code: 'x', ...ours }))],
  ])('%s tells nothing of a record out of scope', async (_, expected, send) => {
    const before = await rows();
    const { status, text } = await send();

    expect(status).toBe(expected);
    expect(text).not.toContain('tenant');
    expect(await rows()).toEqual(before);
  });

  test('conditions neither match nor tell of what is out of scope or reach', async () => {
    const affected = async (query: string) =>
      (await app.api.patch(`/cards/bulk?${query}`, { set: {} }).expect(200)).body as unknown;

    expect(await affected('filter=code||eq||x')).toEqual({ affected: 0 });
    expect(await affected('filter=board.id||eq||2')).toEqual({ affected: 0 });
    expect(await affected('filter=tenant||eq||2&or=code||eq||a')).toEqual({ affected: 1 });
    await app.api.delete('/cards/bulk?filter=code||in||a,x').expect(200, { affected: 1 });
    expect((await rows()).map(({ id }) => id)).toEqual(['b', 'c', 'x']);
  });

  test('a link that the client cannot see stays through null, in bulk and by condition', async () => {
    await app.api.patch('/cards/bulk', { bulk: ['c', 'b'].map((id) => ({ id, board: null })) }).expect(200);
    await app.api.patch('/cards/bulk?filter=code||in||a,c', { set: { board: null } }).expect(200, { affected: 2 });

    expect((await rows()).map(({ board }) => board?.id ?? null)).toEqual([null, null, 2, 1]);
  });

  test.each(['bulk', 'BULK'])('%s is no key where the routes of many records have that path', async (id) => {
    const refused = [
      await app.api.post('/cards', { id, code: 'k', ...ours }),
      await app.api.post('/cards/bulk', { bulk: [{ id, code: 'k', ...ours }] }),
      await app.api.put('/cards/bulk', { bulk: [{ id, code: 'k', ...ours }] }),
      await app.api.put(`/free/${id}`, { code: 'k', ...ours }),
    ];

    const said = expect.stringContaining(`must not be ${id}`);
    for (const { status, body } of refused) expect([status, String((body as Refusal).message)]).toEqual([400, said]);
    expect(await rows()).toHaveLength(4);
  });

  test('racing bulks over the same records, in whatever order, are all written', async () => {
    const keys = ['a', 'b', 'c'];
    const racers = [0, 1, 2, 3, 4].map((racer) => {
      const bulk = (racer % 2 ? keys : [...keys].reverse()).map((id) => ({ id, points: racer + 1 }));

      return app.api.patch('/cards/bulk', { bulk });
    });
    racers.push(app.api.patch('/cards/bulk?filter=code||in||c,b,a', { set: { points: 9 } }));

    expect((await Promise.all(racers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const written = (await rows()).filter(({ id }) => id !== 'x');
    expect(written.map(({ version }) => version)).toEqual([7, 7, 7]);
    expect(new Set(written.map(({ points }) => points)).size).toBe(1);
  });
});
