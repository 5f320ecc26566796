/** Versions and repeated keys in nested lists, decimals beyond their scale, and writes by condition with an order. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { Item, type Items, startItems, Tag } from './nested-writes.application.js';

describeDatabases('conflicts in nested records', (db) => {
  let items: Items;
  let path: string;
  let child: Item;
  let tags: Tag[];

  beforeAll(async () => {
    items = await startItems(db);
  });
  afterAll(() => items?.close());
  beforeEach(async () => {
    await items.clear();
    const body = {
      title: 'root',
      children: [{ title: 'child' }],
      tag: { name: 't' },
      tags: [{ name: 'a' }, { name: 'b' }],
    };
    path = `/items/${String((await items.send('post', '/items', body)).body['id'])}`;
    child = await items.source.getRepository(Item).findOneByOrFail({ title: 'child' });
    tags = await items.source.getRepository(Tag).find({ order: { name: 'ASC' } });
  });

  const stored = async () => [
    await items.source.getRepository(Item).find({ order: { id: 'ASC' } }),
    await items.source.getRepository(Tag).find({ order: { id: 'ASC' } }),
  ];

  test('a stale version is a 409, the stored one is not', async () => {
    const [{ id }, , { id: one }] = tags as [Tag, Tag, Tag];
    const stale = { version: 7 };
    const before = await stored();

    for (const [field, body] of [
      ['children.0.version', { children: [{ id: child.id, title: 'x', ...stale }] }],
      ['tags.version', { tags: [{ id, name: 'x', ...stale }] }],
      ['tag.version', { tag: { id: one, name: 'x', ...stale } }],
    ] as const) {
      const answer = await items.send('patch', path, { title: 'new', ...body });

      expect([answer.status, answer.body['code'], answer.body['field']]).toEqual([409, 'CRUD_STALE_VERSION', field]);
    }
    expect(await stored()).toEqual(before);
    expect(
      await items.send('patch', path, { children: [{ id: child.id, title: 'x', version: child.version }] }),
    ).toMatchObject({ status: 200 });
  });

  test('a list that names one record twice is a 400', async () => {
    const before = await stored();
    const [{ id }] = tags as [Tag];

    for (const [field, body] of [
      ['children', { children: ['x', 'y'].map((title) => ({ id: child.id, title })) }],
      ['tags', { tags: ['x', 'y'].map((name) => ({ id, name })) }],
      ['lines', { lines: ['x', 'y'].map((text) => ({ number: 1, text })) }],
    ] as const) {
      const answer = await items.send('patch', path, body);

      expect([answer.status, answer.body['message']]).toEqual([400, [`${field} names one record twice`]]);
    }
    expect(await stored()).toEqual(before);
  });

  describe('decimals', () => {
    test.each([
      ['1.005', '1.01'],
      [1.005, '1.01'],
      ['-1.005', '-1.01'],
      ['0.004', '0.00'],
      ['999999.994', '999999.99'],
    ])('%j is stored as %s', async (price, expected) => {
      await items.send('patch', path, { price });
      const { version } = (await items.send('get', path)).body;
      expect(Number((await items.send('get', path)).body['price']).toFixed(2)).toBe(expected);

      await items.send('patch', path, { price });
      expect((await items.send('get', path)).body['version']).toBe(version);
    });

    test('one that no longer fits is a 400', async () => {
      expect(await items.send('patch', path, { price: '999999.995' })).toMatchObject({
        status: 400,
        body: { code: 'CRUD_VALUE_OUT_OF_RANGE', field: 'price' },
      });
    });
  });

  test('a write by condition has no order', async () => {
    const answer = await items.send('patch', '/items/bulk?filter=title||$eq||root&sort=title,ASC', {
      set: { title: 'x' },
    });

    expect([answer.status, answer.body['code'], answer.body['field']]).toEqual([
      400,
      'CRUD_INVALID_PAGINATION',
      'sort',
    ]);
    expect(await items.send('delete', '/items/bulk?filter=title||$eq||root&sort=unknown,ASC')).toMatchObject({
      status: 400,
    });
  });
});
