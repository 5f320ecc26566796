/** FusionWorks' react-admin data provider, as it comes from npm, against the example: react-admin 2's verbs as functions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import crudProvider from '@fusionworks/ra-data-nest-crud';
import reactAdmin from 'react-admin';
import { describeApplication, ids } from '../harness/matrix.js';
import { describeReactAdmin } from '../harness/react-admin-suite.js';

const { CREATE, DELETE, DELETE_MANY, GET_LIST, GET_MANY, GET_MANY_REFERENCE, GET_ONE, UPDATE, UPDATE_MANY } =
  reactAdmin;

function make(url) {
  const provider = crudProvider(url);
  const verb = (type) => async (resource, params) => provider(type, resource, params);
  return {
    getList: verb(GET_LIST),
    getOne: verb(GET_ONE),
    getMany: verb(GET_MANY),
    getManyReference: verb(GET_MANY_REFERENCE),
    create: verb(CREATE),
    update: verb(UPDATE),
    updateMany: verb(UPDATE_MANY),
    delete: verb(DELETE),
    deleteMany: verb(DELETE_MANY),
  };
}

describeReactAdmin('FusionWorks', make, { defaultOperator: () => 'cont' });

describeApplication('FusionWorks in particular', 'example', (app) => {
  test('an emptied search box filters nothing', async () => {
    const params = { pagination: { page: 1, perPage: 5 }, sort: { field: 'id', order: 'ASC' } };
    for (const filter of ['', { q: '' }]) {
      const { data, total } = await make(app.url).getList('users', { ...params, filter });
      assert.deepEqual(ids(data), [1, 2, 3, 4, 5]);
      assert.equal(total, 100);
    }
  });

  test('answers a creation with what was sent and the key, a deletion with the answer’s body', async () => {
    const { data } = await make(app.url).create('devices', { data: { serial: 'F-1' } });
    assert.deepEqual(Object.keys(data).sort(), ['id', 'serial']);
    assert.deepEqual(await make(app.url).delete('devices', { id: data.id }), { data: undefined });
  });

  test('keys of what is always paginated arrive in their envelope', async () => {
    const { data } = await make(app.url).getMany('projects', { ids: [3, 4] });
    assert.deepEqual(ids(data.data), [3, 4]);
  });
});
