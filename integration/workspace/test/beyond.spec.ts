/** The workspace's routes and parameters that are off by default, each as a member of one of its tenants meets it. */
import { expect, test } from '@jest/globals';
import { describeWorkspace } from '../../test-support/workspace.js';
import { TENANT_IDS } from '../../test-support/fixtures/workspace-records.js';

const [ACME, GLOBEX] = TENANT_IDS;
const MEMBER = 3;
const OTHER_OWNER = 6;

interface Page {
  readonly data: readonly { readonly id: number; readonly tenantId: string }[];
  readonly next: string | null;
}

describeWorkspace('beyond the eight routes', ({ as }) => {
  test('counts are those of the lists', async () => {
    for (const [path, count] of [
      ['/tasks/count', 60],
      ['/projects/1/tasks/count', 15],
      ['/projects/5/tasks/count', 0],
      ['/audit/count', 0],
    ] as const)
      expect([path, (await as(MEMBER).get(path)).body]).toEqual([path, { count }]);
  });

  test('tasks and audits are grouped, of one tenant alone', async () => {
    const rows = async (path: string) => (await as(MEMBER).get(path)).body as Record<string, unknown>[];
    const byProject = await rows('/tasks/aggregate?groupBy=project.name||project&aggregate=count||*&sort=project,ASC');
    const [all] = await rows('/tasks/aggregate?aggregate=count||*&aggregate=countDistinct||id&aggregate=sum||estimate');

    expect(byProject.map(({ count }) => count)).toEqual([15, 15, 15, 15]);
    expect(all).toEqual({ count: 60, countDistinct_id: 60, sum_estimate: expect.stringMatching(/^\d+\.\d{2}$/) });
    expect(await rows('/tasks/aggregate?groupBy=createdAt:year||year&aggregate=count||*')).toEqual([
      { year: '2025', count: 60 },
    ]);
    expect(
      await rows('/projects/1/tasks/aggregate?groupBy=assignee.name||name&aggregate=count||*&limit=1'),
    ).toHaveLength(1);
    expect(await rows('/audit/aggregate?groupBy=entity,kind&aggregate=count||*')).toEqual([]);
    expect((await as(MEMBER).get('/tasks/aggregate?groupBy=tenantId')).body.code).toBe('CRUD_UNKNOWN_FIELD');
  });

  test('a walk by cursors meets each task of the tenant once, and a cursor of another tenant shows nothing more', async () => {
    const walk = async (member: number, start = '') => {
      const ids: number[] = [];
      const tenants = new Set<string>();
      for (let at: string | null = start; at !== null;) {
        const { body } = await as(member).get(`/tasks?sort=assignee.name,DESC&sort=dueOn,ASC&limit=7&cursor=${at}`);
        const { data, next } = body as Page;
        data.forEach(({ id, tenantId }) => {
          ids.push(id);
          tenants.add(tenantId);
        });
        at = next;
      }

      return { ids, tenants: [...tenants] };
    };
    const own = await walk(MEMBER);
    expect([new Set(own.ids).size, own.ids.length, own.tenants]).toEqual([60, 60, [ACME]]);

    const { body } = await as(OTHER_OWNER).get('/tasks?sort=assignee.name,DESC&sort=dueOn,ASC&limit=7&cursor=');
    expect((await walk(MEMBER, (body as Page).next!)).tenants).toEqual([ACME]);
  });

  test('pages of tasks are linked', async () => {
    const { headers } = await as(MEMBER).get('/projects/1/tasks?limit=10&page=2');

    expect(headers.get('link')).toBe(
      [
        '</projects/1/tasks?limit=10&page=1>; rel="first"',
        '</projects/1/tasks?limit=10&page=1>; rel="prev"',
        '</projects/1/tasks?limit=10&page=2>; rel="last"',
      ].join(', '),
    );
  });

  test('many tasks are changed, deleted and recovered at once, of one tenant alone', async () => {
    const bulk = (...ids: number[]) => ({ bulk: ids.map((id) => ({ id, priority: 9 })) });
    const { body: others } = await as(OTHER_OWNER).get('/tasks?limit=1');
    const foreign = others[0].id as number;
    const priorities = async (member: number) =>
      (await as(member).get('/tasks/count?filter=priority||eq||9')).body.count;

    expect((await as(MEMBER).patch('/tasks/bulk', bulk(1, foreign))).status).toBe(404);
    expect([await priorities(MEMBER), await priorities(OTHER_OWNER)]).toEqual([0, 0]);

    const changed = await as(MEMBER).patch('/tasks/bulk', bulk(2, 1));
    expect([
      changed.status,
      changed.body.map(({ id, priority, version }: Record<string, number>) => [id, priority, version]),
    ]).toEqual([
      200,
      [
        [2, 9, 2],
        [1, 9, 2],
      ],
    ]);
    expect((await as(MEMBER).post('/projects/2/tasks/bulk/delete', { bulk: [{ id: 1 }] })).status).toBe(404);
    expect((await as(MEMBER).post('/tasks/bulk/delete', { bulk: [{ id: 1 }, { id: 2 }] })).status).toBe(200);
    expect(await priorities(MEMBER)).toBe(0);
    expect((await as(OTHER_OWNER).patch('/tasks/bulk/recover', { bulk: [{ id: 1 }] })).status).toBe(404);
    expect((await as(MEMBER).patch('/tasks/bulk/recover', { bulk: [{ id: 2 }, { id: 1 }] })).status).toBe(200);
    expect(await priorities(MEMBER)).toBe(2);
  });

  test('settings are created and replaced at once', async () => {
    const sent = {
      bulk: [
        { key: 'theme', value: 'light' },
        { key: 'bulk-made', value: 1, tenantId: GLOBEX },
      ],
    };
    const { status, body } = await as(MEMBER).put('/settings/bulk', sent);

    expect([status, body.map(({ tenantId, key, value }: Record<string, unknown>) => [tenantId, key, value])]).toEqual([
      201,
      [
        [ACME, 'theme', 'light'],
        [ACME, 'bulk-made', 1],
      ],
    ]);
    expect((await as(OTHER_OWNER).get('/settings/bulk-made')).status).toBe(404);
    expect((await as(OTHER_OWNER).get('/settings/theme')).body.value).toEqual({ tenant: 1, on: true });
  });

  test('PUT with If-None-Match: * creates a setting and replaces none', async () => {
    const create = (value: number) => as(MEMBER).put('/settings/once', { value }, { 'if-none-match': '*' });

    expect([(await create(1)).status, (await create(2)).status]).toEqual([201, 412]);
    expect((await as(MEMBER).get('/settings/once')).body.value).toBe(1);
  });

  test('a project is changed by who knows how it is', async () => {
    const { headers } = await as(MEMBER).get('/projects/2');
    const rename = (name: string, sent?: Record<string, string>) => as(MEMBER).patch('/projects/2', { name }, sent);
    const tag = { 'if-match': headers.get('etag')! };

    expect([(await rename('First')).status, (await rename('Second', tag)).status]).toEqual([428, 200]);
    expect([(await rename('Third', tag)).status, (await as(MEMBER).get('/projects/2')).body.name]).toEqual([
      412,
      'Second',
    ]);
    expect((await as(OTHER_OWNER).patch('/projects/2', { name: 'X' }, tag)).status).toBe(404);
  });

  test('comments are changed and deleted at once, and stay their author’s', async () => {
    const { body: own } = await as(MEMBER).get(`/comments?filter=authorId||eq||${MEMBER}&limit=2&sort=id,ASC`);
    const [first, second] = own as { id: number }[];
    const changed = await as(MEMBER).patch('/comments/bulk', {
      bulk: [
        { id: second!.id, body: 'Second' },
        { id: first!.id, body: 'First' },
      ],
    });

    expect(changed.body.map(({ body, authorId }: Record<string, unknown>) => [body, authorId])).toEqual([
      ['Second', MEMBER],
      ['First', MEMBER],
    ]);
    expect((await as(OTHER_OWNER).post('/comments/bulk/delete', { bulk: [{ id: first!.id }] })).status).toBe(404);
    expect(
      (await as(MEMBER).post('/comments/bulk/delete', { bulk: own.map(({ id }: { id: number }) => ({ id })) })).status,
    ).toBe(200);
    expect(await as(MEMBER).total('/comments')).toBe(118);
  });

  test('every write to tasks, projects and settings is in the audit of its tenant', async () => {
    const audit = async (member: number, recordId: string) =>
      (await as(member).get(`/audit?filter=recordId||eq||${recordId}&sort=id,ASC`)).body.map(
        ({ entity, kind, changes }: Record<string, unknown>) => [entity, kind, changes],
      );
    const { body: task } = await as(MEMBER).post('/tasks', { title: 'Audited', projectId: 1 });
    await as(MEMBER).patch(`/tasks/${task.id}`, { title: 'Changed' });
    await as(MEMBER).patch(`/tasks/${task.id}`, { title: 'Changed' });
    await as(MEMBER).post(`/projects/1/tasks/${task.id}/complete`, { comment: 'Done' });
    await as(MEMBER).delete(`/tasks/${task.id}`);
    await as(MEMBER).patch(`/tasks/${task.id}/recover`);
    await as(MEMBER).patch(`/tasks/${task.id}`, { assigneeId: 6 });

    expect(await audit(MEMBER, task.id)).toEqual([
      ['Task', 'create', null],
      ['Task', 'update', expect.objectContaining({ title: 'Changed', version: 2 })],
      ['Task', 'update', { status: 'done' }],
      ['Task', 'delete', null],
      ['Task', 'recover', null],
    ]);
    expect(await audit(OTHER_OWNER, task.id)).toEqual([]);

    await as(MEMBER).put('/settings/audited', { value: 1 });
    await as(MEMBER).put('/settings/bulk', { bulk: [{ key: 'audited', value: 2 }] });
    expect((await audit(MEMBER, 'audited')).map(([entity, kind]: unknown[]) => [entity, kind])).toEqual([
      ['Setting', 'create'],
      ['Setting', 'replace'],
    ]);
  });

  test('all tasks that a condition matches are changed and deleted at once, of one tenant alone', async () => {
    const count = async (member: number) => (await as(member).get('/tasks/count?filter=points||eq||77')).body.count;
    const set = { set: { points: 77 } };

    expect((await as(MEMBER).patch('/tasks/bulk', set)).body.code).toBe('CRUD_CONDITION_REQUIRED');
    expect((await as(MEMBER).patch('/projects/2/tasks/bulk?filter=id||gt||0', set)).body).toEqual({ affected: 15 });
    expect([await count(MEMBER), await count(OTHER_OWNER)]).toEqual([15, 0]);
    expect((await as(OTHER_OWNER).delete('/tasks/bulk?filter=points||eq||77')).body).toEqual({ affected: 0 });
    expect((await as(MEMBER).delete('/tasks/bulk?filter=points||eq||77')).body).toEqual({ affected: 15 });
    expect(await count(MEMBER)).toBe(0);
  });

  test('lists leave whole as CSV and NDJSON', async () => {
    const csv = await as(MEMBER).get('/tasks?format=csv&fields=id,title&join=project||name&sort=id,ASC&limit=2');
    const ndjson = await as(OTHER_OWNER).get('/tasks?includeDeleted=1', { accept: 'application/x-ndjson' });
    const tasks = ndjson.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { tenantId: string });

    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.text.split('\r\n')[0]).toBe('id,title,project.id,project.name');
    expect(csv.text.trim().split('\r\n')).toHaveLength(3);
    expect([tasks.length, new Set(tasks.map(({ tenantId }) => tenantId))]).toEqual([60, new Set([GLOBEX])]);
    expect((await as(MEMBER).get('/comments?format=csv')).status).toBe(200);
  });
});
