/** Keys of records whose lists are read: in how many statements, for which rows, and which rows belong to which; and how many records the next part of an export has. */
import { expect, test } from '@jest/globals';
import { NAMED_FORMAT } from '../src/database/rows.js';
import { PartSize } from '../src/export/part-size.js';
import { groupRows, keyText, makePresenceCheck, parentKeys } from '../src/rows/row-groups.js';
import { keyPages, listItem, listSize } from '../src/select/list-size.js';

test('lists are filled up to a power of two by their last value', () => {
  expect([0, 1, 2, 3, 4, 5].map(listSize)).toEqual([1, 1, 2, 4, 4, 8]);
  expect([0, 1, 2, 3].map((index) => listItem(['a', 'b', 'c'], index))).toEqual(['a', 'b', 'c', 'c']);
});

const many = Array.from({ length: 4097 }, (_, key) => key);
const most = many.slice(0, 4096);

test.each<[title: string, keys: unknown[][], limit: number, listParameter: boolean, pages: [unknown[][], number][]]>([
  ['of no records', [[]], 2, true, []],
  ['that fit', [[1, 2, 3]], 4, false, [[[[1, 2, 3]], 4]]],
  ['that do not', [[1, 2, 3]], 2, false, [[[[1, 2]], 2], [[[3]], 1]]], // prettier-ignore
  ['that are one parameter', [[1, 2, 3]], 2, true, [[[[1, 2, 3]], 1]]],
  ['of two columns', [[1, 2, 3], [4, 5, 6]], 4, true, [[[[1, 2], [4, 5]], 2], [[[3], [6]], 1]]], // prettier-ignore
  ['of two columns without a limit', [many, many], Infinity, true, [[[most, most], 4096], [[[4096], [4096]], 1]]], // prettier-ignore
])('pages of keys %s', (_, keys, limit, listParameter, pages) => {
  expect(keyPages(keys, limit, listParameter)).toEqual(pages.map(([part, size]) => ({ part, size })));
});

test('a key is one text, unless a part is missing', () => {
  const row = { a: 'x', b: 1n, at: new Date(5), bytes: Uint8Array.of(1, 255), none: null };
  expect(keyText(row, ['a', 'b', 'at', 'bytes'])).toBe('x\u00001\u00005\u000001ff');
  expect([['a', 'none'], ['missing', 'a'], []].map((names) => keyText(row, names))).toEqual([undefined, undefined, '']);
});

test('lists are read for the distinct keys of parents that are there', async () => {
  const link = { presence: [['p', 'q']], parentNames: ['a', 'b'], keyCount: 1, childNames: ['c', 'd'] };
  const absent = [{ a: 3, p: null }, { a: null, q: 1 }, { a: 4 }];
  const parents = [{ a: 1, p: 1 }, { a: 1, p: 1 }, { a: 2, q: 0, p: null }, ...absent];
  expect(parentKeys(link, { rows: parents, format: NAMED_FORMAT })).toEqual([[1, 2]]);
  const row = (c: number, d: number | null, more?: object) => ({ c, d, ...more });
  const rows = [row(1, 2), row(1, null), row(3, 2), row(1, 2, { e: 5 })];
  const groups = await groupRows(link, { rows, format: NAMED_FORMAT }, () => undefined);
  expect(Object.fromEntries(groups)).toEqual({ '1\u00002': [rows[0], rows[3]], '3\u00002': [rows[2]] });
  expect(makePresenceCheck([], NAMED_FORMAT)({})).toBe(true);
});

test('parts of exports grow and shrink towards the same size in bytes', () => {
  const size = new PartSize();
  const bytes = [0, 2 ** 18, 2 ** 17, 1, 0, 2 ** 20];
  const sizes = [0, 100, 100, 200, 1000, 1].map((records, at) => (size.note(records, bytes[at]!), size.next));
  expect(sizes).toEqual([100, 100, 200, 1000, 2000, 1]);
});
