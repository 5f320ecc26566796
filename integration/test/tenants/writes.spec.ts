/** Members of one tenant against the records of another, in bodies and paths: nothing of the other's is changed, and nothing new leads there; nor where a record leaves the tenant in the very moment in which it is linked or changed: the write waits, and is refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { describeDatabases } from '../../test-support/index.js';
import { type Rows, rowsOf } from '../../test-support/rows.js';
import { type Answer, type Api, clientOf } from '../../test-support/served.js';
import { describeWorkspace, type RunningWorkspace, serveWorkspace } from '../../test-support/workspace.js';
import { Project } from '../../workspace/src/projects/project.entity.js';
import { harmlessPieces, newTask, type Piece, refusedPieces, refusedThrough } from './attacks.js';
import { breaches } from './breaches.js';
import { FOREIGN, MISSING, OWN } from './tenants.js';

const MEMBER = 3;
const OWNER = 1;

/** Own tasks, of which nothing leads elsewhere: one alone, and one of the same project that is written with it. */
const ALONE = 9;
const FIRST = { id: 13, priority: 8 };
const ofMany = (piece: object) => ({ bulk: [FIRST, { id: ALONE, priority: 9, ...piece }] });
const json = JSON.stringify;

/** An answer of which the ids that were sent are left out. */
const masked = ({ status, text }: Answer): string => `${status} ${text.replace(/\d+/g, '#')}`;

const [PARENT, CHILD, MATE] = [4, 5, 5];
const LATE_CHILD = { id: CHILD, title: 'late' };
type Race = [title: string, table: 'tasks' | 'members' | 'projects', id: number, write: (api: Api) => Promise<Answer>];

/** What leaves the tenant, and the write that meets it. */
const RACES: readonly Race[] = [
  ['an assignee by column', 'members', MATE, (api) => api.patch(`/tasks/${ALONE}`, { assigneeId: MATE })],
  ['an assignee of a new task', 'members', MATE, (api) => api.post('/tasks', newTask({ assignee: { id: MATE } }))],
  ['a watcher', 'members', MATE, (api) => api.patch(`/tasks/${ALONE}`, { watchers: [{ id: MATE }] })],
  ['a parent', 'tasks', PARENT, (api) => api.put(`/tasks/${ALONE}`, newTask({ parentId: PARENT }))],
  ['the project of the path', 'projects', 3, (api) => api.post('/projects/3/tasks', { title: 'late' })],
  ['a subtask, by a cascade', 'tasks', CHILD, (api) => api.patch(`/tasks/${PARENT}`, { subtasks: [LATE_CHILD] })],
  ['the task itself', 'tasks', ALONE, (api) => api.patch(`/tasks/${ALONE}`, { title: 'late' })],
];

