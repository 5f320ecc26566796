/** Nested records that are soft-deleted: no cascade writes them, and no list removes their links. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { Item, type Items, startItems, Tag } from './nested-writes.application.js';

type Body = Record<string, unknown>;

describeDatabases('nested records that are soft-deleted', (db) => {
  let items: Items;

  beforeAll(async () => {
    items = await startItems(db);
  });
  afterAll(() => items?.close());
  beforeEach(() => items.clear());

  describe.each(['/items', '/scoped-items'])('%s', (path) => {
    let id: number;
    let child: number;
    let tags: Tag[];

    beforeEach(async () => {
      const body = {
        title: 'root',
        tenant: 'acme',
        children: [{ title: 'child', tenant: 'acme' }],
        tag: { name: 'one', tenant: 'acme' },
        tags: ['b', 'c'].map((name) => ({ name, tenant: 'acme' })),
      };
      id = (await items.send('post', path, body)).body['id'] as number;
      child = (await items.source.getRepository(Item).findOneByOrFail({ title: 'child' })).id;
      tags = await items.source.getRepository(Tag).find({ order: { name: 'ASC' } });
      await items.send('delete', `/items/${child}`);
      await items.source.getRepository(Tag).softDelete([tags[0]!.id, tags[2]!.id]);
    });

    const nested = (): readonly (readonly [field: string, body: Body])[] => [
      ['children.0', { children: [{ id: child, title: 'x' }] }],
      ['children.0', { children: [{ id: child, children: [{ title: 'x', tenant: 'acme' }] }] }],
      ['tag', { tag: { id: tags[2]!.id, name: 'x' } }],
      ['tags', { tags: [tags[1]!.id, { id: tags[0]!.id, name: 'x' }] }],
    ];
    const rows = async () => ({
      items: await items.source.getRepository(Item).find({ withDeleted: true, order: { id: 'ASC' } }),
      tags: await items.source.getRepository(Tag).find({ withDeleted: true, order: { id: 'ASC' } }),
    });

    test('are neither changed nor given nested records of their own', async () => {
      const before = await rows();

      for (const [field, body] of nested()) {
        for (const [method, whole] of [
          ['patch', body],
          ['put', { title: 'root', tenant: 'acme', ...body }],
        ] as const) {
          const answer = await items.send(method, `${path}/${id}`, whole);

          expect([answer.status, answer.body['code'], answer.body['field']]).toEqual([400, 'CRUD_OUT_OF_SCOPE', field]);
        }
      }
      expect(await rows()).toEqual(before);
    });

    test('keep their links when a list that was read is sent back', async () => {
      const { body } = await items.send('get', `${path}/${id}?join=tags`);
      expect(body['tags']).toMatchObject([{ name: 'c' }]);

      expect(await items.send('put', `${path}/${id}?join=tags`, body)).toMatchObject({
        status: 200,
        body: { tags: [{ name: 'c' }] },
      });
      expect(await items.send('patch', `${path}/${id}`, { tags: [] })).toMatchObject({ status: 200 });
      await items.source.getRepository(Tag).recover(tags);
      expect((await items.send('get', `${path}/${id}?join=tags`)).body['tags']).toMatchObject([{ name: 'b' }]);
    });

    test('stay where a to-one relation says again what is stored', async () => {
      expect(await items.send('patch', `${path}/${id}`, { tag: { id: tags[2]!.id }, title: 'new' })).toMatchObject({
        status: 200,
      });
    });
  });
});
