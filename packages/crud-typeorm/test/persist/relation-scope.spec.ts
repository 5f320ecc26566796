/** Bodies that link and cascade through relations under a condition, on each database: an application of two tenants over tasks with every kind of relation, and records that by a mistake of the past refer to another tenant's. */
import { beforeEach, expect, test } from '@jest/globals';
import type { AuthOptions } from '@nestwright/crud';
import { Exclude, Expose } from 'class-transformer';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Rows, rowsOf } from '../../../../integration/test-support/rows.js';
import { empty } from '../support/connecting.js';
import { type Application, looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Statements } from '../support/statements.js';

const cascade: ('insert' | 'update')[] = ['insert', 'update'];

abstract class Owned {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20, default: 'nobody' }) tenant!: string;
}

abstract class Part extends Owned {
  @orm.Column({ type: 'varchar', length: 40 }) text!: string;
  @orm.Column({ type: 'int', nullable: true }) taskId!: number | null;
}

@orm.Entity('members')
class Member extends Owned {
  @orm.Column({ type: 'varchar', length: 40 }) email!: string;
  @orm.DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
}

@orm.Entity('briefs')
class Brief extends Owned {
  @orm.Column({ type: 'varchar', length: 40 }) text!: string;
}

@orm.Entity('tasks')
class Task extends Owned {
  @orm.Column({ type: 'varchar', length: 40, default: 'none' }) text!: string;
  @orm.Column({ type: 'int', nullable: true }) parentId!: number | null;
  @orm.Column({ type: 'int', nullable: true }) assigneeId!: number | null;
  @orm.Column({ type: 'int', nullable: true }) auditorId!: number | null;
  @orm.ManyToOne(() => Task, ({ subtasks }) => subtasks, { cascade })
  @orm.JoinColumn({ name: 'parentId' })
  parent!: orm.Relation<Task>;
  @orm.OneToMany(() => Task, (task) => task.parent, { cascade }) subtasks!: orm.Relation<Task>[];
  @orm.ManyToMany(() => Task, (task) => task.relatedOf, { cascade })
  @orm.JoinTable({ name: 'task_related', joinColumn: { name: 'one' }, inverseJoinColumn: { name: 'other' } })
  related!: orm.Relation<Task>[];
  @orm.ManyToMany(() => Task, (task) => task.related, { cascade }) relatedOf!: orm.Relation<Task>[];
  @orm.ManyToOne(() => Member) @orm.JoinColumn({ name: 'assigneeId' }) assignee!: orm.Relation<Member>;
  /** Without a property for its foreign key. */
  @orm.ManyToOne(() => Member, { cascade }) @orm.JoinColumn({ name: 'reviewer_id' }) reviewer!: orm.Relation<Member>;
  /** Free of conditions. */
  @orm.ManyToOne(() => Member) @orm.JoinColumn({ name: 'auditorId' }) auditor!: orm.Relation<Member>;
  @orm.ManyToMany(() => Member, { cascade }) @orm.JoinTable({ name: 'task_watchers' }) watchers!: Member[];
  @orm.OneToOne(() => Brief, { cascade, nullable: true }) @orm.JoinColumn({ name: 'brief_id' }) brief!: Brief;
  @orm.OneToOne(() => Detail, (detail) => detail.task, { cascade }) detail!: orm.Relation<Detail>;
  @orm.OneToMany(() => Step, (step) => step.task, { cascade }) steps!: orm.Relation<Step>[];
}

@orm.Entity('details')
class Detail extends Part {
  @orm.OneToOne(() => Task, (task) => task.detail) @orm.JoinColumn({ name: 'taskId' }) task!: orm.Relation<Task>;
}

@orm.Entity('steps')
class Step extends Part {
  @orm.ManyToOne(() => Task, ({ steps }) => steps, { orphanedRowAction: 'delete' })
  @orm.JoinColumn({ name: 'taskId' })
  task!: Task;
}

