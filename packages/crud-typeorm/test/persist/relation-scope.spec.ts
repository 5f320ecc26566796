/** Bodies that link and cascade through relations under a condition, on each database. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Rows, rowsOf } from '../../../../integration/test-support/rows.js';
import { seed, servingTenants } from './relation-scope.application.js';

type Body = Record<string, unknown>;
type Tenants = ReturnType<typeof servingTenants>;

type Route = (tenants: Tenants, body: Body) => ReturnType<Tenants['send']>;
const inBulk = (body: Body) => ({ bulk: [{ text: 'first' }, { text: 'new', ...body }] });
const ROUTES: readonly (readonly [route: string, send: Route])[] = [
  ['POST', ({ send }, body) => send('post', '/tasks', { text: 'new', ...body })],
  ['bulk POST', ({ send }, body) => send('post', '/tasks/bulk', inBulk(body))],
  ['PATCH', ({ send }, body) => send('patch', '/tasks/103', body)],
  ['PUT', ({ send }, body) => send('put', '/tasks/103', { text: 'whole', ...body })],
];

const deep = (subtask: Body) => ({ subtasks: [{ subtasks: [subtask] }] });

/** What leads from acme to beta, or to a record that is not there, and the field to blame; of the commonest, integration/test/tenants has more. */
const OUT_OF_REACH: readonly (readonly [title: string, field: string, body: (key: number) => Body])[] = [
  ['a nested record that is changed', 'parentId', (id) => ({ parent: { id, text: 'defaced' } })],
  ['a foreign key to another entity', 'assigneeId', (key) => ({ assigneeId: key + 2 })],
  ['a foreign key without a property', 'reviewer', (key) => ({ reviewer: key + 2 })],
  ['a nested record behind such a foreign key', 'reviewer', (key) => ({ reviewer: { id: key + 2, email: 'x' } })],
  ['a soft-deleted record', 'assigneeId', (key) => ({ assigneeId: key + 3 })],
  ['the inverse side of a many-to-many relation', 'relatedOf', (id) => ({ relatedOf: [{ id }] })],
  ['an owned one-to-one record', 'brief', (id) => ({ brief: { id } })],
  ['a child that is stolen', 'subtasks.1', (id) => ({ subtasks: [{ text: 'x' }, { id, text: 'defaced' }] })],
  ['an inverse one-to-one record', 'detail', (key) => ({ detail: { id: key + 1, text: 'defaced' } })],
  ['a link of a new parent', 'parent.reviewer', (key) => ({ parent: { reviewer: key + 2 } })],
  ['a link three levels deep', 'subtasks.0.subtasks.0.related.parentId', (parent) => deep({ related: [{ parent }] })],
];

/** Records that a cascade plants in another tenant. */
const PLANTED: readonly (readonly [title: string, field: string, body: Body])[] = [
  ['a new owned record', 'brief', { brief: { text: 'x', tenant: 'beta' } }],
  ['a new owned record of nobody', 'reviewer', { reviewer: { email: 'x' } }],
  ['a new child', 'steps.1', { steps: ['acme', 'beta'].map((tenant) => ({ text: 'x', tenant })) }],
  ['a new record below a new child', 'subtasks.0.brief', { subtasks: [{ brief: { text: 'x', tenant: 'beta' } }] }],
];

const REFUSED = { statusCode: 400, error: 'Bad Request', code: 'CRUD_OUT_OF_SCOPE' };
const refusal = (field: string) => ({
  status: 400,
  body: { ...REFUSED, field, message: [`${field} is outside the scope of this resource`] },
});

