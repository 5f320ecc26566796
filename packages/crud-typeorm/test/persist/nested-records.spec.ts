/** Nested records, over HTTP: the rules of their entities without a `@ValidateNested()` at the relations, versions, repeated keys, and those that are soft-deleted. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { CrudValidationGroups } from '@nestwright/crud';
import { Transform } from 'class-transformer';
import { IsArray, IsNotEmpty, IsOptional, IsString, Length, Matches } from 'class-validator';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { empty } from '../support/connecting.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

const { UPDATE } = CrudValidationGroups;
const cascade: ('insert' | 'update')[] = ['insert', 'update'];
const kept = { always: true };
const trimmed = ({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value);

@orm.Entity('nested_tags')
class Tag {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.VersionColumn() version!: number;
  @orm.DeleteDateColumn() deletedAt!: Date | null;

  @Transform(trimmed, { toClassOnly: true })
  @IsString()
  @Length(1, 20)
  @orm.Column({ type: 'varchar', length: 20 })
  name!: string;

  @IsOptional(kept)
  @IsString(kept)
  @orm.Column({ type: 'varchar', length: 20, default: 'nobody' })
  tenant!: string;
}

/** Its key has a part of its item's. */
@orm.Entity('nested_lines')
class Line {
  @orm.PrimaryColumn({ type: 'int' }) itemId!: number;
  @orm.PrimaryColumn({ type: 'int' }) number!: number;
  @IsNotEmpty() @orm.Column({ type: 'varchar', length: 20, default: '' }) text!: string;
  @orm.ManyToOne(() => Item, (item) => item.lines) @orm.JoinColumn({ name: 'itemId' }) item!: orm.Relation<Item>;
}

@orm.Entity('nested_sheets')
class Sheet {
  @orm.PrimaryGeneratedColumn() id!: number;
  @IsNotEmpty() @orm.Column({ type: 'varchar', length: 20, default: '' }) text!: string;
  @orm.Column({ type: 'int', nullable: true }) pages!: number | null;
  @orm.OneToOne(() => Item, (item) => item.sheet) @orm.JoinColumn() item!: orm.Relation<Item>;
}

@orm.Entity('nested_items')
class Item {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.VersionColumn() version!: number;
  @orm.DeleteDateColumn() deletedAt!: Date | null;

  @IsOptional({ groups: [UPDATE] })
  @IsString(kept)
  @Length(1, 20, kept)
  @orm.Column({ type: 'varchar', length: 20 })
  title!: string;

  @IsOptional(kept)
  @IsArray(kept)
  @Matches(/^[^ ]+$/, { ...kept, each: true })
  @orm.Column({ type: 'simple-array', nullable: true })
  words!: string[] | null;

  @IsOptional(kept)
  @IsString(kept)
  @orm.Column({ type: 'varchar', length: 20, default: 'nobody' })
  tenant!: string;

  @orm.ManyToOne(() => Item, (item) => item.children) parent!: orm.Relation<Item> | null;
  @orm.OneToMany(() => Item, (item) => item.parent, { cascade }) children!: orm.Relation<Item>[];
  @orm.OneToMany(() => Line, (line) => line.item, { cascade }) lines!: orm.Relation<Line>[];
  @orm.OneToOne(() => Sheet, (sheet) => sheet.item, { cascade }) sheet!: orm.Relation<Sheet> | null;
  @orm.ManyToOne(() => Tag, { cascade }) tag!: orm.Relation<Tag> | null;
  @orm.ManyToMany(() => Tag, { cascade }) @orm.JoinTable({ name: 'nested_item_tags' }) tags!: orm.Relation<Tag>[];
}

/** Says nothing of the records in its relations. */
class ItemBody {
  @IsString() title!: string;
  @IsOptional() children?: unknown;
  @IsOptional() tags?: unknown;
}

const ofTenant = () => ({ tenant: 'acme' });
const relations = { tag: ofTenant, tags: ofTenant, sheet: false, lines: false } as const;
const join = { parent: {}, children: {}, lines: {}, sheet: {}, tag: {}, tags: {} };

const RESOURCES = [
  resource(Item, 'items', { query: { join, softDelete: true } }),
  resource(Item, 'described-items', { query: { join }, dto: { create: ItemBody, update: ItemBody } }),
  resource(Item, 'scoped-items', {
    query: { join, softDelete: true },
    auth: { filter: ofTenant, persist: ofTenant, relations },
  }),
];

type Body = Record<string, unknown>;

const LENGTH = 'must be longer than or equal to 1 characters';
const COMMA = 'has an element that must not contain ","';
const INVALID: readonly (readonly [nested: Body, message: string, code?: string])[] = [
  [{ children: [{ title: 'a' }, { title: '' }] }, `children.1.title ${LENGTH}`],
  [{ children: [{ words: ['a b'] }] }, 'children.0.title must be a string'],
  [{ children: [{ title: 'a', tags: [{ name: '' }] }] }, `children.0.tags.0.name ${LENGTH}`],
  [{ children: [{ title: 'y', words: ['a,b'] }] }, `children.0.words ${COMMA}`, 'CRUD_INVALID_VALUE'],
  [{ tags: [{ name: ' ' }] }, `tags.0.name ${LENGTH}`],
  [{ tag: { name: 7 } }, 'tag.name must be a string'],
  [{ sheet: { pages: 1 } }, 'sheet.text should not be empty'],
  [{ lines: [{ number: 1 }] }, 'lines.0.text should not be empty'],
];

