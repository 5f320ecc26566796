/** As many records as `maxBulk` allows by default, each with a composite key → every route of many records writes them, on each database. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type INestApplication } from '@nestjs/common';
import { type Change } from '@nestwright/crud';
import { Column, DataSource, DeleteDateColumn, Entity, PrimaryColumn, Unique } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Api } from '../../../crud/test/support/application.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { resource, serve } from '../support/resources.js';

const COUNT = 1000;

@Entity('bulk_cells')
@Unique(['sheet', 'address'])
class Cell {
  @PrimaryColumn({ type: 'int' }) row!: number;
  @PrimaryColumn({ type: 'int' }) place!: number;
  @Column({ type: 'int' }) sheet!: number;
  @Column({ type: 'int' }) address!: number;
  @Column({ type: 'int', nullable: true }) value!: number | null;
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
}

class HookedCells extends TypeOrmCrudService<Cell> {
  static told: (kind: string, record: Cell) => void = () => undefined;

  override afterChange({ kind, record }: Change<Cell>): void {
    HookedCells.told(kind, record);
  }
}

const params = {
  row: { field: 'row', type: 'number', primary: true },
  place: { field: 'place', type: 'number', primary: true },
} as const;

const cells = resource(Cell, 'cells', {
  params,
  query: { softDelete: true },
  routes: { updateManyBase: true, replaceManyBase: true, deleteManyBase: true, recoverManyBase: true },
});

const upserts = resource(Cell, 'upserts', { params, routes: { createManyBase: { onConflict: ['sheet', 'address'] } } });

const hooked = resource(Cell, 'hooked', {
  params,
  routes: { createManyBase: { onConflict: ['sheet', 'address'] } },
  service: HookedCells,
});

const hookedCells = resource(Cell, 'hooked-cells', {
  params,
  query: { softDelete: true },
  routes: { updateManyBase: true, replaceManyBase: true, deleteManyBase: true, recoverManyBase: true },
  service: HookedCells,
});

describeDatabases('the most records of one request', (db) => {
  let api: Api;
  let app: INestApplication;
  let source: DataSource;

  beforeAll(async () => {
    ({ api, app, source } = await serve(db, [Cell], [cells, upserts, hooked, hookedCells], { platform: 'fastify' }));
  });

  afterAll(() => app?.close());

  const bulkOf = (values: (index: number) => object, count = COUNT) => ({
    bulk: Array.from({ length: count }, (_, index) => ({ row: index % 2, place: index, ...values(index) })),
  });
  const whole = (value: number) => (index: number) => ({ sheet: index % 3, address: index, value });
  const stored = async () => [
    await source.getRepository(Cell).countBy({}),
    (await source.getRepository(Cell).findOneBy({ row: 1, place: COUNT - 1 }))?.value,
  ];
  const keys = bulkOf(() => ({}));

  // Each continues with the records that the one before it left.
  test.each<[string, number, () => Promise<{ status: number; body: unknown }>, (number | undefined)[]]>([
    ['POST', 201, () => api.post('/cells/bulk', bulkOf(whole(1))), [COUNT, 1]],
    ['POST with onConflict', 200, () => api.post('/upserts/bulk', bulkOf(whole(2))), [COUNT, 2]],
    [
      'PATCH',
      200,
      () =>
        api.patch(
          '/cells/bulk',
          bulkOf((index) => ({ value: index % 7 })),
        ),
      [COUNT, (COUNT - 1) % 7],
    ],
    ['PUT', 200, () => api.put('/cells/bulk', bulkOf(whole(4))), [COUNT, 4]],
    ['DELETE', 200, () => api.delete('/cells/bulk').send(keys), [0, undefined]],
    ['recover', 200, () => api.patch('/cells/bulk/recover', keys), [COUNT, 4]],
  ])(
    '%s',
    async (_, status, send, left) => {
      const answer = await send();

      expect([answer.status, JSON.stringify(answer.body).slice(0, 300)]).toEqual([status, expect.any(String)]);
      expect(await stored()).toEqual(left);
    },
    120_000,
  );

  test('hooks are told of each record of every route', async () => {
    await source.getRepository(Cell).clear();
    const told = new Map<string, number>();
    HookedCells.told = (kind) => void told.set(kind, (told.get(kind) ?? 0) + 1);
    const answers = [
      await api.post('/hooked-cells/bulk', bulkOf(whole(1))),
      await api.patch('/hooked-cells/bulk', bulkOf(() => ({ value: 2 }))), // prettier-ignore
      await api.put('/hooked-cells/bulk', bulkOf(whole(3))),
      await api.delete('/hooked-cells/bulk').send(keys),
      await api.patch('/hooked-cells/bulk/recover', keys),
    ];

    expect(answers.map(({ status }) => status).join()).toBe('201,200,200,200,200');
    expect([...told]).toEqual(['create', 'update', 'replace', 'delete', 'recover'].map((kind) => [kind, COUNT]));
    expect(await stored()).toEqual([COUNT, 3]);
  }, 240_000);

  test('an upsert tells hooks of new and stored records in the order sent', async () => {
    await source.getRepository(Cell).clear();
    const { bulk } = bulkOf((index) => ({ sheet: 1, address: index, value: 5 }));
    const even = bulk.filter((_, index) => index % 2 === 0).map((cell) => ({ ...cell, value: 1 }));
    for (const half of [even.slice(0, COUNT / 4), even.slice(COUNT / 4)]) await source.getRepository(Cell).insert(half);
    const told: [kind: string, address: number][] = [];
    HookedCells.told = (kind, { address }) => void told.push([kind, address]);
    const order = Array.from({ length: COUNT }, (_, index) => (index * 7) % COUNT);
    const { status, body } = await api.post('/hooked/bulk', { bulk: order.map((index) => bulk[index]) });

    expect([status, JSON.stringify(body).slice(0, 300)]).toEqual([201, expect.any(String)]);
    expect(told).toEqual(order.map((index) => [index % 2 === 0 ? 'update' : 'create', index]));
    expect(await source.getRepository(Cell).countBy({ value: 5 })).toBe(COUNT);
  }, 120_000);

  test('one more is refused', async () => {
    const { body } = await api.post('/cells/bulk', bulkOf(whole(1), COUNT + 1)).expect(400);

    expect(body).toMatchObject({ code: 'CRUD_LIMIT_EXCEEDED', field: 'bulk' });
  });
});
