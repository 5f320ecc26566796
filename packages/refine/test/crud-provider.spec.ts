/** Refine's data provider against the workspace, over HTTP: what it sends, what it is answered, what is stored. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CrudFilters, HttpError } from '@refinedev/core';
import { DataSource } from 'typeorm';
import { type RunningWorkspace, serveWorkspace } from '../../../integration/test-support/workspace.js';
import { Task } from '../../../integration/workspace/src/tasks/task.entity.js';
import { conditionOf } from '../src/conditions.js';
import { type CrudDataProvider, crudDataProvider } from '../src/index.js';

let workspace: RunningWorkspace;
let provider: CrudDataProvider;
let sent: string[];

beforeAll(async () => {
  workspace = await serveWorkspace({ databaseUrl: 'sqljs:', http: 'express' });
  provider = crudDataProvider({
    baseUrl: workspace.origin,
    headers: { 'x-demo-member': '1' },
    resources: { settings: { key: 'key' } },
    fetch: (url, init) => {
      const { pathname, search } = new URL(url as string);
      sent.push(`${init!.method} ${decodeURIComponent(pathname + search)}`);

      return fetch(url, init);
    },
  });
}, 60_000);
beforeEach(() => void (sent = []));
afterAll(() => workspace?.close());

const resource = 'tasks';
const tasks = () => workspace.app.get(DataSource).getRepository(Task);
const stored = (id: number) => tasks().findOneOrFail({ where: { id }, withDeleted: true });
const own = async () =>
  (await tasks().find({ order: { id: 'ASC' } })).filter((task, _, [first]) => task.tenantId === first!.tenantId);
const ids = ({ data }: { data: readonly { readonly id?: unknown }[] }) => data.map(({ id }) => id);
const failure = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error as HttpError);

describe('a list', () => {
  test('has pages, a total and sorts', async () => {
    const page = await provider.getList({
      resource,
      pagination: { currentPage: 9, pageSize: 7 },
      sorters: [{ field: 'id', order: 'desc' }],
    });

    expect(page.total).toBe(60);
    expect(ids(page)).toEqual([4, 3, 2, 1]);
  });

  const has = (task: Task, text: string) => task.title.toLowerCase().includes(text);
  test.each<[string, CrudFilters, (task: Task) => boolean]>([
    ['contains', [{ field: 'title', operator: 'contains', value: 'PLAN' }], (task) => has(task, 'plan')],
    ['does not contain', [{ field: 'title', operator: 'ncontains', value: 'PLAN' }], (task) => !has(task, 'plan')],
    ['starts with', [{ field: 'title', operator: 'startswith', value: 'ship' }], ({ title }) => /^ship/i.test(title)],
    [
      'does not start',
      [{ field: 'title', operator: 'nstartswith', value: 'ship' }],
      ({ title }) => !/^ship/i.test(title),
    ],
    ['in', [{ field: 'status', operator: 'in', value: ['todo', 'done'] }], ({ status }) => status !== 'doing'],
    ['not in', [{ field: 'status', operator: 'nin', value: ['todo', 'done'] }], ({ status }) => status === 'doing'],
    ['between', [{ field: 'id', operator: 'between', value: [5, 9] }], ({ id }) => id >= 5 && id <= 9],
    ['not between', [{ field: 'id', operator: 'nbetween', value: [5, 55] }], ({ id }) => id < 5 || id > 55],
    ['null', [{ field: 'assigneeId', operator: 'null', value: true }], ({ assigneeId }) => assigneeId === null],
    ['not null', [{ field: 'assigneeId', operator: 'nnull', value: true }], ({ assigneeId }) => assigneeId !== null],
    ['no value', [{ field: 'title', operator: 'eq', value: undefined }], () => true],
    [
      'or, and',
      [
        {
          operator: 'or',
          value: [
            { field: 'id', operator: 'lte', value: 3 },
            {
              operator: 'and',
              value: [
                { field: 'id', operator: 'gt', value: 50 },
                { field: 'status', operator: 'eq', value: 'done' },
              ],
            },
          ],
        },
      ],
      ({ id, status }) => id <= 3 || (id > 50 && status === 'done'),
    ],
  ])('filters: %s', async (_, filters, holds) => {
    const expected = (await own()).filter(holds);
    const found = await provider.getList({ resource, filters, pagination: { pageSize: 100 } });

    expect(expected.length).toBeGreaterThan(0);
    expect(new Set(ids(found))).toEqual(new Set(expected.map(({ id }) => id)));
  });

  test('refuses an operator that no query has', () => {
    expect(() => conditionOf([{ field: 'a', operator: 'like' as never, value: 1 }])).toThrow('"like"');
  });

  test('is read by cursors', async () => {
    const read = (currentPage?: number) =>
      provider.getList({
        resource,
        pagination: { currentPage: currentPage!, pageSize: 25 },
        sorters: [{ field: 'id', order: 'asc' }],
        meta: { cursor: true, fields: ['title'] },
      });
    const first = await read(1);
    const second = await read(first.cursor?.next as never);
    const third = await read(second.cursor?.next as never);

    expect([first, second, third].flatMap(ids)).toEqual((await own()).map(({ id }) => id));
    expect(third.cursor?.next).toBe(undefined);
    expect(sent.every((request) => request.includes('cursor='))).toBe(true);
  });

  test('is read whole, without pages', async () => {
    const { data, total } = await provider.getList({ resource, pagination: { mode: 'off' } });

    expect([data.length, total]).toEqual([60, 60]);
    expect(sent).toEqual(['GET /tasks']);
  });
});

describe('records', () => {
  test('are read by their keys', async () => {
    const { data } = await provider.getMany({ resource, ids: [3, 1], meta: { join: ['project'] } });
    expect(data.map(({ id, project }) => [id, project.id]).sort()).toEqual([
      [1, expect.any(Number)],
      [3, expect.any(Number)],
    ]);
    const one = await provider.getOne({ resource, id: 5, meta: { fields: ['title'] } });
    expect(one.data).toEqual({ id: 5, title: 'under_score 5' });
  });

  test('are created, changed and deleted, many by one request', async () => {
    const { data } = await provider.createMany({
      resource,
      variables: [
        { title: 'A', projectId: 1 },
        { title: 'B', projectId: 1 },
      ],
    });
    const keys = ids({ data }) as number[];
    const updated = await provider.updateMany({ resource, ids: keys, variables: { priority: 5 } });
    expect(updated.data.map(({ priority }) => priority)).toEqual([5, 5]);
    expect(ids(await provider.deleteMany({ resource, ids: keys }))).toEqual(keys);
    expect((await stored(keys[0]!)).deletedAt).not.toBeNull();
    await provider.recoverMany({ resource, ids: keys });
    expect((await stored(keys[1]!)).deletedAt).toBeNull();
    await provider.deleteOne({ resource, id: keys[1]! });
    expect(sent).toEqual([
      'POST /tasks/bulk',
      'PATCH /tasks/bulk',
      'POST /tasks/bulk/delete',
      'PATCH /tasks/bulk/recover',
      `DELETE /tasks/${keys[1]}`,
    ]);
  });

  test('are not overwritten if others have changed them since', async () => {
    await provider.getOne({ resource, id: 20 });
    await tasks().save({ id: 20, title: 'Theirs' });
    expect(await failure(provider.update({ resource, id: 20, variables: { title: 'Mine' } }))).toMatchObject({
      statusCode: 412,
    });
    await provider.getOne({ resource, id: 20 });
    const { data } = await provider.update({ resource, id: 20, variables: { title: 'Mine' } });
    expect(data).toMatchObject({ title: 'Mine' });
  });

  test('what is refused has a text for each field', async () => {
    const variables = { projectId: 1, title: '', estimate: 'much' };

    expect(await failure(provider.create({ resource, variables }))).toMatchObject({
      statusCode: 400,
      errors: { title: expect.stringContaining('longer'), estimate: expect.stringContaining('must') },
    });
  });

  test('of a resource whose key is no id', async () => {
    const { data } = await provider.getList({
      resource: 'settings',
      pagination: { pageSize: 2 },
      sorters: [{ field: 'id', order: 'asc' }],
    });
    expect(data.every(({ id, key }) => id === key)).toBe(true);
    const { data: changed } = await provider.update({
      resource: 'settings',
      id: data[0]!.id!,
      variables: { value: { on: true } },
    });
    expect(changed).toMatchObject({ id: data[0]!['key'], value: { on: true } });
  });

  test('are saved as a file', async () => {
    const file = await provider.exportList('ndjson', {
      resource,
      filters: [{ field: 'id', operator: 'lte', value: 3 }],
      sorters: [{ field: 'id', order: 'desc' }],
    });

    expect(
      (await file.text())
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Task).id),
    ).toEqual([3, 2, 1]);
    expect(provider.getApiUrl()).toBe(workspace.origin);
  });
});
