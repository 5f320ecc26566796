/** What compiles with an entity's type; what does not is in types.spec.ts, which compiles this as `npm run typecheck` does. Never run. */
import { type AggregateRow, CondOperator, RequestQueryBuilder } from '@nestwright/crud-request';
import type { CreateQueryParams, QueryFilter, QueryFilterArr, SCondition } from '@nestwright/crud-request';
import type { User } from './entities.js';

const users = (): RequestQueryBuilder<User> => RequestQueryBuilder.create<User>();
// Paths: own fields, embedded, relations, arrays, optional, lazy and self relations, JSON.
users().select(['id', 'email', 'name.first', 'tags']);
users().setFilter([
  { field: 'email', operator: 'contL', value: 'x' },
  { field: 'company.projects.budget', operator: 'gte', value: 10 },
  { field: 'manager.manager.age', operator: 'lt', value: 3n },
  { field: 'profile.city', operator: 'in', value: ['a', 'b'] },
]);

users().setFilter([
  ['birthDate', 'between', [new Date(0), '2020-01-01']],
  ['role', CondOperator.IN, ['admin', 'member']],
  ['age', 'starts', '4'],
]);

users().setJoin([{ field: 'company', select: ['id', 'name'] }, ['company.projects', ['budget']], ['manager']]);
users().sortBy([{ field: 'company.name', order: 'ASC' }, ['id', 'DESC']]);
users().search({ email: 'x', age: { $gte: 18, $or: { $lt: 3, $eq: 5 } }, birthDate: null, 'settings.theme': 'dark' });
users().search({ 'company.name': { startsL: 'x' }, $or: [{ role: 'admin' }, { $not: { isActive: true } }] });
const parts = { fields: ['id'], sort: ['id', 'ASC'], search: { email: 'x' }, limit: 10, resetCache: true } as const;
RequestQueryBuilder.create<User>({ ...parts, or: [['email', 'isnull']], join: ['company', ['name']] });
// Operators of the application's own.
RequestQueryBuilder.create<User, 'sounds'>().setFilter({ field: 'email', operator: 'sounds', value: 'x' });
// Without an entity, anything goes that went in nestjsx/crud.
const filter: QueryFilter = { field: 'any', operator: CondOperator.EQUALS, value: { any: 'thing' } };
const tuple: QueryFilterArr = ['any.path', 'whatever', 1];
const search: SCondition = { b: { $gt: 1, $or: { $eq: 2 } }, $and: [{ $or: [{ c: null }] }, { $not: [{ d: 1 }] }] };
const params: CreateQueryParams = {
  filter: [filter, tuple],
  join: [{ field: 'x', select: ['y'] }],
  fields: ['x'],
  search,
};
RequestQueryBuilder.create(params).setFilter(filter).setOr([tuple, filter]);
// Generic code stays possible.
declare const following: string | null;
export const list: string = users().sortBy(['age', 'DESC']).cursor(following).setTotal().format('csv').query();
// Aggregates: the rows follow from the call.
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const grouped = users()
  .groupBy('role', 'company.name', ['birthDate:month', 'month'])
  .aggregate(['count', '*'], ['avg', 'age'], ['max', 'birthDate', 'latest'])
  .aggregate(['countDistinct', 'company.id', 'companies']);
type Text = string | null;
type Keys = { role: User['role']; 'company.name': Text; month: Text };
type Row = Keys & { count: number; avg_age: number | null; latest: Text; companies: number };
const sameRow: Same<AggregateRow<typeof grouped>, { [Key in keyof Row]: Row[Key] }> = true;
void sameRow;
grouped.having(['avg_age', 'gt', 30]).having([{ field: 'month', operator: 'in', value: ['2026-01'] }]);
RequestQueryBuilder.create().groupBy('anything').aggregate(['sum', 'other', 'total']).having(['total', 'gt', 1]);
