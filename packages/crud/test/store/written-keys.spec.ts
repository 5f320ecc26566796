/** Requests and bodies → the keys of the records that are written. */
import { describe, expect, test } from '@jest/globals';
import type { QueryFilter } from '@nestwright/crud-request';
import { givenNames, keyToCreate, planWithKey, readPathKey, requireUnnamed } from '../../src/store/written-keys.js';
import { catalog, column, memberships, users } from '../plan/catalogs.js';
import { refusalOf, requestOf } from '../plan/plans.js';

const equal = (values: object, operator: QueryFilter['operator'] = '$eq'): QueryFilter[] =>
  Object.entries(values).map(([field, value]) => ({ field, operator, value: value as unknown }));

describe('the key', () => {
  const whole = { companyId: 1, userId: 2 };

  test.each<[paramsFilter: QueryFilter[] | undefined, persist: object | undefined, ofPath: unknown, toMake: unknown]>([
    [equal(whole, 'eq'), undefined, whole, whole],
    [equal(whole, '$ne'), undefined, undefined, undefined],
    [equal({ ...whole, userId: null }), undefined, undefined, undefined],
    [equal({ userId: 2 }), { companyId: 1, userId: 3 }, undefined, whole],
    [equal({ role: 'x' }), whole, undefined, undefined],
    [undefined, whole, undefined, undefined],
  ])('in %j, with %j', (paramsFilter, authPersist, ofPath, toMake) => {
    const request = requestOf({ paramsFilter, authPersist } as never);
    expect([readPathKey(request, memberships), keyToCreate(request, memberships)]).toEqual([ofPath, toMake]);
    expect(readPathKey(request, catalog('Log', [column('line', 'text')]))).toBeUndefined();
  });

  test('takes the place of the one that is planned', () => {
    const [id, email] = ['id', 'email'].map((path) => users.columns.get(path)!) as [never, never];
    const plan = { catalog: users, values: [5, 'a'].map((value, at) => ({ column: [id, email][at]!, value })) };
    expect(planWithKey(plan as never, { id: 7 }).values).toEqual([
      { column: email, value: 'a' },
      { column: id, value: 7 },
    ]);
  });
});

test('path and persist say which properties are set', () => {
  const request = requestOf({ paramsFilter: equal({ id: 1 }), authPersist: { role: 'x' } } as never);
  expect([request, requestOf()].map((one) => [...givenNames(one)])).toEqual([['id', 'role'], []]);
});

test('an item that names the record of an earlier one is refused', () => {
  const named = new Map<string, string>();
  for (const [text, path] of [['1', 'bulk.0'] as const, ['2', 'bulk.1'] as const]) requireUnnamed(named, text, path);
  expect(refusalOf(() => requireUnnamed(named, '1', 'bulk.2'))).toEqual({
    statusCode: 400,
    error: 'Bad Request',
    code: 'CRUD_INVALID_BODY',
    field: 'bulk.2',
    message: ['bulk.2 names the same record as bulk.0'],
  });
});
