/** Nested records, over HTTP: the rules of their entities without a `@rules.ValidateNested()` at the relations, versions, the key 0, those that are soft-deleted; and values that the application sets in them, by `persist` of `@CrudAuth` and of its relations. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type AuthOptions, type Change, CrudValidationGroups } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Transform, Type } from 'class-transformer';
import * as rules from 'class-validator';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { rowsOf } from '../../../../integration/test-support/rows.js';
import { empty } from '../support/connecting.js';
import { resource, type ResourceOptions } from '../support/resources.js';
import { serving } from '../support/serving.js';

const { UPDATE } = CrudValidationGroups;
const cascade: ('insert' | 'update')[] = ['insert', 'update'];
const always = { always: true };
const trimmed = ({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value);

@orm.Entity('nested_tags')
class Tag {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.VersionColumn() version!: number;
  @orm.DeleteDateColumn() deletedAt!: Date | null;

  @Transform(trimmed, { toClassOnly: true })
  @rules.IsString()
  @rules.Length(1, 20)
  @orm.Column({ type: 'varchar', length: 20, unique: true })
  name!: string;

  @rules.IsOptional(always)
  @rules.IsString(always)
  @orm.Column({ type: 'varchar', length: 20, default: 'nobody' })
  tenant!: string;
}

/** Its key has a part of its item's. */
@orm.Entity('nested_lines')
class Line {
  @orm.PrimaryColumn({ type: 'int' }) itemId!: number;
  @orm.PrimaryColumn({ type: 'int' }) number!: number;
  @rules.IsNotEmpty() @orm.Column({ type: 'varchar', length: 20, default: '' }) text!: string;
  @orm.ManyToOne(() => Item, (item) => item.lines) @orm.JoinColumn({ name: 'itemId' }) item!: orm.Relation<Item>;
}

@orm.Entity('nested_sheets')
class Sheet {
  @orm.PrimaryGeneratedColumn() id!: number;
  @rules.IsNotEmpty() @orm.Column({ type: 'varchar', length: 20, default: '' }) text!: string;
  @orm.Column({ type: 'int', nullable: true }) pages!: number | null;
  @orm.OneToOne(() => Item, (item) => item.sheet) @orm.JoinColumn() item!: orm.Relation<Item>;
}

@orm.Entity('nested_items')
class Item {
  @rules.IsOptional(always) @rules.IsPositive(always) @orm.PrimaryGeneratedColumn() id!: number;
  @orm.VersionColumn() version!: number;
  @orm.DeleteDateColumn() deletedAt!: Date | null;
  @orm.Column({ type: 'varchar', length: 20, nullable: true, unique: true }) code!: string | null;

  @rules.IsOptional({ groups: [UPDATE] })
  @rules.IsString(always)
  @rules.Length(1, 20, always)
  @orm.Column({ type: 'varchar', length: 20 })
  title!: string;

  @rules.IsOptional(always)
  @rules.IsArray(always)
  @rules.Matches(/^[^ ]+$/, { ...always, each: true })
  @orm.Column({ type: 'simple-array', nullable: true })
  words!: string[] | null;

  @rules.IsOptional(always)
  @rules.IsString(always)
  @orm.Column({ type: 'varchar', length: 20, default: 'nobody' })
  tenant!: string;
  @orm.ManyToOne(() => Item, (item) => item.children) parent!: orm.Relation<Item> | null;
  @orm.OneToMany(() => Item, (item) => item.parent, { cascade }) children!: orm.Relation<Item>[];
  @orm.OneToMany(() => Line, (line) => line.item, { cascade }) lines!: orm.Relation<Line>[];
  @orm.OneToOne(() => Sheet, (sheet) => sheet.item, { cascade }) sheet!: orm.Relation<Sheet> | null;
  @orm.ManyToOne(() => Tag, { cascade }) tag!: orm.Relation<Tag> | null;
  @orm.OneToOne(() => Tag, { cascade }) @orm.JoinColumn() badge!: orm.Relation<Tag> | null;
  @orm.ManyToMany(() => Tag, { cascade }) @orm.JoinTable({ name: 'nested_item_tags' }) tags!: orm.Relation<Tag>[];
}

class Hooked extends TypeOrmCrudService<Item> {
  override beforeChange({ model, record }: Change<Item>): void {
    if (model === Tag.name && (record as object as Tag).name === 'hooked') record.tenant = 'beta';
  }
}

