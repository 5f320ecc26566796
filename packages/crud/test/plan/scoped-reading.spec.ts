/** Requests with conditions on related records in, plans out in which clients see what is in reach and trusted conditions see all. */
import { describe, expect, test } from '@jest/globals';
import type { SCondition } from '@nestwright/crud-request';
import type { QueryOptions } from '../../src/definition/query-options.js';
import { markClientCondition } from '../../src/plan/condition-origins.js';
import { planKnown, planRead, planRecord } from '../../src/plan/read.js';
import type { PlannedSource, ReadPlan } from '../../src/plan/read-plan.js';
import type { CrudRequest } from '../../src/crud-request.js';
import { users } from './catalogs.js';
import { print, requestOf } from './plans.js';

type Parsed = Partial<CrudRequest['parsed']>;

const query: QueryOptions = { join: { company: {}, 'company.users': {}, projects: {}, 'projects.company': {} } };
const IN_REACH = { company: { name: 'acme' } };

/** A client's condition. */
function sent(condition: SCondition): SCondition {
  markClientCondition(condition);

  return condition;
}

const plan = (parsed: Parsed, options = query) => planRead(requestOf(parsed, options), users, 'many');

/** Every source below the root: path, alias, and what stands in its ON clause. */
function joinsOf({ root }: ReadPlan): string[] {
  const lines = (source: PlannedSource): string[] => [
    `${source.path} ${source.alias}${source.on ? ` on ${print(source.on)}` : ''}`,
    ...source.joins.flatMap(lines),
  ];

  return root.joins.flatMap(lines);
}

describe('joins', () => {
  test('that are asked for or eager have the condition in their ON clause', () => {
    const asked = plan({ authRelations: IN_REACH, join: [{ field: 'company' }] });
    const eager = plan({ authRelations: IN_REACH }, { join: { company: { eager: true, required: true } } });

    for (const made of [asked, eager]) {
      expect(joinsOf(made)).toEqual(['company company on company.name eq $0']);
      expect(made.values).toEqual(['acme']);
      expect(made.where).toBeUndefined();
    }
    expect(eager.root.joins[0]!.required).toBe(true);
  });

  test('of the same relation of the same entity have it at any depth', () => {
    const made = plan({
      authRelations: { 'projects.company': { name: 'acme' }, company: { id: 1 }, 'company.users': { age: 3 } },
      join: [{ field: 'company.users' }, { field: 'projects.company' }],
    });

    expect(joinsOf(made)).toEqual([
      'company company on company.id eq $0',
      'company.users users on users.age eq $1',
      'projects projects',
      'projects.company projects_company on projects_company.name eq $2',
    ]);
  });

  test("stands beside the client's own conditions", () => {
    const on = [{ field: 'company.domain', operator: '$eq' as const, value: 'x' }];
    const made = plan({ authRelations: IN_REACH, join: [{ field: 'company', on }] });

    expect(joinsOf(made)).toEqual(['company company on (company.name eq $0 AND company.domain eq $1)']);
  });

  test.each([[false], [{}]] as const)('%j leaves it out', (condition) => {
    expect(joinsOf(plan({ authRelations: { company: condition }, join: [{ field: 'company' }] }))).toEqual([
      'company company',
    ]);
  });

  test('are narrowed when a record is read again after a write', () => {
    const request = requestOf({ authRelations: IN_REACH, join: [{ field: 'company' }] }, query);

    expect(joinsOf(planRecord(request, users, { id: 7 }))).toEqual(['company company on company.name eq $1']);
  });
});