describeWorkspace('tenants, writing', ({ as, app, share }) => {
  const api = as(MEMBER);
  const rows = (): Promise<Rows> => rowsOf(app().get(DataSource));
  let before: Rows;

  beforeEach(async () => {
    before = await rows();
  });

  const expectNoBreach = async (): Promise<Rows> => {
    const after = await rows();
    expect(breaches(before, after, OWN.tenant)).toEqual([]);
    return after;
  };

  const expectRefused = (piece: Piece, { status, body }: Answer) =>
    expect([json(piece), status, body.code]).toEqual([json(piece), 400, 'CRUD_OUT_OF_SCOPE']);

  describe.each<[route: string, send: (piece: Piece) => Promise<Answer>]>([
    ['POST', (piece) => api.post('/tasks', newTask(piece))],
    ['POST below a project', (piece) => api.post(`/projects/${OWN.project(2)}/tasks`, { title: 'attack', ...piece })],
    ['bulk', (piece) => api.post('/tasks/bulk', { bulk: [newTask(), newTask(piece)] })],
    ['PATCH', (piece) => api.patch(`/tasks/${ALONE}`, { priority: 9, ...piece })],
    ['PATCH of many', (piece) => api.patch('/tasks/bulk', ofMany(piece))],
    ['PATCH of many below a project', (piece) => api.patch('/projects/1/tasks/bulk', ofMany(piece))],
    // From here on, the tasks are of another project.
    ['PUT', (piece) => api.put(`/tasks/${ALONE}`, newTask(piece))],
    ['PUT of many', (piece) => api.put('/tasks/bulk', { bulk: [newTask(FIRST), newTask({ ...piece, id: ALONE })] })],
  ])('%s', (route, send) => {
    // The project of the path takes the place of the body's, and of that of tasks which a cascade inserts.
    const isRefused = (piece: Piece) => !route.endsWith('project') || !/"project(Id)?":(5|\{"id":5)/.test(json(piece));

    test('refuses links to records of another tenant as if there were none, and stores nothing', async () => {
      const missing = refusedPieces(MISSING);
      for (const [piece, unknown] of share(refusedPieces(FOREIGN).map((one, at) => [one, missing[at]!] as const))) {
        const answer = await send(piece);
        if (!isRefused(piece)) continue;
        expectRefused(piece, answer);
        // The refusal is made in one place for all routes.
        if (route === 'POST' || route === 'PATCH') expect(masked(await send(unknown))).toBe(masked(answer));
      }
      if (route.endsWith('project')) await expectNoBreach();
      else expect(await rows()).toEqual(before);
    });

    test('whatever else a body says does another tenant no harm', async () => {
      for (const piece of share(harmlessPieces(FOREIGN))) {
        const { status, text } = await send(piece);
        expect([json(piece), status >= 500 && text]).toEqual([json(piece), false]);
      }
      await expectNoBreach();
    });
  });

  test.each([
    ['subtasks', 4, 5],
    ['related', 1, 3],
  ] as const)('no body reaches another tenant through the %s that a cascade updates', async (list, task, id) => {
    for (const piece of refusedThrough(FOREIGN, list, id))
      expect([json(piece), (await api.patch(`/tasks/${task}`, piece)).status]).toEqual([json(piece), 400]);
    const { tenant: tenantId, task: theirs } = FOREIGN;
    for (const piece of [{ tenantId }, { subtasks: [newTask({ tenantId })] }, { parentId: theirs(1) }])
      expect((await api.patch(`/tasks/${task}`, { [list]: [{ id, ...piece }] })).status).toBeLessThan(500);
    expect((await expectNoBreach())['tasks']!.find((row) => row['id'] === id)).toMatchObject({ tenantId: OWN.tenant });
  });

  test('the project of another tenant in the path takes and shows no tasks', async () => {
    const path = `/projects/${FOREIGN.project(1)}/tasks`;
    const [planted, own, theirs] = [{ title: 'planted' }, OWN.task(1), FOREIGN.task(1)];
    const many = (id: number) => ({ bulk: [{ id, ...planted }] });
    const statuses: number[] = [];
    for (const [method, at, body] of [
      ...[planted, { ...planted, projectId: OWN.project(1) }].map((one) => ['POST', '', one] as const),
      ['POST', '/bulk', { bulk: [planted] }],
      ...(['PUT', 'PATCH'] as const).map((method) => [method, `/${own}`, planted] as const),
      ...(['PATCH', 'DELETE'] as const).map((method) => [method, `/${theirs}`, planted] as const),
      ['PATCH', `/${theirs}/recover`, {}],
      ['POST', `/${theirs}/complete`, { comment: 'planted' }],
      ...(['PATCH', 'DELETE'] as const).map((method) => [method, '/bulk', many(theirs)] as const),
      ['PUT', '/bulk', many(own)],
      ['PATCH', '/bulk/recover', many(theirs)],
    ] as const)
      statuses.push((await api.raw(method, path + at, json(body))).status);
    expect(statuses).toEqual([400, 400, 400, ...Array<number>(10).fill(404)]);
    expect((await api.get(`${path}/${theirs}`)).status).toBe(404);
    expect((await api.get(`${path}?cursor=&total=1`)).body).toMatchObject({ data: [], total: 0, next: null });
    expect(await rows()).toEqual(before);
  });

  test.each<[path: string, foreign: number, body: object, own: number | undefined]>([
    ['/tasks', FOREIGN.task(1), newTask(), ALONE],
    [`/projects/${OWN.project(1)}/tasks`, FOREIGN.task(1), newTask(), ALONE],
    ['/projects', FOREIGN.project(1), { key: 'X', name: 'X' }, undefined],
    ['/members', FOREIGN.member(1), { email: 'x@x.example', name: 'X', password: 'abcdefgh' }, undefined],
    ['/comments', 121, { taskId: 1, authorId: 1, body: 'X' }, 3],
  ])('a key of another tenant is as unknown as one that nobody has: %s', async (path, foreign, body, own) => {
    for (const query of ['', '?includeDeleted=1&or=id%7C%7Cgt%7C%7C0']) {
      const bulk = (id: number) => ({ bulk: [own, id].map((one) => ({ ...body, id: one })) });
      const ask = async (id: number) => [
        await api.get(`${path}/${id}`),
        await api.patch(`${path}/${id}${query}`, body, { 'if-match': '*' }),
        await api.put(`${path}/${id}${query}`, body),
        await api.delete(`${path}/${id}${query}`),
        await api.patch(`${path}/${id}/recover${query}`),
        ...(own === undefined ? [] : [await api.patch(`${path}/bulk`, bulk(id))]),
        ...(own === undefined ? [] : [await api.post(`${path}/bulk/delete`, bulk(id))]),
      ];
      const [theirs, nobodys] = [await ask(foreign), await ask(999_999)];
      expect(theirs.filter(({ status }) => status !== 404)).toEqual([]);
      expect(theirs.map(masked)).toEqual(nobodys.map(masked));
    }
    expect(await rows()).toEqual(before);
  });

  test('members, projects, comments and settings stay with their tenant, whatever a body says', async () => {
    const { tenant, task, member } = FOREIGN;
    const owner = as(OWNER);
    const theirs = { tenantId: tenant };
    const login = (email: string) => ({ name: 'X', password: 'abcdefgh', email, ...theirs });
    const settings = ['theme', 'z'].map((key) => ({ key, value: 4, ...theirs }));
    const moved = { ...theirs, tasks: [{ id: task(1) }, newTask(theirs)] };
    const tolerated = [(await owner.patch('/projects/1', moved, { 'if-match': '*' })).status];
    for (const [method, path, body] of [
      ['POST', '/members/bulk', { bulk: [login('b@x.example')] }],
      ['PATCH', '/members/2', { ...theirs, name: 'Grace' }],
      ['PUT', '/members/2', { ...login('member2@acme.example'), id: member(1) }],
      ['POST', '/projects', { key: 'X', name: 'X', ...theirs, tasks: [{ id: task(1), title: 'stolen' }] }],
      ['PUT', '/projects/2', { key: 'APP', name: 'X', ...theirs, tasks: [task(1)] }],
      ['PATCH', '/settings/theme', { value: 1, ...theirs }],
      ['PUT', '/settings/theme', { value: 2, ...theirs, key: 'theme' }],
      ['POST', '/settings', { key: 'x', value: 3, ...theirs }],
      ['PUT', '/settings/bulk', { bulk: settings }],
      ['PATCH', '/comments/bulk', { bulk: [{ id: 1, body: 'X', ...theirs }] }],
      ['DELETE', '/settings/locale', {}],
      ['PATCH', '/tenant', { id: tenant, name: 'X' }],
    ] as const)
      tolerated.push((await owner.raw(method, path, json(body))).status);
    expect(tolerated.filter((status) => status >= 300)).toEqual([]);
    const { members, projects, tenants } = await expectNoBreach();
    for (const row of [members![1], projects![0], projects![1]]) expect(row!['tenantId']).toBe(OWN.tenant);
    expect(tenants!.find(({ id }) => id === OWN.tenant)).toMatchObject({ name: 'X' });
  });

  test.each(['task', 'author'])('comments do not lead to another %s', async (link) => {
    const foreign = link === 'task' ? FOREIGN.task(1) : FOREIGN.member(1);
    for (const piece of [{ [`${link}Id`]: foreign }, { [link]: { id: foreign, name: 'stolen', title: 'stolen' } }]) {
      // Who writes a new one is its author, whatever its body says.
      if (link === 'task') expectRefused(piece, await api.post('/comments', { body: 'X', ...piece }));
      expectRefused(piece, await api.patch('/comments/1', { body: 'X', ...piece }));
      expectRefused(piece, await api.patch('/comments/bulk', { bulk: [{ id: 3 }, { id: 1, ...piece }] }));
    }
    expect(await rows()).toEqual(before);
  });
});

describeDatabases(
  'tenants, in a race',
  (database) => {
    let running: RunningWorkspace;
    let source: DataSource;

    beforeAll(async () => {
      running = await serveWorkspace({ databaseUrl: database.url });
      source = running.app.get(DataSource);
      // No other tenant has a project of this key.
      await source.manager.update(Project, { id: 3 }, { key: 'RACE' });
    }, 60_000);
    afterAll(() => running?.close());

    test.each(RACES)('%s is out of reach once it has left', async (title, table, id, write) => {
      const move = (runner: QueryRunner, tenantId: string) =>
        runner.manager.createQueryBuilder().update(table).set({ tenantId }).where({ id }).execute();
      const before = await rowsOf(source);
      const mover = source.createQueryRunner();
      await mover.startTransaction();
      await move(mover, FOREIGN.tenant);
      const answering = write(clientOf(() => running.origin, { 'x-demo-member': String(MEMBER) }));
      // Time for the write to come as far as the record that it has to wait for.
      await new Promise((resolve) => setTimeout(resolve, 150));
      await mover.commitTransaction();
      const { status, body } = await answering;
      await move(mover, OWN.tenant);
      await mover.release();
      const refused = title === 'the task itself' ? [404, 'CRUD_NOT_FOUND'] : [400, 'CRUD_OUT_OF_SCOPE'];
      expect([status, body.code]).toEqual(refused);
      expect(breaches(before, await rowsOf(source), OWN.tenant)).toEqual([]);
    });
  },
  // SQLite has one connection, which requests take in turn.
  ['postgres', 'mysql'],
);
