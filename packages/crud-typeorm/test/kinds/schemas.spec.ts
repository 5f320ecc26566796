/** Entities whose tables stand in other schemas (PostgreSQL) or databases (MariaDB), some of them under one name → joins, conditions, writes and refusals over HTTP as if they stood in one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { CrudAuth } from '@nestwright/crud';
import { configureCrudDatabase } from '@nestwright/crud-typeorm';
import request from 'supertest';
import {
  Column,
  DataSource,
  type DataSourceOptions,
  DeleteDateColumn,
  Entity,
  type EntityOptions,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryGeneratedColumn,
  type Relation,
  Unique,
} from 'typeorm';
import { describeDatabases, FAST_PATHS, type TestDatabase } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';

/** Three tables called `items`, and one of links, in three places. */
function entitiesIn(first: EntityOptions, second: EntityOptions, createForeignKeyConstraints: boolean) {
  @Entity({ name: 'items' })
  class Shelf {
    @PrimaryGeneratedColumn() id!: number;
    @Column({ type: 'varchar', length: 20 }) name!: string;
    @OneToMany(() => Thing, (thing) => thing.shelf, { cascade: true }) things!: Relation<Thing>[];
  }

  @Entity({ name: 'items', ...first })
  @Unique('uq_items_code', ['code'])
  class Thing {
    @PrimaryGeneratedColumn() id!: number;
    @Column({ type: 'varchar', length: 20 }) name!: string;
    @Column({ type: 'varchar', length: 20, nullable: true }) code!: string | null;
    @Column({ type: 'int', nullable: true }) shelfId!: number | null;
    @ManyToOne(() => Shelf, (shelf) => shelf.things, { nullable: true, createForeignKeyConstraints })
    @JoinColumn({ name: 'shelfId' })
    shelf!: Relation<Shelf> | null;
    @OneToOne(() => Label, { nullable: true, cascade: true }) @JoinColumn() label!: Relation<Label> | null;
    @ManyToMany(() => Label, (label) => label.things)
    @JoinTable({ name: 'links', ...second })
    labels!: Relation<Label>[];
    @DeleteDateColumn() deletedAt!: Date | null;
  }

  @Entity({ name: 'items', ...second })
  class Label {
    @PrimaryGeneratedColumn() id!: number;
    @Column({ type: 'varchar', length: 20 }) name!: string;
    // TypeORM 0.3 lets the other side say what becomes of a link.
    @ManyToMany(() => Thing, (thing) => thing.labels, { onDelete: 'CASCADE' }) things!: Relation<Thing>[];
  }

  return { Shelf, Thing, Label };
}

const nameOf = ({ url }: TestDatabase) => new URL(url).pathname.slice(1);