@orm.Entity('folders')
@orm.Tree('materialized-path')
class Folder extends Owned {
  @orm.Column({ type: 'varchar', length: 20 }) name!: string;
  @orm.TreeParent() parent!: orm.Relation<Folder> | null;
  @orm.TreeChildren({ cascade }) children!: orm.Relation<Folder>[];
}

@orm.Entity('seats')
class Seat {
  @orm.PrimaryColumn({ type: 'int' }) line!: number;
  @orm.PrimaryColumn({ type: 'int' }) place!: number;
  @orm.Column({ type: 'varchar', length: 20 }) tenant!: string;
}

@orm.Entity('bookings')
class Booking extends Owned {
  @orm.Column({ type: 'int', nullable: true, default: 1 }) line!: number | null;
  @orm.Column({ type: 'int', nullable: true }) place!: number | null;
  @orm.ManyToOne(() => Seat)
  @orm.JoinColumn(['line', 'place'].map((name) => ({ name, referencedColumnName: name })))
  seat!: orm.Relation<Seat>;
  @orm.ManyToMany(() => Seat) @orm.JoinTable({ name: 'booking_spares' }) spares!: orm.Relation<Seat>[];
}

const ENTITIES = [Member, Brief, Task, Detail, Step, Folder, Seat, Booking];

const ROWS: Readonly<Record<string, readonly string[]>> = {
  members: [
    "(id, tenant, email) VALUES (101, 'acme', 'a@acme'), (102, 'acme', 'b@acme'), (103, 'beta', 'c@beta')",
    "(id, tenant, email, deletedAt) VALUES (104, 'acme', 'gone@acme', '2020-01-01 00:00:00')",
  ],
  briefs: ["(id, tenant, text) VALUES (101, 'beta', 'brief of beta'), (102, 'acme', 'brief')"],
  tasks: [
    "(id, tenant, text) VALUES (101, 'beta', 'secret'), (102, 'beta', 'other'), (103, 'acme', 'mine'), (104, 'acme', 'near')",
    "(id, tenant, text, parentId, assigneeId, reviewer_id, brief_id) VALUES (105, 'acme', 'child', 103, 101, 101, 102)",
    // By a mistake of the past, of two tenants.
    "(id, tenant, text, parentId, assigneeId, reviewer_id, brief_id) VALUES (106, 'acme', 'mixed', 101, 103, 103, 101)",
  ],
  task_watchers: ['(tasksId, membersId) VALUES (103, 101), (106, 101), (106, 103), (106, 104)'],
  details: ["(id, tenant, text, taskId) VALUES (101, 'acme', 'detail', 103), (102, 'beta', 'detail', 106)"],
  steps: [
    "(id, tenant, text, taskId) VALUES (101, 'acme', 'one', 106), (102, 'acme', 'two', 106), (103, 'beta', 'three', 106)",
  ],
  folders: [
    "(id, tenant, name, mpath) VALUES (101, 'beta', 'beta', '101.'), (102, 'acme', 'acme', '102.')",
    "(id, tenant, name, parentId, mpath) VALUES (103, 'acme', 'below', 102, '102.103.')",
  ],
  seats: ["(line, place, tenant) VALUES (1, 1, 'acme'), (1, 2, 'beta'), (2, 2, 'acme')"],
  bookings: ["(id, tenant, line, place) VALUES (101, 'acme', 1, 1), (102, 'acme', 1, 2)"],
  booking_spares: ['(bookingsId, seatsLine, seatsPlace) VALUES (101, 1, 1), (101, 1, 2)'],
};

/** An INSERT whose columns are quoted, as PostgreSQL needs them. */
const inserting = (table: string, insert: string, { driver }: orm.DataSource) =>
  `INSERT INTO ${table} ${insert.replace(/^[^)]*/, (names) => names.replace(/\w+/g, (name) => driver.escape(name)))}`;

async function seed(source: orm.DataSource): Promise<void> {
  await empty(source);
  await source.transaction(async (manager) => {
    for (const [table, inserts] of Object.entries(ROWS))
      for (const insert of inserts) await manager.query(inserting(table, insert, source));
  });
}

