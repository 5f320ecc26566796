/** Tables and relations of Drizzle → those of SQL and of the catalogue, without a server. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Column, ForeignKey, Table as SqlTable } from '@nestwright/sql';
import { relations, sql, type Table } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import * as pg from 'drizzle-orm/pg-core';
import * as lite from 'drizzle-orm/sqlite-core';
import { type Known, knowDatabase } from '../src/drizzle/database.js';
import { describeTable, type TableOptions } from '../src/index.js';
import { openDrizzle, type Opened } from './dialects.js';
import { describeTables } from './kit-tables.js';

const NOWHERE = { postgres: 'postgres://127.0.0.1/none', mysql: 'mysql://127.0.0.1/none', sqlite: '' } as const;
const opened: Opened[] = [];

/** What is known of a database of some tables, to which nothing is sent. */
async function know(kind: keyof typeof NOWHERE, schema: Record<string, unknown>): Promise<Known> {
  opened.push(await openDrizzle({ kind, url: NOWHERE[kind] }, schema));
  return knowDatabase(opened.at(-1)!.db);
}

afterAll(async () => {
  for (const { close } of opened) await close();
});

const pathsOf = (columns: readonly Column[]) => columns.map(({ propertyPath }) => propertyPath).join();
const tellKey = ({ name, table, columns, referencedTable, referencedColumns, onDelete }: ForeignKey) =>
  `${name}: ${table.tableName}.${pathsOf(columns)} → ${referencedTable.tableName}.${pathsOf(referencedColumns)} ${onDelete}`;

const kit = describeTables('sqlite');
const people = pg.pgTable('people', { id: pg.serial().primaryKey() });
const person = () => pg.integer().references(() => people.id);
const ofBooks = { authorId: person().notNull(), editorId: person().unique() };
const books = pg.pgTable('books', ofBooks, ({ authorId }) => [pg.index().on(authorId)]);
const friendships = pg.pgTable('friendships', { personId: person(), friendId: person() });
const lonely = pg.pgTable('lonely', { id: pg.serial().primaryKey() });
const visits = pg.pgTable('visits', { lonelyId: pg.integer().references(() => lonely.id) });
const OF_PEOPLE = { manyToMany: { friends: { table: people, through: friendships } } };
describeTable(people, OF_PEOPLE);
describeTable(lonely, {
  manyToMany: { friendships: { table: people, through: friendships }, visits: { table: people, through: visits } },
});
const shop = {
  people,
  books,
  friendships,
  bookRelations: relations(books, ({ one, many }) => ({
    author: one(people, { fields: [books.authorId], references: [people.id], relationName: 'author' }),
    editor: one(people, { fields: [books.editorId], references: [people.id], relationName: 'editor' }),
    // Declared on this side alone.
    friendships: many(friendships),
  })),
  peopleRelations: relations(people, ({ many }) => ({
    written: many(books, { relationName: 'author' }),
    edited: many(books, { relationName: 'editor' }),
  })),
};

let known: Record<'kit' | 'shop', Known>;
beforeAll(async () => {
  known = { kit: await know('sqlite', kit), shop: await know('postgres', shop) };
});

test.each([
  [books, 'author', 'many-to-one People.written false'],
  [books, 'editor', 'one-to-one People.edited true'],
  [people, 'written', 'one-to-many Books.author true'],
  [people, 'friends', 'many-to-many People.friends true'],
] as const)('one of several relations knows its other side, and whether it may be null: %#', (table, path, is) => {
  const { kind, target, inverse, nullable } = known.shop.tables.find(table).catalog.relations.get(path)!;
  expect(`${kind} ${target.model}.${inverse} ${nullable}`).toBe(is);
});

test('a relation that one side alone declares is none', () => {
  expect(known.shop.tables.find(books).relations.map(({ propertyName }) => propertyName)).toEqual(['author', 'editor']);
});

test.each(['friendships', 'visits'])('a table between two needs foreign keys to both: %s', (name) => {
  const relation = known.shop.tables.find(lonely).relations.find(({ propertyName }) => propertyName === name)!;
  const message = `manyToMany.${name} of lonely: ${name} needs foreign keys to lonely and people`;
  expect(() => relation.junction).toThrow(new Error(message));
  expect(relation.inverseRelation).toBeUndefined();
});

test('columns know their relation, and to what they refer', () => {
  const [{ columns: own }, { columns: between }, { primaryColumns, relations: all }] = [books, friendships, people].map(
    (table) => known.shop.tables.find(table),
  ) as [SqlTable, SqlTable, SqlTable];
  expect(own.map(({ relation }) => relation?.propertyName)).toEqual(['author', 'editor']);
  // A table between two is asked by the relations of these.
  expect(all[2]!.junction!.table.columns).toBe(between);
  for (const { referencedColumn } of [...own, ...between]) expect(referencedColumn).toBe(primaryColumns[0]);
  expect(primaryColumns[0]!.referencedColumn).toBeUndefined();
});

test('foreign keys of tables that the schema does not have, once they are known', () => {
  const { tables } = known.shop;
  for (const keys of [tables.find(visits).foreignKeys, tables.find(lonely).referringKeys])
    expect(keys.map(tellKey)).toEqual(['visits_lonelyId_lonely_id_fk: visits.lonelyId → lonely.id NO ACTION']);
});

