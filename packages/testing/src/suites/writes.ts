import { deepEqual, equal, ok } from 'node:assert/strict';
import { type Answer, expectAnswer } from '../api.js';
import { suite } from '../application.js';

const ODD: readonly unknown[] = [
  ...[null, '', ' ', 'abc', '12', 0, -1, 1.5, 2147483648, '9223372036854775808', 1e308, true, [], [1], {}, { id: 1 }],
  ...['x'.repeat(300), 'nul\u0000', '2024-02-29', '2026-02-31', '\ud800'],
];

const FIELDS = [
  ...['email', 'name', 'age', 'score', 'points', 'isActive', 'role', 'settings', 'bornOn', 'joinedAt', 'version'],
  ...['updatedAt', 'teamId', 'passportId', 'team', 'passport', 'badges', 'notes'],
];

export const writes = suite('writes', {
  'a value that another record has already is a 409 that names the field': async ({ api, newMember, pathOf }) => {
    const changed = await api.patch(pathOf('m01'), { email: 'm02@example.com' });
    for (const answer of [await api.post('/hooked', newMember('m02')), changed])
      expectAnswer(answer, 409, 'CRUD_UNIQUE_VIOLATION', 'email');
    equal(await api.size('/admin/members'), 24);
  },
  'a key that another record has already is a 409': async ({ api, ids }) => {
    expectAnswer(await api.post('/seats', { teamId: ids.teams['red'], number: 1 }), 409, 'CRUD_UNIQUE_VIOLATION');
    equal((await api.body(`/seats/${ids.teams['red']}/1`)).label, 'window');
  },
  'a reference to nothing is a 409 that names the field': async ({ api, newMember }) => {
    const answer = await api.post('/members', newMember('x', { teamId: 2147483000 }));
    expectAnswer(answer, 409, 'CRUD_FOREIGN_KEY_VIOLATION', 'teamId');
  },
  'a record that others refer to stays: 409': async ({ api, ids }) => {
    expectAnswer(await api.delete(`/admin/teams/${ids.teams['red']}`), 409, 'CRUD_FOREIGN_KEY_VIOLATION');
    expectAnswer(await api.get(`/teams/${ids.teams['red']}`), 200);
  },
  'what belongs to a deleted record goes with it': async ({ api, pathOf }) => {
    const before = await api.size('/admin/notes');
    expectAnswer(await api.delete(pathOf('m03')), 200);
    equal(await api.size('/admin/notes'), before - 2);
  },
  'a check of the database is a 400': async ({ api, pathOf }) => {
    expectAnswer(await api.patch(pathOf('m01'), { age: 151 }), 400, 'CRUD_CHECK_VIOLATION');
    equal((await api.body(pathOf('m01'))).age, 30);
  },
  'a value that is required is a 400 where it is missing, or null': async ({ api, newMember, pathOf }) => {
    expectAnswer(await api.post('/members', newMember('x', { email: undefined })), 400);
    expectAnswer(await api.patch(pathOf('m01'), { email: null }), 400);
  },
  'clients do not set what the database fills in': async ({ api, newMember }) => {
    const past = '2000-01-01T00:00:00Z';
    const { body } = expectAnswer(await api.post('/teams', { name: 'pink', createdAt: past, deletedAt: past }), 201);
    deepEqual([Date.parse(body.createdAt) > Date.parse('2020-01-01'), body.deletedAt], [true, null]);
    expectAnswer(await api.post('/members', newMember('k', { id: 77_000 })), 400);
  },
  'a version that is not the stored one is a 409, and nothing changes': async ({ api, pathOf }) => {
    expectAnswer(await api.patch(pathOf('m01'), { age: 31, version: 1 }), 200);
    expectAnswer(await api.patch(pathOf('m01'), { age: 32, version: 1 }), 409, 'CRUD_STALE_VERSION', 'version');
    equal((await api.body(pathOf('m01'))).age, 31);
    expectAnswer(await api.patch(pathOf('m01'), { age: 33, version: 2 }), 200);
  },
  'of two changes with one version one is stored': async ({ api, pathOf }) => {
    const answers = await Promise.all([41, 42, 43].map((age) => api.patch(pathOf('m01'), { age, version: 1 })));
    deepEqual([statuses(answers), (await api.body(pathOf('m01'))).version], [[200, 409, 409], 2]);
  },
  'of several records with one unique value one is stored': async ({ api, newMember }) => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => api.post('/members', newMember('race'))));
    deepEqual(statuses(answers), [201, 409, 409, 409]);
    equal(await api.size('/members?filter=email||eq||race@example.com'), 1);
  },
  'a bulk is stored whole or not at all': async ({ api, newMember }) => {
    const bulk = [newMember('one'), newMember('m02')];
    expectAnswer(await api.post('/hooked/bulk', { bulk }), 409, 'CRUD_UNIQUE_VIOLATION', 'bulk.1.email');
    equal(await api.size('/admin/members'), 24);
  },
  'no value of any field is an error of the server': async ({ api, pathOf }) => {
    for (const [field, value] of FIELDS.flatMap((name) => ODD.map((odd) => [name, odd] as const))) {
      const { status, text } = await api.patch(pathOf('m05'), { [field]: value });
      ok(status < 500, `${field} = ${JSON.stringify(value)}: ${status} ${text}`);
    }
  },
  'what is stored is what was sent': async ({ api, ids, members, newMember }) => {
    const sent = newMember('exact', {
      name: { first: "O'Neil; DROP", last: '漢字 😀 %_\\' },
      age: 150,
      score: 0.1,
      points: members[0]!.points,
      isActive: false,
      role: 'guest',
      settings: { deep: [1, { null: null }], 'odd key': '"' },
      bornOn: '1815-12-10',
      joinedAt: '1999-12-31T23:59:59.999Z',
      teamId: ids.teams['blue'],
    });
    const { body } = expectAnswer(await api.post('/members', sent), 201);
    const stored = await api.body(`/members/${body.id}`);
    const { id, version, updatedAt, passportId } = stored;
    deepEqual(stored, { ...sent, id, version, updatedAt, passportId });
  },
});

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();

