/** What the parser makes of each parameter, in every form in which frameworks hand it over, and what it refuses with which code, parameter and position. */
import { expect, test } from '@jest/globals';
import { parse as parseExtended } from 'qs';
import { parse as parseSimple } from 'node:querystring';
import { parseQuery, RequestQueryBuilder } from '@nestwright/crud-request';
import { comparison, refusal } from '../refusal.js';

/** Values of objects, in order. */
const wordsOf = (parts: readonly object[] = []) => parts.map((part) => Object.values(part).join(' '));
const NOTHING = { fields: [], filter: [], or: [], join: [], sort: [], extra: {} };

test.each<unknown>([
  ...[{ filter: 'a||eq||1' }, { filter: ['a||eq||1'] }, { 'filter[]': 'a||eq||1' }, { 'filter[0]': 'a||eq||1' }],
  ...[{ filter: { 0: 'a||eq||1' } }, '?filter=a%7C%7Ceq%7C%7C1', 'filter%5B0%5D=a||eq||1&other=%20'],
])('keys: %j', (query) => expect(parseQuery(query).filter).toEqual([{ field: 'a', operator: 'eq', value: '1' }]));

test.each(['sort=a&sort=b&sort=c', 'sort[]=a&sort[]=b&sort[]=c', 'sort[30]=c&sort[0]=a&sort[9]=b'])(
  'keys %s means the same with every query parser, in the order of its indexes',
  (query) => {
    for (const parsed of [query, parseSimple(query), parseExtended(query)])
      expect(parseQuery(parsed).sort.map(({ field }) => field)).toEqual(['a', 'b', 'c']);
  },
);

test('values of all names of a parameter are concatenated; keys without an index come first', () => {
  expect(parseQuery({ fields: 'a', select: 'b,c' }).fields).toEqual(['a', 'b', 'c']);
  expect(parseQuery('sort[1]=d&sort[0]=c&sort=a&sort[]=b').sort.map(({ field }) => field)).toEqual([...'abcd']);
});

test('a query string has blanks as plus signs, and keys without a value', () => {
  for (const [query, value] of Object.entries({ 'x+y%2Bz': 'x y+z', 'x+y': 'x y', 'x=y': 'x=y' }))
    expect(parseQuery(`filter=a||eq||${query}`).filter[0]?.value).toBe(value);
  expect(parseQuery('sort=a&cursor')).toMatchObject({ sort: [{ field: 'a' }], cursor: '' });
  expect(refusal('filter=%E0%A4%A')).toMatchObject({ code: 'CRUD_INVALID_QUERY', parameter: '%E0%A4%A' });
});

test.each<unknown>([{ a: 'x' }, { '1a': 'x' }, { a1: 'x' }, [['x']], [{ 0: 'x' }], [() => 'x'], Symbol('x')])(
  'the key filter with %p is refused',
  (filter) =>
    expect(refusal({ filter })).toMatchObject({ code: 'CRUD_INVALID_QUERY', parameter: 'filter', position: 0 }),
);

test.each<unknown>([
  ...[{ foo: { bar: [{}] } }, { 'no.extra.a': 1 }, ['a'], { filter: undefined }, { filter: null }, { filter: [] }],
  ...[{ filter: '' }, { limit: '' }, { include_deleted: ['', ''] }, null, 7],
])('in %j nothing is sent', (query) => expect(parseQuery(query)).toEqual(NOTHING));

test('only the requested parameters are decoded', () => {
  const parameters = new Set(['fields'] as const);
  const query = { fields: 'a', sort: ['', {}, 'x,y,z'], limit: 'x', s: '{' };
  expect(parseQuery(query, { parameters })).toEqual({ ...NOTHING, fields: ['a'] });
});

const equal = (value: unknown) => ({ field: 'a', operator: 'eq', value });
const isnull = { field: 'b', operator: 'isnull' };

test.each([
  ['company', { field: 'company' }],
  ['company||id,name', { field: 'company', select: ['id', 'name'] }],
  ['company||id||on[0]=a||eq||1,on[1]=b||isnull', { field: 'company', select: ['id'], on: [equal('1'), isnull] }],
  ['company||on[0]=a||in||1,xon[1]=2', { field: 'company', on: [{ ...equal(['1', 'xon[1]=2']), operator: 'in' }] }],
])('join=%s', (join, expected) => expect(parseQuery({ join }).join).toEqual([expected]));

