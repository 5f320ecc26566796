import { deepEqual, equal } from 'node:assert/strict';
import { expectAnswer } from '../api.js';
import { suite } from '../case.js';
import { makeMembers } from '../records.js';

const MEMBERS = makeMembers();

const ages = MEMBERS.flatMap(({ age }) => (age === null ? [] : [age]));
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

export const aggregates = suite('aggregates', {
  'functions of all records': async ({ api }) => {
    const query = ['count||*', 'count||age', 'sum||age', 'min||age', 'max||age', 'avg||age']
      .map((one) => `aggregate=${one}`)
      .join('&');
    const [row] = await api.list(`/members/aggregate?${query}`);

    const average = Math.round((sum(ages) / ages.length) * 1000);
    const extremes = { sum_age: sum(ages), min_age: 0, max_age: 65 };
    const rounded = { ...row, avg_age: Math.round(row['avg_age'] * 1000) };
    deepEqual(rounded, { count: 24, count_age: ages.length, ...extremes, avg_age: average });
  },
  'groups, in the order that is asked for': async ({ api }) => {
    const groups = ['member', 'admin', 'guest'].map((role) => ({
      role,
      count: MEMBERS.filter((member) => member.role === role).length,
    }));
    const rows = await api.list('/members/aggregate?groupBy=role&aggregate=count||*&sort=count,DESC&sort=role,ASC');
    deepEqual(
      rows,
      groups.sort((one, other) => other.count - one.count),
    );
  },
  'groups by a related record, and of filtered records': async ({ api }) => {
    const query = 'groupBy=team.name&aggregate=count||*&filter=isActive||eq||true&sort=team.name,ASC';
    const rows = await api.list(`/members/aggregate?${query}`);
    equal(rows.map((row) => `${row['team.name']} ${row.count}`).join(), 'green 8,red 8');
  },
  'conditions on groups': async ({ api }) => {
    deepEqual(await api.list('/members/aggregate?groupBy=role&aggregate=count||*&having=count||gt||10'), [
      { role: 'member', count: 14 },
    ]);
  },
  'parts of the calendar, in UTC': async ({ api }) => {
    const query = 'groupBy=joinedAt:month&aggregate=count||*&filter=joinedAt||notnull&sort=joinedAt:month,ASC';
    const rows = await api.list(`/members/aggregate?${query}`);
    equal(rows.map((row) => Object.values(row).join(' ')).join(), '2023-12 6,2024-01 6,2024-02 6');
  },
  'sums of 64 bits keep their digits': async ({ api, members: [first] }) => {
    const query = 'aggregate=sum||points&aggregate=max||points&filter=email||in||m01@example.com,m02@example.com';
    const [row] = await api.list(`/members/aggregate?${query}`);
    deepEqual([String(row['sum_points']), row['max_points']], [String(BigInt(first!.points!) + 5n), first!.points]);
  },
  'of no records, a count is 0 and a sum null': async ({ api }) => {
    deepEqual(await api.list('/members/aggregate?aggregate=count||*&aggregate=sum||age&filter=id||lt||0'), [
      { count: 0, sum_age: null },
    ]);
  },
  'pages of groups': async ({ api }) => {
    const query = 'groupBy=role&aggregate=count||*&limit=2&page=2&sort=role,ASC';
    const { body } = expectAnswer(await api.get(`/members/aggregate?${query}`), 200);
    deepEqual([body.data.length, body.total], [1, 3]);
  },
  'what the options do not allow is a 400': async ({ api }) => {
    for (const query of ['groupBy=email', 'aggregate=sum||version', 'groupBy=role&aggregate=sum||email'])
      expectAnswer(await api.get(`/members/aggregate?${query}`), 400);
    equal((await api.get('/members/aggregate')).status, 400);
  },
});
