/** What lists give beside themselves: pages by cursors, exports, groups, tags. */
import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { type Api, expectAnswer, type Json } from '../api.js';
import { suite } from '../application.js';
import { makeMembers } from '../records.js';

/** The pages of a list by its cursors, from one end to the other. */
async function pages(api: Api, query: string, from = '', towards: 'next' | 'previous' = 'next'): Promise<Json[]> {
  const read: Json[] = [];
  let cursor: string | null = from;
  while (cursor !== null) {
    const page = await api.body(`/members?${query}&cursor=${cursor}`);
    read.push(page);
    cursor = page[towards];
    equal(read.length < 50, true, 'the pages never end');
  }
  return read;
}

const SORTS = [
  ...['id,ASC', 'age,ASC', 'age,DESC', 'role,ASC&sort=age,DESC', 'joinedAt,ASC', 'joinedAt,DESC', 'score,ASC'],
  ...['points,ASC', 'name.last,DESC', 'team.name,ASC&join=team', 'bornOn,ASC', 'isActive,DESC'],
].map((sort) => `sort=${sort}`);

const recordsOf = (read: readonly Json[]): Json[] => read.flatMap(({ data }) => data);
const idsOf = (records: readonly Json[]): number[] => records.map(({ id }) => id);

export const cursors = suite('cursors', {
  'the pages have every record once, in the order of the list, and back': async ({ api }) => {
    for (const sort of SORTS) {
      const whole = idsOf(await api.list(`/members?${sort}&limit=100`));
      for (const limit of [1, 5, 23, 24]) {
        const read = await pages(api, `${sort}&limit=${limit}`);
        deepEqual(idsOf(recordsOf(read)), whole, `${sort} by ${limit}`);
        if (limit !== 5) continue;
        const back = await pages(api, `${sort}&limit=5`, read.at(-1).previous, 'previous');
        deepEqual(idsOf(recordsOf(back.reverse())), whole.slice(0, 20), sort);
      }
    }
  },
  'the first page has none before it, the last none after it': async ({ api }) => {
    const [all, first] = [await api.body('/members?cursor=&limit=24'), await api.body('/members?cursor=&limit=23')];
    deepEqual([all.previous, all.next, first.next === null], [null, null, false]);
  },
  'a record that comes in between is read, and none twice': async ({ api, newMember }) => {
    const { next } = await api.body('/members?cursor=&limit=10&sort=email,ASC');
    for (const name of ['m10a', 'a']) await api.post('/members', newMember(name));
    const rest = recordsOf(await pages(api, 'limit=10&sort=email,ASC', next)).map(({ email }) => email);
    deepEqual([rest.length, rest[0]], [15, 'm10a@example.com']);
  },
  'what is no cursor of the list is a 400': async ({ api }) => {
    const { next } = await api.body('/members?cursor=&limit=5&sort=age,ASC');
    const others = [`${next}x`, next.slice(1)].map((cursor) => `sort=age,ASC&cursor=${cursor}`);
    for (const query of [`sort=id,ASC&cursor=${next}`, 'cursor=x', ...others])
      expectAnswer(await api.get(`/members?${query}`), 400, 'CRUD_INVALID_CURSOR');
  },
});

export const exports = suite('exports', {
  'NDJSON has the records of the list, a line each': async ({ api }) => {
    const query = 'sort=age,DESC&join=badges&join=team';
    const { text, headers } = expectAnswer(await api.get(`/members?format=ndjson&${query}`), 200);
    match(headers.get('content-type') ?? '', /ndjson/);
    const lines = JSON.parse(`[${text.trim().split('\n').join()}]`) as unknown[];
    deepEqual(sorted(lines), sorted(await api.list(`/members?limit=100&${query}`)));
  },
  'CSV has them as a table': async ({ api }) => {
    const query = 'fields=email,age&sort=id,ASC&filter=age||eq||30';
    const { text, headers } = expectAnswer(await api.get(`/members?format=csv&${query}`), 200);
    match(headers.get('content-type') ?? '', /csv/);
    const [head = '', ...rows] = text.trim().split(/\r?\n/);
    equal(head.replaceAll('"', '').split(',').includes('email'), true, head);
    equal(rows.length, 7);
  },
  'conditions narrow an export, and soft-deleted records are left out': async ({ api }) => {
    for (const [path, lines] of Object.entries({ '/members?filter=role||eq||admin&': 5, '/teams?': 3 }))
      equal((await api.get(`${path}format=ndjson`)).text.trim().split('\n').length, lines);
  },
  'an export of nothing is empty': async ({ api }) =>
    equal(expectAnswer(await api.get('/members?format=ndjson&filter=id||lt||0'), 200).text, ''),
});

/** Related records have no order of their own. */
const sorted = (records: readonly any[]): unknown[] =>
  records.map((record) => ({ ...record, badges: [...record.badges].sort((one, other) => one.id - other.id) }));

