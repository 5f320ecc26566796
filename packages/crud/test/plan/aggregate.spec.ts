/** Groups and functions of a request → the plan of their rows; which kinds of columns each takes, and what is refused. */
import { expect, test } from '@jest/globals';
import type { AggregateFunction, DateUnit, QueryFilter } from '@nestwright/crud-request';
import { aggregatesColumns, allowsGroup, type ColumnUse, kindFault } from '../../src/aggregate/options.js';
import { outputKind, planAggregate } from '../../src/aggregate/plan.js';
import type { CrudRequest } from '../../src/crud-request.js';
import type { QueryOptions } from '../../src/definition/query-options.js';
import type { ColumnKind } from '../../src/plan/catalog.js';
import { define } from '../request/definitions.js';
import { column, users } from './catalogs.js';
import { nameOf, print, refusalOf, requestOf, sourcesOf } from './plans.js';

type Parsed = Partial<CrudRequest['parsed']>;
const paging = { take: null, skip: null };
const plan = (parsed: Parsed) => planAggregate(requestOf(parsed), users, paging);
const made = (name: AggregateFunction, field: string) => ({ function: name, field, name: `${name}_${field}` });

const NUMBERS = 'integer bigint decimal float';
const ORDERED = `text ${NUMBERS} date time datetime`;
const DISTINCT = `text ${NUMBERS} boolean uuid enum date time datetime`;
const ALL = `${DISTINCT} json array binary`;

test.each<[ColumnUse, kinds: string, reason: string]>([
  [{ function: 'count' }, ALL, ''],
  [{ function: 'countDistinct' }, DISTINCT, 'countDistinct does not take values of this kind (json)'],
  [{ function: 'sum' }, NUMBERS, 'sum does not take values of this kind (json)'],
  [{ function: 'avg' }, NUMBERS, 'avg does not take values of this kind (json)'],
  [{ function: 'min' }, ORDERED, 'min does not take values of this kind (json)'],
  [{ function: 'max' }, ORDERED, 'max does not take values of this kind (json)'],
  [{ unit: 'week' }, 'date datetime', 'week needs dates or moments, not values of this kind (json)'],
  [{}, DISTINCT, 'records cannot be grouped by values of this kind (json)'],
])('%j takes these kinds of columns: %s', (use, kinds, reason) => {
  const faultOf = (kind: string) => kindFault(use, column('x', kind as ColumnKind));
  expect(ALL.split(' ').filter((kind) => faultOf(kind) === undefined)).toEqual(kinds.split(' '));
  expect(faultOf('json') ?? '').toBe(reason);
});

test('results are counts, values of the column, numbers, or texts with all digits', () => {
  const kindOf = (of: string) => {
    const [name, field] = of.split(' ') as [AggregateFunction, string];
    return outputKind(plan({ aggregate: [made(name, field)] }).outputs[0]!);
  };
  const asked = ['count id', 'countDistinct points', 'min balance', 'max points', 'sum age', 'avg score'];
  expect(asked.map(kindOf)).toEqual(['count', 'count', 'column', 'column', 'number', 'number']);
  expect(['sum points', 'avg balance'].map(kindOf)).toEqual(['exact', 'exact']);
});

test('the whole plan of groups', () => {
  const groupBy = [
    { field: 'company.name', name: 'company' },
    { field: 'seenAt', unit: 'month', name: 'month' } as const,
    { field: 'role', name: 'role' },
  ];
  const having: QueryFilter[] = [
    { field: 'company', operator: 'starts', value: 'A' },
    { field: 'month', operator: 'gt', value: '2024-01' },
    { field: 'count_*', operator: 'between', value: ['1', '5'] },
    { field: 'sum_points', operator: 'lte', value: '9007199254740993.5' },
    { field: 'max_age', operator: 'notnull' },
  ];
  const sort = ['max_age,DESC', 'month,asc', 'max_age,ASC'].map((one) => {
    const [field, order] = one.split(',') as [string, 'ASC'];
    return { field, order };
  });
  const aggregate = [made('count', '*'), made('sum', 'points'), made('max', 'age')];
  const parsed: Parsed = { groupBy, aggregate, having, sort, search: { age: { $gt: 3 } }, includeDeleted: 1 };
  const planned = planAggregate(requestOf(parsed, { softDelete: true }), users, { take: 5, skip: 10 });
  expect(planned).toMatchObject({ sort: [], limit: 5, offset: 10, withDeleted: true });
  expect(sourcesOf(planned)).toEqual(['- User []', 'company company unreturned []']);
  const outputs = planned.outputs.map((output) => [
    ...[output.name, 'function' in output && output.function, 'unit' in output && output.unit],
    output.column && nameOf(output.column),
  ]);
  expect(outputs.map((parts) => parts.filter(Boolean).join(' '))).toEqual([
    ...['company company.name', 'month month User.seenAt', 'role User.role'],
    ...['count_* count', 'sum_points sum User.points', 'max_age max User.age'],
  ]);
  expect(print(planned.where)).toBe('User.age gt $0');
  expect(planned.having.map(({ output, comparison }) => `${output}: ${print(comparison)}`)).toEqual([
    ...['0: company.name starts $1', '1: User.month gt $2', '3: User.count_* between $3'],
    ...['4: User.sum_points lte $4', '5: User.age notnull'],
  ]);
  expect(planned.values).toEqual([3, 'A', '2024-01', [1, 5], '9007199254740993.5']);
  expect(planned.order.map(({ output, order }) => `${output} ${order}`)).toEqual(['5 DESC', '1 ASC', '0 ASC', '2 ASC']);
  expect(Object.isFrozen(planned)).toBe(true);
});

