/** What the workspace does itself, as its members meet it: guards, roles, passwords, its own route. Requests to the generated routes are in the corpus. */
import { expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { describeWorkspace } from '../../test-support/workspace.js';
import { TENANT_IDS } from '../../test-support/fixtures/workspace-records.js';
import { Member } from '../src/members/member.entity.js';

const [ACME, GLOBEX] = TENANT_IDS;
const [OWNER, ADMIN, MEMBER, OTHER_OWNER] = [1, 2, 3, 6] as const;

describeWorkspace('workspace', ({ as, nobody, app }) => {
  test('shows a document with bearer authentication everywhere, and answers nobody: 401', async () => {
    type Operations = Record<string, { security?: object[] }>;
    const { paths } = (await nobody.get('/docs-json')).body as { paths: Record<string, Operations> };
    expect((await nobody.get('/docs')).text).toContain('swagger-ui');
    expect(Object.keys(paths)).toHaveLength(36);
    for (const { security } of Object.values(paths).flatMap((operations) => Object.values(operations)))
      expect(security).toEqual([{ bearer: [] }]);
    for (const path of Object.keys(paths).filter((one) => paths[one]!['get'])) {
      const { status } = await nobody.get(path.replace(/\{\w+\}/g, '1'), { 'x-demo-member': '16' });
      expect([path, status]).toEqual([path, 401]);
    }
  });

  test('a task is completed once, with one comment by whoever completed it', async () => {
    const complete = (id: number, comment: string, member = MEMBER as number) =>
      as(member).post(`/projects/1/tasks/${id}/complete`, { comment });
    const comments = async () => (await as(MEMBER).get('/comments?filter=taskId||eq||1')).body as object[];
    const before = await comments();
    expect((await complete(1, 'x'.repeat(501))).status).toBe(400);
    expect((await complete(2, 'of another project')).status).toBe(404);
    expect((await complete(1, 'of another tenant', OTHER_OWNER)).status).toBe(404);
    const answers = await Promise.all([complete(1, 'Done!'), complete(1, 'Done!')]);
    const done = [200, 1, 'done'];
    expect(answers.map(({ status, body }) => [status, body.id, body.status])).toEqual([done, done]);
    expect((await complete(1, 'again')).status).toBe(200);
    expect((await comments()).slice(before.length)).toEqual([
      expect.objectContaining({ body: 'Done!', authorId: MEMBER, tenantId: ACME }),
    ]);
    expect((await as(MEMBER).get('/tasks/1')).body.version).toBe(2);
  });

  test('of a password its hash is stored, which nobody sees or asks for', async () => {
    const members = app().get(DataSource).getRepository(Member);
    const hash = async (id: number) =>
      (await members.findOneOrFail({ where: { id }, select: { id: true, passwordHash: true } })).passwordHash;
    const named = { email: 'new@acme.example', name: 'New' };
    const sent = { ...named, password: 'secret-password', passwordHash: 'forged' };
    const { body, status } = await as(OWNER).post('/members', sent);
    const first = await hash(body.id);
    const changed = await as(OWNER).patch(`/members/${body.id}`, { password: 'another-password' });
    const shown = { ...named, id: body.id, tenantId: ACME, role: 'member', createdAt: expect.any(String) };
    expect([status, body, changed.body]).toEqual([201, shown, shown]);
    const second = await hash(body.id);
    for (const one of [first, second]) expect(one).toMatch(/^[\w-]{22}\.[\w-]{64}$/);
    expect(second).not.toBe(first);
  });

  test('only owners change a role, and the tenant', async () => {
    const role = async () => (await as(OWNER).get('/members/5')).body.role;
    const made = { email: 'o@acme.example', name: 'O', password: '12345678' };
    for (const member of [ADMIN, MEMBER]) {
      const answers = [
        await as(member).patch('/members/5', { role: 'owner' }),
        await as(member).patch('/members/5', { role: 'member', name: 'Li' }),
        await as(member).post('/members', { ...made, role: 'owner' }),
        await as(member).put('/members/1', { ...made, email: 'member1@acme.example' }),
        await as(member).patch('/tenant', { name: 'Mine' }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 200, 403, 403, 403]);
    }
    expect(await role()).toBe('member');
    expect((await as(OWNER).patch('/members/5', { role: 'admin' })).body.role).toBe('admin');
    expect((await as(OTHER_OWNER).patch('/members/5', { role: 'owner' })).status).toBe(404);
    expect(await role()).toBe('admin');
    const { body } = await as(OWNER).patch('/tenant', { name: 'Acme!', id: GLOBEX });
    expect([body.id, body.name, (await as(OTHER_OWNER).get('/tenant')).body.name]).toEqual([ACME, 'Acme!', 'Globex']);
  });

  test('of two that set a key at once, one creates it and one replaces it, each in its own tenant', async () => {
    const put = (member: number, value: unknown) => as(member).put('/settings/both', { value, tenantId: GLOBEX });
    const both = await Promise.all([1, 2].map((value) => put(MEMBER, value)));
    const other = await put(OTHER_OWNER, 3);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect([other.status, other.body.tenantId, both[0]!.body.tenantId]).toEqual([201, GLOBEX, ACME]);
  });
});
