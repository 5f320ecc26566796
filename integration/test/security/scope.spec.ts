/** Crowbars against every kind of scope, in conditions, keys and bodies: what is read is of the scope, what is outside of it is neither seen nor changed, which is proved by reading all tables. */
import { createHash } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { crowbars, EMAIL, json, NORTH, NOTE, type Row, SCOPES } from './scope.cases.js';
import { describeStage } from './stage.js';
import { type Call, type Method, read, type Reply } from './wire.js';
import type { Rows } from './witness.js';

const encoded = (query: string): string => query.replaceAll('||', '%7C%7C');
const idsOf = (reply: Reply): number[] => {
  const body = read<Row[] | { data: Row[] }>(reply);

  return (Array.isArray(body) ? body : body.data).map(({ id }) => Number(id)).sort((a, b) => a - b);
};

describeStage('scope', (stage) => {
  describe.each(SCOPES.map((scope) => [scope.title, scope] as const))('by %s', (_, scope) => {
    const { path, headers, table, isWithin, own, foreign, body, moves, contradicts = '', refuses, ofMany } = scope;
    const call = (method: Method, at: string, sent?: unknown): Call => ({
      method,
      path: path + at,
      ...(headers && { headers }),
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
    /** No condition, and each that tries to reach beyond. */
    const conditions = ['', ...crowbars(scope).map(([query]) => `?${encoded(query)}`)];
    const stored = async (id: number) => (await stage.tables())[table]!.find((row) => row['id'] === id);

    test('no condition widens what is listed', async () => {
      const tables = await stage.tables();
      const within = await idsWithin();
      expect(within).toContain(own);
      expect(within).not.toContain(foreign);
      expect(tables[table]!.map(({ id }) => id)).toContain(foreign);

      for (const [query, holds] of crowbars(scope)) {
        const reply = await stage.send(call('GET', `?${encoded(query)}`));
        expect([query, reply.status]).toEqual([query, 200]);
        expect([query, idsOf(reply)]).toEqual([query, holds === 'all' ? within : []]);
      }
    });

    // Resources that count, read by cursors and write many.
    const many = ofMany ? describe : undefined;
    many?.('of many', () => {
      test('no condition widens what is counted, or read by cursors', async () => {
        const within = await idsWithin();

        for (const [query, holds] of crowbars(scope).filter(([one]) => !one.includes('page='))) {
          const expected = holds === 'all' ? within : [];
          const counted = await stage.send(call('GET', `/count?${encoded(query)}`));
          expect([query, counted.text]).toEqual([query, `{"count":${expected.length}}`]);
          const page = await stage.send(call('GET', `?${encoded(query)}&cursor=&total=1`));
          expect([query, idsOf(page), read(page)['total']]).toEqual([query, expected, expected.length]);
        }
      });

      test('a cursor leads nowhere else', async () => {
        const within = await idsWithin();
        const first = read<{ next: string; data: Row[] }>(
          await stage.send(call('GET', '?cursor=&limit=1&sort=id,ASC')),
        );
        const bytes = Buffer.from(first.next, 'base64url').subarray(6).toString();

        for (const id of [-5, foreign - 1, foreign, 0]) {
          for (const way of ['next', 'next=', 'previous', 'previous=']) {
            const forged = Buffer.from(bytes.replace('"next"', `"${way}"`).replace(/"i?\d+"\]\]$/, (old) => old.replace(/\d+/, String(id)))); // prettier-ignore
            const sealed = Buffer.concat([createHash('sha256').update(forged).digest().subarray(0, 6), forged]).toString('base64url'); // prettier-ignore
            const reply = await stage.send(call('GET', `?cursor=${sealed}&sort=id,ASC`));
            expect([id, way, reply.status]).toEqual([id, way, 200]);
            expect(idsOf(reply).filter((one) => !within.includes(one))).toEqual([]);
          }
        }
      });

      test('of many keys one outside is not found, and nothing is written', async () => {
        const before = await stage.tables();
        const bulk = [
          { ...body, id: own },
          { ...body, id: foreign },
        ];
        const replies = await stage.sendAll(
          conditions.flatMap((query) => [
            call('PATCH', `/bulk${query}`, { bulk }),
            call('PUT', `/bulk${query}`, { bulk }),
            call('DELETE', `/bulk${query}`, { bulk }),
            call('POST', `/bulk/delete${query}`, { bulk: [...bulk].reverse() }),
          ]),
        );
        expect(replies.filter(({ status }) => status !== 404)).toEqual([]);
        const nobody = await stage.send(call('PATCH', '/bulk', { bulk: [bulk[0], { ...body, id: 999_999 }] }));
        expect(replies[0]!.text).toBe(nobody.text);
        expect(await stage.tables()).toEqual(before);
      });

      test.each(moves)('a body of many cannot move a record out: %j', async (move) => {
        const before = await stage.tables();
        const unreachable = await outside();
        const { [contradicts]: _, ...rest } = body;
        const replies = [
          await stage.send(call('PATCH', '/bulk', { bulk: [{ id: own, ...move }] })),
          await stage.send(call('PUT', '/bulk', { bulk: [{ ...rest, id: own, ...move }] })),
        ];
        const refused = [400, 'CRUD_OUT_OF_SCOPE'];
        expect(replies.map((reply) => [reply.status, refuses ? read(reply)['code'] : undefined])).toEqual(
          replies.map(() => (refuses ? refused : [200, undefined])),
        );
        expect(await outside()).toEqual(unreachable);
        expect(await stored(own)).toBeDefined();
        if (refuses) expect(await stage.tables()).toEqual(before);
      });
    });

    test('a key outside is not found, whatever condition comes with it', async () => {
      const before = await stage.tables();
      const replies = await stage.sendAll(
        conditions.flatMap((query) => [
          call('GET', `/${foreign}${query}`),
          call('PATCH', `/${foreign}${query}`, body),
          call('PUT', `/${foreign}${query}`, body),
          call('DELETE', `/${foreign}${query}`),
          call('PATCH', `/${foreign}/recover${query}`),
        ]),
      );
      expect(replies.filter(({ status }) => status !== 404)).toEqual([]);
      // As if there were no such record.
      const [seen] = replies;
      expect((await stage.send(call('GET', '/999999'))).text).toBe(seen!.text);
      expect(await stage.tables()).toEqual(before);
    });

    test('conditions select no record of a write', async () => {
      const before = await outside();
      const query = encoded(`?filter=id||eq||${foreign}&or=id||gt||0`);
      const reply = await stage.send(call('PATCH', `/${own}${query}`, {}));
      expect([reply.status, read(reply)['id']]).toEqual([200, own]);
      expect(await outside()).toEqual(before);
    });

    test.each(moves)('a body cannot move a record out: %j', async (move) => {
      const before = await stage.tables();
      const unreachable = await outside();
      const { email, [contradicts]: _, ...rest } = body;
      const fresh = (index: number) => ({ ...rest, ...(email ? { email: `${index}${String(email)}` } : {}), ...move });
      const calls = [
        call('PATCH', `/${own}`, move),
        call('PUT', `/${own}`, fresh(1)),
        call('POST', '', fresh(2)),
        call('POST', '/bulk', { bulk: [{ ...fresh(3), ...body, email: email && `4${String(email)}` }, fresh(5)] }),
      ];
      for (const sent of calls) {
        const reply = await stage.send(sent);
        const seen = [sent.method, sent.path, reply.status, refuses ? read(reply)['code'] : undefined];
        const done = sent.method === 'POST' ? 201 : 200;
        expect(seen).toEqual([sent.method, sent.path, refuses ? 400 : done, refuses ? 'CRUD_OUT_OF_SCOPE' : undefined]);
      }
      expect(await outside()).toEqual(unreachable);
      expect(await stored(own)).toBeDefined();
      if (refuses) {
        expect(await stage.tables()).toEqual(before);
      } else {
        const after = await stage.tables();
        expect(after[table]!.filter((row) => isWithin(row, after))).toHaveLength(
          before[table]!.filter((row) => isWithin(row, before)).length + 3,
        );
        // The next body meets the same table.
        const known = new Set(before[table]!.map(({ id }) => id));
        const added = after[table]!.filter(({ id }) => !known.has(id));
        await stage.sendAll(added.map(({ id }) => call('DELETE', `/${String(id)}`)));
        expect(await outside()).toEqual(unreachable);
      }
    });

    test('POST with a key of someone else’s answers as with a new one, and inserts and changes nothing', async () => {
      const before = await stage.tables();
      const replies = [
        await stage.send(call('POST', '', { ...body, id: foreign })),
        await stage.send(call('POST', '/bulk', { bulk: [body, { ...body, email: `6${EMAIL}`, id: foreign }] })),
      ];
      const unknown = await stage.send(call('POST', '', { ...body, id: 987_654 }));
      expect(replies.map((reply) => [reply.status, read(reply)['code']])).toEqual([
        [400, 'CRUD_INVALID_BODY'],
        [400, 'CRUD_INVALID_BODY'],
      ]);
      expect(read(replies[0]!)).toEqual(read(unknown));
      expect(await stage.tables()).toEqual(before);
    });

    test('the key of the path wins over the body’s', async () => {
      const before = await outside();
      const patched = await stage.send(call('PATCH', `/${own}`, { id: foreign }));
      const put = await stage.send(call('PUT', `/${own}`, { ...body, email: `7${EMAIL}`, id: foreign }));
      expect([patched, put].map((reply) => [reply.status, read(reply)['id']])).toEqual([
        [200, own],
        [200, own],
      ]);
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
        const replies = [
          await send('PATCH', `${path}/1`, nested),
          await send('PUT', `${path}/1`, created),
          await send('POST', path, created),
          await send('POST', `${path}/bulk`, { bulk: [created] }),
        ];
        expect([path, replies.map((reply) => reply.status)]).toEqual([path, [400, 400, 400, 400]]);
      }
      expect(await stage.tables()).toEqual(before);
    });

    test.each<Row>([
      { notes: [{ title: 'n', kind: 'plain', folderId: 3 }] },
      { notes: [{ title: 'n', kind: 'plain', folder: { id: 3 } }] },
      { notes: [{ title: 'n', kind: 'plain', folder: { id: 3, title: 'stolen', tenantCode: 'north' } }] },
      { notes: [{ id: 1, folderId: 3 }] },
      { notes: [{ id: 1, folder: { id: 3 } }] },
      { notes: [{ id: 1, folder: 3 }] },
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
        const reply = await send('PATCH', path, nested);
        expect([path, [200, 400].includes(reply.status)]).toEqual([path, true]);
        expect(await others()).toEqual(before);
      }
    });

    test('links are made to what exists, and change nothing of it', async () => {
      const { vault_labels: labels } = await stage.tables();
      const reply = await send('PATCH', '/my/notes/3', { labels: [{ code: 'red', text: 'stolen' }] });
      expect(reply.status).toBe(200);
      const missing = await send('PATCH', '/my/notes/3', { labels: [{ code: 'green', text: 'new' }] });
      expect([missing.status, read(missing)['code']]).toEqual([409, 'CRUD_FOREIGN_KEY_VIOLATION']);
      expect((await stage.tables())['vault_labels']).toEqual(labels);
    });
  });

  test('soft-deleted records are found and recovered by their owners alone', async () => {
    const NOTES = '/my/notes';
    const as = (tenant: string, method: Method, path: string, body?: unknown) =>
      stage.send({ method, path, headers: { 'x-tenant': tenant }, ...(body !== undefined && { body }) });
    expect((await as('north', 'DELETE', `${NOTES}/4`)).status).toBe(200);
    const deleted = await stage.tables();
    expect(deleted['vault_notes']!.find(({ id }) => id === 4)!['deletedAt']).not.toBeNull();

    const refused = [
      await as('south', 'PATCH', `${NOTES}/4/recover`),
      await as('south', 'GET', `${NOTES}/4?includeDeleted=1`),
      await as('south', 'DELETE', `${NOTES}/4`),
      await as('north', 'GET', `${NOTES}/4`),
      await as('north', 'PATCH', `${NOTES}/4`, { title: 'x' }),
      await as('north', 'PUT', `${NOTES}/4`, NOTE),
      await as('north', 'DELETE', `${NOTES}/4`),
      await as('north', 'PATCH', `${NOTES}/4?includeDeleted=1`, { title: 'x' }),
      await as('south', 'PATCH', `${NOTES}/bulk/recover`, { bulk: [{ id: 4 }] }),
      await as('north', 'PATCH', `${NOTES}/bulk`, { bulk: [{ id: 1 }, { id: 4, title: 'x' }] }),
      await as('north', 'PUT', `${NOTES}/bulk?includeDeleted=1`, { bulk: [{ ...NOTE, id: 4 }] }),
      await as('north', 'POST', `${NOTES}/bulk/delete`, { bulk: [{ id: 1 }, { id: 4 }] }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
    expect(idsOf(await as('south', 'GET', `${NOTES}?includeDeleted=1`))).toEqual([5, 6]);
    expect(idsOf(await as('north', 'GET', NOTES))).not.toContain(4);
    expect(idsOf(await as('north', 'GET', `${NOTES}?includeDeleted=1`))).toContain(4);
    expect(await stage.tables()).toEqual(deleted);

    expect((await as('north', 'PATCH', `${NOTES}/bulk/recover`, { bulk: [{ id: 4 }] })).status).toBe(200);
    expect((await stage.tables())['vault_notes']!.find(({ id }) => id === 4)!['deletedAt']).toBeNull();
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
      stage.send({ method, path: `/me${query}`, headers: { 'x-demo-user': '3' }, ...(body !== undefined && { body }) });
    for (const query of [
      '',
      '?s=%7B%7D',
      encoded('?filter=id||gt||0&or=id||eq||2'),
      `?${json({ $or: [{ id: 3 }, { id: 2 }] })}`,
    ])
      expect(read(await me('GET', query))['id']).toBe(3);

    for (const query of [`?${json({ id: 2 })}`, encoded('?or=id||eq||2'), encoded('?filter=id||eq||2')])
      expect((await me('GET', query)).status).toBe(404);

    const others = async () => {
      const tables = await stage.tables();

      return { ...tables, users: tables['users']!.filter(({ id }) => id !== 3) };
    };
    const before = await others();
    for (const query of ['', encoded('?filter=id||eq||2'), `?${json({ id: 2 })}`, '/2', '?id=2']) {
      const reply = await me('PATCH', query, { id: 2, age: 33 });
      expect([query, reply.status]).toEqual([query, query === '/2' ? 404 : 200]);
      if (reply.status === 200) expect(read(reply)).toMatchObject({ id: 3, age: 33 });
    }
    expect((await me('DELETE', '')).status).toBe(404);
    expect((await me('PUT', '', { id: 2 })).status).toBe(404);
    expect(await others()).toEqual(before);
  });

  test('both halves of a composite key decide, and neither is taken from a body', async () => {
    const before = await stage.tables();
    const at = '/memberships/1/1';
    const absent = ['/memberships/1/11', '/memberships/2/1', '/memberships/2/2'];
    const replies = await stage.sendAll(
      absent.flatMap((path): Call[] => [
        { path },
        { path: `${path}?${json({ $or: [{ companyId: 1 }, { userId: 1 }] })}` },
        { method: 'PATCH', path, body: { companyId: 1, userId: 1, role: 'owner' } },
        { method: 'DELETE', path },
      ]),
    );
    expect(replies.filter(({ status }) => status !== 404)).toEqual([]);
    const [first] = before['memberships']!;
    const moved = await stage.send({ method: 'PATCH', path: at, body: { companyId: 5, userId: 50, user: { id: 50 } } });
    expect([200, 400]).toContain(moved.status);
    const put = await stage.send({ method: 'PUT', path: at, body: { ...first, companyId: 5, userId: 50 } });
    expect([200, 400]).toContain(put.status);
    const again = { companyId: 1, userId: 1, role: 'x' };
    expect((await stage.send({ method: 'POST', path: '/memberships', body: again })).status).toBe(409);
    expect(await stage.tables()).toEqual(before);
  });
});
