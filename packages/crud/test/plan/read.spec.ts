/** Requests and options → whole read plans: projection, joins, order, conditions with their values, the part of a list, cursors, and what writes read; what is refused, and with which code. */
import { createHash } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { SCondition } from '@nestwright/crud-request';
import type { QueryOptions } from '../../src/definition/query-options.js';
import { markClientCondition } from '../../src/plan/condition-origins.js';
import { type Cursor, planCursor } from '../../src/plan/cursor.js';
import { isEnveloped } from '../../src/plan/paging.js';
import { project } from '../../src/plan/projection.js';
import { planKnown, planRead, planRecord, planRecords, planScope } from '../../src/plan/read.js';
import type { CrudRequest } from '../../src/crud-request.js';
import { decidePage, planByCursor, planMany } from '../../src/store/pages.js';
import { NotesService } from '../store/notes.js';
import { companies, memberships, users } from './catalogs.js';
import { print, refusalOf, requestOf, sourcesOf } from './plans.js';

type Parsed = Partial<CrudRequest['parsed']>;
const ALL = [...users.columns.values()].filter(({ selectable }) => selectable).map(({ path }) => path);
const sources = (parsed: Parsed, query: QueryOptions = {}, of = users) =>
  sourcesOf(planRead(requestOf(parsed, query), of, 'many'));
const joining = (...fields: string[]) => ({ join: fields.map((field) => ({ field })) });
const root = (parsed: Parsed, query: QueryOptions = {}) => sources(parsed, query)[0];

test.each<[Parsed, QueryOptions, string]>([
  [{}, {}, ALL.join(' ')],
  [{}, { exclude: ['name'] }, ALL.filter((path) => !path.startsWith('name')).join(' ')],
  [{ fields: ['name'] }, {}, 'id name.first name.last'],
  [{ fields: ['secret', 'nope', '__proto__'] }, {}, 'id'],
  [{ fields: ['email'] }, { exclude: ['id'] }, '(id) email'],
  [{ fields: ['email'] }, { persist: ['secret'] }, 'id email'],
  [{}, { allow: ['name'], exclude: ['name.last', 'tags'], persist: ['age', 'tags'] }, 'id name.first age'],
])('a projection of %j with %j', (parsed, query, expected) => expect(root(parsed, query)).toBe(`- User [${expected}]`));

const JOINING: QueryOptions = {
  allow: ['email'],
  join: {
    company: { exclude: ['description'], allow: ['name', 'description'] },
    'company.projects': { alias: 'cp', allow: ['name'] },
    profile: { eager: true, exclude: ['id'], required: true },
    projects: { select: false },
    'projects.company': {},
  },
};
const profile = 'profile profile required [(id) bio city]';
const [companyOf, cp] = ['company company', 'company.projects cp many [id name]'];
const unreturned = 'projects projects unreturned many []';
const city = { field: 'profile', select: ['city'] };

test.each<[Parsed['join'], ...sources: string[]]>([
  [[], profile],
  [[{ field: 'company' }], `${companyOf} [id name]`, profile],
  [[{ field: 'cp' }], `${companyOf} [id name]`, cp, profile],
  [[{ field: 'company', select: ['description'] }, { field: 'cp' }], `${companyOf} [id]`, cp, profile],
  [[city], 'profile profile required [(id) city]'],
  [[{ field: 'projects.company' }], profile, unreturned, 'projects.company projects_company unreturned many []'],
  [[{ field: 'company.users' }, { field: 'nope' }, { field: '__proto__' }], profile],
])('joins of %j', (join, ...expected) => expect(sources({ join }, JOINING).slice(1)).toEqual(expected));

test('a relation that is brought along without an option of its own returns its key alone', () => {
  const options = { join: { 'users.projects': { alias: 'up' } } };
  expect(sources(joining('users.projects'), options, companies).slice(1)).toEqual([
    'users users many [id]',
    'users.projects up many [id name isActive companyId]',
  ]);
});

test('conditions of a join stand in its ON clause, after those of WHERE', () => {
  const on = [
    { field: 'cp.name', operator: '$cont', value: 'x' },
    { field: 'company.projects.isActive', operator: 'isnull' },
  ];
  const plan = planRead(requestOf({ join: [{ field: 'cp', on }], search: { age: 5 } }, JOINING), users, 'one');
  expect([print(plan.where), plan.values]).toEqual(['User.age eq $0', [5, 'x']]);
  expect(print(plan.root.joins[0]!.joins[0]!.on)).toBe('(cp.name cont $1 AND cp.isActive isnull)');
});

