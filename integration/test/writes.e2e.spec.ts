/** What a body may set and what it may not, over real HTTP on every database. */
import { expect, test } from '@jest/globals';
import { describeExample } from './example-suite.js';

let serial = 0;
const email = (): string => `writer-${++serial}@example.com`;

describeExample('writes', (api) => {
  // Records are whatever the routes answer; the tests assert their shape.
  const newUser = async (extra: object = {}): Promise<Record<string, any>> => {
    const { status, body } = await api.post('/users', { email: email(), password: 'secret', companyId: 1, ...extra });
    expect(status).toBe(201);
    return body;
  };

  test('a new user comes back with its defaults and without its password', async () => {
    const user = await newUser();
    expect(user).toMatchObject({
      companyId: 1,
      isActive: true,
      role: 'member',
      age: null,
      balance: null,
      score: null,
      tags: null,
      settings: null,
      birthDate: null,
      version: 1,
      profileId: null,
      name: { first: null, last: null },
    });
    expect(user).not.toHaveProperty('password');
    expect(user.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.parse(user.createdAt) - Date.now())).toBeLessThan(120_000);
  });

  test('every column type is stored and returned as sent', async () => {
    const values = {
      name: { first: 'Ünï "q" \\ \' %_,||', last: '😀 漢字' },
      age: 42,
      balance: 1234567.89,
      score: -0.125,
      isActive: false,
      role: 'admin',
      tags: ['a b', 'c'],
      settings: { theme: 'dark', nested: { n: 1, list: [null, true] } },
      birthDate: '1999-12-31',
    };
    const user = await newUser(values);
    expect(user).toMatchObject(values);
    expect((await api.get(`/users/${user.id}`)).body).toEqual(user);
  });

  test('PATCH writes what it carries and keeps the rest of an embedded object', async () => {
    const user = await newUser({ name: { first: 'Ada', last: 'L' }, age: 30, profile: { bio: 'b', city: 'Paris' } });
    const patched = await api.patch(`/users/${user.id}`, { name: { last: 'Lovelace' }, age: null });
    expect(patched).toMatchObject({
      status: 200,
      body: {
        name: { first: 'Ada', last: 'Lovelace' },
        age: null,
        profileId: user.profileId,
        version: 2,
        createdAt: user.createdAt,
      },
    });
    expect((await api.patch(`/users/${user.id}`, {})).body).toEqual(patched.body);
    expect((await api.patch(`/users/${user.id}`, { companyId: 2 })).body.companyId).toBe(2);
    expect((await api.patch(`/users/${user.id}`, { company: { id: 3 } })).body.companyId).toBe(3);
    expect((await api.patch(`/users/${user.id}`, { company: { id: 3 }, companyId: 4 })).body.companyId).toBe(4);
  });

  test('times, version and unknown properties are never taken from a body', async () => {
    const user = await newUser({
      createdAt: '2001-01-01T00:00:00.000Z',
      updatedAt: '2001-01-01T00:00:00.000Z',
      version: 77,
      nonsense: 1,
    });
    expect(user.createdAt.startsWith('2001')).toBe(false);
    expect(user.updatedAt.startsWith('2001')).toBe(false);
    expect(user.version).toBe(1);
    expect(user).not.toHaveProperty('nonsense');
    const company = (
      await api.post('/companies', { name: 'n', domain: `d${++serial}.example`, deletedAt: '2001-01-01T00:00:00.000Z' })
    ).body;
    expect(company.deletedAt).toBeNull();
  });

  test('a stale version is refused with 409, nothing written', async () => {
    const user = await newUser({ age: 1 });
    expect((await api.patch(`/users/${user.id}`, { age: 2, version: 1 })).body).toMatchObject({ age: 2, version: 2 });
    expect(await api.patch(`/users/${user.id}`, { age: 3, version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'CRUD_STALE_VERSION' },
    });
    expect((await api.get(`/users/${user.id}`)).body).toMatchObject({ age: 2, version: 2 });
  });

  test('PUT resets what it omits, keeps createdAt, advances version', async () => {
    const user = await newUser({
      name: { first: 'A', last: 'B' },
      age: 9,
      isActive: false,
      role: 'admin',
      tags: ['x'],
    });
    const put = await api.put(`/users/${user.id}`, { email: user.email, password: 'new', companyId: 2 });
    expect(put).toMatchObject({
      status: 200,
      body: {
        id: user.id,
        companyId: 2,
        age: null,
        isActive: true,
        role: 'member',
        tags: null,
        name: { first: null, last: null },
        version: 2,
        createdAt: user.createdAt,
      },
    });
    expect((await api.put(`/users/${user.id}`, { email: user.email, companyId: 2 })).status).toBe(400);
  });

  test('POST never updates', async () => {
    const user = await newUser({ age: 5 });
    expect(
      (await api.post('/users', { id: user.id, email: email(), password: 'p', companyId: 1, age: 99 })).status,
    ).toBe(409);
    expect((await api.post('/users', { id: 777_777, email: email(), password: 'p', companyId: 1 })).status).toBe(400);
    expect((await api.get(`/users/${user.id}`)).body).toEqual(user);
    const device = (await api.post('/devices', { serial: `S-${++serial}` })).body;
    expect(
      (await api.post('/devices', { id: device.id, serial: `S-${++serial}`, description: 'overwritten' })).status,
    ).toBe(409);
    expect((await api.get(`/devices/${device.id}`)).body.description).toBeNull();
  });

  test.each([
    ['unique', { email: 'taken@example.com' }, 409, 'CRUD_UNIQUE_VIOLATION', 'email'],
    ['foreign key', { companyId: 999_999 }, 409, 'CRUD_FOREIGN_KEY_VIOLATION', 'companyId'],
    ['check', { age: 151 }, 400, undefined, 'age'],
    ['too long', { name: { first: 'x'.repeat(81) } }, 400, undefined, 'name.first'],
    ['enum', { role: 'king' }, 400, undefined, 'role'],
    ['impossible date', { birthDate: '2023-02-29' }, 400, undefined, 'birthDate'],
    ['decimal range', { balance: 99_999_999_999 }, 400, undefined, 'balance'],
    ['integer range', { age: 99_999_999_999 }, 400, undefined, 'age'],
    ['not null', { email: null }, 400, undefined, 'email'],
    ['wrong type', { age: 'old' }, 400, undefined, 'age'],
  ])('a body that violates %s is refused with code and field', async (_, values, status, code, field) => {
    if ((await api.get('/users?filter=email||eq||taken@example.com')).body.length === 0)
      await newUser({ email: 'taken@example.com' });

    const before = await api.total('/users');
    const answer = await api.post('/users', { email: email(), password: 'p', companyId: 1, ...values });
    expect(answer.status).toBe(status);
    if (code) expect(answer.body.code).toBe(code);
    expect(answer.body.code).toMatch(/^CRUD_/);
    expect(answer.body.field).toBe(field);
    expect(answer.body.message).toEqual([expect.stringMatching(new RegExp(`^${field.replace('.', '\\.')} `))]);
    expect(await api.total('/users')).toBe(before);
    expect(answer.text).not.toMatch(/select|insert|constraint|duplicate key|SQLITE|errno/i);
  });

  test('a cascading relation inserts and updates, a plain one only links', async () => {
    const user = await newUser({ profile: { bio: 'hello', city: 'Rome' } });
    expect(user.profileId).not.toBeNull();
    expect((await api.get(`/users/${user.id}?join=profile`)).body.profile).toMatchObject({
      id: user.profileId,
      bio: 'hello',
      city: 'Rome',
    });
    await api.patch(`/users/${user.id}`, { profile: { city: 'Oslo' } });
    expect((await api.get(`/users/${user.id}?join=profile`)).body).toMatchObject({
      profileId: user.profileId,
      profile: { bio: 'hello', city: 'Oslo' },
    });
    const company = (await api.get('/companies/1')).body;
    await api.patch(`/users/${user.id}`, { company: { id: 1, name: 'Hacked' } });
    expect((await api.get('/companies/1')).body.name).toBe(company.name);
  });

  test('a many-to-many list replaces the links and nothing else', async () => {
    const projects = (await api.get('/projects?limit=3')).body.data;
    const user = await newUser({ projects: [{ id: projects[0].id }, { id: projects[1].id, name: 'Hacked' }] });
    const linked = async (): Promise<number[]> =>
      (await api.get(`/users/${user.id}?join=projects`)).body.projects
        .map((project: { id: number }) => project.id)
        .sort();
    expect(await linked()).toEqual([projects[0].id, projects[1].id].sort());
    expect((await api.get(`/projects/${projects[1].id}`)).body.name).toBe(projects[1].name);
    await api.patch(`/users/${user.id}`, { projects: [{ id: projects[2].id }] });
    expect(await linked()).toEqual([projects[2].id]);
    await api.patch(`/users/${user.id}`, { age: 1 });
    expect(await linked()).toEqual([projects[2].id]);
    await api.put(`/users/${user.id}`, { email: user.email, password: 'p', companyId: 1 });
    expect(await linked()).toEqual([projects[2].id]);
    await api.patch(`/users/${user.id}`, { projects: [] });
    expect(await linked()).toEqual([]);
    expect((await api.patch(`/users/${user.id}`, { projects: [{ id: 999_999 }] })).status).toBe(409);
  });

  test('a one-to-many list without cascade is ignored', async () => {
    const victim = (await api.get('/users?filter=companyId||eq||5&limit=1')).body[0];
    const answer = await api.patch('/companies/6', { users: [{ id: victim.id }] });
    expect(answer.status).toBe(200);
    expect((await api.get(`/users/${victim.id}`)).body.companyId).toBe(5);
    expect((await api.get('/companies/5/users')).body).toHaveLength(10);
  });

  test('a delete that others refer to is a 409', async () => {
    expect(await api.delete('/projects/999999')).toMatchObject({ status: 404 });
    const parent = (await api.post('/categories', { name: 'parent' })).body;
    await api.post('/categories', { name: 'child', parentId: parent.id });
    expect(await api.delete(`/categories/${parent.id}`)).toMatchObject({
      status: 409,
      body: { code: 'CRUD_FOREIGN_KEY_VIOLATION' },
    });
  });

  test('concurrent writes all succeed', async () => {
    const before = await api.total('/categories');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => api.post('/categories', { name: `c${index}` })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(60).fill(201));
    expect(await api.total('/categories')).toBe(before + 60);
  });

  test('two concurrent PATCHes of different columns lose nothing', async () => {
    const user = await newUser({ age: 1, score: 1 });
    await Promise.all([api.patch(`/users/${user.id}`, { age: 2 }), api.patch(`/users/${user.id}`, { score: 2 })]);
    expect((await api.get(`/users/${user.id}`)).body).toMatchObject({ age: 2, score: 2, version: 3 });
  });

  test('of racing POSTs with one unique value, one wins', async () => {
    const address = email();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post('/users', { email: address, password: 'p', companyId: 1 })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  test.each(['"text"', '5', 'null', '[]', '{'])('the body %s is a 400', async (raw) => {
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      const answer = await api.raw(method, method === 'POST' ? '/users' : '/users/1', raw);
      expect(answer.status).toBe(400);
    }
  });

  test('half a surrogate pair in a body is a 400, wherever it stands', async () => {
    for (const property of ['email', 'password']) {
      const body = { email: email(), password: 'p', companyId: 1, [property]: 'HALF@example.com' };
      const answer = await api.raw('POST', '/users', JSON.stringify(body).replace('HALF', '\\ud800'));
      expect([property, answer.status, answer.body.code]).toEqual([property, 400, expect.stringMatching(/^CRUD_/)]);
    }
  });
});
