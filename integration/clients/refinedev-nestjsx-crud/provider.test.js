/** Refine's data provider, as it comes from npm, against the example: every function, its answer, and what the database holds afterwards. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import nestjsxCrud, { mapOperator } from '@refinedev/nestjsx-crud';
import { CONDITIONS, RELATIONS, satisfies, titleOf } from '../harness/filters.js';
import { asJson, assertSameKeys, describeApplication, ids } from '../harness/matrix.js';

/** Refine's operators by the query language's; refine has no name for the other twins (`eqL`, `inL` …) and maps its own remaining names to `eq`. */
const REFINE_OPERATORS = {
  eq: 'eq',
  ne: 'ne',
  lt: 'lt',
  gt: 'gt',
  lte: 'lte',
  gte: 'gte',
  in: 'in',
  notin: 'nin',
  contL: 'contains',
  exclL: 'ncontains',
  cont: 'containss',
  excl: 'ncontainss',
  isnull: 'null',
  notnull: 'nnull',
  startsL: 'startswith',
  starts: 'startswiths',
  endsL: 'endswith',
  ends: 'endswiths',
  between: 'between',
};

const UNKNOWN_ID = 987654;
const newUser = (email) => ({ email, password: 'secret', companyId: 2, name: { first: 'New', last: null } });
const newDevice = (serial) => ({ serial, description: 'new' });

test('the operators below are all that the provider maps', () => {
  for (const [operator, name] of Object.entries(REFINE_OPERATORS)) assert.equal(mapOperator(name), `$${operator}`);
  for (const name of ['ina', 'nina', 'nbetween', 'nstartswith', 'nendswiths']) assert.equal(mapOperator(name), '$eq');
  const tried = new Set(CONDITIONS.map(([, operator]) => operator));
  for (const operator of Object.keys(REFINE_OPERATORS)) assert.ok(tried.has(operator), operator);
});

