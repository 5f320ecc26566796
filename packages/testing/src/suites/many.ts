import { deepEqual, equal } from 'node:assert/strict';
import { expectAnswer } from '../api.js';
import { suite } from '../case.js';

export const many = suite('many records', {
  'PATCH of many changes each as its own item says': async ({ api, ids }) => {
    const [one, other] = [ids.members['m01@example.com'], ids.members['m02@example.com']];
    const { body } = expectAnswer(
      await api.patch('/members/bulk', {
        bulk: [
          { id: other, age: 71 },
          { id: one, role: 'admin' },
        ],
      }),
      200,
    );

    deepEqual(
      body.map(({ id, age, role }: Record<string, unknown>) => [id, age, role]),
      [
        [other, 71, 'guest'],
        [one, 30, 'admin'],
      ],
    );
    equal((await api.get(`/members/${one}`)).body.version, 2);
  },
  'PUT of many replaces each': async ({ api, ids }) => {
    const id = ids.members['m01@example.com'];
    expectAnswer(
      await api.put('/members/bulk', { bulk: [{ id, email: 'r@example.com', teamId: ids.teams['red'] }] }),
      200,
    );

    deepEqual((await api.get(`/members/${id}`)).body.age, null);
  },
  'DELETE of many deletes each': async ({ api, ids }) => {
    const bulk = ['m01@example.com', 'm02@example.com'].map((email) => ({ id: ids.members[email] }));
    expectAnswer(await api.delete('/members/bulk', { bulk }), 200);
    equal((await api.list('/members?limit=100')).length, 22);
  },
  'one that is missing leaves all as they are': async ({ api, ids }) => {
    const id = ids.members['m01@example.com'];
    const missing = 2147483000;
    expectAnswer(
      await api.patch('/members/bulk', {
        bulk: [
          { id, age: 99 },
          { id: missing, age: 99 },
        ],
      }),
      404,
    );
    expectAnswer(await api.delete('/members/bulk', { bulk: [{ id }, { id: missing }] }), 404);
    equal((await api.get(`/members/${id}`)).body.age, 30);
  },
  'one that is named twice is a 400': async ({ api, ids }) => {
    const id = ids.members['m01@example.com'];
    expectAnswer(
      await api.patch('/members/bulk', {
        bulk: [
          { id, age: 1 },
          { id, age: 2 },
        ],
      }),
      400,
      'CRUD_INVALID_BODY',
    );
    equal((await api.get(`/members/${id}`)).body.age, 30);
  },
  'soft-deleted records come back together': async ({ api, ids }) => {
    const bulk = [{ id: ids.teams['green'] }, { id: ids.teams['gone'] }];
    expectAnswer(await api.delete('/teams/bulk', { bulk: [bulk[0]] }), 200);
    expectAnswer(await api.patch('/teams/bulk/recover', { bulk }), 200);
    equal((await api.list('/teams')).length, 4);
  },
  'writes by a condition change what matches': async ({ api }) => {
    deepEqual(expectAnswer(await api.patch('/members/bulk?filter=role||eq||admin', { set: { score: 7 } }), 200).body, {
      affected: 5,
    });
    equal((await api.list('/members?filter=score||eq||7')).length, 5);
    deepEqual(expectAnswer(await api.delete('/members/bulk?filter=role||eq||admin'), 200).body, { affected: 5 });
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

    deepEqual(
      [changed.id, changed.age, changed.role, changed.version],
      [ids.members['m01@example.com'], 88, 'member', 2],
    );
  },
  'without one, a record is stored': async ({ api, ids }) => {
    const body = { email: 'fresh@example.com', teamId: ids.teams['red'] };
    equal(expectAnswer(await api.post('/upserts', body), 201).body.version, 1);
  },
  'many, some there and some not': async ({ api, ids }) => {
    const teamId = ids.teams['red'];
    const bulk = [
      { email: 'fresh@example.com', teamId },
      { email: 'm02@example.com', age: 88, teamId },
    ];
    const { body } = expectAnswer(await api.post('/upserts/bulk', { bulk }), 201);

    deepEqual(
      body.map(({ email, age }: Record<string, unknown>) => [email, age]),
      [
        ['fresh@example.com', null],
        ['m02@example.com', 88],
      ],
    );
    equal((await api.list('/members?limit=100')).length, 25);
  },
  'two with the same value in one body are refused, and nothing is stored': async ({ api, ids }) => {
    const teamId = ids.teams['red'];
    const bulk = [
      { email: 'twice@example.com', teamId },
      { email: 'twice@example.com', age: 3, teamId },
    ];
    equal((await api.post('/upserts/bulk', { bulk })).status >= 400, true);
    equal((await api.list('/members?limit=100')).length, 24);
  },
});
