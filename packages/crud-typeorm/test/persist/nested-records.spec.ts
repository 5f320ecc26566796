/** The rules of nested records' entities, over HTTP, without a `@ValidateNested()` at the relations. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { Item, type Items, Line, Sheet, startItems, Tag } from './nested-writes.application.js';

type Body = Record<string, unknown>;

const INVALID: readonly (readonly [nested: Body, message: string])[] = [
  [{ children: [{ title: 'a' }, { title: '' }] }, 'children.1.title must be longer than or equal to 1 characters'],
  [{ children: [{ words: ['a b'] }] }, 'children.0.title must be a string'],
  [{ children: [{ title: 'a', tags: [{ name: '' }] }] }, 'children.0.tags.0.name must be longer than'],
  [{ tags: [{ name: ' ' }] }, 'tags.0.name must be longer than or equal to 1 characters'],
  [{ tags: [{}] }, 'tags.0.name must be a string'],
  [{ tag: { name: 7 } }, 'tag.name must be a string'],
  [{ sheet: { pages: 1 } }, 'sheet.text should not be empty'],
  [{ lines: [{ number: 1 }] }, 'lines.0.text should not be empty'],
];

describeDatabases('nested records and the rules of their entities', (db) => {
  let items: Items;

  beforeAll(async () => {
    items = await startItems(db);
  });
  afterAll(() => items?.close());
  beforeEach(() => items.clear());

  const count = () => items.source.getRepository(Item).count();
  const create = async (body: Body) =>
    (await items.send('post', '/items', { title: 'root', ...body })).body['id'] as number;

  describe.each([
    ['POST', '', (body: Body) => items.send('post', '/items', { title: 'root', ...body })],
    ['bulk POST', 'bulk.0.', (body: Body) => items.send('post', '/items/bulk', { bulk: [{ title: 'root', ...body }] })],
  ])('%s', (_, prefix, send) => {
    test.each(INVALID)('refuses %j', async (nested, message) => {
      const { status, body } = await send(nested);

      expect([status, body['code']]).toEqual([400, 'CRUD_INVALID_BODY']);
      expect(body['message']).toContainEqual(expect.stringContaining(prefix + message));
      expect(await count()).toBe(0);
    });
  });

  test('a class in dto that does not describe them leaves them to the model', async () => {
    const { status, body } = await items.send('post', '/described-items', {
      title: 'root',
      children: [{ title: '', tags: [{ name: '' }] }],
    });

    expect([status, body['message']]).toEqual([
      400,
      [
        'children.0.title must be longer than or equal to 1 characters',
        'children.0.tags.0.name must be longer than or equal to 1 characters',
      ],
    ]);
  });

  test('are made as their class makes them', async () => {
    await create({ tags: [{ name: ' urgent ' }], sheet: { text: 'x' }, lines: [{ number: 1, text: 'y' }] });

    expect(await items.source.getRepository(Tag).find()).toMatchObject([{ name: 'urgent' }]);
  });

  test('a text with the separator of a simple array is refused', async () => {
    const { status, body } = await items.send('post', '/items', {
      title: 'x',
      children: [{ title: 'y', words: ['a,b'] }],
    });

    expect([status, body['message']]).toEqual([400, ['children.0.words has an element that must not contain ","']]);
    expect(await count()).toBe(0);
  });

  test('those that are changed are checked for what they carry', async () => {
    const id = await create({ tags: [{ name: 'a' }], children: [{ title: 'b', words: ['c'] }] });
    const [tag] = await items.source.getRepository(Tag).find();
    const child = await items.source.getRepository(Item).findOneByOrFail({ title: 'b' });
    const patch = (body: Body) => items.send('patch', `/items/${id}`, body);

    expect(await patch({ tags: [{ id: tag!.id, name: '' }] })).toMatchObject({
      status: 400,
      body: { message: ['tags.0.name must be longer than or equal to 1 characters'] },
    });
    expect(await patch({ children: [{ id: child.id, words: ['x y'] }] })).toMatchObject({ status: 400 });
    expect(await patch({ tags: [{ id: tag!.id }], children: [{ id: child.id, words: ['z'] }] })).toMatchObject({
      status: 200,
    });
    expect(await items.send('put', `/items/${id}`, { title: 'r', tags: [{ id: tag!.id, tenant: 't' }] })).toMatchObject(
      { status: 200 },
    );
    expect(await items.source.getRepository(Tag).find()).toMatchObject([{ name: 'a', tenant: 't' }]);
    expect(await items.source.getRepository(Item).findOneBy({ id: child.id })).toMatchObject({ words: ['z'] });
  });

  test('a record that was read can be sent back', async () => {
    const id = await create({
      tags: [{ name: 'a' }],
      tag: { name: 't' },
      children: [{ title: 'b' }],
      sheet: { text: 's' },
    });
    const path = `/items/${id}?join=tags&join=tag&join=children&join=sheet`;
    const { body } = await items.send('get', path);

    expect(await items.send('put', path, body)).toMatchObject({
      status: 200,
      body: { tags: [{ name: 'a' }], sheet: { text: 's' } },
    });
    expect(await items.send('patch', path, body)).toMatchObject({ status: 409 });
  });

  describe('of which only the database knows whether they exist', () => {
    test('are checked for what they carry if they do', async () => {
      const id = await create({ sheet: { text: 's' }, lines: [{ number: 1, text: 'l' }] });

      expect(await items.send('patch', `/items/${id}`, { sheet: { pages: 3 }, lines: [{ number: 1 }] })).toMatchObject({
        status: 200,
      });
      expect(await items.send('patch', `/items/${id}`, { sheet: { text: '' } })).toMatchObject({
        status: 400,
        body: { message: ['sheet.text should not be empty'] },
      });
      expect(await items.source.getRepository(Sheet).find()).toMatchObject([{ text: 's', pages: 3 }]);
    });

    test('are checked whole if they do not', async () => {
      const id = await create({});

      expect(await items.send('patch', `/items/${id}`, { sheet: { pages: 3 } })).toMatchObject({
        status: 400,
        body: { message: ['sheet.text should not be empty'] },
      });
      expect(await items.send('patch', `/items/${id}`, { lines: [{ number: 1 }] })).toMatchObject({
        status: 400,
        body: { message: ['lines.0.text should not be empty'] },
      });
      expect(await items.source.getRepository(Line).count()).toBe(0);
    });
  });
});