test('an order is either in any case, or ascending; as many as the bounds say', () => {
  const { sort } = parseQuery(`sort=a&sort=b,ASC&sort=c,desc${'&sort=d'.repeat(8)}`, { limits: { sorts: 11 } });
  expect(sort.map(({ order }) => order).slice(0, 3)).toEqual(['ASC', 'ASC', 'DESC']);
});

test.each([
  ['limit', '1e3', 'Invalid limit. Number expected'],
  ['limit', '1.5', 'Invalid limit. Integer of at least 1 expected'],
  ['page', '0', 'Invalid page. Integer of at least 1 expected'],
  ['offset', '9007199254740992', 'Invalid offset. Integer of at least 0 expected'],
  ['cache', '-1', 'Invalid cache. Integer of at least 0 expected'],
  ['total', '2', 'Invalid total. 0 or 1 expected'],
])('numbers: %s=%s', (parameter, text, message) => {
  const code = /limit|page|offset/.test(parameter) ? 'CRUD_INVALID_PAGINATION' : 'CRUD_INVALID_QUERY';
  expect(refusal({ [parameter]: text })).toEqual({ code, parameter, position: 0, message });
});

test('numbers are read', () => {
  const query = { per_page: '10', page: '3', cache: '0', include_deleted: '1' };
  expect(parseQuery(query)).toMatchObject({ limit: 10, page: 3, cache: 0, includeDeleted: 1 });
  expect(parseQuery({ offset: '-0' }).offset).toBe(0);
  for (const same of ['page=3&offset=20&limit=10', 'page=1&offset=0']) expect(() => parseQuery(same)).not.toThrow();
  const made = { limit: 5, offset: 9007199254740991n, total: 0, format: true };
  expect(parseQuery(made)).toMatchObject({ limit: 5, offset: 9007199254740991, total: 0, format: 'true' });
});

test('an empty number beside another name of the same parameter is ignored, a value sent twice is refused', () => {
  for (const query of ['limit=&per_page=5', 'limit=5&per_page=', 'limit=5&per_page=5'])
    expect(parseQuery(query).limit).toBe(5);
  expect(parseQuery({ format: '' }).format).toBeUndefined();
  const twice = { limit: ['5', '5'], s: ['{}', '{}'], cursor: ['', ''], format: ['csv', 'ndjson'] };
  for (const [parameter, values] of Object.entries(twice))
    expect(refusal({ [parameter]: values })).toMatchObject({ code: 'CRUD_INVALID_QUERY', parameter });
  expect(refusal({ limit: '5', per_page: '6' })).toMatchObject({ code: 'CRUD_INVALID_QUERY', parameter: 'per_page' });
});

test('extra nests, reads, and reaches no prototype; contradicting names are refused', () => {
  const sent = { 'extra.page': '1', 'extra.a.b': 'x', 'extra.a.c': ['1', 'y'], 'extra.none': 'null' };
  const { extra } = parseQuery({ ...sent, 'extra.__proto__.polluted': '1', 'extra.constructor': 'x' });
  expect([extra['page'], extra['a'], extra['none']]).toEqual([1, { b: 'x', c: [1, 'y'] }, null]);
  expect([Object.getPrototypeOf(extra), ({} as { polluted?: unknown }).polluted]).toEqual([null, undefined]);
  for (const query of ['extra.a=1&extra.a.b=2', 'extra.a.b=2&extra.a=1', 'extra.a=2020-01-01&extra.a.b=2'])
    expect(refusal(query)).toMatchObject({ code: 'CRUD_INVALID_QUERY', position: 0 });
});

const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const search = (condition: unknown) => ({ s: JSON.stringify(condition) });
const within = ($in: unknown) => search({ a: { $in } });
const nested = (open: string, depth: number, close: string) => ({ s: `${open.repeat(depth)}{}${close.repeat(depth)}` });
const either = (item: object, $and: object[]) => search({ $or: many(60, item), $and });
const EQ = 'a||eq||1';

