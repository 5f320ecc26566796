/** `@nestwright/client` against the workspace, over HTTP: what its types say is what answers hold. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { crudClient, type CrudClient, CrudError } from '@nestwright/client';
import { type RunningWorkspace, serveWorkspace } from '../../test-support/workspace.js';
import type { Task } from '../src/tasks/task.entity.js';

describe.each(['express', 'fastify'] as const)('the tasks of a tenant · %s', (http) => {
  let workspace: RunningWorkspace;
  let tasks: CrudClient<Task>;

  beforeAll(async () => {
    workspace = await serveWorkspace({ databaseUrl: 'sqljs:', http });
    tasks = crudClient<Task>()('/tasks', { baseUrl: workspace.origin, headers: { 'x-demo-member': '1' } });
  }, 60_000);
  afterAll(() => workspace?.close());

  const failure = (call: Promise<unknown>): Promise<CrudError> =>
    call.then(
      () => {
        throw new Error('The call was not refused');
      },
      (error: CrudError) => error,
    );

  test('are listed with what was selected and joined', async () => {
    const rows = await tasks.getMany((query) =>
      query.select(['title']).join('project', ['name']).join('watchers', ['name']).sortBy(['id', 'ASC']).setLimit(2),
    );

    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(Object.keys(row).sort()).toEqual(['id', 'project', 'title', 'watchers']);
      expect(Object.keys(row.project!).sort()).toEqual(['id', 'name']);
      for (const watcher of row.watchers) expect(Object.keys(watcher).sort()).toEqual(['id', 'name']);
    }
  });

  test('are read by number, by cursor and one after the other', async () => {
    const count = await tasks.count();
    const page = await tasks.getPage((query) => query.select(['title']).setLimit(3));
    const first = await tasks.getPage((query) => query.select(['title']).setLimit(3).cursor());
    const ids: number[] = [];
    for await (const { id } of tasks.all((query) => query.select(['title']).setLimit(7).sortBy(['title', 'ASC'])))
      ids.push(id);

    expect(page).toMatchObject({ count: 3, total: count, page: 1, pageCount: Math.ceil(count / 3) });
    expect(first).toMatchObject({ count: 3, previous: null, next: expect.any(String) });
    expect(new Set(ids).size).toBe(count);
  });

  test('are created, changed, replaced, removed and recovered', async () => {
    const created = await tasks.create({ title: 'New', projectId: 1, estimate: '1.50' }, (query) =>
      query.select(['title', 'estimate', 'version']),
    );
    expect(created).toEqual({ id: expect.any(Number), title: 'New', estimate: '1.50', version: 1 });

    const changed = await tasks.update(created, { title: 'Newer' });
    expect([changed.title, changed.version, changed.createdAt]).toEqual(['Newer', 2, expect.any(String)]);
    expect((await tasks.replace(changed, { title: 'Newest', projectId: 1 })).estimate).toBe(null);

    await tasks.remove(created.id);
    expect(await failure(tasks.getOne(created.id))).toMatchObject({ status: 404, code: 'CRUD_NOT_FOUND' });
    await tasks.recover(created.id);
    expect((await tasks.getOne(created.id)).title).toBe('Newest');
  });

  test('that others have changed are not overwritten; the error says what has changed', async () => {
    const { id } = await tasks.create({ title: 'Shared', projectId: 1 });
    const [mine, theirs] = [await tasks.getOne(id), await tasks.getOne(id)];
    await tasks.update(theirs, { title: 'Theirs' });

    const error = await failure(tasks.update(mine, { title: 'Mine' }));
    expect(error).toBeInstanceOf(CrudError);
    expect(error).toMatchObject({ status: 412, code: 'CRUD_PRECONDITION_FAILED' });

    const { current, changed } = await error.compare!();
    expect(changed).toEqual(expect.arrayContaining(['title', 'version']));
    expect((await tasks.update(current as typeof mine, { title: 'Mine' })).title).toBe('Mine');

    // A record of a list has no tag: its version is sent.
    const [listed] = await tasks.getMany((query) => query.setFilter(['id', '$eq', id]));
    await tasks.update(id, { title: 'Theirs again' });
    expect(await failure(tasks.update(listed!, { title: 'Mine again' }))).toMatchObject({
      status: 409,
      code: 'CRUD_STALE_VERSION',
    });
  });

  test('are written many at a time, by keys and by a condition', async () => {
    const made = await tasks.createMany([
      { title: 'Many 1', projectId: 1, points: 1 },
      { title: 'Many 2', projectId: 1, points: 1 },
    ]);
    const updated = await tasks.updateMany(made.map(({ id }) => ({ id, points: 3 })));
    expect(updated.map(({ points }) => points)).toEqual([3, 3]);

    const chosen = tasks.updateWhere((query) => query.setFilter(['title', '$starts', 'Many']), { points: 5 });
    expect(await chosen).toEqual({ affected: 2 });

    await tasks.removeMany(made);
    expect(await tasks.count((query) => query.setFilter(['title', '$starts', 'Many']))).toBe(0);
    await tasks.recoverMany(made.map(({ id }) => id));
    expect(await tasks.removeWhere((query) => query.setFilter(['title', '$starts', 'Many']))).toEqual({ affected: 2 });
  });

  test('are grouped and exported', async () => {
    const groups = await tasks.aggregate((query) =>
      query.groupBy('status').aggregate(['count', '*'], ['sum', 'points']).sortBy(['status', 'ASC']),
    );
    expect(groups.map(({ status }) => status)).toEqual(['doing', 'done', 'todo']);
    expect(groups.every(({ count }) => count > 0)).toBe(true);

    const text = await (await tasks.export('csv', (query) => query.select(['title']).setLimit(2))).text();
    expect(text.split('\r\n')[0]).toBe('id,title');
  });

  test('refusals name their code and field', async () => {
    expect(await failure(tasks.create({ title: '', projectId: 1 }))).toMatchObject({
      status: 400,
      code: 'CRUD_INVALID_BODY',
      field: 'title',
    });
  });
});
