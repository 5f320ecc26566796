/** Requests that read, grow and rearrange the three forms of TypeORM's trees → answers over HTTP, and what TypeORM's tree repositories find afterwards, on each database. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Tree, TreeChildren, TreeParent, VersionColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { Prefixed } from './entities.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

type Node = { id: number; name: string; version: number; parent: Node | null };

function nodes(table: string, form: Parameters<typeof Tree>[0]): Type<Node> {
  @Entity(table)
  @Tree(form)
  class Nodes implements Node {
    // TypeORM's closure tables do not find columns that are named otherwise.
    @PrimaryGeneratedColumn({ name: 'id' }) id!: number;
    @Column({ type: 'varchar', length: 20, unique: true }) name!: string;
    @VersionColumn() version!: number;
    @TreeParent() parent!: Relation<Nodes> | null;
    @TreeChildren() children!: Relation<Nodes>[];
  }
  // Nest tells repositories apart by the names of their classes.
  return Object.defineProperty(Nodes, 'name', { value: table });
}

@Entity('titles')
@Tree('materialized-path')
class Title {
  @PrimaryColumn({ type: 'varchar', length: 100 }) name!: string;
  @Column({ type: 'varchar', length: 20, nullable: true }) note!: string | null;
  @TreeParent() parent!: Relation<Title> | null;
  @TreeChildren() children!: Relation<Title>[];
}

const FORMS = Object.entries({
  paths: nodes('paths', 'materialized-path'),
  closures: nodes('closures', 'closure-table'),
  sets: nodes('sets', 'nested-set'),
});
const routes = { updateManyBase: true, replaceManyBase: true } as const;
const RESOURCES = [
  ...FORMS.map(([path, form]) => resource(form, path, { routes })),
  resource(Title, 'titles', { params: { name: { field: 'name', type: 'string', primary: true } } }),
];

describeDatabases('trees', (db) => {
  const entities = [...FORMS.map(([, form]) => form), Title];
  const own = serving(db, entities, RESOURCES, { source: { namingStrategy: new Prefixed() } });
  const { send, statusOf } = own;
  const empty = async (table: string, foreignKey: string) => {
    await own.source.query(`UPDATE ${table} SET ${foreignKey} = NULL`);
    await own.source.query(`DELETE FROM ${table}`);
  };

  describe.each(FORMS)('%s', (path, entity) => {
    const ids = new Map<string, number>();
    const id = (name: string) => ids.get(name) ?? 0;
    const grow = async (name: string, parent?: string) => {
      const answer = await send('post', `/${path}`, { name, ...(parent && { parent: id(parent) }) });
      if (answer.status === 201) ids.set(name, answer.body.id as number);
      return answer;
    };
    const move = (name: string, parent: string | null) =>
      send('patch', `/${path}/${id(name)}`, { parent: parent && id(parent) });
    /** What the tree repository finds: each record's name between the names of all above and of all below it. */
    const tree = async () => {
      const repository = own.source.getTreeRepository(entity);
      const nodes = await repository.find({ order: { name: 'ASC' } });
      const others = (list: Node[], of: Node) => list.map(({ name }) => name).filter((name) => name !== of.name);
      const text = (list: Node[], of: Node) => others(list, of).sort().join('');
      const around = async (node: Node) =>
        `${text(await repository.findAncestors(node), node)}>${node.name}>${text(await repository.findDescendants(node), node)}`;
      return Promise.all(nodes.map(around));
    };
    const GROWN = ['>a>bcd', 'a>b>c', 'ab>c>', 'a>d>'];
    const refused = (field: string) => {
      const message = [`${field} cannot be changed: a record keeps its place in a tree`];
      return { status: 400, body: { code: 'CRUD_INVALID_BODY', field, message } };
    };
    beforeEach(async () => {
      await empty(path, 'fk_parent_id');
      ids.clear();
      for (const [name, parent] of [['a'], ['b', 'a'], ['c', 'b'], ['d', 'a']] as const) await grow(name, parent);
    });

    test('a record keeps its parent, whatever route a change takes; an equal one passes, and a PUT without', async () => {
      const item = { id: id('b'), name: 'B', parent: id('d') };
      for (const parent of ['d', 'b', null]) expect(await move('b', parent)).toMatchObject(refused('parent'));
      for (const body of [item, { name: 'B', parent: null }])
        expect(await send('put', `/${path}/${id('b')}`, body)).toMatchObject(refused('parent'));
      for (const method of ['patch', 'put'] as const)
        expect(await send(method, `/${path}/bulk`, { bulk: [item] })).toMatchObject(refused('bulk.0.parent'));
      expect(await move('b', 'a')).toMatchObject({ status: 200 });
      expect(await statusOf('put', `/${path}/${id('c')}`, { name: 'c', parent: { id: id('b') } })).toBe(200);
      expect(await statusOf('put', `/${path}/bulk`, { bulk: [{ id: id('d'), name: 'd' }] })).toBe(200);
      expect(await tree()).toEqual(GROWN);
    });

    test('roots: as many as one likes, but one in a nested set; a parent that is not there is a 409', async () => {
      const body = { code: 'CRUD_FOREIGN_KEY_VIOLATION', field: 'parent', message: ['parent does not exist'] };
      expect(await send('post', `/${path}`, { name: 'x', parent: 2e9 })).toMatchObject({ status: 409, body });
      const taken = { code: 'CRUD_UNIQUE_VIOLATION', field: 'name' };
      expect(await grow('b', 'a')).toMatchObject({ status: 409, body: taken });
      const message = ['parent must be given: a nested set has one root'];
      const second = { status: 409, body: { code: 'CRUD_UNIQUE_VIOLATION', field: 'parent', message } };
      expect(await grow('z')).toMatchObject(path === 'sets' ? second : { status: 201 });
      expect((await move('a', null)).status).toBe(200);
      expect(await tree()).toEqual(path === 'sets' ? GROWN : [...GROWN, '>z>']);
    });

    test('records that are added at once leave a tree', async () => {
      const names = [...'efghij'];
      const answers = await Promise.all([
        ...names.map((name) => statusOf('post', `/${path}`, { name, parent: id('c') })),
        statusOf('post', `/${path}/bulk`, { bulk: [{ name: 'k', parent: id('b') }] }),
      ]);
      expect(new Set(answers)).toEqual(new Set([201]));
      const grown = '>a>bcdefghijk a>b>cefghijk ab>c>efghij a>d>'.split(' ');
      expect(await tree()).toEqual([...grown, ...names.map((name) => `abc>${name}>`), 'ab>k>']);
    });

    test('records that come and go leave the tree that the foreign keys say, and only leaves go', async () => {
      const remove = (name: string) => statusOf('delete', `/${path}/${id(name)}`);
      for (const name of 'ab') expect(await remove(name)).toBe(409);
      for (const name of 'cd') expect(await remove(name)).toBe(200);
      expect(await tree()).toEqual(['>a>b', 'a>b>']);
      for (const [name = '', parent] of 'db ea fb gd hd ig'.split(' '))
        expect((await grow(name, parent)).status).toBe(201);
      expect((await tree()).join(' ')).toBe('>a>bdefghi a>b>dfghi ab>d>ghi a>e> ab>f> abd>g>i abd>h> abdg>i>');
      for (const name of 'ifh') expect(await remove(name)).toBe(200);
      expect((await grow('j', 'g')).status).toBe(201);
      expect([await remove('d'), await remove('g'), await remove('e')]).toEqual([409, 409, 200]);
      expect(await tree()).toEqual(['>a>bdgj', 'a>b>dgj', 'ab>d>gj', 'abd>g>j', 'abdg>j>']);
    });
  });

  describe('keys that clients choose', () => {
    const rows = () => own.source.query('SELECT c_name, mpath, fk_parent_name, c_note FROM titles ORDER BY mpath');
    beforeEach(() => empty('titles', 'fk_parent_name'));

    test.each([`x', c_note = 'owned`, `x'), c_note = CONCAT('own', 'ed`, `\\', c_note = 'owned' -- `])(
      'a record called %j grows others, and stays where it is',
      async (name) => {
        for (const one of [{ name: 'r' }, { name }, { name: 'leaf', parent: name }])
          expect(await statusOf('post', '/titles', { ...one, note: 'own' })).toBe(201);
        const before = await rows();
        expect(before).toMatchObject(Array(3).fill({ c_note: 'own' }));
        expect(await statusOf('patch', `/titles/${encodeURIComponent(name)}`, { parent: 'r' })).toBe(400);
        expect(await statusOf('patch', '/titles/leaf', { parent: name })).toBe(200);
        expect(await rows()).toEqual(before);
      },
    );

    test('a new record is not its own parent, and does not overwrite another', async () => {
      const refused = { status: 400, body: { code: 'CRUD_CHECK_VIOLATION', field: 'parent' } };
      expect(await send('post', '/titles', { name: 'n', parent: 'n' })).toMatchObject(refused);
      expect(await statusOf('put', '/titles/n', { parent: 'n' })).toBe(400);
      expect(await rows()).toEqual([]);
      expect(await statusOf('post', '/titles', { name: 'n', note: 'own' })).toBe(201);
      expect(await statusOf('post', '/titles', { name: 'n', note: 'other' })).toBe(409);
      expect(await rows()).toMatchObject([{ c_name: 'n', c_note: 'own' }]);
    });
  });
});