test.each<[most: number, what: string, queryOf: (count: number) => object]>([
  [100, 'conditions', (count) => ({ filter: many(60, EQ), or: many(count - 60, EQ) })],
  [100, 'conditions', (count) => ({ filter: many(count - 1, EQ), join: `a||on[0]=${EQ}` })],
  [100, 'conditions', (count) => search({ $or: many(count, { a: 1 }) })],
  [100, 'conditions', (count) => search({ ...many(count, {}) })],
  [100, 'conditions', (count) => either({}, many(count - 60, {}))],
  [100, 'conditions', (count) => either({ $and: [] }, many(count - 60, { a: 1 }))],
  [16, 'levels of nesting', (count) => nested('{"$and":[', count, ']}')],
  [16, 'levels of nesting', (count) => nested('{"$not":', count, '}')],
  [16, 'levels of nesting', (count) => ({ [`extra${'.a'.repeat(count)}`]: '2' })],
  [1000, 'values in a list', (count) => ({ filter: `a||in||${many(count, '1').join()}` })],
  [1000, 'values in a list', (count) => within(many(count, '1').join())],
  [1000, 'values in a list', (count) => ({ fields: many(count, 'a').join() })],
  [1000, 'values in a list', (count) => ({ 'extra.a': many(count, '1') })],
  [20, 'joins', (count) => ({ join: many(count, 'a') })],
  [10, 'sorts', (count) => ({ sort: many(count, 'a') })],
  [4096, 'characters in a value', (count) => ({ filter: `a||eq||${'x'.repeat(count)}` })],
  [4096, 'characters in a value', (count) => search({ a: 'x'.repeat(count) })],
  [4096, 'characters in a value', (count) => search({ ['x'.repeat(count)]: 1 })],
  [4096, 'characters in a value', (count) => within(['x'.repeat(count)])],
  [4096, 'characters in a value', (count) => ({ sort: 'x'.repeat(count) })],
  [50, 'aggregates', (count) => ({ groupBy: many(count, 'a') })],
  [50, 'aggregates', (count) => ({ groupBy: many(25, 'a'), aggregate: many(count - 25, 'count||*') })],
])('at most %i %s: row %#', (most, what, queryOf) => {
  expect(() => parseQuery(queryOf(most))).not.toThrow();
  const message = `Invalid query. At most ${most} ${what} expected`;
  expect(refusal(queryOf(most + 1))).toMatchObject({ code: 'CRUD_LIMIT_EXCEEDED', message });
});

test.each([
  ['name||$eq||a||b', '$eq', 'a||b'],
  ['name||eq||a,b\\', 'eq', 'a,b\\'],
  ['name||$inL||a\\,b,c\\\\,d\\e', '$inL', ['a,b', 'c\\', 'd\\e']],
  ['$order||eq||1', 'eq', '1'],
  ['__proto__||eq||constructor', 'eq', 'constructor'],
])('the condition %s has the value that stands in it', (filter, operator, value) =>
  expect(parseQuery({ filter }).filter).toEqual([{ field: filter.split('||')[0], operator, value }]),
);

test('operators without a value ignore one', () => {
  const { filter, condition } = parseQuery('filter=a||isnull&filter=b||$notnull||x');
  expect(wordsOf(filter)).toEqual(['a isnull', 'b $notnull']);
  expect(condition).toEqual({ kind: 'and', items: [comparison('a', 'isnull'), comparison('b', 'notnull')] });
});

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((field) => comparison(field, 'eq', '1'));
const all = (...items: unknown[]) => ({ kind: 'and', items });
const any = (...items: unknown[]) => ({ kind: 'or', items });
test.each([
  ['a', '', a],
  ['ab', 'c', any(all(a, b), c)],
  ['ab', 'cd', any(all(a, b), all(c, d))],
])('filters on %s and alternatives on %s combine', (filter, or, node) => {
  const spelt = (fields: string) => [...fields].map((field) => `${field}||eq||1`);
  expect(parseQuery({ filter: spelt(filter), or: spelt(or) }).condition).toEqual(node);
});

test('beside s, filter and or are ignored unread', () => {
  const condition = comparison('a', 'eq', 1);
  expect(parseQuery('s={"a":1}&filter=||&or=x||y||z')).toEqual({ ...NOTHING, search: { a: 1 }, condition });
});

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

