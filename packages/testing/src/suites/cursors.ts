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
  ...['id,ASC', 'age,ASC', 'age,DESC', 'role,ASC&sort=age,DESC', 'joinedAt,ASC', 'joinedAt,DESC', 'score,ASC'],
  ...['points,ASC', 'name.last,DESC', 'team.name,ASC&join=team', 'bornOn,ASC', 'isActive,DESC'],
].map((sort) => `sort=${sort}`);

const idsOf = (read: readonly Json[][]): number[] => read.flat().map(({ id }) => id);

export const cursors = suite('cursors', {
  'the pages have every record once, in the order of the list': async ({ api }) => {
    for (const sort of SORTS) {
      const whole = (await api.list(`/members?${sort}&limit=100`)).map(({ id }) => id);
      for (const limit of [1, 5, 23, 24])
        deepEqual(idsOf(await pages(api, `${sort}&limit=${limit}`)), whole, `${sort} by ${limit}`);
    }
  },
  'and back': async ({ api }) => {
    for (const sort of SORTS) {
      const query = `${sort}&limit=5`;
      const forward = await pages(api, query);
      const { body: last } = await api.get(`/members?${query}&cursor=${await lastCursor(api, query)}`);
      const back = await pages(api, query, last.previous, 'previous');
      deepEqual(idsOf(back.reverse()), idsOf(forward).slice(0, 20), sort);
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
    const others = [`${next}x`, next.slice(1)].map((cursor) => `sort=age,ASC&cursor=${cursor}`);
    for (const query of [`sort=id,ASC&cursor=${next}`, 'cursor=x', ...others])
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
