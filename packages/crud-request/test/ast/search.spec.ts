/** What a search condition means as a tree: from clients within JSON and the limits, from the server with everything that it may hold. */
import { expect, test } from '@jest/globals';
import { type ConditionNode, parseSearch, printSearch, visitComparisons } from '@nestwright/crud-request';
import { codeOf as codeOfCall, comparison as is } from '../refusal.js';

const always: ConditionNode = { kind: 'always' };
const nothing: ConditionNode = { kind: 'or', items: [] };
const unknown = (field: string): ConditionNode => ({ kind: 'unknown', field });
const not = (item: ConditionNode): ConditionNode => ({ kind: 'not', item });
const all = (...items: ConditionNode[]): ConditionNode => ({ kind: 'and', items });
const any = (...items: ConditionNode[]): ConditionNode => ({ kind: 'or', items });
const one = is('a', 'eq', 1);
const trusted = { source: 'trusted' } as const;
const codeOf = (condition: unknown, source: 'client' | 'trusted') =>
  codeOfCall(() => parseSearch(condition, { source }));

test.each<[unknown, ConditionNode]>([
  [{}, always],
  [{ a: '' }, is('a', 'eq', '')],
  [{ a: null }, is('a', 'isnull')],
  [{ a: { $gt: 1, lteL: 2 }, b: true }, all(all(is('a', 'gt', 1), is('a', 'lte', 2, true)), is('b', 'eq', true))],
  [{ a: { $ne: 3, $or: { $eq: 1, $gt: 5 } } }, all(is('a', 'ne', 3), any(is('a', 'eq', 1), is('a', 'gt', 5)))],
  [{ a: 1, $or: [{ b: 1 }, {}] }, all(one, any(is('b', 'eq', 1), always))],
  [{ $not: [{ a: 1 }, { b: 1 }] }, not(all(one, is('b', 'eq', 1)))],
  [{ $or: [] }, nothing],
  [{ a: { $in: [] } }, is('a', 'in', [])],
  [{ a: { $isnull: false } }, is('a', 'notnull')],
  [{ a: { $eq: null } }, is('a', 'isnull')],
  [{ a: { $ne: null } }, is('a', 'notnull')],
  [{ a: { $in: '1,x\\,y' } }, is('a', 'in', ['1', 'x,y'])],
])('%j', (condition, node) => {
  expect([parseSearch(condition, { source: 'client' }), parseSearch(condition, trusted)]).toEqual([node, node]);
  expect(parseSearch(printSearch(node), trusted)).toEqual(node);
});

const of = (...values: unknown[]) => values.map((a) => ({ a }));

test.each<['client' | 'trusted', code: string, conditions: unknown[]]>([
  ['client', 'CRUD_INVALID_SEARCH', [undefined, new Map([['a', 1]])]],
  ['client', 'CRUD_INVALID_VALUE', of(undefined, new Date(0), { $gt: 1n }, { $gt: null }, { $gt: [1] }, { $gt: {} })],
  ['client', 'CRUD_INVALID_VALUE', of({ $in: [null] }, { $in: [[1]] }, { $in: '' }, { $in: 'a,,b' })],
  ['client', 'CRUD_UNKNOWN_OPERATOR', of({ $and: [] }, { b: 1 })],
  ['trusted', 'CRUD_INVALID_SEARCH', [Promise.resolve({ a: 1 }), new Map([['a', 1]]), [], null, 'a']],
  ['trusted', 'CRUD_INVALID_SEARCH', [{ $and: [null] }, { $or: {} }]],
  ['trusted', 'CRUD_INVALID_VALUE', of({ $eq: () => 1 }, { $in: [() => 1] }, { $in: [[1]] }, { $between: [1] })],
  ['trusted', 'CRUD_UNKNOWN_OPERATOR', of({ $eq: undefined, nope: undefined })],
])('a condition of the source %s is refused with %s: %p', (source, code, conditions) =>
  expect(conditions.map((condition) => codeOf(condition, source))).toEqual(conditions.map(() => code)),
);

