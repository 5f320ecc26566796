/** Nested records, over HTTP: the rules of their entities without a `@ValidateNested()` at the relations, versions, repeated keys, the key 0, and those that are soft-deleted. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { rowsOf } from '../../../../integration/test-support/rows.js';
import { empty } from '../support/connecting.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Item, ITEMS, Line, Sheet, Tag } from './items.js';

const ofTenant = () => ({ tenant: 'acme' });
const relations = { tag: ofTenant, tags: ofTenant, sheet: false, lines: false } as const;
const join = { parent: {}, children: {}, lines: {}, sheet: {}, tag: {}, badge: {}, tags: {} };
const query = { join, softDelete: true };
const onConflict: 'name'[] = ['name'];

const RESOURCES = [
  resource(Item, 'items', { query }),
  resource(Item, 'scoped-items', { query, auth: { filter: ofTenant, persist: ofTenant, relations } }),
  resource(Item, 'unruled', { query: { join }, validation: false }),
  resource(Item, 'chosen', { routes: { createOneBase: { allowGeneratedKey: true } } }),
  resource(Tag, 'tags', { routes: { createOneBase: { onConflict }, createManyBase: { onConflict } } }),
];

type Body = Record<string, unknown>;

const LENGTH = 'must be longer than or equal to 1 characters';
const COMMA = 'has an element that must not contain ","';
const INVALID: readonly (readonly [nested: Body, message: string, code?: string])[] = [
  [{ children: [{ title: 'a' }, { title: '' }] }, `children.1.title ${LENGTH}`],
  [{ children: [{ words: ['a b'] }] }, 'children.0.title must be a string'],
  [{ children: [{ title: 'a', tags: [{ name: '' }] }] }, `children.0.tags.0.name ${LENGTH}`],
  [{ children: [{ title: 'y', words: ['a,b'] }] }, `children.0.words ${COMMA}`, 'CRUD_INVALID_VALUE'],
];

describeDatabases('nested records', (db) => {
  const items = serving(db, ITEMS, RESOURCES, { source: { dropSchema: true } });
  beforeEach(() => empty(items.source));

  const repository = <T extends object>(entity: new () => T) => items.source.getRepository(entity);
  const create = async (body: Body, path = '/items') =>
    (await items.send('post', path, { title: 'root', ...body })).body['id'] as number;
  const child = () => repository(Item).findOneByOrFail({ title: 'child' });
  const tags = () => repository(Tag).find({ order: { name: 'ASC' }, withDeleted: true });
  const rows = () => rowsOf(items.source);
  const invalid = (...message: unknown[]) => ({ status: 400, body: { code: 'CRUD_INVALID_BODY', message } });

  test.each(INVALID)('POST and bulk POST refuse %j', async (nested, message, code = 'CRUD_INVALID_BODY') => {
    const body = { title: 'root', ...nested };
    const one = await items.send('post', '/items', body);
    const many = await items.send('post', '/items/bulk', { bulk: [body] });
    for (const answer of [one, many]) expect(answer).toMatchObject({ status: 400, body: { code } });
    expect(one.body['message']).toContain(message);
    expect(many.body['message']).toContain(`bulk.0.${message}`);
    expect(await repository(Item).count()).toBe(0);
  });

  test('those of which only the database knows whether they exist are checked whole if they do not', async () => {
    const stored = await create({ sheet: { text: 's' }, lines: [{ number: 1, text: 'l' }] });
    const bare = await create({});
    const patch = (id: number, body: Body) => items.send('patch', `/items/${id}`, body);
    const empty = (path: string) => invalid(`${path}.text should not be empty`);
    expect(await patch(stored, { sheet: { pages: 3 }, lines: [{ number: 1 }] })).toMatchObject({ status: 200 });
    expect(await patch(stored, { sheet: { text: '' } })).toMatchObject(empty('sheet'));
    expect(await patch(bare, { sheet: { pages: 3 } })).toMatchObject(empty('sheet'));
    expect(await patch(bare, { lines: [{ number: 1 }] })).toMatchObject(empty('lines.0'));
    expect(await repository(Sheet).find()).toMatchObject([{ text: 's', pages: 3 }]);
    expect(await repository(Line).count()).toBe(1);
  });

  test('a record that was read can be sent back, once', async () => {
    const nested = { tags: [{ name: 'a' }], tag: { name: 't' }, children: [{ title: 'b' }], sheet: { text: 's' } };
    const path = `/items/${await create(nested)}?join=tags&join=tag&join=children&join=sheet`;
    const { body } = await items.send('get', path);
    expect(await items.send('put', path, body)).toMatchObject({ status: 200, body: nested });
    expect(await items.send('patch', path, body)).toMatchObject({ status: 409 });
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
      const answer = await items.send('patch', path, { title: 'new', ...body });
      expect(answer).toMatchObject({ status: 409, body: { code: 'CRUD_STALE_VERSION', field } });
    }
    expect(await rows()).toEqual(before);
    expect((await items.send('patch', path, { children: [{ id, title: 'x', version }] })).status).toBe(200);
  });

  test('records that are as they were write nothing, others alone', async () => {
    const { path, id, stored } = await tagged();
    const before = await rows();
    const [a, b, t] = stored.map((tag) => ({ id: tag.id, name: tag.name }));
    const same = { tag: t, tags: [a, b], children: [{ id, title: 'child' }] };
    expect(await items.send('patch', path, same)).toMatchObject({ status: 200 });
    expect(await rows()).toEqual(before);
    await items.send('patch', path, { tags: [a, { ...b, name: 'B' }], children: [{ id, title: 'CHILD' }] });
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
      await items.send('delete', `/items/${gone}`);
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
        expect(await items.send('patch', `${path}/${id}`, body)).toMatchObject(refused);
        expect(await items.send('put', `${path}/${id}`, { title: 'root', ...acme, ...body })).toMatchObject(refused);
      }
      expect(await rows()).toEqual(before);
    });

    test('keep their links when what was read is sent back', async () => {
      const { id, stored } = await made();
      const again = { tag: { id: stored[2]!.id }, title: 'new' };
      expect(await items.send('patch', `${path}/${id}`, again)).toMatchObject({ status: 200 });
      const { body } = await items.send('get', `${path}/${id}?join=tags`);
      expect(body['tags']).toMatchObject([{ name: 'c' }]);
      const put = await items.send('put', `${path}/${id}?join=tags`, body);
      expect(put).toMatchObject({ status: 200, body: { tags: [{ name: 'c' }] } });
      expect(await items.send('patch', `${path}/${id}`, { tags: [] })).toMatchObject({ status: 200 });
      await repository(Tag).recover(stored);
      expect((await items.send('get', `${path}/${id}?join=tags`)).body['tags']).toMatchObject([{ name: 'b' }]);
    });

    test('make room for others', async () => {
      const { id, stored } = await made();
      for (const tag of [{ id: stored[1]!.id, version: 1 }, { name: 'new' }]) {
        const answer = await items.send('patch', `${path}/${id}?join=tag`, { tag: { ...tag, ...acme } });
        expect(answer).toMatchObject({ status: 200, body: { tag } });
        await repository(Item).update(id, { tag: stored[2]! });
      }
    });
  });

  const { send } = items;
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

  test('other keys than 0 of new records are refused, and no stored record is found by 0', async () => {
    for (const id of ['00', -1, 12345]) expect((await send('post', '/items', { id, title: 'x' })).status).toBe(400);
    expect((await send('patch', '/items/0', { title: 'x' })).status).toBe(404);
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

  test.each<[string, object]>([
    ['children.0', { children: [{ id: 0 }] }],
    ['tags.0', { tags: [{ id: 0 }] }],
    ['tags.0', { tags: [0] }],
    ['tags.1', { tags: [{ name: 'x' }, { id: '0' }] }],
    ['tag', { tag: { id: 0 } }],
    ['tag', { tag: '0' }],
    ['badge', { badge: 0 }],
    ['sheet', { sheet: { id: 0 } }],
  ])('%s that has the key 0 alone is a link to no record, and refused', async (field, body) => {
    const id = await create({});
    const before = await counts();
    expect(await send('post', '/unruled', { title: 'x', ...body })).toMatchObject({ status: 400, body: { field } });
    expect(await send('patch', `/unruled/${id}`, body)).toMatchObject({ status: 400, body: { field } });
    expect(await counts()).toEqual(before);
  });

  test.each(Object.entries({ sheet: 'text', badge: 'name' }))(
    'a second %s of a one-to-one relation is refused',
    async (field, name) => {
      const id = await create({ [field]: { [name]: 'first' } });
      const answer = await send('patch', `/items/${id}`, { [field]: { id: 0, [name]: 'second' } });
      expect(answer).toMatchObject({ status: 400, body: { code: 'CRUD_INVALID_BODY', field } });
      const stored = (await send('get', `/items/${id}?join=${field}`)).body;
      expect(stored).toMatchObject({ [field]: { [name]: 'first' } });
    },
  );
});
