/** What the parser makes of each parameter, in every form in which frameworks hand it over, and what it refuses with which code, parameter and position. */
import { describe, expect, test } from '@jest/globals';
import { parse as parseExtended } from 'qs';
import { parse as parseSimple } from 'node:querystring';
import { parseQuery, RequestQueryBuilder } from '@nestwright/crud-request';
import { comparison, refusal } from '../refusal.js';

const NOTHING = { fields: [], filter: [], or: [], join: [], sort: [], extra: {} };

test.each<unknown>([
  ...[{ filter: 'a||eq||1' }, { filter: ['a||eq||1'] }, { 'filter[]': 'a||eq||1' }, { 'filter[0]': 'a||eq||1' }],
  ...[{ filter: { 0: 'a||eq||1' } }, '?filter=a%7C%7Ceq%7C%7C1', 'filter%5B0%5D=a||eq||1&other=%20'],
])('keys: %j', (query) => expect(parseQuery(query).filter).toEqual([{ field: 'a', operator: 'eq', value: '1' }]));

test.each(['sort=a&sort=b&sort=c', 'sort[]=a&sort[]=b&sort[]=c', 'sort[10]=c&sort[0]=a&sort[9]=b'])(
  'keys %s means the same with every query parser, in the order of its indexes',
  (query) => {
    for (const parsed of [query, parseSimple(query), parseExtended(query)])
      expect(parseQuery(parsed).sort.map(({ field }) => field)).toEqual(['a', 'b', 'c']);
  },
);

test('repeated keys that a framework parses as an object', () => {
  const values = Array.from({ length: 30 }, (_, index) => String(index));
  const query = values.map((value) => `filter[${value}]=a||eq||${value}`).join('&');
  expect(parseQuery(parseExtended(query)).filter.map(({ value }) => value as string)).toEqual(values);
});

test('values of all names of a parameter are concatenated; keys without an index come first', () => {
  expect(parseQuery({ fields: 'a', select: 'b,c' }).fields).toEqual(['a', 'b', 'c']);
  expect(parseQuery('sort[1]=d&sort[0]=c&sort=a&sort[]=b').sort.map(({ field }) => field)).toEqual([...'abcd']);
});

test('a query string has blanks as plus signs, and keys without a value', () => {
  for (const [query, value] of Object.entries({ 'x+y%2Bz': 'x y+z', 'x+y': 'x y', 'x=y': 'x=y' }))
    expect(parseQuery(`filter=a||eq||${query}`).filter[0]?.value).toBe(value);
  expect(parseQuery('sort=a&cursor')).toMatchObject({ sort: [{ field: 'a' }], cursor: '' });
});

const ODD_KEYS = ['[a]', '[', '[0]x', '[0][1]', '[][]x', '[1234567890123456]'];
const ODD_FILTERS = [{ a: 'x' }, { '1a': 'x' }, { a1: 'x' }, [['x']], [{ 0: 'x' }], [() => 'x'], Symbol('x')];

test.each<object>([
  ...ODD_KEYS.map((key) => ({ [`filter${key}`]: 'x' })),
  ...ODD_FILTERS.map((filter) => ({ filter })),
])('keys: %j is refused', (query) =>
  expect(refusal(query)).toMatchObject({ code: 'CRUD_INVALID_QUERY', parameter: 'filter', position: 0 }),
);

test('malformed percent-encoding of a query string is refused', () => {
  const place = { parameter: '%E0%A4%A', position: 0 };
  expect(refusal('filter=%E0%A4%A')).toMatchObject({ code: 'CRUD_INVALID_QUERY', ...place });
});

test.each<unknown>([
  ...[{ foo: { bar: [{}] } }, { 'no.extra.a': 1 }, ['a'], { filter: undefined }, { filter: null }, { filter: [] }],
  ...[{ filter: '' }, { limit: '' }, { include_deleted: ['', ''] }, null, 7],
])('in %j nothing is sent', (query) => expect(parseQuery(query)).toEqual(NOTHING));

test('only the requested parameters are decoded', () => {
  const parameters = new Set(['fields'] as const);
  const query = { fields: 'a', sort: ['', {}, 'x,y,z'], limit: 'x', s: '{' };
  expect(parseQuery(query, { parameters })).toEqual({ ...NOTHING, fields: ['a'] });
});

test.each([
  [{ join: '||a' }, 'join', 0],
  [{ join: 'a||b,,c' }, 'join', 5],
  [{ join: 'a||b||c' }, 'join', 6],
  [{ join: 'a||b||on[0]=c' }, 'join', 13],
  [{ join: 'a||b||' }, 'join', 6],
  [{ sort: 'a,UP' }, 'sort', 2],
  [{ sort: 'a,ASCENDING' }, 'sort', 2],
])('fields, join and sort: %j is refused', (query, parameter, position) =>
  expect(refusal(query)).toMatchObject({ code: 'CRUD_INVALID_QUERY', parameter, position }),
);

