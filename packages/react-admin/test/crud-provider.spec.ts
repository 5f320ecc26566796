/** React-admin's data provider against the workspace, over HTTP: what it sends, what it is answered, what is stored. */
import { expect, test } from '@jest/globals';
import { failure, ids, serveProviders } from '../../../integration/test-support/providers.js';
import { Project } from '../../../integration/workspace/src/projects/project.entity.js';
import { conditionsOf } from '../src/conditions.js';
import { crudDataProvider, resolveConflicts, type SaveConflict } from '../src/index.js';

const { sent, bodies, options, manager, tasks, stored } = serveProviders();
const resources = { settings: { key: 'key' }, work: { path: '/projects/1/tasks' } };
const provider = crudDataProvider({ ...options, resources });
const BY_ID = { field: 'id', order: 'ASC' } as const;
const paged = (page: number, perPage: number) => ({ pagination: { page, perPage }, sort: BY_ID, filter: {} });
const LIST = paged(1, 7);

test('a list has pages, a total, sorts, filters, joined relations and selected fields', async () => {
  const page = await provider.getList('tasks', paged(9, 7));
  expect([page.total, ids(page)]).toEqual([60, [57, 58, 59, 60]]);
  const filter = { status: ['todo', 'doing', 'done'], project: { key: 'WEB' }, 'id||lt': 5 };
  const meta = { join: ['project', 'assignee||name'], fields: ['title'] };
  const { data } = await provider.getList('tasks', { ...paged(1, 1), filter, meta });
  const { id, title, assignee } = (await tasks().findOne({ where: { id: 1 }, relations: { assignee: true } }))!;
  const project = expect.objectContaining({ id: 1, key: 'WEB' });
  expect(data).toEqual([{ id, title, project, assignee: { id: assignee!.id, name: assignee!.name } }]);
});

