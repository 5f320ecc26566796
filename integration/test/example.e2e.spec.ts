/** The example over real HTTP, with the packages compiled or not: routes of every kind of key. The corpus has the rest. */
import { expect, test } from '@jest/globals';
import { serveExample } from '../test-support/example.js';
import { clientOf, describeServed } from '../test-support/served.js';

describeServed('example', serveExample, (running) => {
  const api = clientOf(() => running().origin);
  test('a record with a counted key is created, read, updated, replaced and deleted', async () => {
    const created = await api.post('/categories', { name: 'Gadgets', parentId: null });
    const { id } = created.body;
    const path = `/categories/${id}`;
    expect([created.status, created.body]).toEqual([201, { id: expect.any(Number), name: 'Gadgets', parentId: null }]);
    expect((await api.get(path)).body).toEqual(created.body);
    expect((await api.patch(path, { name: 'Tools' })).body).toEqual({ id, name: 'Tools', parentId: null });
    expect((await api.put(path, { name: 'Toys', parentId: 1 })).body).toEqual({ id, name: 'Toys', parentId: 1 });
    expect(await api.delete(path)).toMatchObject({ status: 200, text: '' });
    const missing = { statusCode: 404, message: 'Category not found', error: 'Not Found', code: 'CRUD_NOT_FOUND' };
    expect(await api.get(path)).toMatchObject({ status: 404, body: missing });
  });

  test('PUT creates a record with 201 and replaces it with 200, also with a uuid or a key of two columns', async () => {
    const device = '/devices/3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    expect(await api.put(device, { serial: 'PUT-1', description: 'first' })).toMatchObject({ status: 201 });
    const body = { serial: 'PUT-2', description: null };
    expect(await api.put(device, { serial: 'PUT-2' })).toMatchObject({ status: 200, body });
    const member = { role: 'guest', since: '2024-02-29' };
    const made = await api.put('/memberships/1/100', member);
    expect([made.status, made.body]).toEqual([201, { companyId: 1, userId: 100, ...member }]);
    expect((await api.patch('/memberships/1/100', { role: 'owner' })).body).toMatchObject({ ...member, role: 'owner' });
    expect((await api.post('/memberships', made.body)).status).toBe(409);
  });
});
