import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { type Api, expectAnswer, type Json } from '../api.js';
import { suite } from '../case.js';

/** The pages of a list by its cursors, from one end to the other. */
async function pages(api: Api, query: string, from = '', towards: 'next' | 'previous' = 'next'): Promise<Json[][]> {
  const read: Json[][] = [];
  let cursor: string | null = from;
  while (cursor !== null) {
    const { body } = expectAnswer(await api.get(`/members?${query}&cursor=${cursor}`), 200);
    read.push(body.data);
    cursor = body[towards];
    equal(read.length < 50, true, 'the pages never end');
  }

  return read;
}

const SORTS = [
  'sort=id,ASC',
  'sort=age,ASC',
  'sort=age,DESC',
  'sort=role,ASC&sort=age,DESC',
  'sort=joinedAt,ASC',
  'sort=joinedAt,DESC',
  'sort=score,ASC',
  'sort=points,ASC',
  'sort=name.last,DESC',
  'sort=team.name,ASC&join=team',
  'sort=bornOn,ASC',
  'sort=isActive,DESC',
];

export const cursors = suite('cursors', {
  'the pages have every record once, in the order of the list': async ({ api }) => {
    for (const sort of SORTS) {
      const whole = (await api.list(`/members?${sort}&limit=100`)).map(({ id }) => id);
      for (const limit of [1, 5, 23, 24]) {
        const read = (await pages(api, `${sort}&limit=${limit}`)).flat().map(({ id }) => id);
        deepEqual(read, whole, `${sort} by ${limit}`);
      }
    }
  },
  'and back': async ({ api }) => {
    for (const sort of SORTS) {
      const forward = await pages(api, `${sort}&limit=5`);
      const { body: last } = await api.get(
        `/members?${sort}&limit=5&cursor=${await lastCursor(api, `${sort}&limit=5`)}`,
      );
      const back = await pages(api, `${sort}&limit=5`, last.previous, 'previous');
      deepEqual(
        back
          .reverse()
          .flat()
          .map(({ id }) => id),
        forward
          .flat()
          .slice(0, 20)
          .map(({ id }) => id),
        sort,
      );
    }
  },
  'the first page has none before it, the last none after it': async ({ api }) => {
    const { body } = await api.get('/members?cursor=&limit=24&sort=id,ASC');
    deepEqual([body.previous, body.next], [null, null]);
    notEqual((await api.get('/members?cursor=&limit=23&sort=id,ASC')).body.next, null);
  },
  'a record that comes in between is read, and none twice': async ({ api, ids }) => {
    const { body } = await api.get('/members?cursor=&limit=10&sort=email,ASC');
    await api.post('/members', { email: 'm10a@example.com', teamId: ids.teams['red'] });
    await api.post('/members', { email: 'a@example.com', teamId: ids.teams['red'] });
    const rest = (await pages(api, 'limit=10&sort=email,ASC', body.next)).flat().map(({ email }) => email);

    deepEqual([rest.length, rest[0]], [15, 'm10a@example.com']);
  },
  'what is no cursor of the list is a 400': async ({ api }) => {
    const { next } = (await api.get('/members?cursor=&limit=5&sort=age,ASC')).body;
    for (const query of [
      `sort=id,ASC&cursor=${next}`,
      `sort=age,ASC&cursor=${next}x`,
      'cursor=x',
      `cursor=${next.slice(1)}&sort=age,ASC`,
    ])
      expectAnswer(await api.get(`/members?${query}`), 400, 'CRUD_INVALID_CURSOR');
  },
});

async function lastCursor(api: Api, query: string): Promise<string> {
  let cursor = '';
  for (;;) {
    const { next } = (await api.get(`/members?${query}&cursor=${cursor}`)).body;
    if (next === null) return cursor;
    cursor = next;
  }
}
