/** The evaluator by examples that fit on a page: what it is to know must be seen without running it. */
import { describe, expect, test } from '@jest/globals';
import { choicesOf } from './evaluator/choices.js';
import { type Comparison, holds, type Operator } from './evaluator/comparison.js';
import { type Condition, truthOf } from './evaluator/condition.js';
import { Database } from './evaluator/differences.js';
import { answer, type ListQuery } from './evaluator/list.js';
import { every, not, some } from './evaluator/logic.js';
import type { ColumnType, Table, Value } from './evaluator/tables.js';

const sqlite = new Database('sqlite', {});
const mysql = new Database('mysql', {});

const compare = (
  type: ColumnType,
  stored: Value,
  operator: Operator,
  operands: Value[],
  fold = false,
  keys: string[] = [],
) => holds({ operator, operands, fold } satisfies Comparison, { column: { path: 'x', type }, keys }, stored, sqlite);

test('the three truth values', () => {
  expect([not(null), every([true, null]), every([false, null]), some([true, null]), some([false, null])]).toEqual([
    null,
    null,
    false,
    true,
    null,
  ]);
  expect([every([]), some([])]).toEqual([true, false]);
});

describe('comparisons', () => {
  test.each<[title: string, holds: boolean | null, ...Parameters<typeof compare>]>([
    ['a null is unknown', null, 'text', null, 'ne', ['a']],
    ['a null is null', true, 'text', null, 'isnull', []],
    ['nothing is in the empty list', false, 'text', null, 'in', []],
    ['everything is outside of it', true, 'integer', null, 'notin', []],
    ['text is exact', false, 'text', 'Ada', 'eq', ['ada']],
    ['trailing blanks count', false, 'text', 'Ada ', 'eq', ['Ada']],
    ['case is folded on both sides', true, 'text', 'Ada', 'ends', ['DA'], true],
    ['beyond A–Z only where the database does', false, 'text', 'Zoë', 'eq', ['zoË'], true],
    ['bigints keep their digits', false, 'bigint', 9007199254740993n, 'eq', [9007199254740992n]],
    ['text of a number', true, 'integer', 120, 'cont', ['2']],
    ['cont on a boolean is eq', true, 'boolean', false, 'cont', [false]],
    ['between includes its ends', true, 'date', '2024-01-01', 'between', ['2024-01-01', '2024-01-01']],
    ['items are whole', false, 'list', ['green'], 'contArr', ['gre']],
    ['numbers in JSON against numbers', true, 'json', { size: 9.5 }, 'gt', [9], false, ['size']],
    ['text in JSON against a number', null, 'json', { size: '20' }, 'eq', [20], false, ['size']],
    ['number in JSON against a text', true, 'json', { size: 20 }, 'eq', ['20'], false, ['size']],
    ['a missing path is null', true, 'json', {}, 'isnull', [], false, ['a', 'b']],
  ])('%s', (_, expected, ...given) => {
    expect(compare(...given)).toBe(expected);
  });
});

test('letters beyond A–Z', () => {
  expect([sqlite.fold('ZOË'), mysql.fold('ZOË')]).toEqual(['zoË', 'zoë']);
});

describe('related records', () => {
  const children: Table = {
    name: 'Child',
    columns: [
      { path: 'id', type: 'integer' },
      { path: 'parent', type: 'integer' },
      { path: 'age', type: 'integer' },
      { path: 'gone', type: 'datetime' },
    ],
    key: ['id'],
    deleteDate: 'gone',
    relations: [],
    entries: [
      [1, 1, 5, null],
      [2, 1, 15, null],
      [3, 2, 15, 1000],
    ].map(([id, parent, age, gone]) => new Map(Object.entries({ id, parent, age, gone }))),
  };
  const parents: Table = {
    name: 'Parent',
    columns: [{ path: 'id', type: 'integer' }],
    key: ['id'],
    relations: [
      {
        name: 'children',
        target: () => children,
        many: true,
        of: (entry) => children.entries.filter((child) => child.get('parent') === entry.get('id')),
      },
    ],
    entries: [1, 2].map((id) => new Map([['id', id]])),
  };
  const age = (operator: Operator, ...operands: number[]): Condition => ({
    kind: 'compare',
    field: { relation: 'children', column: { path: 'age', type: 'integer' }, keys: [] },
    comparison: { operator, operands, fold: false },
  });
  const resource = {
    name: 'parents',
    table: parents,
    joins: { children: { exclude: ['gone', 'parent'] } },
    scopes: [{ url: '/' }],
    softDelete: true,
  };
  const list = (query: Partial<ListQuery>) =>
    answer({ resource, scope: resource.scopes[0]!, joins: [], fields: [], sort: [], ...query }, sqlite).body;

  test('a record without children offers one that is none', () => {
    const rules = { withDeleted: false, required: new Set<string>() };

    expect(
      parents.entries.map((entry) =>
        choicesOf(parents, entry, ['children'], rules).map((choice) => choice.get('children')?.get('id')),
      ),
    ).toEqual([[1, 2], [undefined]]);
    expect(truthOf(age('isnull'), new Map(), sqlite)).toBe(true);
  });

  test('conditions on one path speak of the same child', () => {
    expect(list({ condition: { kind: 'and', items: [age('lt', 10), age('gt', 10)] } })).toEqual([]);
    expect(list({ condition: { kind: 'or', items: [age('lt', 10), age('isnull')] } })).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('a joined relation returns the children that make its record match', () => {
    const joins = [{ relation: 'children', fields: [] }];

    expect(list({ joins, condition: age('gt', 10) })).toEqual([{ id: 1, children: [{ id: 2, age: 15 }] }]);
    expect(list({ joins, condition: age('gt', 10), includeDeleted: 1 })).toHaveLength(2);
    expect(list({ joins, page: 2, limit: 1 })).toEqual({
      data: [{ id: 2, children: [] }],
      count: 1,
      total: 2,
      page: 2,
      pageCount: 2,
    });
  });
});
