/** Cursors → the part of a list that they name; those that no list has printed are refused, though their checksum is right. */
import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type Cursor, planCursor } from '../../src/plan/cursor.js';
import { users } from './catalogs.js';
import { refusalOf, requestOf } from './plans.js';

const sort = [{ field: 'age', order: 'ASC' as const }];
const plan = (cursor?: string) => planCursor(requestOf({ sort, cursor, search: { email: 'a' } }), users, { take: 5 });
const print = (cursor: Partial<Cursor> = {}) =>
  plan().print({ direction: 'next', including: false, values: ['5', '1'], ...cursor });

function forge(change: (content: unknown[]) => unknown): string {
  const content = Buffer.from(print(), 'base64url').subarray(6).toString();
  const bytes = Buffer.from(JSON.stringify(change(JSON.parse(content) as unknown[])));
  return Buffer.concat([createHash('sha256').update(bytes).digest().subarray(0, 6), bytes]).toString('base64url');
}

test.each<[Partial<Cursor>, order: string[], values: unknown[], slots: unknown[]]>([
  [{}, ['ASC', 'ASC'], ['a', '5', '1'], [1, 2]],
  [{ including: true, values: [null, '1'] }, ['ASC', 'ASC'], ['a', '1'], [undefined, 1]],
  [{ direction: 'previous' }, ['DESC', 'DESC'], ['a', '5', '1'], [1, 2]],
])('the cursor %j starts a part of the list, read in its direction', (cursor, order, values, slots) => {
  const { plan: part, cursor: read } = plan(print(cursor));
  expect(read).toStrictEqual({ direction: 'next', including: false, values: ['5', '1'], ...cursor });
  expect([part.sort.map((one) => one.order), part.values]).toStrictEqual([order, values]);
  expect(part.slice).toStrictEqual({ from: { slots, including: cursor.including === true } });
});

test('a cursor that is made as a list makes it is read', () => expect(forge((content) => content)).toBe(print()));

test.each<[string, at: number, part: unknown]>([
  ['another version', 0, 2],
  ['the name of another entity', 1, 'Company'],
  ['another direction', 2, 'first'],
  ['another order', 3, ['age,DESC', 'id,DESC']],
  ['a number as a value', 4, [5, '1']],
  ['an object as a value', 4, ['5', {}]],
  ['null for a column that has none', 4, ['5', null]],
  ['too few values', 4, ['5']],
  ['too many values', 4, ['5', '1', '1']],
  ['a text as its values', 4, '51'],
])('a cursor with %s is refused', (_, at, part) =>
  expect(refusalOf(() => plan(forge((content) => content.with(at, part))))).toMatchObject({
    code: 'CRUD_INVALID_CURSOR',
    field: 'cursor',
  }),
);
