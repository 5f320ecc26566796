/** The query language over real HTTP: each answer is compared with what plain array functions make of the whole table. The corpus and the oracle have the rest. */
import { beforeAll, expect, test } from '@jest/globals';
import { describeExample } from './example-suite.js';

// Records are whatever the routes answer; the tests assert their shape.
type Json = Record<string, any>;

const ids = (records: Json[]): number[] => records.map((record) => record.id).sort((a, b) => a - b);
const filter = (text: string): string => `filter=${encodeURIComponent(text)}`;

describeExample('query', (api) => {
  let users: Json[];

  beforeAll(async () => {
    users = (await api.get('/users?join=company&join=profile&join=projects&limit=500')).body;
    expect(users).toHaveLength(100);
  });

  const get = async (query: string): Promise<number[]> => ids((await api.get(`/users?limit=500&${query}`)).body);
  const having = (holds: (user: Json) => boolean): number[] => ids(users.filter(holds));

  test.each<[name: string, holds: (value: string, operand: string) => boolean]>([
    ['eq', (v, o) => v === o],
    ['ne', (v, o) => v !== o],
    ['starts', (v, o) => v.startsWith(o)],
    ['ends', (v, o) => v.endsWith(o)],
    ['cont', (v, o) => v.includes(o)],
    ['excl', (v, o) => !v.includes(o)],
  ])('text operator %s is exact, with wildcards literal', async (name, holds) => {
    for (const operand of ['%', '_', ',', '||', "'", '"', '\\', 'a', 'A', 'Ada', ' ', 'ö', '漢', '😀', 'zzz']) {
      const expected = having(({ name: { last } }) => last !== null && holds(last, operand));
      expect([operand, await get(filter(`name.last||${name}||${operand}`))]).toEqual([operand, expected]);
    }
  });

  test('filters AND, one filter and one or OR, several ors AND among themselves', async () => {
    const [young, admin, active] = ['age||lt||30', 'role||eq||admin', 'isActive||eq||true'];
    const isYoung = ({ age }: Json): boolean => age !== null && age < 30;
    const isAdmin = ({ role }: Json): boolean => role === 'admin';

    expect(await get(`filter=${young}&filter=${admin}`)).toEqual(having((user) => isYoung(user) && isAdmin(user)));
    expect(await get(`filter=${young}&or=${admin}`)).toEqual(having((user) => isYoung(user) || isAdmin(user)));
    expect(await get(`or=${admin}&or=${young}`)).toEqual(having((user) => isAdmin(user) || isYoung(user)));
    expect(await get(`filter=${young}&or=${admin}&or=${active}`)).toEqual(
      having((user) => isYoung(user) || (isAdmin(user) && user.isActive)),
    );
    expect(await get('s=%7B%22role%22%3A%22admin%22%7D&filter=not||even||parsed')).toEqual(having(isAdmin));
  });

  test('joins nest, select fields, keep keys, and leave out what is excluded', async () => {
    const { users: members, ...company } = (
      await api.get('/companies/2?join=users||email&join=users.projects||name&fields=name')
    ).body;
    expect([Object.keys(company).sort(), members.length]).toEqual([['id', 'name'], 10]);
    for (const { id, email, projects, ...rest } of members) {
      expect([typeof email, rest, ids(projects)]).toEqual([
        'string',
        {},
        ids(users.find((user) => user.id === id)!.projects),
      ]);
      for (const project of projects) expect(Object.keys(project).sort()).toEqual(['id', 'name']);
    }
    expect((await api.get('/users/1?join=company')).body.company).not.toHaveProperty('description');
    for (const project of (await api.get('/projects?limit=3&join=users')).body.data)
      for (const member of project.users) expect(member).not.toHaveProperty('password');
  });

  test('a page holds exactly its records and the right total under any join', async () => {
    const page = async (query: string) => (await api.get(`/users?${query}`)).body;
    const numbers = { total: 100, pageCount: 15 };
    const first = await page('join=projects&join=company&join=profile&sort=id,ASC&limit=7&page=1');
    expect(first).toMatchObject({ count: 7, page: 1, ...numbers });
    expect(first.data.map(({ id }: Json) => id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await page('page=99&limit=7')).toEqual({ data: [], count: 0, page: 99, ...numbers });
    expect(await page('offset=14&limit=7')).toMatchObject({ page: 3, count: 7 });
    expect([(await page('')).length, (await page('limit=100000')).length]).toEqual([50, 100]);
    const { total } = await page('page=1&limit=5&filter=projects.isActive||eq||true&join=projects');
    expect(total).toBe(having(({ projects }) => projects.some((one: Json) => one.isActive)).length);
  });
});