/** Knows nothing of the tenant. */
class ChildWithout {
  @rules.IsString() title!: string;
}

class ItemWithout extends ChildWithout {
  @rules.ValidateNested() @Type(() => ChildWithout) children!: ChildWithout[];
}

const ofTenant = () => ({ tenant: 'acme' });
const both = { filter: ofTenant, persist: ofTenant };
const free = { sheet: false, lines: false } as const;
const PERSISTED: NonNullable<AuthOptions['relations']> = {
  ...free,
  tags: both,
  'children.tags': { ...both, persist: () => Promise.resolve({ tenant: 'acme' }) },
  tag: false,
  badge: false,
};
const join = { parent: {}, children: {}, lines: {}, sheet: {}, tag: {}, badge: {}, tags: {}, 'children.tags': {} };
const query = { join };
const persisting = (path: string, relations: AuthOptions['relations'] = {}, more: ResourceOptions<Item> = {}) =>
  resource(Item, path, {
    auth: { ...both, relations: { ...PERSISTED, ...relations } },
    query,
    service: Hooked,
    ...more,
    routes: { updateManyBase: true, replaceManyBase: true, ...more.routes },
  });
const upserting = (...onConflict: string[]) => ({ createOneBase: { onConflict }, createManyBase: { onConflict } });
const strict = { whitelist: true, forbidNonWhitelisted: true };

const soft = { query: { ...query, softDelete: true } };
const RESOURCES = [
  resource(Item, 'items', soft),
  resource(Item, 'scoped-items', { ...soft, auth: { ...both, relations: { ...free, tag: ofTenant, tags: ofTenant } } }),
  resource(Item, 'unruled', { query, validation: false }),
  resource(Item, 'chosen', { routes: { createOneBase: { allowGeneratedKey: true } } }),
  resource(Tag, 'tags', { routes: upserting('name') as never }),
  persisting('persisting'),
  persisting('upserts', {}, { routes: upserting('code') as never }),
  persisting('unset', { tags: { ...both, persist: () => ({ tenant: undefined }) } }),
  persisting('guarded', { tags: { persist: () => ({ id: 'break', tenant: 'acme' }) } }),
  persisting('open', { tags: { persist: ofTenant }, 'children.tags': { persist: ofTenant } }),
  persisting('without', {}, { dto: { create: ItemWithout }, validation: strict }),
];

type Body = Record<string, unknown>;