describeDatabases('nested records', (db) => {
  const items = serving(db, [Tag, Line, Sheet, Item], RESOURCES, { source: { dropSchema: true } });
  beforeEach(() => empty(items.source));

  const repository = <T extends object>(entity: new () => T) => items.source.getRepository(entity);
  const create = async (body: Body, path = '/items') =>
    (await items.send('post', path, { title: 'root', ...body })).body['id'] as number;
  const child = () => repository(Item).findOneByOrFail({ title: 'child' });
  const tags = () => repository(Tag).find({ order: { name: 'ASC' }, withDeleted: true });
  /** Everything that is stored, soft-deleted or not. */
  const rows = () =>
    Promise.all(
      [Item, Tag].map((entity) => repository<Item | Tag>(entity).find({ withDeleted: true, order: { id: 'ASC' } })),
    );
  const invalid = (...message: unknown[]) => ({ status: 400, body: { code: 'CRUD_INVALID_BODY', message } });

  describe('and the rules of their entities', () => {
    test.each(INVALID)('POST and bulk POST refuse %j', async (nested, message, code = 'CRUD_INVALID_BODY') => {
      const body = { title: 'root', ...nested };
      const one = await items.send('post', '/items', body);
      const many = await items.send('post', '/items/bulk', { bulk: [body] });
      for (const answer of [one, many]) expect(answer).toMatchObject({ status: 400, body: { code } });
      expect(one.body['message']).toContain(message);
      expect(many.body['message']).toContain(`bulk.0.${message}`);
      expect(await repository(Item).count()).toBe(0);
    });

    test('a class in dto that does not describe them leaves them to the model', async () => {
      const children = [{ title: '', tags: [{ name: '' }] }];
      const answer = await items.send('post', '/described-items', { title: 'root', children });
      expect(answer).toMatchObject(invalid(`children.0.title ${LENGTH}`, `children.0.tags.0.name ${LENGTH}`));
    });

    test('are made as their class makes them', async () => {
      await create({ tags: [{ name: ' urgent ' }] });
      expect(await tags()).toMatchObject([{ name: 'urgent' }]);
    });

    test('those that are changed are checked for what they carry', async () => {
      const id = await create({ tags: [{ name: 'a' }], children: [{ title: 'child', words: ['c'] }] });
      const [tag] = await tags();
      const { id: nested } = await child();
      const patch = (body: Body) => items.send('patch', `/items/${id}`, body);
      expect(await patch({ tags: [{ id: tag!.id, name: '' }] })).toMatchObject(invalid(`tags.0.name ${LENGTH}`));
      expect(await patch({ children: [{ id: nested, words: ['x y'] }] })).toMatchObject({ status: 400 });
      const changed = await patch({ tags: [{ id: tag!.id }], children: [{ id: nested, words: ['z'] }] });
      expect(changed).toMatchObject({ status: 200 });
      const put = { title: 'r', tags: [{ id: tag!.id, tenant: 't' }] };
      expect(await items.send('put', `/items/${id}`, put)).toMatchObject({ status: 200 });
      expect(await tags()).toMatchObject([{ name: 'a', tenant: 't' }]);
      expect(await child()).toMatchObject({ words: ['z'] });
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
  });

  test('a record that was read can be sent back, once', async () => {
    const nested = { tags: [{ name: 'a' }], tag: { name: 't' }, children: [{ title: 'b' }], sheet: { text: 's' } };
    const path = `/items/${await create(nested)}?join=tags&join=tag&join=children&join=sheet`;
    const { body } = await items.send('get', path);
    expect(await items.send('put', path, body)).toMatchObject({ status: 200, body: nested });
    expect(await items.send('patch', path, body)).toMatchObject({ status: 409 });
  });

  describe('in conflict', () => {
    let path: string;
    let id: number;
    let version: number;
    let stored: Tag[];

    beforeEach(async () => {
      const nested = { children: [{ title: 'child' }], tag: { name: 't' }, tags: [{ name: 'a' }, { name: 'b' }] };
      path = `/items/${await create(nested)}`;
      ({ id, version } = await child());
      stored = await tags();
    });

    test('a stale version is a 409, the stored one is not', async () => {
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

    test('a list that names one record twice is a 400', async () => {
      const before = await rows();
      for (const [field, body] of [
        ['children', { children: ['x', 'y'].map((title) => ({ id, title })) }],
        ['tags', { tags: ['x', 'y'].map((name) => ({ id: stored[0]!.id, name })) }],
        ['lines', { lines: ['x', 'y'].map((text) => ({ number: 1, text })) }],
      ] as const)
        expect(await items.send('patch', path, body)).toMatchObject(invalid(`${field} names one record twice`));
      expect(await rows()).toEqual(before);
    });
  });

  describe.each(['/items', '/scoped-items'])('that are soft-deleted, at %s', (path) => {
    const acme = { tenant: 'acme' };
    let id: number;
    let gone: number;
    let stored: Tag[];

    beforeEach(async () => {
      const [tag, ...many] = ['one', 'b', 'c'].map((name) => ({ name, ...acme }));
      id = await create({ ...acme, children: [{ title: 'child', ...acme }], tag, tags: many }, path);
      gone = (await child()).id;
      stored = await tags();
      await items.send('delete', `/items/${gone}`);
      await repository(Tag).softDelete([stored[0]!.id, stored[2]!.id]);
    });

    test('are neither changed nor given nested records of their own', async () => {
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
  });
});
