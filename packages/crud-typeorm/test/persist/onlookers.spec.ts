/** What subscribers hear of writes, once each, and what they leave as it is: calls of services, on SQLite. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import * as orm from 'typeorm';
import { TypeOrmCrudService } from '../../src/index.js';
import { connecting, empty } from '../support/connecting.js';
import { requestOf } from '../support/requests.js';
import { Account, ACCOUNTS, Item, Label, Maker, Product } from './entities.js';

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

const entities = [Maker, Label, Product, Draft, ...ACCOUNTS];
const source = connecting({ connection: { type: 'sqljs' } }, entities);
const serviceOf = <T extends object>(entity: new () => T) => new TypeOrmCrudService<T>(source.getRepository(entity));
const [products, accounts] = [serviceOf(Product), serviceOf(Account)];
const at = (id: unknown, query: object = {}) => requestOf({ path: { id }, options: { query } });
const heard: string[] = [];
const listen = (subscriber: orm.EntitySubscriberInterface) => void source.subscribers.push(subscriber);

const changesOf = ({ updatedColumns, updatedRelations }: orm.UpdateEvent<object>) =>
  [updatedColumns, updatedRelations].map((all) => all.map(({ propertyPath }) => propertyPath).join());

beforeEach(async () => {
  await empty(source);
  heard.length = 0;
  await source.getRepository(Maker).insert([1, 2].map((id) => ({ id, name: `${id}` })));
});
afterEach(() => void source.subscribers.splice(0));

test.each<[sent: object, columns: string, relations: string]>([
  [{ name: 'b' }, 'name', ''],
  [{ name: 'a', secret: 't' }, 'secret', ''],
  [{ seller: { id: 2 } }, '', 'seller'],
  [{ seller: { id: 1 }, name: 'b' }, 'name', ''],
  [{ makerId: 2 }, 'makerId', ''],
  [{ maker: { id: 2 } }, 'makerId', 'maker'],
  [{ maker: { id: 1 }, name: 'b' }, 'name', ''],
])('of the body %j, a subscriber hears the columns and relations that change', async (sent, ...changed) => {
  const repository = source.getRepository(Product);
  await repository.insert({ id: 1, name: 'a', secret: 's', makerId: 1, seller: { id: 1 } });
  listen({
    beforeUpdate: (event) => {
      heard.push(...changesOf(event));
      expect(Object.hasOwn(event.entity!, 'secret')).toBe('secret' in sent);
    },
  });
  await products.updateOne(at(1), sent as Product);
  expect(heard).toEqual(changed);
});

test('relations that a class sets at first do not override what is sent', async () => {
  const repository = source.getRepository(Draft);
  const { id } = await repository.save({});
  listen({ listenTo: () => Draft, beforeUpdate: () => void heard.push('updating') });
  const two = { id: 2 };
  await serviceOf(Draft).updateOne(at(id), { links: { author: two }, editor: two, owner: two } as never);
  const [row] = await source.query('SELECT * FROM drafts');
  expect([heard, row]).toEqual([['updating'], { id, linksAuthorid: 2, editorId: 2, ownerId: 2, wholeId: null }]);
});

test('a subscriber hears the changed link of a record left out of a list', async () => {
  const { id } = await source.getRepository(Draft).save({ parts: [{}] });
  listen({ beforeUpdate: (event) => void heard.push(...changesOf(event)) });
  await serviceOf(Draft).updateOne(at(id), { parts: [] } as never);
  expect(heard).toEqual(['', 'whole']);
});

test('a subscriber hears that records left out of a list are removed, but not which', async () => {
  await accounts.createOne(requestOf(), { id: 'a', items: [{ what: 'x' }, { what: 'y' }] } as never);
  const { id } = await source.getRepository(Item).findOneByOrFail({ what: 'y' });
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
  listen({
    listenTo: () => Account,
    afterRecover: ({ entity }) => void heard.push(`back ${entity?.id}`),
  });
  listen({
    listenTo: () => Account,
    afterSoftRemove: ({ entity }) => void heard.push(`hidden ${entity?.id}`),
  });
  const soft = { softDelete: true };
  for (const verb of ['recoverOne', 'deleteOne', 'recoverOne'] as const) await accounts[verb](at('a', soft));
  await accounts.deleteOne(at('a'));
  expect(heard).toEqual(['hidden a', 'back a']);
});
