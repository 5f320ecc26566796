/** Reads over HTTP of a resource whose related records are in reach or not: joins, conditions, sorts, totals, trusted conditions, the cache. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type INestApplication, Logger } from '@nestjs/common';
import { type AuthOptions, type CrudOptions, type CrudRequestOptions } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { ParsedRequestParams, SCondition } from '@nestwright/crud-request';
import request from 'supertest';
import { DataSource } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { Member, seed, Task, Team } from './entities.js';
import { resource, serve } from '../support/resources.js';

/** What the functions of `@CrudAuth` are given. */
interface Http {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const tenantOf = ({ headers }: Http) => ({ tenant: headers['x-tenant'] });
const inTenant = (http: Http) => http.headers['x-role'] !== 'root' && tenantOf(http);

const RELATIONS: NonNullable<AuthOptions['relations']> = {
  assignee: inTenant,
  watchers: async (http: Http) => Promise.resolve(inTenant(http)),
  parent: inTenant,
  subtasks: inTenant,
  'assignee.team': inTenant,
  'assignee.manager': inTenant,
};

const JOINS = {
  assignee: {},
  'assignee.team': {},
  'assignee.manager': {},
  watchers: {},
  'watchers.team': {},
  parent: {},
  subtasks: {},
  'subtasks.assignee': {},
};

/** Reads through a builder. */
class BuiltTasks extends TypeOrmCrudService<Task> {
  override async createBuilder(parsed: ParsedRequestParams, options: CrudRequestOptions, many?: boolean) {
    // A copy, as overrides make it.
    return (await super.createBuilder({ ...parsed }, options, many)).andWhere('1 = 1');
  }
}

interface Resource {
  readonly auth?: AuthOptions;
  readonly query?: CrudOptions<Task>['query'];
  readonly service?: typeof BuiltTasks;
}

const SCOPED: AuthOptions = { filter: tenantOf, relations: RELATIONS };

const RESOURCES: Record<string, Resource> = {
  tasks: {},
  built: { service: BuiltTasks },
  required: { query: { join: { ...JOINS, assignee: { required: true, eager: true } } } },
  filtered: { query: { join: JOINS, filter: { 'assignee.name': { $in: ['Ann', 'Cyd'] } } } },
  listed: { query: { join: JOINS, filter: [{ field: 'assignee.name', operator: '$eq', value: 'Cyd' }] } },
  computed: {
    query: { join: JOINS, filter: (search) => ({ $and: [search ?? {}, { 'watchers.name': 'Cyd' }] as SCondition[] }) },
  },
  alternative: { auth: { ...SCOPED, or: () => ({ 'assignee.name': 'Cyd' }) } },
  owned: { auth: { ...SCOPED, filter: () => ({ 'assignee.tenant': 'beta' }) } },
  leading: {
    auth: {
      relations: {
        assignee: ({ headers }: Http) => ({ 'team.tenant': headers['x-tenant'] }),
        watchers: () => ({ 'team.name': 'red' }),
        parent: () => ({ 'watchers.name': 'Ann', title: { $ne: 'none' } }),
        subtasks: () => ({ 'assignee.team.name': 'blue' }),
      },
    },
  },
  forgotten: { auth: { relations: { assignee: ({ headers }: Http) => ({ tenant: headers['x-nobody'] }) } } },
  unassigned: { auth: { filter: () => ({ 'assignee.id': null }) } },
  cached: { auth: { relations: RELATIONS }, query: { join: JOINS, cache: 60_000 } },
};

type Body = Record<string, any>[]; // Any JSON.

describeDatabases('related records in reach', (db) => {
  let source: DataSource;
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const resources = Object.entries(RESOURCES).map(([path, { auth = SCOPED, query = { join: JOINS }, service }]) =>
      resource(Task, path, { auth, query, ...(service && { service }) }),
    );
    ({ app, url, source } = await serve(db, [Team, Member, Task], resources, { source: { cache: true } }));
    await seed(source);
  });

  afterAll(async () => {
    await app.close();
    jest.restoreAllMocks();
  });

  const get = async (path: string, headers: object = {}, status = 200) =>
    (
      await request(url)
        .get(path)
        .set({ 'x-tenant': 'acme', ...headers })
        .expect(status)
    ).body as Body;
  const ids = async (path: string, headers?: object) => (await get(path, headers)).map(({ id }) => id as number);
  /** What a property of each record is, by the record's id: names or ids of related records. */
  const by = (records: Body, pick: (record: Body[number]) => unknown) =>
    Object.fromEntries(records.map((record) => [record.id, pick(record) ?? null]));
  const names = (related: Body | undefined) => related?.map(({ name }) => name as string).toSorted();

  // The order of joined records is the database's where a builder reads them.
  const numbers = (related: Body) => related.map(({ id }) => id as number).toSorted((one, other) => one - other);

