import { deepEqual, equal, ok } from 'node:assert/strict';
import { type Answer, expectAnswer } from '../api.js';
import { suite } from '../case.js';

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