const equal = (value: unknown) => ({ field: 'a', operator: 'eq', value });
const isnull = { field: 'b', operator: 'isnull' };

test.each([
  ['company', { field: 'company' }],
  ['company.projects||name', { field: 'company.projects', select: ['name'] }],
  ['company||id,name', { field: 'company', select: ['id', 'name'] }],
  ['company||id||on[0]=a||eq||1,on[1]=b||isnull', { field: 'company', select: ['id'], on: [equal('1'), isnull] }],
  ['company||on[0]=a||in||1,xon[1]=2', { field: 'company', on: [{ ...equal(['1', 'xon[1]=2']), operator: 'in' }] }],
  ['company||||on[0]=a||eq||x\\,on[1]=\\\\y', { field: 'company', on: [equal('x,on[1]=\\y')] }],
])('fields, join and sort: join=%s', (join, expected) => expect(parseQuery({ join }).join).toEqual([expected]));

test('fields, join and sort: an order is either in any case, or ascending', () =>
  expect(parseQuery({ sort: ['a', 'b,ASC', 'c,desc'] }).sort.map(({ order }) => order)).toEqual([
    'ASC',
    'ASC',
    'DESC',
  ]));

test.each([
  ['limit', '1e3', 'Invalid limit. Number expected'],
  ['limit', ' ', 'Invalid limit. Number expected'],
  ['limit', '1.5', 'Invalid limit. Integer of at least 1 expected'],
  ['page', '0', 'Invalid page. Integer of at least 1 expected'],
  ['offset', '-1', 'Invalid offset. Integer of at least 0 expected'],
  ['offset', '9007199254740992', 'Invalid offset. Integer of at least 0 expected'],
  ['cache', '-1', 'Invalid cache. Integer of at least 0 expected'],
  ['total', '2', 'Invalid total. 0 or 1 expected'],
  ['includeDeleted', '-1', 'Invalid includeDeleted. 0 or 1 expected'],
  ['include_deleted', 'yes', 'Invalid includeDeleted. Number expected'],
])('numbers: %s=%s', (parameter, text, message) => {
  const code = /limit|page|offset/.test(parameter) ? 'CRUD_INVALID_PAGINATION' : 'CRUD_INVALID_QUERY';
  expect(refusal({ [parameter]: text })).toEqual({ code, parameter, position: 0, message });
});

test('numbers are read', () => {
  const query = { per_page: '10', page: '3', cache: '0', include_deleted: '1' };
  expect(parseQuery(query)).toMatchObject({ limit: 10, page: 3, cache: 0, includeDeleted: 1 });
  expect(parseQuery({ offset: '-0' }).offset).toBe(0);
  const made = { limit: 5, offset: 9007199254740991n, total: 0, format: true };
  expect(parseQuery(made)).toMatchObject({ limit: 5, offset: 9007199254740991, total: 0, format: 'true' });
});

test('an empty number beside another name of the same parameter is ignored, a value sent twice is refused', () => {
  expect(parseQuery({ limit: '', per_page: '5' }).limit).toBe(5);
  expect(parseQuery({ limit: '5', per_page: '5' }).limit).toBe(5);
  expect(parseQuery({ format: '' }).format).toBeUndefined();
  const twice = { limit: ['5', '5'], s: ['{}', '{}'], cursor: ['', ''], format: ['csv', 'ndjson'] };
  for (const [parameter, values] of Object.entries(twice))
    expect(refusal({ [parameter]: values })).toMatchObject({ code: 'CRUD_INVALID_QUERY', parameter });
  expect(refusal({ limit: '5', per_page: '6' })).toMatchObject({ code: 'CRUD_INVALID_QUERY', parameter: 'per_page' });
});

test.each([
  [{ page: '3', offset: '20', limit: '10' }, true],
  [{ page: '1', offset: '0' }, true],
  [{ page: '1', offset: '10', limit: '10' }, false],
  [{ page: '2', offset: '0', limit: '10' }, false],
  [{ page: '2', offset: '10' }, false],
  [{ page: '9007199254740991', limit: '10' }, false],
])('numbers: %j: page and offset agree: %s', (query, agree) => {
  if (agree) expect(parseQuery(query).page).toBe(Number(query.page));
  else expect(refusal(query)).toMatchObject({ code: 'CRUD_INVALID_PAGINATION', parameter: 'page' });
});

