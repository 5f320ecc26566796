/** Routes of the example over real HTTP, for every kind of key: statuses, bodies and what the database holds afterwards. */
import { expect, test } from '@jest/globals';
import { describeExample } from './example-suite.js';

describeExample('routes', (api) => {
  test('creates, reads, updates, replaces and deletes a record with a counted key', async () => {
    const created = await api.post('/categories', { name: 'Gadgets', parentId: null });
    const { id } = created.body;
    const path = `/categories/${id}`;

    expect([created.status, created.body]).toEqual([201, { id: expect.any(Number), name: 'Gadgets', parentId: null }]);
    expect((await api.get(path)).body).toEqual(created.body);
    expect((await api.patch(path, { name: 'Tools' })).body).toEqual({ id, name: 'Tools', parentId: null });
    expect((await api.put(path, { name: 'Toys', parentId: 1 })).body).toEqual({ id, name: 'Toys', parentId: 1 });
    expect(await api.delete(path)).toMatchObject({ status: 200, text: '' });
    expect(await api.get(path)).toMatchObject({
      status: 404,
      body: { statusCode: 404, message: 'Category not found', error: 'Not Found', code: 'CRUD_NOT_FOUND' },
    });
  });

  test('keys of clients: PUT creates with 201, then replaces with 200, by a uuid and by two columns', async () => {
    const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    const first = await api.put(`/devices/${id}`, { serial: 'PUT-1', description: 'first' });
    expect([first.status, first.body]).toEqual([201, { id, serial: 'PUT-1', description: 'first' }]);
    const again = await api.put(`/devices/${id}`, { serial: 'PUT-2' });
    expect([again.status, again.body]).toEqual([200, { id, serial: 'PUT-2', description: null }]);
    const refused = await api.put('/devices/not-a-uuid', { serial: 'PUT-3' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'CRUD_INVALID_PARAM', field: 'id' } });

    const path = '/memberships/1/100';
    const member = { companyId: 1, userId: 100, role: 'guest', since: '2024-02-29' };
    expect(await api.put(path, { role: 'guest', since: '2024-02-29' })).toMatchObject({ status: 201, body: member });
    const patched = await api.patch(path, { role: 'owner', userId: 5 });
    expect(patched.body).toMatchObject({ ...member, role: 'owner' });
    expect((await api.post('/memberships', { companyId: 1, userId: 100, role: 'x' })).status).toBe(409);
    expect([(await api.delete(path)).status, (await api.get(path)).status]).toEqual([200, 404]);
  });

  test('soft delete hides, includeDeleted shows, recover brings back', async () => {
    const { body: company } = await api.post('/companies', { name: 'Ephemeral', domain: 'ephemeral.example' });
    const path = `/companies/${company.id}`;
    // React-admin names a content type without any content.
    expect((await api.raw('DELETE', path, '')).status).toBe(200);
    for (const answer of [await api.get(path), await api.put(path, company), await api.delete(path)])
      expect(answer.status).toBe(404);

    expect((await api.get(`${path}?includeDeleted=1`)).body.deletedAt).not.toBeNull();
    expect((await api.get(`/companies?filter=id||eq||${company.id}`)).body).toEqual([]);
    expect((await api.raw('PATCH', `${path}/recover`, '')).body).toMatchObject({ id: company.id, deletedAt: null });
    expect((await api.get(path)).status).toBe(200);
    expect((await api.patch('/users/1/recover')).status).toBe(404);
  });
});
