/** Bodies for entities with unusual columns and relations → their rows, and the events that listeners and subscribers got. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { connecting, empty } from '../support/connecting.js';
import { requestOf } from '../support/requests.js';
import { Account, ACCOUNTS, events, Item, Label, Maker, Product, Ticket, Watched, Watcher } from './entities.js';

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
      ...['listener: inserted a plain number true', 'inserted a', 'updating a cm to b', 'updated b touched'],
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

class Links {
  @orm.ManyToOne(() => Maker) author!: orm.Relation<Maker> | null;
}

/** Sets its relations as it is made. */
@orm.Entity('drafts')
class Draft {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column(() => Links) links!: Links;
  @orm.ManyToOne(() => Maker) editor: orm.Relation<Maker> | null = null;
  @orm.ManyToOne(() => Maker, { lazy: true }) owner: Promise<Maker | null> = Promise.resolve(null);
  @orm.ManyToOne(() => Draft, ({ parts }) => parts, { orphanedRowAction: 'nullify' })
  whole!: orm.Relation<Draft> | null;
  @orm.OneToMany(() => Draft, ({ whole }) => whole, { cascade: ['insert'] }) parts!: orm.Relation<Draft>[];
}

describe('what subscribers hear, on SQLite', () => {
  const entities = [Maker, Label, Product, Draft, ...ACCOUNTS];
  const sqlite = connecting({ connection: { type: 'sqljs' } }, entities);
  const serviceOf = <T extends object>(entity: new () => T) => new TypeOrmCrudService<T>(sqlite.getRepository(entity));
  const [products, accounts] = [serviceOf(Product), serviceOf(Account)];
  const at = (id: unknown, query: object = {}) => requestOf({ path: { id }, options: { query } });
  const heard: string[] = [];
  const listen = (subscriber: orm.EntitySubscriberInterface) => void sqlite.subscribers.push(subscriber);

  const changesOf = ({ updatedColumns, updatedRelations }: orm.UpdateEvent<object>) =>
    [updatedColumns, updatedRelations].map((all) => all.map(({ propertyPath }) => propertyPath).join());

  beforeEach(async () => {
    await empty(sqlite);
    heard.length = 0;
    await sqlite.getRepository(Maker).insert([1, 2].map((id) => ({ id, name: `${id}` })));
  });
  afterEach(() => void sqlite.subscribers.splice(0));

  test.each<[sent: object, columns: string, relations: string]>([
    [{ name: 'b' }, 'name', ''],
    [{ name: 'a', secret: 't' }, 'secret', ''],
    [{ seller: { id: 2 } }, '', 'seller'],
    [{ seller: { id: 1 }, name: 'b' }, 'name', ''],
    [{ makerId: 2 }, 'makerId', ''],
    [{ maker: { id: 2 } }, 'makerId', 'maker'],
    [{ maker: { id: 1 }, name: 'b' }, 'name', ''],
  ])('of the body %j, a subscriber hears the columns and relations that change', async (sent, ...changed) => {
    const repository = sqlite.getRepository(Product);
    await repository.insert({ id: 1, name: 'a', secret: 's', makerId: 1, seller: { id: 1 } });
    const hear = (event: orm.UpdateEvent<object>) => void heard.push(...changesOf(event));
    listen({
      beforeUpdate: (event) => {
        hear(event);
        expect(event.entity!['secret']).toBe((sent as Partial<Product>).secret);
      },
      afterUpdate: hear,
    });
    await products.updateOne(at(1), sent as Product);
    expect(heard).toEqual([...changed, ...changed]);
  });

  test('of a PUT, too, a subscriber hears what changes alone', async () => {
    await sqlite.getRepository(Account).insert({ id: 'a', name: 'n', first: 'x' });
    listen({ afterUpdate: (event) => void heard.push(...changesOf(event)) });
    const replaced = await accounts.replaceOne(at('a'), { id: 'a', name: 'n', second: 'y' });
    expect([heard, replaced]).toMatchObject([['second,first', ''], { first: '', second: 'y' }]);
  });

  test('relations that a class sets at first do not override what is sent', async () => {
    const repository = sqlite.getRepository(Draft);
    const { id } = await repository.save({});
    listen({ listenTo: () => Draft, beforeUpdate: () => void heard.push('updating') });
    const two = { id: 2 };
    await serviceOf(Draft).updateOne(at(id), { links: { author: two }, editor: two, owner: two } as never);
    const [row] = await sqlite.query('SELECT * FROM drafts');
    expect([heard, row]).toEqual([['updating'], { id, linksAuthorid: 2, editorId: 2, ownerId: 2, wholeId: null }]);
  });

  test('a subscriber hears the changed link of a record left out of a list', async () => {
    const { id } = await sqlite.getRepository(Draft).save({ parts: [{}] });
    listen({ beforeUpdate: (event) => void heard.push(...changesOf(event)) });
    await serviceOf(Draft).updateOne(at(id), { parts: [] } as never);
    expect(heard).toEqual(['', 'whole']);
  });

  test('a subscriber hears that records left out of a list are removed, but not which', async () => {
    await accounts.createOne(requestOf(), { id: 'a', items: [{ what: 'x' }, { what: 'y' }] } as never);
    const { id } = await sqlite.getRepository(Item).findOneByOrFail({ what: 'y' });
    listen({
      listenTo: () => Item,
      beforeRemove: ({ entity }) => void heard.push(`removing ${entity?.what}`),
      afterRemove: ({ entity }) => void heard.push(`removed ${entity?.what}`),
    });
    await accounts.updateOne(at('a'), { items: [{ id }] } as never);
    expect(heard).toEqual(['removing undefined', 'removed undefined']);
    await serviceOf(Item).deleteOne(at(id));
    expect(heard.slice(2)).toEqual(['removing y', 'removed y']);
  });

  test('a subscriber to one event alone hears that event', async () => {
    await accounts.createOne(requestOf(), { id: 'a' });
    listen({ listenTo: () => Account, afterRecover: ({ entity }) => void heard.push(`back ${entity?.id}`) });
    listen({ listenTo: () => Account, afterSoftRemove: ({ entity }) => void heard.push(`hidden ${entity?.id}`) });
    const soft = { softDelete: true };
    for (const verb of ['recoverOne', 'deleteOne', 'recoverOne'] as const) await accounts[verb](at('a', soft));
    await accounts.deleteOne(at('a'));
    expect(heard).toEqual(['hidden a', 'back a']);
  });
});
