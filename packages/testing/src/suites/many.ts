import { deepEqual, equal } from 'node:assert/strict';
import { expectAnswer } from '../api.js';
import { suite } from '../case.js';

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