test('groups may be listed, repeated, named, and parts of the calendar', () => {
  expect(parseQuery('groupBy=a,b.c:month&groupBy=d||e.f&groupBy=g:year||h').groupBy).toStrictEqual([
    { field: 'a', name: 'a' },
    { field: 'b.c', unit: 'month', name: 'b.c:month' },
    { field: 'd', name: 'e.f' },
    { field: 'g', unit: 'year', name: 'h' },
  ]);
  for (const unit of ['day', 'week', 'month', 'quarter', 'year'])
    expect(parseQuery({ groupBy: `a\n:${unit}` }).groupBy).toEqual([{ field: 'a\n', unit, name: `a\n:${unit}` }]);
  // No part of the calendar: a name that nothing has.
  expect(parseQuery('groupBy=a:days').groupBy).toEqual([{ field: 'a:days', name: 'a:days' }]);
  expect(parseQuery('groupBy=&aggregate=')).not.toHaveProperty('groupBy');
});

/** Refused queries by their codes, each with a mark where it is refused. */
const REFUSED = {
  CRUD_INVALID_QUERY: [
    'filter[a]=^x filter[=^x filter[0]x=^x filter[0][1]=^x filter[][]x=^x filter[1234567890123456]=^x %E0%A4%A=^1',
    'join=^||a join=a||b,^,c join=a||b||^c join=a||b||on[0]=c^ join=a||b||on[0]=c||eq||1,on[1]=d^ join=a||b||^',
    'sort=a,^UP sort=a,^ASCENDING filter=name^ or=name||^ filter=^$or||eq||1',
    `groupBy=a,^,b groupBy=^||a groupBy=a||^1b groupBy=a||^b||c groupBy=a||^ groupBy=a||^${'b'.repeat(65)}`,
    'aggregate=^counts||a aggregate=^account||a aggregate=^__proto__||a',
    'aggregate=sum^ aggregate=sum||^* aggregate=count||*||^a%20b',
  ],
  CRUD_INVALID_VALUE: [
    'filter=name||eq^ filter=name||between||^1,2,3 or=name||in||^a,,b',
    's={\n"a"\n:{^"$gt"\n:null}} s={"x":"a","a":{^"$between":[1]}}',
  ],
  CRUD_UNKNOWN_OPERATOR: [
    'filter=name||^nope||1 or=name||^toString||1 filter=name||^isnullL having=a||^nope||1',
    's={"a":1,"$or":[{"b":2},{"c":{^"$nope":3}}]}',
  ],
  CRUD_INVALID_PAGINATION: [
    'page=^1&offset=10&limit=10 page=^2&offset=0&limit=10 page=^2&offset=10 page=^9007199254740991&limit=10',
  ],
  CRUD_INVALID_SEARCH: [
    's=^ s=^[] s=^null s=^1 s={^"$not":null} s={^"$or":{}} s={"$or":[^1]} s={^"a":[1]} s={"a":{^"$or":[]}}',
    's={"a":"{[\\"","$or":[{},{},^[]]} s={"a":1,^}',
  ],
  CRUD_LIMIT_EXCEEDED: [`having=^b||eq||1&filter=${'a||eq||1&filter='.repeat(100)}`],
};

const REFUSALS = Object.entries(REFUSED).flatMap(([code, lines]) =>
  lines.flatMap((line) => line.split(' ').map((query) => [query, code])),
);

test.each(REFUSALS)('%j is refused with %s', (marked, code) => {
  const [parameter] = marked.split(/[=[]/);
  const position = marked.indexOf('^') - marked.indexOf('=') - 1;
  expect(refusal(marked.replace('^', ''))).toMatchObject({ code, parameter, position });
});

test.each([
  ['filter=name', 'Invalid condition. field||operator||value expected'],
  ['s={"a":1,}', 'Invalid search param. JSON expected'],
])('%s is refused with the message %s', (query, message) => expect(refusal(query)).toMatchObject({ message }));

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
  const { groupBy, aggregate, having } = parseQuery(printed);
  expect(wordsOf(groupBy)).toEqual(['role role', 'createdAt month month', `a ${long}`]);
  expect(wordsOf(aggregate)).toEqual(['count * count', 'avg company.price B_1.c', 'max age max_age']);
  expect(wordsOf(having)).toEqual(['price gt 10', 'count in 1,2']);
});
