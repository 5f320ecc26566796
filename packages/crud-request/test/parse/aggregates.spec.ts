/** Groups, functions and conditions on rows: what is printed is read back, and what is no name is refused. */
import { expect, test } from '@jest/globals';
import { parseQuery, RequestQueryBuilder } from '@nestwright/crud-request';
import { refusal } from '../refusal.js';

test('groups may be listed, repeated, named, and parts of the calendar', () => {
  expect(parseQuery('groupBy=a,b.c:month&groupBy=d||e.f&groupBy=g:year||h').groupBy).toStrictEqual([
    { field: 'a', name: 'a' },
    { field: 'b.c', unit: 'month', name: 'b.c:month' },
    { field: 'd', name: 'e.f' },
    { field: 'g', unit: 'year', name: 'h' },
  ]);
  const units = ['day', 'week', 'month', 'quarter', 'year'];
  expect(parseQuery({ groupBy: units.map((unit) => `a\n:${unit}`) }).groupBy).toEqual(
    units.map((unit) => ({ field: 'a\n', unit, name: `a\n:${unit}` })),
  );
  // No part of the calendar: a name that nothing has.
  const hours = [{ field: 'a:hours', name: 'a:hours' }];
  expect(parseQuery('groupBy=a:hours').groupBy).toEqual(hours);
  expect(parseQuery('groupBy=&aggregate=')).not.toHaveProperty('groupBy');
});

test.each([
  ['groupBy=a,,b', 'CRUD_INVALID_QUERY', 2],
  ['groupBy=||a', 'CRUD_INVALID_QUERY', 0],
  ['groupBy=a||1b', 'CRUD_INVALID_QUERY', 3],
  ['groupBy=a||b||c', 'CRUD_INVALID_QUERY', 3],
  ['groupBy=a||', 'CRUD_INVALID_QUERY', 3],
  [`groupBy=a||${'b'.repeat(65)}`, 'CRUD_INVALID_QUERY', 3],
  ['aggregate=counts||a', 'CRUD_INVALID_QUERY', 0],
  ['aggregate=account||a', 'CRUD_INVALID_QUERY', 0],
  ['aggregate=__proto__||a', 'CRUD_INVALID_QUERY', 0],
  ['aggregate=sum', 'CRUD_INVALID_QUERY', 3],
  ['aggregate=sum||*', 'CRUD_INVALID_QUERY', 5],
  ['aggregate=count||*||a b', 'CRUD_INVALID_QUERY', 10],
  ['having=a||nope||1', 'CRUD_UNKNOWN_OPERATOR', 3],
  [`having=b||eq||1&filter=${'a||eq||1&filter='.repeat(100)}`, 'CRUD_LIMIT_EXCEEDED', 0],
])('%s is refused', (query, code, position) =>
  expect(refusal(query)).toMatchObject({ code, parameter: query.split('=')[0], position }),
);

test('the builder prints what the parser reads', () => {
  const long = 'b'.repeat(64);
  const printed = RequestQueryBuilder.create()
    .groupBy('role', ['createdAt:month', 'month'], ['a', long])
    .aggregate(['count', '*'])
    .aggregate(['avg', 'company.price', 'B_1.c'], ['max', 'age'])
    .having([{ field: 'price', operator: 'gt', value: 10 }])
    .having(['count', 'in', [1, 2]])
    .query(false);
  expect(printed).toBe(
    `groupBy=role&groupBy=createdAt:month||month&groupBy=a||${long}` +
      '&aggregate=count||*&aggregate=avg||company.price||B_1.c&aggregate=max||age&having=price||gt||10&having=count||in||1,2',
  );
  expect(parseQuery(printed)).toMatchObject({
    groupBy: [{ name: 'role' }, { field: 'createdAt', unit: 'month', name: 'month' }, { field: 'a', name: long }],
    aggregate: [
      { function: 'count', field: '*', name: 'count' },
      { function: 'avg', field: 'company.price', name: 'B_1.c' },
      { function: 'max', field: 'age', name: 'max_age' },
    ],
    having: [
      { field: 'price', operator: 'gt', value: '10' },
      { field: 'count', operator: 'in', value: ['1', '2'] },
    ],
  });
});

test('parameters of these names that the application calls others stay those', () => {
  const language = { paramNamesMap: { filter: ['filter', 'having'], groupBy: 'by' } };
  const { filter, groupBy } = parseQuery('having=a||eq||1&by=b', { language });
  expect([filter, groupBy]).toMatchObject([[{ field: 'a' }], [{ field: 'b' }]]);
});
