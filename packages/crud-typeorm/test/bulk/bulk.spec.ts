/** Items in bulk, and the same items one by one → the same rows and answers, or nothing written, on each database. */
import { beforeEach, expect, test } from '@jest/globals';
import { BeforeUpdate, Column, DeleteDateColumn, Entity, PrimaryGeneratedColumn, VersionColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

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

const itemsResource = resource(BulkItem, 'items', {
  query: { softDelete: true },
  routes: {
    deleteOneBase: { returnDeleted: true },
    updateManyBase: { maxBulk: 20 },
    deleteManyBase: true,
    recoverManyBase: true,
  },
  auth: { filter: () => ({ tenant: 1 }) },
});

/** Numbers that are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;

  return (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
}

describeDatabases('writes of many records', (db) => {
  const app = serving(db, [BulkItem], [itemsResource]);
  const items = () => app.source.getRepository(BulkItem).find({ withDeleted: true, order: { id: 'ASC' } });
  const plain = (rows: BulkItem[]) => rows.map(({ deletedAt, ...row }) => ({ ...row, deleted: deletedAt !== null }));

  async function fill(): Promise<void> {
    await app.source.getRepository(BulkItem).clear();
    // TypeORM's inserts leave keys to the sequence.
    if (db.kind === 'postgres') await app.source.query('TRUNCATE bulk_items RESTART IDENTITY');
    const records = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => ({
      id,
      name: `n${id}`,
      age: id,
      tenant: id === 9 ? 2 : 1,
    }));
    await app.source.getRepository(BulkItem).insert(records);
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

  const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

  test.each(SEEDS)('PATCH in bulk leaves the rows and gives the answers of PATCH one by one (%i)', async (seed) => {
    const random = numbers(seed);
    const bulk = someOf(random).map((id) => ({ id, ...changeOf(id, random) }));

    const { body } = await app.api.patch('/items/bulk', { bulk }).expect(200);
    const together = plain(await items());
    await fill();
    const single: unknown[] = [];
    for (const { id, ...change } of bulk) single.push((await app.api.patch(`/items/${id}`, change).expect(200)).body);

    expect(body).toEqual(single);
    expect(together).toEqual(plain(await items()));
  });

  test.each([1, 2, 3, 4])('DELETE and recovery in bulk do what they do one by one (%i)', async (seed) => {
    const ids = someOf(numbers(seed));
    const bulk = ids.map((id) => ({ id }));

    const deleted = await app.api.delete('/items/bulk').send({ bulk }).expect(200);
    const together = plain(await items());
    await fill();
    const single: unknown[] = [];
    for (const id of ids) single.push((await app.api.delete(`/items/${id}`).expect(200)).body);
    expect(deleted.body).toEqual(single);
    expect(together).toEqual(plain(await items()));

    const recovered = await app.api.patch('/items/bulk/recover', { bulk }).expect(200);
    expect((recovered.body as { id: number }[]).map(({ id }) => id)).toEqual(ids);
    expect(plain(await items()).some(({ deleted: isDeleted }) => isDeleted)).toBe(false);
  });

  test.each<[title: string, item: unknown, status: number, message?: string]>([
    ['a record out of scope', { id: 9 }, 404, 'bulk.1 BulkItem not found'],
    ['a record named twice', { id: '1' }, 400, 'bulk.1 names the same record as bulk.0'],
    ['an item without a key', { age: 1 }, 400, 'bulk.1.id is required'],
    ['a name that is taken', { id: 2, name: 'n3' }, 409, 'bulk.1.name already exists'],
    ['a stale version', { id: 2, version: 7 }, 409],
    ['a change that leaves the scope', { id: 2, tenant: 2 }, 400],
    ['an item that is no record', 5, 400, 'bulk.1 must be an object'],
  ])('%s refuses the whole bulk', async (_, item, ...[status, message]) => {
    const before = plain(await items());
    const { body } = await app.api.patch('/items/bulk', { bulk: [{ id: 1, age: 77 }, item] }).expect(status);

    if (message) expect([(body as { message: unknown }).message].flat()).toEqual([message]);
    expect((body as { code: string }).code).toMatch(/^CRUD_/);
    expect(plain(await items())).toEqual(before);
  });

  test('If-Match is refused for many records', async () => {
    const { body } = await app.api.patch('/items/bulk', { bulk: [] }).set('If-Match', '"x"').expect(400);

    expect(body).toMatchObject({ code: 'CRUD_INVALID_QUERY', field: 'If-Match' });
  });

  test('createManyBase takes at most a thousand records unless its options say otherwise', async () => {
    const bulk = Array.from({ length: 1001 }, (_, index) => ({ name: `x${index}` }));

    expect((await app.api.post('/items/bulk', { bulk }).expect(400)).body).toMatchObject({
      code: 'CRUD_LIMIT_EXCEEDED',
    });
  });
});
