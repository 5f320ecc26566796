/** What a write returns of its row, and what of its scope is still to be checked; why it is not one statement that returns its rows. */
import { expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CrudRequest, QueryOptions } from '@nestwright/crud';
import { type CatalogColumn, emptyPlan, planScope, type WritePlan } from '@nestwright/crud/adapter';
import { type Database, NO_LISTENERS, POSTGRES, SQLITE, type Table } from '@nestwright/sql';
import { type Sent, requestOf } from '../../crud-typeorm/test/support/requests.js';
import { NAMED_FORMAT } from '../src/database/rows.js';
import { insertReturning } from '../src/returning/insert-returning.js';
import { findObstacle } from '../src/returning/reasons-against.js';
import { makeReturningClause } from '../src/returning/returning-clause.js';
import type { WriteContext } from '../src/statements/write-context.js';
import { makeDatabase } from './bare-database.js';
import { describeTable, INTEGER, KEY, TEXT } from './bare-tables.js';

const database = makeDatabase(SQLITE);
const refers = { path: 'author', to: describeTable(database, 'Author', 'authors', { id: KEY }) };
const code = { ...TEXT, key: 'given' } as const;
const notes = describeTable(database, 'Note', 'notes', { code, size: INTEGER, authorId: { ...INTEGER, refers } });
const columns = '"notes"."code" AS "c0", "notes"."size" AS "c1", "notes"."authorId" AS "c2"';
const inScope = (condition: string) => `${columns}, CASE WHEN ${condition} THEN 1 ELSE 0 END AS "s0"`;
const equal = (column: string) => `"notes"."${column}" = \0`;

const contextOf = (request: CrudRequest) =>
  ({ request, catalog: notes.catalog, store: { executor: database } }) as unknown as WriteContext;
const key = { code: 'a' };
const EITHER = { $or: [key, { size: 5 }] };

test.each<[title: string, auth: object | undefined, sql: string, values: unknown[]]>([
  ['nothing of no scope', undefined, columns, []],
  ['nothing of the key', { code: 'a' }, columns, []],
  ['another key', { code: 'b' }, inScope(equal('code')), ['b']],
  ['what is no equality', { code: { $gte: 'a' } }, inScope('"notes"."code" >= \0'), ['a']],
  ['another column', { size: 5 }, inScope(equal('size')), [5]],
  ['what is left beside the key', { $and: [{ code: 'a' }, { size: 5 }] }, inScope(equal('size')), [5]],
  ['what one of several may be', EITHER, inScope(`(${equal('code')} OR ${equal('size')})`), ['a', 5]],
  ['what never holds', { size: { $in: [] } }, inScope('1 = 0'), []],
])('of the scope is checked: %s', (_, auth, sql, values) => {
  const request = requestOf({ path: key, auth });
  const target = planScope(request, notes.catalog);
  for (const options of [{ key }, { key, target }]) {
    const clause = makeReturningClause(contextOf(request), { shallow: false, ...options })!;
    expect([clause.sql, clause.parameters]).toEqual([sql, values]);
    const answers = ['1', 0].map((s0) => clause.isInScope?.({ s0 }, NAMED_FORMAT));
    expect(answers).toEqual(sql === columns ? [undefined, undefined] : [true, false]);
  }
});

test('without a key, all of the scope is checked', () => {
  const clause = makeReturningClause(contextOf(requestOf({ auth: { code: 'a' } })), { shallow: false });
  expect(clause!.sql).toBe(inScope(equal('code')));
});

test.each<[title: string, sent: Sent & { readonly query?: QueryOptions }, shallow: boolean, isOwn: boolean]>([
  ['its own columns', {}, false, true],
  ['a relation that the request joins', { join: ['author'], query: { join: { author: {} } } }, false, false],
  ['that relation where the answer is shallow', { join: ['author'], query: { join: { author: {} } } }, true, true],
  ['a relation that is always joined', { query: { join: { author: { eager: true } } } }, false, false],
  ['that one where the answer is shallow', { query: { join: { author: { eager: true } } } }, true, true],
  ['a scope over a relation', { auth: { 'author.id': 1 } }, true, false],
])('%s can be returned', (_, { query = {}, ...sent }, shallow, isOwn) => {
  for (const options of [query, Object.freeze(query)]) {
    const request = requestOf({ ...sent, options: { query: options } });
    const clause = makeReturningClause(contextOf(request), { shallow });
    expect(clause !== undefined).toBe(isOwn);
  }
});

test.each([false, true])('rows become keys, records and JSON, where the answer is shallow: %s', (shallow) => {
  const request = requestOf({ options: { query: { exclude: ['size'] } }, parsed: { fields: ['authorId', 'size'] } });
  const clause = makeReturningClause(contextOf(request), { shallow })!;
  const rows = [{ c0: 'a', c1: 5 }];
  const [written] = clause.readWritten({ rows, format: NAMED_FORMAT });
  const { record, json } = written!;
  expect([written!.key, record, json]).toEqual([key, { code: 'a', authorId: 5 }, '{"code":"a","authorId":5}']);
});

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
const changed = ([one, ...rest]: Table['columns'], more: object) => ({ columns: [{ ...one!, ...more }, ...rest] });
const observed = 'a listener or subscriber observes the write';
const shared = 'several entities share the table';

test.each<[reason: string | undefined, asked: Asked]>([
  [undefined, {}],
  ["the connection is the application's", { executor: (database) => database.connect('write') }],
  ['the option fastPaths: false', { database: { options: { fastPaths: false } as Database['options'] } }],
  ['the database returns no rows', { database: { returns: { insert: false, update: true } } }],
  [undefined, { statement: 'update', database: { returns: { insert: false, update: true } } }],
  ['the answer has an entity tag', { context: { request: tagged } }],
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
  ['the path has no key', { statement: 'update', context: { request: requestOf({ path: { authorId: 1 } }) } }],
  ['`persist` names another key', { statement: 'update', context: { request: persisting(2) } }],
  [undefined, { statement: 'update', context: { request: persisting(1) } }],
])('%s', (reason, asked) => expect(reasonFor(asked)).toBe(reason));

test('an insert that is not one statement tells why, once', async () => {
  const debug = jest.spyOn(Logger.prototype, 'debug').mockImplementation(() => undefined);
  const joining = contextOf(requestOf({ options: { query: { join: { author: { eager: true } } } } }));
  const hooked = { ...contextOf(requestOf()), hooks: {} as WriteContext['hooks'] };
  for (const context of [joining, hooked, hooked])
    expect(await insertReturning(context, [], { shallow: false })).toBeUndefined();
  const reasons = ['the answer has joined records', 'the service has hooks or emits events'];
  expect(debug.mock.calls).toEqual(reasons.map((reason) => [`Note: no RETURNING, ${reason}`]));
  debug.mockRestore();
});
