/** Plans → statements of MySQL, without a server. */
import { describe, expect, test } from '@jest/globals';
import type { CrudRequest } from '@nestwright/crud';
import { planAggregate, planRead, type PlannedHaving } from '@nestwright/crud/adapter';
import { existsSql, makeDraft, MYSQL, outerScope, Parameters, type Row } from '@nestwright/sql';
import type { WrittenValue } from '../src/select/aggregate-values.js';
import { readAggregates } from '../src/select/aggregate.js';
import { writeHaving } from '../src/select/having.js';
import { compiledRead, compileWhere } from '../src/select/index.js';
import { printAggregateShape } from '../src/select/shape.js';
import type { Writing } from '../src/select/writing.js';
import { makeDatabase } from './bare-database.js';
import { describeTable, INTEGER, KEY, TEXT } from './bare-tables.js';

const database = makeDatabase(MYSQL);
const authors = describeTable(database, 'Author', 'authors', { code: { ...TEXT, key: true } });
const authorCode = { ...TEXT, refers: { path: 'author', to: authors } };
const notes = describeTable(database, 'Note', 'notes', { id: KEY, title: TEXT, authorCode });
const request = (search: object = {}) =>
  ({ parsed: { search }, options: { query: {}, routes: {}, params: {} } }) as unknown as CrudRequest;
const planOf = (search?: object) => planRead(request(search), notes.catalog, 'many', { take: null, skip: null });
const bytes = (sql: string) => `CAST(CONVERT(${sql} USING utf8mb4) AS BINARY)`;

test.each(['$starts', '$ends', '$cont'])(
  '%s compares bytes, and the column itself where that uses its index',
  (operator) => {
    const like = (column: string, value: string) => `${column} LIKE ${value} ESCAPE '!'`;
    const exact = like(bytes('`notes`.`title`'), bytes('\0'));
    const { text: sql } = compileWhere(planOf({ title: { [operator]: 'a' } }), database);
    expect(sql).toBe(operator === '$starts' ? `(${like('`notes`.`title`', '\0')} AND ${exact})` : exact);
  },
);

test('a record without a key is told from others by all that it has', () => {
  const number = { ...INTEGER, nullable: true };
  const { catalog } = describeTable(database, 'Tally', 'tallies', { day: number, size: number });
  const plan = planRead(request({ size: 1 }), catalog, 'many', { take: null, skip: null });
  const writing = { ...makeDraft(plan, database, {}), parameters: new Parameters(), weigh: () => undefined };
  const exists = { top: plan.root, conditions: [plan.where!], required: [] };
  const where = ' WHERE `c0`.`day` = `Tally`.`day` AND `c0`.`size` = `Tally`.`size` AND `c0`.`size` = ';
  expect(existsSql(writing, exists, outerScope)).toContain(where);
});

test.each([undefined, { own: {} }])('an own operator without SQL is a mistake that is named: %j', (operators) => {
  const { parsed, options } = request({ title: { own: 'x' } });
  const asked = { parsed, options: { ...options, operators: { custom: { own: {} } } } } as unknown as CrudRequest;
  const plan = planRead(asked, notes.catalog, 'many', { take: null, skip: null });
  expect(() => compileWhere(plan, database, { operators })).toThrow('The operator "own" has no query');
});

test('no condition hides a total that has too many digits, since the request is to be refused', () => {
  const writing = { dialect: MYSQL, parameters: new Parameters(), plan: { values: ['1'] } } as unknown as Writing;
  const having = { output: 0, comparison: { operator: { name: 'gt' }, slot: 0 } } as unknown as PlannedHaving;
  const total = { kind: 'exact', ordered: 'total' } as WrittenValue;
  expect(writeHaving(writing, having, total)).toMatch(/^\(total\) > /);
  const inexact = writeHaving(writing, having, { ...total, inexact: 'digits >= 65' });
  expect(inexact).toMatch(/^\(digits >= 65 OR \(total\) > .*\)$/);
});

test('no plan is given the statement of another, though statements are kept', () => {
  const drafts = describeTable(database, 'Draft', 'drafts', {
    id: KEY,
    code: TEXT,
    authorCode,
    doc: { kind: 'json', type: 'json' },
    gone: { kind: 'datetime', type: 'datetime', nullable: true },
  });
  Object.assign(drafts, { deleteDateColumn: drafts.columns.at(-1) });
  const own = { isArray: true, query: (column: string, value: string) => `${column} IN (${value})` };
  const planOf = (search: object, parsed: object = {}, required = false) => {
    const options = { query: { join: { author: { required } } }, operators: { custom: { own } } };
    const asked = { parsed: { search, ...parsed }, options } as unknown as CrudRequest;
    return planRead(asked, drafts.catalog, 'many', { take: null, skip: null });
  };
  const [plain, join] = [planOf({}), [{ field: 'author' }]];
  const on = [{ field: 'author.code', operator: '$eq', value: 'a' }];
  const differing = [{}, { limit: 1 }, { offset: 1 }, { withDeleted: true }, { locked: true }];
  const codes = ['a', { $eqL: 'a' }, { $in: ['a'] }, { $in: ['a', 'b'] }, { own: ['a'] }, { own: ['a', 'b'] }];
  const documents = [{ 'doc.a': 1 }, { 'doc.a': '1' }, { 'doc.b': 1 }];
  const others = [{ id: 1 }, { $not: { code: 'a' } }, { $or: [{ code: 'a' }, { id: 1 }] }, { code: 'a', id: 1 }];
  const plans = [
    ...differing.map((part) => ({ ...plain, ...part })),
    ...[...codes.map((code) => ({ code })), ...documents, ...others].map((search) => planOf(search)),
    ...[{ code: 'a' }, { 'author.code': 'a' }].map((search) => planOf(search, { join })),
    ...['ASC', 'DESC'].map((order) => planOf({}, { sort: [{ field: 'code', order }] })),
    ...[planOf({}, { fields: ['code'] }), planOf({}, { join }), planOf({}, { join }, true)],
    planOf({}, { join: [{ field: 'author', on }] }),
  ];
  const statements = plans.map((plan) => compiledRead(makeDraft(plan, database, { operators: { own } })));
  expect(new Set(statements).size).toBe(plans.length);
});