test('without paging, soft delete or a condition, a plan has none', () => {
  const planned = plan({ aggregate: [made('count', '*')], includeDeleted: 1 });
  expect(planned).toMatchObject({ withDeleted: false, having: [], order: [], values: [] });
  expect(['limit', 'offset', 'where'].filter((name) => name in planned)).toEqual([]);
});

const INVALID = 'CRUD_INVALID_QUERY';
const by = (field: string, name = field) => ({ groupBy: [{ field, name }] });
const count = { aggregate: [made('count', '*')] };
const twice: Parsed = { groupBy: [...by('role').groupBy, ...by('email', 'role').groupBy] };
const had = (field: string, operator: string, value: unknown): Parsed => ({
  having: [{ field, operator, value }] as never,
});
const SEVERAL = 'Invalid aggregate. There may be several values per record';
const NO_TYPE = 'Invalid aggregate. Keys of JSON columns have no type';
const NO_TEXTS = 'Invalid aggregate. sum does not take values of this kind (text)';
const NO_START = 'count_* does not take the operator starts in having';

test.each<[Parsed, code: string, field: string, message: string]>([
  [{}, INVALID, 'aggregate', 'groupBy or aggregate expected'],
  [{ aggregate: [made('sum', 'projects.id')] }, INVALID, 'sum_projects.id', SEVERAL],
  [by('settings.theme', 'a b'), INVALID, 'aggregate', NO_TYPE],
  [{ aggregate: [made('sum', 'email')] }, INVALID, 'sum_email', NO_TEXTS],
  [twice, INVALID, 'role', 'Two groups or functions have the same name. Rename one of them'],
  [{ ...count, ...had('age', 'gt', 1) }, 'CRUD_UNKNOWN_FIELD', 'age', 'Unknown field'],
  [{ ...count, ...had('a b', 'gt', 1) }, 'CRUD_UNKNOWN_FIELD', 'having', 'Unknown field'],
  [{ ...count, sort: [{ field: 'a b', order: 'ASC' }] }, 'CRUD_UNKNOWN_FIELD', 'sort', 'Unknown field'],
  [{ ...count, ...had('count_*', 'starts', '1') }, 'CRUD_UNKNOWN_OPERATOR', 'count_*', NO_START],
  [{ ...by('role'), ...had('role', 'in', []) }, 'CRUD_INVALID_VALUE', 'role', 'Invalid value'],
  [{ ...by('role'), ...had('role', 'eq', undefined) }, 'CRUD_INVALID_VALUE', 'role', 'Invalid value'],
])('refuses %j', (parsed, code, field, message) =>
  expect(refusalOf(() => plan(parsed))).toMatchObject({ code, field, message }),
);

const UNJOINED = 'or the relation is not in query.join';
const NO_ENUMS = 'not values of this kind (enum)';
const grouped = (field: string) => ({ groupBy: [field] });

test.each<[QueryOptions['aggregate'], mistake: string]>([
  [{ functions: { nope: undefined, age: ['sum'], '*': ['count'] } } as never, ''],
  [{ functions: { '*': ['sum'] } } as never, 'functions.* names "sum", but records can only be counted: ["count"]'],
  [grouped('nope'), 'groupBy names "nope", but User has no such field'],
  [grouped('company'), 'groupBy names "company", but company is a relation: name one of its fields'],
  [grouped('profile.city'), `groupBy names "profile.city", but Profile has no field city, ${UNJOINED}`],
  [grouped('projects.id'), 'groupBy names "projects.id", of which one record may have several values'],
  [grouped('role:month'), `groupBy names "role:month", but month needs dates or moments, ${NO_ENUMS}`],
  [grouped('tags'), 'groupBy names "tags", but records cannot be grouped by values of this kind (array)'],
  [{ functions: { email: ['sum'] } }, 'functions.email names "sum", but sum does not take values of this kind (text)'],
])('the option %j is right, or a mistake: %s', (aggregate, mistake) => {
  const definition = define({ aggregate: aggregate!, join: { company: {}, projects: {} } });
  const expected = mistake === '' ? [] : [`query.aggregate.${mistake}`];
  expect([...aggregatesColumns(definition, users)]).toEqual(expected);
});

test.each<[field: string, unit: DateUnit | undefined, isAllowed: boolean]>([
  ['seenAt', 'day', true],
  ['seenAt', undefined, true],
  ['birthDate', 'month', true],
  ['birthDate', 'day', false],
  ['birthDate', undefined, false],
  ['age', undefined, false],
  ['company.name', undefined, true],
])('of seenAt, birthDate:month and an alias, records are grouped by %s:%s: %p', (field, unit, isAllowed) => {
  const aggregate = { groupBy: ['seenAt', 'birthDate:month', 'c.name'] };
  const spell = (name: string) => name.replace('c.', 'company.');
  expect(allowsGroup({ aggregate }, field, unit, spell)).toBe(isAllowed);
});
