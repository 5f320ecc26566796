/** Members of one tenant against the records of another, in bodies and paths: nothing of the other's is changed, and nothing new leads there. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { type Rows, rowsOf } from '../../test-support/rows.js';
import type { Answer } from '../../test-support/served.js';
import { describeWorkspace } from '../../test-support/workspace.js';
import { type Attack, attacksOnTasks, attacksThroughLinked, newTask, type Outcome } from './attacks.js';
import { breaches } from './breaches.js';
import { randomAttacks } from './random-attacks.js';
import { FOREIGN, OWN, STRAY } from './tenants.js';

const MEMBER = 3;
const OWNER = 1;

/** Own tasks, of which nothing leads elsewhere: one alone, one with a subtask, one with a related task. */
const ALONE = 9;
const [PARENT, CHILD] = [4, 5];
const [RELATING, RELATED] = [1, 3];

/** Of the same project as the first, and written with it. */
const FIRST = { id: 13, priority: 8 };
const ofMany = (piece: object) => ({ bulk: [FIRST, { id: ALONE, priority: 9, ...piece }] });
const json = JSON.stringify;

/** An answer of which the ids that were sent are left out. */
const masked = ({ status, text }: Answer): string => `${status} ${text.replace(/\d+/g, '#')}`;

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

  describe.each<[route: string, send: (piece: Attack['piece']) => Promise<Answer>]>([
    ['POST', (piece) => api.post('/tasks', newTask(piece))],
    ['POST below a project', (piece) => api.post(`/projects/${OWN.project(2)}/tasks`, { title: 'attack', ...piece })],
    ['bulk', (piece) => api.post('/tasks/bulk', { bulk: [newTask(), newTask(piece)] })],
    ['PATCH', (piece) => api.patch(`/tasks/${ALONE}`, { priority: 9, ...piece })],
    ['PATCH below a project', (piece) => api.patch(`/projects/1/tasks/${ALONE}`, { priority: 9, ...piece })],
    ['PATCH of many', (piece) => api.patch('/tasks/bulk', ofMany(piece))],
    ['PATCH of many below a project', (piece) => api.patch('/projects/1/tasks/bulk', ofMany(piece))],
    // From here on, the tasks are of another project.
    ['PUT', (piece) => api.put(`/tasks/${ALONE}`, newTask(piece))],
    ['PUT of many', (piece) => api.put('/tasks/bulk', { bulk: [newTask(FIRST), newTask({ ...piece, id: ALONE })] })],
  ])('%s', (route, send) => {
    const below = route.endsWith('project');
    // The refusal is made in one place for all routes.
    const isCompared = route === 'POST' || route === 'PATCH';
    const attacks = share(attacksOnTasks(FOREIGN))
      .filter((_, index) => !below || index % 2 === 0)
      // The project of the path takes the place of the body's, and of that of tasks which a cascade inserts.
      .map((attack) =>
        below && /"project(Id)?":(5|\{"id":5)/.test(json(attack.piece))
          ? { ...attack, outcome: 'harmless' as const }
          : attack,
      );
    const piecesOf = (outcome: Outcome) => attacks.filter((attack) => attack.outcome === outcome);

    test('refuses links to records of another tenant as if there were none, and stores nothing', async () => {
      for (const { piece, missing } of piecesOf('refused')) {
        const answer = await send(piece);
        expect([json(piece), answer.status, answer.body.code]).toEqual([json(piece), 400, 'CRUD_OUT_OF_SCOPE']);
        expect(masked(isCompared ? await send(missing) : answer)).toBe(masked(answer));
      }
      expect(await rows()).toEqual(before);
    });

    test('whatever else a body says does another tenant no harm', async () => {
      for (const { piece } of piecesOf('harmless')) {
        const { status, text } = await send(piece);
        expect([json(piece), status >= 500 && text]).toEqual([json(piece), false]);
      }
      await expectNoBreach();
    });
  });

  test.each([
    ['subtasks', PARENT, CHILD],
    ['related', RELATING, RELATED],
  ] as const)('no body reaches another tenant through the %s that a cascade updates', async (list, task, linked) => {
    for (const { piece, outcome } of attacksThroughLinked(FOREIGN, list, linked)) {
      const { status } = await api.patch(`/tasks/${task}`, piece);
      const isRight = outcome === 'refused' ? status === 400 : status < 500;
      expect([json(piece), status, isRight]).toEqual([json(piece), status, true]);
    }
    const after = await expectNoBreach();
    expect(after['tasks']!.find(({ id }) => id === linked)).toMatchObject({ tenantId: OWN.tenant });
  });

  describe('the task that leads to another tenant by a mistake of the past', () => {
    const path = `/tasks/${STRAY}`;
    const ofStray = async () => {
      const { tasks, task_watchers: watchers, task_related: related } = await rows();
      const linked = (links: Rows[string], column: string) =>
        links.filter(({ taskId }) => taskId === STRAY).map((link) => link[column]);
      const [task] = tasks!.filter(({ id }) => id === STRAY);
      return { ...task, watchers: linked(watchers!, 'memberId'), related: linked(related!, 'relatedId') };
    };

    test('is read, edited and sent back', async () => {
      const { body } = await api.get(path);
      const answer = await api.put(path, { ...body, title: 'edited' });
      expect([answer.status, answer.body.title, answer.body.parentId]).toEqual([200, 'edited', 61]);
      await expectNoBreach();
    });

    test.each<[body: object]>([
      [{ parent: null, assignee: null }],
      [{ parent: { id: 61, title: 'defaced' }, assignee: { id: 8, name: 'defaced' } }],
      [{ parentId: 61, assigneeId: 8 }],
      [{ watchers: [{ id: 2 }], related: [{ id: 7 }] }],
      [{ watchers: [], related: [] }],
    ])('%j leaves its links to the other tenant as they are', async (body) => {
      const was = await ofStray();
      expect((await api.patch(path, body)).status).toBe(200);
      const is = await ofStray();
      expect(is).toMatchObject({ parentId: 61, assigneeId: 8 });
      expect(is.watchers).toContain(9);
      expect(is.related).toContain(62);
      if ('watchers' in body)
        expect([is.watchers.length, is.related.length]).toEqual([1, 1].map((n) => n + (body.watchers as []).length));
      else expect([is.watchers, is.related]).toEqual([was.watchers, was.related]);
      await expectNoBreach();
    });

    test('no body through it or to it does the other tenant any harm', async () => {
      const deep = { watchers: [{ id: 1 }], subtasks: [newTask()] };
      const defaced = (id: number, more: object = {}) => [{ id, title: 'defaced', ...more }];
      const related = [defaced(62), defaced(62, { tenantId: OWN.tenant, ...deep })].map((each) => ({ related: each }));
      for (const body of [{ parentId: 62 }, { assigneeId: 9 }, ...related, { subtasks: defaced(120) }])
        expect((await api.patch(path, body)).status).toBeLessThan(500);
      // The task of another tenant below an own one is not reached from above.
      const emptied = { id: 180, subtasks: [newTask()], watchers: [], related: [] };
      for (const subtasks of [defaced(180), [emptied], []])
        expect((await api.patch('/tasks/1', { subtasks })).status).toBeLessThan(500);
      expect((await api.patch('/tasks/1', { related: defaced(180) })).status).toBeLessThan(500);
      await expectNoBreach();
    });

    test('the column of a link may be set to null', async () => {
      expect((await api.patch(path, { parentId: null, assigneeId: null })).status).toBe(200);
      expect(await ofStray()).toMatchObject({ parentId: null, assigneeId: null });
      expect((await api.patch(path, { parentId: 61 })).body.code).toBe('CRUD_OUT_OF_SCOPE');
      await expectNoBreach();
    });
  });

  test('the project of another tenant in the path takes and shows no tasks', async () => {
    const path = `/projects/${FOREIGN.project(1)}/tasks`;
    const [planted, own, theirs] = [{ title: 'planted' }, OWN.task(1), FOREIGN.task(1)];
    const many = (id: number) => ({ bulk: [{ id, ...planted }] });
    const statuses: number[] = [];
    for (const [method, at, body] of [
      ['POST', '', planted],
      ['POST', '', { ...planted, projectId: OWN.project(1) }],
      ['POST', '/bulk', { bulk: [planted] }],
      ['PUT', `/${own}`, planted],
      ['PATCH', `/${own}`, planted],
      ['PATCH', `/${theirs}`, planted],
      ['DELETE', `/${theirs}`, {}],
      ['PATCH', `/${theirs}/recover`, {}],
      ['POST', `/${theirs}/complete`, { comment: 'planted' }],
      ['PATCH', '/bulk', many(theirs)],
      ['PUT', '/bulk', many(own)],
      ['DELETE', '/bulk', many(theirs)],
      ['POST', '/bulk/delete', many(own)],
      ['PATCH', '/bulk/recover', many(theirs)],
    ] as const)
      statuses.push((await api.raw(method, path + at, json(body))).status);
    expect(statuses).toEqual([400, 400, 400, ...Array<number>(11).fill(404)]);
    expect((await api.get(`${path}/${theirs}`)).status).toBe(404);
    expect((await api.get(path)).body).toEqual([]);
    expect((await api.get(`${path}/count`)).body).toEqual({ count: 0 });
    expect((await api.get(`${path}?cursor=&total=1`)).body).toMatchObject({ data: [], total: 0, next: null });
    expect(await rows()).toEqual(before);
  });

  test('a key of another tenant is as unknown as one that nobody has', async () => {
    for (const [path, foreign, body, own] of [
      ['/tasks', FOREIGN.task(1), newTask(), ALONE],
      [`/projects/${OWN.project(1)}/tasks`, FOREIGN.task(1), newTask(), ALONE],
      ['/projects', FOREIGN.project(1), { key: 'X', name: 'X' }, undefined],
      ['/members', FOREIGN.member(1), { email: 'x@x.example', name: 'X', password: 'abcdefgh' }, undefined],
      ['/comments', 121, { taskId: 1, authorId: 1, body: 'X' }, 3],
    ] as const) {
      for (const query of ['', '?includeDeleted=1&or=id%7C%7Cgt%7C%7C0']) {
        const ask = async (id: number) => [
          await api.get(`${path}/${id}`),
          await api.patch(`${path}/${id}${query}`, body, { 'if-match': '*' }),
          await api.put(`${path}/${id}${query}`, body),
          await api.delete(`${path}/${id}${query}`),
          await api.patch(`${path}/${id}/recover${query}`),
          // The class of a new member does not declare the key, which is dropped.
          ...(path === '/members' ? [] : [await api.post(path, { ...body, id })]),
        ];
        const ofTasks = path.endsWith('/tasks');
        const askOfMany = async (id: number) => {
          const bulk = [own, id].map((one) => ({ ...body, id: one }));
          return [
            await api.patch(`${path}/bulk${query}`, { bulk }),
            await api.post(`${path}/bulk/delete${query}`, { bulk }),
            await api.raw('DELETE', `${path}/bulk${query}`, json({ bulk })),
            ...(ofTasks ? [await api.put(`${path}/bulk${query}`, { bulk })] : []),
            ...(ofTasks ? [await api.patch(`${path}/bulk/recover${query}`, { bulk })] : []),
          ];
        };
        if (own !== undefined) {
          const [ofThem, ofNobody] = [await askOfMany(foreign), await askOfMany(999_999)];
          // Tasks may be written by a condition, which cannot stand beside items.
          const first = query !== '' && ofTasks ? 400 : 404;
          expect(ofThem.map(({ status }) => status)).toEqual([first, first, first, 404, 404].slice(0, ofThem.length));
          expect(ofThem.map(masked)).toEqual(ofNobody.map(masked));
        }
        const [theirs, nobodys] = [await ask(foreign), await ask(999_999)];
        expect(theirs.slice(0, 5).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
        expect(theirs.map(masked)).toEqual(nobodys.map(masked));
      }
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
      ['POST', '/members', login('a@x.example')],
      ['POST', '/members/bulk', { bulk: [login('b@x.example')] }],
      ['PATCH', '/members/2', { ...theirs, name: 'Grace' }],
      ['PUT', '/members/2', { ...login('member2@acme.example'), id: member(1) }],
      ['POST', '/projects', { key: 'X', name: 'X', ...theirs, tasks: [{ id: task(1), title: 'stolen' }] }],
      ['PUT', '/projects/2', { key: 'APP', name: 'X', ...theirs, tasks: [task(1)] }],
      ['PATCH', '/settings/theme', { value: 1, ...theirs }],
      ['PUT', '/settings/theme', { value: 2, ...theirs, key: 'theme' }],
      ['POST', '/settings', { key: 'x', value: 3, ...theirs }],
      ['POST', '/settings/bulk', { bulk: [{ key: 'y', value: 3, ...theirs }] }],
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

  test('comments are on own tasks, by own members', async () => {
    const { task, member } = FOREIGN;
    const stolen = { id: task(1), title: 'stolen', tenantId: OWN.tenant };
    const bodies = [{ taskId: task(1) }, ...[task(1), { id: task(1) }, stolen].map((one) => ({ task: one }))];
    const authors = [{ authorId: member(1) }, { author: member(1) }, { author: { id: member(1), name: 'stolen' } }];
    const beside = (own: object, piece: object) => ({ bulk: [own, { body: 'X', ...piece }] });
    for (const [pieces, send] of [
      [bodies, (piece) => api.post('/comments', { body: 'X', ...piece })],
      [bodies, (piece) => api.post('/comments/bulk', beside({ body: 'X', taskId: 1 }, piece))],
      [[...bodies, ...authors], (piece) => api.patch('/comments/1', { body: 'X', ...piece })],
      [authors, (piece) => api.put('/comments/1', { body: 'X', taskId: 1, ...piece })],
      [
        [...bodies, ...authors],
        (piece) => api.patch('/comments/bulk', beside({ id: 3, body: 'X' }, { id: 1, ...piece })),
      ],
    ] satisfies [object[], (piece: object) => Promise<Answer>][]) {
      for (const piece of pieces) {
        const { status, body } = await send(piece);
        expect([piece, status, body.code]).toEqual([piece, 400, 'CRUD_OUT_OF_SCOPE']);
      }
    }
    expect(await rows()).toEqual(before);
    await api.post('/comments', { body: 'X', taskId: 1, authorId: member(1), tenantId: FOREIGN.tenant });
    await expectNoBreach();
  });

  test('no body drawn at random breaches a tenant', async () => {
    const answers: unknown[][] = [];
    for (const [method, path, body] of randomAttacks()) {
      const { status, text } = await api.raw(method, path, json(body));
      answers.push([status, method, path, json(body), text]);
    }
    expect(answers.filter(([status]) => Number(status) >= 500)).toEqual([]);
    // Many are refused; if all were, nothing would be tried.
    expect(answers.some(([status]) => Number(status) < 300)).toBe(true);
    await expectNoBreach();
  });
});