test('a list without an end is read by cursors, and by number where no page came before', async () => {
  const read = (page: number, perPage = 25) =>
    provider.getList('tasks', { ...paged(page, perPage), meta: { cursor: true } });
  const pages = [await read(1), await read(2), await read(3)];
  expect(pages.flatMap(ids)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  expect(pages.map(({ pageInfo }) => pageInfo)).toEqual([
    { hasNextPage: true, hasPreviousPage: false },
    { hasNextPage: true, hasPreviousPage: true },
    { hasNextPage: false, hasPreviousPage: true },
  ]);
  expect([sent.every((request) => request.includes('cursor=')), await read(2)]).toEqual([true, pages[1]]);
  expect(await read(2, 9)).toMatchObject({ total: 60 });
  await read(1, 59);
  expect(await provider.delete('tasks', { id: 60 })).toEqual({ data: { id: 60 } });
  expect(await read(1, 59)).toMatchObject({ pageInfo: { hasNextPage: false } });
  expect(await read(2, 59)).toEqual({ data: [], total: 59 });
  await provider.recover('tasks', { id: 60 });
});

test('a list of the records that refer to another one', async () => {
  const asked = { ...paged(1, 50), filter: { 'id||$gt': 0 }, target: 'taskId', id: '3' };
  const { data } = await provider.getManyReference('comments', asked);
  expect(data.every(({ taskId }) => taskId === 3)).toBe(true);
  expect(sent).toEqual(['GET /comments?filter=id||$gt||0&filter=taskId||$eq||3&sort=id,ASC&limit=50&page=1']);
});

test('a list of a resource with another path, and one of which nothing is said', async () => {
  expect((await provider.getList('work', LIST)).data.every(({ projectId }) => projectId === 1)).toBe(true);
  expect((await provider.getList('tasks', {})).data).toHaveLength(10);
  expect(sent[1]).toBe('GET /tasks?limit=10&page=1');
});

test('what is read is aborted by its signal', async () => {
  const reason = new Error('left');
  const signal = AbortSignal.abort(reason);
  const calls = [
    provider.getList('tasks', { ...LIST, signal }),
    provider.getList('tasks', { ...LIST, meta: { cursor: true }, signal }),
    provider.getOne('tasks', { id: 1, signal }),
    provider.getMany('tasks', { ids: [1], signal }),
  ];
  expect(await Promise.all(calls.map(failure))).toEqual(calls.map(() => reason));
  expect(provider.supportAbortSignal).toBe(true);
});

test('many records are read by their keys, a hundred in a request', async () => {
  const all = Array.from({ length: 60 }, (_, index) => index + 1);
  const ofNobody = all.map((id) => id + 1000);
  expect([ids(await provider.getMany('tasks', { ids: [...ofNobody, ...all] })), sent.length]).toEqual([all, 2]);
  expect(await provider.getMany('tasks', { ids: [] })).toEqual({ data: [] });
  expect(await provider.getMany('settings', { ids: ['a,b', 'nobody'] })).toEqual({ data: [] });
});

test('a form creates a record; what is refused has a text for each field', async () => {
  const error = await failure(provider.create('tasks', { data: { projectId: 1, title: '', estimate: 'much' } }));
  const errors = { title: expect.stringContaining('longer'), estimate: expect.stringContaining('must') };
  expect(error).toMatchObject({ status: 400, body: { errors } });
  const { data } = await provider.create('tasks', { data: { projectId: 1, title: 'New' } });
  expect(await stored(data.id as number)).toMatchObject({ title: 'New', status: 'todo' });
});

test('a form sends what it has changed, and nothing if that is nothing', async () => {
  const { data: read } = await provider.getOne('tasks', { id: '7' });
  const previousData = structuredClone(read);
  expect(await provider.update('tasks', { id: 7, data: { ...previousData }, previousData })).toEqual({ data: read });
  expect(sent).toEqual(['GET /tasks/7']);
  const { data } = await provider.update('tasks', { id: 7, data: { ...previousData, title: 'Seven' }, previousData });
  const changed = { title: 'Seven', version: read['version'] + 1 };
  expect([data, await stored(7)]).toMatchObject([{ id: 7, ...changed }, changed]);
});

test('a form does not overwrite newer changes: by the tag of the record, or by its version', async () => {
  const { data: read } = await provider.getOne('tasks', { id: 8 });
  const [listed] = (await provider.getList('tasks', { ...LIST, filter: { 'id||$eq': 9 } })).data;
  for (const id of [8, 9]) await tasks().save({ id, title: 'Theirs' });
  const previous = structuredClone(read);
  // A later read, as of a list in another window, is not the one that was edited.
  await provider.getOne('tasks', { id: 8 });
  const save = (id: number, previousData: typeof read) =>
    failure(provider.update('tasks', { id, data: { ...previousData, title: 'Mine' }, previousData }));
  const conflict = { compare: expect.any(Function), body: { errors: {} } };
  expect([await save(8, previous), await save(9, listed!)]).toMatchObject([
    { status: 412, ...conflict },
    { status: 409, code: 'CRUD_STALE_VERSION', ...conflict },
  ]);
  expect([(await stored(8)).title, (await stored(9)).title]).toEqual(['Theirs', 'Theirs']);
});

test('a form asks what to store over the version of others, until that is stored', async () => {
  const projects = manager().getRepository(Project);
  const base = structuredClone((await provider.getOne('projects', { id: 2 })).data);
  const asked: SaveConflict[] = [];
  const save = resolveConflicts(async (conflict) => {
    asked.push(conflict);
    // Between the question and its answer, others write once more.
    if (asked.length === 1) await projects.update(2, { budget: '2.00' });
    return { ...conflict.theirs, name: conflict.mine['name'] };
  });
  await projects.update(2, { name: 'Theirs', budget: '1.00' });
  const mine = { ...base, name: 'Mine' };
  const { data } = await save('projects', { id: 2, data: mine, previousData: base }, provider.update);
  expect(data).toMatchObject({ id: 2, name: 'Mine', budget: '2.00' });
  const theirs = { ...base, name: 'Theirs', budget: '1.00' };
  expect(asked).toEqual([
    { base, mine, theirs, changed: ['name'] },
    { base: theirs, mine: { ...theirs, name: 'Mine' }, theirs: { ...theirs, budget: '2.00' }, changed: ['name'] },
  ]);
  expect(await projects.findOneByOrFail({ id: 2 })).toMatchObject({ name: 'Mine', budget: '2.00' });
});

test('a form leaves the record as it is if the answer is none, or the refusal no conflict', async () => {
  const { data: previousData } = await provider.getOne('tasks', { id: 10 });
  const save = resolveConflicts(() => Promise.reject(new Error('cancelled')));
  await tasks().save({ id: 10, title: 'Theirs' });
  const saved = (title: string) =>
    failure(save('tasks', { id: 10, data: { ...previousData, title }, previousData }, provider.update));
  expect(await saved('Mine')).toMatchObject({ message: 'cancelled' });
  expect((await stored(10)).title).toBe('Theirs');
  expect(await saved('')).toMatchObject({ status: 400 });
});

test('a form of a record whose key is no id', async () => {
  const [{ id }] = (await provider.getList('settings', LIST)).data as [{ id: string }];
  expect(sent).toEqual(['GET /settings?sort=key,ASC&limit=7&page=1']);
  const { data: previousData } = await provider.getOne('settings', { id });
  const value = { on: true };
  const { data } = await provider.update('settings', { id, data: { ...previousData, value }, previousData });
  expect(data).toMatchObject({ id, key: id, value });
  const blind = { id, data: { id, key: id, value: { on: false } }, previousData: undefined as never };
  expect((await provider.update('settings', blind)).data).toMatchObject({ id, value: { on: false } });
  expect(bodies.at(-1)).toEqual({ value: { on: false } });
});

test('many records are changed, deleted and recovered by one request each, all or none', async () => {
  const all = { ids: [11, 12] };
  expect(await provider.updateMany('tasks', { ...all, data: { priority: 77 } })).toEqual({ data: [11, 12] });
  expect(await provider.deleteMany('tasks', all)).toEqual({ data: [11, 12] });
  expect((await stored(11)).deletedAt).not.toBeNull();
  expect(await provider.recoverMany('tasks', all)).toEqual({ data: [11, 12] });
  expect(await stored(12)).toMatchObject({ priority: 77, deletedAt: null });
  expect(sent).toEqual(['PATCH /tasks/bulk', 'POST /tasks/bulk/delete', 'PATCH /tasks/bulk/recover']);
  const withAnotherTenants = { ids: [11, 61], data: { priority: 78 } };
  expect(await failure(provider.updateMany('tasks', withAnotherTenants))).toMatchObject({ status: 404 });
  expect(await stored(11)).toMatchObject({ priority: 77 });
});

test('one of many records is deleted and recovered, and seen in between if that is asked for', async () => {
  const { data: previousData } = await provider.getOne('tasks', { id: 13 });
  expect(await provider.delete('tasks', { id: 13, previousData })).toEqual({ data: previousData });
  expect(await failure(provider.getOne('tasks', { id: 13 }))).toMatchObject({ status: 404 });
  const { data } = await provider.getOne('tasks', { id: 13, meta: { includeDeleted: true } });
  expect(data['deletedAt']).not.toBeNull();
  expect(await provider.recover('tasks', { id: 13 })).toEqual({ data: { id: 13 } });
  expect((await stored(13)).deletedAt).toBeNull();
});

test('many records are saved as a file, as a screen shows them, and counted by the client of the resource', async () => {
  const meta = { fields: ['title'], join: ['project||name'] };
  const list = { filter: { 'id||$in': [1, 2, 3] }, sort: { field: 'id', order: 'DESC' } as const, meta };
  const text = await (await provider.exportList('tasks', 'csv', list)).text();
  const [head, ...lines] = text.trim().split(/\r?\n/);
  expect(head).toBe('id,title,project.id,project.name');
  expect(lines.map((line) => Number.parseInt(line, 10))).toEqual([3, 2, 1]);
  expect(await provider.call('tasks', (resource) => resource.count())).toBeGreaterThan(58);
});

test.each<[filter: object, ...conditions: unknown[][]]>([
  [{ a: '', b: undefined, c: [] }],
  [{ a: 'x' }, ['a', '$contL', 'x']],
  [{ a: 1 }, ['a', '$eq', 1]],
  [{ a: false, 'b||starts': 'x' }, ['a', '$eq', false], ['b', '$starts', 'x']],
  [{ a: null }, ['a', '$isnull']],
  [{ 'a||$between': [1, 2] }, ['a', '$between', [1, 2]]],
  [{ a: { b: { c: 'x', 'd||$gt': 2 } } }, ['a.b.c', '$contL', 'x'], ['a.b.d', '$gt', 2]],
  [{ a: [1, 2] }, ['a', '$in', [1, 2]]],
  [{ a: new Date(0) }, ['a', '$eq', new Date(0)]],
])('the filter %j', (filter, ...conditions) => expect(conditionsOf(filter)).toEqual(conditions));
