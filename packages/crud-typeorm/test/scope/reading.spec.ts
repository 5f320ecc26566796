/** Reads over HTTP of a resource whose related records are in reach or not: joins, conditions, sorts, totals, trusted conditions; and mistakes in what the application itself wrote. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AuthOptions, CrudOptions } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { SCondition } from '@nestwright/crud-request';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

// Two tenants whose records are linked across: tasks of members, members of teams.
@orm.Entity('scope_teams')
class Team {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) tenant!: string;
  @orm.Column({ type: 'varchar', length: 20 }) name!: string;
}

@orm.Entity('scope_members')
class Member {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) tenant!: string;
  @orm.Column({ type: 'varchar', length: 20 }) name!: string;
  @orm.Column({ type: 'int' }) teamId!: number;
  @orm.ManyToOne(() => Team) @orm.JoinColumn({ name: 'teamId' }) team!: orm.Relation<Team>;
  @orm.Column({ type: 'int', nullable: true }) managerId!: number | null;
  @orm.ManyToOne(() => Member) @orm.JoinColumn({ name: 'managerId' }) manager!: orm.Relation<Member> | null;
  @orm.DeleteDateColumn() deletedAt!: Date | null;
}

@orm.Entity('scope_tasks')
class Task {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) tenant!: string;
  @orm.Column({ type: 'varchar', length: 20 }) title!: string;
  @orm.Column({ type: 'int', nullable: true }) assigneeId!: number | null;
  @orm.ManyToOne(() => Member) @orm.JoinColumn({ name: 'assigneeId' }) assignee!: orm.Relation<Member> | null;
  @orm.ManyToMany(() => Member) @orm.JoinTable({ name: 'scope_watchers' }) watchers!: orm.Relation<Member>[];
  @orm.Column({ type: 'int', nullable: true }) parentId!: number | null;
  @orm.ManyToOne(() => Task, ({ subtasks }) => subtasks) @orm.JoinColumn({ name: 'parentId' }) parent!: Task | null;
  @orm.OneToMany(() => Task, (task) => task.parent) subtasks!: orm.Relation<Task>[];
}

/** Of the links, those across tenants are a mistake of the past. Eve is deleted. */
async function seed(source: orm.DataSource): Promise<void> {
  const teams = Object.entries({ acme: 'red', beta: 'blue' });
  await source.getRepository(Team).insert(teams.map(([tenant, name], at) => ({ id: at + 1, tenant, name })));
  await source.getRepository(Member).insert([
    { id: 1, tenant: 'acme', name: 'Ann', teamId: 1 },
    { id: 3, tenant: 'beta', name: 'Cyd', teamId: 2 },
    { id: 2, tenant: 'acme', name: 'Ben', teamId: 2, managerId: 3 },
    { id: 4, tenant: 'beta', name: 'Dee', teamId: 1, managerId: 1 },
    { id: 5, tenant: 'acme', name: 'Eve', teamId: 1, deletedAt: new Date('2026-01-01T00:00:00Z') },
  ]);
  await source.getRepository(Task).insert([
    { id: 1, tenant: 'acme', title: 'one', assigneeId: 1 },
    { id: 2, tenant: 'acme', title: 'two', assigneeId: 3 },
    { id: 3, tenant: 'acme', title: 'three', assigneeId: 5, parentId: 1 },
    { id: 4, tenant: 'acme', title: 'four', assigneeId: 2, parentId: 1 },
    { id: 5, tenant: 'beta', title: 'five', assigneeId: 3, parentId: 1 },
  ]);
  await source.getRepository(Task).update({ id: 2 }, { parentId: 5 });
  const watching: Record<number, number[]> = { 1: [1, 3], 2: [3], 4: [2, 4, 5], 5: [1] };
  for (const [task, members] of Object.entries(watching))
    await source.createQueryBuilder().relation(Task, 'watchers').of(Number(task)).add(members);
}

type Http = { readonly headers: Readonly<Record<string, string | undefined>> };

