/** The query language over real HTTP: each answer is compared with what plain array functions make of the whole table. */
import { beforeAll, expect, test } from '@jest/globals';
import { describeExample } from './example-suite.js';

// Records are whatever the routes answer; the tests assert their shape.
type Json = Record<string, any>;

const byId = (a: Json, b: Json): number => a.id - b.id;
const ids = (records: Json[]): number[] => records.map((record) => record.id).sort((a, b) => a - b);

describeExample('query', (api) => {
  let users: Json[];

  beforeAll(async () => {
    users = (await api.get('/users?join=company&join=profile&join=projects&limit=500')).body;
    expect(users).toHaveLength(100);
  });

  const search = (condition: object): string => `s=${encodeURIComponent(JSON.stringify(condition))}`;
  const filter = (text: string): string => `filter=${encodeURIComponent(text)}`;

  const known = (value: unknown): boolean => value !== null && value !== undefined;

  const textOperators: [name: string, holds: (value: string, operand: string) => boolean][] = [
    ['eq', (v, o) => v === o],
    ['ne', (v, o) => v !== o],
    ['starts', (v, o) => v.startsWith(o)],
    ['ends', (v, o) => v.endsWith(o)],
    ['cont', (v, o) => v.includes(o)],
    ['excl', (v, o) => !v.includes(o)],
  ];
  const operands = ['%', '_', ',', '||', "'", '"', '\\', 'a', 'A', 'Ada', ' ', 'ö', '漢', '😀', 'zzz'];

  test.each(textOperators)('text operator %s is exact, with wildcards literal', async (name, holds) => {
    for (const operand of operands) {
      const answer = await api.get(`/users?limit=500&${filter(`name.last||${name}||${operand}`)}`);
      expect(answer.status).toBe(200);
      expect([operand, ids(answer.body)]).toEqual([
        operand,
        ids(users.filter((user) => user.name.last !== null && holds(user.name.last, operand))),
      ]);
    }
  });

  test('filters AND, one filter and one or OR, several ors AND among themselves', async () => {
    const young = 'age||lt||30';
    const admin = 'role||eq||admin';
    const active = 'isActive||eq||true';
    const get = async (query: string): Promise<number[]> => ids((await api.get(`/users?limit=500&${query}`)).body);
    const having = (holds: (user: Json) => boolean): number[] => ids(users.filter(holds));
    const isYoung = (user: Json): boolean => known(user.age) && user.age < 30;
    expect(await get(`${filter(young)}&${filter(admin)}`)).toEqual(having((u) => isYoung(u) && u.role === 'admin'));
    expect(await get(`${filter(young)}&or=${admin}`)).toEqual(having((u) => isYoung(u) || u.role === 'admin'));
    expect(await get(`or=${admin}`)).toEqual(having((u) => u.role === 'admin'));
    expect(await get(`or=${admin}&or=${young}`)).toEqual(having((u) => u.role === 'admin' || isYoung(u)));
    expect(await get(`${filter(young)}&or=${admin}&or=${active}`)).toEqual(
      having((u) => isYoung(u) || (u.role === 'admin' && u.isActive)),
    );
    expect(await get(`${search({ role: 'admin' })}&filter=not||even||parsed`)).toEqual(
      having((u) => u.role === 'admin'),
    );
  });

  test('joins nest, select fields, keep keys, and leave out what is excluded', async () => {
    const company = (await api.get('/companies/2?join=users||email&join=users.projects||name&fields=name')).body;
    expect(Object.keys(company).sort()).toEqual(['id', 'name', 'users']);
    expect(company.users).toHaveLength(10);
    expect(Object.keys(company.users[0]).sort()).toEqual(['email', 'id', 'projects']);
    for (const user of company.users) {
      expect(ids(user.projects)).toEqual(ids(users.find(({ id }) => id === user.id)!.projects));
      for (const project of user.projects) expect(Object.keys(project).sort()).toEqual(['id', 'name']);
    }
    const user = (await api.get('/users/1?join=company')).body;
    expect(user.company).not.toHaveProperty('description');
    const nested = (await api.get('/companies/1/users?limit=1&join=company.projects')).body[0];
    expect(nested.company.projects.every((project: Json) => project.companyId === 1)).toBe(true);
    const members = (await api.get('/projects?limit=3&join=users')).body.data;
    for (const project of members) for (const member of project.users) expect(member).not.toHaveProperty('password');
  });

  test('self relations nest to the configured depth', async () => {
    const tree = (await api.get('/categories?limit=100&join=children.children&join=parent.parent')).body as Json[];
    const all = new Map(tree.map((category) => [category.id, category]));
    for (const category of tree) {
      expect(category.parent?.id ?? null).toBe(category.parentId);
      if (category.parent) expect(category.parent.parent?.id ?? null).toBe(all.get(category.parent.id)!.parentId);
      expect(ids(category.children)).toEqual(ids(tree.filter(({ parentId }) => parentId === category.id)));
      for (const child of category.children)
        expect(ids(child.children)).toEqual(ids(tree.filter(({ parentId }) => parentId === child.id)));
    }
  });

  test('a page holds exactly its records and the right total under any join', async () => {
    const first = (await api.get('/users?join=projects&join=company&join=profile&sort=id,ASC&limit=7&page=1')).body;
    const second = (await api.get('/users?join=projects&sort=id,ASC&limit=7&page=2')).body;
    expect(first).toMatchObject({ count: 7, total: 100, page: 1, pageCount: 15 });
    const sorted = [...users].sort(byId);
    expect(first.data.map(({ id }: Json) => id)).toEqual(sorted.slice(0, 7).map(({ id }) => id));
    expect(second.data.map(({ id }: Json) => id)).toEqual(sorted.slice(7, 14).map(({ id }) => id));
    expect((await api.get('/users?page=99&limit=7')).body).toEqual({
      data: [],
      count: 0,
      total: 100,
      page: 99,
      pageCount: 15,
    });
    expect((await api.get('/users?page=1&filter=id||eq||0')).body).toEqual({
      data: [],
      count: 0,
      total: 0,
      page: 1,
      pageCount: 0,
    });
    expect((await api.get('/users?offset=14&limit=7')).body).toMatchObject({ page: 3, count: 7 });
    expect(Array.isArray((await api.get('/users?limit=7')).body)).toBe(true);
    expect((await api.get('/users')).body).toHaveLength(50);
    expect((await api.get('/users?limit=100000')).body).toHaveLength(100);
    expect((await api.get('/projects')).body).toMatchObject({ count: 10, total: 30, page: 1, pageCount: 3 });
    expect((await api.get('/users?per_page=3')).body).toHaveLength(3);
    const filtered = (await api.get(`/users?page=1&limit=5&${filter('projects.isActive||eq||true')}&join=projects`))
      .body;
    expect(filtered.total).toBe(users.filter((user) => user.projects.some((p: Json) => p.isActive)).length);
  });
});
