/** What the parser makes of `filter` and `or`: values, operators and how they combine, and what it refuses at which position. */
import { describe, expect, test } from '@jest/globals';
import { parseQuery } from '@nestwright/crud-request';
import { comparison, refusal } from '../refusal.js';

describe('conditions', () => {
  test.each([
    ['name||eq||', 'CRUD_INVALID_VALUE', 10],
    ['name||eq', 'CRUD_INVALID_VALUE', 8],
    ['name', 'CRUD_INVALID_QUERY', 4],
    ['name||', 'CRUD_INVALID_QUERY', 6],
    ['||eq||1', 'CRUD_INVALID_QUERY', 0],
    ['$or||eq||1', 'CRUD_INVALID_QUERY', 0],
    ['name||nope||1', 'CRUD_UNKNOWN_OPERATOR', 6],
    ['name||toString||1', 'CRUD_UNKNOWN_OPERATOR', 6],
    ['name||__proto__||1', 'CRUD_UNKNOWN_OPERATOR', 6],
    ['name||isnullL', 'CRUD_UNKNOWN_OPERATOR', 6],
    ['name||contArrL||a', 'CRUD_UNKNOWN_OPERATOR', 6],
    ['name||between||1', 'CRUD_INVALID_VALUE', 15],
    ['name||between||1,2,3', 'CRUD_INVALID_VALUE', 15],
    ['name||in||a,,b', 'CRUD_INVALID_VALUE', 10],
    ['name||in||', 'CRUD_INVALID_VALUE', 10],
  ])('%s is refused with %s at %i', (filter, code, position) => {
    expect(refusal({ filter })).toMatchObject({ code, parameter: 'filter', position });
    expect(refusal({ or: filter })).toMatchObject({ code, parameter: 'or', position });
  });

  test('what has no operator is told the form', () => {
    const message = 'Invalid condition. field||operator||value expected';
    for (const filter of ['name', 'name=Ann', 'name||'])
      expect(refusal({ filter })).toMatchObject({ code: 'CRUD_INVALID_QUERY', message });
  });

  test.each([
    ['name||$eq||a||b', '$eq', 'a||b'],
    ['name||eq||a,b\\', 'eq', 'a,b\\'],
    ['name||cont|| ', 'cont', ' '],
    ['name||in||a', 'in', ['a']],
    ['name||$inL||a\\,b,c\\\\,d\\e', '$inL', ['a,b', 'c\\', 'd\\e']],
    ['name||between||1,2', 'between', ['1', '2']],
    ['name||contArr||x,y', 'contArr', ['x', 'y']],
  ])('%s has the value that stands in it', (filter, operator, value) =>
    expect(parseQuery({ filter }).filter).toEqual([{ field: 'name', operator, value }]),
  );

  test('operators without a value ignore one', () => {
    expect(parseQuery({ filter: ['a||isnull', 'b||$notnull||x'] })).toMatchObject({
      filter: [
        { field: 'a', operator: 'isnull' },
        { field: 'b', operator: '$notnull' },
      ],
      condition: { kind: 'and', items: [comparison('a', 'isnull'), comparison('b', 'notnull')] },
    });
  });

  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((field) => comparison(field, 'eq', '1'));
  const all = (...items: unknown[]) => ({ kind: 'and', items });
  const any = (...items: unknown[]) => ({ kind: 'or', items });
  test.each([
    ['a', '', a],
    ['ab', '', all(a, b)],
    ['', 'a', a],
    ['', 'ab', any(a, b)],
    ['a', 'b', any(a, b)],
    ['ab', 'c', any(all(a, b), c)],
    ['a', 'bc', any(a, all(b, c))],
    ['ab', 'cd', any(all(a, b), all(c, d))],
  ])('filters on %s and alternatives on %s combine', (filter, or, node) => {
    const spelt = (fields: string) => [...fields].map((field) => `${field}||eq||1`);
    expect(parseQuery({ filter: spelt(filter), or: spelt(or) }).condition).toEqual(node);
  });

  test('beside s, filter and or are ignored unread', () => {
    expect(parseQuery({ s: '{"a":1}', filter: '||', or: 'x||y||z' })).toMatchObject({
      search: { a: 1 },
      filter: [],
      or: [],
      condition: comparison('a', 'eq', 1),
    });
  });

  test('operators of the application’s own', () => {
    const customOperators = { sounds: {}, $near: { isArray: true }, eq: { isArray: true } };
    const query = { filter: ['a||sounds||x,y', 'b||$near||1,2', 'c||eq||1,2'] };
    const { filter, condition } = parseQuery(query, { customOperators });
    expect(filter.map(({ value }) => value as unknown)).toEqual(['x,y', ['1', '2'], '1,2']);
    expect(condition).toMatchObject({
      items: [
        { kind: 'custom', field: 'a', operator: 'sounds', value: 'x,y' },
        { kind: 'custom', field: 'b', operator: '$near', value: ['1', '2'] },
        { kind: 'comparison', field: 'c' },
      ],
    });
    const listed = { customOperators: ['sounds'] };
    expect(parseQuery({ filter: 'a||sounds||x' }, listed).filter).toHaveLength(1);
    expect(refusal({ filter: 'a||sounds||' }, listed)).toMatchObject({ code: 'CRUD_INVALID_VALUE' });
  });
});