const tenantOf = ({ headers }: Http) => ({ tenant: headers['x-tenant'] });
const REACHED = ['assignee', 'watchers', 'parent', 'subtasks', 'assignee.team', 'assignee.manager'];
const RELATIONS = Object.fromEntries(REACHED.map((path) => [path, tenantOf]));
const PATHS = ['assignee', 'assignee.team', 'assignee.manager', 'watchers', 'watchers.team', 'parent', 'subtasks'];
const JOINS = Object.fromEntries([...PATHS, 'subtasks.assignee'].map((path) => [path, {}]));

class BuiltTasks extends TypeOrmCrudService<Task> {
  override async createBuilder(...[parsed, ...more]: Parameters<TypeOrmCrudService<Task>['createBuilder']>) {
    // A copy, as overrides make it.
    return (await super.createBuilder({ ...parsed }, ...more)).andWhere('1 = 1');
  }
}

const SCOPED: AuthOptions = { filter: tenantOf, relations: RELATIONS };

const LEADING: NonNullable<AuthOptions['relations']> = {
  assignee: ({ headers }: Http) => ({ 'team.tenant': headers['x-tenant'] }),
  watchers: () => ({ 'team.name': 'red' }),
  parent: () => ({ 'watchers.name': 'Ann', title: { $ne: 'none' } }),
  subtasks: () => ({ 'assignee.team.name': 'blue' }),
};

const tasks = (path: string, query: CrudOptions<Task>['query'] = {}, auth: AuthOptions = SCOPED) =>
  resource(Task, path, { auth, query: { join: JOINS, ...query } });

/** The condition that a request asks the application to make. */
const mistakenBy = ({ headers }: Http) => JSON.parse(headers['x-condition']!) as SCondition;
const MISTAKEN: Record<string, [auth: AuthOptions, query?: CrudOptions<Task>['query']]> = {
  filter: [{ filter: mistakenBy }],
  or: [{ filter: () => ({}), or: mistakenBy }],
  relation: [{ relations: { assignee: mistakenBy } }],
  function: [{}, { filter: (search, _, http) => ({ $and: [search ?? {}, mistakenBy(http as Http)] }) }],
};

const RESOURCES = [
  ...Object.entries(MISTAKEN).map(([path, [auth, query]]) => tasks(path, query, auth)),
  tasks('tasks'),
  resource(Task, 'built', { auth: SCOPED, query: { join: JOINS }, service: BuiltTasks }),
  tasks('required', { join: { ...JOINS, assignee: { required: true, eager: true } } }),
  tasks('filtered', { filter: { 'assignee.name': { $in: ['Ann', 'Cyd'] } } as never }),
  tasks('computed', { filter: (search) => ({ $and: [search ?? {}, { 'watchers.name': 'Cyd' }] as SCondition[] }) }),
  tasks('alternative', {}, { ...SCOPED, or: () => ({ 'assignee.name': 'Cyd' }) }),
  tasks('owned', {}, { ...SCOPED, filter: () => ({ 'assignee.tenant': 'beta' }) }),
  tasks('leading', {}, { relations: LEADING }),
  tasks('unassigned', {}, { filter: () => ({ 'assignee.id': null }) }),
];