test('of integers in SQLite, the one that is the whole key is counted', () => {
  const named = lite.sqliteTable('named', { id: lite.integer() }, ({ id }) => [lite.primaryKey({ columns: [id] })]);
  const counted = (table: Table) =>
    known.kit.tables.find(table).columns.filter((one) => one.generation && one.catalogColumn.hasDefault);
  expect([kit.members, kit.seats, named].map((table) => pathsOf(counted(table)))).toEqual(['id', '', 'id']);
});

class Thing {
  label = 'new';
}

test('a table: its names, constraints, and the columns that have a part of their own', () => {
  const things = pg.pgSchema('shop').table(
    'things',
    {
      id: pg.integer().primaryKey(),
      code: pg.text().unique('one_code'),
      name: pg.text().unique(),
      hall: pg.integer().$defaultFn(() => 7),
      row: pg.integer().default(1),
      gone: pg.timestamp(),
      made: pg.timestamp(),
      counted: pg.integer(),
    },
    ({ code, name, hall, row }) => [
      pg.unique('one_place').on(row, hall),
      pg.uniqueIndex('one_row').on(row),
      pg
        .uniqueIndex('one_open_row')
        .on(row)
        .where(sql`hall > 1`),
      pg.uniqueIndex('one_lower_name').on(sql`lower(${name})`),
      pg.index().on(code, name),
      pg.check('is_small', sql`${hall} < 10`),
      pg.primaryKey({ name: 'by_place', columns: [row, hall] }),
    ],
  );
  describeTable(things, { model: Thing, deletedAt: 'gone', updatedAt: 'made', version: 'counted' });
  const table = known.shop.tables.find(things);
  const { name, target, tableName, tablePath, checks, primaryKeyNames } = table;
  expect([name, target, tableName, tablePath]).toEqual(['Thing', Thing, 'things', 'shop.things']);
  expect(checks).toEqual([{ name: 'is_small', expression: '"shop"."things"."hall" < 10' }]);
  expect(primaryKeyNames).toEqual(['by_place', 'things_pkey', 'PRIMARY']);
  expect(table.constraints.map((one) => `${one.name}(${pathsOf(one.columns)}) ${one.isUnique}`)).toEqual([
    'one_code(code) true',
    'things_name_unique(name) true',
    'one_place(row,hall) true',
    'one_row(row) true',
    'one_open_row(row) false',
    '(code,name) false',
  ]);
  const special = [table.deleteDateColumn!, table.updateDateColumn!, table.versionColumn!];
  expect(pathsOf(special)).toBe('gone,made,counted');
  expect(pathsOf(table.primaryColumns)).toBe('id,hall,row');
  expect(pathsOf(table.columns.filter(({ catalogColumn }) => !catalogColumn.nullable))).toBe('id,hall,row');
  expect(pathsOf(table.filledColumns)).toBe('hall,row,gone,made,counted');
  expect(pathsOf(table.columns.filter(({ isVersion }) => isVersion))).toBe('counted');
  expect(pathsOf(table.columns.filter(({ isUpdateDate }) => isUpdateDate))).toBe('made');
  expect([table.create(), table.createLoaded()]).toEqual([{ label: 'new', hall: 7 }, { label: 'new' }]);
  expect(table.create()).toBeInstanceOf(Thing);
  expect(table.catalog.deleteDate).toBe(table.deleteDateColumn!.catalogColumn);
  expect(table.catalog.version).toBe(table.versionColumn!.catalogColumn);
});

test('records of a table without a class are plain objects', () => {
  const { create, createLoaded, deleteDateColumn, catalog } = known.shop.tables.find(people);
  for (const record of [create(), createLoaded()]) expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  expect([deleteDateColumn, 'deleteDate' in catalog, 'version' in catalog]).toEqual([undefined, false, false]);
});

test('what $onUpdate sets is the present, or nothing', () => {
  const today = pg.date({ mode: 'date' }).$onUpdate(() => new Date());
  const counts = pg.integer().$onUpdate(() => 1);
  const sourcesOf = (name: string, columns: Record<string, pg.PgColumnBuilderBase>, options: TableOptions = {}) => {
    const table = pg.pgTable(name, columns);
    describeTable(table, options);
    return known.shop.tables.find(table).columns.map(({ catalogColumn: { source } }) => source);
  };
  expect(sourcesOf('a', { today, at: pg.timestamp() })).toEqual(['updateDate', 'client']);
  const named = sourcesOf('b', { today, counts, at: pg.timestamp() }, { updatedAt: 'at' } as object);
  expect(named).toEqual(['client', 'client', 'updateDate']);
  const message = '$onUpdate of c.counts: each update sets the present, which it cannot be';
  expect(() => sourcesOf('c', { counts })).toThrow(new Error(message));
});

test('columns are called as Drizzle calls them', () => {
  const db = drizzle('postgres://127.0.0.1/none', { casing: 'snake_case' });
  const table = knowDatabase(db).tables.find(pg.pgTable('things', { isDone: pg.boolean(), by: pg.text('byWhom') }));
  expect(table.columns.map(({ databaseName }) => databaseName)).toEqual(['is_done', 'byWhom']);
});

test('what is no table or database of Drizzle, or is described in two ways, is an error', () => {
  expect(() => describeTable({} as never, {})).toThrow('the table of a DrizzleCrudService is {}, but must be a class');
  const inUse = 'people is in use with other options: its services must name the same';
  expect(() => describeTable(people, { version: 'id' })).toThrow(new Error(inUse));
  describeTable(people, { ...OF_PEOPLE });
  const message = 'The database of a DrizzleCrudService is none of Drizzle: pass what drizzle() has made';
  expect(() => knowDatabase({} as never)).toThrow(new Error(message));
});
