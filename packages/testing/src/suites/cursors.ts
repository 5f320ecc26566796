import { deepEqual, equal } from 'node:assert/strict';
import { type Api, expectAnswer, type Json } from '../api.js';
import { suite } from '../case.js';

/** The pages of a list by its cursors, from one end to the other. */
async function pages(api: Api, query: string, from = '', towards: 'next' | 'previous' = 'next'): Promise<Json[][]> {
  const read: Json[][] = [];
  let cursor: string | null = from;
  while (cursor !== null) {
    const page = await api.body(`/members?${query}&cursor=${cursor}`);
    read.push(page.data);
    cursor = page[towards];
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
  'the pages have every record once, in the order of the list, and back': async ({ api }) => {
    for (const sort of SORTS) {
      const whole = (await api.list(`/members?${sort}&limit=100`)).map(({ id }) => id);
      for (const limit of [1, 5, 23, 24])
        deepEqual(idsOf(await pages(api, `${sort}&limit=${limit}`)), whole, `${sort} by ${limit}`);
      const last = await api.body(`/members?${sort}&limit=5&cursor=${await lastCursor(api, `${sort}&limit=5`)}`);
      const back = await pages(api, `${sort}&limit=5`, last.previous, 'previous');
      deepEqual(idsOf(back.reverse()), whole.slice(0, 20), sort);
    }
  },
  'the first page has none before it, the last none after it': async ({ api }) => {
    const [all, first] = [await api.body('/members?cursor=&limit=24'), await api.body('/members?cursor=&limit=23')];
    deepEqual([all.previous, all.next, first.next === null], [null, null, false]);
  },
  'a record that comes in between is read, and none twice': async ({ api, newMember }) => {
    const { next } = await api.body('/members?cursor=&limit=10&sort=email,ASC');
    for (const name of ['m10a', 'a']) await api.post('/members', newMember(name));
    const rest = (await pages(api, 'limit=10&sort=email,ASC', next)).flat().map(({ email }) => email);
    deepEqual([rest.length, rest[0]], [15, 'm10a@example.com']);
  },
  'what is no cursor of the list is a 400': async ({ api }) => {
    const { next } = await api.body('/members?cursor=&limit=5&sort=age,ASC');
    const others = [`${next}x`, next.slice(1)].map((cursor) => `sort=age,ASC&cursor=${cursor}`);
    for (const query of [`sort=id,ASC&cursor=${next}`, 'cursor=x', ...others])
      expectAnswer(await api.get(`/members?${query}`), 400, 'CRUD_INVALID_CURSOR');
  },
});

async function lastCursor(api: Api, query: string, cursor = ''): Promise<string> {
  const { next } = await api.body(`/members?${query}&cursor=${cursor}`);
  return next === null ? cursor : lastCursor(api, query, next);
}