describeDatabases('links through relations under a condition', (db) => {
  const tenants = servingTenants(db);

  describe.each(ROUTES)('%s, out of reach,', (route, send) => {
    const prefix = route === 'bulk POST' ? 'bulk.1.' : '';
    let before: Rows;

    beforeAll(async () => {
      await seed(tenants.source);
      before = await rowsOf(tenants.source);
    });

    test('refuses what leads out of reach, as if it were not there, and stores nothing', async () => {
      for (const [title, field, body] of OUT_OF_REACH) {
        const answers = await Promise.all([101, 9000].map((key) => send(tenants, body(key))));
        expect([title, ...answers]).toEqual([title, refusal(prefix + field), refusal(prefix + field)]);
      }
      expect(await rowsOf(tenants.source)).toEqual(before);
    });

    test('refuses what a cascade would plant out of reach, and stores nothing', async () => {
      for (const [title, field, body] of PLANTED)
        expect([title, await send(tenants, body)]).toEqual([title, refusal(prefix + field)]);
      expect(await rowsOf(tenants.source)).toEqual(before);
    });

    test('leaves a record that is not there to the foreign key where the relation has no condition', async () => {
      for (const body of [{ countryId: 9000 }, { auditorId: 9000 }])
        expect((await send(tenants, body)).body).toMatchObject({ code: 'CRUD_FOREIGN_KEY_VIOLATION' });
      expect(await rowsOf(tenants.source)).toEqual(before);
    });
  });

  describe('rows that each test finds anew', () => {
    beforeEach(() => seed(tenants.source));

    const task = async (where: string): Promise<Record<string, unknown>[]> =>
      tenants.query(`SELECT * FROM tasks WHERE ${where} ORDER BY id`);

    const linking = '%s links it by column, id and nested record, and inserts what is new in the own tenant';
    test.each(ROUTES)(linking, async (_route, send) => {
      const keys = { tenant: 'acme', parentId: 104, assigneeId: 102, reviewer_id: 101, auditorId: 103 };
      const grandchild = { text: 'new grandchild', tenant: 'beta', id: null };
      const { status } = await send(tenants, {
        text: 'linked',
        parent: { id: 104 },
        assigneeId: 102,
        reviewer: 101,
        auditorId: 103,
        countryId: 101,
        related: [105, { text: 'new related', tenant: 'beta' }],
        watchers: [{ id: 102 }],
        brief: { text: 'new brief', tenant: 'acme' },
        subtasks: [{ text: 'new child', tenant: 'beta', subtasks: [grandchild] }],
      });
      const [stored] = await task("text = 'linked'");
      const taskId = tenants.source.driver.escape('tasksId');
      const watchers = await tenants.query(`SELECT * FROM task_watchers WHERE ${taskId} = ${String(stored!['id'])}`);
      expect(status).toBeLessThan(300);
      expect(stored).toMatchObject(keys);
      expect(watchers).toMatchObject([{ membersId: 102 }]);
      const added = (await task("text LIKE 'new%' AND text <> 'new'")).map(({ text, tenant }) => [text, tenant].join());
      expect(added).toEqual(['new child,acme', 'new grandchild,acme', 'new related,acme']);
    });

    test('writes persist into linked records only where a cascade changes them', async () => {
      await tenants.query("UPDATE tasks SET text = 'stays' WHERE id = 104");
      const { all } = tenants.statements;
      all.length = 0;
      await tenants.send('patch', '/tasks/103', { related: [{ id: 104 }] });
      const updates = all.filter(({ sql }) => sql.startsWith('UPDATE'));
      expect(updates.filter(({ sql, parameters }) => /104/.test(sql + String(parameters)))).toEqual([]);
    });

    test('a path value is written into new records of the own entity, and never into changed ones', async () => {
      const added = { related: [{ text: 'new related' }], subtasks: [{ text: 'new child' }] };
      const { status } = await tenants.send('patch', '/parents/103/tasks/105', added);
      await tenants.send('patch', '/parents/106/tasks/108', { related: [{ id: 104, text: 'x' }] });
      expect(status).toBe(200);
      const found = await task("text IN ('new related', 'new child')");
      expect(found.map(({ text, parentId }) => [text, parentId].join())).toEqual(['new child,105', 'new related,103']);
      expect(await task('id = 104')).toMatchObject([{ parentId: null, text: 'near' }]);
    });

    const expectRefused = async (method: 'post' | 'patch' | 'put', path: string, body: object) => {
      const before = await rowsOf(tenants.source);
      expect(await tenants.send(method, path, body)).toMatchObject({ status: 400, body: REFUSED });
      expect(await rowsOf(tenants.source)).toEqual(before);
    };

    test.each([
      ['post', '/folders', { name: 'new', parent: 101 }],
      ['post', '/folders/bulk', { bulk: [{ name: 'new', parent: { id: 101 } }] }],
      ['patch', '/folders/103', { parent: 101 }],
      ['patch', '/folders/102', { children: [{ id: 101, name: 'stolen' }] }],
    ] as const)('%s %s %j has no place in the tree of another tenant', expectRefused);

    test('trees grow in the own tenant', async () => {
      await tenants.send('patch', '/folders/103', { children: [{ name: 'leaf', tenant: 'beta' }] });
      const folders = await tenants.query("SELECT * FROM folders WHERE name IN ('below', 'leaf') ORDER BY name");
      const leaf = { tenant: 'acme', mpath: expect.stringMatching(/^102\.103\.\d+\.$/) };
      expect(folders).toMatchObject([{ tenant: 'acme', mpath: '102.103.' }, leaf]);
    });

    test.each([
      ['post', '/bookings', { seat: { line: 1, place: 2 } }],
      ['post', '/bookings', { spares: [1, 2].map((place) => ({ line: 1, place })) }],
      // Half of the key is stored.
      ['patch', '/bookings/101', { place: 2 }],
      // Half of the key is the database's default.
      ['post', '/bookings', { place: 2 }],
      ['post', '/bookings/bulk', { bulk: [{ place: 1 }, { place: 2 }] }],
      // Half of the key is what the application sets.
      ['post', '/first-line', { place: 2 }],
      ['put', '/bookings/101', { place: 2 }],
      ['put', '/hiding/101', { place: 2 }],
      ['patch', '/bookings/101', { seat: { line: 9, place: 9 } }],
      ['patch', '/bookings/101', { spares: [{ line: 1, place: 2 }] }],
    ] as const)('composite keys: %s %s %j is refused', expectRefused);

    test('composite keys link what is in reach, and keep what is not', async () => {
      for (const [method, path, body] of [
        ['patch', '/bookings/101', { line: 2, place: 2, spares: [{ line: 2, place: 2 }] }],
        ['patch', '/bookings/102', { place: 2, seat: null }],
        // The default makes it the key that is stored.
        ['put', '/bookings/102', { place: 2 }],
      ] as const)
        expect(await tenants.send(method, path, body)).toMatchObject({ status: 200 });
      const { bookings, booking_spares: spares } = await rowsOf(tenants.source);
      expect(bookings!.map(({ id, line, place }) => [id, line, place].join())).toEqual(['101,2,2', '102,1,2']);
      expect(spares).toMatchObject([1, 2].map((seatsLine) => ({ seatsLine, seatsPlace: 2 })));
      expect((await tenants.send('patch', '/hiding/102', { line: null, place: 5 })).status).toBe(200);
      expect((await rowsOf(tenants.source))['bookings']).toMatchObject([{ id: 101 }, { line: null, place: 5 }]);
    });

    test.each<readonly [entity: string, field: string, body: Body]>([
      ['Dog', 'mother', { mother: 2 }],
      ['Dog', 'mother', { mother: { id: 4 } }],
      ['Dog', 'friends', { friends: [3, 2] }],
      ['Dog', 'young.0', { young: [{ id: 2, name: 'stolen' }] }],
      ['Dog', 'guard', { guard: 4 }],
      ['Animal', 'guard', { guard: { id: 4 } }],
      ['Animal', 'mother', { mother: 4 }],
      ['Animal', 'friends', { friends: [4] }],
    ])(
      'entities of one table: POST, PATCH and PUT of %s refuse what leads out of reach by %s',
      async (entity, field, body) => {
        const refused = { status: 400, body: { code: 'CRUD_OUT_OF_SCOPE', field } };
        expect(await tenants.send('post', `/${entity}`, { id: 9, ...body })).toMatchObject(refused);
        for (const method of ['patch', 'put'] as const)
          expect(await tenants.send(method, `/${entity}/3`, body)).toMatchObject(refused);
      },
    );

    test('entities of one table: links in reach are made, and what a cascade changes has persist', async () => {
      expect((await tenants.send('patch', '/Dog/3', { mother: 1, guard: 3, friends: [1] })).status).toBe(200);
      const mother = { id: 1, name: 'Ann', tenant: 'beta' };
      expect((await tenants.send('patch', '/Dog/3', { mother })).status).toBe(200);
      const [changed] = await tenants.query('SELECT * FROM animals WHERE id = 1');
      expect(changed).toMatchObject({ name: 'Ann', tenant: 'acme' });
    });

    test('a bulk asks once for each relation, whatever hangs on its records', async () => {
      const bulk = Array.from({ length: 40 }, (_, index) => {
        const keys = { parentId: 103 + (index % 2), assigneeId: 101 };
        return { text: `${index}`, ...keys, subtasks: [{ assigneeId: 102 }] };
      });
      const sql = await tenants.statements.of(() => tenants.send('post', '/tasks/bulk', { bulk }));
      const asked = sql.filter((text) => /^SELECT.*tenant.* = .*\bid\b.* (?:IN|= ANY)/.test(text));
      // For what is linked, and for the children that are to be in reach.
      expect(asked.filter((text) => /FROM .?members/.test(text))).toHaveLength(1);
      expect(asked.filter((text) => /FROM .?tasks/.test(text))).toHaveLength(2);
    });

    test('nothing is asked where a body links through no relation under a condition', async () => {
      const asked = (path: string, body: Body) => tenants.statements.of(() => tenants.send('post', path, body));
      const post = await asked('/tasks', { text: 'plain', countryId: 101, auditorId: 103, parentId: null });
      const open = await asked('/open-tasks', { text: 'plain', parentId: 101, assigneeId: 103 });
      expect([...post, ...open].filter((text) => /LOCK IN SHARE MODE|FOR SHARE/.test(text))).toEqual([]);
      expect(open.filter((text) => /members/.test(text))).toEqual([]);
      const patch = await tenants.statements.of(() => tenants.send('patch', '/tasks/103', { text: 'plain' }));
      expect(patch.find((text) => /tasks/.test(text))).toMatch(/^UPDATE/);
    });
  });

  describe('what is linked by a mistake of the past', () => {
    let before: Rows;

    const accept = async (method: 'patch' | 'put', path: string, body: Body) =>
      expect(await tenants.send(method, path, body)).toMatchObject({ status: 200 });
    const stored = async (): Promise<unknown> => tenants.query('SELECT * FROM tasks WHERE id = 106');

    beforeEach(async () => {
      await seed(tenants.source);
      before = await rowsOf(tenants.source);
    });

    test('null of a relation and a record beside its key change nothing', async () => {
      const sent = { parent: { id: 101, text: 'defaced' }, assignee: null, reviewer: null, brief: null };
      await accept('patch', '/tasks/106', sent);
      await accept('patch', '/tasks/106', { assignee: null, auditor: null });
      expect(await rowsOf(tenants.source)).toEqual(before);
    });

    const HIDING = ['excluding-tasks', 'short-tasks'];
    test.each(HIDING)('a foreign key that answers hide is not found out by guesses: %s', async (path) => {
      const guess = (id: number) => tenants.send('patch', `/${path}/106`, { assigneeId: id });
      const [right, wrong] = [await guess(103), await guess(999)];
      expect(right).toMatchObject({ status: 400, body: { code: 'CRUD_OUT_OF_SCOPE', field: 'assigneeId' } });
      expect(right).toEqual(wrong);
      await accept('patch', `/${path}/105`, { assigneeId: 101 });
    });

    test.each(HIDING)('a hidden foreign key of a soft-deleted record may be sent again: %s', async (path) => {
      await tenants.source.getRepository('Task').update(105, { assigneeId: 104 });
      await accept('patch', `/${path}/105`, { assigneeId: 104 });
    });

    test.each(HIDING)('a foreign key that answers hide stays if it is null or missing: %s', async (path) => {
      for (const assignee of [{ assigneeId: null }, { assignee: { id: null } }, { assignee: null }]) {
        await accept('patch', `/${path}/106`, assignee);
        expect(await stored()).toMatchObject([{ assigneeId: 103 }]);
      }
      await accept('put', `/${path}/106`, { text: 'mixed' });
      expect(await stored()).toMatchObject([{ assigneeId: 103 }]);
      await accept('patch', `/${path}/106`, { assigneeId: 101 });
      await accept('patch', `/${path}/106`, { assigneeId: null });
      expect(await stored()).toMatchObject([{ assigneeId: null }]);
    });

    test.each(['reviewer', 'brief'])('a foreign key without a property is not found by guesses: %s', async (field) => {
      const refused = { status: 400, body: { code: 'CRUD_OUT_OF_SCOPE', field } };
      for (const id of [field === 'reviewer' ? 103 : 101, 999]) {
        for (const value of [id, { id, text: 'defaced' }])
          expect(await tenants.send('patch', '/tasks/106', { [field]: value })).toMatchObject(refused);
      }
      expect(await rowsOf(tenants.source)).toEqual(before);
    });

    test('is not gone after a PUT that says nothing of a relation without a column', async () => {
      await accept('put', '/tasks/106', { text: 'mixed', parentId: 101 });
      expect(await stored()).toMatchObject([{ reviewer_id: 103, brief_id: 101, assigneeId: null }]);
    });

    test.each([
      // 103 is another tenant's, 104 soft-deleted.
      [[102], [102, 103, 104]],
      [[], [103, 104]],
    ])('a list of links %j replaces those in reach alone', async (watchers, expected) => {
      await accept('patch', '/tasks/106', { watchers });
      const links = (await rowsOf(tenants.source))['task_watchers']!.filter(({ tasksId }) => tasksId === 106);
      expect(links.map(({ membersId }) => membersId).sort()).toEqual(expected);
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

    test('orphans out of reach stay, and new children come beside them', async () => {
      const kept = { id: 102, text: 'kept' };
      await accept('patch', '/tasks/106', { steps: [kept, { text: 'new', tenant: 'acme' }] });
      const steps = await tenants.query('SELECT id, text FROM steps ORDER BY id');
      expect(steps).toMatchObject([{ id: 102, text: 'kept' }, { id: 103, text: 'three' }, { text: 'new' }]);
    });
  });
});
