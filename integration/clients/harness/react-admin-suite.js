/** The tests that every react-admin data provider must pass: each function, its answer, and what the database holds afterwards. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONDITIONS, RELATIONS, satisfies, titleOf } from './filters.js';
import { asJson, assertSameKeys, describeApplication, ids } from './matrix.js';

const UNKNOWN_ID = 987654;
const FIRST_500 = { page: 1, perPage: 500 };
const BY_ID = { field: 'id', order: 'ASC' };

/** Operators that the providers know by their plain name, too; the others are printed with a `$`. */
const PLAIN = 'eq ne gt lt gte lte starts ends cont excl in notin isnull notnull between'.split(' ');

/**
 * @param make the application's address in, a data provider out: react-admin's functions, each `(resource, params) => Promise<{ data, … }>`.
 * @param defaultOperator what the provider prints for a filter that names no operator, by the filter's value.
 */
export function describeReactAdmin(name, make, { defaultOperator }) {
  describeApplication(`${name} reads`, 'example', (app) => {
    const provider = () => make(app.url);
    const list = (resource, params) =>
      provider().getList(resource, { pagination: FIRST_500, sort: BY_ID, filter: {}, ...params });

    test('lists page by page, sorted, each record once', async () => {
      const users = await app.stored('User');
      const listed = [];
      for (let page = 1; page <= 15; page += 1) {
        const { data, total } = await list('users', {
          pagination: { page, perPage: 7 },
          sort: { field: 'companyId', order: 'DESC' },
        });
        assert.equal(total, 100);
        listed.push(...data);
      }
      assert.deepEqual(ids(listed), ids(users.sort((a, b) => b.companyId - a.companyId || a.id - b.id)));
      assert.ok(listed.every((user) => !('password' in user)));
    });

    test('lists what is always paginated, and nothing beyond the last page', async () => {
      const projects = await app.stored('Project');
      const { data, total } = await list('projects', { pagination: { page: 2, perPage: 10 } });
      assert.equal(total, 30);
      assert.deepEqual(ids(data), ids(projects).slice(10, 20));
      assert.deepEqual(await list('users', { pagination: { page: 40, perPage: 10 } }), { data: [], total: 100 });
    });

    for (const condition of CONDITIONS) {
      const [field, operator, value] = condition;
      for (const printed of PLAIN.includes(operator) ? [operator, `$${operator}`] : [`$${operator}`]) {
        // Neither provider escapes the commas of a list, so that no value of a list holds any.
        test(`filters ${titleOf([field, printed, value])}`, async () => {
          const users = await app.stored('User', { relations: RELATIONS });
          const expected = users.filter((user) => satisfies(user, condition));
          assert.ok(expected.length > 0 && expected.length < users.length);
          const { data, total } = await list('users', { filter: { [`${field}||${printed}`]: value } });
          assertSameKeys(data, expected);
          assert.equal(total, expected.length);
        });
      }
    }

    for (const [field, value] of [
      ['email', 'ada'],
      ['email', '_'],
      ['name', { first: 'a' }],
      ['name', { last: 'lind', first: 'a' }],
      ['company', { name: 'LUMEN' }],
      ['age', 36],
      ['age', '36'],
      ['isActive', true],
      ['isActive', false],
      ['role', 'admin'],
      ['companyId', 7],
      ['balance', 100.5],
      ['_search.email', 'race'],
    ]) {
      test(`filters ${field} by ${JSON.stringify(value)} without naming an operator`, async () => {
        const operator = defaultOperator(value);
        const path = field.replace('_search.', '');
        const conditions =
          typeof value === 'object'
            ? Object.entries(value).map(([key, part]) => [`${path}.${key}`, operator, part])
            : [[path, operator, path === 'age' && operator === 'eq' ? Number(value) : value]];
        // A boolean has no text: "contains" means "is".
        if (typeof value === 'boolean') conditions[0][1] = 'eq';
        const users = await app.stored('User', { relations: RELATIONS });
        const expected = users.filter((user) => conditions.every((condition) => satisfies(user, condition)));
        assert.ok(expected.length > 0 && expected.length < users.length);
        assertSameKeys((await list('users', { filter: { [field]: value } })).data, expected);
      });
    }

    test('filters by several conditions, all of which hold', async () => {
      const filter = { 'age||$gte': 30, 'companyId||$in': [1, 3, 7], 'isActive||$eq': true };
      const expected = (await app.stored('User')).filter(
        ({ age, companyId, isActive }) => age !== null && age >= 30 && [1, 3, 7].includes(companyId) && isActive,
      );
      const { data, total } = await list('users', { filter, pagination: { page: 2, perPage: 2 } });
      assert.ok(expected.length > 3);
      assert.equal(total, expected.length);
      assert.deepEqual(ids(data), ids(expected).slice(2, 4));
    });

    test('a date that is asked for a text, and an unknown field, are told as such', async () => {
      for (const [filter, code] of [
        [{ birthDate: '1990-01-01' }, 'CRUD_UNKNOWN_OPERATOR'],
        [{ nope: 'x' }, 'CRUD_UNKNOWN_FIELD'],
      ]) {
        await assert.rejects(
          list('users', { filter }),
          (error) => error.status === 400 && error.body.code === code,
          JSON.stringify(filter),
        );
      }
    });

    test('reads one record', async () => {
      const [{ password: _password, ...fields }] = asJson(await app.stored('User', { where: { id: 42 } }));
      assert.deepEqual(await provider().getOne('users', { id: 42 }), { data: fields });
      const [device] = asJson(await app.stored('Device'));
      assert.deepEqual(await provider().getOne('devices', { id: device.id }), { data: device });
      await assert.rejects(provider().getOne('users', { id: UNKNOWN_ID }), { status: 404, message: 'User not found' });
    });

    test('reads many by their keys', async () => {
      const { data } = await provider().getMany('users', { ids: [5, 93, 17, UNKNOWN_ID] });
      assertSameKeys(data, [{ id: 5 }, { id: 17 }, { id: 93 }]);
      const devices = (await app.stored('Device')).slice(3, 6);
      const many = await provider().getMany('devices', { ids: ids(devices) });
      assert.deepEqual(
        many.data.sort((a, b) => (a.id < b.id ? -1 : 1)),
        asJson(devices),
      );
    });

    test('reads references: page, sort and filter of the many of a parent', async () => {
      const referencing = (resource, params) =>
        provider().getManyReference(resource, {
          target: 'companyId',
          id: 3,
          pagination: { page: 2, perPage: 4 },
          sort: { field: 'id', order: 'DESC' },
          filter: {},
          ...params,
        });
      const users = (await app.stored('User', { where: { companyId: 3 } })).reverse();
      const { data, total } = await referencing('users');
      assert.equal(total, 10);
      assert.deepEqual(ids(data), ids(users).slice(4, 8));
      assert.deepEqual(ids((await referencing('users', { target: 'company.id' })).data), ids(users).slice(4, 8));

      const active = users.filter(({ isActive }) => isActive);
      const filtered = await referencing('users', {
        filter: { 'isActive||$eq': true },
        pagination: { page: 1, perPage: 3 },
      });
      assert.equal(filtered.total, active.length);
      assert.deepEqual(ids(filtered.data), ids(active).slice(0, 3));

      const projects = (await app.stored('Project', { where: { companyId: 3 } })).reverse();
      const ofProjects = await referencing('projects', { pagination: { page: 1, perPage: 2 } });
      assert.equal(ofProjects.total, projects.length);
      assert.deepEqual(ids(ofProjects.data), ids(projects).slice(0, 2));

      const nested = await list('companies/3/users', { pagination: { page: 1, perPage: 3 } });
      assert.equal(nested.total, 10);
      assert.deepEqual(ids(nested.data), ids(users.reverse()).slice(0, 3));
    });
  });

  describeApplication(`${name} writes`, 'example', (app) => {
    const provider = () => make(app.url);
    const stored = async (entity, id) => asJson((await app.stored(entity, { where: { id } }))[0] ?? null);
    const create = async (serial) =>
      (await provider().create('devices', { data: { serial, description: 'new' } })).data;

    test('creates a record', async () => {
      const data = {
        email: 'create@example.org',
        password: 'secret',
        companyId: 2,
        name: { first: 'New', last: null },
        age: 33,
        balance: 12.34,
        tags: ['a', 'b'],
        settings: { theme: 'dark' },
        birthDate: '2001-02-03',
      };
      const created = await provider().create('users', { data });
      const record = await stored('User', created.data.id);
      assert.deepEqual({ ...record, ...data }, record);
      assert.deepEqual({ ...created.data, ...data }, created.data);
      const device = await create('CREATE-1');
      assert.deepEqual(await stored('Device', device.id), { id: device.id, serial: 'CREATE-1', description: 'new' });
    });

    test('updates a record by the whole form, as it was read', async () => {
      const before = await stored('User', 8);
      const { data: previousData } = await provider().getOne('users', { id: 8 });
      const data = { ...previousData, age: 77, name: { ...previousData.name, last: 'Changed' }, companyId: 5 };
      const updated = await provider().update('users', { id: 8, data, previousData });
      const after = await stored('User', 8);
      const { password, ...visible } = after;
      assert.deepEqual(updated.data, visible);
      assert.deepEqual(after, {
        ...before,
        age: 77,
        name: { ...before.name, last: 'Changed' },
        companyId: 5,
        version: before.version + 1,
        updatedAt: after.updatedAt,
      });
      assert.equal(password, before.password);
      assert.notEqual(after.updatedAt, before.updatedAt);
    });

    test('a partial PUT is no full record: without merge it is refused and changes nothing', async () => {
      const before = await app.stored('Device');
      await assert.rejects(
        provider().updateMany('devices', { ids: ids(before.slice(0, 2)), data: { description: 'lost' } }),
        ({ status, body }) => status === 400 && body.code === 'CRUD_INVALID_BODY' && body.field === 'serial',
      );
      assert.deepEqual(await app.stored('Device'), before);
    });

    test('deletes a record, several, and softly', async () => {
      const devices = [await create('D-1'), await create('D-2'), await create('D-3')];
      const gone = ids(devices);
      const before = ids(await app.stored('Device'));
      await provider().delete('devices', { id: gone[0], previousData: devices[0] });
      assert.deepEqual(
        ids(await app.stored('Device')),
        before.filter((id) => id !== gone[0]),
      );
      await provider().deleteMany('devices', { ids: gone.slice(1) });
      assert.deepEqual(
        ids(await app.stored('Device')),
        before.filter((id) => !gone.includes(id)),
      );

      const { data: project } = await provider().create('projects', { data: { name: 'Gone', companyId: 1 } });
      const { data: other } = await provider().create('projects', { data: { name: 'Gone', companyId: 2 } });
      assert.equal((await provider().delete('projects', { id: project.id })).data.id, project.id);
      assert.deepEqual(ids((await provider().deleteMany('projects', { ids: [other.id] })).data), [other.id]);
      assert.equal(await stored('Project', project.id), null);
      assert.equal(await stored('Project', other.id), null);

      await provider().delete('companies', { id: 10 });
      assert.equal(await stored('Company', 10), null);
      assert.equal((await app.stored('Company', { withDeleted: true })).length, 10);
    });

    test('hands errors on with their status and what they say', async () => {
      const { email } = await stored('User', 1);
      const data = { email, password: 'secret', companyId: 2 };
      await assert.rejects(
        provider().create('users', { data }),
        ({ status, message }) => status === 409 && String(message) === 'email already exists',
      );
      await assert.rejects(
        provider().update('users', { id: 2, data: { age: 'old' }, previousData: {} }),
        ({ status, body }) => status === 400 && body.field === 'age',
      );
      await assert.rejects(provider().delete('users', { id: UNKNOWN_ID }), { status: 404 });
      await assert.rejects(provider().deleteMany('devices', { ids: ['no-uuid'] }), { status: 400 });
      assert.notEqual((await stored('User', 2)).age, 'old');
    });
  });

  describeApplication(`${name} updates many`, 'merging', (app) => {
    const provider = () => make(app.url);

    test('partial PUTs are merged into each record found', async () => {
      for (const [resource, entity, chosen, data] of [
        ['users', 'User', [21, 22, 25], { role: 'guest', score: 4.5 }],
        ['projects', 'Project', [3, 30], { isActive: false }],
        ['devices', 'Device', ids((await app.stored('Device')).slice(0, 3)), { description: 'many' }],
      ]) {
        const before = asJson(await app.stored(entity));
        const answer = await provider().updateMany(resource, { ids: chosen, data });
        const after = asJson(await app.stored(entity));
        const { password: _password, ...visible } = after.find(({ id }) => id === chosen[0]);
        assert.deepEqual(answer.data[0], visible);
        assert.deepEqual(ids(answer.data), chosen);
        assert.deepEqual(
          after,
          before.map((record, index) => {
            if (!chosen.includes(record.id)) return record;
            const { version, updatedAt } = after[index];
            return { ...record, ...data, ...(version && { version: record.version + 1, updatedAt }) };
          }),
        );
      }
    });

    test('a record that is not there is told, and none appears', async () => {
      const before = (await app.stored('Device')).length;
      for (const [resource, id] of [
        ['users', UNKNOWN_ID],
        ['devices', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
      ]) {
        await assert.rejects(provider().updateMany(resource, { ids: [id], data: { description: 'x' } }), {
          status: 404,
        });
      }
      assert.equal((await app.stored('Device')).length, before);
    });

    test('what the update does not allow is refused', async () => {
      await assert.rejects(
        provider().updateMany('users', { ids: [1], data: { age: 'old' } }),
        ({ status, body }) => status === 400 && body.field === 'age',
      );
    });
  });
}
