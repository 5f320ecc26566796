import { deepEqual, equal, rejects } from 'node:assert/strict';
import { ConflictException } from '@nestjs/common';
import type { Change } from '@nestwright/crud';
import { expectAnswer } from '../api.js';
import { type HookCall, suite } from '../application.js';

const ALL = '/admin/members';
const told = (calls: readonly HookCall[]): string[] => calls.map(({ hook, kind }) => `${hook} ${kind}`);

/** Kinds of the changes that were told of after their commit. */
const committed = (calls: readonly HookCall[]): string =>
  calls.flatMap(({ hook, kind }) => (hook === 'commit' ? [kind] : [])).join();

export const hooks = suite('hooks', {
  'hooks are called for each row, before and after it is stored, and once it is committed': async (kit) => {
    const { api, calls, newMember } = kit;
    const { body } = expectAnswer(await api.post('/hooked', newMember('h')), 201);
    deepEqual(told(calls), ['before create', 'after create', 'commit create']);
    deepEqual([calls[1]!.record.id, calls[1]!.record.secret], [body.id, 'none']);

    calls.length = 0;
    expectAnswer(await api.patch(`/hooked/${body.id}`, { age: 5 }), 200);
    deepEqual(told(calls), ['before update', 'after update', 'commit update']);
    deepEqual([calls[0]!.before.age, calls[0]!.record.age, calls[1]!.record.version], [null, 5, 2]);

    calls.length = 0;
    expectAnswer(await api.put(`/hooked/${body.id}`, newMember('h')), 200);
    expectAnswer(await api.delete(`/hooked/${body.id}`), 200);
    equal(committed(calls), 'replace,delete');
  },
  'a PATCH that changes nothing calls none': async ({ api, idOf, calls }) => {
    expectAnswer(await api.patch(`/hooked/${idOf('m01')}`, { age: 30 }), 200);
    deepEqual(told(calls), []);
  },
  'bulk writes call them for each row': async ({ api, idOf, calls }) => {
    const bulk = ['m01', 'm02'].map((name, age) => ({ id: idOf(name), age }));
    expectAnswer(await api.patch('/hooked/bulk', { bulk }), 200);
    equal(committed(calls), 'update,update');
    calls.length = 0;
    expectAnswer(await api.delete('/hooked/bulk?filter=role||eq||admin'), 200);
    equal(calls.filter(({ hook }) => hook === 'after').length, 5);
  },
  'an upsert calls them for what it does': async ({ api, calls, newMember }) => {
    expectAnswer(await api.post('/upserts', newMember('m01', { age: 3 })), 200);
    deepEqual(told(calls), ['before update', 'after update', 'commit update']);
  },
  'what beforeChange sets is stored': async ({ api, hooks: plan, idOf, newMember }) => {
    plan.before = ({ record }: Change) => (record.name = { first: 'set', last: record.name?.last ?? null });
    const created = expectAnswer(await api.post('/hooked', newMember('h')), 201);
    const changed = expectAnswer(await api.patch(`/hooked/${idOf('m02')}`, { age: 3 }), 200);
    deepEqual([created.body.name.first, changed.body.name.first], ['set', 'set']);
  },
  'what a hook refuses is undone, the rows before it too, and nobody is told': async (kit) => {
    const { api, calls, newMember } = kit;
    for (const at of ['before', 'after'] as const) {
      kit.hooks[at] = ({ record }: Change) => {
        if (record.email === 'bad@example.com') throw new ConflictException('bad');
      };
      expectAnswer(await api.post('/hooked/bulk', { bulk: [newMember('good'), newMember('bad')] }), 409);
      equal(await api.size(ALL), 24, at);
      delete kit.hooks[at];
    }
    equal(committed(calls), '');
  },
  'nested records call them, too': async ({ api, calls, newMember }) => {
    const nested = { notes: [{ text: 'n' }], passport: { number: 'H-1' } };
    expectAnswer(await api.post('/hooked', newMember('h', nested)), 201);
    equal(committed(calls), 'create,create,create');
  },
});

export const transactions = suite('transactions', {
  'what a service does in one is stored together': async ({ api, calls, hooked, newMember, request }) => {
    await hooked.transaction(async (manager) => {
      for (const name of ['t1', 't2']) await hooked.within(manager).createOne(request(), newMember(name));
      equal(committed(calls), '', 'told before the commit');
    });
    deepEqual([await api.size(ALL), committed(calls)], [26, 'create,create']);
  },
  'or not at all, and nobody is told; it reads what it has written': async (kit) => {
    const { api, calls, hooked, newMember, request } = kit;
    const work = hooked.transaction(async (manager) => {
      await hooked.within(manager).createOne(request(), newMember('t1'));
      equal(((await hooked.within(manager).getMany(request())) as unknown[]).length, 25);
      throw new Error('undone');
    });
    await rejects(work, /undone/);
    deepEqual([await api.size(ALL), committed(calls)], [24, '']);
  },
  'a hook writes in the transaction of the write': async ({ api, hooked, hooks: plan, newMember, request }) => {
    plan.after = async ({ record }: Change, { manager }) => {
      const { email } = record as { email: string };
      if (!email.startsWith('outer')) return;
      await hooked.within(manager as never).createOne(request(), newMember(`inner of ${email}`));
      if (email.startsWith('outer-bad')) throw new ConflictException('no');
    };
    for (const [name, status] of Object.entries({ outer: 201, 'outer-bad': 409 })) {
      expectAnswer(await api.post('/hooked', newMember(name)), status);
      equal(await api.size(ALL), 26, name);
    }
  },
});
