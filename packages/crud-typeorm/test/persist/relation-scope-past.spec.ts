/** Records that are linked out of reach by a mistake of the past, on each database: no body names them, finds them out by guesses or loses them. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Rows, rowsOf } from '../../../../integration/test-support/rows.js';
import { startTenants, type Tenants } from './relation-scope.application.js';
import { seed } from './relation-scope.entities.js';

type Body = Record<string, unknown>;

describeDatabases('what is linked by a mistake of the past', (db) => {
  let tenants: Tenants;
  let before: Rows;

  beforeAll(async () => {
    tenants = await startTenants(db);
  });

  afterAll(() => tenants?.close());

  const accept = async (method: 'patch' | 'put', path: string, body: Body) =>
    expect(await tenants.send(method, path, body)).toMatchObject({ status: 200 });
  const stored = async (): Promise<unknown> => tenants.source.query('SELECT * FROM tasks WHERE id = 106');

  beforeEach(async () => {
    await seed(tenants.source);
    before = await rowsOf(tenants.source);
  });

  test.each<readonly [string, Body]>([
    ['the same foreign key', { parentId: 101, assigneeId: 103 }],
    ['the same id', { parent: 101, assignee: { id: 103 } }],
    ['the same record with changes', { parent: { id: 101, text: 'defaced' } }],
    ['null of a relation', { parent: null, assignee: null, reviewer: null, brief: null }],
  ])('PATCH with %s changes nothing', async (_title, body) => {
    await accept('patch', '/tasks/106', body);
    expect(await rowsOf(tenants.source)).toEqual(before);
  });

  test.each(['excluding-tasks', 'short-tasks'])(
    'a foreign key that answers hide is not found out by guesses: %s',
    async (path) => {
      const guess = (id: number) => tenants.send('patch', `/${path}/106`, { assigneeId: id });
      const [right, wrong] = [await guess(103), await guess(999)];

      expect(right).toMatchObject({ status: 400, body: { code: 'CRUD_OUT_OF_SCOPE', field: 'assigneeId' } });
      expect(right).toEqual(wrong);
      await accept('patch', `/${path}/105`, { assigneeId: 101 });
    },
  );

  test.each(['excluding-tasks', 'short-tasks'])(
    'a foreign key that answers hide stays if it is null or missing: %s',
    async (path) => {
      for (const assignee of [{ assigneeId: null }, { assignee: { id: null } }, { assignee: null }]) {
        await accept('patch', `/${path}/106`, assignee);
        expect(await stored()).toMatchObject([{ assigneeId: 103 }]);
      }
      await accept('put', `/${path}/106`, { text: 'mixed' });
      expect(await stored()).toMatchObject([{ assigneeId: 103 }]);
      await accept('patch', `/${path}/106`, { assigneeId: 101 });
      await accept('patch', `/${path}/106`, { assigneeId: null });
      expect(await stored()).toMatchObject([{ assigneeId: null }]);
    },
  );

  test.each(['reviewer', 'brief'])(
    'a foreign key without a property is not found out by guesses: %s',
    async (field) => {
      const refused = { status: 400, body: { code: 'CRUD_OUT_OF_SCOPE', field } };
      for (const id of [field === 'reviewer' ? 103 : 101, 999]) {
        expect(await tenants.send('patch', '/tasks/106', { [field]: id })).toMatchObject(refused);
        expect(await tenants.send('patch', '/tasks/106', { [field]: { id, text: 'defaced' } })).toMatchObject(refused);
      }
      expect(await rowsOf(tenants.source)).toEqual(before);
    },
  );

  test('is not gone after a PUT of what was read', async () => {
    const body = {
      ...{ id: 106, tenant: 'acme', text: 'mixed', parentId: 101, assigneeId: 103, auditorId: null, countryId: null },
      ...{ parent: null, assignee: null, reviewer: null, brief: null, auditor: null, country: null },
      ...{ watchers: [{ id: 101, email: 'a@acme' }], related: [{ id: 104, text: 'near', tenant: 'acme' }] },
    };

    await accept('put', '/tasks/106', body);
    expect(await rowsOf(tenants.source)).toEqual(before);
  });

  test('is not gone after a PUT that says nothing of a relation without a column', async () => {
    await accept('put', '/tasks/106', { text: 'mixed', parentId: 101 });
    expect(await stored()).toMatchObject([{ reviewer_id: 103, brief_id: 101, assigneeId: null }]);
  });

  test('goes with null of the visible column, and by another record', async () => {
    await accept('patch', '/tasks/106', { parentId: null, assigneeId: 101, reviewer: 102 });
    expect(await stored()).toMatchObject([{ parentId: null, assigneeId: 101, reviewer_id: 102 }]);
  });

  test.each([
    // 103 is another tenant's, 104 soft-deleted.
    [[102], [102, 103, 104]],
    [[], [103, 104]],
    [
      [101, 102],
      [101, 102, 103, 104],
    ],
  ])('a list of links %j replaces those in reach alone', async (watchers, expected) => {
    const rows = async () =>
      ((await tenants.source.query('SELECT * FROM task_watchers')) as { tasksId: number; membersId: number }[])
        .filter(({ tasksId }) => tasksId === 106)
        .map(({ membersId }) => membersId)
        .sort();

    await accept('patch', '/tasks/106', { watchers });
    expect(await rows()).toEqual(expected);
  });

  test.each<readonly [string, Body]>([
    ['a link', { watchers: [103] }],
    ['a link to a soft-deleted record', { watchers: [101, 104] }],
    ['a changed link', { related: [{ id: 102, text: 'defaced' }] }],
    ['a child', { subtasks: [{ id: 107, text: 'defaced' }] }],
    ['an inverse one-to-one record', { detail: { id: 102, text: 'defaced' } }],
    ['the place of an inverse one-to-one record', { detail: { text: 'new', tenant: 'acme' } }],
    ['an orphan', { steps: [{ id: 103 }] }],
  ])('%s out of reach is not named', async (_title, body) => {
    expect(await tenants.send('patch', '/tasks/106', body)).toMatchObject({ body: { code: 'CRUD_OUT_OF_SCOPE' } });
    expect(await rowsOf(tenants.source)).toEqual(before);
  });

  test('orphans out of reach stay', async () => {
    await accept('patch', '/tasks/106', { steps: [{ id: 102, text: 'kept' }] });
    expect(await tenants.source.query('SELECT id, text FROM steps ORDER BY id')).toEqual([
      expect.objectContaining({ id: 102, text: 'kept' }),
      expect.objectContaining({ id: 103, text: 'three' }),
    ]);
  });

  test('children that are not named are left alone', async () => {
    await accept('patch', '/tasks/106', { subtasks: [{ id: 108, text: 'mine' }] });
    expect(await tenants.source.query('SELECT text FROM tasks WHERE id IN (107, 108) ORDER BY id')).toMatchObject([
      { text: 'child of beta' },
      { text: 'mine' },
    ]);
  });
});
