/** Queries of records in memory → which are found, and what is computed of them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { Crud } from '@nestwright/crud';
import { type Api, start, stopAll } from '../../crud/test/support/application.js';
import { MemoryCrudService, MemoryDatabase, type TableDefinition } from '../src/index.js';

class Item {}

const nullable = true;
const TABLES: Record<string, TableDefinition> = {
  items: {
    model: Item,
    columns: {
      id: { kind: 'integer', primary: true, counter: true },
      name: { kind: 'text' },
      price: { kind: 'decimal', scale: 2, precision: 12, nullable },
      size: { kind: 'bigint', nullable },
      weight: { kind: 'integer', nullable },
      huge: { kind: 'integer', nullable },
      at: { kind: 'datetime', nullable },
      info: { kind: 'json', nullable },
      tags: { kind: 'array', elementKind: 'text', nullable },
      codes: { kind: 'array', elementKind: 'integer', nullable },
      parentId: { kind: 'integer', nullable, references: 'items' },
    },
    relations: { parent: { one: 'items', by: 'parentId' }, parts: { many: 'items', of: 'parentId' } },
  },
};

const FUNCTIONS = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'];

function resource(path: string, database: MemoryDatabase, maxLimit = 100) {
  @Crud({
    model: { type: Item },
    query: {
      maxLimit,
      join: { parent: {}, 'parent.parent': {}, parts: {} },
      aggregate: {
        groupBy: ['name', 'at', 'weight'],
        functions: {
          '*': ['count'],
          price: FUNCTIONS,
          size: FUNCTIONS,
          weight: FUNCTIONS,
          huge: ['sum'],
          name: ['countDistinct', 'min', 'max'],
          at: ['min', 'max'],
        } as never,
      },
    },
    operators: { custom: { odd: { query: (field: string) => `${field} % 2 = 1` } } as never },
    routes: { aggregateBase: true, countBase: true },
  })
  @Controller(path)
  class ItemsController {
    readonly service = new MemoryCrudService(database, 'items');
  }
  return ItemsController;
}

const ITEMS = [
  {
    name: 'a',
    price: '10.5',
    size: '9007199254740993',
    weight: 3,
    huge: Number.MAX_SAFE_INTEGER,
    at: '2024-02-29T00:00:00.000Z',
    info: { n: 5, ok: true, t: 'x', deep: { k: 'v' } },
    tags: ['x', 'y'],
    codes: [1, 2],
  },
  {
    name: 'b',
    price: '-0.01',
    size: '-4',
    weight: 3,
    huge: 1,
    at: '2023-12-31T23:00:00.250Z',
    info: { n: '5', t: null, deep: 'v' },
    codes: [2],
    parentId: 1,
  },
  { name: 'c', price: '2.01', weight: 10, info: ['x'], parentId: 2, tags: [] },
  { name: 'd', price: '-5.01', size: '-4', at: '2024-04-01T00:00:00Z', info: 'x', parentId: 1 },
  { name: 'e' },
];

let api: Api;
beforeAll(async () => {
  const database = new MemoryDatabase(TABLES);
  api = await start({ controllers: [resource('items', database), resource('few', database, 2)] });
  const { body } = await api.post('/items/bulk', { bulk: ITEMS });
  expect(body).toMatchObject([{ id: 1, price: '10.50' }, {}, {}, {}, {}]);
});
afterAll(stopAll);

test.each([
  // In documents: by the type of what is asked for.
  [{ 'info.n': 5 }, 'a'],
  [{ 'info.n': '5' }, 'ab'],
  [{ 'info.n': { $gt: 4 } }, 'a'],
  [{ 'info.ok': true }, 'a'],
  [{ 'info.t': { $isnull: true } }, 'bcde'],
  [{ 'info.deep.k': 'v' }, 'a'],
  [{ 'info.deep': { $notnull: true } }, 'ab'],
  [{ 'info.length': { $notnull: true } }, ''],
  [{ 'info.toString': { $notnull: true } }, ''],
  // In lists.
  [{ tags: { $contArr: ['x', 'y'] } }, 'a'],
  [{ codes: { $contArr: [2] } }, 'ab'],
  [{ codes: { $intersectsArr: ['1', 7] } }, 'a'],
  // What is unknown neither holds nor fails.
  [{ $not: { price: { $gt: 2.01 } } }, 'bcd'],
  [{ $or: [{ price: { $gt: 2.01 } }, { size: -4 }] }, 'abd'],
  [{ $not: { $or: [{ price: { $gt: 2.01 } }, { size: -4 }] } }, ''],
  [{ $not: { $and: [{ price: { $gt: 2.01 } }, { size: -4 }] } }, 'abcd'],
  // By values, however they are written.
  [{ price: { $in: ['2.01', '-0.010'] } }, 'bc'],
  [{ price: { $notin: ['2.01', '-0.010'] } }, 'ad'],
  [{ price: { $between: [-0.01, 2.01] } }, 'bc'],
  [{ size: { $gte: '9007199254740993' } }, 'a'],
  [{ size: '9007199254740992' }, ''],
  [{ name: { $exclL: 'B' } }, 'acde'],
  [{ at: { $lt: '2024-01-01' } }, 'b'],
  // Of related records, or of none.
  [{ 'parent.name': { $isnull: true } }, 'ae'],
  [{ 'parent.parent.name': 'a' }, 'c'],
  [{ 'parent.parent.name': { $isnull: true } }, 'abde'],
  [{ 'parts.name': 'b' }, 'a'],
  [{ 'parts.name': { $isnull: true } }, 'cde'],
  [{ $and: [{ 'parts.name': 'b' }, { 'parts.name': 'd' }] }, ''],
  [{ id: { $in: [] } }, ''],
  [{ $not: { id: { $in: [] } } }, 'abcde'],
])('%j', async (search, names) => {
  const { body } = await api.get(`/items?s=${encodeURIComponent(JSON.stringify(search))}&sort=id,ASC`);
  expect((body as { name: string }[]).map(({ name }) => name).join('')).toBe(names);
});

test('an operator that is SQL is a 400', async () => {
  expect((await api.get('/items?filter=id||odd||1')).body).toMatchObject({
    code: 'CRUD_UNKNOWN_OPERATOR',
    message: 'odd is SQL, which records in memory do not know',
  });
});

const functions = (column: string, ...names: string[]) => names.map((name) => `aggregate=${name}||${column}`).join('&');
const count = 'aggregate=count||*';
test.each([
  [functions('price', 'sum', 'avg', 'count'), [{ sum_price: '7.49', avg_price: '1.87250000', count_price: 4 }]],
  [functions('price', 'min', 'max'), [{ min_price: '-5.01', max_price: '10.50' }]],
  [
    functions('size', 'sum', 'avg', 'min', 'countDistinct'),
    [{ sum_size: '9007199254740985', avg_size: '3002399751580328.333333', min_size: '-4', countDistinct_size: 2 }],
  ],
  [
    functions('weight', 'sum', 'avg', 'max', 'countDistinct'),
    [{ sum_weight: 16, avg_weight: 16 / 3, max_weight: 10, countDistinct_weight: 2 }],
  ],
  [
    `${functions('name', 'min', 'max')}&${functions('at', 'min', 'max')}`,
    [{ min_name: 'a', max_name: 'e', min_at: '2023-12-31T23:00:00.250Z', max_at: '2024-04-01T00:00:00.000Z' }],
  ],
  [`${functions('price', 'sum')}&filter=name||eq||b`, [{ sum_price: '-0.01' }]],
  [`${functions('price', 'avg')}&filter=name||in||a,b,c`, [{ avg_price: '4.16666667' }]],
  [`${functions('price', 'avg')}&filter=name||in||b,c,d`, [{ avg_price: '-1.00333333' }]],
  [`${functions('price', 'avg', 'min')}&filter=name||eq||e`, [{ avg_price: null, min_price: null }]],
  [
    `groupBy=weight&${count}&sort=count,DESC&sort=weight,DESC&filter=name||ne||e`,
    [{ weight: 3, count: 2 }, ...[10, null].map((weight) => ({ weight, count: 1 }))],
  ],
  [
    `groupBy=weight&${count}&${functions('price', 'sum')}&having=count||gt||1&having=sum_price||gt||2`,
    [{ weight: 3, count: 2, sum_price: '10.49' }],
  ],
  [
    `groupBy=name&${functions('price', 'avg')}&sort=avg_price,DESC&limit=1&filter=name||ne||c`,
    [{ name: 'a', avg_price: '10.50000000' }],
  ],
  [
    `groupBy=at:week&sort=at:week,ASC`,
    [null, '2023-12-25', '2024-02-26', '2024-04-01'].map((week) => ({ 'at:week': week })),
  ],
  ...Object.entries({ day: '2023-12-31', month: '2023-12', quarter: '2023-Q4', year: '2023' }).map(
    ([unit, name]): [string, object[]] => [`groupBy=at:${unit}&filter=name||eq||b`, [{ [`at:${unit}`]: name }]],
  ),
  [
    `groupBy=at:quarter&${count}&filter=at||gte||2024-01-01&sort=at:quarter,ASC&page=2&limit=1`,
    { data: [{ 'at:quarter': '2024-Q2', count: 1 }], total: 2, count: 1, page: 2, pageCount: 2 },
  ],
])('%s', async (query, answer) => {
  expect((await api.get(`/items/aggregate?${query}`)).body).toEqual(answer);
});

test.each([
  ['few?', 'true'],
  ['few?filter=id||lt||3', undefined],
  ['few/aggregate?groupBy=name', 'true'],
  ['few/aggregate?groupBy=name&filter=id||lt||3', undefined],
])('what the ceiling cuts says so: %s', async (path, truncated) => {
  const { body, headers } = await api.get(`/${path}`);
  expect([(body as object[]).length, headers['x-crud-truncated']]).toEqual([2, truncated]);
});

test('a sum of integers that a number does not hold is a 400', async () => {
  expect((await api.get('/items/aggregate?aggregate=sum||huge')).body).toMatchObject({
    code: 'CRUD_VALUE_OUT_OF_RANGE',
    message: 'The sum is too large',
    field: 'aggregate',
  });
});
