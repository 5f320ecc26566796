/** Why a write is not one statement that returns its rows. */
import { expect, test } from '@jest/globals';
import { type CatalogColumn, emptyPlan, type WritePlan } from '@nestwright/crud/adapter';
import { type Database, NO_LISTENERS, POSTGRES, SQLITE, type Table } from '@nestwright/sql';
import { requestOf } from '../../crud-typeorm/test/support/requests.js';
import { findObstacle } from '../src/returning/reasons-against.js';
import type { WriteContext } from '../src/statements/write-context.js';
import { makeDatabase } from './bare-database.js';
import { describeTable, INTEGER, KEY } from './bare-tables.js';

const authors = describeTable(makeDatabase(SQLITE), 'Author', 'authors', { id: KEY });
const refers = { path: 'author', to: authors };

interface Asked {
  readonly statement?: 'insert' | 'update';
  readonly dialect?: typeof SQLITE;
  readonly database?: Partial<Database>;
  readonly table?: (table: Table) => object;
  readonly context?: Partial<WriteContext>;
  readonly executor?: (database: Database) => WriteContext['store']['executor'];
  readonly plans?: (plan: WritePlan) => WritePlan[];
}

function reasonFor({ statement = 'insert', dialect = SQLITE, table, context, executor, plans, ...asked }: Asked) {
  const database = Object.assign(makeDatabase(dialect), asked.database);
  const notes = describeTable(database, 'Note', 'notes', { id: KEY, authorId: { ...INTEGER, refers } });
  Object.assign(notes, table?.(notes));
  const plan = emptyPlan(notes.catalog);
  const write = {
    catalog: notes.catalog,
    request: requestOf({ path: { id: 1 } }),
    store: { executor: executor?.(database) ?? database },
    ...context,
  } as unknown as WriteContext;
  return findObstacle(write, statement, plans?.(plan) ?? [plan]);
}

const valued = (plan: WritePlan, path: string, value: unknown): WritePlan => ({
  ...plan,
  values: [{ column: plan.catalog.columns.get(path) as CatalogColumn, value } as WritePlan['values'][number]],
});
const tagged = requestOf({ path: { id: 1 }, options: { query: { etag: true } } });
const scoped = requestOf({ path: { id: 1 }, parsed: { authRelations: { author: { id: 5 } } } });
const persisting = (id: number) => requestOf({ path: { id: 1 }, parsed: { authPersist: { id } } });
const listeners = (heard: object) => ({ listeners: { ...NO_LISTENERS, ...heard } });
const observing = (heard: string) => listeners({ observe: (_: Table, event: string) => event === heard });
const twice = (plan: WritePlan) => [plan, plan];
const changed = ([first, ...others]: Table['columns'], change: object) => ({
  columns: [{ ...first!, ...change }, ...others],
});
const observed = 'a listener or subscriber observes the write';
const shared = 'several entities share the table';

test.each<[reason: string | undefined, asked: Asked]>([
  [undefined, {}],
  [undefined, { statement: 'update' }],
  ["the connection is the application's", { executor: (database) => database.connect('write') }],
  ['the option fastPaths: false', { database: { options: { fastPaths: false } as Database['options'] } }],
  ['the database returns no rows', { database: { returns: { insert: false, update: true } } }],
  [undefined, { statement: 'update', database: { returns: { insert: false, update: true } } }],
  ['the answer has an entity tag', { context: { request: tagged } }],
  [undefined, { context: { request: tagged }, plans: twice }],
  ['the answer has an entity tag', { statement: 'update', context: { request: tagged }, plans: twice }],
  ['the service has hooks or emits events', { context: { hooks: {} as WriteContext['hooks'] } }],
  [observed, { database: observing('Insert') }],
  [observed, { statement: 'update', database: observing('Update') }],
  [observed, { database: listeners({ observeTransactions: true }) }],
  ['the body has related records', { plans: (plan) => [plan, { ...plan, links: [{} as never] }] }],
  ['the body has related records', { plans: (plan) => [{ ...plan, cascades: [{} as never] }] }],
  ['a link must be looked up', { context: { request: scoped }, plans: (plan) => [plan, valued(plan, 'authorId', 5)] }],
  [undefined, { context: { request: scoped } }],
  ['SQLite takes no value for a generated column', { table: ({ columns }) => changed(columns, { isComputed: true }) }],
  [undefined, { dialect: POSTGRES, table: ({ columns }) => changed(columns, { isComputed: true }) }],
  ['the entity is a tree', { table: () => ({ treeType: 'closure-table' }) }],
  [shared, { table: ({ columns }) => ({ discriminatorColumn: columns[0] }) }],
  [shared, { table: (table) => ({ children: [table] }) }],
  ['the entity has an @AfterLoad listener', { database: listeners({ observeLoadsOf: () => true }) }],
  ['a column is computed by a query', { table: ({ columns }) => changed(columns, { query: () => '1' }) }],
  ['new records are soft-deleted', { table: () => ({ deleteDateColumn: { defaultSql: 'now()' } }) }],
  [undefined, { table: () => ({ deleteDateColumn: {} }) }],
  ['the entity has no primary key', { table: () => ({ primaryColumns: [] }) }],
  ['the body has a value for an auto-increment key', { plans: (plan) => [plan, valued(plan, 'id', 5)] }],
  [undefined, { plans: (plan) => [valued(plan, 'id', null), valued(plan, 'authorId', 5)] }],
  [undefined, { statement: 'update', plans: (plan) => [valued(plan, 'id', 5)] }],
  ['the path has no key', { statement: 'update', context: { request: requestOf({ path: { authorId: 1 } }) } }],
  ['`persist` names another key', { statement: 'update', context: { request: persisting(2) } }],
  [undefined, { statement: 'update', context: { request: persisting(1) } }],
])('%s', (reason, asked) => expect(reasonFor(asked)).toBe(reason));