describeApplication('refine reads', 'example', (app) => {
  const provider = () => nestjsxCrud(app.url);
  const all = { currentPage: 1, pageSize: 500 };

  test('lists page by page, sorted, each record once', async () => {
    const users = await app.stored('User');
    const listed = [];
    for (let currentPage = 1; currentPage <= 15; currentPage += 1) {
      const { data, total } = await provider().getList({
        resource: 'users',
        pagination: { currentPage, pageSize: 7 },
        sorters: [
          { field: 'isActive', order: 'desc' },
          { field: 'companyId', order: 'desc' },
        ],
      });
      assert.equal(total, 100);
      assert.equal(data.length, currentPage < 15 ? 7 : 2);
      listed.push(...data);
    }
    const expected = users.sort((a, b) => b.isActive - a.isActive || b.companyId - a.companyId || a.id - b.id);
    assert.deepEqual(ids(listed), ids(expected));
    assert.equal(listed[0].email, expected[0].email);
    assert.ok(listed.every((user) => !('password' in user)));
  });

  test('lists the first ten without further word, and nothing beyond the last page', async () => {
    const { data, total } = await provider().getList({ resource: 'companies' });
    assert.deepEqual(ids(data), ids(await app.stored('Company')));
    assert.equal(total, 10);
    const beyond = await provider().getList({ resource: 'users', pagination: { currentPage: 40, pageSize: 10 } });
    assert.deepEqual(beyond, { data: [], total: 100 });
  });

  test('lists without pages', async () => {
    const { data, total } = await provider().getList({ resource: 'categories', pagination: { mode: 'off' } });
    assert.deepEqual(data, asJson(await app.stored('Category')));
    assert.equal(total, data.length);
    const projects = await provider().getList({ resource: 'projects', pagination: { mode: 'off' } });
    assert.equal(projects.data.length, 10);
    assert.equal(projects.total, 30);
  });

  for (const [field, operator, value] of CONDITIONS.filter(([, name]) => name in REFINE_OPERATORS)) {
    test(`filters ${titleOf([field, REFINE_OPERATORS[operator], value])}`, async () => {
      const users = await app.stored('User', { relations: RELATIONS });
      const expected = users.filter((user) => satisfies(user, [field, operator, value]));
      assert.ok(expected.length > 0 && expected.length < users.length);
      const filters = [{ field, operator: REFINE_OPERATORS[operator], value }];
      const { data, total } = await provider().getList({ resource: 'users', pagination: all, filters });
      assertSameKeys(data, expected);
      assert.equal(total, expected.length);
    });
  }

  test('filters by and, or, nested, together with sort and page', async () => {
    const conditions = {
      adult: ['age', 'gte', 30],
      admin: ['role', 'eq', 'admin'],
      seven: ['companyId', 'in', [1, 3, 7]],
      active: ['isActive', 'eq', true],
    };
    const is = (user, name) => satisfies(user, conditions[name]);
    const filterOf = (name) => {
      const [field, operator, value] = conditions[name];
      return { field, operator, value };
    };
    const expected = (await app.stored('User')).filter(
      (user) => is(user, 'seven') && (is(user, 'admin') || (is(user, 'adult') && is(user, 'active'))),
    );
    const { data, total } = await provider().getList({
      resource: 'users',
      pagination: { currentPage: 2, pageSize: 3 },
      sorters: [{ field: 'id', order: 'desc' }],
      filters: [
        filterOf('seven'),
        {
          operator: 'or',
          value: [filterOf('admin'), { operator: 'and', value: [filterOf('adult'), filterOf('active')] }],
        },
      ],
    });
    assert.ok(expected.length > 6);
    assert.equal(total, expected.length);
    assert.deepEqual(ids(data), ids(expected.reverse().slice(3, 6)));
  });

  test('an emptied search box matches every text; null ignores its value', async () => {
    const users = await app.stored('User');
    const list = async (filter) =>
      (await provider().getList({ resource: 'users', pagination: all, filters: [filter] })).data;
    assertSameKeys(await list({ field: 'email', operator: 'contains', value: '' }), users);
    const ageless = users.filter(({ age }) => age === null);
    assertSameKeys(await list({ field: 'age', operator: 'null', value: null }), ageless);
    assertSameKeys(await list({ field: 'age', operator: 'null', value: '' }), ageless);
    // Without a value the provider prints `{"age":{}}`, which always holds.
    assertSameKeys(await list({ field: 'age', operator: 'null' }), users);
  });

  test('a filter by an unknown field is told as such', async () => {
    await assert.rejects(
      provider().getList({ resource: 'users', filters: [{ field: 'nope', operator: 'eq', value: 1 }] }),
      ({ statusCode, response }) => statusCode === 400 && response.data.code === 'CRUD_UNKNOWN_FIELD',
    );
  });

  test('reads one record, with relations where asked for', async () => {
    const [stored] = await app.stored('User', { where: { id: 42 }, relations: RELATIONS });
    const { password: _password, company, profile, ...fields } = asJson(stored);
    assert.deepEqual(await provider().getOne({ resource: 'users', id: 42 }), { data: fields });
    const { data } = await provider().getOne({
      resource: 'users',
      id: 42,
      meta: { join: [{ field: 'company', select: ['name'] }, { field: 'profile' }] },
    });
    assert.deepEqual(data, { ...fields, company: { id: company.id, name: company.name }, profile });
    const [device] = asJson(await app.stored('Device'));
    assert.deepEqual(await provider().getOne({ resource: 'devices', id: device.id }), { data: device });
    await assert.rejects(provider().getOne({ resource: 'users', id: UNKNOWN_ID }), {
      statusCode: 404,
      message: 'User not found',
    });
  });

  test('reads many by their keys, with relations where asked for', async () => {
    const { data } = await provider().getMany({ resource: 'users', ids: [5, 93, 17, UNKNOWN_ID] });
    assertSameKeys(data, [{ id: 5 }, { id: 17 }, { id: 93 }]);
    const devices = (await app.stored('Device')).slice(3, 6);
    const many = await provider().getMany({ resource: 'devices', ids: ids(devices) });
    assert.deepEqual(
      many.data.sort((a, b) => (a.id < b.id ? -1 : 1)),
      asJson(devices),
    );
    const joined = await provider().getMany({
      resource: 'users',
      ids: ['5', '17'],
      meta: { join: { field: 'company' } },
    });
    assert.deepEqual(
      joined.data.map(({ id, company }) => [id, company.id]),
      [
        [5, 1],
        [17, 2],
      ],
    );
  });

  test('many keys are answered up to the resource’s own limit; what is always paginated comes in its envelope', async () => {
    const sixty = Array.from({ length: 60 }, (_, index) => index + 1);
    const { data } = await provider().getMany({ resource: 'users', ids: sixty });
    assert.deepEqual(ids(data), sixty.slice(0, 50));
    const projects = await provider().getMany({ resource: 'projects', ids: [3, 4] });
    assert.deepEqual(ids(projects.data.data), [3, 4]);
  });

  test('reads references: the many of a parent, by key, by relation and by path', async () => {
    const expected = await app.stored('User', { where: { companyId: 3 } });
    const ofCompany = (list) => provider().getList({ pagination: { currentPage: 2, pageSize: 4 }, ...list });
    const eq = (field) => [{ field, operator: 'eq', value: 3 }];
    for (const list of [
      { resource: 'users', filters: eq('companyId') },
      { resource: 'users', filters: eq('company.id') },
      { resource: 'companies/3/users' },
    ]) {
      const { data, total } = await ofCompany(list);
      assert.equal(total, 10);
      assert.deepEqual(ids(data), ids(expected).slice(4, 8));
    }
    const { data } = await provider().getMany({
      resource: 'companies',
      ids: [...new Set(expected.map((u) => u.companyId))],
    });
    assert.deepEqual(ids(data), [3]);
    const joined = await provider().getList({ resource: 'companies', meta: { join: [{ field: 'projects' }] } });
    const projects = await app.stored('Project');
    for (const company of joined.data) {
      assertSameKeys(
        company.projects,
        projects.filter((p) => p.companyId === company.id),
      );
    }
  });

  test('custom requests carry filters, sorters and a query of their own', async () => {
    const { data } = await provider().custom({
      url: `${app.url}/users`,
      method: 'get',
      filters: [{ field: 'companyId', operator: 'eq', value: 4 }],
      sorters: [{ field: 'id', order: 'desc' }],
      query: { limit: 2, fields: 'email' },
    });
    const users = (await app.stored('User', { where: { companyId: 4 } })).reverse().slice(0, 2);
    assert.deepEqual(
      data,
      users.map(({ id, email }) => ({ id, email })),
    );
  });
});