test.each([
  ['company', '(company_trusted.name eq $0 AND profile.city eq $1)', 'profile.city'],
  ['company.projects', '(company_projects_trusted.name eq $0 AND projects.name eq $1)', 'projects.name'],
])('a condition of a join of %s keeps those of the application apart, there alone', (field, where, other) => {
  const join = [{ field, on: [{ field: `${field}.name`, operator: '$eq', value: 'x' }] }];
  const search = { [`${field}.name`]: 'y', [other]: 'z' };
  expect(print(planRead(requestOf({ join, search }, JOINING), users, 'one').where)).toBe(where);
});

test('an ON clause names its own relation alone', () => {
  const join = [{ field: 'company', on: [{ field: 'email', operator: '$eq', value: 'x' }] }];
  expect(refusalOf(() => sources({ join }, JOINING))).toMatchObject({ code: 'CRUD_UNKNOWN_FIELD', field: 'email' });
});

const orderBy = (field: string): Parsed => ({ sort: [{ field, order: 'ASC' }] });
const UNORDERED = ['projects.name', 'company.projects.name', 'settings', 'settings.theme', 'tags', 'avatar'];

test.each(UNORDERED)('an order by %s is refused', (field) =>
  expect(refusalOf(() => sources(orderBy(field), { join: { company: {} } })).code).toBe('CRUD_INVALID_QUERY'),
);

test('the plan of a request made by hand', () => {
  const request = { parsed: { search: { 'settings.size': 5n } }, options: { query: {}, routes: {}, params: {} } };
  const plan = planRead(request as unknown as CrudRequest, users, 'many');
  expect([print(plan.where), plan.values, plan.limit]).toEqual(['User.settings>size:number eq $0', [5], 1000]);
  expect(Object.isFrozen(plan)).toBe(true);
});

test.each<[field: string, isClient: boolean, value: unknown]>([
  ['age', true, 5],
  ['age', false, '5'],
  ['settings.size', true, 5],
])('a custom operator on %s gets what a client (%s) sends as its column reads it: %j', (field, isClient, value) => {
  const search: SCondition = { [field]: { like: '5' } };
  if (isClient) markClientCondition(search);
  const operators = { custom: { like: { query: () => 'TRUE' } } };
  const plan = planRead({ ...requestOf({ search }), options: { operators } }, users, 'one');
  expect([print(plan.where), plan.values]).toEqual([`User.${field.replace('.', '>')} custom like $0`, [value]]);
});

const writing = requestOf(
  {
    search: { $and: [{ 'company.name': 'x' }, { id: 5 }] },
    join: [{ field: 'company' }],
    fields: ['email'],
    paramsFilter: [{ field: 'companyId', operator: '$eq', value: 1 }],
    includeDeleted: 1,
  },
  { softDelete: true, join: { company: { required: true, eager: true } } },
);

test('a list has deleted records where they are asked for, and the resource deletes softly', () => {
  const read = (includeDeleted: 0 | 1, softDelete: boolean) =>
    planRead(requestOf({ includeDeleted }, { softDelete }), companies, 'many').withDeleted;
  expect([read(1, true), read(1, false), read(0, true)]).toEqual([true, false, false]);
});

test('a write reads its scope: keys alone, nothing joined but for the condition, no deleted records', () => {
  const plan = planScope(writing, users);
  expect(sourcesOf(plan)).toEqual(['- User [id]', 'company company unreturned []']);
  expect([print(plan.where), plan.values]).toEqual(['(company.name eq $0 AND User.id eq $1)', ['x', 5]]);
  expect([plan.withDeleted, planScope(writing, users, { withDeleted: true }).withDeleted]).toEqual([false, true]);
});

test('a write reads the record again: key and scope, by default the path, and no join can hide it', () => {
  const plan = planRecord(writing, users, { id: 7 });
  const company = 'company company [id name domain description createdAt deletedAt]';
  expect(sourcesOf(plan)).toEqual(['- User [id email]', company]);
  expect([print(plan.where), plan.values]).toEqual(['(User.id eq $0 AND User.companyId eq $1)', [7, 1]]);
  const scoped = planRecord({ ...writing, scope: { age: { $gte: 18 } } }, users, { id: 7 });
  expect([print(scoped.where), scoped.values]).toEqual(['(User.id eq $0 AND User.age gte $1)', [7, 18]]);
});