describe('groups of texts and totals of long decimals', () => {
  const decimal = { kind: 'decimal', type: 'decimal', catalog: { precision: 65, scale: 2 } } as const;
  const { catalog } = describeTable(database, 'Tally', 'sums', { name: TEXT, sum: decimal });
  const query = { aggregate: { groupBy: ['name'], functions: { sum: ['sum', 'max'] } } };
  const parsed = {
    groupBy: [{ field: 'name', name: 'name' }],
    aggregate: ['sum', 'max'].map((name) => ({ function: name, field: 'sum', name })),
    sort: [{ field: 'name', order: 'DESC' }],
  };
  const plan = planAggregate({ parsed, options: { query } } as unknown as CrudRequest, catalog, {
    take: 2,
    skip: null,
  });
  const asked: string[] = [];
  const answers: Row[][] = [];
  const answering = makeDatabase(MYSQL, (sql) => {
    asked.push(sql);
    return Promise.resolve({ rows: answers.shift()!, affected: 0, insertId: undefined });
  });
  const read = (rows: Row[], most?: number) => {
    answers.push(rows, [{ c0: '7' }]);
    return readAggregates(plan, answering, {}, { counts: true, most });
  };

  test('are read as MySQL compares them', async () => {
    const rows = [{ c0: 'a', c1: '1.5', c2: 0, c3: '2.5' }, { c0: null, c1: null, c2: null, c3: null }, {}];
    expect(await read(rows, 2)).toEqual({
      rows: [
        { name: 'a', sum: '1.50', max: '2.5' },
        { name: null, sum: null, max: null },
      ],
      cut: true,
      total: 7,
    });
    const groups =
      `(SELECT MIN("Tally"."name") AS "c0", ${bytes('"Tally"."name"')} AS "c1", SUM("Tally"."sum") AS "c2", COUNT("Tally"."sum") AS "c3", ` +
      'COUNT("Tally"."sum") * MAX(ABS("Tally"."sum") + 0e0) AS "c4", MAX("Tally"."sum") AS "c5" ' +
      `FROM "sums" "Tally" GROUP BY ${bytes('"Tally"."name"')}) "groups"`;
    expect(asked.map((sql) => sql.replaceAll('`', '"'))).toEqual([
      'SELECT "groups"."c0" AS "c0", CAST("groups"."c2" AS CHAR) AS "c1", ("groups"."c4" >= 1e63) AS "c2", "groups"."c5" AS "c3" ' +
        `FROM ${groups} ORDER BY "groups"."c0" DESC, "groups"."c1" DESC LIMIT ?`,
      `SELECT COUNT(*) AS "c0" FROM ${groups}`,
    ]);
  });

  test('are refused where they are not sure', async () => {
    await expect(read([{ c0: 'a', c1: '1', c2: '1', c3: '1' }])).rejects.toMatchObject({
      response: { statusCode: 400, code: 'CRUD_VALUE_OUT_OF_RANGE', field: 'sum' },
    });
  });
});

test('plans for aggregates that group, compare or sort in other ways have statements of their own', () => {
  const tallies = describeTable(database, 'Tally', 'tallies', { day: { kind: 'date', type: 'date' }, size: INTEGER });
  const days = ['day', 'month'].map((unit) => ({ groupBy: [{ field: 'day', unit, name: 'day' }] }));
  const aggregate = ['sum', 'avg'].map((name) => ({ function: name, field: 'size', name }));
  const having = aggregate.map(({ name }) => ({ field: name, operator: '$gt', value: 1 }));
  const sorts = ['sum', 'avg'].flatMap((field) => ['ASC', 'DESC'].map((order) => ({ field, order })));
  const parts = [
    ...[{}, ...days, ...having.map((one) => ({ having: [one] })), ...sorts.map((sort) => ({ sort: [sort] }))],
    ...aggregate.map((one) => ({ aggregate: [one] })),
  ];
  const shapes = parts.map((part) => {
    const query = { aggregate: { groupBy: ['day'], functions: { size: ['sum', 'avg'] } } };
    const asked = { parsed: { aggregate, ...part }, options: { query } } as unknown as CrudRequest;
    const plan = planAggregate(asked, tallies.catalog, { take: null, skip: null });
    return printAggregateShape({ plan, dialect: MYSQL, operators: undefined });
  });
  expect(new Set(shapes).size).toBe(parts.length);
});
