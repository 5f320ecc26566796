/** Search conditions → planned conditions and their values, said whole; what must be refused, and with which code. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { SCondition } from '@nestwright/crud-request';
import { planRead } from '../../src/plan/read.js';
import { users } from './catalogs.js';
import { print, refusalOf, requestOf, sourcesOf } from './plans.js';

const plan = (search: unknown) =>
  planRead(requestOf({ search: search as SCondition }, { join: { company: { alias: 'c' } } }), users, 'one');
const planned = (search: unknown) => {
  const { where, values } = plan(search);
  return [print(where), ...values];
};

afterEach(() => {
  jest.restoreAllMocks();
});

describe('conditions', () => {
  test.each<[unknown, unknown[]]>([
    [{}, ['']],
    [{ $and: [] }, ['']],
    [{ $or: [] }, ['FALSE']],
    [{ $not: [] }, ['FALSE']],
    [{ email: {} }, ['']],
    [{ age: 5, email: 'a' }, ['(User.age eq $0 AND User.email eq $1)', 5, 'a']],
    [{ $and: [{ age: 5 }, {}, { $and: [{ email: 'a' }] }] }, ['(User.age eq $0 AND User.email eq $1)', 5, 'a']],
    [{ $or: [{ age: 5 }, { $not: { email: 'a' } }] }, ['(User.age eq $0 OR NOT User.email eq $1)', 5, 'a']],
    [{ $not: { $not: { age: 5 } } }, ['User.age eq $0', 5]],
    [{ age: null }, ['User.age isnull']],
    [{ age: { $notnull: true } }, ['User.age notnull']],
    [{ age: { $isnull: false } }, ['User.age notnull']],
    [{ 'settings.theme': null }, ['User.settings>theme:text isnull']],
    [
      { avatar: null, settings: null, tags: null },
      ['(User.avatar isnull AND User.settings isnull AND User.tags isnull)'],
    ],
    [{ age: { $in: [] } }, ['FALSE']],
    [{ $not: { age: { $in: [] } } }, ['']],
    [{ age: { $notin: [] } }, ['']],
    [{ tags: { $contArr: [] } }, ['']],
    [{ tags: { $intersectsArr: [] } }, ['FALSE']],
    [{ age: { $in: ['1', 2] } }, ['User.age in $0', [1, 2]]],
    [{ age: { $in: '1,2' } }, ['User.age in $0', [1, 2]]],
    [{ age: { $between: ['1', 2] } }, ['User.age between $0', [1, 2]]],
    [{ 'name.first': { $contL: 'Ä%' } }, ['User.name.first contL $0', 'Ä%']],
    [{ email: 5 }, ['User.email eq $0', '5']],
    [{ email: { $inL: ['A', true] } }, ['User.email inL $0', ['A', 'true']]],
    [{ age: { $eqL: 5 } }, ['User.age eq $0', 5]],
    [{ age: { $contL: 5 } }, ['User.age:text cont $0', '5']],
    [{ token: { $contL: 'ABC' } }, ['User.token:text cont $0', 'abc']],
    [{ token: { $cont: 'ABC' } }, ['User.token:text cont $0', 'ABC']],
    [{ role: 'admin' }, ['User.role eq $0', 'admin']],
    [{ role: { $eqL: 'ADMIN' } }, ['User.role:text eqL $0', 'ADMIN']],
    [{ role: { $gt: 'admin' } }, ['User.role:text gt $0', 'admin']],
    [{ isActive: { $cont: 'true' } }, ['User.isActive eq $0', true]],
    [{ isActive: { $excl: 1 } }, ['User.isActive ne $0', true]],
    [{ seenAt: { $gt: '2024-01-02' } }, ['User.seenAt gt $0', new Date('2024-01-02T00:00:00Z')]],
    [{ tags: { $contArr: ['a', 'b'] } }, ['User.tags contArr $0', ['a', 'b']]],
    [{ 'settings.theme': 'dark' }, ['User.settings>theme:text eq $0', 'dark']],
    [{ 'settings.theme': { $eqL: 'Dark' } }, ['User.settings>theme:text eqL $0', 'Dark']],
    [{ 'settings.size': { $gte: 5 } }, ['User.settings>size:number gte $0', 5]],
    [{ 'settings.beta': true }, ['User.settings>beta:boolean eq $0', true]],
    [{ 'settings.size': { $cont: 5 } }, ['User.settings>size:text cont $0', '5']],
    [
      { 'settings.x': { $in: [1, 'a', 2] } },
      ['(User.settings>x:number in $0 OR User.settings>x:text in $1)', [1, 2], ['a']],
    ],
    [
      { 'settings.x': { $notin: [1, true] } },
      ['(User.settings>x:number notin $0 AND User.settings>x:boolean notin $1)', [1], [true]],
    ],
    [{ 'c.name': 'a' }, ['c.name eq $0', 'a']],
    [{ age: { $or: { $lt: 5, $gt: 9 } } }, ['(User.age lt $0 OR User.age gt $1)', 5, 9]],
  ])('%j', (search, expected) => {
    expect(planned(search)).toEqual(expected);
  });

  test.each<[unknown, string, string | undefined]>([
    [{ nope: 1 }, 'CRUD_UNKNOWN_FIELD', 'nope'],
    [{ 'nope; drop table': 1 }, 'CRUD_UNKNOWN_FIELD', undefined],
    [{ __proto__x: 1, constructor: 1 }, 'CRUD_UNKNOWN_FIELD', undefined],
    [{ age: 'x' }, 'CRUD_INVALID_VALUE', 'age'],
    [{ 'company.id': 'x' }, 'CRUD_INVALID_VALUE', 'company.id'],
    [{ 'settings.size': { $between: [1, 'a'] } }, 'CRUD_INVALID_VALUE', 'settings'],
    [{ role: 'owner' }, 'CRUD_INVALID_VALUE', 'role'],
    [{ birthDate: { $cont: '2024' } }, 'CRUD_UNKNOWN_OPERATOR', 'birthDate'],
    [{ settings: '{}' }, 'CRUD_UNKNOWN_OPERATOR', 'settings'],
    [{ avatar: 'x' }, 'CRUD_UNKNOWN_OPERATOR', 'avatar'],
    [{ tags: 'x' }, 'CRUD_UNKNOWN_OPERATOR', 'tags'],
    [{ email: { $contArr: ['x'] } }, 'CRUD_UNKNOWN_OPERATOR', 'email'],
    [{ 'settings.x': { $contArr: ['x'] } }, 'CRUD_UNKNOWN_OPERATOR', 'settings'],
    [{ email: 'a\0' }, 'CRUD_INVALID_VALUE', 'email'],
  ])('%j is refused', (search, code, field) => {
    const refusal = refusalOf(() => plan(search));
    expect([refusal.code, refusal.field]).toEqual([code, field]);
  });

  test('undefined matches nothing, also under not, and is logged', () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    expect(planned({ $and: [{ companyId: undefined }, { age: 5 }] })).toEqual(['(UNKNOWN AND User.age eq $0)', 5]);
    expect(planned({ $not: { companyId: { $eq: undefined } } })).toEqual(['UNKNOWN']);
    expect(error).toHaveBeenCalledTimes(2);
    expect(error.mock.calls[0]![0]).toContain('User compares "companyId" with undefined');
  });

  test('relations that a condition alone needs are joined without being returned', () => {
    expect(sourcesOf(plan({ 'projects.company.name': 'a', 'c.name': 'b' })).slice(1)).toEqual([
      'company c unreturned []',
      'projects projects unreturned many []',
      'projects.company projects_company unreturned many []',
    ]);
  });
});