test('a write reads whether the request may know of a record: its key, its scope and its conditions', () => {
  const plan = planKnown({ ...writing, scope: { 'company.name': 'x' } }, users, { id: 7 });
  expect(sourcesOf(plan)[0]).toBe('- User [id]');
  expect(print(plan.where)).toBe('(User.id eq $0 AND company.name eq $1 AND company.name eq $2 AND User.id eq $3)');
  expect(print(planKnown(requestOf(), users, { id: 7 }).where)).toBe('User.id eq $0');
});

test('a write reads a list of keys, of which none may be missing', () => {
  expect(print(planRecords(requestOf(), users, [{ id: 7 }, { id: 8 }]).where)).toBe('User.id in $0');
  expect(print(planRecords(requestOf(), users, [{ id: 7 }, { id: null }]).where)).toBe('UNKNOWN');
});

test('a write reads composite keys, whole or not at all', () => {
  expect(planRecord(requestOf(), memberships, { companyId: 1, userId: 2 }).values).toEqual([1, 2]);
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const { where } = planRecord(requestOf(), memberships, { companyId: 1 });
  expect(print(where)).toBe('(Membership.companyId eq $0 AND UNKNOWN)');
  expect(error).toHaveBeenCalledTimes(1);
  error.mockRestore();
});

class Name {}
class User {}

const PROJECTED = {
  exclude: ['password', 'name.last'],
  join: { company: { exclude: ['description'] }, projects: { exclude: ['id'] }, profile: { select: false } },
};

const { root: projected } = planRead(requestOf(joining('company', 'projects', 'profile'), PROJECTED), users, 'one');

test('a plan returns the columns and joined relations of entities, and their classes', () => {
  const own = { id: 1, email: 'a', tags: ['a'], settings: { theme: 'dark' } };
  const hidden = { password: 'p', secret: 's', other: 5, profile: { id: 4 } };
  const name = Object.assign(new Name(), { first: 'F', last: 'L' });
  const company = { id: 2, name: 'C', description: 'D', users: [] };
  const projects = [{ id: 3, name: 'P', companyId: 2 }];
  const entity = Object.assign(new User(), own, hidden, { name, company, projects });
  const kept = project(entity, projected);
  expect(kept).toBeInstanceOf(User);
  expect(kept.name).toBeInstanceOf(Name);
  const joined = { company: { id: 2, name: 'C' }, projects: [{ name: 'P', companyId: 2 }] };
  expect(JSON.parse(JSON.stringify(kept))).toEqual({ ...own, name: { first: 'F' }, ...joined });
  expect(entity.password).toBe('p');
  // What is missing stays missing, null stays null.
  const sparse = Object.assign(new User(), { id: 1, name: null, company: null });
  expect({ ...project(sparse as object, projected) }).toEqual({ id: 1, name: null, company: null });
});

const planOf = (search: unknown) =>
  planRead(requestOf({ search: search as SCondition }, { join: { company: { alias: 'c' } } }), users, 'one');
const planned = (search: unknown) => {
  const { where, values } = planOf(search);
  return [print(where), ...values];
};

const KEY = 'User.settings>x';

test.each<[unknown, where: string, ...values: unknown[]]>([
  [{}, ''],
  [{ $or: [] }, 'FALSE'],
  [{ $not: [] }, 'FALSE'],
  [{ $and: [{ age: 5 }, {}, { $and: [{ email: 'a' }] }] }, '(User.age eq $0 AND User.email eq $1)', 5, 'a'],
  [{ $or: [{ age: 5 }, { $not: { email: 'a' } }] }, '(User.age eq $0 OR NOT User.email eq $1)', 5, 'a'],
  [{ 'settings.theme': null }, 'User.settings>theme:text isnull'],
  [{ avatar: null, settings: null }, '(User.avatar isnull AND User.settings isnull)'],
  [{ age: { $in: [] } }, 'FALSE'],
  [{ age: { $notin: [] }, $not: { age: { $in: [] } } }, ''],
  [{ age: { $between: ['1', 2] } }, 'User.age between $0', [1, 2]],
  [{ 'name.first': { $contL: 'Ä%' } }, 'User.name.first contL $0', 'Ä%'],
  [{ email: { $inL: ['A', true] } }, 'User.email inL $0', ['A', 'true']],
  [{ age: { $contL: 5, $gtL: 5 } }, '(User.age:text cont $0 AND User.age gt $1)', '5', 5],
  [{ token: { $contL: 'ABC' } }, 'User.token:text cont $0', 'abc'],
  [{ role: { $eqL: 'ADMIN', $contL: 'A' } }, '(User.role:text eqL $0 AND User.role:text contL $1)', 'ADMIN', 'A'],
  [{ role: { $gt: 'admin' } }, 'User.role:text gt $0', 'admin'],
  [{ isActive: { $excl: 1 } }, 'User.isActive ne $0', true],
  [{ seenAt: { $gt: '2024-01-02' } }, 'User.seenAt gt $0', new Date('2024-01-02T00:00:00Z')],
  [{ 'settings.x': { $eqL: 'A', $contL: 'B' } }, `(${KEY}:text eqL $0 AND ${KEY}:text contL $1)`, 'A', 'B'],
  [{ 'settings.x': { $in: [1, true, 2] } }, `(${KEY}:number in $0 OR ${KEY}:boolean in $1)`, [1, 2], [true]],
  [{ 'settings.x': { $notin: [1, 'a'] } }, `(${KEY}:number notin $0 AND ${KEY}:text notin $1)`, [1], ['a']],
])('%j', (search, ...expected) => expect(planned(search)).toEqual(expected));

