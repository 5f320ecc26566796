/** Plans → statements of MySQL, without a server. */
import { expect, test } from '@jest/globals';
import type { CrudRequest } from '@nestwright/crud';
import { planAggregate, planRead, type PlannedHaving } from '@nestwright/crud/adapter';
import { existsSql, makeDraft, MYSQL, outerScope, Parameters } from '@nestwright/sql';
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
  const compared = (name: string) => ({ comparison: { operator: { name }, slot: 0 } }) as unknown as PlannedHaving;
  const total = { kind: 'exact', ordered: 'total' } as WrittenValue;
  for (const [name, sign] of Object.entries({ ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' }))
    expect(writeHaving(writing, compared(name), total)).toContain(`(total) ${sign} `);
  const inexact = writeHaving(writing, compared('gt'), { ...total, inexact: 'digits >= 65' });
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

test('a total of long decimals is refused where it is not sure', async () => {
  const decimal = { kind: 'decimal', type: 'decimal', catalog: { precision: 65, scale: 2 } } as const;
  const { catalog } = describeTable(database, 'Tally', 'sums', { sum: decimal });
  const parsed = { aggregate: [{ function: 'sum', field: 'sum', name: 'sum' }] };
  const asked = { parsed, options: { query: { aggregate: { functions: { sum: ['sum'] } } } } };
  const plan = planAggregate(asked as unknown as CrudRequest, catalog, { take: null, skip: null });
  const read = (unsure: unknown) => {
    const answer = { rows: [{ c0: '1.5', c1: unsure }], affected: 0, insertId: undefined };
    const answering = makeDatabase(MYSQL, () => Promise.resolve(answer));
    return readAggregates(plan, answering, {}, { counts: false });
  };
  expect(await read(0)).toMatchObject({ rows: [{ sum: '1.50' }] });
  const response = { statusCode: 400, code: 'CRUD_VALUE_OUT_OF_RANGE', field: 'sum' };
  await expect(read('1')).rejects.toMatchObject({ response });
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
