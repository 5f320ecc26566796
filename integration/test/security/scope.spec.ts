/** Crowbars against every kind of scope, in conditions, keys and bodies: what is read is of the scope, what is outside of it is neither seen nor changed, which is proved by reading all tables. */
import { createHash } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Rows } from '../../test-support/rows.js';
import { crowbars, EMAIL, json, NORTH, NOTE, type Row, SCOPES } from './scope.cases.js';
import { type Call, describeStage, type Method, read, type Reply } from './stage.js';

const encoded = (query: string): string => query.replaceAll('||', '%7C%7C');
const idsOf = (reply: Reply): number[] => {
  const body = read<Row[] | { data: Row[] }>(reply);
  return (Array.isArray(body) ? body : body.data).map(({ id }) => Number(id)).sort((a, b) => a - b);
};

describeStage('scope', (stage) => {
  describe.each(SCOPES.map((scope) => [scope.title, scope] as const))('by %s', (_, scope) => {
    const { path, headers = {}, table, isWithin, own, foreign, body, moves, contradicts = '', refuses, ofMany } = scope;
    const call = (method: Method, at: string, sent?: unknown): Call => ({
      method,
      path: path + at,
      headers,
      ...(sent !== undefined && { body: sent }),
    });
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
      expect([within.includes(own), within.includes(foreign)]).toEqual([true, false]);
      expect((await outside())[table]!.map(({ id }) => id)).toContain(foreign);
      for (const [query, holds] of crowbars(scope)) {
        const expected = holds === 'all' ? within : [];
        const reply = await stage.send(call('GET', `?${encoded(query)}`));
        expect([query, reply.status, idsOf(reply)]).toEqual([query, 200, expected]);
        if (!ofMany || query.includes('page=')) continue;
        const counted = await stage.send(call('GET', `/count?${encoded(query)}`));
        const page = await stage.send(call('GET', `?${encoded(query)}&cursor=&total=1`));
        expect([query, read(counted)]).toEqual([query, { count: expected.length }]);
        expect([query, idsOf(page), read(page)['total']]).toEqual([query, expected, expected.length]);
      }
    });

    const many = ofMany ? test : undefined;
    many?.('a cursor leads nowhere else', async () => {
      const within = await idsWithin();
      const first = read<{ next: string }>(await stage.send(call('GET', '?cursor=&limit=1&sort=id,ASC')));
      const text = Buffer.from(first.next, 'base64url').subarray(6).toString();
      for (const id of [-5, foreign - 1, foreign, 0]) {
        for (const way of ['next', 'next=', 'previous', 'previous=']) {
          const elsewhere = text.replace('"next"', `"${way}"`);
          const forged = Buffer.from(elsewhere.replace(/"i?\d+"\]\]$/, (old) => old.replace(/\d+/, String(id))));
          const seal = createHash('sha256').update(forged).digest().subarray(0, 6);
          const sealed = Buffer.concat([seal, forged]).toString('base64url');
          const reply = await stage.send(call('GET', `?cursor=${sealed}&sort=id,ASC`));
          expect([id, way, reply.status]).toEqual([id, way, 200]);
          expect(idsOf(reply).filter((one) => !within.includes(one))).toEqual([]);
        }
      }
    });

    test('a key outside the scope is answered as one that nobody has, whatever condition comes with it', async () => {
      const before = await stage.tables();
      const asked = (id: number, query: string): Call[] => {
        const bulk = [own, id].map((one) => ({ ...body, id: one }));
        const [one, many] = [`/${id}${query}`, `/bulk${query}`];
        const ofOne = [call('GET', one), call('PATCH', one, body), call('PUT', one, body), call('DELETE', one)];
        ofOne.push(call('PATCH', `/${id}/recover${query}`));
        const ofSeveral = (['PATCH', 'PUT', 'DELETE'] as const).map((method) => call(method, many, { bulk }));
        ofSeveral.push(call('POST', `/bulk/delete${query}`, { bulk: [...bulk].reverse() }));
        return ofMany ? [...ofOne, ...ofSeveral] : ofOne;
      };
      const conditions = crowbars(scope).map(([query]) => `?${encoded(query)}`);
      const replies = await stage.sendAll(['', ...conditions].flatMap((query) => asked(foreign, query)));
      expect(replies.filter(({ status }) => status !== 404)).toEqual([]);
      const unknown = await stage.sendAll(asked(999_999, ''));
      const texts = unknown.map(({ text }) => text.replaceAll('999999', String(foreign)));
      expect(replies.slice(0, texts.length).map(({ text }) => text)).toEqual(texts);
      expect(await stage.tables()).toEqual(before);
    });

    test.each(moves)('a body cannot move a record out: %j', async (move) => {
      const before = await stage.tables();
      const unreachable = await outside();
      const { email, [contradicts]: _, ...rest } = body;
      const fresh = (index: number) => ({ ...rest, ...(email ? { email: `${index}${String(email)}` } : {}), ...move });
      const inOrder = { ...fresh(3), ...body, email: email && `4${String(email)}` };
      const calls = [
        call('PATCH', `/${own}`, move),
        call('PUT', `/${own}`, fresh(1)),
        call('POST', '', fresh(2)),
        call('POST', '/bulk', { bulk: [inOrder, fresh(5)] }),
        ...(ofMany ? [call('PATCH', '/bulk', { bulk: [{ id: own, ...move }] })] : []),
        ...(ofMany ? [call('PUT', '/bulk', { bulk: [{ ...rest, id: own, ...move }] })] : []),
      ];
      for (const sent of calls) {
        const reply = await stage.send(sent);
        const seen = [reply.status, refuses ? read(reply)['code'] : undefined];
        const done = [sent.method === 'POST' ? 201 : 200, undefined];
        expect([sent, ...seen]).toEqual([sent, ...(refuses ? [400, 'CRUD_OUT_OF_SCOPE'] : done)]);
      }
      expect(await outside()).toEqual(unreachable);
      if (refuses) return expect(await stage.tables()).toEqual(before);
      const known = new Set(before[table]!.map(({ id }) => Number(id)));
      const within = await idsWithin();
      const added = within.filter((id) => !known.has(id));
      expect([within.includes(own), added.length]).toEqual([true, 3]);
      // The next body meets the same table.
      await stage.sendAll(added.map((id) => call('DELETE', `/${id}`)));
      expect(await outside()).toEqual(unreachable);
    });

    test('POST with a key of someone else’s answers as with a new one, and inserts and changes nothing', async () => {
      const before = await stage.tables();
      const bulk = [body, { ...body, email: `6${EMAIL}`, id: foreign }];
      const theirs = await stage.send(call('POST', '', { ...body, id: foreign }));
      const unknown = await stage.send(call('POST', '', { ...body, id: 987_654 }));
      const inBulk = await stage.send(call('POST', '/bulk', { bulk }));
      const refused = [400, 'CRUD_INVALID_BODY'];
      expect([theirs, inBulk].map((reply) => [reply.status, read(reply)['code']])).toEqual([refused, refused]);
      expect(theirs.text).toBe(unknown.text);
      expect(await stage.tables()).toEqual(before);
    });

    test('a write is of the key in the path, whatever its conditions and its body say', async () => {
      const before = await outside();
      const replies = [
        await stage.send(call('PATCH', `/${own}${encoded(`?filter=id||eq||${foreign}&or=id||gt||0`)}`, {})),
        await stage.send(call('PATCH', `/${own}`, { id: foreign })),
        await stage.send(call('PUT', `/${own}`, { ...body, email: `7${EMAIL}`, id: foreign })),
      ];
      expect(replies.map((reply) => [reply.status, read(reply)['id']])).toEqual(replies.map(() => [200, own]));
      expect(await outside()).toEqual(before);
    });
  });

  describe('of nested records', () => {
    const send = (method: Method, path: string, body: unknown) => stage.send({ method, path, body, headers: NORTH });

    test.each<Row>([
      { notes: [{ id: 5, title: 'stolen' }] },
      { notes: [{ id: 1, title: 'renamed' }, { id: 5 }] },
      { notes: [{ id: 3, title: 'of another folder of mine' }] },
    ])('another’s child is refused: %j', async (nested) => {
      const before = await stage.tables();
      for (const path of ['/my/folders', '/tenants/north/folders']) {
        const created = { title: 'new', tenantCode: 'north', ...nested };
        for (const [method, at, body] of [
          ...([['PATCH', '/1', nested], ['PUT', '/1', created]] as const), // prettier-ignore
          ...([['POST', '', created], ['POST', '/bulk', { bulk: [created] }]] as const), // prettier-ignore
        ])
          expect([path, method, at, (await send(method, path + at, body)).status]).toEqual([path, method, at, 400]);
      }
      expect(await stage.tables()).toEqual(before);
    });

    test('a child stays with the record that is written', async () => {
      const others = async () => {
        const { vault_notes: notes, ...rest } = await stage.tables();
        return { ...rest, foreign: notes!.filter(({ folderId }) => folderId === 3), first: notes![0]!['folderId'] };
      };
      const before = await others();
      const fresh = { title: 'n', kind: 'plain' };
      const stolen = { id: 3, title: 'stolen', tenantCode: 'north' };
      const pieces = [{ folderId: 3 }, { folder: { id: 3 } }];
      const ofOld = [...pieces, { folder: 3 }, { folder: { id: 1, tenantCode: 'south' } }];
      const notes = [
        ...[...pieces, { folder: stolen }].map((one) => ({ ...fresh, ...one })),
        ...ofOld.map((one) => ({ id: 1, ...one })),
      ];
      const tenants = [{ name: 'stolen', apiKey: 'hidden-0' }, { folders: [{ id: 3, tenantCode: 'north' }] }];
      const told = tenants.map((tenant) => ({ tenant: { code: 'north', ...tenant } }));
      for (const nested of [...notes.map((note) => ({ notes: [note] })), ...told]) {
        for (const path of ['/my/folders/1', '/tenants/north/folders/1']) {
          const { status } = await send('PATCH', path, nested);
          expect([path, nested, [200, 400].includes(status)]).toEqual([path, nested, true]);
          expect(await others()).toEqual(before);
        }
      }
    });

    test('links are made to what exists, and change nothing of it', async () => {
      const { vault_labels: labels } = await stage.tables();
      const linked = await send('PATCH', '/my/notes/3', { labels: [{ code: 'red', text: 'stolen' }] });
      const missing = await send('PATCH', '/my/notes/3', { labels: [{ code: 'green', text: 'new' }] });
      expect([linked.status, missing.status, read(missing)['code']]).toEqual([200, 409, 'CRUD_FOREIGN_KEY_VIOLATION']);
      expect((await stage.tables())['vault_labels']).toEqual(labels);
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
      ...([['south', 'PATCH', '/4/recover'], ['south', 'GET', '/4?includeDeleted=1'], ['south', 'DELETE', '/4']] as const), // prettier-ignore
      ...([['north', 'GET', '/4'], ['north', 'DELETE', '/4'], ['north', 'PUT', '/4', NOTE]] as const), // prettier-ignore
      ...['/4', '/4?includeDeleted=1'].map((at) => ['north', 'PATCH', at, { title: 'x' }] as const),
      ['south', 'PATCH', '/bulk/recover', { bulk: [{ id: 4 }] }] as const,
      ['north', 'PATCH', '/bulk', { bulk: [{ id: 1 }, { id: 4, title: 'x' }] }] as const,
      ['north', 'PUT', '/bulk?includeDeleted=1', { bulk: [{ ...NOTE, id: 4 }] }] as const,
      ['north', 'POST', '/bulk/delete', { bulk: [{ id: 1 }, { id: 4 }] }] as const,
    ])
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
    const own = ['', encoded('?filter=id||gt||0&or=id||eq||2'), `?${json({ $or: [{ id: 3 }, { id: 2 }] })}`];
    const foreign = [`?${json({ id: 2 })}`, encoded('?or=id||eq||2'), encoded('?filter=id||eq||2')];
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
    const elsewhere = { companyId: 5, userId: 50 };
    const bodies = { PATCH: { ...elsewhere, user: { id: 50 } }, PUT: { ...before['memberships']![0], ...elsewhere } };
    for (const method of ['PATCH', 'PUT'] as const) {
      const { status } = await stage.send({ method, path: '/memberships/1/1', body: bodies[method] });
      expect([200, 400]).toContain(status);
    }
    const again = { companyId: 1, userId: 1, role: 'x' };
    expect((await stage.send({ method: 'POST', path: '/memberships', body: again })).status).toBe(409);
    expect(await stage.tables()).toEqual(before);
  });
});
