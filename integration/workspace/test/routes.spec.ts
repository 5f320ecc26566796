/** What the workspace does itself, as its members meet it: guards, roles, passwords, its own route. Requests to the generated routes are in the corpus. */
import { expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { describeWorkspace } from '../../test-support/workspace.js';
import { TENANT_IDS } from '../../test-support/fixtures/workspace-records.js';
import { Member } from '../src/members/member.entity.js';

const [ACME, GLOBEX] = TENANT_IDS;
const [OWNER, ADMIN, MEMBER, OTHER_OWNER] = [1, 2, 3, 6] as const;

describeWorkspace('workspace', ({ as, app }) => {
  test('a task is completed once, with one comment by whoever completed it', async () => {
    const complete = () => as(MEMBER).post('/projects/1/tasks/1/complete', { comment: 'Done!' });
    const comments = async () => (await as(MEMBER).get('/comments?filter=taskId||eq||1')).body as object[];
    const before = await comments();
    const answers = await Promise.all([complete(), complete()]);
    expect(answers).toMatchObject([1, 2].map(() => ({ status: 200, body: { id: 1, status: 'done' } })));
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

  test.each([ADMIN, MEMBER])('only owners change a role, and the tenant; member %i is none', async (member) => {
    const made = { email: 'o@acme.example', name: 'O', password: '12345678' };
    const answers = [
      await as(member).patch('/members/5', { role: 'owner' }),
      await as(member).post('/members', { ...made, role: 'owner' }),
      await as(member).put('/members/1', { ...made, email: 'member1@acme.example' }),
      await as(member).patch('/tenant', { name: 'Mine' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await as(OTHER_OWNER).patch('/members/5', { role: 'owner' })).status).toBe(404);
    expect((await as(OWNER).get('/members/5')).body.role).toBe('member');
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
