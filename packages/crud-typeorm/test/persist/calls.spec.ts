/** Calls of services for one record or a few, on SQLite: answers, refusals, the number of statements, and what subscribers hear. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { outcomeOf } from '@nestwright/crud/adapter';
import * as orm from 'typeorm';
import { TypeOrmCrudService } from '../../src/index.js';
import { connecting, empty } from '../support/connecting.js';
import { refusal, requestOf } from '../support/requests.js';
import { Statements } from '../support/statements.js';
import { Account, ACCOUNTS, Item, Label, Maker, Product, Profile } from './entities.js';

@orm.Entity('branches')
@orm.Tree('materialized-path')
class Branch {
  @orm.PrimaryColumn({ type: 'varchar', length: 20 }) name!: string;
  @orm.Column({ type: 'varchar', length: 20, nullable: true, unique: true }) code!: string | null;
  @orm.Column({ type: 'varchar', length: 20, nullable: true }) parentName!: string | null;
  @orm.TreeParent() @orm.JoinColumn({ name: 'parentName' }) parent!: orm.Relation<Branch> | null;
  @orm.TreeChildren() children!: orm.Relation<Branch>[];
}

@orm.Entity('coded')
class Coded {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20, unique: true, collation: 'NOCASE' }) code!: string;
  @orm.ManyToMany(() => Coded)
  @orm.JoinTable({ name: 'coded_links', inverseJoinColumn: { name: 'linked', referencedColumnName: 'code' } })
  links!: orm.Relation<Coded>[];
}

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

const log = new Statements();
const entities = [...ACCOUNTS, Maker, Label, Product, Branch, Coded, Draft];
const source = connecting({ connection: { type: 'sqljs' } }, entities, { logger: log, logging: true });
const serviceOf = <T extends object>(entity: new () => T) => new TypeOrmCrudService<T>(source.getRepository(entity));
const [products, accounts] = [serviceOf(Product), serviceOf(Account)];
const at = (id: unknown, options: object = {}) => requestOf({ path: { id }, options });

beforeEach(async () => {
  await empty(source);
  await source.getRepository(Maker).insert([1, 2].map((id) => ({ id, name: `${id}` })));
  await source.getRepository(Label).insert([{ id: 1 }, { id: 2 }]);
  await source.getRepository(Product).insert([1, 2].map((id) => ({ id, name: 'a', makerId: 1 })));
});

test('one record that is changed has a tag, and neither many nor one that is removed', async () => {
  const options = { query: { etag: true }, routes: { deleteOneBase: { returnDeleted: true } } };
  const [one, many, removed] = [at(1, options), requestOf({ options }), at(1, options)];
  await products.updateOne(one, { name: 'b' });
  await products.updateMany(many, { bulk: [{ id: 1, name: 'c' }] });
  await products.deleteOne(removed);
  expect([one, many, removed].map(outcomeOf)).toEqual([{ row: expect.anything() }, {}, {}]);
});

test('a key that must not leave costs a bulk no further reading', async () => {
  const change = (name: string, exclude: string[]) =>
    products.updateMany(requestOf({ options: { query: { exclude } } }), { bulk: [1, 2].map((id) => ({ id, name })) });
  const shown = await log.of(() => change('b', []));
  const hidden = await log.of(async () => expect((await change('c', ['id']))[0]).not.toHaveProperty('id'));
  expect(hidden).toHaveLength(shown.length);
});

test('rows are read again for a hook that is told of them afterwards, and for no other', async () => {
  const reads = async (hooks: object) => {
    const service = Object.assign(serviceOf(Draft), hooks);
    const sql = await log.of(async () => {
      const { id } = await service.createOne(requestOf(), { parts: [] });
      await service.updateOne(at(id), { editor: { id: 1 } } as never);
    });
    return sql.filter((text) => text.startsWith('SELECT')).length;
  };
  const [change, after] = ['beforeChange', 'afterChange'].map((name) => ({ [name]: () => Promise.resolve() }));
  expect(await reads({ ...change, ...after })).toBe((await reads(change!)) + 2);
});

test('a value that no statement can carry is told as the error of a bulk', async () => {
  const bulk = [1, 2].map((id) => ({ id, settings: 1n }));
  await expect(products.updateMany(requestOf(), { bulk })).rejects.toThrow('BigInt');
});

test('related records are stored, but for those that an upsert goes by, and no more is read than is needed', async () => {
  const labelled = { id: 1, labels: [{ id: 1 }, { id: 2 }] };
  const bulk = [labelled, { id: 2, name: 'b' }] as never;
  const linking = await log.of(() => products.updateMany(requestOf(), { bulk }));
  expect(linking.filter((text) => text.includes('FROM "labels"'))).toEqual([]);
  const links = await source.query('SELECT * FROM product_labels ORDER BY 1');
  expect(links.map((link: object) => Object.values(link).join())).toEqual(['1,1', '1,2']);
  const { id } = await source.getRepository(Profile).save({ bio: 'b' });
  await source.getRepository(Account).insert({ id: 'a', profile: { id } });
  const sql = await log.of(() => accounts.updateOne(at('a'), { profile: { id, bio: 'c' } } as never));
  expect(sql.filter((text) => /^SELECT.*bio/.test(text))).toEqual([]);
  const byProfile = requestOf({ options: { routes: { createOneBase: { onConflict: ['profile'] } } } });
  await accounts.createOne(byProfile, { id: 'b', first: 'x', profile: { id, bio: 'd' } } as never);
  expect(await source.getRepository(Account).find()).toMatchObject([{ id: 'a', first: 'x' }]);
  expect(await source.getRepository(Profile).find()).toEqual([{ id, bio: 'c' }]);
});

test('a POST by a unique value tries one INSERT, conflicts with a hidden record, and inserts if the record has gone', async () => {
  const repository = source.getRepository(Account);
  const reading = (getOneOrFail: () => unknown) =>
    Object.assign(new TypeOrmCrudService(repository), { getOneOrFail } as object);
  await repository.insert({ id: 'n', name: 'n' });
  const options = { routes: { createOneBase: { onConflict: ['name'] } } };
  const post = (service: TypeOrmCrudService<Account>) =>
    service.createOne(requestOf({ options }), { id: 'd', name: 'n', second: 's' });
  const sql = await log.of(async () => expect(await post(accounts)).toMatchObject({ id: 'n', second: 's' }));
  expect(sql.filter((text) => text.startsWith('INSERT'))).toHaveLength(1);
  const refused = { statusCode: 409, code: 'CRUD_UNIQUE_VIOLATION', field: 'name' };
  expect(await refusal(post(reading(() => accounts.throwNotFoundException('Account'))))).toMatchObject(refused);
  await post(reading(() => repository.update('n', { name: 'm' })));
  const names = (await repository.find()).map(({ id, name }) => `${id} ${name}`);
  expect(names.sort()).toEqual(['d n', 'n m']);
});

test('a conflict of a new record in a tree names the unique column', async () => {
  await source.getRepository(Branch).insert({ name: 'a', code: 'x' });
  for (const [field, sent] of Object.entries({ name: { name: 'a' }, code: { name: 'b', code: 'x' } })) {
    const refused = { statusCode: 409, code: 'CRUD_UNIQUE_VIOLATION', field };
    expect(await refusal(serviceOf(Branch).createOne(requestOf(), sent))).toMatchObject(refused);
  }
});

test('a record of a tree may name its parent by the column, and then keeps it', async () => {
  for (const [name, parentName] of Object.entries({ a: null, b: 'a', c: 'b' }))
    await serviceOf(Branch).createOne(requestOf(), { name, parentName });
  expect(await source.query("SELECT mpath FROM branches WHERE name = 'c'")).toEqual([{ mpath: 'a.b.c.' }]);
  const moved = serviceOf(Branch).updateOne(requestOf({ path: { name: 'c' } }), { parentName: 'a' });
  expect(await refusal(moved)).toMatchObject({ statusCode: 400, code: 'CRUD_INVALID_BODY', field: 'parent' });
});

test('a bulk changes the records that are there before it adds others', async () => {
  await source.getRepository(Account).insert({ id: 'a', name: 'x' });
  const bulk = Object.entries({ b: 'x', a: 'y' }).map(([id, name]) => ({ id, name }));
  expect(await accounts.replaceMany(requestOf(), { bulk })).toMatchObject(bulk);
});

test('a bulk upsert finds and keeps values that only the database holds to be equal', async () => {
  const [one, two] = await source.getRepository(Coded).save([{ code: 'one' }, { code: 'two' }]);
  const options = { routes: { createManyBase: { onConflict: ['code'] } } };
  const found = await serviceOf(Coded).createMany(requestOf({ options }), { bulk: [{ code: 'one' }, { code: 'TWO' }] });
  expect(found).toEqual([one, two]);
});

test('links to another column than the key hold what the record of a key has in it', async () => {
  const { id } = await source.getRepository(Coded).save({ code: 'one' });
  await serviceOf(Coded).createOne(requestOf(), { code: 'two', links: [id] } as never);
  expect(await source.query('SELECT linked FROM coded_links')).toEqual([{ linked: 'one' }]);
});

describe('what subscribers hear', () => {
  const heard: string[] = [];
  const listen = (subscriber: orm.EntitySubscriberInterface) => void source.subscribers.push(subscriber);

  const changesOf = ({ updatedColumns, updatedRelations }: orm.UpdateEvent<object>) =>
    [updatedColumns, updatedRelations].map((all) => all.map(({ propertyPath }) => propertyPath).join());

  afterEach(() => [heard, source.subscribers].forEach((list) => list.splice(0)));

  test.each<[sent: object, columns: string, relations: string]>([
    [{ name: 'b' }, 'name', ''],
    [{ name: 'a', secret: 't' }, 'secret', ''],
    [{ seller: { id: 2 } }, '', 'seller'],
    [{ seller: { id: 1 }, name: 'b' }, 'name', ''],
    [{ makerId: 2 }, 'makerId', ''],
    [{ maker: { id: 2 } }, 'makerId', 'maker'],
    [{ maker: { id: 1 }, name: 'b' }, 'name', ''],
    [{ labels: [{ id: 1 }], name: 'b' }, 'name', ''],
  ])('of the body %j, a subscriber hears the columns and relations that change', async (sent, ...changed) => {
    await source.getRepository(Product).save({ id: 1, name: 'a', secret: 's', makerId: 1, seller: { id: 1 } });
    const hear = (event: orm.UpdateEvent<object>) => void heard.push(...changesOf(event));
    listen({
      beforeUpdate: (event) => {
        hear(event);
        expect(event.entity!['secret']).toBe((sent as Partial<Product>).secret);
        expect(event.databaseEntity).toMatchObject('seller' in sent ? { seller: { id: 1 } } : {});
        expect(event.entity).not.toHaveProperty('labels');
      },
      afterUpdate: hear,
    });
    await products.updateOne(at(1), sent as Product);
    expect(heard).toEqual([...changed, ...changed]);
  });

  test('of a PUT, too, a subscriber hears what changes alone, and nothing of what another has removed', async () => {
    await source.getRepository(Account).insert({ id: 'a', name: 'n', first: 'x' });
    listen({ afterUpdate: (event) => void heard.push(...changesOf(event)) });
    const put = () => accounts.replaceOne(at('a'), { id: 'a', name: 'n', second: 'y' });
    expect([await put(), await put()]).toMatchObject(Array(2).fill({ first: '', second: 'y' }));
    expect(heard).toEqual(['second,first', '', '', '']);
    listen({ beforeUpdate: ({ manager }) => manager.delete(Account, 'a') });
    const refused = await refusal(accounts.updateOne(at('a'), { name: 'm' }));
    expect([refused, heard]).toMatchObject([{ code: 'CRUD_OUT_OF_SCOPE' }, { length: 4 }]);
  });

  test('relations that a class sets at first do not override what is sent', async () => {
    const { id } = await source.getRepository(Draft).save({});
    listen({ listenTo: () => Draft, beforeUpdate: () => void heard.push('updating') });
    const two = { id: 2 };
    await serviceOf(Draft).updateOne(at(id), { links: { author: two }, editor: two, owner: two } as never);
    const [row] = await source.query('SELECT * FROM drafts');
    expect([heard, row]).toEqual([['updating'], { id, linksAuthorid: 2, editorId: 2, ownerId: 2, wholeId: null }]);
  });

  test('a subscriber hears the changed link of a record left out of a list, and nothing of a PUT that writes no column', async () => {
    const { id } = await source.getRepository(Draft).save({ parts: [{}] });
    listen({ beforeUpdate: (event) => void heard.push(...changesOf(event)) });
    await serviceOf(Draft).updateOne(at(id), { parts: [] } as never);
    await serviceOf(Label).replaceOne(at(1), { id: 1 });
    expect(heard).toEqual(['', 'whole']);
  });

  test('a subscriber hears that records left out of a list are removed, but not which', async () => {
    await accounts.createOne(requestOf(), { id: 'a', items: [{ what: 'x' }, { what: 'y' }] } as never);
    const { id } = await source.getRepository(Item).findOneByOrFail({ what: 'y' });
    listen({
      listenTo: () => Item,
      // What is sent as it is stored is no change.
      beforeUpdate: () => void heard.push('updating'),
      beforeRemove: ({ entity }) => void heard.push(`removing ${entity?.what}`),
      afterRemove: ({ entity }) => void heard.push(`removed ${entity?.what}`),
    });
    await accounts.updateOne(at('a'), { items: [{ id, what: 'y' }] } as never);
    expect(heard).toEqual(['removing undefined', 'removed undefined']);
    await serviceOf(Item).deleteOne(at(id));
    expect(heard.slice(2)).toEqual(['removing y', 'removed y']);
  });
});
