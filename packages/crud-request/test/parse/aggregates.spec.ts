/** Groups, functions and conditions on rows: what is printed is read back, and what is no name is refused. */
import { expect, test } from '@jest/globals';
import { parseQuery, RequestQueryBuilder } from '@nestwright/crud-request';
import { refusalOf } from '../refusal.js';

function placeOf(run: () => unknown): unknown {
  const { code, parameter, position } = refusalOf(run);
  return [code, parameter, position];
}

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
  for (const name of ['a:hour', 'a:days'])
    expect(parseQuery({ groupBy: name }).groupBy).toEqual([{ field: name, name }]);
});

test('functions have names of their own', () =>
  expect(parseQuery('aggregate=count||*&aggregate=avg||a.b&aggregate=countDistinct||c||d_1').aggregate).toEqual([
    { function: 'count', field: '*', name: 'count' },
    { function: 'avg', field: 'a.b', name: 'avg_a.b' },
    { function: 'countDistinct', field: 'c', name: 'd_1' },
  ]));

test('conditions on rows are read as others are, and count with them', () => {
  expect(parseQuery('having=count||gt||1&having=a||in||x,y&having=b||isnull').having).toEqual([
    { field: 'count', operator: 'gt', value: '1' },
    { field: 'a', operator: 'in', value: ['x', 'y'] },
    { field: 'b', operator: 'isnull' },
  ]);
  const read = () => parseQuery('filter=a||eq||1&having=b||eq||1', { limits: { conditions: 1 } });
  expect(placeOf(read)).toEqual(['CRUD_LIMIT_EXCEEDED', 'having', 0]);
});

test('where nothing is sent, nothing is there', () =>
  expect(parseQuery('filter=a||eq||1&groupBy=&aggregate=')).not.toHaveProperty('groupBy'));

test.each([
  ['groupBy=a,,b', ['CRUD_INVALID_QUERY', 'groupBy', 2]],
  ['groupBy=||a', ['CRUD_INVALID_QUERY', 'groupBy', 0]],
  ['groupBy=a||1b', ['CRUD_INVALID_QUERY', 'groupBy', 3]],
  ['groupBy=a||b,c', ['CRUD_INVALID_QUERY', 'groupBy', 3]],
  ['groupBy=a||b||c', ['CRUD_INVALID_QUERY', 'groupBy', 3]],
  ['groupBy=a||', ['CRUD_INVALID_QUERY', 'groupBy', 3]],
  [`groupBy=a||${'b'.repeat(65)}`, ['CRUD_INVALID_QUERY', 'groupBy', 3]],
  ['aggregate=median||a', ['CRUD_INVALID_QUERY', 'aggregate', 0]],
  ['aggregate=counts||a', ['CRUD_INVALID_QUERY', 'aggregate', 0]],
  ['aggregate=account||a', ['CRUD_INVALID_QUERY', 'aggregate', 0]],
  ['aggregate=__proto__||a', ['CRUD_INVALID_QUERY', 'aggregate', 0]],
  ['aggregate=sum', ['CRUD_INVALID_QUERY', 'aggregate', 3]],
  ['aggregate=sum||*', ['CRUD_INVALID_QUERY', 'aggregate', 5]],
  ['aggregate=count||*||a b', ['CRUD_INVALID_QUERY', 'aggregate', 10]],
  ['having=a', ['CRUD_INVALID_QUERY', 'having', 1]],
  ['having=a||nope||1', ['CRUD_UNKNOWN_OPERATOR', 'having', 3]],
])('%s is refused', (query, place) => expect(placeOf(() => parseQuery(query))).toEqual(place));

test.each(['b'.repeat(64), 'B_1.c'])('%s is a name', (name) =>
  expect(parseQuery(`groupBy=a||${name}`).groupBy).toEqual([{ field: 'a', name }]),
);

test('the builder prints what the parser reads', () => {
  const printed = RequestQueryBuilder.create()
    .groupBy('role', ['createdAt:month', 'month'])
    .aggregate(['count', '*'])
    .aggregate(['avg', 'company.price', 'price'], ['max', 'age'])
    .having([{ field: 'price', operator: 'gt', value: 10 }])
    .having(['count', 'in', [1, 2]])
    .sortBy(['price', 'DESC'])
    .setLimit(10)
    .query(false);
  expect(printed).toBe(
    'groupBy=role&groupBy=createdAt:month||month&aggregate=count||*&aggregate=avg||company.price||price&aggregate=max||age' +
      '&having=price||gt||10&having=count||in||1,2&sort=price,DESC&limit=10',
  );
  const { groupBy, aggregate, having } = parseQuery(printed);
  const month = { field: 'createdAt', unit: 'month', name: 'month' };
  expect(groupBy).toEqual([{ field: 'role', name: 'role' }, month]);
  expect(aggregate).toMatchObject([{ name: 'count' }, { field: 'company.price', name: 'price' }, { name: 'max_age' }]);
  expect(having!.map(({ field, operator, value }) => [field, operator, value as unknown])).toEqual([
    ['price', 'gt', '10'],
    ['count', 'in', ['1', '2']],
  ]);
});

test('the builder refuses what the parser would', () => {
  const builder = RequestQueryBuilder.create();
  expect(() => builder.groupBy(['a', '1'])).toThrow('Invalid name of a group or function');
  expect(() => builder.groupBy('a||b')).toThrow('Invalid groupBy field');
  expect(() => builder.groupBy('a,b')).toThrow('Invalid groupBy field');
  expect(() => builder.aggregate(['max', 'a||b'])).toThrow('Invalid aggregate field');
  expect(() => builder.aggregate(['median' as never, 'a'])).toThrow('Unknown function median');
});

test('parameters of these names that the application calls others stay those', () => {
  const language = { paramNamesMap: { filter: ['filter', 'having'], groupBy: 'by' } };
  const { filter, groupBy } = parseQuery('having=a||eq||1&by=b', { language });
  expect([filter, groupBy]).toMatchObject([[{ field: 'a' }], [{ field: 'b' }]]);
});
