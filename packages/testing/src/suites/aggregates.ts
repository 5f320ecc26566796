import { deepEqual, equal } from 'node:assert/strict';
import { type Api, expectAnswer, type Json } from '../api.js';
import { suite } from '../case.js';
import { makeMembers } from '../records.js';

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
