/** Values that the application sets in nested records, by `persist` of `@CrudAuth` and of its relations: what cascades store gets the tenant's values, whatever the body says, and rules hold for what the client says alone. */
import { beforeEach, expect, test } from '@jest/globals';
import type { AuthOptions, Change } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Type } from 'class-transformer';
import { IsEmpty, IsString, ValidateNested } from 'class-validator';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { empty } from '../support/connecting.js';
import { resource, type ResourceOptions } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Item, ITEMS, Tag } from './items.js';

class Items extends TypeOrmCrudService<Item> {
  override beforeChange({ model, record }: Change<Item>): void {
    if (model === Tag.name && (record as object as Tag).name === 'hooked') record.tenant = 'beta';
  }
}

const ofTenant = () => ({ tenant: 'acme' });
const both = { filter: ofTenant, persist: ofTenant };
const RELATIONS: NonNullable<AuthOptions['relations']> = {
  tags: both,
  'children.tags': { ...both, persist: () => Promise.resolve({ tenant: 'acme' }) },
  tag: false,
  badge: false,
  sheet: false,
  lines: false,
};
const query = { join: { tags: {}, children: {}, 'children.tags': {} } };
const items = (path: string, relations: AuthOptions['relations'] = {}, more: ResourceOptions<Item> = {}) =>
  resource(Item, path, {
    auth: { ...both, relations: { ...RELATIONS, ...relations } },
    query,
    service: Items,
    ...more,
    routes: { updateManyBase: true, replaceManyBase: true, ...more.routes },
  });
const onConflict: 'code'[] = ['code'];

/** Knows nothing of the tenant. */
class ChildWithout {
  @IsString() title!: string;
}

class ItemWithout extends ChildWithout {
  @ValidateNested() @Type(() => ChildWithout) children!: ChildWithout[];
}

class ChildThatForbids extends ChildWithout {
  @IsEmpty() tenant?: string;
}

class ItemThatForbids extends ChildWithout {
  @ValidateNested() @Type(() => ChildThatForbids) children!: ChildThatForbids[];
}

const RESOURCES = [
  items('items'),
  items('upserts', {}, { routes: { createOneBase: { onConflict }, createManyBase: { onConflict } } }),
  items('unset', { tags: { ...both, persist: () => ({ tenant: undefined }) } }),
  items('guarded', { tags: { persist: () => ({ id: 'break', tenant: 'acme' }) } }),
  items('open', { tags: { persist: ofTenant }, 'children.tags': { persist: ofTenant } }),
  items('without', {}, { dto: { create: ItemWithout }, validation: { whitelist: true, forbidNonWhitelisted: true } }),
  items('forbidding', {}, { dto: { create: ItemThatForbids } }),
];

