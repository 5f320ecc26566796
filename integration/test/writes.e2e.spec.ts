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
    const nulls = {
      age: null,
      balance: null,
      score: null,
      tags: null,
      settings: null,
      birthDate: null,
      profileId: null,
    };
    expect(user).toMatchObject({ ...nulls, companyId: 1, isActive: true, role: 'member', version: 1 });
    expect(user.name).toEqual({ first: null, last: null });
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
    const kept = { profileId: user.profileId, version: 2, createdAt: user.createdAt };
    expect(patched.body).toMatchObject({ ...kept, name: { first: 'Ada', last: 'Lovelace' }, age: null });
    expect((await api.patch(`/users/${user.id}`, {})).body).toEqual(patched.body);
    expect((await api.patch(`/users/${user.id}`, { companyId: 2 })).body.companyId).toBe(2);
    expect((await api.patch(`/users/${user.id}`, { company: { id: 3 } })).body.companyId).toBe(3);
    expect((await api.patch(`/users/${user.id}`, { company: { id: 3 }, companyId: 4 })).body.companyId).toBe(4);
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
    const reset = { age: null, isActive: true, role: 'member', tags: null, name: { first: null, last: null } };
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ ...reset, id: user.id, companyId: 2, version: 2, createdAt: user.createdAt });
    expect((await api.put(`/users/${user.id}`, { email: user.email, companyId: 2 })).status).toBe(400);
  });

  test('a cascading relation inserts and updates, a plain one only links', async () => {
    const user = await newUser({ profile: { bio: 'hello', city: 'Rome' } });
    expect(user.profileId).not.toBeNull();
    await api.patch(`/users/${user.id}`, { profile: { city: 'Oslo' } });
    const { profileId, profile } = (await api.get(`/users/${user.id}?join=profile`)).body;
    expect([profileId, profile.id, profile.bio, profile.city]).toEqual([user.profileId, profileId, 'hello', 'Oslo']);
    const company = (await api.get('/companies/1')).body;
    await api.patch(`/users/${user.id}`, { company: { id: 1, name: 'Hacked' } });
    expect((await api.get('/companies/1')).body.name).toBe(company.name);
  });
});