  describe.each(['tasks', 'built'])('read by /%s', (path) => {
    const joined = (relation: string, headers?: object) => get(`/${path}?join=${relation}`, headers);

    test('joins leave out what is out of reach, to one and to many', async () => {
      expect(by(await joined('assignee'), ({ assignee }) => assignee?.name)).toEqual({
        1: 'Ann',
        2: null,
        3: null,
        4: 'Ben',
      });
      expect(by(await joined('watchers'), ({ watchers }) => names(watchers))).toEqual({
        1: ['Ann'],
        2: [],
        3: [],
        4: ['Ben'],
      });
      expect(by(await joined('parent'), ({ parent }) => parent?.id)).toEqual({ 1: null, 2: null, 3: 1, 4: 1 });
      expect(by(await joined('subtasks'), ({ subtasks }) => numbers(subtasks))).toEqual({
        1: [3, 4],
        2: [],
        3: [],
        4: [],
      });
    });

    test('at any depth, by whatever path the relation is reached', async () => {
      expect(by(await joined('assignee.team'), ({ assignee }) => assignee && [assignee.team?.name ?? null])).toEqual({
        1: ['red'],
        2: null,
        3: null,
        4: [null],
      });
      expect(
        by(await joined('watchers.team'), ({ watchers }) => watchers.map(({ team }: Member) => team?.name ?? null)),
      ).toEqual({ 1: ['red'], 2: [], 3: [], 4: [null] });
      expect(by(await joined('assignee.manager'), ({ assignee }) => assignee?.manager)).toEqual({
        1: null,
        2: null,
        3: null,
        4: null,
      });
      expect(
        by(await joined('subtasks.assignee'), ({ subtasks }) =>
          subtasks.map(({ assignee }: Task) => assignee?.name ?? 'none').toSorted(),
        ),
      ).toEqual({ 1: ['Ben', 'none'], 2: [], 3: [], 4: [] });
    });

    test('one record shows what a list shows', async () => {
      const one = (await get(`/${path}/2?join=assignee&join=watchers&join=parent`)) as unknown as Task;

      expect(one).toMatchObject({ id: 2, assignee: null, watchers: [], parent: null });
    });

    test('another tenant sees the same links from the other side', async () => {
      const [five] = await get(`/${path}?join=assignee&join=watchers&join=parent`, { 'x-tenant': 'beta' });

      expect(five).toMatchObject({ id: 5, assignee: { name: 'Cyd' }, watchers: [], parent: null });
    });

    test('false lets all be seen', async () => {
      expect(by(await joined('assignee', { 'x-role': 'root' }), ({ assignee }) => assignee?.name)).toEqual({
        1: 'Ann',
        2: 'Cyd',
        3: null,
        4: 'Ben',
      });
    });

    test.each<[string, number[]]>([
      ['filter=assignee.name||$eq||Cyd', []],
      ['filter=assignee.name||$ne||Ann', [4]],
      ['filter=assignee.id||$isnull', [2, 3]],
      ['or=assignee.name||$eq||Cyd', []],
      ['s={"$not":{"assignee.name":"Ann"}}', [4]],
      ['s={"$or":[{"assignee.team.name":"blue"},{"assignee.manager.name":"Cyd"}]}', []],
      ['s={"assignee.team.name":{"$in":["red","blue"]}}', [1]],
      ['filter=watchers.name||$eq||Cyd', []],
      ['filter=watchers.name||$starts||A', [1]],
      ['filter=watchers.id||$isnull', [2, 3]],
      ['s={"$or":[{"watchers.name":"Cyd"},{"watchers.name":"Dee"},{"parent.title":"five"}]}', []],
      ['filter=subtasks.title||$eq||five', []],
      ['filter=subtasks.title||$eq||four', [1]],
    ])('a condition sees nothing of what is out of reach, joined or not: %s', async (condition, expected) => {
      expect(await ids(`/${path}?${condition}`)).toEqual(expected);
      expect(
        await ids(
          `/${path}?${condition}&join=assignee.team&join=assignee.manager&join=watchers&join=subtasks&join=parent`,
        ),
      ).toEqual(expected);

      const { total } = (await get(`/${path}?${condition}&limit=1&page=1`)) as unknown as { total: number };
      expect(total).toBe(expected.length);
    });

    test("a condition of a join stands beside the scope's", async () => {
      const on = (name: string) => get(`/${path}?join=watchers||name||on[0]=watchers.name||$eq||${name}`);

      expect(by(await on('Ann'), ({ watchers }) => names(watchers))).toMatchObject({ 1: ['Ann'], 4: [] });
      expect(by(await on('Cyd'), ({ watchers }) => names(watchers))).toMatchObject({ 1: [], 2: [] });
    });

    test('sorts see it as missing', async () => {
      // PostgreSQL takes a null for the largest value.
      expect(await ids(`/${path}?sort=assignee.name,DESC&sort=id,ASC`)).toEqual(
        db.kind === 'postgres' ? [2, 3, 4, 1] : [4, 1, 2, 3],
      );
    });
  });

