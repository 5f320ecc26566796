/** What compiles with an entity's type and what does not: every expected error is one, and nothing else is. Compiled by `npm run typecheck` and types.spec.ts, never run. */
import {
  type AggregateRow,
  CondOperator,
  type CreateQueryParams,
  type FieldPath,
  type QueryFilter,
  type QueryFilterArr,
  type QueryJoin,
  type QuerySort,
  RequestQueryBuilder,
  type SCondition,
} from '@nestwright/crud-request';
import type { User } from './entities.js';

const users = (): RequestQueryBuilder<User> => RequestQueryBuilder.create<User>();

// Paths: own fields, embedded, relations, arrays, optional, lazy and self relations, JSON.
users().select(['id', 'email', 'name.first', 'tags']);
users().setFilter([
  { field: 'email', operator: 'contL', value: 'x' },
  { field: 'name.last', operator: '$eq', value: 'x' },
  { field: 'company.name', operator: CondOperator.STARTS, value: 'x' },
  { field: 'company.projects.budget', operator: 'gte', value: 10 },
  { field: 'projects.company.name', operator: 'eq', value: 'x' },
  { field: 'manager.manager.age', operator: 'lt', value: 3n },
  { field: 'profile.city', operator: 'in', value: ['a', 'b'] },
  { field: 'settings.theme.dark', operator: 'eq', value: true },
  { field: 'notes.theme', operator: 'eq', value: 'dark' },
  { field: 'extra.theme', operator: 'eq', value: 'dark' },
  { field: 'settings', operator: 'isnull' },
  { field: 'avatar', operator: 'notnull' },
]);
// @ts-expect-error no such field
users().setFilter({ field: 'nope', operator: 'eq', value: 1 });
// @ts-expect-error no such field of the relation
users().setFilter({ field: 'company.nope', operator: 'eq', value: 1 });
// @ts-expect-error a method is no field
users().setFilter({ field: 'greet', operator: 'isnull' });
// @ts-expect-error deeper than paths may be
users().setFilter({ field: 'manager.manager.manager.age', operator: 'eq', value: 3 });
// @ts-expect-error a relation is not selected by its array
users().select(['projects']);
// @ts-expect-error nor by fields behind it
users().select(['projects.budget']);
// @ts-expect-error no such field
users().select(['emial']);

// Operators by type.
users().setFilter(['birthDate', 'between', [new Date(0), '2020-01-01']]);
users().setFilter(['isActive', 'ne', false]);
users().setFilter(['tags', 'contArr', ['a']]);
users().setFilter(['role', CondOperator.IN, ['admin', 'member']]);
users().setFilter(['age', 'starts', '4']);
// @ts-expect-error no text operator on a date
users().setFilter({ field: 'birthDate', operator: 'starts', value: 'x' });
// @ts-expect-error no order on a boolean
users().setFilter({ field: 'isActive', operator: 'gt', value: true });
// @ts-expect-error no array operator on a text
users().setFilter({ field: 'email', operator: 'contArr', value: ['x'] });
// @ts-expect-error no text operator on an array
users().setFilter({ field: 'tags', operator: 'cont', value: 'x' });
// @ts-expect-error no operator of that name
users().setFilter({ field: 'email', operator: 'isnullL' });
// @ts-expect-error bytes are only present or absent
users().setFilter({ field: 'avatar', operator: 'eq', value: 'x' });
// @ts-expect-error the same holds for tuples
users().setFilter(['birthDate', '$ends', 'x']);

// Values by type and operator.
// @ts-expect-error a number for a text
users().setFilter({ field: 'email', operator: 'eq', value: 1 });
// @ts-expect-error a text for a number
users().setFilter({ field: 'age', operator: 'eq', value: '1' });
// @ts-expect-error one value for a list
users().setFilter({ field: 'age', operator: 'in', value: 1 });
// @ts-expect-error a list for one value
users().setFilter({ field: 'age', operator: 'gt', value: [1] });
// @ts-expect-error one of two values
users().setFilter({ field: 'age', operator: 'between', value: [1] });
// @ts-expect-error no member of the enumeration
users().setFilter({ field: 'role', operator: 'eq', value: 'owner' });
// @ts-expect-error no value
users().setFilter({ field: 'email', operator: 'eq' });
// @ts-expect-error alternatives are checked too
users().setOr(['age', 'eq', 'x']);

// Joins and their fields.
users().setJoin([{ field: 'company', select: ['id', 'name'] }, ['company.projects', ['budget']], ['manager']]);
users().setJoin([{ field: 'extra', select: ['id'] }, ['extra.parts']]);
users().setJoin({ field: 'projects', on: [{ field: 'projects.name', operator: 'eq', value: 'x' }] });
// @ts-expect-error no such relation
users().setJoin({ field: 'companies' });
// @ts-expect-error a field is no relation
users().setJoin({ field: 'email' });
// @ts-expect-error an object of unknown shape is no relation
users().setJoin({ field: 'settings' });
// @ts-expect-error no field of that relation
users().setJoin({ field: 'company', select: ['email'] });
// @ts-expect-error conditions of a join are checked too
users().setJoin({ field: 'projects', on: [{ field: 'projects.name', operator: 'gt', value: 1 }] });

