/** Items in bulk, and the same items one by one → the same rows and answers, or nothing written, on each database. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type INestApplication } from '@nestjs/common';
import {
  BeforeUpdate,
  Column,
  DataSource,
  DeleteDateColumn,
  Entity,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  VersionColumn,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Api } from '../../../crud/test/support/application.js';
import { resource, serve } from '../support/resources.js';

@Entity('bulk_items')
class BulkItem {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20, unique: true }) name!: string;
  @Column({ type: 'int', nullable: true }) age!: number | null;
  @Column({ type: 'int', default: 1 }) tenant!: number;
  @Column({ type: 'int', default: 0 }) heard!: number;
  @VersionColumn() version!: number;
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
  @BeforeUpdate() hear(): void {
    this.heard += 1;
  }
}

@Entity('bulk_seats')
class BulkSeat {
  @PrimaryColumn({ type: 'varchar', length: 10 }) row!: string;
  @PrimaryColumn({ type: 'int' }) place!: number;
  @Column({ type: 'varchar', length: 20, default: 'free' }) state!: string;
  @Column({ type: 'int', nullable: true }) price!: number | null;
}

const itemsResource = resource(BulkItem, 'items', {
  query: { softDelete: true },
  routes: {
    deleteOneBase: { returnDeleted: true },
    updateManyBase: { maxBulk: 20 },
    replaceManyBase: true,
    deleteManyBase: true,
    recoverManyBase: true,
  },
  auth: { filter: () => ({ tenant: 1 }) },
});

const seatsResource = resource(BulkSeat, 'seats', {
  params: {
    row: { field: 'row', type: 'string', primary: true },
    place: { field: 'place', type: 'number', primary: true },
  },
  routes: { updateManyBase: true, replaceManyBase: true, deleteManyBase: true },
});

const plainResource = resource(BulkItem, 'plain');

/** Numbers that are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;

  return (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
}

describeDatabases('writes of many records', (db) => {
  let api: Api;
  let app: INestApplication;
  let source: DataSource;

  beforeAll(async () => {
    const entities = [BulkItem, BulkSeat];
    ({ api, app, source } = await serve(db, entities, [itemsResource, seatsResource, plainResource]));
  });

  afterAll(() => app?.close());

  const items = () => source.getRepository(BulkItem).find({ withDeleted: true, order: { id: 'ASC' } });
  const seats = () => source.getRepository(BulkSeat).find({ order: { row: 'ASC', place: 'ASC' } });
  const plain = (rows: BulkItem[]) => rows.map(({ deletedAt, ...row }) => ({ ...row, deleted: deletedAt !== null }));

  async function fill(): Promise<void> {
    await source.getRepository(BulkItem).clear();
    // TypeORM's inserts leave keys to the sequence.
    if (db.kind === 'postgres') await source.query('TRUNCATE bulk_items RESTART IDENTITY');
    await source.getRepository(BulkSeat).clear();
    const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    await source
      .getRepository(BulkItem)
      .insert(ids.map((id) => ({ id, name: `n${id}`, age: id, tenant: id === 9 ? 2 : 1 })));
    await source
      .getRepository(BulkSeat)
      .insert(['A', 'B'].flatMap((row) => [1, 2, 3].map((place) => ({ row, place, price: place }))));
  }

  beforeEach(fill);

  /** A few random records of eight, in random order. */
  function someOf(random: (below: number) => number): number[] {
    const ids = [1, 2, 3, 4, 5, 6, 7, 8];

    return Array.from({ length: 1 + random(6) }, () => ids.splice(random(ids.length), 1)[0]!);
  }

  function changeOf(id: number, random: (below: number) => number): object {
    return [
      {},
      { age: random(9) },
      { name: `m${id}` },
      { age: null, name: `n${id}` },
      { age: random(9), version: 1, unknown: 1 },
    ][random(5)]!;
  }

  test.each(Array.from({ length: 12 }, (_, seed) => seed + 1))(
    'PATCH in bulk leaves the rows and gives the answers of PATCH one by one (%i)',
    async (seed) => {
      const random = numbers(seed);
      const bulk = someOf(random).map((id) => ({ id, ...changeOf(id, random) }));

      const { body } = await api.patch('/items/bulk', { bulk }).expect(200);
      const together = plain(await items());
      await fill();
      const single: unknown[] = [];
      for (const { id, ...change } of bulk) single.push((await api.patch(`/items/${id}`, change).expect(200)).body);

      expect(body).toEqual(single);
      expect(together).toEqual(plain(await items()));
    },
  );

  test.each([1, 2, 3, 4])('PUT in bulk leaves the rows and gives the answers of PUT one by one (%i)', async (seed) => {
    const random = numbers(seed);
    const bulk = ['A', 'B', 'C'].map((row) => ({
      row,
      place: 1 + random(5),
      ...(random(2) && { price: random(9) }),
    }));

    const { body, status } = await api.put('/seats/bulk', { bulk });
    const together = await seats();
    await fill();
    const single: unknown[] = [];
    const statuses: number[] = [];
    for (const { row, place, ...seat } of bulk) {
      const one = await api.put(`/seats/${row}/${place}`, seat);
      single.push(one.body);
      statuses.push(one.status);
    }

    expect(body).toEqual(single);
    expect(status).toBe(Math.max(...statuses));
    expect(together).toEqual(await seats());
  });

  test.each([1, 2, 3, 4])('DELETE and recovery in bulk do what they do one by one (%i)', async (seed) => {
    const ids = someOf(numbers(seed));
    const bulk = ids.map((id) => ({ id }));

    const deleted = await api.delete('/items/bulk').send({ bulk }).expect(200);
    const together = plain(await items());
    await fill();
    const single: unknown[] = [];
    for (const id of ids) single.push((await api.delete(`/items/${id}`).expect(200)).body);
    expect(deleted.body).toEqual(single);
    expect(together).toEqual(plain(await items()));

    const recovered = await api.patch('/items/bulk/recover', { bulk }).expect(200);
    expect((recovered.body as { id: number }[]).map(({ id }) => id)).toEqual(ids);
    expect(plain(await items()).some(({ deleted: isDeleted }) => isDeleted)).toBe(false);
  });

  test('POST /bulk/delete does what DELETE /bulk does, with composite keys and an empty answer', async () => {
    const bulk = [
      { row: 'B', place: 2 },
      { row: 'A', place: 1 },
    ];
    const { text } = await api.post('/seats/bulk/delete', { bulk }).expect(200);

    expect(text).toBe('');
    expect((await seats()).map(({ row, place }) => `${row}${place}`)).toEqual(['A2', 'A3', 'B1', 'B3']);
  });

  test.each<[title: string, item: unknown, status: number, message?: string]>([
    ['a record that is missing', { id: 99 }, 404, 'bulk.1 BulkItem not found'],
    ['a record out of scope', { id: 9 }, 404, 'bulk.1 BulkItem not found'],
    ['a record named twice', { id: '1' }, 400, 'bulk.1 names the same record as bulk.0'],
    ['an item without a key', { age: 1 }, 400, 'bulk.1.id is required'],
    ['a key of another type', { id: 'x' }, 400],
    ['a value of another type', { id: 2, age: 'x' }, 400],
    ['a name that is taken', { id: 2, name: 'n3' }, 409, 'bulk.1.name already exists'],
    ['a stale version', { id: 2, version: 7 }, 409],
    ['a change that leaves the scope', { id: 2, tenant: 2 }, 400],
    ['an item that is no record', 5, 400, 'bulk.1 must be an object'],
  ])('%s refuses the whole bulk', async (_, item, ...[status, message]) => {
    const before = plain(await items());
    const { body } = await api.patch('/items/bulk', { bulk: [{ id: 1, age: 77 }, item] }).expect(status);

    if (message) expect([(body as { message: unknown }).message].flat()).toEqual([message]);
    expect((body as { code: string }).code).toMatch(/^CRUD_/);
    expect(plain(await items())).toEqual(before);
  });

  test('If-Match is refused for many records', async () => {
    const { body } = await api
      .patch('/items/bulk', { bulk: [{ id: 1 }] })
      .set('If-Match', '"x"')
      .expect(400);

    expect(body).toMatchObject({ code: 'CRUD_INVALID_QUERY', field: 'If-Match' });
  });

  test('the routes are there only where the options name them', async () => {
    await api.patch('/plain/bulk', { bulk: [{ id: 1 }] }).expect(400);
    await api.post('/plain/bulk/delete', { bulk: [{ id: 1 }] }).expect(404);
    await api.patch('/seats/bulk/recover', { bulk: [] }).expect((response) => expect(response.status).not.toBe(200));
  });

  test('createManyBase takes at most a thousand records unless its options say otherwise', async () => {
    const bulk = Array.from({ length: 1001 }, (_, index) => ({ name: `x${index}` }));

    expect((await api.post('/items/bulk', { bulk }).expect(400)).body).toMatchObject({ code: 'CRUD_LIMIT_EXCEEDED' });
  });
});
