/** Bodies for entities with unusual columns and relations → their rows, and the events that listeners and subscribers got. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { connecting, empty } from '../support/connecting.js';
import { requestOf } from '../support/requests.js';
import { events, Ticket, Watched, Watcher } from './entities.js';

const requestAt = (path: Record<string, unknown>, query: object = {}) => requestOf({ path, options: { query } });

describeDatabases('writes of unusual entities', (db) => {
  const source = connecting(db, [Ticket, Watched], { subscribers: [Watcher], poolSize: 20 });
  const [tickets, stored] = [source.getRepository(Ticket), source.getRepository(Watched)];
  const watched = new TypeOrmCrudService(stored);
  beforeEach(async () => {
    await empty(source);
    events.length = 0;
  });
  // All but the one that the source begins with.
  afterEach(() => void source.subscribers.splice(1));

  test('records of a key alone are created one by one and in bulk, each with a key of its own', async () => {
    const service = new TypeOrmCrudService(tickets);
    const one = await service.createOne(requestOf(), { note: 'not inserted' });
    const many = await service.createMany(requestOf(), { bulk: [{ note: 'a' }, { note: 'b' }] });
    const ids = [...new Set([one, ...many].map(({ id }) => Number(id)))].sort((a, b) => a - b);
    expect(ids).toHaveLength(3);
    expect((await tickets.find({ order: { id: 'ASC' } })).map(({ id }) => id)).toEqual(ids);
  });

  test('onlookers hear of every write, with the entity', async () => {
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
      ...['listener: inserted a plain number true', 'inserted a', 'updating a cm to b', 'updated b: name,state'],
      ...['hidden b', 'recovering b', 'back b', 'listener: removing b', 'removed b'],
    ]);
  });

  test('onlookers may write SQL, and no version', async () => {
    const toSql = ({ entity }: { entity?: orm.ObjectLiteral }) => {
      entity!['name'] = () => "UPPER('sql')";
    };
    const toVersion = (event: { entity?: orm.ObjectLiteral }) => {
      toSql(event);
      event.entity!['version'] = 9;
    };
    source.subscribers.push({ listenTo: () => Watched, beforeInsert: toSql, beforeUpdate: toVersion });
    const { id } = await watched.createOne(requestOf(), { name: 'x' });
    expect(await stored.find()).toMatchObject([{ id, name: 'SQL' }]);
    await stored.query(`UPDATE watched SET name = 'old'`);
    await watched.updateOne(requestAt({ id }), { name: 'y' });
    expect(await stored.find()).toMatchObject([{ id, name: 'SQL', version: 2 }]);
  });

  test('onlookers that fail undo the write', async () => {
    source.subscribers.push({ listenTo: () => Watched, afterInsert: () => Promise.reject(new Error('no')) });
    await expect(watched.createOne(requestOf(), { name: 'x' })).rejects.toThrow('no');
    expect(await stored.count()).toBe(0);
  });
});