users().sortBy([{ field: 'company.name', order: 'ASC' }, ['id', 'DESC']]);
// @ts-expect-error no such field
users().sortBy({ field: 'compny.name', order: 'ASC' });
// @ts-expect-error many values per record
users().sortBy(['projects.budget', 'DESC']);
// @ts-expect-error nor behind a relation
users().sortBy(['company.projects.budget', 'DESC']);
// @ts-expect-error no such order
users().sortBy({ field: 'id', order: 'UP' });

// Search conditions.
users().search({
  email: 'x',
  age: { $gte: 18, $or: { $lt: 3, $eq: 5 } },
  birthDate: null,
  'company.name': { startsL: 'x' },
  $or: [{ role: 'admin' }, { $not: { isActive: true } }],
  'settings.theme': 'dark',
});
// @ts-expect-error no such field
users().search({ emial: 'x' });
// @ts-expect-error no text operator on a date
users().search({ birthDate: { $starts: 'x' } });
// @ts-expect-error nor at any depth
users().search({ $and: [{ $or: [{ age: 'x' }] }] });

// Whole queries.
RequestQueryBuilder.create<User>({
  fields: ['id'],
  filter: { field: 'age', operator: 'gte', value: 18 },
  or: [['email', 'isnull']],
  join: ['company', ['name']],
  sort: ['id', 'ASC'],
  search: { email: 'x' },
  limit: 10,
  resetCache: true,
});
// @ts-expect-error the parts of a whole query are checked
RequestQueryBuilder.create<User>({ sort: { field: 'nope', order: 'ASC' } });
// @ts-expect-error no such part
RequestQueryBuilder.create<User>({ sorts: [] });

// Operators of the application's own.
RequestQueryBuilder.create<User, 'sounds'>().setFilter({ field: 'email', operator: 'sounds', value: 'x' });
// @ts-expect-error on fields that exist
RequestQueryBuilder.create<User, 'sounds'>().setFilter({ field: 'nope', operator: 'sounds', value: 'x' });

// Without an entity, anything goes that went in nestjsx/crud.
const filter: QueryFilter = { field: 'any', operator: CondOperator.EQUALS, value: { any: 'thing' } };
const tuple: QueryFilterArr = ['any.path', 'whatever', 1];
const join: QueryJoin = { field: 'x', select: ['y'] };
const sort: QuerySort = { field: 'x', order: 'ASC' };
const search: SCondition = {
  a: 1,
  b: { $gt: 1, $or: { $eq: 2 } },
  $and: [{ $or: [{ c: null }] }, { $not: [{ d: new Date(0) }] }],
};
const params: CreateQueryParams = { filter: [filter, tuple], join: [join], sort: [sort], fields: ['x'], search };
RequestQueryBuilder.create(params)
  .setFilter(filter)
  .setOr([tuple, filter])
  .setJoin(join)
  .sortBy([sort])
  .search(search)
  .select(['x']);
new RequestQueryBuilder().setFilter(['a', 'eq', 1]).cond(filter, 'or');
// @ts-expect-error a field is a text anyway
RequestQueryBuilder.create().setFilter({ field: 1, operator: 'eq', value: 1 });
// @ts-expect-error an order is one of two
RequestQueryBuilder.create().sortBy({ field: 'a', order: 'UP' });

// Generic code stays possible.
export const byId = (id: number): string => users().setFilter({ field: 'id', operator: 'eq', value: id }).query();
export const dates: FieldPath<User>[] = ['birthDate', 'company.createdAt'];

// Lists of a kind of their own: whole ones in a format, and those that are read by a cursor.
export const wholeList: string = users().select(['id']).format('csv').format('ndjson').format(undefined).query();
declare const following: string | null;
export const byCursor: string = users().sortBy(['age', 'DESC']).cursor().cursor(following).setTotal().query();
// @ts-expect-error no such format
users().format('xml');
// @ts-expect-error a cursor is a text
users().cursor(3);
// @ts-expect-error sorts of what is read by a cursor are typed as well
users().cursor(following).sortBy(['nope', 'ASC']);

// Aggregates: the rows follow from the call.
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const grouped = users()
  .groupBy('role', 'company.name', ['birthDate:month', 'month'])
  .aggregate(
    ['count', '*'],
    ['avg', 'age'],
    ['max', 'birthDate', 'latest'],
    ['countDistinct', 'company.id', 'companies'],
  );
type Text = string | null;
type Keys = { role: User['role']; 'company.name': Text; month: Text };
type Row = Keys & { count: number; avg_age: number | null; latest: Text; companies: number };
const sameRow: Same<AggregateRow<typeof grouped>, { [Key in keyof Row]: Row[Key] }> = true;
void sameRow;
grouped.having(['avg_age', 'gt', 30]).having([{ field: 'month', operator: 'in', value: ['2026-01'] }]);
grouped.sortBy([['latest', 'DESC'], { field: 'count', order: 'ASC' }]).setLimit(3);
RequestQueryBuilder.create().groupBy('anything').aggregate(['sum', 'other', 'total']).having(['total', 'gt', 1]);
// @ts-expect-error no such field
users().groupBy('nope');
// @ts-expect-error no such part of the calendar
users().groupBy('birthDate:hour');
// @ts-expect-error no such function
users().aggregate(['median', 'age']);
// @ts-expect-error records can only be counted
users().aggregate(['sum', '*']);
// @ts-expect-error dates are not added up
users().aggregate(['sum', 'birthDate']);
// @ts-expect-error no key of the rows
grouped.having(['age', 'gt', 1]);
// @ts-expect-error no text operator on rows
grouped.having(['count', 'cont', '1']);