export const many = suite('many records', {
  'PATCH of many changes each as its own item says': async ({ api, idOf, pathOf }) => {
    const [one, other] = [idOf('m01'), idOf('m02')];
    const bulk = [other, one].map((id, at) => ({ id, ...[{ age: 71 }, { role: 'admin' }][at] }));
    const [first, second] = expectAnswer(await api.patch('/members/bulk', { bulk }), 200).body;
    deepEqual([first.id, first.age, first.role], [other, 71, 'guest']);
    deepEqual([second.id, second.age, second.role], [one, 30, 'admin']);
    equal((await api.body(pathOf('m01'))).version, 2);
  },
  'PUT of many replaces each': async ({ api, idOf, newMember, pathOf }) => {
    const bulk = [newMember('r', { id: idOf('m01') })];
    expectAnswer(await api.put('/members/bulk', { bulk }), 200);
    equal((await api.body(pathOf('m01'))).age, null);
  },
  'DELETE of many deletes each': async ({ api, idOf }) => {
    const bulk = ['m01', 'm02'].map((name) => ({ id: idOf(name) }));
    expectAnswer(await api.delete('/members/bulk', { bulk }), 200);
    equal(await api.size('/members'), 22);
  },
  'one that is missing, or named twice, leaves all as they are': async ({ api, idOf, pathOf }) => {
    const [id, missing] = [idOf('m01'), 2147483000];
    const items = (...keys: number[]) => ({ bulk: keys.map((key) => ({ id: key, age: 99 })) });
    expectAnswer(await api.patch('/members/bulk', items(id, missing)), 404);
    expectAnswer(await api.delete('/members/bulk', { bulk: [{ id }, { id: missing }] }), 404);
    expectAnswer(await api.patch('/members/bulk', items(id, id)), 400, 'CRUD_INVALID_BODY');
    equal((await api.body(pathOf('m01'))).age, 30);
  },
  'soft-deleted records come back together': async ({ api, ids }) => {
    const bulk = [{ id: ids.teams['green'] }, { id: ids.teams['gone'] }];
    expectAnswer(await api.delete('/teams/bulk', { bulk: [bulk[0]] }), 200);
    expectAnswer(await api.patch('/teams/bulk/recover', { bulk }), 200);
    equal(await api.size('/teams'), 4);
  },
  'writes by a condition change what matches': async ({ api }) => {
    const path = '/members/bulk?filter=role||eq||admin';
    const { body: changed } = expectAnswer(await api.patch(path, { set: { score: 7 } }), 200);
    deepEqual([changed, await api.size('/members?filter=score||eq||7')], [{ affected: 5 }, 5]);
    const { body: deleted } = expectAnswer(await api.delete(path), 200);
    deepEqual([deleted, await api.size('/members')], [{ affected: 5 }, 19]);
  },
  'a write without a condition is a 400': async ({ api }) => {
    expectAnswer(await api.patch('/members/bulk', { set: { score: 7 } }), 400);
    expectAnswer(await api.delete('/members/bulk'), 400);
    equal(await api.size('/members'), 24);
  },
});

export const upserts = suite('upserts', {
  'a record with the same value is changed as PATCH would': async ({ api, idOf, newMember }) => {
    const { body } = expectAnswer(await api.post('/upserts', newMember('m01', { age: 88 })), 200);
    deepEqual([body.id, body.age, body.role, body.version], [idOf('m01'), 88, 'member', 2]);
  },
  'without one, a record is stored': async ({ api, newMember }) =>
    equal(expectAnswer(await api.post('/upserts', newMember('fresh')), 201).body.version, 1),
  'many, some there and some not': async ({ api, newMember }) => {
    const bulk = ['fresh', 'm02'].map((name) => newMember(name, { age: 88 }));
    const [created, changed] = expectAnswer(await api.post('/upserts/bulk', { bulk }), 201).body;
    deepEqual([created.email, created.version], ['fresh@example.com', 1]);
    deepEqual([changed.email, changed.version, changed.age], ['m02@example.com', 2, 88]);
    equal(await api.size('/members'), 25);
  },
  'a nested record that the same value names stays as it is': async ({ api, ids, idOf, newMember }) => {
    const id = ids.passports['P-1']!;
    const sent = newMember('m01', { age: 88, passport: { id, number: 'changed' } });
    const { body } = expectAnswer(await api.post('/bearers', sent), 200);
    deepEqual([body.id, body.age], [idOf('m01'), 88]);
    equal((await api.body(`/admin/passports/${id}`)).number, 'P-1');
  },
  'two with the same value in one body are refused, and nothing is stored': async ({ api, newMember }) => {
    const bulk = [2, 3].map((age) => newMember('twice', { age }));
    expectAnswer(await api.post('/upserts/bulk', { bulk }), 400, 'CRUD_INVALID_BODY', 'bulk.1');
    equal(await api.size('/members'), 24);
  },
});
