/** `@nestwright/client` against the workspace, over HTTP: what its types say is what answers hold. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { crudClient, type CrudClient, type CrudError } from '@nestwright/client';
import { type RunningWorkspace, serveWorkspace } from '../../test-support/workspace.js';
import type { Task } from '../src/tasks/task.entity.js';

describe('the tasks of a tenant', () => {
  let workspace: RunningWorkspace;
  let tasks: CrudClient<Task>;

  beforeAll(async () => {
    workspace = await serveWorkspace({ databaseUrl: 'sqljs:', http: 'fastify' });
    tasks = crudClient<Task>()('/tasks', { baseUrl: workspace.origin, headers: { 'x-demo-member': '1' } });
  }, 60_000);
  afterAll(() => workspace?.close());

  test('are listed with what was selected and joined, by number, by cursor and one after the other', async () => {
    const rows = await tasks.getMany((query) =>
      query.select(['title']).join('project', ['name']).join('watchers', ['name']).sortBy(['id', 'ASC']).setLimit(2),
    );
    const project = { id: expect.any(Number), name: expect.any(String) };
    expect(rows.map(({ watchers, ...row }) => [row, watchers.length])).toEqual(
      [0, 2].map((count, at) => [{ id: at + 1, title: expect.any(String), project }, count]),
    );
    const count = await tasks.count();
    const page = await tasks.getPage((query) => query.select(['title']).setLimit(3));
    const first = await tasks.getPage((query) => query.select(['title']).setLimit(3).cursor());
    const ids = new Set<number>();
    for await (const { id } of tasks.all((query) => query.setLimit(7).sortBy(['title', 'ASC']))) ids.add(id);
    expect(page).toMatchObject({ count: 3, total: count, page: 1, pageCount: Math.ceil(count / 3) });
    expect([first.count, first.previous, typeof first.next, ids.size]).toEqual([3, null, 'string', count]);
  });

  test('are created, changed, replaced, removed and recovered', async () => {
    const created = await tasks.create({ title: 'New', projectId: 1, estimate: '1.50' }, (query) =>
      query.select(['title', 'estimate', 'version']),
    );
    expect(created).toEqual({ id: expect.any(Number), title: 'New', estimate: '1.50', version: 1 });
    const changed = await tasks.update(created, { title: 'Newer' });
    expect((await tasks.replace(changed, { title: 'Newest', projectId: 1 })).estimate).toBe(null);
    await tasks.remove(created.id);
    await expect(tasks.getOne(created.id)).rejects.toMatchObject({ status: 404, code: 'CRUD_NOT_FOUND' });
    await tasks.recover(created.id);
    expect((await tasks.getOne(created.id)).title).toBe('Newest');
    const refused = { status: 400, code: 'CRUD_INVALID_BODY', field: 'title' };
    await expect(tasks.create({ title: '', projectId: 1 })).rejects.toMatchObject(refused);
  });

  test('that others have changed are not overwritten; the error says what has changed', async () => {
    const { id } = await tasks.create({ title: 'Shared', projectId: 1 });
    const mine = await tasks.getOne(id);
    await tasks.update(await tasks.getOne(id), { title: 'Theirs' });
    const error: unknown = await tasks.update(mine, { title: 'Mine' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 412, code: 'CRUD_PRECONDITION_FAILED' });
    const { current, changed } = await (error as CrudError).compare!();
    expect(changed).toEqual(expect.arrayContaining(['title', 'version']));
    expect((await tasks.update(current as typeof mine, { title: 'Mine' })).title).toBe('Mine');
    // A record of a list has no tag: its version is sent.
    const [listed] = await tasks.getMany((query) => query.setFilter(['id', '$eq', id]));
    await tasks.update(id, { title: 'Theirs again' });
    const stale = { status: 409, code: 'CRUD_STALE_VERSION' };
    await expect(tasks.update(listed!, { title: 'Mine again' })).rejects.toMatchObject(stale);
  });
});
