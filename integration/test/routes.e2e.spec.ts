/** Routes of the example over real HTTP, for every kind of key: statuses, bodies and what the database holds afterwards. */
import { expect, test } from '@jest/globals';
import { describeExample } from './example-suite.js';

const AT_ALL = '00000000-0000-4000-8000-000000000000';

describeExample('routes', (api) => {
  test('lists, reads, creates, updates, replaces and deletes a record with a counted key', async () => {
    const created = await api.post('/categories', { name: 'Gadgets', parentId: null });
    expect(created).toMatchObject({ status: 201, body: { name: 'Gadgets', parentId: null } });
    const { id } = created.body;
    expect(Number.isInteger(id)).toBe(true);

    expect(await api.get(`/categories/${id}`)).toMatchObject({ status: 200, body: created.body });
    expect(await api.patch(`/categories/${id}`, { name: 'Tools' })).toMatchObject({
      status: 200,
      body: { id, name: 'Tools', parentId: null },
    });
    expect(await api.put(`/categories/${id}`, { name: 'Toys', parentId: 1 })).toMatchObject({
      status: 200,
      body: { id, name: 'Toys', parentId: 1 },
    });
    expect((await api.get(`/categories/${id}`)).body).toEqual({ id, name: 'Toys', parentId: 1 });

    const deleted = await api.delete(`/categories/${id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.text).toBe('');
    expect(await api.get(`/categories/${id}`)).toMatchObject({
      status: 404,
      body: { statusCode: 404, message: 'Category not found', error: 'Not Found', code: 'CRUD_NOT_FOUND' },
    });
  });

  test('a uuid key belongs to the client: PUT creates with 201, then replaces with 200', async () => {
    const id = '3F2504E0-4F89-41D3-9A0C-0305E82C3301'.toLowerCase();
    const created = await api.put(`/devices/${id}`, { serial: 'PUT-1', description: 'first' });
    expect(created).toMatchObject({ status: 201, body: { id, serial: 'PUT-1', description: 'first' } });
    const replaced = await api.put(`/devices/${id}`, { serial: 'PUT-2' });
    expect(replaced).toMatchObject({ status: 200, body: { id, serial: 'PUT-2', description: null } });
    expect(await api.put(`/devices/not-a-uuid`, { serial: 'PUT-3' })).toMatchObject({
      status: 400,
      body: { code: 'CRUD_INVALID_PARAM', field: 'id' },
    });
    expect((await api.get(`/devices/${AT_ALL}`)).status).toBe(404);
  });

  test('a composite key addresses one record', async () => {
    const member = await api.put('/memberships/1/100', { role: 'guest', since: '2024-02-29' });
    expect(member).toMatchObject({
      status: 201,
      body: { companyId: 1, userId: 100, role: 'guest', since: '2024-02-29' },
    });
    expect((await api.patch('/memberships/1/100', { role: 'owner', userId: 5 })).body).toMatchObject({
      companyId: 1,
      userId: 100,
      role: 'owner',
      since: '2024-02-29',
    });
    expect((await api.post('/memberships', { companyId: 1, userId: 100, role: 'x' })).status).toBe(409);
    expect((await api.delete('/memberships/1/100')).status).toBe(200);
    expect((await api.get('/memberships/1/100')).status).toBe(404);
  });

  test('soft delete hides, includeDeleted shows, recover brings back', async () => {
    const { body: company } = await api.post('/companies', { name: 'Ephemeral', domain: 'ephemeral.example' });
    expect(company.deletedAt).toBeNull();
    const path = `/companies/${company.id}`;
    expect((await api.delete(path)).status).toBe(200);
    for (const answer of [
      await api.get(path),
      await api.patch(path, { name: 'x' }),
      await api.put(path, company),
      await api.delete(path),
    ])
      expect(answer.status).toBe(404);

    expect((await api.get(`${path}?includeDeleted=1`)).body.deletedAt).not.toBeNull();
    expect((await api.get(`/companies?filter=id||eq||${company.id}`)).body).toEqual([]);
    expect((await api.get(`/companies?filter=id||eq||${company.id}&includeDeleted=1`)).body).toHaveLength(1);
    expect((await api.get(`/companies?includeDeleted=2`)).status).toBe(400);

    expect(await api.patch(`${path}/recover`)).toMatchObject({
      status: 200,
      body: { id: company.id, deletedAt: null },
    });
    expect(await api.patch(`${path}/recover`)).toMatchObject({ status: 200, body: { id: company.id } });
    expect((await api.get(path)).status).toBe(200);
    expect((await api.patch('/companies/999999/recover')).status).toBe(404);
    expect((await api.patch('/users/1/recover')).status).toBe(404);
  });

  test('takes a DELETE and a PATCH that name a content type without any content, as react-admin sends them', async () => {
    const json = { 'content-type': 'application/json' };
    const { body: device } = await api.post('/devices', { serial: 'EMPTY-1' });
    expect(await api.delete(`/devices/${device.id}`, json)).toMatchObject({ status: 200, text: '' });
    expect((await api.get(`/devices/${device.id}`)).status).toBe(404);

    const { body: company } = await api.post('/companies', { name: 'Gone', domain: 'gone.example' });
    expect((await api.raw('DELETE', `/companies/${company.id}`, '')).status).toBe(200);
    expect((await api.raw('PATCH', `/companies/${company.id}/recover`, '')).status).toBe(200);
    expect((await api.get(`/companies/${company.id}`)).status).toBe(200);
  });
});
