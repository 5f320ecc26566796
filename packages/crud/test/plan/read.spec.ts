/** Requests and options → whole read plans: projection, joins, order, and what writes read. */
import { describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { SCondition } from '@nestwright/crud-request';
import fc from 'fast-check';
import type { QueryOptions } from '../../src/definition/query-options.js';
import { planKnown, planRead, planRecord, planRecords, planScope } from '../../src/plan/read.js';
import type { CrudRequest } from '../../src/crud-request.js';
import { categories, companies, memberships, projects, users } from './catalogs.js';
import { nameOf, print, refusalOf, requestOf, sourcesOf } from './plans.js';

type Parsed = Partial<CrudRequest['parsed']>;
const ALL = [...users.columns.values()].filter(({ selectable }) => selectable).map(({ path }) => path);
const sources = (parsed: Parsed, query: QueryOptions = {}, of = users) =>
  sourcesOf(planRead(requestOf(parsed, query), of, 'one'));
const root = (parsed: Parsed, query: QueryOptions = {}) => sources(parsed, query)[0];

describe('projection', () => {
  test('all but what the entity hides', () => {
    expect(root({})).toBe(`- User [${ALL.join(' ')}]`);
  });

  test.each<[Parsed, QueryOptions, string]>([
    [{ fields: ['email'] }, {}, 'id email'],
    [{ fields: ['name'] }, {}, 'id name.first name.last'],
    [{ fields: ['name.last', 'age'] }, {}, 'id name.last age'],
    [{ fields: ['secret', 'nope', '__proto__'] }, {}, 'id'],
    [{ fields: ['email', 'password'] }, { exclude: ['password'] }, 'id email'],
    [{ fields: ['email'] }, { exclude: ['id'] }, '(id) email'],
    [{ fields: ['email'] }, { persist: ['age'] }, 'id email age'],
    [{ fields: ['email'] }, { persist: ['age'], exclude: ['age'] }, 'id email'],
    [{ fields: ['email'] }, { persist: ['secret'] }, 'id email'],
    [{}, { allow: ['email'] }, 'id email'],
    [{}, { allow: ['email', 'name'], exclude: ['name.last'], persist: ['age'] }, 'id email name.first age'],
    [{ fields: ['age'] }, { allow: ['email'] }, 'id'],
    [{}, { allow: ['email'], exclude: ['id'] }, '(id) email'],
  ])('%j with %j', (parsed, query, expected) => {
    expect(root(parsed, query)).toBe(`- User [${expected}]`);
  });

  test('an excluded embedded object hides all of it', () => {
    expect(root({}, { exclude: ['name'] })).toBe(
      `- User [${ALL.filter((path) => !path.startsWith('name')).join(' ')}]`,
    );
  });
});

describe('joins', () => {
  const query: QueryOptions = {
    allow: ['email'],
    join: {
      company: { exclude: ['description'], allow: ['name', 'description'] },
      'company.projects': { alias: 'cp', allow: ['name'] },
      profile: { eager: true, exclude: ['id'], required: true },
      projects: { select: false },
      'projects.company': {},
    },
  };

  test.each<[Parsed['join'], string[]]>([
    [[], ['profile profile required [(id) bio city]']],
    [[{ field: 'company' }], ['company company [id name]', 'profile profile required [(id) bio city]']],
    [
      [{ field: 'cp' }],
      ['company company [id name]', 'company.projects cp many [id name]', 'profile profile required [(id) bio city]'],
    ],
    [
      [{ field: 'cp' }, { field: 'company', select: ['description'] }],
      ['company company [id]', 'company.projects cp many [id name]', 'profile profile required [(id) bio city]'],
    ],
    [[{ field: 'profile', select: ['city'] }], ['profile profile required [(id) city]']],
    [
      [
        { field: 'profile', select: ['city'] },
        { field: 'profile', select: ['bio'] },
      ],
      ['profile profile required [(id) bio city]'],
    ],
    [[{ field: 'profile', select: ['city'] }, { field: 'profile' }], ['profile profile required [(id) bio city]']],
    [[{ field: 'projects' }], ['profile profile required [(id) bio city]', 'projects projects unreturned many []']],
    [
      [{ field: 'projects.company' }],
      [
        'profile profile required [(id) bio city]',
        'projects projects unreturned many []',
        'projects.company projects_company unreturned many []',
      ],
    ],
    [
      [{ field: 'company.users' }, { field: 'nope' }, { field: '__proto__' }],
      ['profile profile required [(id) bio city]'],
    ],
  ])('%j', (join, expected) => {
    expect(sources({ join }, query).slice(1)).toEqual(expected);
  });

  test('a relation that is brought along without an option of its own returns its key alone', () => {
    expect(
      sources(
        { join: [{ field: 'users.projects' }] },
        { join: { 'users.projects': { alias: 'up' } } },
        companies,
      ).slice(1),
    ).toEqual(['users users many [id]', 'users.projects up many [id name isActive companyId]']);
  });

  test('their order is that of the options, whatever asks for them first', () => {
    const three: QueryOptions = { join: { company: {}, profile: {}, projects: {} } };
    const order = (parsed: Parsed) =>
      sources({ ...parsed, fields: ['id'] }, three)
        .slice(1)
        .map((line) => line.split(' ')[0]);
    expect(order({ join: [{ field: 'projects' }, { field: 'company' }], search: { 'profile.city': 'x' } })).toEqual([
      'company',
      'profile',
      'projects',
    ]);
    expect(order({ join: [{ field: 'profile' }], search: { 'projects.name': 'x', 'company.name': 'x' } })).toEqual([
      'company',
      'profile',
      'projects',
    ]);
  });

  test('self relations to their depth', () => {
    const join = { parent: {}, 'parent.parent': {} };
    expect(sources({ join: [{ field: 'parent.parent' }] }, { join }, categories)).toEqual([
      '- Category [id name parentId]',
      'parent parent [id name parentId]',
      'parent.parent parent_parent [id name parentId]',
    ]);
  });

  test('conditions of a join stand in its ON clause, after those of WHERE', () => {
    const join = [
      {
        field: 'cp',
        on: [
          { field: 'cp.name', operator: '$cont', value: 'x' },
          { field: 'company.projects.isActive', operator: 'isnull' },
        ],
      },
    ];
    const plan = planRead(requestOf({ join, search: { age: 5 } }, query), users, 'one');
    const cp = plan.root.joins[0]!.joins[0]!;
    expect([print(plan.where), print(cp.on), plan.values]).toEqual([
      'User.age eq $0',
      '(cp.name cont $1 AND cp.isActive isnull)',
      [5, 'x'],
    ]);
  });

  test('an ON clause names its own relation alone', () => {
    const join = [{ field: 'company', on: [{ field: 'email', operator: '$eq', value: 'x' }] }];
    expect(refusalOf(() => sources({ join }, query))).toMatchObject({ code: 'CRUD_UNKNOWN_FIELD', field: 'email' });
  });

  test('an excluded column is never read, whatever the request asks for', () => {
    const names = ['password', 'name', 'name.first', 'email', 'secret', 'company', 'company.password', '*', 'id'];
    const some = fc.array(fc.constantFrom(...names), { maxLength: 4 });
    const hidden: QueryOptions = {
      exclude: ['password'],
      join: { company: {}, 'company.users': { exclude: ['password', 'name'] } },
    };
    fc.assert(
      fc.property(some, some, (fields, select) => {
        const lines = sources({ fields, join: [{ field: 'company.users', select }] }, hidden);
        expect(lines.join()).not.toMatch(/password|secret/);
        expect(lines[2]).not.toMatch(/name/);
      }),
    );
  });
});

describe('order', () => {
  const sort = (parsed: Parsed, query: QueryOptions = {}, of = users) =>
    planRead(requestOf(parsed, query), of, 'many').sort.map(({ column, order }) => `${nameOf(column)} ${order}`);

  test('a to-one column joins its relation without returning it', () => {
    const plan = planRead(
      requestOf({ sort: [{ field: 'company.name', order: 'ASC' }] }, { join: { company: {} } }),
      users,
      'many',
    );
    expect(sourcesOf(plan)[1]).toBe('company company unreturned []');
  });

  test.each(['projects.name', 'company.projects.name', 'settings', 'settings.theme', 'tags', 'avatar'])(
    '%s is refused',
    (field) => {
      expect(refusalOf(() => sort({ sort: [{ field, order: 'ASC' }] }))).toMatchObject({
        statusCode: 400,
        code: 'CRUD_INVALID_QUERY',
      });
    },
  );
});

describe('cache, soft delete and operators in a plan', () => {
  test('a request made by hand', () => {
    const request = {
      parsed: { search: { id: 1 } },
      options: { query: {}, routes: {}, params: {} },
    } as unknown as CrudRequest;
    const plan = planRead(request, users, 'many');
    expect([print(plan.where), plan.values, plan.limit, Object.isFrozen(plan)]).toEqual([
      'User.id eq $0',
      [1],
      1000,
      true,
    ]);
  });

  test('an operator of the application’s own', () => {
    const request: CrudRequest = {
      ...requestOf({ search: { email: { sounds: 'Meyer' } } as SCondition }),
      options: { operators: { custom: { sounds: { query: (column, param) => `${column} ~ ${param}` } } } },
    };
    const plan = planRead(request, users, 'one');
    expect([print(plan.where), plan.values]).toEqual(['User.email custom sounds $0', ['Meyer']]);
  });
});

describe('what a write reads', () => {
  const request: CrudRequest = {
    ...requestOf(
      {
        search: { $and: [{ 'company.name': 'x' }, { id: 5 }] },
        join: [{ field: 'company' }],
        fields: ['email'],
        paramsFilter: [{ field: 'companyId', operator: '$eq', value: 1 }],
        includeDeleted: 1,
      },
      { softDelete: true, join: { company: { required: true, eager: true } } },
    ),
  };

  test('its scope: keys alone, nothing joined but for the condition, no deleted records', () => {
    const plan = planScope(request, users);
    expect(sourcesOf(plan)).toEqual(['- User [id]', 'company company unreturned []']);
    expect([print(plan.where), plan.values, plan.withDeleted]).toEqual([
      '(company.name eq $0 AND User.id eq $1)',
      ['x', 5],
      false,
    ]);
    expect(planScope(request, users, { withDeleted: true }).withDeleted).toBe(true);
  });

  test('the record again: key and scope, by default the path, and no join can hide it', () => {
    const plan = planRecord(request, users, { id: 7 });
    expect(sourcesOf(plan)).toEqual([
      '- User [id email]',
      'company company [id name domain description createdAt deletedAt]',
    ]);
    expect([print(plan.where), plan.values]).toEqual(['(User.id eq $0 AND User.companyId eq $1)', [7, 1]]);

    const scoped = planRecord({ ...request, scope: { age: { $gte: 18 } } }, users, { id: 7 });
    expect([print(scoped.where), scoped.values]).toEqual(['(User.id eq $0 AND User.age gte $1)', [7, 18]]);
  });

  test('whether the request may know of a record: its key, its scope and its conditions', () => {
    const plan = planKnown({ ...request, scope: { 'company.name': 'x' } }, users, { id: 7 });
    expect([sourcesOf(plan)[0], print(plan.where)]).toEqual([
      '- User [id]',
      '(User.id eq $0 AND company.name eq $1 AND company.name eq $2 AND User.id eq $3)',
    ]);
  });

  test('a list of keys, of which none may be missing', () => {
    expect(print(planRecords(requestOf(), users, [{ id: 7 }, { id: 8 }]).where)).toBe('User.id in $0');
    expect(print(planRecords(requestOf(), users, [{ id: 7 }, { id: null }]).where)).toBe('UNKNOWN');
  });

  test('composite keys, whole or not at all', () => {
    expect(planRecord(requestOf(), memberships, { companyId: 1, userId: 2 }).values).toEqual([1, 2]);
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    expect(print(planRecord(requestOf(), memberships, { companyId: 1 }).where)).toBe(
      '(Membership.companyId eq $0 AND UNKNOWN)',
    );
    expect(error).toHaveBeenCalledTimes(1);
    error.mockRestore();
  });
});

test('plans of equal requests are equal, and the tree hangs together', () => {
  const query: QueryOptions = Object.freeze({
    join: Object.freeze({ company: {}, 'company.projects': {}, projects: { eager: true } }),
  });
  const make = (value: string) =>
    planRead(
      requestOf({ search: { 'company.projects.name': value }, join: [{ field: 'company' }] }, query),
      users,
      'many',
    );
  const [one, two] = [make('a'), make('b')];
  expect({ ...one, values: [] }).toEqual({ ...two, values: [] });
  expect(
    one.root.joins.every((join) => join.parent === one.root && join.columns.every(({ source }) => source === join)),
  ).toBe(true);
  expect(projects.model).toBe('Project');
});
