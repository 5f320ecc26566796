/** Entities whose tables stand in other schemas (PostgreSQL) or databases (MariaDB), some of them under one name → joins, conditions, writes and refusals over HTTP as if they stood in one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureCrudDatabase } from '@nestwright/crud-typeorm';
import { Column, DataSource, type DataSourceOptions, DeleteDateColumn, Entity, type EntityOptions } from 'typeorm';
import { JoinColumn, JoinTable, ManyToMany, ManyToOne, OneToMany, OneToOne, PrimaryGeneratedColumn } from 'typeorm';
import { type Relation, Unique } from 'typeorm';
import { describeDatabases, FAST_PATHS, type TestDatabase } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

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
    const near = { 'shelf.things': { alias: 'neighbours' }, 'shelf.things.labels': {} };
    const join = { shelf: {}, label: {}, labels: {}, ...near };
    const scope = { 'shelf.name': 'top', 'labels.name': { $in: ['red', 'blue'] } };
    const resources = [
      resource(Shelf, 'shelves', { query: { join: { things: {}, 'things.label': {}, 'things.labels': {} } } }),
      resource(Thing, 'things', { query: { softDelete: true, join } as never }),
      resource(Label, 'labels', { query: { join: { things: {}, 'things.shelf': {} } } }),
      resource(Thing, 'my-things', { query: { join } as never, auth: { filter: () => scope } }),
    ];
    const quoted = (place: string) => (db.kind === 'postgres' ? `"${place}"` : `\`${place}\``);
    const administer = async (sql: (place: string) => string) => {
      const options = { ...db.connection, multipleStatements: true } as DataSourceOptions;
      const admin = await new DataSource(options).initialize();
      for (const place of places) await admin.query(sql(place));
      await admin.destroy();
    };
    beforeAll(() => administer((place) => `CREATE ${db.kind === 'postgres' ? 'SCHEMA' : 'DATABASE'} ${quoted(place)}`));
    const own = serving(db, [Shelf, Thing, Label], resources, {
      fill: async (source) => {
        if (db.kind !== 'mysql') return;
        const references = `(shelfId) REFERENCES ${quoted(nameOf(db))}.items (id)`;
        await source.query(`ALTER TABLE ${quoted(first)}.items ADD CONSTRAINT fk_shelf FOREIGN KEY ${references}`);
      },
    });
    afterAll(async () => {
      if (db.kind === 'mysql')
        await administer((place) => `SET foreign_key_checks = 0; DROP DATABASE ${quoted(place)}`);
    });

    const send = async (method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string, body?: object) =>
      Object.values(await own.send(method, encodeURI(path), body));
    const thing = (id: number, name: string, more: object = {}) => {
      const rest = { code: null, shelfId: null, deletedAt: null };
      return { id, name, ...rest, ...more };
    };

    describe.each(FAST_PATHS)('with fast paths: %s', (fastPaths) => {
      beforeEach(async () => {
        configureCrudDatabase(own.source, { fastPaths });
        const tables = [`${quoted(second)}.links`, `${quoted(first)}.items`, `${quoted(second)}.items`, 'items'];
        if (db.kind === 'postgres') {
          await own.source.query(`TRUNCATE ${tables.join(', ')} RESTART IDENTITY`);
        } else {
          for (const table of tables) {
            await own.source.query(`DELETE FROM ${table}`);
            await own.source.query(`ALTER TABLE ${table} AUTO_INCREMENT = 1`);
          }
        }
        await own.source.getRepository(Label).insert(['red', 'blue', 'green'].map((name) => ({ name })));
        await own.source.getRepository(Shelf).insert([{ name: 'top' }, { name: 'low' }]);
        await own.source.getRepository(Thing).save([
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
        const [top, low] = ['top', 'low'].map((name, index) => ({ id: index + 1, name }));
        expect(await own.read('/things?join=shelf&join=label&join=labels&sort=shelf.name,DESC&sort=id,ASC')).toEqual([
          { ...cup, shelf: top, label: red, labels: [red, blue] },
          { ...pan, shelf: top, label: null, labels: [green] },
          { ...mop, shelf: low, label: null, labels: [blue] },
        ]);
        expect(await own.read('/things?filter=labels.name||eq||blue&filter=shelf.name||ne||low')).toEqual([cup]);
        expect(await own.read('/things?filter=neighbours.labels.name||eq||green&limit=1&page=2&sort=id')).toMatchObject(
          {
            data: [pan],
            total: 2,
          },
        );
        const nested = 'join=things||name&join=things.label&join=things.labels||name';
        const things = [
          { id: 1, name: 'cup', label: red, labels: [red, blue] },
          { id: 2, name: 'pan', label: null, labels: [green] },
        ];
        expect(await own.read(`/shelves?${nested}&sort=id&limit=1`)).toEqual([{ ...top, things }]);
        const found = [{ ...blue, things: [{ id: 3, name: 'mop' }] }];
        expect(await own.read('/labels?filter=things.shelf.name||eq||low&join=things||name')).toEqual(found);
      });

      test('records are stored, changed, replaced, deleted and recovered where they stand', async () => {
        const label = { id: 4, name: 'new' };
        const shelf = { name: 'new', things: [{ name: 'n' }] };
        for (const [method, path, body, status, answer] of [
          ['post', '/things', { name: 'jug', shelf: { id: 2 } }, 201, thing(4, 'jug', { shelfId: 2 })],
          ['post', '/things/bulk', { bulk: [{ name: 'y', labels: [{ id: 3 }] }] }, 201, [thing(5, 'y')]],
          ['patch', '/things/4?join=labels', { labels: [{ id: 1 }] }, 200, { labels: [{ id: 1, name: 'red' }] }],
          ['patch', '/things/4?join=labels', { labels: [] }, 200, { labels: [] }],
          ['patch', '/things/4?join=label', { label: { name: 'new' } }, 200, { label }],
          ['put', '/things/4', { name: 'pot', code: 'z' }, 200, thing(4, 'pot', { code: 'z' })],
          ['delete', '/things/4', undefined, 200, {}],
          ['get', '/things/4', undefined, 404, {}],
          ['patch', '/things/4/recover', undefined, 200, thing(4, 'pot', { code: 'z' })],
          ['post', '/shelves?join=things||name', shelf, 201, { id: 3, things: [{ id: 6, name: 'n' }] }],
          ['delete', '/labels/1', undefined, 409, {}],
          ['delete', '/labels/3', undefined, 200, {}],
        ] as const)
          expect([method, path, ...(await send(method, path, body))]).toMatchObject([method, path, status, answer]);
        const counts = [Shelf, Thing, Label].map((entity) => own.source.getRepository<object>(entity).count());
        expect(await Promise.all(counts)).toEqual([3, 6, 3]);
      });

      test('a scope over relations holds on reads and writes', async () => {
        expect(await own.read('/my-things?fields=name')).toEqual([{ id: 1, name: 'cup' }]);
        for (const [method, path, body, status] of [
          ['get', '/my-things/2', undefined, 404],
          ['patch', '/my-things/1', { name: 'mug' }, 200],
          ['patch', '/my-things/3', { name: 'x' }, 404],
          ['patch', '/my-things/1', { shelf: { id: 2 } }, 400],
          ['delete', '/my-things/2', undefined, 404],
          ['delete', '/my-things/1', undefined, 200],
        ] as const)
          expect([method, path, await own.statusOf(method, path, body)]).toEqual([method, path, status]);
        expect(await own.read('/things?sort=id')).toMatchObject([{ name: 'pan' }, { name: 'mop' }]);
      });

      test('what the constraints refuse is blamed on the property', async () => {
        for (const [method, path, body, code, field] of [
          ['post', '/things', { name: 'x', code: 'c1' }, 'UNIQUE', 'code'],
          ['post', '/things/bulk', { bulk: [{ name: 'x' }, { name: 'y', code: 'p1' }] }, 'UNIQUE', 'bulk.1.code'],
          ['patch', '/things/1', { shelfId: 99 }, 'FOREIGN_KEY', 'shelfId'],
          ['patch', '/things/1', { labels: [{ id: 99 }] }, 'FOREIGN_KEY', 'labels'],
          ['post', '/things', { name: 'x', label: { id: 99 } }, 'FOREIGN_KEY', 'label'],
        ] as const)
          expect(await send(method, path, body)).toMatchObject([409, { code: `CRUD_${code}_VIOLATION`, field }]);
        expect(await own.source.getRepository(Thing).count()).toBe(3);
      });
    });
  },
  ['postgres', 'mysql'],
);
