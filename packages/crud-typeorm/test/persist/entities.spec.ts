/** Bodies for entities with unusual columns and relations → their rows, and the events that listeners and subscribers got, on each database. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { connecting, empty } from '../support/connecting.js';
import { requestOf } from '../support/requests.js';
import { Deed, events, House, Sample, Ticket, Watched, Watcher } from './entities.js';

const requestAt = (path: Record<string, unknown>, query: object = {}) => requestOf({ path, options: { query } });

describeDatabases('writes of unusual entities', (db) => {
  const source = connecting(db, [Sample, House, Deed, Ticket, Watched], { subscribers: [Watcher], poolSize: 20 });
  const serviceOf = <T extends ObjectLiteral>(entity: new () => T) =>
    new TypeOrmCrudService<T>(source.getRepository(entity));
  const [samples, houses, watched] = [serviceOf(Sample), serviceOf(House), serviceOf(Watched)];
  const stored = source.getRepository(Watched);
  beforeEach(async () => {
    await empty(source);
    events.length = 0;
  });

  test('every kind of value is stored as TypeORM would', async () => {
    const numbers = { price: 12.34, amount: '1234567890.12', big: '9007199254740993' };
    const dates = { seenAt: new Date('2024-02-29T12:34:56.789Z'), day: '2024-02-29' };
    const values = { ...numbers, ...dates, on: false, json: { a: [1, { b: null }], date: '2024-01-01' } };
    await samples.createOne(requestOf(), { key: 'a', ...values });
    await source.getRepository(Sample).save(Object.assign(new Sample(), { key: 'b', ...values }));
    await samples.createOne(requestOf(), { key: 'c' });
    await samples.updateOne(requestAt({ key: 'c' }), values as Partial<Sample>);
    const rows = await source.query('SELECT * FROM samples ORDER BY sample_key');
    for (const row of rows) expect({ ...row, sample_key: '' }).toEqual({ ...rows[1], sample_key: '' });
    expect(rows).toHaveLength(3);
    const at = () => requestAt({ key: 'a' });
    const change = { json: ['x'], price: null, seenAt: null };
    expect(await samples.updateOne(at(), change as Partial<Sample>)).toMatchObject({ ...change, on: false });
    expect(await samples.updateOne(at(), { json: null })).toMatchObject({ json: null });
    const replaced = { key: 'a', price: 1, on: true, day: null, json: null };
    expect(await samples.replaceOne(at(), { price: 1 })).toMatchObject(replaced);
  });

  test('the side of a one-to-one relation without the key', async () => {
    const deeds = () => source.getRepository(Deed).find({ relations: { house: true }, order: { id: 'ASC' } });
    const change = (id: number, deed: object) => houses.updateOne(requestAt({ id }), { deed } as never);
    const { id } = await houses.createOne(requestOf(), { name: 'h', deed: { number: 'one' } } as never);
    const other = await houses.createOne(requestOf(), { name: 'o' });
    await change(id, { number: 'two' });
    const stolen = { id: (await deeds())[0]!.id, number: 'stolen' };
    await expect(change(other.id, stolen)).rejects.toMatchObject({ status: 400 });
    await change(other.id, { number: 'three' });
    const owned = (await deeds()).map(({ number, house }) => `${number} of ${house?.id}`);
    expect(owned).toEqual([`two of ${id}`, `three of ${other.id}`]);
  });

  test('records of a key alone are created one by one and in bulk, each with a key of its own', async () => {
    const tickets = serviceOf(Ticket);
    const one = await tickets.createOne(requestOf(), { note: 'not inserted' });
    const many = await tickets.createMany(requestOf(), { bulk: [{ note: 'a' }, { note: 'b' }] });
    const ids = [...new Set([one, ...many].map(({ id }) => Number(id)))].sort((a, b) => a - b);
    expect(ids).toHaveLength(3);
    expect((await source.getRepository(Ticket).find({ order: { id: 'ASC' } })).map(({ id }) => id)).toEqual(ids);
  });

  test('keys that differ in case are different keys', async () => {
    // MySQL's and MariaDB's default collation takes them for the same.
    if (db.kind === 'mysql') return;
    const bulk = ['A', 'a'].map((key, price) => ({ key, price }));
    expect(await samples.createMany(requestOf(), { bulk })).toMatchObject(bulk);
  });

  describe('onlookers', () => {
    test('hear of every write, with the entity', async () => {
      const soft = { softDelete: true };
      const { id } = await watched.createOne(requestOf(), { name: 'a' });
      await watched.updateOne(requestAt({ id }), { name: 'b' });
      await watched.updateOne(requestAt({ id }), {});
      await watched.deleteOne(requestAt({ id }, soft));
      await watched.recoverOne(requestAt({ id }, soft));
      await watched.recoverOne(requestAt({ id }, soft));
      expect(await stored.findOneBy({ id })).toMatchObject({ name: 'b', state: 'touched' });
      await watched.deleteOne(requestAt({ id }));
      expect(events).toEqual([
        ...['listener: inserted a plain number true', 'inserted a', 'updating a cm to b', 'updated b touched'],
        ...['hidden b', 'recovering b', 'back b', 'listener: removing b', 'removed b'],
      ]);
    });

    test('hear of every record of a bulk, in order', async () => {
      await watched.createMany(requestOf(), { bulk: [{ name: 'x' }, { name: 'y' }] });
      expect(events.filter((event) => event.startsWith('inserted'))).toEqual(['inserted x', 'inserted y']);
    });

    test('may write SQL, and no version', async () => {
      const toSql = ({ entity }: { entity?: ObjectLiteral }) => {
        entity!['name'] = () => "UPPER('sql')";
      };
      const toVersion = (event: { entity?: ObjectLiteral }) => {
        toSql(event);
        event.entity!['version'] = 9;
      };
      const writer = { listenTo: () => Watched, beforeInsert: toSql, beforeUpdate: toVersion };
      source.subscribers.push(writer);
      const { id } = await watched.createOne(requestOf(), { name: 'x' });
      expect(await stored.find()).toMatchObject([{ id, name: 'SQL' }]);
      await stored.query(`UPDATE watched SET name = 'old'`);
      await watched.updateOne(requestAt({ id }), { name: 'y' });
      source.subscribers.splice(source.subscribers.indexOf(writer), 1);
      expect(await stored.find()).toMatchObject([{ id, name: 'SQL', version: 2 }]);
    });

    test('that fail undo the write', async () => {
      const watcher = { listenTo: () => Watched, afterInsert: () => Promise.reject(new Error('no')) };
      source.subscribers.push(watcher);
      await expect(watched.createOne(requestOf(), { name: 'x' })).rejects.toThrow('no');
      source.subscribers.splice(source.subscribers.indexOf(watcher), 1);
      expect(await stored.count()).toBe(0);
    });
  });
});
