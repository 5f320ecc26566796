/** Requests that read, grow and rearrange the three forms of TypeORM's trees → answers over HTTP, and what TypeORM's tree repositories find afterwards, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INestApplication, Type } from '@nestjs/common';
import fc from 'fast-check';
import request from 'supertest';
import {
  Column,
  type DataSource,
  Entity,
  getMetadataArgsStorage,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
  Tree,
  TreeChildren,
  TreeParent,
  VersionColumn,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { Prefixed } from './entities.js';
import { resource, serve } from '../support/resources.js';

interface Node {
  id: number;
  name: string;
  version: number;
  parent: Node | null;
}

@Entity('paths')
@Tree('materialized-path')
class PathNode implements Node {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @VersionColumn() version!: number;
  @TreeParent() parent!: Relation<PathNode> | null;
  @TreeChildren({ cascade: ['update'] }) children!: Relation<PathNode>[];
}

// `@TreeParent()` does not take the option.
const parentOfPaths = getMetadataArgsStorage().relations.find(
  ({ target, propertyName }) => target === PathNode && propertyName === 'parent',
)!;
parentOfPaths.options.orphanedRowAction = 'nullify';

@Entity('closures')
@Tree('closure-table')
class ClosureNode implements Node {
  // TypeORM's closure tables do not find columns that are named otherwise.
  @PrimaryGeneratedColumn({ name: 'id' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @VersionColumn() version!: number;
  @TreeParent() parent!: Relation<ClosureNode> | null;
  @TreeChildren() children!: Relation<ClosureNode>[];
}

@Entity('sets')
@Tree('nested-set')
class SetNode implements Node {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @VersionColumn() version!: number;
  @TreeParent() parent!: Relation<SetNode> | null;
  @TreeChildren() children!: Relation<SetNode>[];
}

/** Its keys are the clients'. */
@Entity('titles')
@Tree('materialized-path')
class Title {
  @PrimaryColumn({ type: 'varchar', length: 100 }) name!: string;
  @Column({ type: 'varchar', length: 20, nullable: true }) note!: string | null;
  @TreeParent() parent!: Relation<Title> | null;
  @TreeChildren() children!: Relation<Title>[];
}

const FORMS: readonly (readonly [string, Type<Node>])[] = [
  ['paths', PathNode],
  ['closures', ClosureNode],
  ['sets', SetNode],
];

const exclude = ['version' as const];
const join = Object.fromEntries(
  ['children', 'children.children', 'parent', 'parent.parent'].map((name) => [name, { exclude }]),
);
const query = { join, exclude };
const routes = { updateManyBase: true, replaceManyBase: true } as const;
const RESOURCES = [
  resource(PathNode, 'paths', { query, routes }),
  resource(ClosureNode, 'closures', { query, routes }),
  resource(SetNode, 'sets', { query, routes }),
  resource(Title, 'titles', { params: { name: { field: 'name', type: 'string', primary: true } } }),
];