const MEMBERS = makeMembers();
const ages = MEMBERS.flatMap(({ age }) => (age === null ? [] : [age]));
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const byRole = 'groupBy=role&aggregate=count||*';

/** The rows of groups and functions. */
const rowsOf = (api: Api, query: string): Promise<Json[]> => api.list(`/members/aggregate?${query}`);

export const aggregates = suite('aggregates', {
  'functions of all records': async ({ api }) => {
    const functions = ['count||*', 'count||age', 'sum||age', 'min||age', 'max||age', 'avg||age'];
    const [{ avg_age: average, ...row }] = await rowsOf(api, functions.map((one) => `aggregate=${one}`).join('&'));
    deepEqual(row, { count: 24, count_age: ages.length, sum_age: sum(ages), min_age: 0, max_age: 65 });
    equal(Math.round(average * 1000), Math.round((sum(ages) / ages.length) * 1000));
  },
  'groups, in the order that is asked for': async ({ api }) =>
    deepEqual(await rowsOf(api, `${byRole}&sort=count,DESC&sort=role,ASC`), [
      ...[{ role: 'member', count: 14 }],
      ...['admin', 'guest'].map((role) => ({ role, count: 5 })),
    ]),
  'groups by a related record, and of filtered records': async ({ api }) => {
    const rows = await rowsOf(api, 'groupBy=team.name&aggregate=count||*&filter=isActive||eq||true&sort=team.name,ASC');
    equal(rows.map((row) => `${row['team.name']} ${row.count}`).join(), 'green 8,red 8');
  },
  'conditions on groups': async ({ api }) =>
    deepEqual(await rowsOf(api, `${byRole}&having=count||gt||10`), [{ role: 'member', count: 14 }]),
  'parts of the calendar, in UTC': async ({ api }) => {
    const query = 'groupBy=joinedAt:month&aggregate=count||*&filter=joinedAt||notnull&sort=joinedAt:month,ASC';
    const rows = (await rowsOf(api, query)).map((row) => Object.values(row).join(' '));
    equal(rows.join(), '2023-12 6,2024-01 6,2024-02 6');
  },
  'sums of 64 bits keep their digits': async ({ api, members: [first] }) => {
    const filter = 'filter=email||in||m01@example.com,m02@example.com';
    const [row] = await rowsOf(api, `aggregate=sum||points&aggregate=max||points&${filter}`);
    deepEqual([String(row['sum_points']), row['max_points']], [String(BigInt(first!.points!) + 5n), first!.points]);
  },
  'of no records, a count is 0 and a sum null': async ({ api }) => {
    const rows = await rowsOf(api, 'aggregate=count||*&aggregate=sum||age&filter=id||lt||0');
    deepEqual(rows, [{ count: 0, sum_age: null }]);
  },
  'pages of groups': async ({ api }) => {
    const { data, total } = await api.body(`/members/aggregate?${byRole}&limit=2&page=2&sort=role,ASC`);
    deepEqual([data.length, total], [1, 3]);
  },
  'what the options do not allow is a 400': async ({ api }) => {
    for (const query of ['groupBy=email', 'aggregate=sum||version', 'groupBy=role&aggregate=sum||email', ''])
      expectAnswer(await api.get(`/members/aggregate?${query}`), 400);
  },
});

const tagOf = async (api: Api, path: string): Promise<string> => (await api.get(path)).headers.get('etag') ?? '';

export const tags = suite('entity tags', {
  'a record that has not changed is a 304': async ({ api, pathOf }) => {
    const tag = await tagOf(api, pathOf('m01'));
    notEqual(tag, '');
    equal((await api.get(pathOf('m01'), { 'if-none-match': tag })).status, 304);
  },
  'a change of any column changes the tag': async ({ api, pathOf }) => {
    const before = await tagOf(api, `${pathOf('m01')}?fields=email`);
    await api.patch(`/admin${pathOf('m01')}`, { score: 5 });
    notEqual(await tagOf(api, `${pathOf('m01')}?fields=email`), before);
  },
  'a write on another state is a 412, and changes nothing': async ({ api, pathOf }) => {
    const path = pathOf('m01');
    const old = { 'if-match': await tagOf(api, path) };
    expectAnswer(await api.patch(path, { age: 31 }, old), 200);
    expectAnswer(await api.patch(path, { age: 32 }, old), 412, 'CRUD_PRECONDITION_FAILED');
    expectAnswer(await api.delete(path, undefined, old), 412);
    equal((await api.body(path)).age, 31);
  },
  'the tag of a write is that of the next read': async ({ api, pathOf }) => {
    const { headers } = await api.patch(pathOf('m01'), { age: 31 });
    equal(await tagOf(api, pathOf('m01')), headers.get('etag'));
  },
});