const ofTenant = () => ({ tenant: 'acme' });

const TENANT: AuthOptions = { filter: ofTenant, persist: ofTenant };

@Exclude()
class TextOnly {
  @Expose() id!: number;
  @Expose() text!: string;
}

const joins = (...names: string[]) => ({ join: Object.fromEntries(names.map((name) => [name, {}])) });
const ofEach = (...names: string[]) => Object.fromEntries(names.map((name) => [name, ofTenant]));
const hiding: AuthOptions = { ...TENANT, relations: ofEach('assignee') };
const SEATS = ['seat', 'spares'];
const SEAT = ofEach('seat');

const RESOURCES = [
  looseResource(Task, 'tasks', {
    auth: {
      ...TENANT,
      relations: { ...ofEach('assignee', 'reviewer', 'watchers', 'brief', 'detail', 'steps'), auditor: false },
    },
    query: joins('parent', 'subtasks', 'related', 'assignee', 'reviewer', 'watchers', 'brief', 'detail', 'steps'),
  }),
  looseResource(Folder, 'folders', { auth: TENANT, query: joins('parent', 'children') }),
  looseResource(Booking, 'bookings', { auth: { ...TENANT, relations: ofEach(...SEATS) }, query: joins(...SEATS) }),
  looseResource(Booking, 'hiding', { auth: { ...TENANT, relations: SEAT }, query: { exclude: ['line', 'place'] } }),
  looseResource(Booking, 'first-line', { auth: { persist: () => ({ tenant: 'acme', line: 1 }), relations: SEAT } }),
  looseResource(Task, 'open-tasks', { auth: {} }),
  looseResource(Task, 'excluding-tasks', { auth: hiding, query: { exclude: ['assigneeId'] } }),
  looseResource(Task, 'short-tasks', { auth: hiding, serialize: { get: TextOnly, update: TextOnly } }),
];

