/** Items of bulks → the fields of their keys, and the conditions that the path of one record would give. */
import { expect, test } from '@jest/globals';
import type { ParamsOptions } from '@nestwright/crud-request';
import type { Catalog } from '../../src/plan/catalog.js';
import { itemKeyFields, readItemKeys, requestOfItem } from '../../src/plan/item-keys.js';
import { memberships, users } from './catalogs.js';
import { refusalOf, requestOf } from './plans.js';

const params: ParamsOptions = {
  companyId: { field: 'companyId', type: 'number' },
  mail: { field: 'email', type: 'string', primary: true },
};

test.each<[string, ParamsOptions | undefined, Catalog | undefined, string[], inPath: string[]]>([
  ['the primary parameter of the path', params, users, ['email'], []],
  ['the primary key, without parameters', undefined, memberships, ['companyId', 'userId'], []],
  ['the rest of a key of which the path has a part', {}, memberships, ['userId'], ['companyId']],
  ['nothing, where no entity is known', {}, undefined, [], []],
])('an item is named by %s', (_, options, of, fields, inPath) =>
  expect(itemKeyFields(options, of, inPath)).toStrictEqual(fields),
);

test('keys of items are read as their columns read them, or as they are where none is known', () => {
  const key = (value: unknown) => [[{ field: 'id', operator: '$eq', value }]];
  expect(readItemKeys([{ id: '7', email: 'x' }], ['id'], users)).toEqual(key(7));
  expect(readItemKeys([{ id: '7' }], ['id'], undefined)).toEqual(key('7'));
});

test('all keys that are missing or wrong are told at once', () => {
  const items = [{ companyId: 1, userId: 'x' }, { companyId: null, userId: [2] }, { companyId: 1 }];
  expect(refusalOf(() => readItemKeys(items, ['companyId', 'userId'], memberships))).toMatchObject({
    statusCode: 400,
    code: 'CRUD_INVALID_VALUE',
    field: 'bulk.0.userId',
    message: [
      'bulk.0.userId must be an integer',
      'bulk.1.companyId is required',
      'bulk.1.userId must be a key',
      'bulk.2.userId is required',
    ],
  });
});

test('the request of an item is narrowed to its key, in conditions, path and scope', () => {
  const company = { field: 'companyId', operator: '$eq', value: 1 };
  const key = { field: 'id', operator: '$eq', value: 7 };
  const [ofCompany, ofItem] = [{ companyId: { $eq: 1 } }, { id: { $eq: 7 } }];
  const request = requestOf({ search: { age: 5 }, paramsFilter: [company] });
  expect(requestOfItem(request, [key])).toMatchObject({
    parsed: { paramsFilter: [company, key], search: { $and: [ofItem, { age: 5 }] } },
    scope: { $and: [ofItem, { $and: [ofCompany] }] },
  });
  const { parsed, scope } = requestOfItem({ ...request, scope: { role: 'x' } }, [key]);
  expect([parsed.paramsFilter, scope]).toEqual([[company, key], { $and: [ofItem, { role: 'x' }] }]);
});
