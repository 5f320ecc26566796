/** The workspace's routes, each as one of its members meets it. */
import { expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { describeWorkspace } from '../../test-support/workspace.js';
import { Audit } from '../src/audit/audit.entity.js';
import { TENANT_IDS } from '../../test-support/fixtures/workspace-records.js';
import { Member } from '../src/members/member.entity.js';

const [ACME, GLOBEX] = TENANT_IDS;
const OWNER = 1;
const ADMIN = 2;
const MEMBER = 3;
const OTHER_OWNER = 6;

describeWorkspace('workspace', ({ as, nobody, app }) => {
  test.each([undefined, '', 'x', '-1', '0', '16', '99999999999', '1, 2'])('member %p is nobody: 401', async (id) => {
    for (const path of [
      '/tasks',
      '/projects/1/tasks',
      '/projects',
      '/members',
      '/comments',
      '/settings/theme',
      '/audit',
      '/tenant',
    ]) {
      expect([path, (await nobody.get(path, id === undefined ? {} : { 'x-demo-member': id })).status]).toEqual([
        path,
        401,
      ]);
    }
  });

  test('shows its OpenAPI page and a document with bearer authentication everywhere', async () => {
    const { paths } = (await nobody.get('/docs-json')).body as {
      paths: Record<string, Record<string, { security?: object[] }>>;
    };

    expect((await nobody.get('/docs')).text).toContain('swagger-ui');
    expect(Object.keys(paths).sort()).toEqual(
      [
        ...['/tasks', '/projects/{projectId}/tasks', '/projects'].flatMap((path) => [
          path,
          `${path}/bulk`,
          `${path}/{id}`,
          `${path}/{id}/recover`,
        ]),
        '/projects/{projectId}/tasks/{id}/complete',
        ...['/tasks', '/projects/{projectId}/tasks'].flatMap((path) => [
          `${path}/count`,
          `${path}/aggregate`,
          `${path}/bulk/recover`,
          `${path}/bulk/delete`,
        ]),
        '/comments/bulk/delete',
        ...['/audit/count', '/audit/aggregate'],
        ...['/members', '/comments'].flatMap((path) => [path, `${path}/bulk`, `${path}/{id}`]),
        ...['/settings', '/settings/bulk', '/settings/{key}', '/audit', '/audit/{id}', '/tenant'],
      ].sort(),
    );
    for (const { security } of Object.values(paths).flatMap((operations) => Object.values(operations)))
      expect(security).toEqual([{ bearer: [] }]);
  });

  test('lists show the records of the tenant, and no others', async () => {
    for (const [path, count] of [
      ['/tasks', 60],
      ['/projects/1/tasks', 15],
      ['/projects', 4],
      ['/comments', 120],
      ['/members', 5],
      ['/settings', 10],
      ['/audit', 0],
    ] as const)
      expect([path, await as(MEMBER).total(path)]).toEqual([path, count]);

    expect(await as(MEMBER).total('/projects/5/tasks')).toBe(0);
    expect(await as(OTHER_OWNER).total('/projects/5/tasks')).toBe(15);
  });

  test('a task has decimals as text, times in UTC and its relations', async () => {
    const { body } = await as(MEMBER).get(
      '/tasks/2?join=project||name,budget&join=assignee&join=watchers||name&join=comments||body&join=comments.author||name',
    );

    expect(body).toMatchObject({
      id: 2,
      tenantId: ACME,
      estimate: null,
      labels: null,
      dueOn: '2025-02-02',
      createdAt: '2025-01-01T08:15:00.900Z',
      version: 1,
      assignee: { id: 2, email: 'member2@acme.example', role: 'admin' },
    });
    expect(body.project).toEqual({ id: 2, name: 'Mobile app of Acme', budget: null });
    expect(body.comments[0].author.name).toBeDefined();
    expect((await as(MEMBER).get('/tasks/1')).body).toMatchObject({ estimate: '2.50', labels: ['urgent'] });
    expect((await as(MEMBER).get('/projects/1')).body.budget).toBe('1000.00');
    expect((await as(MEMBER).get('/projects/3')).body.budget).toBe('9999999999.99');
  });

  test('a task that is read, sent back by PUT, and deleted comes back by recover', async () => {
    const api = as(MEMBER);
    const { body: made, status } = await api.post('/projects/2/tasks', { title: 'New', estimate: '1.5', parentId: 1 });
    const path = `/projects/2/tasks/${made.id}`;

    expect(status).toBe(201);
    expect(made).toMatchObject({ tenantId: ACME, projectId: 2, status: 'todo', estimate: '1.50', parentId: 1 });
    expect((await api.put(path, made)).status).toBe(200);
    expect((await api.get(`/projects/1/tasks/${made.id}`)).status).toBe(404);
    expect((await api.delete(path)).status).toBe(200);
    expect((await api.get(path)).status).toBe(404);
    expect((await api.patch(`${path}/recover`)).status).toBe(200);
    expect((await api.get(path)).body.title).toBe('New');
  });

  test('a cascade inserts subtasks into the tenant', async () => {
    const { body, status } = await as(MEMBER).post('/tasks', {
      title: 'Parent',
      projectId: 1,
      subtasks: [{ title: 'Child', projectId: 2 }],
      watchers: [{ id: 1 }, { id: 2 }],
    });
    const { body: children } = await as(MEMBER).get(`/tasks?filter=parentId||eq||${body.id}`);

    expect(status).toBe(201);
    expect(children).toEqual([expect.objectContaining({ title: 'Child', tenantId: ACME, parentId: body.id })]);
    expect((await as(MEMBER).get(`/tasks/${body.id}?join=watchers`)).body.watchers).toHaveLength(2);
  });

  test('a task is completed once, with one comment by whoever completed it', async () => {
    const complete = (id: number, body: unknown, member = MEMBER) =>
      as(member).post(`/projects/1/tasks/${id}/complete`, body);
    const comments = async (id: number) =>
      (await as(MEMBER).get(`/comments?filter=taskId||eq||${id}`)).body as object[];
    const before = await comments(1);

    for (const bad of [{}, { comment: '' }, { comment: 1 }, { comment: 'x'.repeat(501) }, []])
      expect((await complete(1, bad)).status).toBe(400);

    expect((await as(MEMBER).get('/tasks/1')).body.status).toBe('todo');
    expect((await complete(2, { comment: 'of another project' })).status).toBe(404);
    expect((await complete(1, { comment: 'of another tenant' }, OTHER_OWNER)).status).toBe(404);

    const answers = await Promise.all([complete(1, { comment: 'Done!' }), complete(1, { comment: 'Done!' })]);

    expect(answers.map(({ status, body }) => [status, body.id, body.status])).toEqual([
      [200, 1, 'done'],
      [200, 1, 'done'],
    ]);
    expect((await complete(1, { comment: 'again' })).status).toBe(200);
    expect((await comments(1)).slice(before.length)).toEqual([
      expect.objectContaining({ body: 'Done!', authorId: MEMBER, tenantId: ACME }),
    ]);
    expect((await as(MEMBER).get('/tasks/1')).body.version).toBe(2);
  });

  test('a comment is by whoever writes it', async () => {
    const { body } = await as(MEMBER).post('/comments', { taskId: 1, authorId: 1, author: { id: 2 }, body: 'Mine' });
    const { body: bulk } = await as(MEMBER).post('/comments/bulk', {
      bulk: [{ taskId: 1, authorId: 1, body: 'Mine' }],
    });

    expect([body.authorId, bulk[0].authorId]).toEqual([MEMBER, MEMBER]);
  });

  test('keys of projects are unique within the tenant: the same key once more changes the project', async () => {
    const { body: before } = await as(MEMBER).get('/projects?filter=key||eq||WEB');
    const twice = await as(MEMBER).post('/projects', { key: 'WEB', name: 'Again' });

    expect([twice.status, twice.body]).toEqual([200, { ...before[0], name: 'Again' }]);
    expect((await as(OTHER_OWNER).get('/projects?filter=key||eq||WEB')).body[0].name).not.toBe('Again');
    expect((await as(MEMBER).post('/projects', { key: 'NEW', name: 'New', budget: '0.5' })).body.budget).toBe('0.50');
    expect((await as(OTHER_OWNER).post('/projects', { key: 'NEW', name: 'New' })).status).toBe(201);
  });

  test('of a password its hash is stored, which nobody sees or asks for', async () => {
    const members = app().get(DataSource).getRepository(Member);
    const hash = async (id: number) =>
      (await members.findOneOrFail({ where: { id }, select: { id: true, passwordHash: true } })).passwordHash;
    const { body, status } = await as(OWNER).post('/members', {
      email: 'new@acme.example',
      name: 'New',
      password: 'secret-password',
      passwordHash: 'forged',
    });
    const first = await hash(body.id);
    const changed = await as(OWNER).patch(`/members/${body.id}`, { password: 'another-password' });

    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      tenantId: ACME,
      email: 'new@acme.example',
      name: 'New',
      role: 'member',
      createdAt: expect.any(String),
    });
    expect(first).toMatch(/^[\w-]{22}\.[\w-]{64}$/);
    expect(changed.body).toEqual(body);
    expect(await hash(body.id)).toMatch(/^[\w-]{22}\.[\w-]{64}$/);
    expect(await hash(body.id)).not.toBe(first);
    for (const query of ['filter=passwordHash||notnull', 'sort=passwordHash,ASC', 'fields=passwordHash'])
      expect([query, (await as(OWNER).get(`/members?${query}`)).status]).toEqual([query, 400]);
    expect((await as(OWNER).post('/members', { email: 'x@acme.example', name: 'X', password: 'short' })).status).toBe(
      400,
    );
  });

  test('only owners change a role', async () => {
    const role = async () => (await as(OWNER).get('/members/5')).body.role;

    for (const member of [ADMIN, MEMBER]) {
      expect((await as(member).patch('/members/5', { role: 'owner' })).status).toBe(403);
      expect((await as(member).patch('/members/5', { role: 'member', name: 'Li' })).status).toBe(200);
      expect(
        (await as(member).post('/members', { email: 'o@acme.example', name: 'O', password: '12345678', role: 'owner' }))
          .status,
      ).toBe(403);
      expect(
        (await as(member).put('/members/1', { email: 'member1@acme.example', name: 'Ada', password: '12345678' }))
          .status,
      ).toBe(403);
    }
    expect(await role()).toBe('member');
    expect((await as(OWNER).patch('/members/5', { role: 'admin' })).body.role).toBe('admin');
    expect((await as(OTHER_OWNER).patch('/members/5', { role: 'owner' })).status).toBe(404);
    expect(await role()).toBe('admin');
  });

  test('settings of one key are each tenant its own', async () => {
    const value = async (member: number, key: string) => (await as(member).get(`/settings/${key}`)).body.value;

    expect(await value(MEMBER, 'theme')).toEqual({ tenant: 0, on: true });
    expect(await value(OTHER_OWNER, 'theme')).toEqual({ tenant: 1, on: true });
    expect((await as(MEMBER).put('/settings/theme', { value: 'dark' })).body).toMatchObject({
      tenantId: ACME,
      value: 'dark',
    });
    expect(await value(OTHER_OWNER, 'theme')).toEqual({ tenant: 1, on: true });
    expect((await as(OTHER_OWNER).delete('/settings/theme')).status).toBe(200);
    expect(await value(MEMBER, 'theme')).toBe('dark');
    expect((await as(MEMBER).get('/settings/sla%2Fhours')).body.key).toBe('sla/hours');
  });

  test('PUT creates the setting of a key that the tenant does not have, and replaces it from then on', async () => {
    const put = (member: number, value: unknown, more: object = {}) =>
      as(member).put('/settings/wip', { value, ...more });
    const first = await put(MEMBER, 1, { tenantId: GLOBEX });
    const again = await put(MEMBER, 2);
    const others = await put(OTHER_OWNER, 3);
    const both = await Promise.all([4, 5].map((value) => as(MEMBER).put('/settings/both', { value })));

    expect([first.status, first.body]).toEqual([
      201,
      { tenantId: ACME, key: 'wip', value: 1, updatedAt: expect.any(String) },
    ]);
    expect([again.status, again.body.value]).toEqual([200, 2]);
    expect([others.status, others.body.tenantId]).toEqual([201, GLOBEX]);
    expect((await as(MEMBER).get('/settings/wip')).body.value).toBe(2);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect((await as(MEMBER).patch('/settings/none', { value: 1 })).status).toBe(404);
  });

  test('the tenant is the own one, which only owners change', async () => {
    expect((await as(OTHER_OWNER).get('/tenant')).body).toMatchObject({ id: GLOBEX, name: 'Globex', plan: 'team' });
    expect((await as(ADMIN).patch('/tenant', { name: 'Mine' })).status).toBe(403);
    expect((await as(OWNER).patch('/tenant', { name: 'Acme!', id: GLOBEX })).body).toMatchObject({
      id: ACME,
      name: 'Acme!',
    });
    expect((await as(OTHER_OWNER).get('/tenant')).body.name).toBe('Globex');
    expect((await as(OWNER).get(`/tenant/${GLOBEX}`)).status).toBe(404);
  });

  test('audit is read, and written by no client', async () => {
    const record = { entity: 'Task', kind: 'update', recordId: 'by-hand', changes: { title: 'x' } };

    await app()
      .get(DataSource)
      .getRepository(Audit)
      .insert([
        { ...record, tenantId: ACME! },
        { ...record, tenantId: GLOBEX! },
      ]);
    const { body } = await as(MEMBER).get('/audit?filter=recordId||eq||by-hand');

    expect(body).toEqual([{ ...record, id: expect.any(String), tenantId: ACME, at: expect.any(String) }]);
    expect((await as(OTHER_OWNER).get(`/audit/${body[0].id}`)).status).toBe(404);
    for (const [method, path] of [
      ['POST', '/audit'],
      ['PATCH', `/audit/${body[0].id}`],
      ['PUT', `/audit/${body[0].id}`],
      ['DELETE', `/audit/${body[0].id}`],
    ] as const)
      expect([method, (await as(OWNER).raw(method, path, '{}')).status]).toEqual([method, 404]);
  });
});
