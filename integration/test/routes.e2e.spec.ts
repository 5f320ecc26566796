/** The eight routes of every resource of the example, over real HTTP: statuses, bodies and what the database holds afterwards. */
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

  test('creates many in the order sent, or none', async () => {
    const names = ['zeta', 'alpha', 'mu'];
    const bulk = await api.post('/categories/bulk', { bulk: names.map((name) => ({ name })) });
    expect(bulk.status).toBe(201);
    expect(bulk.body.map((category: { name: string }) => category.name)).toEqual(names);
    expect(new Set(bulk.body.map((category: { id: number }) => category.id)).size).toBe(3);
    for (const category of bulk.body)
      expect((await api.get(`/categories/${category.id}`)).body.name).toBe(category.name);

    const before = await api.total('/categories');
    const failed = await api.post('/categories/bulk', { bulk: [{ name: 'ok' }, { name: 'x'.repeat(81) }] });
    expect(failed.status).toBe(400);
    expect(failed.body.message[0]).toMatch(/^bulk\.1\.name /);
    expect(await api.total('/categories')).toBe(before);
  });

  test.each([{}, { bulk: [] }, { bulk: 'x' }, []])('refuses the bulk body %j', async (body) => {
    const answer = await api.post('/categories/bulk', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'CRUD_EMPTY_BODY' } });
    expect([answer.body.message].flat()).toEqual([
      expect.stringMatching(/^(?:Empty data\. Nothing to save\.|bulk must be a list of records: .+)$/),
    ]);
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

  test('an omitted uuid is generated', async () => {
    const { status, body } = await api.post('/devices', { serial: 'GEN-1' });
    expect(status).toBe(201);
    expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect((await api.get(`/devices/${body.id}`)).body).toEqual({ id: body.id, serial: 'GEN-1', description: null });
  });

  test('PUT never creates where the database generates the key', async () => {
    expect(await api.put('/categories/999999', { name: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'CRUD_NOT_FOUND' },
    });
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

  test('a path-scoped resource stays within its parent', async () => {
    const list = await api.get('/companies/1/users');
    expect(list.body).toHaveLength(10);
    expect(list.body.every((user: { companyId: number }) => user.companyId === 1)).toBe(true);
    const stranger = (await api.get('/users?filter=companyId||eq||2&limit=1')).body[0];
    for (const answer of [
      await api.get(`/companies/1/users/${stranger.id}`),
      await api.patch(`/companies/1/users/${stranger.id}`, { age: 1 }),
      await api.put(`/companies/1/users/${stranger.id}`, { email: 'a@b.example', password: 'p' }),
      await api.delete(`/companies/1/users/${stranger.id}`),
    ])
      expect(answer.status).toBe(404);

    expect((await api.get(`/users/${stranger.id}`)).body).toEqual(stranger);
    expect((await api.get('/companies/999999/users')).body).toEqual([]);
    expect(await api.get('/companies/abc/users')).toMatchObject({
      status: 400,
      body: { code: 'CRUD_INVALID_PARAM', field: 'companyId' },
    });

    const born = await api.post('/companies/1/users', {
      email: 'scoped@example.com',
      password: 'secret',
      companyId: 2,
    });
    expect(born).toMatchObject({ status: 201, body: { companyId: 1 } });
    expect(born.body).not.toHaveProperty('password');
    expect(
      (await api.patch(`/companies/1/users/${born.body.id}`, { companyId: 2, company: { id: 2 } })).body.companyId,
    ).toBe(1);
    expect((await api.delete(`/companies/1/users/${born.body.id}`)).status).toBe(200);
  });

  test('the demo user sees and changes exactly one record under /me', async () => {
    expect((await api.get('/me')).status).toBe(401);
    expect((await api.get('/me', { 'x-demo-user': 'abc' })).status).toBe(401);
    expect((await api.get('/me', { 'x-demo-user': '999999' })).status).toBe(401);
    const me = await api.get('/me', { 'x-demo-user': '7' });
    expect(me).toMatchObject({ status: 200, body: { id: 7 } });
    expect(me.body).not.toHaveProperty('password');
    const changed = await api.patch('/me', { id: 8, name: { first: 'Renamed' } }, { 'x-demo-user': '7' });
    expect(changed).toMatchObject({
      status: 200,
      body: { id: 7, name: { first: 'Renamed', last: me.body.name.last } },
    });
    expect((await api.get('/users/8')).body.name.first).not.toBe('Renamed');
    expect((await api.delete('/me', { 'x-demo-user': '7' })).status).toBe(404);
  });

  test('my projects are those of the demo user’s company, on all routes', async () => {
    const headers = { 'x-demo-user': '1' };
    const { companyId } = (await api.get('/users/1')).body;
    const mine = await api.get('/my/projects?limit=100', headers);
    expect(mine.body.length).toBeGreaterThan(0);
    expect(mine.body.every((project: { companyId: number }) => project.companyId === companyId)).toBe(true);
    const other = (await api.get(`/projects?filter=companyId||ne||${companyId}&limit=1`)).body.data[0];
    expect((await api.get(`/my/projects/${other.id}`, headers)).status).toBe(404);
    expect((await api.patch(`/my/projects/${other.id}`, { name: 'stolen' }, headers)).status).toBe(404);
    expect((await api.delete(`/my/projects/${other.id}`, headers)).status).toBe(404);
    const born = await api.post('/my/projects', { name: 'Mine', companyId: other.companyId }, headers);
    expect(born).toMatchObject({ status: 201, body: { companyId } });
    expect(
      (await api.patch(`/my/projects/${born.body.id}`, { companyId: other.companyId }, headers)).body.companyId,
    ).toBe(companyId);
    expect(
      (
        await api.get(
          `/my/projects?s=${encodeURIComponent(JSON.stringify({ $or: [{ id: other.id }, { id: { $gt: 0 } }] }))}&limit=100`,
          headers,
        )
      ).body,
    ).not.toContainEqual(expect.objectContaining({ id: other.id }));
  });

  test('DELETE /projects returns the deleted record', async () => {
    const { body } = await api.post('/projects', { name: 'Doomed', companyId: 3, budget: 12.5 });
    const deleted = await api.delete(`/projects/${body.id}`);
    expect(deleted).toMatchObject({ status: 200, body: { id: body.id, name: 'Doomed', budget: 12.5, companyId: 3 } });
    expect((await api.get(`/projects/${body.id}`)).status).toBe(404);
  });

  test('events keep the digits of their bigint key, and only four routes exist', async () => {
    const list = (await api.get('/events?limit=3')).body;
    expect(list).toHaveLength(3);
    expect(typeof list[0].id).toBe('string');
    expect((await api.get(`/events/${list[0].id}`)).body).toEqual(list[0]);
    const at = '2024-05-06T07:08:09.123Z';
    const born = await api.post('/events', { kind: 'ping', payload: { a: [1, { b: null }] }, at });
    expect(born).toMatchObject({ status: 201, body: { kind: 'ping', payload: { a: [1, { b: null }] }, at } });
    expect((await api.get(`/events/${born.body.id}`)).body).toEqual(born.body);
    expect((await api.patch(`/events/${born.body.id}`, {})).status).toBe(404);
    expect((await api.put(`/events/${born.body.id}`, {})).status).toBe(404);
    expect((await api.delete(`/events/${born.body.id}`)).status).toBe(404);
    expect((await api.get('/events/9223372036854775808')).status).toBe(400);
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