type Body = Record<string, unknown>;
type Tenants = Pick<Application, 'send'>;
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
  ['a foreign key without a property', 'reviewer', (key) => ({ reviewer: key + 2 })],
  ['a nested record behind such a foreign key', 'reviewer', (key) => ({ reviewer: { id: key + 2, email: 'x' } })],
  ['a soft-deleted record', 'assigneeId', (key) => ({ assigneeId: key + 3 })],
  ['the inverse side of a many-to-many relation', 'relatedOf', (id) => ({ relatedOf: [{ id }] })],
  ['an owned one-to-one record', 'brief', (id) => ({ brief: { id } })],
  ['an inverse one-to-one record', 'detail', (key) => ({ detail: { id: key + 1, text: 'defaced' } })],
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
  const statements = new Statements();
  const tenants = serving(db, ENTITIES, RESOURCES, {
    source: { logging: true, logger: statements, poolSize: 10 },
    // PostgreSQL counts on its own, whatever ids were stored.
    fill: async (source) => {
      const counting = source.entityMetadatas.filter(({ generatedColumns }) => generatedColumns.length > 0);
      for (const { tableName } of db.kind === 'postgres' ? counting : [])
        await source.query(`SELECT setval(pg_get_serial_sequence('${tableName}', 'id'), 100000)`);
    },
  });
  const query = (sql: string): Promise<Body[]> => tenants.source.query(sql);
  let before: Rows;

  beforeEach(async () => {
    await seed(tenants.source);
    before = await rowsOf(tenants.source);
  });
  const expectUnchanged = async () => expect(await rowsOf(tenants.source)).toEqual(before);

  test.each(ROUTES)(
    '%s refuses what leads out of reach, as if it were not there, or plants there',
    async (route, send) => {
      const prefix = route === 'bulk POST' ? 'bulk.1.' : '';
      for (const [title, field, body] of OUT_OF_REACH) {
        const answers = await Promise.all([101, 9000].map((key) => send(tenants, body(key))));
        expect([title, ...answers]).toEqual([title, refusal(prefix + field), refusal(prefix + field)]);
      }
      for (const [title, field, body] of PLANTED)
        expect([title, await send(tenants, body)]).toEqual([title, refusal(prefix + field)]);
      // Where the relation has no condition, the foreign key knows.
      const missing = await send(tenants, { auditorId: 9000 });
      expect(missing.body).toMatchObject({ code: 'CRUD_FOREIGN_KEY_VIOLATION' });
      await expectUnchanged();
    },
  );

  const task = (where: string) => query(`SELECT * FROM tasks WHERE ${where} ORDER BY id`);

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
      related: [105, { text: 'new related', tenant: 'beta' }],
      watchers: [{ id: 102 }],
      brief: { text: 'new brief', tenant: 'acme' },
      subtasks: [{ text: 'new child', tenant: 'beta', subtasks: [grandchild] }],
    });
    const [stored] = await task("text = 'linked'");
    const { task_watchers: links } = await rowsOf(tenants.source);
    expect(status).toBeLessThan(300);
    expect(stored).toMatchObject(keys);
    expect(links!.filter(({ tasksId }) => tasksId === stored!['id'])).toMatchObject([{ membersId: 102 }]);
    const added = (await task("text LIKE 'new%' AND text <> 'new'")).map(({ text, tenant }) => [text, tenant].join());
    expect(added).toEqual(['new child,acme', 'new grandchild,acme', 'new related,acme']);
  });

  const expectRefused = async (method: 'post' | 'patch' | 'put', path: string, body: object) => {
    expect(await tenants.send(method, path, body)).toMatchObject({ status: 400, body: REFUSED });
    await expectUnchanged();
  };

  test('trees grow in the own tenant, and not in another one', async () => {
    await expectRefused('post', '/folders', { name: 'new', parent: 101 });
    await expectRefused('post', '/folders/bulk', { bulk: [{ name: 'new', parent: { id: 101 } }] });
    await expectRefused('patch', '/folders/102', { children: [{ id: 101, name: 'stolen' }] });
    await tenants.send('patch', '/folders/103', { children: [{ name: 'leaf', tenant: 'beta' }] });
    const [leaf] = await query("SELECT tenant, mpath FROM folders WHERE name = 'leaf'");
    expect(leaf).toEqual({ tenant: 'acme', mpath: expect.stringMatching(/^102\.103\.\d+\.$/) });
  });

  test.each([
    ['post', '/bookings', { seat: { line: 1, place: 2 } }],
    ['post', '/bookings', { spares: [1, 2].map((place) => ({ line: 1, place })) }],
    // Half of the key is stored.
    ['patch', '/bookings/101', { place: 2 }],
    // Half of the key is the database's default.
    ['post', '/bookings', { place: 2 }],
    // Half of the key is what the application sets.
    ['post', '/first-line', { place: 2 }],
    ['put', '/hiding/101', { place: 2 }],
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
    expect(await tenants.send('post', '/hiding', { line: 2 })).toMatchObject({ status: 201 });
    const { bookings, booking_spares: spares } = await rowsOf(tenants.source);
    const stored = bookings!.slice(0, 2).map(({ id, line, place }) => [id, line, place].join());
    expect(stored).toEqual(['101,2,2', '102,1,2']);
    expect(spares).toMatchObject([1, 2].map((seatsLine) => ({ seatsLine, seatsPlace: 2 })));
    expect((await tenants.send('patch', '/hiding/102', { line: null, place: 5 })).status).toBe(200);
    expect((await rowsOf(tenants.source))['bookings']).toMatchObject([{ id: 101 }, { line: null, place: 5 }, {}]);
  });

  test('a bulk asks once for each relation, whatever hangs on its records', async () => {
    const linksOf = (at: number) => ({ parentId: 103 + (at % 2), assigneeId: 101, subtasks: [{ assigneeId: 102 }] });
    const bulk = Array.from({ length: 40 }, (_, at) => ({ text: `${at}`, ...linksOf(at) }));
    const sql = await statements.of(() => tenants.send('post', '/tasks/bulk', { bulk }));
    const asked = sql.filter((text) => /^SELECT.*tenant.* = .*\bid\b.* (?:IN|=)/.test(text));
    // For what is linked, and for the children that are to be in reach.
    expect(asked.filter((text) => /FROM .?members/.test(text))).toHaveLength(1);
    expect(asked.filter((text) => /FROM .?tasks/.test(text))).toHaveLength(2);
  });

  test('nothing is asked where a body links through no relation under a condition', async () => {
    const asked = (path: string, body: Body) => statements.of(() => tenants.send('post', path, body));
    const post = await asked('/tasks', { text: 'plain', auditorId: 103, parentId: null });
    const open = await asked('/open-tasks', { text: 'plain', parentId: 101, assigneeId: 103 });
    expect([...post, ...open].filter((text) => /LOCK IN SHARE MODE|FOR SHARE/.test(text))).toEqual([]);
    expect(open.filter((text) => /members/.test(text))).toEqual([]);
    const patch = await statements.of(() => tenants.send('patch', '/tasks/103', { text: 'plain' }));
    expect(patch.find((text) => /tasks/.test(text))).toMatch(/^UPDATE/);
  });

  const accept = async (method: 'patch' | 'put', path: string, body: Body) =>
    expect(await tenants.send(method, path, body)).toMatchObject({ status: 200 });
  const stored = () => task('id = 106');

  const HIDING = ['excluding-tasks', 'short-tasks'];
  // What follows leads to another tenant by a mistake of the past.
  test.each(HIDING)('a foreign key that answers hide is not found out by guesses: %s', async (path) => {
    const guess = (id: number) => tenants.send('patch', `/${path}/106`, { assigneeId: id });
    const [right, wrong] = [await guess(103), await guess(999)];
    expect(right).toMatchObject({ status: 400, body: { code: 'CRUD_OUT_OF_SCOPE', field: 'assigneeId' } });
    expect(right).toEqual(wrong);
    await accept('patch', `/${path}/105`, { assigneeId: 101 });
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
    const ids = [field === 'reviewer' ? 103 : 101, 999];
    for (const value of ids.flatMap((id) => [id, { id, text: 'defaced' }]))
      expect(await tenants.send('patch', '/tasks/106', { [field]: value })).toMatchObject(refused);
    await expectUnchanged();
  });

  test('a link to another tenant without a property for its column stays, by null and by a PUT without it', async () => {
    await accept('patch', '/tasks/106', { reviewer: null, brief: null });
    await accept('put', '/tasks/106', { text: 'mixed', parentId: 101 });
    expect(await stored()).toMatchObject([{ reviewer_id: 103, brief_id: 101, assigneeId: null }]);
  });

  test.each<readonly [string, Body]>([
    ['a link to a soft-deleted record', { watchers: [101, 104] }],
    ['an inverse one-to-one record', { detail: { id: 102, text: 'defaced' } }],
    ['the place of an inverse one-to-one record', { detail: { text: 'new', tenant: 'acme' } }],
    ['the place of an owned one-to-one record', { brief: { id: 0, text: 'new', tenant: 'acme' } }],
    ['an orphan', { steps: [{ id: 103 }] }],
    ['a child by its own change', { steps: [{ id: 102, tenant: 'beta' }] }],
  ])('%s out of reach is not named', async (_title, body) => {
    expect(await tenants.send('patch', '/tasks/106', body)).toMatchObject({ body: { code: 'CRUD_OUT_OF_SCOPE' } });
    await expectUnchanged();
  });

  test('a soft-deleted record that is linked is not changed, though its relation is free of conditions', () =>
    expectRefused('patch', '/open-tasks/106', { watchers: [{ id: 104, email: 'new' }] }));

  test('orphans out of reach stay, and new children come beside them', async () => {
    const kept = { id: 102, text: 'kept' };
    await accept('patch', '/tasks/106', { steps: [kept, { text: 'new', tenant: 'acme' }] });
    const steps = await query('SELECT id, text FROM steps ORDER BY id');
    expect(steps).toMatchObject([{ id: 102, text: 'kept' }, { id: 103, text: 'three' }, { text: 'new' }]);
  });
});
