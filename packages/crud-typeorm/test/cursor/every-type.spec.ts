/** A column of every type that a database has, with values that are hard to print → a walk by cursors gives the records of the list in its order, by each column that has one. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';
import { everyType } from '../read/every-type.js';

const RECORDS = 24;

interface Page {
  readonly data: readonly { readonly id: number }[];
  readonly next: string | null;
  readonly previous: string | null;
}

describeDatabases('walks by columns of every type', (db) => {
  const { target, properties, values, inner } = everyType(db.kind);
  const { controller, provider } = resource(target, 'every', { query: { cursor: true } } as never);
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    ({ app, url } = await serve(db, [target], [{ controller, provider }]));
    const records = fc.sample(fc.record({ values, inner }), { seed: 7, numRuns: RECORDS });
    const repository = app.get<DataSource>(getDataSourceToken()).getRepository(target);
    // Each value twice, so that the key decides.
    for (const [index, record] of [...records, ...records].entries())
      await repository.insert({ id: index, ...record.values, inner: record.inner } as never);
  }, 60_000);

  afterAll(() => app?.close());

  const get = async (search: string) => {
    const answer = await fetch(`${url}/every?fields=id&${search}`);

    return { status: answer.status, body: (await answer.json()) as unknown };
  };

  test.each([...properties, 'inner.first', 'inner.at'])('by %s', async (field) => {
    for (const order of ['ASC', 'DESC']) {
      const sort = `sort=${field},${order}`;
      const list = await get(`${sort}&limit=1000`);
      const first = await get(`${sort}&limit=9&cursor=`);
      expect([sort, first.status]).toEqual([sort, list.status]);
      if (list.status !== 200) {
        expect([sort, list.status]).toEqual([sort, 400]);
        continue;
      }

      const whole = (list.body as Page['data']).map(({ id }) => id);
      const pages = [first.body as Page];
      while (pages.at(-1)!.next && pages.length < 50) {
        const { status, body } = await get(`${sort}&limit=9&cursor=${pages.at(-1)!.next}`);
        expect([sort, status, status === 200 || body]).toEqual([sort, 200, true]);
        pages.push(body as Page);
      }
      expect([sort, pages.flatMap(({ data }) => data.map(({ id }) => id))]).toEqual([sort, whole]);

      const back = [pages.at(-1)!];
      while (back[0]!.previous && back.length < 50) {
        const { status, body } = await get(`${sort}&limit=9&cursor=${back[0]!.previous}`);
        expect([sort, status]).toEqual([sort, 200]);
        back.unshift(body as Page);
      }
      expect([sort, back.flatMap(({ data }) => data.map(({ id }) => id))]).toEqual([sort, whole]);
    }
  });
});
