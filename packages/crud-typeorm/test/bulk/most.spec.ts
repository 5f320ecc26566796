/** As many records as `maxBulk` allows by default, each with a composite key → every route of many records writes them, on each database. */
import { expect, test } from '@jest/globals';
import { Column, DeleteDateColumn, Entity, PrimaryColumn, Unique } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, type ResourceOptions } from '../support/resources.js';
import { serving } from '../support/serving.js';

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

const options: ResourceOptions<Cell> = {
  params: {
    row: { field: 'row', type: 'number', primary: true },
    place: { field: 'place', type: 'number', primary: true },
  },
  query: { softDelete: true },
  routes: {
    createManyBase: { onConflict: ['sheet', 'address'] },
    updateManyBase: true,
    replaceManyBase: true,
    deleteManyBase: true,
    recoverManyBase: true,
  },
};
const cells = resource(Cell, 'cells', options);
const plain = resource(Cell, 'plain', { ...options, routes: {} });

describeDatabases('the most records of one request', (db) => {
  const app = serving(db, [Cell], [cells, plain], { platform: 'fastify' });

  const bulkOf = (values: (index: number) => object) => ({
    bulk: Array.from({ length: COUNT }, (_, index) => ({ row: index % 2, place: index, ...values(index) })),
  });
  const whole = (value: number) => (index: number) => ({ sheet: index % 3, address: index, value });
  const stored = async () => [
    await app.source.getRepository(Cell).countBy({}),
    (await app.source.getRepository(Cell).findOneBy({ row: 1, place: COUNT - 1 }))?.value,
  ];
  const sevenths = (index: number) => ({ value: index % 7 });
  const keys = bulkOf(() => ({}));

  // Each continues with the records that the one before it left.
  test.each<[string, number, () => Promise<{ status: number; body: unknown }>, (number | undefined)[]]>([
    ['POST', 201, () => app.api.post('/plain/bulk', bulkOf(whole(1))), [COUNT, 1]],
    ['POST with onConflict', 200, () => app.api.post('/cells/bulk', bulkOf(whole(2))), [COUNT, 2]],
    ['PATCH', 200, () => app.api.patch('/cells/bulk', bulkOf(sevenths)), [COUNT, (COUNT - 1) % 7]],
    ['PUT', 200, () => app.api.put('/cells/bulk', bulkOf(whole(4))), [COUNT, 4]],
    ['DELETE', 200, () => app.api.delete('/cells/bulk').send(keys), [0, undefined]],
    ['recover', 200, () => app.api.patch('/cells/bulk/recover', keys), [COUNT, 4]],
  ])(
    '%s',
    async (_, status, send, left) => {
      const answer = await send();

      expect([answer.status, JSON.stringify(answer.body).slice(0, 300)]).toEqual([status, expect.any(String)]);
      expect(await stored()).toEqual(left);
    },
    120_000,
  );

  test('POST takes no more, unless its options say otherwise', async () => {
    const { bulk } = bulkOf(whole(1));

    expect((await app.api.post('/plain/bulk', { bulk: [...bulk, bulk[0]] }).expect(400)).body).toMatchObject({
      code: 'CRUD_LIMIT_EXCEEDED',
    });
  });
});
