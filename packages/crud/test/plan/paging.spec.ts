/** Limit, page and offset of a request, and what the options say of them → the part of a list, and whether it is enveloped; cursors, of which those that no list has printed are refused. */
import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { CrudRequest } from '../../src/crud-request.js';
import type { QueryOptions } from '../../src/definition/query-options.js';
import { type Cursor, planCursor } from '../../src/plan/cursor.js';
import { isEnveloped } from '../../src/plan/paging.js';
import { planRead } from '../../src/plan/read.js';
import { decidePage, planByCursor, planMany } from '../../src/store/pages.js';
import { NotesService } from '../store/notes.js';
import { users } from './catalogs.js';
import { refusalOf, requestOf } from './plans.js';

type Parsed = Partial<CrudRequest['parsed']>;
const exporting: QueryOptions = { export: { formats: ['csv'] }, limit: 10, maxLimit: 20 };

test.each<[Parsed, QueryOptions, part: [limit?: number, offset?: number], isEnveloped: boolean, isCut?: boolean]>([
  [{}, {}, [1000], false, true],
  [{}, { limit: 10, alwaysPaginate: true }, [10], true],
  [{ limit: 50 }, { limit: 10, maxLimit: 20 }, [20], false, true],
  [{}, { limit: 50, maxLimit: 20 }, [20], false, true],
  [{ limit: 20 }, { maxLimit: 20 }, [20], false],
  [{ page: 2 }, { maxLimit: false }, [], false],
  [{ page: 2, offset: 7 }, { maxLimit: false }, [undefined, 7], false],
  [{}, { limit: 2000 }, [2000], false],
  [{ limit: 5, page: 3 }, {}, [5, 10], true],
  [{ limit: 5, page: 3, offset: 7 }, {}, [5, 10], true],
  [{ limit: 5, page: 2 ** 53 - 1 }, {}, [5, 2 ** 53 - 1], true],
  [{ offset: 0 }, {}, [1000], true],
  [{ format: 'csv' }, exporting, [], false],
  [{ format: 'csv', limit: 50 }, { ...exporting, alwaysPaginate: true }, [50], false],
  [{ format: 'csv', page: 2 }, { limit: 10 }, [10, 10], true],
])('the part of a list that %j asks for, with the options %j', (parsed, query, part, enveloped, cut = false) => {
  const [request, service] = [requestOf(parsed, query), new NotesService()];
  const { limit, offset } = planRead(request, users, 'many');
  expect([limit, offset]).toEqual([part[0], part[1]]);
  expect(isEnveloped(parsed, query, limit ?? null)).toBe(enveloped);
  const page = { isPage: enveloped, ...(cut && { most: limit }) };
  const { skip, ...decided } = decidePage(service, request);
  expect([skip || undefined, decided]).toEqual([offset, { take: limit ?? null, ...page }]);
  // One more record tells whether the list is cut.
  const { plan, ...planned } = planMany(service, request);
  expect([plan.limit, planned]).toEqual([cut ? limit! + 1 : limit, page]);
});

test('a page by a cursor has one record more than its size, if it has any', () => {
  const limitOf = (query: QueryOptions) => {
    const { plan, most } = planByCursor(new NotesService(), requestOf({ cursor: '' }, { cursor: true, ...query }));

    return `${plan.limit} ${most}`;
  };
  expect([limitOf({ limit: 5 }), limitOf({ maxLimit: false })]).toEqual(['6 5', 'undefined undefined']);
});

test('one record has no part', () =>
  expect(planRead(requestOf({ limit: 5, page: 2 }), users, 'one')).not.toHaveProperty('limit'));

const INVALID = { code: 'CRUD_INVALID_CURSOR', field: 'cursor' };
const byAge = [{ field: 'age', order: 'ASC' as const }];
const byCompany = [{ field: 'company.name', order: 'ASC' as const }];
const plan = (cursor?: string, sort = byAge) =>
  planCursor(requestOf({ sort, cursor, search: { email: 'a' } }), users, { take: 5 });
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

test('a cursor is of one order, in which a related record may have no value', () => {
  const sent = plan(undefined, byCompany).print({ direction: 'next', including: false, values: [null, '1'] });
  expect(plan(sent, byCompany).cursor!.values).toEqual([null, '1']);
  expect(refusalOf(() => plan(sent))).toMatchObject(INVALID);
});

test.each<[string, at: number, part: unknown]>([
  ['another version', 0, 2],
  ['the name of another entity', 1, 'Company'],
  ['another direction', 2, 'first'],
  ['a number as a value', 4, [5, '1']],
  ['an object as a value', 4, ['5', {}]],
  ['null for a column that has none', 4, ['5', null]],
  ['too few values', 4, ['5']],
  ['too many values', 4, ['5', '1', '1']],
  ['a text as its values', 4, '51'],
])('a cursor with %s is refused', (_, at, part) =>
  expect(refusalOf(() => plan(forge((content) => content.with(at, part))))).toMatchObject(INVALID),
);