describe('s', () => {
  const message = 'Invalid search param. JSON expected';
  test.each([
    ...['[]', 'null', '1', '{', '', '{"$or":{}}', '{"$or":[1]}', '{"$not":null}', '{"a":[1]}', '{"a":{"$or":[]}}'],
  ])('%s is refused', (s) =>
    expect(refusal({ s })).toMatchObject({ code: 'CRUD_INVALID_SEARCH', parameter: 's', message }),
  );

  test.each([
    ['{"a":1,"$or":[{"b":2},{"c":{"$nope":3}}]}', 'CRUD_UNKNOWN_OPERATOR', 28],
    ['{ "a" : { "$gt" : null } }', 'CRUD_INVALID_VALUE', 10],
    ['{"x":"a","a":{"$between":[1]}}', 'CRUD_INVALID_VALUE', 14],
    ['{"a":"{[\\"","$or":[{},{},[]]}', 'CRUD_INVALID_SEARCH', 25],
    ['{"a":1,}', 'CRUD_INVALID_SEARCH', 7],
  ])('%s is refused with %s at %i', (s, code, position) =>
    expect(refusal({ s })).toMatchObject({ code, parameter: 's', position }),
  );
});

test('extra nests, reads, and reaches no prototype; contradicting names are refused', () => {
  const sent = { 'extra.page': '1', 'extra.a.b': 'x', 'extra.a.c': ['1', 'y'], 'extra.none': 'null' };
  const { extra } = parseQuery({ ...sent, 'extra.__proto__.polluted': '1', 'extra.constructor': 'x' });
  expect([extra['page'], extra['a'], extra['none']]).toEqual([1, { b: 'x', c: [1, 'y'] }, null]);
  expect([Object.getPrototypeOf(extra), ({} as { polluted?: unknown }).polluted]).toEqual([null, undefined]);
  for (const query of ['extra.a=1&extra.a.b=2', 'extra.a.b=2&extra.a=1', 'extra.a=2020-01-01&extra.a.b=2'])
    expect(refusal(query)).toMatchObject({ code: 'CRUD_INVALID_QUERY' });
});

describe('limits', () => {
  const NAMED: Record<string, string> = {
    conditions: 'At most 100 conditions',
    nesting: 'At most 16 levels of nesting',
    listValues: 'At most 1000 values in a list',
    joins: 'At most 20 joins',
    sorts: 'At most 10 sorts',
    valueLength: 'At most 4096 characters in a value',
    aggregates: 'At most 50 aggregates',
  };
  const many = (count: number, text: string): string[] => Array.from({ length: count }, () => text);
  const search = (condition: unknown) => ({ s: JSON.stringify(condition) });
  const either = (count: number) => search({ $or: many(count, 'a').map((a) => ({ [a]: 1 })) });
  const nested = (depth: number) => ({ s: `${'{"$and":['.repeat(depth)}{}${']}'.repeat(depth)}` });
  const negated = { s: `${'{"$not":'.repeat(17)}{}${'}'.repeat(17)}` };
  const within = ($in: unknown) => search({ a: { $in } });
  const x = (length: number) => 'x'.repeat(length);
  test.each<[string, object, object]>([
    ['conditions', { filter: many(100, 'a||eq||1') }, { filter: many(60, 'a||eq||1'), or: many(41, 'a||eq||1') }],
    ['conditions', either(100), search({ $or: many(101, 'a').map(() => ({})) })],
    ['conditions', search({ ...many(100, 'a') }), search({ ...many(101, 'a') })],
    ['conditions', { join: `a||on[0]=a||eq||1` }, { filter: many(100, 'a||eq||1'), join: 'a||on[0]=a||eq||1' }],
    ['nesting', nested(16), negated],
    ['listValues', { filter: `a||in||${many(1000, '1').join()}` }, { filter: `a||in||${many(1001, '1').join()}` }],
    ['listValues', within(many(1000, '1')), within(many(1001, '1'))],
    ['listValues', within(many(1000, '1').join()), within(many(1001, '1').join())],
    ['listValues', { fields: many(1000, 'a').join() }, { fields: many(1001, 'a').join() }],
    ['joins', { join: many(20, 'a') }, { join: many(21, 'a') }],
    ['sorts', { sort: many(10, 'a') }, { sort: many(11, 'a') }],
    ['nesting', { [`extra${'.a'.repeat(16)}`]: '2' }, { [`extra${'.a'.repeat(17)}`]: '2' }],
    ['listValues', { 'extra.a': many(1000, '1') }, { 'extra.a': many(1001, '1') }],
    ['valueLength', { filter: `a||eq||${x(4096)}` }, { filter: `a||eq||${x(4097)}` }],
    ['valueLength', { filter: `a||in||${x(4096)},y` }, { filter: `a||in||y,${x(4097)}` }],
    ['valueLength', search({ a: x(4096) }), within([x(4097)])],
    ['valueLength', { sort: x(4096) }, { sort: x(4097) }],
    ['aggregates', { groupBy: many(25, 'a'), aggregate: many(25, 'count||*') }, { groupBy: many(51, 'a') }],
  ])('%s', (limit, accepted, refused) => {
    expect(() => parseQuery(accepted)).not.toThrow();
    const message = expect.stringContaining(NAMED[limit]!) as unknown;
    expect(refusal(refused)).toMatchObject({ code: 'CRUD_LIMIT_EXCEEDED', message });
  });

  test('can be set', () =>
    expect(parseQuery({ sort: many(11, 'a') }, { limits: { sorts: 11 } }).sort).toHaveLength(11));
});