describe('conditions and sorts', () => {
  test("of a client see the records in reach, joined or not, and share the client's join", () => {
    const search = sent({ $or: [{ 'company.domain': 'x' }, { 'projects.company.domain': { $ne: 'y' } }] });
    const made = plan({
      authRelations: { company: { id: 1 }, 'projects.company': { name: 'acme' } },
      join: [{ field: 'company' }],
      search: { $and: [search] },
    });

    expect(print(made.where)).toBe('(company.domain eq $1 OR projects_company.domain ne $3)');
    expect(joinsOf(made)).toEqual([
      'company company on company.id eq $0',
      'projects projects',
      'projects.company projects_company on projects_company.name eq $2',
    ]);
  });

  test('of the server see all records, by joins of their own', () => {
    const search = { $and: [{ 'company.domain': 'x' }, sent({ 'company.domain': 'y' })] };
    const made = plan({ authRelations: IN_REACH, join: [{ field: 'company' }], search });

    expect(print(made.where)).toBe('(company_trusted.domain eq $0 AND company.domain eq $2)');
    expect(joinsOf(made)).toEqual(['company company on company.name eq $1', 'company! company_trusted']);
    expect(made.root.joins.map(({ returned }) => returned)).toEqual([true, false]);
  });

  test('of the server share the joins of relations that nothing narrows', () => {
    const search = {
      $and: [{ 'projects.name': 'x' }, { 'projects.company.name': 'y' }, sent({ 'projects.name': 'z' })],
    };
    const made = plan({ authRelations: { 'projects.company': { id: 1 } }, search });

    expect(print(made.where)).toBe(
      '(projects.name eq $0 AND projects_company_trusted.name eq $1 AND projects.name eq $2)',
    );
    expect(joinsOf(made)).toEqual(['projects projects', 'projects.company! projects_company_trusted']);
  });

  test('of the server go on apart behind a relation that is narrowed', () => {
    const search = { 'company.users.age': 3, 'company.users.company.name': 'x' };
    const made = plan({ authRelations: IN_REACH, search });

    expect(joinsOf(made)).toEqual([
      'company! company_trusted',
      'company!.users company_users_trusted',
      'company!.users.company company_users_company_trusted',
    ]);
  });

  test("are told apart in what a query.filter function or an override makes of the client's", () => {
    const client = sent({ $and: [{ 'company.domain': { $eq: 'a' } }, { age: { $gt: 3 } }] });
    const of = (search: SCondition) => print(plan({ authRelations: IN_REACH, search }).where);

    expect(of({ $or: [client, { 'company.domain': 'b' }] })).toBe(
      '((company.domain eq $1 AND User.age gt $2) OR company_trusted.domain eq $3)',
    );
    // A copy of the outermost members keeps what they hold.
    expect(of({ ...client, 'company.domain': 'b' })).toBe(
      '(company.domain eq $1 AND User.age gt $2 AND company_trusted.domain eq $3)',
    );
    expect(
      of({
        $not: { 'company.domain': (client.$and as Record<string, unknown>[])[0]!['company.domain'] },
      } as SCondition),
    ).toBe('NOT company.domain eq $1');
  });

  test('sorts see the records in reach', () => {
    const sort = [{ field: 'company.name', order: 'ASC' as const }];
    const made = plan({ authRelations: IN_REACH, sort });
    const byDefault = plan({ authRelations: IN_REACH }, { ...query, sort });

    for (const { sort: planned } of [made, byDefault])
      expect(planned[0]!.column.source).toMatchObject({ path: 'company', on: { kind: 'comparison' } });
  });

  test('what a record must satisfy after a write is trusted', () => {
    const request = requestOf({ authRelations: IN_REACH }, query);

    expect(joinsOf(planKnown({ ...request, scope: { 'company.domain': 'x' } }, users, { id: 7 }))).toEqual([
      'company! company_trusted',
    ]);
  });

  test('of the server do not see what a client leaves out of its joins', () => {
    const on = [{ field: 'company.domain', operator: '$eq' as const, value: 'x' }];
    const made = plan({
      join: [{ field: 'company', on }],
      search: { $and: [{ 'company.description': null }, sent({ 'company.name': 'y' })] },
    });

    expect(print(made.where)).toBe('(company_trusted.description isnull AND company.name eq $0)');
    expect(joinsOf(made)).toEqual(['company company on company.domain eq $1', 'company! company_trusted']);
  });
});

describe('a condition on related records', () => {
  test('may lead to further relations, which are read whole, by joins of their own', () => {
    const made = plan({
      authRelations: { company: { 'users.age': 3, 'users.company.name': 'x', domain: 'y' } },
      join: [{ field: 'company.users' }],
    });

    expect(joinsOf(made)).toEqual([
      'company company on (company_users_trusted.age eq $0 AND company_users_company_trusted.name eq $1 AND company.domain eq $2)',
      'company.users users',
      'company.users! company_users_trusted',
      'company.users!.company company_users_company_trusted',
    ]);
  });

  test('that never holds hides all', () => {
    expect(joinsOf(plan({ authRelations: { company: { $or: [] } }, join: [{ field: 'company' }] }))).toEqual([
      'company company on FALSE',
    ]);
  });

  test('is no reason for a join that nobody asks for', () => {
    expect(joinsOf(plan({ authRelations: IN_REACH }))).toEqual([]);
    expect(joinsOf(plan({ authRelations: IN_REACH, search: sent({ age: 3 }) }))).toEqual([]);
  });
});

test('without conditions on related records a plan has one source for each relation', () => {
  const search = { $and: [{ 'company.domain': 'x' }, sent({ 'company.domain': 'y' })] };

  expect(joinsOf(plan({ join: [{ field: 'company' }], search }))).toEqual(['company company']);
});
