/** The react-admin data provider `ra-data-nestjsx-crud`, as it comes from npm, against the example. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
// The provider's own copy, which its lock file brings.
import crudRequest from '@nestjsx/crud-request';
import raDataNestjsxCrud from 'ra-data-nestjsx-crud';
import { CONDITIONS } from '../harness/filters.js';
import { assertSameKeys, describeApplication, ids } from '../harness/matrix.js';
import { describeReactAdmin } from '../harness/react-admin-suite.js';

// A CommonJS module whose default export Node hands over as a property.
const make = raDataNestjsxCrud.default;

const isKeyLike = (value) => typeof value === 'boolean' || typeof value === 'number' || /^\d+$/.test(value);

test('the filters that are tried name every operator that the provider can print', () => {
  const tried = new Set(CONDITIONS.map(([, operator]) => `$${operator}`));
  assert.deepEqual(tried, new Set(Object.values(crudRequest.CondOperator)));
});

describeReactAdmin('ra-data-nestjsx-crud', make, {
  defaultOperator: (value) => (typeof value !== 'object' && isKeyLike(value) ? 'eq' : 'contL'),
});

describeApplication('ra-data-nestjsx-crud in particular', 'example', (app) => {
  const list = (resource, filter) =>
    make(app.url).getList(resource, {
      pagination: { page: 1, perPage: 500 },
      sort: { field: 'id', order: 'ASC' },
      filter,
    });

  test('operators may follow a colon, too', async () => {
    const users = await app.stored('User');
    const { data } = await list('users', { 'age:$gte': 40, 'role:eq': 'admin' });
    assertSameKeys(
      data,
      users.filter(({ age, role }) => age !== null && age >= 40 && role === 'admin'),
    );
  });

  test('alternatives under $OR, alone and beside one filter', async () => {
    const users = await app.stored('User');
    const either = await list('users', { $OR: { 'age||$gte': 100, role: 'admin', companyId: 7 } });
    assertSameKeys(
      either.data,
      users.filter(({ age, role, companyId }) => (age !== null && age >= 100) || role === 'admin' || companyId === 7),
    );
    const beside = await list('users', { companyId: 2, $OR: { role: 'admin' } });
    assertSameKeys(
      beside.data,
      users.filter(({ role, companyId }) => companyId === 2 || role === 'admin'),
    );
  });

  test('what stands under q reaches the query as it is: joins, fields, a search', async () => {
    const users = await app.stored('User', { relations: { company: true } });
    const joined = await list('users', { q: { join: 'company||name', fields: 'email' }, companyId: 3 });
    assert.deepEqual(
      joined.data,
      users
        .filter(({ companyId }) => companyId === 3)
        .map(({ id, email, company }) => ({ id, email, company: { id: company.id, name: company.name } })),
    );
    const several = await list('users', { q: { join: ['company', 'profile'] }, companyId: 3 });
    assert.ok(several.data.every(({ company, profile }) => company.id === 3 && profile !== undefined));
    const searched = await list('users', { q: { s: JSON.stringify({ $or: [{ age: 30 }, { companyId: 4 }] }) } });
    assertSameKeys(
      searched.data,
      users.filter(({ age, companyId }) => age === 30 || companyId === 4),
    );
    const { data } = await make(app.url).getManyReference('users', {
      target: 'companyId',
      id: 3,
      pagination: { page: 1, perPage: 2 },
      sort: { field: 'id', order: 'ASC' },
      filter: { q: { join: 'company' } },
    });
    assert.deepEqual(
      data.map(({ company }) => company.id),
      [3, 3],
    );
  });

  test('keys by their kind: a uuid and a text of digits are compared as they are', async () => {
    const [device] = await app.stored('Device');
    assert.deepEqual(ids((await list('devices', { id: device.id })).data), [device.id]);
    const users = await app.stored('User', { where: { companyId: 10, age: 30 } });
    assert.ok(users.length > 0);
    assertSameKeys((await list('users', { companyId: '10', age: '30' })).data, users);
  });

  test('keys of what is always paginated are taken out of their envelope', async () => {
    assert.deepEqual(ids((await make(app.url).getMany('projects', { ids: [3, 4] })).data), [3, 4]);
  });

  test('an update sends what has changed, and nothing when nothing has', async () => {
    const { data: previousData } = await make(app.url).getOne('categories', { id: 2 });
    assert.deepEqual(
      (await make(app.url).update('categories', { id: 2, data: previousData, previousData })).data,
      previousData,
    );
    const sent = [];
    const provider = make(app.url, async (_url, { body }) => {
      sent.push(JSON.parse(body));
      return { json: {} };
    });
    await provider.update('categories', { id: 2, data: { ...previousData, name: 'Telephones' }, previousData });
    assert.deepEqual(sent, [{ name: 'Telephones' }]);
  });

  test('answers a deletion with the key', async () => {
    const { data } = await make(app.url).create('devices', { data: { serial: 'R-1' } });
    assert.deepEqual(await make(app.url).delete('devices', { id: data.id }), { data: { id: data.id } });
  });
});