describe('conditions', () => {
  test.each([
    ['name||eq', 'CRUD_INVALID_VALUE', 8],
    ['name', 'CRUD_INVALID_QUERY', 4],
    ['name||', 'CRUD_INVALID_QUERY', 6],
    ['$or||eq||1', 'CRUD_INVALID_QUERY', 0],
    ['name||nope||1', 'CRUD_UNKNOWN_OPERATOR', 6],
    ['name||toString||1', 'CRUD_UNKNOWN_OPERATOR', 6],
    ['name||isnullL', 'CRUD_UNKNOWN_OPERATOR', 6],
    ['name||between||1,2,3', 'CRUD_INVALID_VALUE', 15],
    ['name||in||a,,b', 'CRUD_INVALID_VALUE', 10],
  ])('%s is refused with %s at %i', (filter, code, position) => {
    expect(refusal({ filter })).toMatchObject({ code, parameter: 'filter', position });
    expect(refusal({ or: filter })).toMatchObject({ code, parameter: 'or', position });
  });

  test('what has no operator is told the form', () =>
    expect(refusal({ filter: 'name' })).toMatchObject({
      message: 'Invalid condition. field||operator||value expected',
    }));

  test.each([
    ['name||$eq||a||b', '$eq', 'a||b'],
    ['name||eq||a,b\\', 'eq', 'a,b\\'],
    ['name||in||a', 'in', ['a']],
    ['name||$inL||a\\,b,c\\\\,d\\e', '$inL', ['a,b', 'c\\', 'd\\e']],
    ['name||between||1,2', 'between', ['1', '2']],
    ['$order||eq||1', 'eq', '1'],
  ])('%s has the value that stands in it', (filter, operator, value) =>
    expect(parseQuery({ filter }).filter).toEqual([{ field: filter.split('||')[0], operator, value }]),
  );

  test('operators without a value ignore one', () =>
    expect(parseQuery({ filter: ['a||isnull', 'b||$notnull||x'] })).toMatchObject({
      filter: [
        { field: 'a', operator: 'isnull' },
        { field: 'b', operator: '$notnull' },
      ],
      condition: { kind: 'and', items: [comparison('a', 'isnull'), comparison('b', 'notnull')] },
    }));
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((field) => comparison(field, 'eq', '1'));
  const all = (...items: unknown[]) => ({ kind: 'and', items });
  const any = (...items: unknown[]) => ({ kind: 'or', items });
  test.each([
    ['a', '', a],
    ['ab', '', all(a, b)],
    ['', 'ab', any(a, b)],
    ['ab', 'c', any(all(a, b), c)],
    ['ab', 'cd', any(all(a, b), all(c, d))],
  ])('filters on %s and alternatives on %s combine', (filter, or, node) => {
    const spelt = (fields: string) => [...fields].map((field) => `${field}||eq||1`);
    expect(parseQuery({ filter: spelt(filter), or: spelt(or) }).condition).toEqual(node);
  });

  test('beside s, filter and or are ignored unread', () =>
    expect(parseQuery({ s: '{"a":1}', filter: '||', or: 'x||y||z' })).toMatchObject({
      search: { a: 1 },
      filter: [],
      or: [],
      condition: comparison('a', 'eq', 1),
    }));

  test('operators of the application’s own', () => {
    const customOperators = { sounds: {}, $near: { isArray: true }, eq: { isArray: true } };
    const query = { filter: ['a||sounds||x,y', 'b||$near||1,2', 'c||eq||1,2'] };
    const { filter, condition } = parseQuery(query, { customOperators });
    expect(filter.map(({ value }) => value as unknown)).toEqual(['x,y', ['1', '2'], '1,2']);
    const custom = { kind: 'custom', field: 'b', operator: '$near', value: ['1', '2'] };
    expect(condition).toMatchObject({ items: [{ kind: 'custom' }, custom, { kind: 'comparison', field: 'c' }] });
    const listed = { customOperators: ['sounds'] };
    expect(refusal({ filter: 'a||sounds||' }, listed)).toMatchObject({ code: 'CRUD_INVALID_VALUE' });
  });
});

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