describeDatabases('nested records', (db) => {
  const items = serving(db, [Tag, Line, Sheet, Item], RESOURCES);
  const { send } = items;
  beforeEach(() => empty(items.source));

  const repository = <T extends object>(entity: new () => T) => items.source.getRepository(entity);
  const create = async (body: Body, path = '/items') =>
    (await send('post', path, { title: 'root', ...body })).body['id'] as number;
  const child = () => repository(Item).findOneByOrFail({ title: 'child' });
  const tags = () => repository(Tag).find({ order: { name: 'ASC' }, withDeleted: true });
  const rows = () => rowsOf(items.source);

  const LENGTH = 'must be longer than or equal to 1 characters';
  test.each<[child: object, message: string]>([
    [{ title: '' }, `1.title ${LENGTH}`],
    [{ title: 'a', tags: [{ name: '' }] }, `1.tags.0.name ${LENGTH}`],
    [{ title: 'y', words: ['a,b'] }, '1.words has an element that must not contain ","'],
  ])('POST and bulk POST refuse the child %j', async (child, message) => {
    const body = { title: 'root', children: [{ title: 'a' }, child] };
    const one = await send('post', '/items', body);
    expect(one).toMatchObject({ status: 400, body: { message: [`children.${message}`] } });
    const many = await send('post', '/items/bulk', { bulk: [body] });
    expect(many).toMatchObject({ status: 400, body: { message: [`bulk.0.children.${message}`] } });
    expect(await repository(Item).count()).toBe(0);
  });

  test('those of which only the database knows whether they exist are checked whole if they do not', async () => {
    const stored = await create({ sheet: { text: 's' }, lines: [{ number: 1, text: 'l' }] });
    const bare = await create({});
    const patch = (id: number, body: Body) => send('patch', `/items/${id}`, body);
    const empty = (path: string) => ({ status: 400, body: { message: [`${path}.text should not be empty`] } });
    expect(await patch(stored, { sheet: { pages: 3 }, lines: [{ number: 1 }] })).toMatchObject({ status: 200 });
    expect(await patch(stored, { sheet: { text: '' } })).toMatchObject(empty('sheet'));
    expect(await patch(bare, { sheet: { pages: 3 } })).toMatchObject(empty('sheet'));
    expect(await patch(bare, { lines: [{ number: 1 }] })).toMatchObject(empty('lines.0'));
    expect(await repository(Sheet).find()).toMatchObject([{ text: 's', pages: 3 }]);
    expect(await repository(Line).count()).toBe(1);
  });

  /** An item with a child and three tags; the child's key and version. */
  const tagged = async () => {
    const nested = { children: [{ title: 'child' }], tag: { name: 't' }, tags: [{ name: 'a' }, { name: 'b' }] };
    const path = `/items/${await create(nested)}`;
    return { path, ...(await child()), stored: await tags() };
  };

  test('a stale version is a 409, the stored one is not', async () => {
    const { path, id, version, stored } = await tagged();
    const stale = { version: 7 };
    const before = await rows();
    for (const [field, body] of [
      ['children.0.version', { children: [{ id, title: 'x', ...stale }] }],
      ['tags.version', { tags: [{ id: stored[0]!.id, name: 'x', ...stale }] }],
      ['tag.version', { tag: { id: stored[2]!.id, name: 'x', ...stale } }],
    ] as const) {
      const answer = await send('patch', path, { title: 'new', ...body });
      expect(answer).toMatchObject({ status: 409, body: { code: 'CRUD_STALE_VERSION', field } });
    }
    expect(await rows()).toEqual(before);
    expect((await send('patch', path, { children: [{ id, title: 'x', version }] })).status).toBe(200);
  });

  test('records that are as they were write nothing, others alone', async () => {
    const { path, id, stored } = await tagged();
    const before = await rows();
    const [a, b, t] = stored.map((tag) => ({ id: tag.id, name: tag.name }));
    const same = { tag: t, tags: [a, b], children: [{ id, title: 'child' }] };
    expect(await send('patch', path, same)).toMatchObject({ status: 200 });
    expect(await rows()).toEqual(before);
    await send('patch', path, { tags: [a, { ...b, name: 'B' }], children: [{ id, title: 'CHILD' }] });
    const versions = (await tags()).map(({ name, version: now }) => `${name} ${now}`);
    expect(versions.sort()).toEqual(['B 2', 'a 1', 't 1']);
    expect(await repository(Item).findOneBy({ id })).toMatchObject({ title: 'CHILD', version: 2 });
  });

  describe.each(['/items', '/scoped-items'])('that are soft-deleted, at %s', (path) => {
    const acme = ofTenant();
    const made = async () => {
      const [tag, ...many] = ['one', 'b', 'c'].map((name) => ({ name, ...acme }));
      const id = await create({ ...acme, children: [{ title: 'child', ...acme }], tag, tags: many }, path);
      const [{ id: gone }, stored] = [await child(), await tags()];
      await send('delete', `/items/${gone}`);
      await repository(Tag).softDelete([stored[0]!.id, stored[2]!.id]);
      return { id, gone, stored };
    };

    test('are neither changed nor given nested records of their own', async () => {
      const { id, gone, stored } = await made();
      const before = await rows();
      for (const [field, body] of [
        ['children.0', { children: [{ id: gone, title: 'x' }] }],
        ['children.0', { children: [{ id: gone, children: [{ title: 'x', ...acme }] }] }],
        ['tag', { tag: { id: stored[2]!.id, name: 'x' } }],
        ['tags', { tags: [stored[1]!.id, { id: stored[0]!.id, name: 'x' }] }],
      ] as const) {
        const refused = { status: 400, body: { code: 'CRUD_OUT_OF_SCOPE', field } };
        expect(await send('patch', `${path}/${id}`, body)).toMatchObject(refused);
        expect(await send('put', `${path}/${id}`, { title: 'root', ...acme, ...body })).toMatchObject(refused);
      }
      expect(await rows()).toEqual(before);
    });

    test('keep their links when what was read is sent back', async () => {
      const { id, stored } = await made();
      const again = await send('patch', `${path}/${id}`, { tag: { id: stored[2]!.id }, title: 'new' });
      expect(again.status).toBe(200);
      const { body } = await send('get', `${path}/${id}?join=tags`);
      expect(body['tags']).toMatchObject([{ name: 'c' }]);
      expect((await send('put', `${path}/${id}?join=tags`, body)).body).toMatchObject({ tags: [{ name: 'c' }] });
      expect(await send('patch', `${path}/${id}`, { tags: [] })).toMatchObject({ status: 200 });
      await repository(Tag).recover(stored);
      expect((await send('get', `${path}/${id}?join=tags`)).body['tags']).toMatchObject([{ name: 'b' }]);
    });
  });

  const counts = () => Promise.all([Item, Tag, Sheet].map((entity) => repository<Item | Tag | Sheet>(entity).count()));

  test.each([0, '0'])('%j in a new record has the database count its key', async (id) => {
    const one = await send('post', '/items', { id, title: 'one' });
    const bulk = await send('post', '/items/bulk', { bulk: ['a', 'b'].map((title) => ({ id, title })) });
    const chosen = await send('post', '/chosen', { id, title: 'chosen' });
    const tag = await send('post', '/tags', { id, name: 'new' });
    const same = await send('post', '/tags/bulk', { bulk: ['new', 'other'].map((name) => ({ id, name })) });
    expect([one, bulk, chosen, tag, same].map(({ status }) => status)).toEqual(Array(5).fill(201));
    const keys = [one.body, ...(bulk.body as Item[]), chosen.body].map((record: Item) => record.id);
    expect([keys.every((key) => key > 0), new Set(keys).size]).toEqual([true, 4]);
    expect((same.body as Tag[])[0]!.id).toBe((tag.body as Tag).id);
  });

  test('nested records that have more than the key 0 are new ones', async () => {
    const { status, body } = await send('post', '/unruled', {
      id: 0,
      title: 'new',
      sheet: { id: 0, text: 'd' },
      badge: { id: '0', name: 'c' },
      tag: { id: 0, name: 'k' },
      children: [0, 0, '0'].map((id) => ({ id, title: 'child' })),
      tags: [0, '0'].map((id, index) => ({ id, name: 'ab'[index] })),
    });
    expect([status, await counts()]).toEqual([201, [4, 4, 1]]);
    const more = { children: [{ id: 0, title: 'd' }], tag: { id: 0, name: 'l' } };
    expect((await send('patch', `/unruled/${(body as Item).id}`, more)).status).toBe(200);
    expect(await counts()).toEqual([5, 5, 1]);
  });

  test('a link by the key 0 is refused, as no record has that key', async () => {
    const before = await counts();
    for (const [field, body] of [
      ['children.0', { children: [{ id: 0 }] }],
      ['tags.1', { tags: [{ name: 'x' }, '0'] }],
      ['tag', { tag: { id: 0 } }],
      ['badge', { badge: 0 }],
    ] as const)
      expect(await send('post', '/unruled', { title: 'x', ...body })).toMatchObject({ status: 400, body: { field } });
    expect((await send('patch', '/items/0', { title: 'x' })).status).toBe(404);
    expect(await counts()).toEqual(before);
  });

  const ONE_TO_ONE = Object.entries({ sheet: 'text', badge: 'name' });
  test.each(ONE_TO_ONE)('a second %s of a one-to-one relation is refused', async (field, name) => {
    const id = await create({ [field]: { [name]: 'first' } });
    const answer = await send('patch', `/items/${id}`, { [field]: { id: 0, [name]: 'second' } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'CRUD_INVALID_BODY', field } });
    expect((await send('get', `/items/${id}?join=${field}`)).body).toMatchObject({ [field]: { [name]: 'first' } });
  });

  describe('values of related records', () => {
    const tenants = async () => (await tags()).map(({ name, tenant }) => [name, tenant]);
    const MADE = { title: 'made', code: 'made' };
    /** Makes an item; its id, and that of its first tag. */
    const made = async (name?: string) => {
      const sent = { ...MADE, tags: name === undefined ? [] : [{ name }] };
      const { body } = await send('post', '/persisting?join=tags', sent);
      return { id: body.id as number, tag: body.tags[0]?.id as number };
    };
    const OK = { status: 200 };

    test('are set by every route that stores bodies', async () => {
      const { id } = await made();
      const item = (name: string, more = {}) => ({ ...MADE, tags: [{ name, tenant: 'beta' }], ...more });
      for (const [method, path, body, status] of [
        ['patch', `/persisting/${id}`, item('patch'), 200],
        ['put', `/persisting/${id}`, item('put'), 200],
        ['patch', '/persisting/bulk', { bulk: [item('bulk patch', { id })] }, 200],
        ['put', '/persisting/bulk', { bulk: [item('bulk put', { id })] }, 200],
        ['post', '/persisting/bulk', { bulk: [item('bulk post', { code: 'other' })] }, 201],
        ['post', '/upserts', item('upsert'), 200],
        ['post', '/upserts/bulk', { bulk: [item('upserts'), item('upserts new', { code: 'third' })] }, 201],
      ] as const) {
        const answer = await send(method, path, body);
        expect([path, answer.status, answer.body['message']]).toEqual([path, status, undefined]);
      }
      expect((await tenants()).map(([, tenant]) => tenant)).toEqual(Array(8).fill('acme'));
    });

    test('are set at every depth, in records of the own entity too', async () => {
      const tags = [{ name: 'of child', tenant: 'beta' }, { name: 'second' }];
      const children = [{ title: 'b', tenant: 'beta', tags }];
      expect(await send('post', '/persisting', { title: 'a', children })).toMatchObject({ status: 201 });
      expect(await tenants()).toEqual(['of child', 'second'].map((name) => [name, 'acme']));
      expect((await repository(Item).find()).map(({ tenant }) => tenant)).toEqual(['acme', 'acme']);
    });

    test('hold when a cascade changes a linked record', async () => {
      const { id, tag } = await made('old');
      for (const [name, tenant] of Object.entries({ new: 'beta', newer: null })) {
        const answer = await send('patch', `/persisting/${id}`, { tags: [{ id: tag, name, tenant }] });
        expect([answer.status, answer.body['message']]).toEqual([200, undefined]);
        expect(await tenants()).toEqual([[name, 'acme']]);
      }
    });

    test('are not written into records that are only linked', async () => {
      const foreign = await repository(Tag).save({ name: 'shared', tenant: 'beta' });
      const { id } = await made();
      for (const link of [foreign.id, { id: foreign.id }, { id: foreign.id, name: 'taken', tenant: 'acme' }]) {
        const { body } = await send('patch', `/persisting/${id}`, { tags: [link] });
        expect(body.code).toBe('CRUD_OUT_OF_SCOPE');
        const linked = await send('patch', `/open/${id}?join=tags`, { tags: [link] });
        expect(linked.body).toMatchObject({ tags: [{ id: foreign.id }] });
        expect(await send('patch', `/open/${id}`, { tags: [{ id: foreign.id, tenant: 'acme' }] })).toMatchObject(OK);
        await send('patch', `/open/${id}`, { tags: [] });
      }
      expect(await tenants()).toEqual([['shared', 'beta']]);
    });

    test('leave no value of the client where there is none', async () => {
      await send('post', '/unset', { title: 'new', tags: [{ name: 'a', tenant: 'beta' }] });
      expect((await tenants()).filter(([, tenant]) => tenant === 'beta')).toEqual([]);
    });

    test('are not for hooks to change', async () => {
      const { id, tag } = await made('hooked');
      expect(await tenants()).toEqual([['hooked', 'acme']]);
      await repository(Tag).update(tag, { name: 'other' });
      expect(await send('patch', `/persisting/${id}`, { tags: [{ id: tag, name: 'hooked' }] })).toMatchObject(OK);
      expect(await tenants()).toEqual([['hooked', 'acme']]);
    });

    test('of a key column refuse records with another key', async () => {
      const { id, tag } = await made('old');
      for (const sent of [{ name: 'x' }, { id: tag, name: 'x' }])
        expect((await send('patch', `/guarded/${id}`, { tags: [sent] })).body.code).toBe('CRUD_OUT_OF_SCOPE');
      expect(await tenants()).toEqual([['old', 'acme']]);
    });

    test('meet no rule of a class that does not know them, the client does', async () => {
      const post = (child: object) => send('post', '/without', { title: 'a', children: [{ title: 'b', ...child }] });
      expect(await post({})).toMatchObject({ status: 201 });
      expect((await post({ tenant: 'acme' })).body.message).toEqual(['children.0.tenant should not exist']);
      expect(await repository(Item).countBy({ tenant: 'acme' })).toBe(2);
    });
  });
});