test.each<[unknown, string, string | undefined]>([
  [{ 'nope; drop table': 1 }, 'CRUD_UNKNOWN_FIELD', undefined],
  [{ 'company.id': 'x' }, 'CRUD_INVALID_VALUE', 'company.id'],
  [{ 'settings.size': { $between: [1, 'a'] } }, 'CRUD_INVALID_VALUE', 'settings'],
  [{ birthDate: { $cont: '2024' } }, 'CRUD_UNKNOWN_OPERATOR', 'birthDate'],
  [{ settings: '{}' }, 'CRUD_UNKNOWN_OPERATOR', 'settings'],
  [{ email: { $contArr: ['x'] } }, 'CRUD_UNKNOWN_OPERATOR', 'email'],
  [{ 'settings.x': { $contArr: ['x'] } }, 'CRUD_UNKNOWN_OPERATOR', 'settings'],
])('%j is refused', (search, code, field) => {
  const refusal = refusalOf(() => planOf(search));
  expect([refusal.code, refusal.field]).toEqual([code, field]);
});

test('undefined matches nothing, also under not, and is logged', () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  expect(planned({ $and: [{ companyId: undefined }, { age: 5 }] })).toEqual(['(UNKNOWN AND User.age eq $0)', 5]);
  expect(planned({ $not: { companyId: { $eq: undefined } } })).toEqual(['UNKNOWN']);
  expect(error).toHaveBeenCalledTimes(2);
  expect(error.mock.calls[0]![0]).toContain('User compares "companyId" with undefined');
  error.mockRestore();
});

test('relations that a condition or an order alone needs are joined without being returned', () => {
  expect(sourcesOf(planOf({ 'projects.company.name': 'a', 'c.name': 'b' })).slice(1)).toEqual([
    ...['company c unreturned []', unreturned, 'projects.company projects_company unreturned many []'],
  ]);
  expect(sources(orderBy('company.name'))[1]).toBe('company company unreturned []');
});

const exporting: QueryOptions = { export: { formats: ['csv'] }, limit: 10, maxLimit: 20 };

test.each<[Parsed, QueryOptions, part: [limit?: number, offset?: number], isEnveloped: boolean, isCut?: boolean]>([
  [{}, {}, [1000], false, true],
  [{}, { limit: 10, alwaysPaginate: true }, [10], true],
  [{ limit: 50 }, { limit: 10, maxLimit: 20 }, [20], false, true],
  [{}, { limit: 50, maxLimit: 20 }, [20], false, true],
  [{ limit: 20 }, { maxLimit: 20 }, [20], false],
  [{ page: 2 }, { maxLimit: false }, [], false],
  [{ page: 2, offset: 7 }, { maxLimit: false }, [undefined, 7], false],
  [{}, { limit: 2000 }, [2000], false],
  [{ limit: 5, page: 3 }, {}, [5, 10], true],
  [{ limit: 5, page: 3, offset: 7 }, {}, [5, 10], true],
  [{ limit: 5, page: 2 ** 53 - 1 }, {}, [5, 2 ** 53 - 1], true],
  [{ offset: 0 }, {}, [1000], true],
  [{ format: 'csv' }, exporting, [], false],
  [{ format: 'csv', limit: 50 }, { ...exporting, alwaysPaginate: true }, [50], false],
  [{ format: 'csv', page: 2 }, { limit: 10 }, [10, 10], true],
])('the part of a list that %j asks for, with the options %j', (parsed, query, part, enveloped, cut = false) => {
  const [request, service] = [requestOf(parsed, query), new NotesService()];
  const { limit, offset } = planRead(request, users, 'many');
  expect([limit, offset]).toEqual([part[0], part[1]]);
  expect(isEnveloped(parsed, query, limit ?? null)).toBe(enveloped);
  const page = { isPage: enveloped, ...(cut && { most: limit }) };
  const { skip, ...decided } = decidePage(service, request);
  expect([skip || undefined, decided]).toEqual([offset, { take: limit ?? null, ...page }]);
  // One more record tells whether the list is cut.
  const { plan, ...planned } = planMany(service, request);
  expect([plan.limit, planned]).toEqual([cut ? limit! + 1 : limit, page]);
});

