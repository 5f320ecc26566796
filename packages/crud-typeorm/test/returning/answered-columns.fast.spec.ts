/** Writes of one resource whose requests differ in what they ask to see → the answers of the plain way, whichever request came first, on each database. */
import { expect, test } from '@jest/globals';
import type { CrudRequest, CrudRequestOptions } from '@nestwright/crud';
import fc from 'fast-check';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { fastAndPlain, outcome, WAYS } from './fast-and-plain.js';
import { CommonFlat, Shelf } from './inserted-rows.entities.js';

type Body = Record<string, unknown>;

const DATES = ['createdAt', 'updatedAt'];

/** As a resource has them: frozen, and the same for all of its requests. */
const OPTIONS = [
  Object.freeze({ exclude: DATES }),
  Object.freeze({ exclude: [...DATES, 'long'], softDelete: true }),
  Object.freeze({ exclude: DATES, join: Object.freeze({ shelf: Object.freeze({ eager: true }) }) }),
  Object.freeze({ exclude: DATES, join: Object.freeze({ shelf: Object.freeze({}) }) }),
] as const satisfies readonly CrudRequestOptions['query'][];

const requests = fc.record({
  query: fc.constantFrom(...OPTIONS),
  shallow: fc.boolean(),
  fields: fc.constantFrom<string[]>([], ['label'], ['whole', 'label']),
  join: fc.constantFrom<Body[]>([], [{ field: 'shelf' }]),
  includeDeleted: fc.constantFrom(0, 1, undefined),
  scope: fc.constantFrom<Body | undefined>(undefined, { whole: { $lt: 5 } }, { whole: 4 }, { 'shelf.id': 1 }),
  /** Whether the stored record is looked for with the scope, too. */
  narrow: fc.boolean(),
});

type Asked = typeof requests extends fc.Arbitrary<infer T> ? T : never;

function requestOf(path: Body, { query, shallow, fields, join, includeDeleted, scope, narrow }: Asked): CrudRequest {
  const paramsFilter = Object.entries(path).map(([field, value]) => ({ field, operator: '$eq', value }));
  const byPath = paramsFilter.map(({ field, value }) => ({ [field]: { $eq: value } }));
  const scoped = { $and: [...byPath, ...(scope ? [scope] : [])] };
  const joined = query && 'join' in query ? join : [];

  return {
    parsed: {
      ...{ fields, paramsFilter, join: joined, filter: [], or: [], sort: [], extra: {}, includeDeleted },
      search: narrow ? scoped : { $and: byPath },
    },
    scope: scoped,
    options: {
      query,
      routes: { createOneBase: { returnShallow: shallow }, updateOneBase: { returnShallow: shallow } },
    },
  } as unknown as CrudRequest;
}

describeDatabases('what a write returns', (db) => {
  const { sources, serviceOf } = fastAndPlain(db, {
    entities: [CommonFlat, Shelf],
    tables: ['flats'],
    fill: (source) => source.query('INSERT INTO shelves (id) VALUES (1), (2)'),
  });

  test('is what the plain way answers', async () => {
    const bodies = fc.record({ whole: fc.integer({ min: 3, max: 6 }), shelfId: fc.constantFrom(1, 2) });

    await fc.assert(
      fc.asyncProperty(requests, bodies, bodies, async (asked, created, changed) => {
        const answers: unknown[][] = [];

        for (const way of WAYS) {
          const service = serviceOf(way, CommonFlat);
          const { id } = await sources[way].getRepository(CommonFlat).save({ whole: 4, shelfId: 1 });
          const answered = [
            await outcome(service.createOne(requestOf({}, asked), { ...created, label: null, long: 'l' })),
            await outcome(service.updateOne(requestOf({ id }, asked), changed)),
            await outcome(service.updateOne(requestOf({ id: 0 }, asked), changed)),
          ] as Body[];

          answers.push(answered.map((record) => ({ ...record, id: 'id' in record })));
        }

        expect(answers[0]).toStrictEqual(answers[1]);
      }),
      { numRuns: 60 },
    );
  });
});
