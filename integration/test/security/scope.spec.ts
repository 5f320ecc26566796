/** Crowbars against every kind of scope, in conditions, keys and bodies: what is read is of the scope, what is outside of it is neither seen nor changed, which is proved by reading all tables. */
import { createHash } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Rows } from '../../test-support/rows.js';
import { crowbars, json, NOTE, type Row, SCOPES } from './scope.cases.js';
import { type Call, describeStage, type Method, read, type Reply } from './stage.js';

const NORTH = { 'x-tenant': 'north' };
const idsOf = (reply: Reply): number[] => {
  const body = read<Row[] | { data: Row[] }>(reply);
  return (Array.isArray(body) ? body : body.data).map(({ id }) => Number(id)).sort((a, b) => a - b);
};

describeStage('scope', (stage) => {
  describe.each(SCOPES)('by $title', (scope) => {
    const { path, table, isWithin, foreign, body, moves, contradicts } = scope;
    const call = (method: Method, at: string, sent?: unknown): Call => ({
      method,
      path: path + at,
      headers: NORTH,
      ...(sent !== undefined && { body: sent }),
    });
    const send = (...sent: Parameters<typeof call>) => stage.send(call(...sent));
    const asking = crowbars(scope).map(([query]) => `?${query}`);
    /** Everything that a client of the scope may not change: other tables as they are, and of this one the rows outside. */
    const outside = async (): Promise<Rows> => {
      const tables = await stage.tables();
      return { ...tables, [table]: tables[table]!.filter((row) => !isWithin(row, tables)) };
    };
    const idsWithin = async (): Promise<number[]> => {
      const tables = await stage.tables();
      return tables[table]!.filter((row) => isWithin(row, tables)).map(({ id }) => Number(id));
    };

    test('no condition widens what is listed, counted or read by cursors', async () => {
      const within = await idsWithin();
      expect([within.includes(1), within.includes(foreign)]).toEqual([true, false]);
      expect((await outside())[table]!.map(({ id }) => id)).toContain(foreign);
      for (const [query, holds] of crowbars(scope)) {
        const ids = holds ? within : [];
        const [list, count, page] = await stage.sendAll(
          [`?${query}`, `/count?${query}`, `?${query}&cursor=&total=1`].map((at) => call('GET', at)),
        );
        expect([query, idsOf(list!), read(count!)]).toEqual([query, ids, { count: ids.length }]);
        expect([query, idsOf(page!), read(page!)['total']]).toEqual([query, ids, ids.length]);
      }
    });

    test('a cursor leads nowhere else', async () => {
      const within = await idsWithin();
      const { next } = read<{ next: string }>(await send('GET', '?cursor=&limit=1&sort=id,ASC'));
      const text = Buffer.from(next, 'base64url').subarray(6).toString();
      for (const id of [-5, foreign - 1, foreign, 0]) {
        for (const way of ['next', 'previous=']) {
          const elsewhere = text.replace('"next"', `"${way}"`);
          const forged = Buffer.from(elsewhere.replace(/"i?\d+"\]\]$/, (old) => old.replace(/\d+/, String(id))));
          const seal = createHash('sha256').update(forged).digest().subarray(0, 6);
          const reply = await send('GET', `?cursor=${Buffer.concat([seal, forged]).toString('base64url')}&sort=id,ASC`);
          expect([id, way, reply.status]).toEqual([id, way, 200]);
          expect(idsOf(reply).filter((one) => !within.includes(one))).toEqual([]);
        }
      }
    });

    test('a key outside the scope is answered as one that nobody has, whatever condition comes with it', async () => {
      const before = await stage.tables();
      const asked = (id: number, query: string): Call[] => {
        const bulk = [1, id].map((one) => ({ ...body, id: one }));
        const ofOne = (['GET', 'PATCH', 'PUT', 'DELETE'] as const).map((method) =>
          call(method, `/${id}${query}`, method === 'GET' ? undefined : body),
        );
        const ofSeveral = (['PATCH', 'PUT', 'DELETE'] as const).map((method) =>
          call(method, `/bulk${query}`, { bulk }),
        );
        return [...ofOne, call('PATCH', `/${id}/recover${query}`), ...ofSeveral];
      };
      const replies = await stage.sendAll(['', ...asking].flatMap((query) => asked(foreign, query)));
      expect(replies.filter(({ status }) => status !== 404)).toEqual([]);
      const unknown = await stage.sendAll(asked(999_999, ''));
      const texts = unknown.map(({ text }) => text.replaceAll('999999', String(foreign)));
      expect(replies.slice(0, texts.length).map(({ text }) => text)).toEqual(texts);
      expect(await stage.tables()).toEqual(before);
    });

    test.each(moves)('a body cannot move a record out: %j', async (move) => {
      const before = await stage.tables();
      const unreachable = await outside();
      const { [contradicts ?? '']: _, ...rest } = body;
      const moved = { ...rest, ...move };
      for (const [method, at, sent] of [
        ['PATCH', '/1', move],
        ['PUT', '/1', moved],
        ['POST', '', moved],
        ['POST', '/bulk', { bulk: [body, moved] }],
        ['PATCH', '/bulk', { bulk: [{ id: 1, ...move }] }],
        ['PUT', '/bulk', { bulk: [{ id: 1, ...moved }] }],
      ] as const) {
        const reply = await send(method, at, sent);
        const done = [method === 'POST' ? 201 : 200, undefined];
        const answer = contradicts ? [400, 'CRUD_OUT_OF_SCOPE'] : done;
        expect([method, at, reply.status, contradicts && read(reply)['code']]).toEqual([method, at, ...answer]);
      }
      expect(await outside()).toEqual(unreachable);
      if (contradicts) return expect(await stage.tables()).toEqual(before);
      const known = before[table]!.map(({ id }) => Number(id));
      const within = await idsWithin();
      const added = within.filter((id) => !known.includes(id));
      expect([within.includes(1), added.length]).toEqual([true, 3]);
      // The next body meets the same table.
      await stage.sendAll(added.map((id) => call('DELETE', `/${id}`)));
    });

    test('a write is of the key in the path, whatever its conditions and its body say', async () => {
      const before = await outside();
      const replies = [
        await send('PATCH', `/1?filter=id%7C%7Ceq%7C%7C${foreign}&or=id%7C%7Cgt%7C%7C0`, {}),
        await send('PATCH', '/1', { id: foreign }),
        await send('PUT', '/1', { ...body, id: foreign }),
      ];
      expect(replies.map((reply) => [reply.status, read(reply)['id']])).toEqual(replies.map(() => [200, 1]));
      expect(await outside()).toEqual(before);
    });
  });

  describe('of nested records', () => {
    const send = (method: Method, path: string, body: unknown) => stage.send({ method, path, body, headers: NORTH });

    test.each<Row>([
      {
        notes: [
          { id: 1, title: 'renamed' },
          { id: 5, title: 'stolen' },
        ],
      },
      { notes: [{ id: 3, title: 'of another folder of mine' }] },
    ])('another’s child is refused: %j', async (nested) => {
      const before = await stage.tables();
      const created = { title: 'new', tenantCode: 'north', ...nested };
      for (const path of ['/my/folders', '/tenants/north/folders']) {
        for (const [method, at, body] of [
          ...([['PATCH', '/1', nested], ['PUT', '/1', created]] as const), // prettier-ignore
          ...([['POST', '', created], ['POST', '/bulk', { bulk: [created] }]] as const), // prettier-ignore
        ])
          expect([path, method, at, (await send(method, path + at, body)).status]).toEqual([path, method, at, 400]);
      }
      expect(await stage.tables()).toEqual(before);
    });

    test.each<Row>([
      ...[{ folderId: 3 }, { folder: { id: 3, title: 'stolen', tenantCode: 'north' } }].flatMap((piece) =>
        [{ title: 'n', kind: 'plain' }, { id: 1 }].map((note) => ({ notes: [{ ...note, ...piece }] })),
      ),
      { notes: [{ id: 1, folder: { id: 1, tenantCode: 'south' } }] },
      { tenant: { code: 'north', name: 'stolen', apiKey: 'hidden-0' } },
      { tenant: { code: 'north', folders: [{ id: 3, tenantCode: 'north' }] } },
    ])('a child stays with the record that is written: %j', async (nested) => {
      const others = async () => {
        const { vault_notes: notes, ...rest } = await stage.tables();
        return { ...rest, foreign: notes!.filter(({ folderId }) => folderId === 3), first: notes![0]!['folderId'] };
      };
      const before = await others();
      for (const path of ['/my/folders/1', '/tenants/north/folders/1']) {
        expect([200, 400]).toContain((await send('PATCH', path, nested)).status);
        expect(await others()).toEqual(before);
      }
    });
  });

  test('soft-deleted records are found and recovered by their owners alone', async () => {
    const as = (tenant: string, method: Method, at: string, body?: unknown) =>
      stage.send({ method, path: `/my/notes${at}`, headers: { 'x-tenant': tenant }, body });
    const deletedAt = async () => (await stage.tables())['vault_notes']!.find(({ id }) => id === 4)!['deletedAt'];
    expect((await as('north', 'DELETE', '/4')).status).toBe(200);
    expect(await deletedAt()).not.toBeNull();
    const deleted = await stage.tables();
    for (const [tenant, method, at, body] of [
      ['south', 'PATCH', '/4/recover'],
      ['south', 'GET', '/4?includeDeleted=1'],
      ['south', 'PATCH', '/bulk/recover', { bulk: [{ id: 4 }] }],
      ['north', 'GET', '/4'],
      ['north', 'DELETE', '/4'],
      ['north', 'PATCH', '/4?includeDeleted=1', { title: 'x' }],
      ['north', 'PUT', '/bulk?includeDeleted=1', { bulk: [{ ...NOTE, id: 4 }] }],
      ['north', 'POST', '/bulk/delete', { bulk: [{ id: 1 }, { id: 4 }] }],
    ] as [string, Method, string, object?][])
      expect([tenant, method, at, (await as(tenant, method, at, body)).status]).toEqual([tenant, method, at, 404]);
    expect(idsOf(await as('south', 'GET', '?includeDeleted=1'))).toEqual([5, 6]);
    expect(idsOf(await as('north', 'GET', ''))).not.toContain(4);
    expect(idsOf(await as('north', 'GET', '?includeDeleted=1'))).toContain(4);
    expect(await stage.tables()).toEqual(deleted);
    expect((await as('north', 'PATCH', '/bulk/recover', { bulk: [{ id: 4 }] })).status).toBe(200);
    expect(await deletedAt()).toBeNull();
  });

  test('a client without an identity sees and changes nothing', async () => {
    const before = await stage.tables();
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    for (const path of ['/my/folders', '/my/notes']) {
      expect(read(await stage.send({ path }))).toEqual([]);
      const replies = await stage.sendAll([
        { path: `${path}/1` },
        { method: 'PATCH', path: `${path}/1`, body: { title: 'x' } },
        { method: 'DELETE', path: `${path}/1` },
      ]);
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
    }
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('it matches nothing'));
    logged.mockRestore();
    expect((await stage.send({ path: '/me' })).status).toBe(401);
    expect(await stage.tables()).toEqual(before);
  });

  test('a resource without a key is the one record, whatever is asked', async () => {
    const me = (method: Method, query: string, body?: unknown) =>
      stage.send({ method, path: `/me${query}`, headers: { 'x-demo-user': '3' }, body });
    const others = async () => {
      const tables = await stage.tables();
      return { ...tables, users: tables['users']!.filter(({ id }) => id !== 3) };
    };
    const before = await others();
    const own = ['', `?${json({ $or: [{ id: 3 }, { id: 2 }] })}`];
    const foreign = [`?${json({ id: 2 })}`, '?or=id%7C%7Ceq%7C%7C2', '?filter=id%7C%7Ceq%7C%7C2'];
    for (const query of own) expect(read(await me('GET', query))['id']).toBe(3);
    for (const query of foreign) expect((await me('GET', query)).status).toBe(404);
    for (const query of ['', ...foreign, '?id=2'])
      expect(read(await me('PATCH', query, { id: 2, age: 33 }))).toMatchObject({ id: 3, age: 33 });
    expect((await me('PATCH', '/2', { id: 2 })).status).toBe(404);
    for (const method of ['DELETE', 'PUT'] as const) expect((await me(method, '', { id: 2 })).status).toBe(404);
    expect(await others()).toEqual(before);
  });

  test('both halves of a composite key decide, and neither is taken from a body', async () => {
    const before = await stage.tables();
    const replies = await stage.sendAll(
      ['/memberships/1/11', '/memberships/2/1', '/memberships/2/2'].flatMap((path): Call[] => [
        { path },
        { path: `${path}?${json({ $or: [{ companyId: 1 }, { userId: 1 }] })}` },
        { method: 'PATCH', path, body: { companyId: 1, userId: 1, role: 'owner' } },
        { method: 'DELETE', path },
      ]),
    );
    expect(replies.filter(({ status }) => status !== 404)).toEqual([]);
    for (const method of ['PATCH', 'PUT'] as const) {
      const body = { ...before['memberships']![0], companyId: 5, userId: 50, user: { id: 50 } };
      expect([200, 400]).toContain((await stage.send({ method, path: '/memberships/1/1', body })).status);
    }
    expect(await stage.tables()).toEqual(before);
  });
});
