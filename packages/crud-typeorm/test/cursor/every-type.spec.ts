/** A column of every type that a database has, with values that are hard to print → a walk by cursors gives the records of the list in its order, by each column that has one. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { everyType } from '../read/every-type.js';

const RECORDS = 24;

interface Page {
  readonly data: readonly { readonly id: number }[];
  readonly next: string | null;
  readonly previous: string | null;
}

describeDatabases('walks by columns of every type', (db) => {
  const { target, properties, values, inner } = everyType(db.kind);
  const own = serving(db, [target], [looseResource(target, 'every', { query: { cursor: true } })], {
    fill: async (source) => {
      const records = fc.sample(fc.record({ values, inner }), { seed: 7, numRuns: RECORDS });
      // Each value twice, so that the key decides.
      for (const [id, record] of [...records, ...records].entries())
        await source.getRepository(target).insert({ id, ...record.values, inner: record.inner } as never);
    },
  });
  const idsOf = (data: Page['data']) => data.map(({ id }) => id);

  test.each([...properties, 'inner.first', 'inner.at'])('by %s', async (field) => {
    for (const order of ['ASC', 'DESC']) {
      const sort = `sort=${field},${order}`;
      const list = await own.send('get', `/every?fields=id&${sort}&limit=1000`);
      const page = (cursor: string) => own.send('get', `/every?fields=id&${sort}&limit=9&cursor=${cursor}`);
      const first = await page('');
      expect([sort, first.status]).toEqual([sort, list.status]);
      if (list.status !== 200) {
        expect([sort, list.status]).toEqual([sort, 400]);
        continue;
      }

      let last: Page = first.body;
      for (const way of ['next', 'previous'] as const) {
        const pages: Page[] = [last];
        while (pages.at(-1)![way] && pages.length < 50) {
          const { status, body } = await page(pages.at(-1)![way]!);
          expect([sort, status, status === 200 || body]).toEqual([sort, 200, true]);
          pages.push(body);
        }
        last = pages.at(-1)!;
        if (way === 'previous') pages.reverse();
        expect([sort, way, pages.flatMap(({ data }) => idsOf(data))]).toEqual([sort, way, idsOf(list.body)]);
      }
    }
  });
});
