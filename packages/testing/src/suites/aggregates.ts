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

    deepEqual(
      { ...row, avg_age: Math.round(row['avg_age'] * 1000) },
      {
        count: 24,
        count_age: ages.length,
        sum_age: sum(ages),
        min_age: 0,
        max_age: 65,
        avg_age: Math.round((sum(ages) / ages.length) * 1000),
      },
    );
  },
  'groups, in the order that is asked for': async ({ api }) => {
    deepEqual(
      await api.list('/members/aggregate?groupBy=role&aggregate=count||*&sort=count,DESC&sort=role,ASC'),
      [
        { role: 'member', count: MEMBERS.filter(({ role }) => role === 'member').length },
        { role: 'admin', count: MEMBERS.filter(({ role }) => role === 'admin').length },
        { role: 'guest', count: MEMBERS.filter(({ role }) => role === 'guest').length },
      ].sort((one, other) => other['count'] - one['count']),
    );
  },
  'groups by a related record, and of filtered records': async ({ api }) => {
    deepEqual(
      await api.list(
        '/members/aggregate?groupBy=team.name&aggregate=count||*&filter=isActive||eq||true&sort=team.name,ASC',
      ),
      [
        { 'team.name': 'green', count: 8 },
        { 'team.name': 'red', count: 8 },
      ],
    );
  },
  'conditions on groups': async ({ api }) => {
    deepEqual(await api.list('/members/aggregate?groupBy=role&aggregate=count||*&having=count||gt||10'), [
      { role: 'member', count: 14 },
    ]);
  },
  'parts of the calendar, in UTC': async ({ api }) => {
    const rows = await api.list(
      '/members/aggregate?groupBy=joinedAt:month&aggregate=count||*&filter=joinedAt||notnull&sort=joinedAt:month,ASC',
    );

    deepEqual(
      rows.map((row) => Object.values(row)),
      [
        ['2023-12', 6],
        ['2024-01', 6],
        ['2024-02', 6],
      ],
    );
  },
  'sums of 64 bits keep their digits': async ({ api, members: [first] }) => {
    const [row] = await api.list(
      '/members/aggregate?aggregate=sum||points&aggregate=max||points&filter=email||in||m01@example.com,m02@example.com',
    );

    deepEqual([String(row['sum_points']), row['max_points']], [String(BigInt(first!.points!) + 5n), first!.points]);
  },
  'of no records, a count is 0 and a sum null': async ({ api }) => {
    deepEqual(await api.list('/members/aggregate?aggregate=count||*&aggregate=sum||age&filter=id||lt||0'), [
      { count: 0, sum_age: null },
    ]);
  },
  'pages of groups': async ({ api }) => {
    const { body } = expectAnswer(
      await api.get('/members/aggregate?groupBy=role&aggregate=count||*&limit=2&page=2&sort=role,ASC'),
      200,
    );

    deepEqual([body.data.length, body.total], [1, 3]);
  },
  'what the options do not allow is a 400': async ({ api }) => {
    for (const query of ['groupBy=email', 'aggregate=sum||version', 'groupBy=role&aggregate=sum||email'])
      expectAnswer(await api.get(`/members/aggregate?${query}`), 400);
    equal((await api.get('/members/aggregate')).status, 400);
  },
});
