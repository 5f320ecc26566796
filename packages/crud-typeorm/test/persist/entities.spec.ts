/** Bodies for entities with unusual columns and relations → their rows, and the events that listeners and subscribers got, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CrudRequestOptions } from '@nestwright/crud';
import { DataSource, type DataSourceOptions, type ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Cat, Deed, events, House, MORE_ENTITIES, Node, Sample, Watched, Watcher } from './more-entities.js';
import { requestOf } from '../support/requests.js';

const requestAt = (path: Record<string, unknown> = {}, options: CrudRequestOptions = {}) =>
  requestOf({ path, options });

describeDatabases('writes of unusual entities', (db) => {
  let source: DataSource;
  const serviceOf = <T extends ObjectLiteral>(entity: new () => T) =>
    new TypeOrmCrudService<T>(source.getRepository(entity));

  beforeAll(async () => {
    source = new DataSource({
      ...db.connection,
      entities: MORE_ENTITIES,
      subscribers: [Watcher],
      synchronize: true,
      poolSize: 20,
    } as DataSourceOptions);
    await source.initialize();
  });

  afterAll(() => source.destroy());

  beforeEach(async () => {
    for (const table of ['samples', 'deeds', 'cats', 'houses', 'watched']) await source.query(`DELETE FROM ${table}`);

    await source.query(`UPDATE nodes SET ${source.driver.escape('parentId')} = NULL`);
    await source.query('DELETE FROM nodes');
    events.length = 0;
  });

  test('every kind of value is stored as TypeORM would', async () => {
    const samples = serviceOf(Sample);
    const values = {
      price: 12.34,
      seenAt: new Date('2024-02-29T12:34:56.789Z'),
      day: '2024-02-29',
      amount: '1234567890.12',
      on: false,
      json: { a: [1, { b: null }], date: '2024-01-01' },
      big: '9007199254740993',
    };
    await samples.createOne(requestAt(), { key: 'a', ...values });
    await source.getRepository(Sample).save(Object.assign(new Sample(), { key: 'b', ...values }));
    await samples.createOne(requestAt(), { key: 'c' });
    await samples.updateOne(requestAt({ key: 'c' }), values as Partial<Sample>);
    const rows = await source.query('SELECT * FROM samples ORDER BY sample_key');

    expect(rows.map((row: ObjectLiteral) => ({ ...row, sample_key: '' }))).toEqual(
      Array(3).fill({ ...rows[1], sample_key: '' }),
    );
    expect(
      await samples.updateOne(requestAt({ key: 'a' }), { json: ['x'], price: null, seenAt: null } as Partial<Sample>),
    ).toMatchObject({ json: ['x'], price: null, seenAt: null, on: false });
    expect(await samples.updateOne(requestAt({ key: 'a' }), { json: null })).toMatchObject({ json: null });
    expect(await samples.replaceOne(requestAt({ key: 'a' }), { price: 1 })).toMatchObject({
      key: 'a',
      price: 1,
      on: true,
      day: null,
      json: null,
    });
  });

  test('children that are left out go where their relation says so', async () => {
    const nodes = serviceOf(Node);
    const root = await nodes.createOne(requestAt(), {
      label: 'root',
      children: [{ label: 'a', children: [{ label: 'aa' }] }, { label: 'b' }],
    } as unknown as Node);
    const labels = async () =>
      (await source.getRepository(Node).find({ order: { label: 'ASC' } })).map(({ label }) => label);

    expect(await labels()).toEqual(['a', 'aa', 'b', 'root']);
    const [a] = await source.getRepository(Node).findBy({ label: 'a' });
    await nodes.updateOne(requestAt({ id: root.id }), {
      children: [{ id: a!.id, label: 'A' }, { label: 'c' }],
    } as unknown as Node);
    expect(await labels()).toEqual(expect.arrayContaining(['A', 'aa', 'c', 'root']));
    expect(await labels()).toHaveLength(4);
  });

  test('children that are left out are let go where their relation says so', async () => {
    const houses = serviceOf(House);
    const { id } = await houses.createOne(requestAt(), { name: 'h', cats: [{ name: 'tom' }] } as unknown as House);
    await houses.updateOne(requestAt({ id }), { cats: [{ name: 'kit' }] } as unknown as House);
    const cats = await source.getRepository(Cat).find({ relations: { house: true }, order: { name: 'ASC' } });

    expect(cats.map(({ name, house }) => [name, house?.id ?? null])).toEqual([
      ['kit', id],
      ['tom', null],
    ]);
  });

  test('the side of a one-to-one relation without the key', async () => {
    const houses = serviceOf(House);
    const { id } = await houses.createOne(requestAt(), { name: 'h', deed: { number: 'one' } } as unknown as House);
    await houses.updateOne(requestAt({ id }), { deed: { number: 'two' } } as unknown as House);
    const deeds = await source.getRepository(Deed).find({ relations: { house: true } });

    expect(deeds).toMatchObject([{ number: 'two', house: { id } }]);
    const other = await houses.createOne(requestAt(), { name: 'o' });
    await expect(
      houses.updateOne(requestAt({ id: other.id }), {
        deed: { id: deeds[0]!.id, number: 'stolen' },
      } as unknown as House),
    ).rejects.toMatchObject({ status: 400 });
    await houses.updateOne(requestAt({ id: other.id }), { deed: { number: 'three' } } as unknown as House);
    expect(await source.getRepository(Deed).find({ relations: { house: true }, order: { id: 'ASC' } })).toMatchObject([
      { number: 'two', house: { id } },
      { number: 'three', house: { id: other.id } },
    ]);
  });

  test('keys that differ in case are different keys', async () => {
    // MySQL's and MariaDB's default collation takes them for the same.
    if (db.kind === 'mysql') return;

    const made = await serviceOf(Sample).createMany(requestAt(), {
      bulk: [
        { key: 'A', price: 1 },
        { key: 'a', price: 2 },
      ],
    });

    expect(made).toMatchObject([
      { key: 'A', price: 1 },
      { key: 'a', price: 2 },
    ]);
  });

  describe('onlookers', () => {
    test('hear of every write, with the entity', async () => {
      const watched = serviceOf(Watched);
      const soft = { query: { softDelete: true } };
      const { id } = await watched.createOne(requestAt(), { name: 'a' });
      await watched.updateOne(requestAt({ id }), { name: 'b' });
      await watched.updateOne(requestAt({ id }), {});
      await watched.deleteOne(requestAt({ id }, soft));
      await watched.recoverOne(requestAt({ id }, soft));
      await watched.recoverOne(requestAt({ id }, soft));
      expect(await source.getRepository(Watched).findOneBy({ id })).toMatchObject({ name: 'b', state: 'touched' });
      await watched.deleteOne(requestAt({ id }));

      expect(events).toEqual([
        'listener: inserted a plain number true',
        'inserted a',
        'updating a to b',
        'updated b touched',
        'hidden b',
        'back b',
        'listener: removing b',
        'removed b',
      ]);
    });

    test('hear of every record of a bulk, in order', async () => {
      await serviceOf(Watched).createMany(requestAt(), { bulk: [{ name: 'x' }, { name: 'y' }] });

      expect(events.filter((event) => event.startsWith('inserted'))).toEqual(['inserted x', 'inserted y']);
    });

    test('that fail undo the write', async () => {
      const watcher = { listenTo: () => Watched, afterInsert: () => Promise.reject(new Error('no')) };
      source.subscribers.push(watcher);
      await expect(serviceOf(Watched).createOne(requestAt(), { name: 'x' })).rejects.toThrow('no');
      source.subscribers.splice(source.subscribers.indexOf(watcher), 1);

      expect(await source.getRepository(Watched).count()).toBe(0);
    });
  });
});