type Body = Record<string, any>[]; // Any JSON.
describeDatabases('related records in reach', (db) => {
  beforeAll(() => {
    for (const level of ['warn', 'error'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
  });
  const served = serving(db, [Team, Member, Task], RESOURCES, { fill: seed });
  afterAll(() => void jest.restoreAllMocks());

  const get = async (path: string, headers: object = {}, expected = 200) => {
    const { status, body } = await served.send('get', path, undefined, { 'x-tenant': 'acme', ...headers });
    expect([path, status]).toEqual([path, expected]);
    return body as Body;
  };
  const ids = async (path: string, headers?: object) => (await get(path, headers)).map(({ id }) => id as number);
  /** What a property of each record is, by the record's id: names or ids of related records. */
  const by = (records: Body, pick: (record: Body[number]) => unknown) =>
    Object.fromEntries(records.map((record) => [record.id, pick(record) ?? null]));
  // The order of joined records is the database's where a builder reads them.
  const sorted = <T>(values: readonly T[]) => values.toSorted((one, other) => (one < other ? -1 : 1));
  const names = (related: Body) => sorted(related.map(({ name }) => name as string));
  const teams = (related: Body) => related.map(({ team }) => team?.name ?? 'none');
  const numbers = (related: Body) => sorted(related.map(({ id }) => id as number));

  describe.each(['tasks', 'built'])('read by /%s', (path) => {
    test.each<[relation: string, pick: (task: Body[number]) => unknown, expected: Record<number, unknown>]>([
      ['assignee', ({ assignee }) => assignee?.name, { 1: 'Ann', 2: null, 3: null, 4: 'Ben' }],
      ['watchers', ({ watchers }) => names(watchers), { 1: ['Ann'], 2: [], 3: [], 4: ['Ben'] }],
      ['parent', ({ parent }) => parent?.id, { 1: null, 2: null, 3: 1, 4: 1 }],
      ['subtasks', ({ subtasks }) => numbers(subtasks), { 1: [3, 4], 2: [], 3: [], 4: [] }],
      // At any depth, by whatever path the relation is reached.
      ['assignee.team', ({ assignee }) => assignee && teams([assignee]), { 1: ['red'], 2: null, 3: null, 4: ['none'] }],
      ['watchers.team', ({ watchers }) => teams(watchers), { 1: ['red'], 2: [], 3: [], 4: ['none'] }],
      ['assignee.manager', ({ assignee }) => assignee?.manager, { 1: null, 2: null, 3: null, 4: null }],
    ])('a join of %s leaves out what is out of reach', async (relation, pick, expected) => {
      expect(by(await get(`/${path}?join=${relation}`), pick)).toEqual(expected);
    });

    test.each<[string, number[]]>([
      ['filter=assignee.name||$eq||Cyd', []],
      ['filter=assignee.id||$isnull', [2, 3]],
      ['or=assignee.name||$eq||Cyd', []],
      ['s={"$or":[{"assignee.team.name":"blue"},{"assignee.manager.name":"Cyd"}]}', []],
      ['filter=watchers.name||$eq||Cyd', []],
      ['s={"$or":[{"watchers.name":"Cyd"},{"watchers.name":"Dee"},{"parent.title":"five"}]}', []],
      ['filter=subtasks.title||$eq||four', [1]],
    ])('a condition sees nothing of what is out of reach, joined or not: %s', async (condition, expected) => {
      const joined = ['assignee.team', 'assignee.manager', 'watchers', 'subtasks', 'parent'];
      expect(await ids(`/${path}?${condition}`)).toEqual(expected);
      expect(await ids(`/${path}?${[condition, ...joined.map((name) => `join=${name}`)].join('&')}`)).toEqual(expected);
      expect(await get(`/${path}?${condition}&limit=1&page=1`)).toMatchObject({ total: expected.length });
    });

    test("a condition of a join stands beside the scope's", async () => {
      const on = (name: string) => get(`/${path}?join=watchers||name||on[0]=watchers.name||$eq||${name}`);
      expect(by(await on('Ann'), ({ watchers }) => names(watchers))).toMatchObject({ 1: ['Ann'], 4: [] });
      expect(by(await on('Cyd'), ({ watchers }) => names(watchers))).toMatchObject({ 1: [], 2: [] });
    });

    test('sorts see it as missing', async () => {
      // PostgreSQL takes a null for the largest value.
      const expected = db.kind === 'postgres' ? [2, 3, 4, 1] : [4, 1, 2, 3];
      expect(await ids(`/${path}?sort=assignee.name,DESC&sort=id,ASC`)).toEqual(expected);
    });
  });

  test('a required join hides records whose related one is out of reach, from list and total', async () => {
    expect(await ids('/required')).toEqual([1, 4]);
    expect(await get('/required?limit=1&page=1')).toMatchObject({ total: 2 });
    await get('/required/2', {}, 404);
  });

  describe('trusted conditions see all related records', () => {
    test('of query.filter', async () => {
      const filtered = by(await get('/filtered?join=assignee'), ({ assignee }) => assignee?.name);
      expect(filtered).toEqual({ 1: 'Ann', 2: null });
      expect(await ids('/filtered?filter=assignee.name||$eq||Cyd')).toEqual([]);
    });

    test("of a function that puts the client's condition beside its own", async () => {
      const computed = async (more = '') =>
        by(await get(`/computed?join=watchers${more}`), ({ watchers }) => names(watchers));
      expect(await computed()).toEqual({ 1: ['Ann'], 2: [] });
      expect(await computed('&filter=watchers.name||$eq||Ann')).toEqual({ 1: ['Ann'] });
      expect(await ids('/computed?filter=watchers.name||$eq||Cyd')).toEqual([]);
    });

    test('of @CrudAuth, filter and or', async () => {
      expect(await ids('/alternative?filter=assignee.name||$eq||Ben')).toEqual([2, 4]);
      expect(by(await get('/owned?join=assignee'), ({ assignee }) => assignee?.name)).toEqual({ 2: null, 5: null });
      const patched = await served.send('patch', '/owned/2?join=assignee', {}, { 'x-tenant': 'acme' });
      expect(patched).toMatchObject({ status: 200, body: { id: 2, assignee: null } });
    });
  });

  test("a client's condition on a join hides nothing from a trusted one", async () => {
    const hidden = 'join=assignee||name||on[0]=assignee.name||$eq||nobody';
    expect(await ids('/unassigned?join=assignee')).toEqual([3]);
    expect(await ids(`/unassigned?${hidden}`)).toEqual([3]);
    expect(by(await get(`/tasks?${hidden}`), ({ assignee }) => assignee)).toMatchObject({ 1: null, 4: null });
  });

  test('a condition on related records may lead to further relations', async () => {
    const leading = async (query: string, pick: (task: Body[number]) => unknown) =>
      by(await get(`/leading?${query}`), pick);
    const watching = ({ watchers }: Body[number]) => names(watchers);
    const assignees = await leading('join=assignee', ({ assignee }) => assignee?.name);
    expect(assignees).toEqual({ 1: 'Ann', 2: null, 3: null, 4: null, 5: null });
    expect(await leading('join=watchers', watching)).toEqual({ 1: ['Ann'], 2: [], 3: [], 4: ['Dee'], 5: ['Ann'] });
    expect(await leading('join=parent', ({ parent }) => parent?.id)).toEqual({ 1: null, 2: 5, 3: 1, 4: 1, 5: 1 });
    expect(await ids('/leading?join=watchers&filter=watchers.name||$starts||A')).toEqual([1, 5]);
    expect(await ids('/leading?filter=subtasks.assignee.name||$eq||Ben')).toEqual([]);
    expect(await ids('/leading?filter=subtasks.title||$eq||two')).toEqual([5]);
  });

  test('the answer of a write is read as any other', async () => {
    const path = '/tasks/2?join=assignee&join=watchers&join=parent';
    const { body } = await served.send('patch', path, { title: 'TWO' }, { 'x-tenant': 'acme' });
    expect(body).toMatchObject({ id: 2, title: 'TWO', assigneeId: 3, assignee: null, watchers: [], parent: null });
  });

  test.each(['{"nope":1}', '{"id":"abc"}', '[{"id":1}]', '5'])(
    'the mistake %s is a 500, and changes nothing',
    async (it) => {
      const stored = () => served.source.getRepository(Task).find({ order: { id: 'ASC' } });
      const before = await stored();
      const throughAssignee = ['join=assignee', 'sort=assignee.name', 'filter=assignee.id||$isnull'];
      const asks = ['get /filter?limit=1&page=1&s={"id":1}', 'get /or?s={"id":1}', 'get /function?s={"id":1}']
        .concat(['get /filter/1', 'post /filter', 'patch /filter/1', 'put /filter/1', 'delete /filter/1'])
        .concat(throughAssignee.map((one) => `get /relation?${one}`));
      for (const ask of asks) {
        const [method, path] = ask.split(' ') as ['get' | 'post', string];
        const body = /^p/.test(method) ? { id: method === 'post' ? 9 : 1, tenant: 'acme', title: 'stolen' } : undefined;
        const answer = await served.send(method, path, body, { 'x-condition': it });
        const told = { status: 500, body: { statusCode: 500, message: 'Internal server error' } };
        expect([ask, answer]).toEqual([ask, told]);
      }
      expect(await served.statusOf('get', '/relation', undefined, { 'x-condition': it })).toBe(200);
      expect(await stored()).toEqual(before);
    },
  );
});