describeApplication('refine writes', 'example', (app) => {
  const provider = () => nestjsxCrud(app.url);
  const stored = async (entity, id) => asJson((await app.stored(entity, { where: { id } }))[0] ?? null);

  test('creates a record', async () => {
    const variables = {
      ...newUser('create@example.org'),
      age: 33,
      balance: 12.34,
      tags: ['a', 'b'],
      settings: { theme: 'dark' },
      birthDate: '2001-02-03',
      profile: { city: 'Oslo' },
    };
    const { data } = await provider().create({ resource: 'users', variables });
    const { password, ...record } = await stored('User', data.id);
    assert.equal(password, 'secret');
    const { profile: _profile, ...answer } = data;
    assert.deepEqual(answer, record);
    assert.equal((await stored('Profile', record.profileId)).city, 'Oslo');
    const { profile: _sent, password: _secret, ...sent } = variables;
    assert.deepEqual({ ...record, ...sent }, record);
    const device = await provider().create({ resource: 'devices', variables: newDevice('CREATE-1') });
    assert.deepEqual(device.data, await stored('Device', device.data.id));
  });

  test('creates many, or none', async () => {
    const serials = ['MANY-3', 'MANY-1', 'MANY-2'];
    const { data } = await provider().createMany({ resource: 'devices', variables: serials.map(newDevice) });
    assert.deepEqual(
      data.map(({ serial }) => serial),
      serials,
    );
    for (const device of data) assert.deepEqual(await stored('Device', device.id), device);
    const before = (await app.stored('Device')).length;
    await assert.rejects(
      provider().createMany({ resource: 'devices', variables: [newDevice('MANY-4'), { serial: 5 }] }),
      { statusCode: 400, message: 'Bad Request', errors: { 'bulk.1.serial': ['bulk.1.serial must be a string'] } },
    );
    assert.equal((await app.stored('Device')).length, before);
  });

  test('updates what is sent and nothing else', async () => {
    const before = await stored('User', 8);
    const { data } = await provider().update({
      resource: 'users',
      id: 8,
      variables: { age: 77, name: { last: 'Changed' }, companyId: 5 },
    });
    const after = await stored('User', 8);
    const { password, ...visible } = after;
    assert.deepEqual(data, visible);
    assert.deepEqual(after, {
      ...before,
      age: 77,
      name: { ...before.name, last: 'Changed' },
      companyId: 5,
      version: before.version + 1,
      updatedAt: after.updatedAt,
    });
    assert.notEqual(after.updatedAt, before.updatedAt);
  });

  test('updates many', async () => {
    const changed = [21, 22, 25];
    const before = await app.stored('User');
    const { data } = await provider().updateMany({
      resource: 'users',
      ids: changed,
      variables: { role: 'guest', score: 4.5 },
    });
    assert.deepEqual(
      data.map(({ id, role, score }) => [id, role, score]),
      changed.map((id) => [id, 'guest', 4.5]),
    );
    for (const { id, role, score, email } of await app.stored('User')) {
      const { role: oldRole, score: oldScore, email: oldEmail } = before.find((user) => user.id === id);
      assert.deepEqual(
        [role, score, email],
        changed.includes(id) ? ['guest', 4.5, oldEmail] : [oldRole, oldScore, oldEmail],
      );
    }
  });

  test('deletes a record, several, and softly', async () => {
    const { data: devices } = await provider().createMany({
      resource: 'devices',
      variables: ['D-1', 'D-2', 'D-3'].map(newDevice),
    });
    const before = ids(await app.stored('Device'));
    assert.deepEqual(await provider().deleteOne({ resource: 'devices', id: devices[0].id }), { data: '' });
    assert.deepEqual(await provider().deleteMany({ resource: 'devices', ids: ids(devices.slice(1)) }), {
      data: ['', ''],
    });
    const gone = ids(devices);
    assert.deepEqual(
      ids(await app.stored('Device')),
      before.filter((id) => !gone.includes(id)),
    );

    const { data: project } = await provider().create({
      resource: 'projects',
      variables: { name: 'Gone', companyId: 1 },
    });
    const deleted = await provider().deleteOne({ resource: 'projects', id: project.id });
    assert.equal(deleted.data.id, project.id);
    assert.equal(await stored('Project', project.id), null);

    await provider().deleteOne({ resource: 'companies', id: 10 });
    assert.equal(await stored('Company', 10), null);
    assert.equal((await app.stored('Company', { withDeleted: true })).length, 10);
    assert.equal((await provider().getList({ resource: 'companies' })).total, 9);
  });

  test('shows errors by field, as its forms need them', async () => {
    const { email } = await stored('User', 1);
    await assert.rejects(provider().create({ resource: 'users', variables: newUser(email) }), {
      statusCode: 409,
      message: 'Conflict',
      errors: { email: ['email already exists'] },
    });
    await assert.rejects(
      provider().update({ resource: 'users', id: 2, variables: { age: 'old', email: 'nobody' } }),
      ({ statusCode, errors }) =>
        statusCode === 400 &&
        Object.keys(errors).sort().join() === 'age,email' &&
        errors.email[0].startsWith('email must be'),
    );
    await assert.rejects(
      provider().updateMany({ resource: 'users', ids: [3, UNKNOWN_ID], variables: { age: 50 } }),
      ([error]) => error.statusCode === 404,
    );
    await assert.rejects(provider().deleteOne({ resource: 'users', id: UNKNOWN_ID }), { statusCode: 404 });
    assert.equal((await stored('User', 3)).age, 50);
    assert.notEqual((await stored('User', 2)).email, 'nobody');
  });
});