describeDatabases('trees', (db) => {
  let app: INestApplication;
  let url: string;
  let source: DataSource;

  beforeAll(async () => {
    const entities = [PathNode, ClosureNode, SetNode, Title];
    ({ app, url, source } = await serve(db, entities, RESOURCES, { source: { namingStrategy: new Prefixed() } }));
  });
  afterAll(() => app?.close());

  const send = async (method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string, body?: object) => {
    const { status, body: answer } = await request(url)[method](path).send(body);

    return { status, body: answer as Record<string, unknown> };
  };
  const empty = async (table: string, foreignKey: string) => {
    await source.query(`UPDATE ${table} SET ${foreignKey} = NULL`);
    await source.query(`DELETE FROM ${table}`);
  };

  describe.each(FORMS)('%s', (path, entity) => {
    const ids = new Map<string, number>();
    const id = (name: string) => ids.get(name) ?? 0;
    const grow = async (name: string, parent?: string) => {
      const answer = await send('post', `/${path}`, { name, ...(parent && { parent: id(parent) }) });
      if (answer.status === 201) ids.set(name, answer.body['id'] as number);

      return answer;
    };
    const move = (name: string, parent: string | null) =>
      send('patch', `/${path}/${id(name)}`, { parent: parent === null ? null : id(parent) });
    /** What the tree repository finds: each record's name before the names of all below it. */
    const tree = async () => {
      const repository = source.getTreeRepository(entity);
      const nodes = await repository.find({ order: { name: 'ASC' } });

      return Promise.all(
        nodes.map(async (node) => {
          const below = (await repository.findDescendants(node)).map(({ name }) => name).filter((n) => n !== node.name);
          const above = (await repository.findAncestors(node)).map(({ name }) => name).filter((n) => n !== node.name);

          return `${above.sort().join('')}>${node.name}>${below.sort().join('')}`;
        }),
      );
    };
    const GROWN = ['>a>bcd', 'a>b>c', 'ab>c>', 'a>d>'];

    beforeEach(async () => {
      await empty(path, 'fk_parent_id');
      ids.clear();
      await grow('a');
      await grow('b', 'a');
      await grow('c', 'b');
      await grow('d', 'a');
    });

    test('is read as a list, and along parents and children as deep as the options let', async () => {
      const of = (name: string) => ({ id: id(name), name });

      expect(await send('get', `/${path}?sort=name,ASC`)).toEqual({ status: 200, body: ['a', 'b', 'c', 'd'].map(of) });
      expect(await send('get', `/${path}/${id('a')}?join=children&join=children.children`)).toEqual({
        status: 200,
        body: {
          ...of('a'),
          children: [
            { ...of('b'), children: [of('c')] },
            { ...of('d'), children: [] },
          ],
        },
      });
      expect(await send('get', `/${path}?filter=parent.parent.name||eq||a&join=parent.parent`)).toEqual({
        status: 200,
        body: [{ ...of('c'), parent: { ...of('b'), parent: of('a') } }],
      });
      expect(await send('get', `/${path}?filter=children.name||in||c,d&sort=name,DESC`)).toEqual({
        status: 200,
        body: [of('b'), of('a')],
      });
      expect(await send('get', `/${path}?join=children.children.children`)).toMatchObject({
        status: 400,
        body: { code: 'CRUD_UNKNOWN_RELATION' },
      });
      expect(await tree()).toEqual(GROWN);
    });

    const refused = (field: string) => ({
      status: 400,
      body: {
        code: 'CRUD_INVALID_BODY',
        field,
        message: [`${field} cannot be changed: a record keeps its place in a tree`],
      },
    });

    test('a record keeps its parent, whatever route a change takes', async () => {
      const item = { id: id('b'), name: 'B', parent: id('d') };

      expect(await move('b', 'd')).toMatchObject(refused('parent'));
      expect(await move('b', 'b')).toMatchObject(refused('parent'));
      expect(await move('b', null)).toMatchObject(refused('parent'));
      expect(await send('put', `/${path}/${id('b')}`, item)).toMatchObject(refused('parent'));
      expect(await send('put', `/${path}/${id('b')}`, { name: 'B', parent: null })).toMatchObject(refused('parent'));
      expect(await send('patch', `/${path}/bulk`, { bulk: [item] })).toMatchObject(refused('bulk.0.parent'));
      expect(await send('put', `/${path}/bulk`, { bulk: [item] })).toMatchObject(refused('bulk.0.parent'));
      expect(await tree()).toEqual(GROWN);
    });

    test('an equal parent passes, and a PUT without one keeps it', async () => {
      expect((await send('patch', `/${path}/${id('b')}`, { name: 'B', parent: id('a') })).status).toBe(200);
      expect((await send('put', `/${path}/${id('c')}`, { name: 'C', parent: { id: id('b') } })).status).toBe(200);
      expect((await send('put', `/${path}/${id('d')}`, { name: 'D' })).status).toBe(200);
      expect((await send('put', `/${path}/bulk`, { bulk: [{ id: id('b'), name: 'B' }] })).status).toBe(200);
      expect((await tree()).sort()).toEqual(['>a>BCD', 'Ba>C>', 'a>B>C', 'a>D>']);
    });

    test('a child that `orphanedRowAction` would unlink is refused', async () => {
      const children = [{ id: id('b') }];

      expect(await send('patch', `/${path}/${id('a')}`, { children })).toMatchObject(
        entity === PathNode ? refused('parent') : { status: 200 },
      );
      expect(await tree()).toEqual(GROWN);
    });

    test('a parent that is not there is a 409', async () => {
      const missing = {
        status: 409,
        body: { code: 'CRUD_FOREIGN_KEY_VIOLATION', field: 'parent', message: ['parent does not exist'] },
      };

      expect(await send('post', `/${path}`, { name: 'x', parent: 2_000_000_000 })).toMatchObject(missing);
      expect(await tree()).toEqual(GROWN);
    });

    test('roots: as many as one likes, but one in a nested set', async () => {
      const second = await grow('z');

      expect((await move('a', null)).status).toBe(200);
      expect(second).toMatchObject(
        entity === SetNode
          ? {
              status: 409,
              body: {
                code: 'CRUD_UNIQUE_VIOLATION',
                field: 'parent',
                message: ['parent must be given: a nested set has one root'],
              },
            }
          : { status: 201 },
      );
      expect(await tree()).toEqual(entity === SetNode ? GROWN : [...GROWN, '>z>']);
    });

    test('a record with others below it stays, one without goes', async () => {
      expect(await send('delete', `/${path}/${id('b')}`)).toMatchObject({
        status: 409,
        body: { code: 'CRUD_FOREIGN_KEY_VIOLATION' },
      });
      expect(await tree()).toEqual(GROWN);
      expect((await send('delete', `/${path}/${id('c')}`)).status).toBe(200);
      expect((await grow('e', 'b')).status).toBe(201);
      expect(await tree()).toEqual(['>a>bde', 'a>b>e', 'a>d>', 'ab>e>']);
    });

    test('records that are added at once leave a tree', async () => {
      const names = ['e', 'f', 'g', 'h', 'i', 'j'];
      const answers = await Promise.all([
        ...names.map((name) => send('post', `/${path}`, { name, parent: id('c') })),
        send('post', `/${path}/bulk`, { bulk: [{ name: 'k', parent: id('b') }] }),
      ]);

      expect(answers.map(({ status }) => status)).toEqual([...names.map(() => 201), 201]);
      expect(await tree()).toEqual([
        '>a>bcdefghijk',
        'a>b>cefghijk',
        'ab>c>efghij',
        'a>d>',
        ...names.map((name) => `abc>${name}>`),
        'ab>k>',
      ]);
    });

    test('any sequence of changes leaves the tree that the foreign keys say', async () => {
      const NAMES = 'abcdefghijklmn';
      const change = fc.record({
        what: fc.constantFrom('grow', 'grow', 'move', 'remove'),
        which: fc.nat(),
        where: fc.nat(),
      });

      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 25 }), async (changes) => {
          await empty(path, 'fk_parent_id');
          ids.clear();
          await grow('a');
          const parents = new Map<string, string | null>([['a', null]]);
          const wayOf = (name: string): string[] => {
            const parent = parents.get(name);

            return parent ? [...wayOf(parent), parent] : [];
          };

          for (const { what, which, where } of changes) {
            const names = [...parents.keys()];
            const name = names[which % names.length]!;
            const other = names[where % names.length]!;
            const isLeaf = ![...parents.values()].includes(name);

            if (what === 'grow' && names.length < NAMES.length) {
              const fresh = [...NAMES].find((letter) => !parents.has(letter))!;
              expect((await grow(fresh, other)).status).toBe(201);
              parents.set(fresh, other);
            } else if (what === 'move' && name !== 'a') {
              expect((await move(name, other)).status).toBe(parents.get(name) === other ? 200 : 400);
            } else if (what === 'remove' && name !== 'a' && isLeaf) {
              expect((await send('delete', `/${path}/${id(name)}`)).status).toBe(200);
              parents.delete(name);
            }
          }

          const names = [...parents.keys()].sort();
          expect(await tree()).toEqual(
            names.map((name) => {
              const below = names.filter((other) => wayOf(other).includes(name));

              return `${wayOf(name).sort().join('')}>${name}>${below.join('')}`;
            }),
          );
        }),
        { numRuns: db.kind === 'sqlite' ? 15 : 6 },
      );
    });
  });

  describe('keys that clients choose', () => {
    const rows = async () =>
      ((await source.query('SELECT c_name, c_note, mpath, fk_parent_name FROM titles')) as Record<string, string>[])
        .map((row) => [row['c_name'], row['mpath'], row['fk_parent_name'], row['c_note']])
        .sort(([one], [other]) => (one! < other! ? -1 : 1));
    const grow = async (name: string, parent?: string) =>
      expect((await send('post', '/titles', { name, note: name.slice(0, 3), ...(parent && { parent }) })).status).toBe(
        201,
      );
    const move = (name: string, parent: string | null) =>
      send('patch', `/titles/${encodeURIComponent(name)}`, { parent });

    beforeEach(() => empty('titles', 'fk_parent_name'));

    test.each([`x', c_note = 'owned`, `x'), c_note = CONCAT('own', 'ed`, `\\', c_note = 'owned' -- `])(
      'a record called %j grows others, and stays where it is',
      async (name) => {
        await grow('r');
        await grow(name);
        await grow('leaf', name);
        const before = await rows();

        expect(before).toHaveLength(3);
        expect((await move(name, 'r')).status).toBe(400);
        expect((await move('leaf', name)).status).toBe(200);
        expect(await rows()).toEqual(before);
      },
    );

    test('a new record does not stand above itself', async () => {
      expect(await send('post', '/titles', { name: 'n', parent: 'n' })).toMatchObject({
        status: 400,
        body: { code: 'CRUD_CHECK_VIOLATION', field: 'parent' },
      });
      expect(await send('put', '/titles/n', { parent: 'n' })).toMatchObject({ status: 400 });
      expect(await rows()).toEqual([]);
    });
  });
});