describeDatabases(
  'tables in several places',
  (db) => {
    const places = ['first', 'Second'].map((place) => (db.kind === 'postgres' ? place : `${nameOf(db)}_${place}`));
    const [first = '', second = ''] = places;
    const at = (place: string): EntityOptions => (db.kind === 'postgres' ? { schema: place } : { database: place });
    // On MySQL, TypeORM's foreign keys look for a table of the connection's database beside their own.
    const { Shelf, Thing, Label } = entitiesIn(at(first), at(second), db.kind === 'postgres');
    const entities = [Shelf, Thing, Label];
    const join = {
      shelf: {},
      label: {},
      labels: {},
      'shelf.things': { alias: 'neighbours' },
      'shelf.things.labels': {},
    };
    const mine = resource(Thing, 'my-things', { query: { join } as never });
    CrudAuth({ filter: () => ({ 'shelf.name': 'top', 'labels.name': { $in: ['red', 'blue'] } }) })(mine.controller);
    const resources = [
      resource(Shelf, 'shelves', { query: { join: { things: {}, 'things.label': {}, 'things.labels': {} } } }),
      resource(Thing, 'things', { query: { softDelete: true, join } as never }),
      resource(Label, 'labels', { query: { join: { things: {}, 'things.shelf': {} } } }),
      mine,
    ];
    let app: INestApplication;
    let url: string;
    let source: DataSource;

    const administer = async (sql: (place: string) => string) => {
      const admin = await new DataSource({
        ...db.connection,
        multipleStatements: true,
      } as DataSourceOptions).initialize();
      for (const place of places) await admin.query(sql(place));
      await admin.destroy();
    };
    const quoted = (place: string) => (db.kind === 'postgres' ? `"${place}"` : `\`${place}\``);

    beforeAll(async () => {
      await administer((place) => `CREATE ${db.kind === 'postgres' ? 'SCHEMA' : 'DATABASE'} ${quoted(place)}`);
      ({ app, url, source } = await serve(db, entities, resources));
      if (db.kind === 'mysql') {
        await source.query(
          `ALTER TABLE ${quoted(first)}.items ADD CONSTRAINT fk_shelf FOREIGN KEY (shelfId) REFERENCES ${quoted(nameOf(db))}.items (id)`,
        );
      }
    });
    afterAll(async () => {
      await app?.close();
      if (db.kind === 'mysql')
        await administer((place) => `SET foreign_key_checks = 0; DROP DATABASE ${quoted(place)}`);
    });

    const send = async (method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string, body?: object) => {
      const { status, body: answer } = await request(url)[method](encodeURI(path)).send(body);

      return [status, answer as unknown];
    };
    const thing = (id: number, name: string, more: object = {}) => ({
      id,
      name,
      code: null,
      shelfId: null,
      deletedAt: null,
      ...more,
    });

    describe.each(FAST_PATHS)('with fast paths: %s', (fastPaths) => {
      beforeEach(async () => {
        configureCrudDatabase(source, { fastPaths });
        const tables = [`${quoted(second)}.links`, `${quoted(first)}.items`, `${quoted(second)}.items`, 'items'];
        if (db.kind === 'postgres') {
          await source.query(`TRUNCATE ${tables.join(', ')} RESTART IDENTITY`);
        } else {
          for (const table of tables) {
            await source.query(`DELETE FROM ${table}`);
            await source.query(`ALTER TABLE ${table} AUTO_INCREMENT = 1`);
          }
        }
        await source.getRepository(Label).insert(['red', 'blue', 'green'].map((name) => ({ name })));
        await source.getRepository(Shelf).insert([{ name: 'top' }, { name: 'low' }]);
        await source.getRepository(Thing).save([
          { name: 'cup', code: 'c1', shelfId: 1, label: { id: 1 }, labels: [{ id: 1 }, { id: 2 }] },
          { name: 'pan', code: 'p1', shelfId: 1, labels: [{ id: 3 }] },
          { name: 'mop', shelfId: 2, labels: [{ id: 2 }] },
        ]);
      });

      test('lists are joined, filtered, sorted and paged', async () => {
        const cup = thing(1, 'cup', { code: 'c1', shelfId: 1 });
        const pan = thing(2, 'pan', { code: 'p1', shelfId: 1 });
        const mop = thing(3, 'mop', { shelfId: 2 });
        const [red, blue, green] = ['red', 'blue', 'green'].map((name, index) => ({ id: index + 1, name }));

        expect(await send('get', '/things?join=shelf&join=label&join=labels&sort=shelf.name,DESC&sort=id,ASC')).toEqual(
          [
            200,
            [
              { ...cup, shelf: { id: 1, name: 'top' }, label: red, labels: [red, blue] },
              { ...pan, shelf: { id: 1, name: 'top' }, label: null, labels: [green] },
              { ...mop, shelf: { id: 2, name: 'low' }, label: null, labels: [blue] },
            ],
          ],
        );
        expect(await send('get', '/things?filter=labels.name||eq||blue&filter=shelf.name||ne||low')).toEqual([
          200,
          [cup],
        ]);
        expect(await send('get', '/things?filter=neighbours.labels.name||eq||green&limit=1&page=2&sort=id')).toEqual([
          200,
          { data: [pan], count: 1, total: 2, page: 2, pageCount: 2 },
        ]);
        expect(
          await send('get', '/shelves?join=things||name&join=things.label&join=things.labels||name&sort=id'),
        ).toEqual([
          200,
          [
            {
              id: 1,
              name: 'top',
              things: [
                { id: 1, name: 'cup', label: red, labels: [red, blue] },
                { id: 2, name: 'pan', label: null, labels: [green] },
              ],
            },
            { id: 2, name: 'low', things: [{ id: 3, name: 'mop', label: null, labels: [blue] }] },
          ],
        ]);
        expect(await send('get', '/labels?filter=things.shelf.name||eq||low&join=things||name')).toEqual([
          200,
          [{ ...blue, things: [{ id: 3, name: 'mop' }] }],
        ]);
        expect(await send('get', '/things/2?join=shelf||name')).toEqual([
          200,
          { ...pan, shelf: { id: 1, name: 'top' } },
        ]);
      });

      test('records are stored, changed, replaced, deleted and recovered where they stand', async () => {
        expect(await send('post', '/things', { name: 'jug', shelf: { id: 2 } })).toEqual([
          201,
          thing(4, 'jug', { shelfId: 2 }),
        ]);
        expect(
          await send('post', '/things/bulk', { bulk: [{ name: 'x' }, { name: 'y', labels: [{ id: 3 }] }] }),
        ).toEqual([201, [thing(5, 'x'), thing(6, 'y')]]);
        expect(await send('patch', '/things/4', { name: 'jar' })).toEqual([200, thing(4, 'jar', { shelfId: 2 })]);
        expect(await send('patch', '/things/4?join=labels||name', { labels: [{ id: 1 }, { id: 3 }] })).toEqual([
          200,
          thing(4, 'jar', {
            shelfId: 2,
            labels: [
              { id: 1, name: 'red' },
              { id: 3, name: 'green' },
            ],
          }),
        ]);
        expect(await send('patch', '/things/4?join=labels', { labels: [] })).toEqual([
          200,
          thing(4, 'jar', { shelfId: 2, labels: [] }),
        ]);
        expect(await send('patch', '/things/4?join=label', { label: { name: 'new' } })).toEqual([
          200,
          thing(4, 'jar', { shelfId: 2, label: { id: 4, name: 'new' } }),
        ]);
        expect(await send('put', '/things/4', { name: 'pot', code: 'z' })).toEqual([
          200,
          thing(4, 'pot', { code: 'z' }),
        ]);
        expect((await send('delete', '/things/4'))[0]).toBe(200);
        expect((await send('get', '/things/4'))[0]).toBe(404);
        expect(await send('patch', '/things/4/recover')).toEqual([200, thing(4, 'pot', { code: 'z' })]);
        expect(await send('post', '/shelves?join=things||name', { name: 'new', things: [{ name: 'n' }] })).toEqual([
          201,
          { id: 3, name: 'new', things: [{ id: 7, name: 'n' }] },
        ]);
        expect((await send('delete', '/labels/1'))[0]).toBe(409);
        expect((await send('delete', '/labels/3'))[0]).toBe(200);
        expect(await source.getRepository(Shelf).count()).toBe(3);
        expect(await source.getRepository(Thing).count()).toBe(7);
        expect(await source.getRepository(Label).count()).toBe(3);
      });

      test('a scope over relations holds on reads and writes', async () => {
        expect(await send('get', '/my-things?fields=name')).toEqual([200, [{ id: 1, name: 'cup' }]]);
        expect((await send('get', '/my-things/2'))[0]).toBe(404);
        expect(await send('patch', '/my-things/1', { name: 'mug' })).toEqual([
          200,
          thing(1, 'mug', { code: 'c1', shelfId: 1 }),
        ]);
        expect((await send('patch', '/my-things/3', { name: 'x' }))[0]).toBe(404);
        expect(await send('patch', '/my-things/1', { shelf: { id: 2 } })).toMatchObject([
          400,
          { code: 'CRUD_OUT_OF_SCOPE' },
        ]);
        expect((await send('delete', '/my-things/2'))[0]).toBe(404);
        expect((await send('delete', '/my-things/1'))[0]).toBe(200);
        expect(await source.getRepository(Thing).find({ order: { id: 'ASC' }, select: { name: true } })).toEqual(
          ['pan', 'mop'].map((name) => ({ name })),
        );
      });

      test('what the constraints refuse is blamed on the property', async () => {
        expect(await send('post', '/things', { name: 'x', code: 'c1' })).toMatchObject([
          409,
          { code: 'CRUD_UNIQUE_VIOLATION', field: 'code', message: ['code already exists'] },
        ]);
        expect(await send('post', '/things/bulk', { bulk: [{ name: 'x' }, { name: 'y', code: 'p1' }] })).toMatchObject([
          409,
          { code: 'CRUD_UNIQUE_VIOLATION', field: 'bulk.1.code' },
        ]);
        expect(await send('patch', '/things/1', { shelfId: 99 })).toMatchObject([
          409,
          { code: 'CRUD_FOREIGN_KEY_VIOLATION', field: 'shelfId' },
        ]);
        expect(await send('patch', '/things/1', { labels: [{ id: 99 }] })).toMatchObject([
          409,
          { code: 'CRUD_FOREIGN_KEY_VIOLATION', field: 'labels' },
        ]);
        expect(await send('post', '/things', { name: 'x', label: { id: 99 } })).toMatchObject([
          409,
          { code: 'CRUD_FOREIGN_KEY_VIOLATION', field: 'label' },
        ]);
        expect(await source.getRepository(Thing).count()).toBe(3);
      });
    });
  },
  ['postgres', 'mysql'],
);