  test('a required join hides records whose related one is out of reach, from list and total', async () => {
    expect(await ids('/required')).toEqual([1, 4]);
    expect(await get('/required?limit=1&page=1')).toMatchObject({ total: 2 });
    await get('/required/2', {}, 404);
  });

  describe('trusted conditions see all related records', () => {
    test('of query.filter, as an object and as a list', async () => {
      expect(by(await get('/filtered?join=assignee'), ({ assignee }) => assignee?.name)).toEqual({
        1: 'Ann',
        2: null,
      });
      expect(await ids('/filtered?filter=assignee.name||$eq||Cyd')).toEqual([]);
      expect(await ids('/listed?join=assignee')).toEqual([2]);
    });

    test("of a function that puts the client's condition beside its own", async () => {
      expect(by(await get('/computed?join=watchers'), ({ watchers }) => names(watchers))).toEqual({
        1: ['Ann'],
        2: [],
      });
      expect(
        by(await get('/computed?join=watchers&filter=watchers.name||$eq||Ann'), ({ watchers }) => names(watchers)),
      ).toEqual({ 1: ['Ann'] });
      expect(await ids('/computed?filter=watchers.name||$eq||Cyd')).toEqual([]);
    });

    test('of @CrudAuth, filter and or', async () => {
      expect(await ids('/alternative?filter=assignee.name||$eq||Ben')).toEqual([2, 4]);
      expect(by(await get('/owned?join=assignee'), ({ assignee }) => assignee?.name)).toEqual({ 2: null, 5: null });
      expect(
        (await request(url).patch('/owned/2?join=assignee').set('x-tenant', 'acme').send({}).expect(200)).body,
      ).toMatchObject({ id: 2, assignee: null });
    });
  });

  test("a client's condition on a join hides nothing from a trusted one", async () => {
    const hidden = 'join=assignee||name||on[0]=assignee.name||$eq||nobody';

    expect(await ids('/unassigned?join=assignee')).toEqual([3]);
    expect(await ids(`/unassigned?${hidden}`)).toEqual([3]);
    expect(by(await get(`/tasks?${hidden}`), ({ assignee }) => assignee)).toMatchObject({ 1: null, 4: null });
  });

  test('a condition on related records may lead to further relations', async () => {
    expect(by(await get('/leading?join=assignee'), ({ assignee }) => assignee?.name)).toEqual({
      1: 'Ann',
      2: null,
      3: null,
      4: null,
      5: null,
    });
    expect(by(await get('/leading?join=watchers'), ({ watchers }) => names(watchers))).toEqual({
      1: ['Ann'],
      2: [],
      3: [],
      4: ['Dee'],
      5: ['Ann'],
    });
    expect(
      by(await get('/leading?join=watchers&filter=watchers.name||$starts||A'), ({ watchers }) => names(watchers)),
    ).toEqual({ 1: ['Ann'], 5: ['Ann'] });
    expect(by(await get('/leading?join=parent'), ({ parent }) => parent?.id)).toEqual({
      1: null,
      2: 5,
      3: 1,
      4: 1,
      5: 1,
    });
    expect(by(await get('/leading?join=subtasks.assignee'), ({ subtasks }) => numbers(subtasks))).toMatchObject({
      1: [4, 5],
      5: [2],
    });
    expect(await ids('/leading?filter=subtasks.assignee.name||$eq||Ben')).toEqual([]);
    expect(await ids('/leading?filter=subtasks.title||$eq||two')).toEqual([5]);
  });

  test('an undefined value matches none of them, and is logged', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const assignees = by(await get('/forgotten?join=assignee'), ({ assignee }) => assignee);
    const logged = error.mock.calls.flat().join();
    error.mockRestore();

    expect(assignees).toEqual({ 1: null, 2: null, 3: null, 4: null, 5: null });
    expect(logged).toContain('A condition on Member compares "tenant" with undefined');
  });

  test('a cached answer is of the same scope', async () => {
    const of = async (tenant: string) =>
      by(await get('/cached?join=assignee&join=watchers', { 'x-tenant': tenant }), ({ assignee, watchers }) => [
        assignee?.name ?? null,
        ...names(watchers)!,
      ]);
    const acme = { 1: ['Ann', 'Ann'], 2: [null], 3: [null], 4: ['Ben', 'Ben'], 5: [null, 'Ann'] };
    const beta = { 1: [null, 'Cyd'], 2: ['Cyd', 'Cyd'], 3: [null], 4: [null, 'Dee'], 5: ['Cyd'] };

    for (const [tenant, seen] of [
      ['acme', acme],
      ['beta', beta],
      ['acme', acme],
    ] as const)
      expect(await of(tenant)).toEqual(seen);
  });

  test('the answer of a write is read as any other', async () => {
    const { body } = await request(url)
      .patch('/tasks/2?join=assignee&join=watchers&join=parent')
      .set('x-tenant', 'acme')
      .send({ title: 'TWO' })
      .expect(200);

    expect(body).toMatchObject({ id: 2, title: 'TWO', assigneeId: 3, assignee: null, watchers: [], parent: null });
  });
});