test('each leaf is visited with its path, and may be replaced', () => {
  const path: (string | number)[] = [];
  const seen: string[] = [];
  const condition = { $or: [{ a: { $eq: 1, $ne: 2 }, b: undefined }, { $not: { c: 3, d: { custom: 4 } } }] };
  const node = parseSearch(condition, {
    source: 'trusted',
    customOperators: ['custom'],
    path,
    leaf: (leaf) => {
      seen.push(`${leaf.field} ${path.join('.')}`);
      return { ...leaf, author: 'client' };
    },
  });
  const authors = [...JSON.stringify(node).matchAll(/"author":"client"/g)];
  const paths = ['a $or.0.a.$eq', 'a $or.0.a.$ne', 'b $or.0.b', 'c $or.1.$not.c', 'd $or.1.$not.d.custom'];
  expect([seen, authors.length]).toEqual([paths, paths.length]);
});

const [date, bytes] = [new Date(0), new Uint8Array([1])];

test.each<[unknown, ConditionNode]>([
  [{ a: undefined }, unknown('a')],
  [{ a: { $eq: undefined } }, unknown('a')],
  [{ a: { $gt: null } }, unknown('a')],
  // A hole is undefined too.
  [{ a: { $in: new Array<number>(1) } }, unknown('a')],
  [{ a: { $notin: [1, null] } }, unknown('a')],
  [{ a: { $between: [undefined, 5] } }, unknown('a')],
  [{ $and: undefined }, unknown('$and')],
  [{ $and: [{ a: 1 }, undefined] }, all(one, unknown(''))],
  [undefined, unknown('')],
  // Of another realm, of any key, of what JSON cannot say.
  [JSON.parse('{"__proto__":1}'), is('__proto__', 'eq', 1)],
  [{ a: date, c: { $in: [bytes, 1n] } }, all(is('a', 'eq', date), is('c', 'in', [bytes, 1n]))],
])('a trusted condition %p matches nothing where a value is missing, and may hold anything', (condition, node) => {
  expect([parseSearch(condition, trusted), parseSearch(printSearch(node), trusted)]).toEqual([node, node]);
});

test('a trusted condition has no bounds but that it may not contain itself', () => {
  const wide = { $or: Array.from({ length: 5_000 }, (_, index) => ({ a: index })) };
  expect(parseSearch(wide, trusted)).toMatchObject({ items: { length: 5_000 } });
  const large = { a: 'x'.repeat(10_000), b: { $in: new Array(5_000).fill(1) } };
  expect(codeOf(large, 'trusted')).toBeUndefined();
  const circle: Record<string, unknown> = {};
  circle.$and = [circle];
  expect(codeOf(circle, 'trusted')).toBe('CRUD_LIMIT_EXCEEDED');
  expect(codeOf(JSON.parse(`${'{"$not":'.repeat(200)}{}${'}'.repeat(200)}`), 'trusted')).toBeUndefined();
});

test('custom operators take one value, a list, or from the server anything', () => {
  const customOperators = { sounds: {}, near: { isArray: true } };
  const client = { source: 'client', customOperators } as const;
  const custom = { kind: 'custom', field: 'a', operator: 'sounds', value: 'x' };
  expect(parseSearch({ a: { sounds: 'x' } }, client)).toEqual(custom);
  expect(parseSearch({ a: { sounds: [1, 2] } }, client)).toMatchObject({ value: [1, 2] });
  expect(parseSearch({ a: { near: '1,2' } }, client)).toMatchObject({ value: ['1', '2'] });
  for (const sounds of [{}, null]) expect(() => parseSearch({ a: { sounds } }, client)).toThrow('Invalid search value');
  const server = { source: 'trusted', customOperators } as const;
  for (const value of [{ x: 1 }, [[1], null]])
    expect(parseSearch({ a: { sounds: value } }, server)).toMatchObject({ value });
  expect(parseSearch({ a: { sounds: undefined } }, server)).toEqual(unknown('a'));
});

test('comparisons are visited in order, however deep', () => {
  const fields: string[] = [];
  const condition = { a: 1, $or: [{ b: 1 }, {}, { none: undefined }, { $not: { c: { own: 1 } } }], d: 1 };
  visitComparisons(parseSearch(condition, { ...trusted, customOperators: ['own'] }), ({ field }) => fields.push(field));
  expect(fields).toEqual(['a', 'b', 'c', 'd']);
  let deep: ConditionNode = is('x', 'isnull');
  for (let depth = 0; depth < 100_000; depth++) deep = not(deep);
  let visits = 0;
  visitComparisons(deep, () => (visits += 1));
  expect(visits).toBe(1);
});
