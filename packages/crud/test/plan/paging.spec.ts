/** Limit, page and offset of a request, and what the options say of them → the part of a list, and whether it is enveloped. */
import { expect, test } from '@jest/globals';
import type { CrudRequest } from '../../src/crud-request.js';
import type { QueryOptions } from '../../src/definition/query-options.js';
import { isEnveloped } from '../../src/plan/paging.js';
import { planRead } from '../../src/plan/read.js';
import { decidePage, planByCursor, planMany } from '../../src/store/pages.js';
import { NotesService } from '../store/notes.js';
import { users } from './catalogs.js';
import { requestOf } from './plans.js';

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

    return [plan.limit, most];
  };
  expect([limitOf({ limit: 5 }), limitOf({ maxLimit: false })]).toEqual([
    [6, 5],
    [undefined, undefined],
  ]);
});

test('one record has no part', () =>
  expect(planRead(requestOf({ limit: 5, page: 2 }), users, 'one')).not.toHaveProperty('limit'));