describeDatabases('values of related records', (db) => {
  const served = serving(db, ITEMS, RESOURCES, { source: { dropSchema: true } });
  beforeEach(() => empty(served.source));

  const { send } = served;
  const tags = () => served.source.getRepository(Tag);
  const stored = async () => (await tags().find({ order: { name: 'ASC' } })).map(({ name, tenant }) => [name, tenant]);
  const MADE = { title: 'made', code: 'made' };
  /** Makes an item; its id, and that of its first tag. */
  const made = async (name?: string) => {
    const sent = { ...MADE, tags: name === undefined ? [] : [{ name }] };
    const { body } = await send('post', '/items?join=tags', sent);
    return { id: body.id as number, tag: body.tags[0]?.id as number };
  };
  const OK = { status: 200 };

  test.each(['items', 'upserts', 'open'])('are set in new records: POST /%s', async (path) => {
    const values = [{}, { tenant: 'beta' }, { tenant: 7 }, { tenant: null }];
    const sent = values.map((value, index) => ({ name: 'abcd'[index], ...value }));
    const answer = await send('post', `/${path}`, { title: 'new', tags: sent });
    expect([answer.status, answer.body['message']]).toEqual([201, undefined]);
    expect(await stored()).toEqual(['a', 'b', 'c', 'd'].map((name) => [name, 'acme']));
  });

  test('are set by every route that stores bodies', async () => {
    const { id } = await made();
    const item = (name: string, more = {}) => ({ ...MADE, tags: [{ name, tenant: 'beta' }], ...more });
    for (const [method, path, body, status] of [
      ['patch', `/items/${id}`, item('patch'), 200],
      ['put', `/items/${id}`, item('put'), 200],
      ['patch', '/items/bulk', { bulk: [item('bulk patch', { id })] }, 200],
      ['put', '/items/bulk', { bulk: [item('bulk put', { id })] }, 200],
      ['post', '/items/bulk', { bulk: [item('bulk post', { code: 'other' })] }, 201],
      ['post', '/upserts', item('upsert'), 200],
      ['post', '/upserts/bulk', { bulk: [item('upserts'), item('upserts new', { code: 'third' })] }, 201],
    ] as const) {
      const answer = await send(method, path, body);
      expect([path, answer.status, answer.body['message']]).toEqual([path, status, undefined]);
    }
    const all = await stored();
    expect(all).toHaveLength(8);
    expect(all.filter(([, tenant]) => tenant !== 'acme')).toEqual([]);
  });

  test('are set at every depth, in records of the own entity too', async () => {
    const children = [{ title: 'b', tenant: 'beta', tags: [{ name: 'of child', tenant: 'beta' }, { name: 'second' }] }];
    expect(await send('post', '/items', { title: 'a', children })).toMatchObject({ status: 201 });
    expect(await stored()).toEqual(['of child', 'second'].map((name) => [name, 'acme']));
    const tenants = (await served.source.getRepository(Item).find()).map(({ tenant }) => tenant);
    expect(tenants).toEqual(['acme', 'acme']);
  });

  test('hold when a cascade changes a linked record', async () => {
    const { id, tag } = await made('old');
    for (const [name, tenant] of Object.entries({ new: 'beta', newer: null })) {
      const answer = await send('patch', `/items/${id}`, { tags: [{ id: tag, name, tenant }] });
      expect([answer.status, answer.body['message']]).toEqual([200, undefined]);
      expect(await stored()).toEqual([[name, 'acme']]);
    }
  });

  test('are not written into records that are only linked', async () => {
    const foreign = await tags().save({ name: 'shared', tenant: 'beta' });
    const { id } = await made();
    for (const link of [foreign.id, { id: foreign.id }, { id: foreign.id, name: 'taken', tenant: 'acme' }]) {
      const { body } = await send('patch', `/items/${id}`, { tags: [link] });
      expect(body.code).toBe('CRUD_OUT_OF_SCOPE');
      const linked = await send('patch', `/open/${id}?join=tags`, { tags: [link] });
      expect(linked.body).toMatchObject({ tags: [{ id: foreign.id }] });
      expect(await send('patch', `/open/${id}`, { tags: [{ id: foreign.id, tenant: 'acme' }] })).toMatchObject(OK);
      await send('patch', `/open/${id}`, { tags: [] });
    }
    expect(await stored()).toEqual([['shared', 'beta']]);
  });

  test('leave no value of the client where there is none', async () => {
    await send('post', '/unset', { title: 'new', tags: [{ name: 'a', tenant: 'beta' }] });
    expect((await stored()).filter(([, tenant]) => tenant === 'beta')).toEqual([]);
  });

  test('are not for hooks to change', async () => {
    const { id, tag } = await made('hooked');
    expect(await stored()).toEqual([['hooked', 'acme']]);
    await tags().update(tag, { name: 'other' });
    expect(await send('patch', `/items/${id}`, { tags: [{ id: tag, name: 'hooked' }] })).toMatchObject(OK);
    expect(await stored()).toEqual([['hooked', 'acme']]);
  });

  test('of a key column refuse every write to records with another one', async () => {
    const { id, tag } = await made('old');
    for (const [method, path, body, field] of [
      ['post', '', { title: 'new', tags: [{ name: 'x' }] }, 'tags.0'],
      ['patch', `/${id}`, { tags: [{ id: tag, name: 'x' }] }, 'tags'],
      ['put', `/${id}`, { title: 'x', tags: [{ name: 'x' }] }, 'tags.0'],
      ['patch', '/bulk', { bulk: [{ id, tags: [{ name: 'x' }] }] }, 'bulk.0.tags.0'],
    ] as const) {
      const { body: answer } = await send(method, `/guarded${path}`, body);
      expect(answer).toMatchObject({ statusCode: 400, code: 'CRUD_OUT_OF_SCOPE', field });
    }
    expect(await stored()).toEqual([['old', 'acme']]);
    expect(await send('patch', `/guarded/${id}`, { title: 'new', tags: [tag] })).toMatchObject(OK);
  });

  const RULES = { without: 'children.0.tenant should not exist', forbidding: 'children.0.tenant must be empty' };
  test.each(Object.entries(RULES))(
    'meet no rule of a class that does not know them or forbids them, the client does: %s',
    async (path, message) => {
      expect(await send('post', `/${path}`, { title: 'a', children: [{ title: 'b' }] })).toMatchObject({ status: 201 });
      const told = await send('post', `/${path}`, { title: 'a', children: [{ title: 'b', tenant: 'acme' }] });
      expect([told.status, told.body.message]).toEqual([400, [message]]);
      expect(await served.source.getRepository(Item).countBy({ tenant: 'acme' })).toBe(2);
    },
  );
});
