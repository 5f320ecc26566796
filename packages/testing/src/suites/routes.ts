import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { expectAnswer } from '../api.js';
import { suite } from '../case.js';
import { DEVICES } from '../records.js';

export const routes = suite('routes', {
  'GET has a record by its key, with null where nothing is stored': async ({ api, ids }) => {
    const { body } = expectAnswer(await api.get(`/members/${ids.members['m02@example.com']}`), 200);
    const { email, name, age, isActive, role, settings, bornOn, joinedAt, points } = body;
    const expected = { email: 'm02@example.com', name: { first: 'bea', last: 'rivers' }, age: 20, isActive: true };
    const joined = '2024-02-29T00:00:00.000Z';
    deepEqual({ email, name, age, isActive }, expected);
    deepEqual([role, settings, bornOn, joinedAt, points], ['guest', null, null, joined, '5']);
  },
  'a key that no record has is a 404; one that the column cannot hold a 400': async ({ api }) => {
    expectAnswer(await api.get('/members/2147483000'), 404, 'CRUD_NOT_FOUND');
    expectAnswer(await api.get('/members/x'), 400);
    expectAnswer(await api.get('/devices/x'), 400);
  },
  '64 bits and decimals keep their digits': async ({ api, ids, members }) => {
    equal((await api.get(`/members/${ids.members['m01@example.com']}`)).body.points, members[0]!.points);
    equal(Number((await api.get(`/teams/${ids.teams['red']}`)).body.budget), 1000.5);
  },
  'POST stores a record with defaults, and answers with it': async ({ api, ids }) => {
    const before = Date.now() - 5_000;
    const sent = { email: 'new@example.com', teamId: ids.teams['red'] };
    const { body } = expectAnswer(await api.post('/members', sent), 201);
    deepEqual([body.isActive, body.role, body.age, body.version, body.passportId], [true, 'member', null, 1, null]);
    ok(Date.parse(body.updatedAt) > before, 'updatedAt is the present');
    deepEqual((await api.get(`/members/${body.id}`)).body, body);
  },
  'POST of many stores all, in the order of the body': async ({ api, ids }) => {
    const bulk = ['z@example.com', 'y@example.com'].map((email) => ({ email, teamId: ids.teams['red'] }));
    const { body } = expectAnswer(await api.post('/members/bulk', { bulk }), 201);
    equal(body.map(({ email }: { email: string }) => email).join(), 'z@example.com,y@example.com');
  },
  'PATCH changes what it names and nothing else': async ({ api, ids }) => {
    const path = `/members/${ids.members['m01@example.com']}`;
    const { body: before } = await api.get(path);
    const { body } = expectAnswer(await api.patch(path, { age: 31, name: { last: 'moss' } }), 200);
    const changed = { age: 31, name: { first: 'ada', last: 'moss' }, version: before.version + 1 };
    deepEqual({ ...body, updatedAt: 0 }, { ...before, ...changed, updatedAt: 0 });
  },
  'PATCH that changes nothing stores nothing': async ({ api, ids }) => {
    const path = `/members/${ids.members['m01@example.com']}`;
    const { body: before } = await api.get(path);
    deepEqual(expectAnswer(await api.patch(path, { age: before.age, role: before.role }), 200).body, before);
  },
  'PUT replaces a record: what is left out gets its default, or null': async ({ api, ids }) => {
    const path = `/members/${ids.members['m04@example.com']}`;
    const { body } = expectAnswer(await api.put(path, { email: 'four@example.com', teamId: ids.teams['red'] }), 200);
    const { email, age, role, isActive, name, settings } = body;
    deepEqual([email, age, role, isActive], ['four@example.com', null, 'member', true]);
    deepEqual([name.first, settings], [null, null]);
  },
  'PUT creates a record whose key clients choose, and none whose key is counted': async ({ api, ids }) => {
    const id = '33333333-3333-4333-8333-333333333333';
    const { body } = expectAnswer(await api.put(`/devices/${id}`, { serial: 'D-3' }), 201);
    deepEqual(body, { id, serial: 'D-3' });
    expectAnswer(await api.put('/members/2147483000', { email: 'x@example.com', teamId: ids.teams['red'] }), 404);
  },
  'a uuid is made for a new record that has none': async ({ api }) => {
    match(expectAnswer(await api.post('/devices', { serial: 'D-4' }), 201).body.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/);
    equal(expectAnswer(await api.get(`/devices/${DEVICES[0].id}`), 200).body.serial, 'D-1');
  },
  'DELETE removes a record for good': async ({ api, ids }) => {
    const path = `/members/${ids.members['m03@example.com']}`;
    expectAnswer(await api.delete(path), 200);
    expectAnswer(await api.get(path), 404);
    equal((await api.list('/admin/members?limit=100')).length, 23);
  },
  'a soft-deleted record is found by nobody who does not ask for it, and comes back': async ({ api, ids }) => {
    const path = `/teams/${ids.teams['gone']}`;
    expectAnswer(await api.get(path), 404);
    equal((await api.list('/teams')).length, 3);
    equal((await api.list('/teams?includeDeleted=1')).length, 4);
    expectAnswer(await api.patch(path, { budget: '8.00' }), 404);
    expectAnswer(await api.patch(`${path}/recover`, {}), 200);
    equal(expectAnswer(await api.get(path), 200).body.deletedAt, null);
  },
  'soft deletion keeps the record': async ({ api, ids }) => {
    expectAnswer(await api.delete(`/teams/${ids.teams['green']}`), 200);
    const [team] = await api.list('/teams?includeDeleted=1&filter=name||eq||green');
    ok(Date.parse(team.deletedAt) > 0);
  },
  'a key of two columns addresses one record': async ({ api, ids }) => {
    equal(expectAnswer(await api.get(`/seats/${ids.teams['red']}/1`), 200).body.label, 'window');
    equal(expectAnswer(await api.get(`/seats/${ids.teams['blue']}/1`), 200).body.label, 'door');
    expectAnswer(await api.patch(`/seats/${ids.teams['red']}/1`, { label: 'aisle' }), 200);
    equal((await api.get(`/seats/${ids.teams['blue']}/1`)).body.label, 'door');
    expectAnswer(await api.get(`/seats/${ids.teams['blue']}/2`), 404);
  },
  'count tells how many records a list has': async ({ api }) => {
    deepEqual((await api.get('/members/count')).body, { count: 24 });
    deepEqual((await api.get('/members/count?filter=role||eq||admin')).body, { count: 5 });
  },
});
