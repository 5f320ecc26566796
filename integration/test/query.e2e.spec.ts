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

  /** Reference semantics of single conditions on the root, per operator. */
  const cases: [text: string, holds: (user: Json) => boolean][] = [
    ['age||$eq||30', (u) => u.age === 30],
    ['age||ne||30', (u) => known(u.age) && u.age !== 30],
    ['age||gt||40', (u) => known(u.age) && u.age > 40],
    ['age||lt||40', (u) => known(u.age) && u.age < 40],
    ['age||gte||40', (u) => known(u.age) && u.age >= 40],
    ['age||$lte||40', (u) => known(u.age) && u.age <= 40],
    ['age||in||20,30,40', (u) => [20, 30, 40].includes(u.age)],
    ['age||notin||20,30,40', (u) => known(u.age) && ![20, 30, 40].includes(u.age)],
    ['age||between||20,40', (u) => known(u.age) && u.age >= 20 && u.age <= 40],
    ['age||isnull', (u) => u.age === null],
    ['age||$notnull||whatever', (u) => u.age !== null],
    ['age||cont||3', (u) => known(u.age) && String(u.age).includes('3')],
    ['age||startsL||3', (u) => known(u.age) && String(u.age).startsWith('3')],
    ['balance||gt||100.5', (u) => known(u.balance) && u.balance > 100.5],
    ['balance||lt||0', (u) => known(u.balance) && u.balance < 0],
    ['score||lte||0.5', (u) => known(u.score) && u.score <= 0.5],
    ['isActive||eq||true', (u) => u.isActive],
    ['isActive||ne||1', (u) => !u.isActive],
    ['isActive||cont||false', (u) => !u.isActive],
    ['role||eq||admin', (u) => u.role === 'admin'],
    ['role||in||admin,guest', (u) => u.role !== 'member'],
    ['role||cont||e', (u) => u.role.includes('e')],
    ['birthDate||gte||1990-01-01', (u) => known(u.birthDate) && u.birthDate >= '1990-01-01'],
    ['createdAt||lte||2999-01-01T00:00:00Z', () => true],
    ['name.first||isnull', (u) => u.name.first === null],
    ['settings.theme||eq||dark', (u) => u.settings?.theme === 'dark'],
    ['settings.theme||isnull', (u) => !known(u.settings?.theme)],
    ['settings||notnull', (u) => u.settings !== null],
    ['company.id||eq||3', (u) => u.company.id === 3],
    ['profile.city||isnull', (u) => !known(u.profile?.city)],
  ];

  test.each(cases)('filter=%s', async (text, holds) => {
    const answer = await api.get(`/users?limit=500&${filter(text)}`);
    expect(answer.status).toBe(200);
    expect(ids(answer.body)).toEqual(ids(users.filter(holds)));
  });

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

  test.each(textOperators)('its L twin %sL folds both sides', async (name, holds) => {
    for (const operand of ['ADA', 'a', 'S', '%', '_']) {
      const answer = await api.get(`/users?limit=500&${filter(`name.first||$${name}L||${operand}`)}`);
      expect([operand, ids(answer.body)]).toEqual([
        operand,
        ids(
          users.filter(
            (user) => user.name.first !== null && holds(user.name.first.toLowerCase(), operand.toLowerCase()),
          ),
        ),
      ]);
    }
  });

  test('each stored text is found by eq, whatever is in it, blanks at the end included', async () => {
    for (const last of new Set(users.map((user) => user.name.last).filter((value) => value))) {
      const answer = await api.get(`/users?limit=500&${filter(`name.last||eq||${last}`)}`);
      expect(ids(answer.body)).toEqual(ids(users.filter((user) => user.name.last === last)));
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

  test.each<[object, (user: Json) => boolean]>([
    [{}, () => true],
    [{ age: {} }, () => true],
    [{ age: null }, (u) => u.age === null],
    [{ age: { $isnull: false } }, (u) => u.age !== null],
    [{ age: { gt: 20, $lt: 40 } }, (u) => known(u.age) && u.age > 20 && u.age < 40],
    [{ age: { $or: { $lt: 20, $gt: 60 } } }, (u) => known(u.age) && (u.age < 20 || u.age > 60)],
    [
      { $or: [{ role: 'admin' }, { $and: [{ isActive: false }, { age: { $gt: 30 } }] }] },
      (u) => u.role === 'admin' || (!u.isActive && known(u.age) && u.age > 30),
    ],
    [{ $not: { role: 'admin' }, isActive: true }, (u) => u.role !== 'admin' && u.isActive],
    [{ $not: [{ role: 'admin' }, { isActive: true }] }, (u) => !(u.role === 'admin' && u.isActive)],
    [{ $not: [] }, () => false],
    [{ $or: [] }, () => false],
    [{ $and: [] }, () => true],
    [{ age: { $in: [] } }, () => false],
    [{ age: { $notin: [] } }, () => true],
    [{ age: { $in: '20,30' } }, (u) => u.age === 20 || u.age === 30],
    [{ age: '30' }, (u) => u.age === 30],
    [
      { 'company.id': { $in: [1, 2] }, 'projects.id': { $notnull: true } },
      (u) => [1, 2].includes(u.company.id) && u.projects.length > 0,
    ],
    [{ 'projects.id': { $isnull: true } }, (u) => u.projects.length === 0],
    [{ $not: { 'projects.isActive': true } }, (u) => u.projects.some((p: Json) => !p.isActive)],
  ])('s=%j', async (condition, holds) => {
    const answer = await api.get(`/users?limit=500&${search(condition)}`);
    expect(answer.status).toBe(200);
    expect(ids(answer.body)).toEqual(ids(users.filter(holds)));
  });

  test('conditions on one to-many path speak of the same child, joined or not; the join returns those children', async () => {
    const holds = (p: Json): boolean => p.isActive && p.name.includes('a');
    const condition = search({ 'projects.isActive': true, 'projects.name': { $cont: 'a' } });
    const expected = users.filter((user) => user.projects.some(holds));
    expect(ids((await api.get(`/users?limit=500&${condition}`)).body)).toEqual(ids(expected));
    const joined = (await api.get(`/users?limit=500&join=projects&${condition}`)).body;
    expect(ids(joined)).toEqual(ids(expected));
    for (const user of joined)
      expect(ids(user.projects)).toEqual(ids(users.find(({ id }) => id === user.id)!.projects.filter(holds)));
  });

  test('a join needed only by a condition is not returned', async () => {
    const [user] = (await api.get(`/users?limit=1&${filter('company.id||eq||3')}`)).body;
    expect(user).not.toHaveProperty('company');
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

  test('sorting is by the given fields, then by key', async () => {
    const byFlag = (await api.get('/users?limit=500&sort=isActive,DESC&sort=id,DESC')).body;
    expect(byFlag.map((u: Json) => [u.isActive, u.id])).toEqual(
      [...users].sort((a, b) => Number(b.isActive) - Number(a.isActive) || b.id - a.id).map((u) => [u.isActive, u.id]),
    );
    const byCompany = (await api.get('/users?limit=500&sort=company.id,DESC')).body;
    expect(byCompany.map((u: Json) => u.id)).toEqual(
      [...users].sort((a, b) => b.company.id - a.company.id || a.id - b.id).map((u) => u.id),
    );
    expect(byCompany[0]).not.toHaveProperty('company');
    expect((await api.get('/users?sort=projects.name,ASC')).status).toBe(400);
    expect((await api.get('/users?sort=id&limit=3')).body.map((u: Json) => u.id)).toEqual(
      [...users]
        .sort(byId)
        .slice(0, 3)
        .map((u) => u.id),
    );
    expect((await api.get('/users?sort=id,desc&limit=1')).body[0].id).toBe(Math.max(...users.map((u) => u.id)));
  });

  test('fields select, and keys stay', async () => {
    const [user] = (await api.get('/users?fields=email&limit=1')).body;
    expect(Object.keys(user).sort()).toEqual(['email', 'id']);
    const one = (await api.get('/users/1?select=age,name.first')).body;
    expect(Object.keys(one).sort()).toEqual(['age', 'id', 'name']);
    expect(Object.keys(one.name)).toEqual(['first']);
  });

  test.each([
    'filter[]=role||eq||admin&filter[]=isActive||eq||true',
    'filter[0]=role||eq||admin&filter[1]=isActive||eq||true',
    'filter=role||eq||admin&filter[]=isActive||eq||true',
    'filter=role||$eq||admin&filter=isActive||$eq||true',
  ])('the key forms of %s mean the same', async (query) => {
    const answer = await api.get(`/users?limit=500&${query}`);
    expect(ids(answer.body)).toEqual(ids(users.filter((u) => u.role === 'admin' && u.isActive)));
  });

  test.each([
    ['filter=nope||eq||1', 'CRUD_UNKNOWN_FIELD'],
    ['filter=password||eq||1', 'CRUD_UNKNOWN_FIELD'],
    ['or=password||starts||a', 'CRUD_UNKNOWN_FIELD'],
    ['sort=password,ASC', 'CRUD_UNKNOWN_FIELD'],
    ['fields=password', 'CRUD_UNKNOWN_FIELD'],
    [`s=${encodeURIComponent('{"$or":[{"$and":[{"password":{"$starts":"a"}}]}]}')}`, 'CRUD_UNKNOWN_FIELD'],
    ['filter=company.description||cont||a', 'CRUD_UNKNOWN_FIELD'],
    ['filter=projects.users.password||cont||a', undefined],
    ['filter=__proto__||eq||1', 'CRUD_UNKNOWN_FIELD'],
    ['filter=constructor||eq||1', 'CRUD_UNKNOWN_FIELD'],
    ['join=nope', 'CRUD_UNKNOWN_RELATION'],
    ['join=constructor', 'CRUD_UNKNOWN_RELATION'],
    ['join=company||description', 'CRUD_UNKNOWN_FIELD'],
    ['filter=age||nope||1', 'CRUD_UNKNOWN_OPERATOR'],
    ['filter=age||toString||1', 'CRUD_UNKNOWN_OPERATOR'],
    ['filter=age||eq||abc', 'CRUD_INVALID_VALUE'],
    ['filter=age||eq||1.5', 'CRUD_INVALID_VALUE'],
    ['filter=age||eq||99999999999', 'CRUD_INVALID_VALUE'],
    ['filter=age||between||1', undefined],
    ['filter=birthDate||eq||2023-02-29', 'CRUD_INVALID_VALUE'],
    ['filter=birthDate||cont||2023', undefined],
    ['filter=role||eq||king', 'CRUD_INVALID_VALUE'],
    ['filter=email||eq||%00', 'CRUD_INVALID_VALUE'],
    ['filter=settings||eq||1', undefined],
    ['filter=email||eq||', undefined],
    ['s=[]', 'CRUD_INVALID_SEARCH'],
    ['s=null', 'CRUD_INVALID_SEARCH'],
    ['s=5', 'CRUD_INVALID_SEARCH'],
    ['s={', 'CRUD_INVALID_SEARCH'],
    [`s=${encodeURIComponent('{"$or":{"id":1}}')}`, 'CRUD_INVALID_SEARCH'],
    ['limit=x', 'CRUD_INVALID_PAGINATION'],
    ['limit=0', 'CRUD_INVALID_PAGINATION'],
    ['page=0', 'CRUD_INVALID_PAGINATION'],
    ['offset=-1', 'CRUD_INVALID_PAGINATION'],
    ['limit=10&page=2&offset=3', undefined],
    ['limit=1&limit=2', undefined],
    ['limit=1&per_page=2', undefined],
  ])('/users?%s is a 400', async (query, code) => {
    const answer = await api.get(`/users?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ statusCode: 400, error: 'Bad Request', message: expect.anything() });
    expect(answer.body.code).toMatch(/^CRUD_/);
    if (code) expect(answer.body.code).toBe(code);
  });

  test('the three messages for numbers that are none', async () => {
    for (const name of ['limit', 'page', 'offset'])
      expect((await api.get(`/users?${name}=x`)).body.message).toBe(`Invalid ${name}. Number expected`);

    expect((await api.get('/users?limit=10&page=2&offset=10')).status).toBe(200);
  });

  test('a cached list is answered from the cache, cache=0 replaces it', async () => {
    const query = '/events?limit=5&sort=id,DESC';
    const first = (await api.get(query)).body;
    const born = (await api.post('/events', { kind: 'cache-probe' })).body;
    expect((await api.get(query)).body).toEqual(first);
    expect((await api.get(`${query}&cache=0`)).body[0].id).toBe(born.id);
    expect((await api.get(query)).body[0].id).toBe(born.id);
  });

  test('more cached lists at once than there are connections are all answered', async () => {
    const lists = Array.from({ length: 40 }, (_, index) =>
      api.get(`/events?${filter(`kind||ne||none-${index}`)}&cache=0`),
    );
    expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(Array(40).fill(200));
  });

  test('case is the only difference between exact and folded equality', async () => {
    const { email } = users[0]!;
    expect((await api.get(`/users?${filter(`email||eq||${email.toUpperCase()}`)}`)).body).toHaveLength(0);
    expect(
      (await api.get(`/users?${filter(`email||eqL||${email.toUpperCase()}`)}`)).body.map((u: Json) => u.email),
    ).toContain(email);
  });
});
