import { deepEqual, equal } from 'node:assert/strict';
import { expectAnswer } from '../api.js';
import { suite } from '../case.js';

export const many = suite('many records', {
  'PATCH of many changes each as its own item says': async ({ api, ids }) => {
    const [one, other] = [ids.members['m01@example.com'], ids.members['m02@example.com']];
    const changes = [{ age: 71 }, { role: 'admin' }];
    const bulk = [other, one].map((id, at) => ({ id, ...changes[at] }));
    const { body } = expectAnswer(await api.patch('/members/bulk', { bulk }), 200);

    const [first, second] = body;
    deepEqual([first.id, first.age, first.role], [other, 71, 'guest']);
    deepEqual([second.id, second.age, second.role], [one, 30, 'admin']);
    equal((await api.get(`/members/${one}`)).body.version, 2);
  },
  'PUT of many replaces each': async ({ api, ids }) => {
    const id = ids.members['m01@example.com'];
    const bulk = [{ id, email: 'r@example.com', teamId: ids.teams['red'] }];
    expectAnswer(await api.put('/members/bulk', { bulk }), 200);
    equal((await api.get(`/members/${id}`)).body.age, null);
  },
  'DELETE of many deletes each': async ({ api, ids }) => {
    const bulk = ['m01@example.com', 'm02@example.com'].map((email) => ({ id: ids.members[email] }));
    expectAnswer(await api.delete('/members/bulk', { bulk }), 200);
    equal((await api.list('/members?limit=100')).length, 22);
  },
  'one that is missing, or named twice, leaves all as they are': async ({ api, ids }) => {
    const id = ids.members['m01@example.com'];
    const missing = 2147483000;
    const items = (...keys: (number | undefined)[]) => ({ bulk: keys.map((key) => ({ id: key, age: 99 })) });
    expectAnswer(await api.patch('/members/bulk', items(id, missing)), 404);
    expectAnswer(await api.delete('/members/bulk', { bulk: [{ id }, { id: missing }] }), 404);
    expectAnswer(await api.patch('/members/bulk', items(id, id)), 400, 'CRUD_INVALID_BODY');
    equal((await api.get(`/members/${id}`)).body.age, 30);
  },
  'soft-deleted records come back together': async ({ api, ids }) => {
    const bulk = [{ id: ids.teams['green'] }, { id: ids.teams['gone'] }];
    expectAnswer(await api.delete('/teams/bulk', { bulk: [bulk[0]] }), 200);
    expectAnswer(await api.patch('/teams/bulk/recover', { bulk }), 200);
    equal((await api.list('/teams')).length, 4);
  },
  'writes by a condition change what matches': async ({ api }) => {
    const path = '/members/bulk?filter=role||eq||admin';
    deepEqual(expectAnswer(await api.patch(path, { set: { score: 7 } }), 200).body, { affected: 5 });
    equal((await api.list('/members?filter=score||eq||7')).length, 5);
    deepEqual(expectAnswer(await api.delete(path), 200).body, { affected: 5 });
    equal((await api.list('/members?limit=100')).length, 19);
  },
  'a write without a condition is a 400': async ({ api }) => {
    expectAnswer(await api.patch('/members/bulk', { set: { score: 7 } }), 400);
    expectAnswer(await api.delete('/members/bulk'), 400);
    equal((await api.list('/members?limit=100')).length, 24);
  },
});

export const upserts = suite('upserts', {
  'a record with the same value is changed as PATCH would': async ({ api, ids }) => {
    const body = { email: 'm01@example.com', age: 88, teamId: ids.teams['red'] };
    const { body: changed } = expectAnswer(await api.post('/upserts', body), 200);
    const { id, age, role, version } = changed;
    deepEqual([id, age, role, version], [ids.members['m01@example.com'], 88, 'member', 2]);
  },
  'without one, a record is stored': async ({ api, ids }) => {
    const body = { email: 'fresh@example.com', teamId: ids.teams['red'] };
    equal(expectAnswer(await api.post('/upserts', body), 201).body.version, 1);
  },
  'many, some there and some not': async ({ api, ids }) => {
    const teamId = ids.teams['red'];
    const bulk = ['fresh', 'm02'].map((name) => ({ email: `${name}@example.com`, age: 88, teamId }));
    const { body } = expectAnswer(await api.post('/upserts/bulk', { bulk }), 201);
    const [created, changed] = body;
    deepEqual([created.email, created.version], ['fresh@example.com', 1]);
    deepEqual([changed.email, changed.version, changed.age], ['m02@example.com', 2, 88]);
    equal((await api.list('/members?limit=100')).length, 25);
  },
  'two with the same value in one body are refused, and nothing is stored': async ({ api, ids }) => {
    const bulk = [2, 3].map((age) => ({ email: 'twice@example.com', age, teamId: ids.teams['red'] }));
    equal((await api.post('/upserts/bulk', { bulk })).status >= 400, true);
    equal((await api.list('/members?limit=100')).length, 24);
  },
});