test('a page by a cursor has one record more than its size, if it has any', () => {
  const limitOf = (query: QueryOptions) => {
    const { plan, most } = planByCursor(new NotesService(), requestOf({ cursor: '' }, { cursor: true, ...query }));

    return `${plan.limit} ${most}`;
  };
  expect([limitOf({ limit: 5 }), limitOf({ maxLimit: false })]).toEqual(['6 5', 'undefined undefined']);
});

test('a read of one record has no limit, whatever is asked', () =>
  expect(planRead(requestOf({ limit: 5, page: 2 }), users, 'one')).not.toHaveProperty('limit'));

const INVALID = { code: 'CRUD_INVALID_CURSOR', field: 'cursor' };
const byAge = [{ field: 'age', order: 'ASC' as const }];
const byCompany = [{ field: 'company.name', order: 'ASC' as const }];
const reading = (cursor?: string, sort = byAge) =>
  planCursor(requestOf({ sort, cursor, search: { email: 'a' } }), users, { take: 5 });
const printCursor = (cursor: Partial<Cursor> = {}) =>
  reading().print({ direction: 'next', including: false, values: ['5', '1'], ...cursor });

function forge(change: (content: unknown[]) => unknown): string {
  const content = Buffer.from(printCursor(), 'base64url').subarray(6).toString();
  const bytes = Buffer.from(JSON.stringify(change(JSON.parse(content) as unknown[])));
  return Buffer.concat([createHash('sha256').update(bytes).digest().subarray(0, 6), bytes]).toString('base64url');
}

test.each<[Partial<Cursor>, order: string[], values: unknown[], slots: unknown[]]>([
  [{}, ['ASC', 'ASC'], ['a', '5', '1'], [1, 2]],
  [{ including: true, values: [null, '1'] }, ['ASC', 'ASC'], ['a', '1'], [undefined, 1]],
  [{ direction: 'previous' }, ['DESC', 'DESC'], ['a', '5', '1'], [1, 2]],
])('the cursor %j starts a part of the list, read in its direction', (cursor, order, values, slots) => {
  const { plan: part, cursor: read } = reading(printCursor(cursor));
  expect(read).toStrictEqual({ direction: 'next', including: false, values: ['5', '1'], ...cursor });
  expect([part.sort.map((one) => one.order), part.values]).toStrictEqual([order, values]);
  expect(part.slice).toStrictEqual({ from: { slots, including: cursor.including === true } });
});

test('a cursor that is made as a list makes it is read', () => expect(forge((content) => content)).toBe(printCursor()));

test('a cursor is of one order, in which a related record may have no value', () => {
  const sent = reading(undefined, byCompany).print({ direction: 'next', including: false, values: [null, '1'] });
  expect(reading(sent, byCompany).cursor!.values).toEqual([null, '1']);
  expect(refusalOf(() => reading(sent))).toMatchObject(INVALID);
});

test.each<[string, at: number, part: unknown]>([
  ['another version', 0, 2],
  ['the name of another entity', 1, 'Company'],
  ['another direction', 2, 'first'],
  ['a number as a value', 4, [5, '1']],
  ['an object as a value', 4, ['5', {}]],
  ['null for a column that has none', 4, ['5', null]],
  ['too few values', 4, ['5']],
  ['too many values', 4, ['5', '1', '1']],
  ['a text as its values', 4, '51'],
])('a cursor with %s is refused', (_, at, part) =>
  expect(refusalOf(() => reading(forge((content) => content.with(at, part))))).toMatchObject(INVALID),
);
