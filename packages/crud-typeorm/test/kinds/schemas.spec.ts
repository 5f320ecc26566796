/** Entities whose tables stand in other schemas (PostgreSQL) or databases (MariaDB), some of them under one name → joins, conditions, writes and refusals over HTTP as if they stood in one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureCrudDatabase } from '@nestwright/crud-typeorm';
import { Column, DataSource, type DataSourceOptions, DeleteDateColumn, Entity, type EntityOptions } from 'typeorm';
import { JoinColumn, JoinTable, ManyToMany, ManyToOne, OneToMany, OneToOne, PrimaryGeneratedColumn } from 'typeorm';
import { type Relation, Unique } from 'typeorm';
import { describeDatabases, FAST_PATHS, type TestDatabase } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { type Exchange, expectAnswers, serving } from '../support/serving.js';

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
const has = (part: object): unknown => expect.objectContaining(part);
const refused = (code: string, field: string) => has({ code: `CRUD_${code}_VIOLATION`, field });

describeDatabases(
  'tables in several places',
  (db) => {
    const places = ['first', 'Second'].map((place) => (db.kind === 'postgres' ? place : `${nameOf(db)}_${place}`));
    const [first = '', second = ''] = places;
    const at = (place: string): EntityOptions => (db.kind === 'postgres' ? { schema: place } : { database: place });
    // On MySQL, TypeORM's foreign keys look for a table of the connection's database beside their own.
    const { Shelf, Thing, Label } = entitiesIn(at(first), at(second), db.kind === 'postgres');
    const join = { shelf: {}, label: {}, labels: {}, 'shelf.things': { alias: 'near' }, 'shelf.things.labels': {} };
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
    const inOrder = (exchanges: Exchange[]) => expectAnswers(own, exchanges);
    const [red, blue, green] = ['red', 'blue', 'green'].map((name, index) => ({ id: index + 1, name }));

    describe.each(FAST_PATHS)('with fast paths: %s', (fastPaths) => {
      beforeEach(async () => {
        configureCrudDatabase(own.source, { fastPaths });
        const tables = [`${quoted(second)}.links`, `${quoted(first)}.items`, `${quoted(second)}.items`, 'items'];
        if (db.kind === 'postgres') await own.source.query(`TRUNCATE ${tables.join(', ')} RESTART IDENTITY`);
        for (const table of db.kind === 'mysql' ? tables : []) {
          await own.source.query(`DELETE FROM ${table}`);
          await own.source.query(`ALTER TABLE ${table} AUTO_INCREMENT = 1`);
        }
        const { manager } = own.source;
        for (const name of ['red', 'blue', 'green']) await manager.insert(Label, { name });
        for (const name of ['top', 'low']) await manager.insert(Shelf, { name });
        await own.source.getRepository(Thing).save([
          { name: 'cup', code: 'c1', shelfId: 1, label: { id: 1 }, labels: [{ id: 1 }, { id: 2 }] },
          { name: 'pan', code: 'p1', shelfId: 1, labels: [{ id: 3 }] },
          { name: 'mop', shelfId: 2, labels: [{ id: 2 }] },
        ]);
      });

      test('lists are joined, filtered, sorted and paged', async () => {
        const [cup, pan, mop] = ['cup', 'pan', 'mop'].map((name, index) => ({ id: index + 1, name }));
        expect(await own.read('/things?join=shelf&join=label&join=labels&sort=shelf.name,DESC&sort=id')).toMatchObject([
          { ...cup, shelf: { name: 'top' }, label: red, labels: [red, blue] },
          { ...pan, shelf: { name: 'top' }, label: null, labels: [green] },
          { ...mop, shelf: { name: 'low' }, label: null, labels: [blue] },
        ]);
        const page = await own.read('/things?filter=near.labels.name||eq||green&limit=1&page=2&sort=id');
        expect(page).toMatchObject({ data: [pan], total: 2 });
        const nested = 'join=things||name&join=things.label&join=things.labels||name&filter=things.id||eq||1';
        const [thing] = (await own.read(`/shelves?${nested}`))[0].things;
        expect(thing).toEqual({ ...cup, label: red, labels: [red, blue] });
        const found = [{ ...blue, things: [mop] }];
        expect(await own.read('/labels?filter=things.shelf.name||eq||low&join=things||name')).toEqual(found);
      });

      test('records are stored, changed, replaced, deleted and recovered where they stand, or refused', async () => {
        const bulk = [{ name: 'y', labels: [{ id: 3 }] }];
        const shelf = { name: 'new', things: [{ name: 'n' }] };
        await inOrder([
          ['post', '/things', { name: 'x', code: 'c1' }, 409, refused('UNIQUE', 'code')],
          ['patch', '/things/1', { shelfId: 99 }, 409, refused('FOREIGN_KEY', 'shelfId')],
          ['patch', '/things/1', { labels: [{ id: 99 }] }, 409, refused('FOREIGN_KEY', 'labels')],
          ['post', '/things', { name: 'x', label: { id: 99 } }, 409, refused('FOREIGN_KEY', 'label')],
          ['post', '/things', { name: 'jug', shelf: { id: 2 } }, 201, has({ name: 'jug', shelfId: 2 })],
          ['post', '/things/bulk', { bulk }, 201, [has({ name: 'y' })]],
          ['patch', '/things/3?join=labels', { labels: [{ id: 1 }] }, 200, has({ name: 'mop', labels: [red] })],
          ['patch', '/things/3?join=label', { label: { name: 'new' } }, 200, has({ label: has({ name: 'new' }) })],
          ['put', '/things/3', { name: 'pot', code: 'z' }, 200, has({ id: 3, name: 'pot', shelfId: null })],
          ['delete', '/things/3', undefined, 200, {}],
          ['patch', '/things/3/recover', undefined, 200, has({ id: 3, name: 'pot' })],
          ['post', '/shelves?join=things||name', shelf, 201, has({ things: [has({ name: 'n' })] })],
          ['delete', '/labels/1', undefined, 409, has({})],
          ['delete', '/labels/3', undefined, 200, {}],
        ]);
        const counts = [Shelf, Thing, Label].map((entity) => own.source.getRepository<object>(entity).count());
        expect(await Promise.all(counts)).toEqual([3, 6, 3]);
      });

      test('a scope over relations holds on reads and writes', async () => {
        await inOrder([
          ['get', '/my-things?fields=name', undefined, 200, [{ id: 1, name: 'cup' }]],
          ['get', '/my-things/2', undefined, 404, has({})],
          ['patch', '/my-things/1', { name: 'mug' }, 200, has({ id: 1, name: 'mug' })],
          ['patch', '/my-things/3', { name: 'x' }, 404, has({})],
          ['patch', '/my-things/1', { shelf: { id: 2 } }, 400, has({ code: 'CRUD_OUT_OF_SCOPE' })],
          ['delete', '/my-things/2', undefined, 404, has({})],
          ['delete', '/my-things/1', undefined, 200, {}],
          ['get', '/things?fields=name&sort=id', undefined, 200, [has({ name: 'pan' }), has({ name: 'mop' })]],
        ]);
      });
    });
  },
  ['postgres', 'mysql'],
);
