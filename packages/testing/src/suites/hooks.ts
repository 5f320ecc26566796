import { deepEqual, equal, rejects } from 'node:assert/strict';
import { ConflictException } from '@nestjs/common';
import type { Change } from '@nestwright/crud';
import { expectAnswer } from '../api.js';
import type { HookCall, Kit } from '../application.js';
import { suite } from '../case.js';

const told = (calls: readonly HookCall[]): string[] => calls.map(({ hook, kind }) => `${hook} ${kind}`);

/** Kinds of the changes that were told of after their commit. */
const committed = (calls: readonly HookCall[]): string =>
  calls.flatMap(({ hook, kind }) => (hook === 'commit' ? [kind] : [])).join();

const stored = async ({ api }: Kit): Promise<number> => (await api.list('/admin/members?limit=100')).length;

export const hooks = suite('hooks', {
  'hooks are called for each row, before and after it is stored, and once it is committed': async ({
    api,
    ids,
    calls,
  }) => {
    const teamId = ids.teams['red'];
    const { body } = expectAnswer(await api.post('/hooked', { email: 'h@example.com', teamId }), 201);
    deepEqual(told(calls), ['before create', 'after create', 'commit create']);
    deepEqual([calls[1]!.record.id, calls[1]!.record.secret], [body.id, 'none']);

    calls.length = 0;
    expectAnswer(await api.patch(`/hooked/${body.id}`, { age: 5 }), 200);
    deepEqual(told(calls), ['before update', 'after update', 'commit update']);
    deepEqual([calls[0]!.before.age, calls[0]!.record.age, calls[1]!.record.version], [null, 5, 2]);

    calls.length = 0;
    expectAnswer(await api.put(`/hooked/${body.id}`, { email: 'h@example.com', teamId }), 200);
    expectAnswer(await api.delete(`/hooked/${body.id}`), 200);
    equal(committed(calls), 'replace,delete');
  },
  'a PATCH that changes nothing calls none': async ({ api, ids, calls }) => {
    expectAnswer(await api.patch(`/hooked/${ids.members['m01@example.com']}`, { age: 30 }), 200);
    deepEqual(told(calls), []);
  },
  'bulk writes call them for each row': async ({ api, ids, calls }) => {
    const bulk = ['m01', 'm02'].map((name, age) => ({ id: ids.members[`${name}@example.com`], age }));
    expectAnswer(await api.patch('/hooked/bulk', { bulk }), 200);
    equal(committed(calls), 'update,update');
    calls.length = 0;
    expectAnswer(await api.delete('/hooked/bulk?filter=role||eq||admin'), 200);
    equal(calls.filter(({ hook }) => hook === 'after').length, 5);
  },
  'an upsert calls them for what it does': async ({ api, ids, calls }) => {
    expectAnswer(await api.post('/upserts', { email: 'm01@example.com', age: 3, teamId: ids.teams['red'] }), 200);
    deepEqual(told(calls), ['before update', 'after update', 'commit update']);
  },
  'what beforeChange sets is stored': async (kit) => {
    const { api, ids } = kit;
    kit.hooks.before = ({ record }: Change) => (record.name = { first: 'set', last: record.name?.last ?? null });
    const { body } = expectAnswer(await api.post('/hooked', { email: 'h@example.com', teamId: ids.teams['red'] }), 201);
    equal(body.name.first, 'set');
    const changed = await api.patch(`/hooked/${ids.members['m02@example.com']}`, { age: 3 });
    equal(expectAnswer(changed, 200).body.name.first, 'set');
  },
  'what a hook refuses is undone, the rows before it too, and nobody is told': async (kit) => {
    const { api, ids, calls } = kit;
    const teamId = ids.teams['red'];
    for (const at of ['before', 'after'] as const) {
      kit.hooks[at] = ({ record }: Change) => {
        if (record.email === 'bad@example.com') throw new ConflictException('bad');
      };
      const bulk = ['good@example.com', 'bad@example.com'].map((email) => ({ email, teamId }));
      expectAnswer(await api.post('/hooked/bulk', { bulk }), 409);
      equal(await stored(kit), 24, at);
      delete kit.hooks[at];
    }
    equal(committed(calls), '');
  },
  'nested records call them, too': async ({ api, ids, calls }) => {
    const nested = { notes: [{ text: 'n' }], passport: { number: 'H-1' } };
    expectAnswer(await api.post('/hooked', { email: 'h@example.com', teamId: ids.teams['red'], ...nested }), 201);
    equal(committed(calls), 'create,create,create');
  },
});

export const transactions = suite('transactions', {
  'what a service does in one is stored together': async (kit) => {
    const { hooked, ids } = kit;
    const teamId = ids.teams['red'];
    await hooked.transaction(async (manager) => {
      const joined = hooked.within(manager);
      await joined.createOne(kit.request(), { email: 't1@example.com', teamId });
      await joined.createOne(kit.request(), { email: 't2@example.com', teamId });
      equal(committed(kit.calls), '', 'told before the commit');
    });
    equal(await stored(kit), 26);
    equal(committed(kit.calls), 'create,create');
  },
  'or not at all, and nobody is told': async (kit) => {
    const { hooked, ids } = kit;
    const teamId = ids.teams['red'];
    const work = hooked.transaction(async (manager) => {
      await hooked.within(manager).createOne(kit.request(), { email: 't1@example.com', teamId });
      throw new Error('undone');
    });
    await rejects(work, /undone/);
    equal(await stored(kit), 24);
    equal(committed(kit.calls), '');
  },
  'it reads what it has written, and nobody else does': async (kit) => {
    const { hooked, ids } = kit;
    const teamId = ids.teams['red'];
    const work = hooked.transaction(async (manager) => {
      const joined = hooked.within(manager);
      await joined.createOne(kit.request(), { email: 't1@example.com', teamId });
      const found = (await joined.getMany(kit.request())) as unknown[];
      equal(found.length, 25);
      throw new Error('undone');
    });
    await rejects(work, /undone/);
  },
  'a hook writes in the transaction of the write': async (kit) => {
    const { api, hooked, ids } = kit;
    const teamId = ids.teams['red'];
    kit.hooks.after = async ({ record }: Change, { manager }) => {
      if (record.email === 'first@example.com')
        await hooked.within(manager as never).createOne(kit.request(), { email: 'second@example.com', teamId });
    };
    expectAnswer(await api.post('/hooked', { email: 'first@example.com', teamId }), 201);
    equal(await stored(kit), 26);

    kit.hooks.after = async ({ record }: Change, { manager }) => {
      if (record.email !== 'third@example.com') return;
      await hooked.within(manager as never).createOne(kit.request(), { email: 'fourth@example.com', teamId });
      throw new ConflictException('no');
    };
    expectAnswer(await api.post('/hooked', { email: 'third@example.com', teamId }), 409);
    equal(await stored(kit), 26);
  },
});
