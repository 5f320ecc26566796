/** What a write returns of its row, and what of its scope is still to be checked. */
import { expect, test } from '@jest/globals';
import type { CrudRequest, QueryOptions } from '@nestwright/crud';
import { planScope } from '@nestwright/crud/adapter';
import { NAMED_FORMAT } from '../src/database/rows.js';
import { SQLITE } from '@nestwright/sql';
import { type Sent, requestOf } from '../../crud-typeorm/test/support/requests.js';
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
  ['nothing of what always holds', { $or: [{ size: { $notin: [] } }] }, columns, []],
  ['another key', { code: 'b' }, inScope(equal('code')), ['b']],
  ['what is no equality', { code: { $gte: 'a' } }, inScope('"notes"."code" >= \0'), ['a']],
  ['what ignores case', { code: { $eqL: 'a' } }, inScope('LOWER("notes"."code") = LOWER(\0)'), ['a']],
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
    expect(['1', 0].map((s0) => clause.isInScope?.({ s0 }, NAMED_FORMAT))).toEqual(
      sql === columns ? [undefined, undefined] : [true, false],
    );
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

test('rows become keys, records and JSON', () => {
  const request = requestOf({ options: { query: { exclude: ['size'] } }, parsed: { fields: ['authorId'] } });
  const clause = makeReturningClause(contextOf(request), { shallow: false })!;
  const rows = [{ c0: 'a', c1: 5 }];
  const [written] = clause.readWritten({ rows, format: NAMED_FORMAT });
  const { record, json } = written!;
  expect([written!.key, record, json]).toEqual([key, { code: 'a', authorId: 5 }, '{"code":"a","authorId":5}']);
});
