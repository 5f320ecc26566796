/** Injection strings as keys of bodies, at every depth and on every route that takes one: dropped, repeated nowhere, and nothing but the record itself written. */
import { expect, test } from '@jest/globals';
import { userWith } from './bodies.js';
import { ATTACKS, attacksInTurn } from './corpus.js';
import { describeStage } from './stage.js';
import { type Call, read, type Reply } from './wire.js';

/** Strings of one body, few enough to stay below the platforms' size of a body. */
const PORTION = 12;
const MARKERS = ATTACKS.map(({ marker }) => marker);
interface Stored {
  readonly id: number;
  readonly email: string;
}

describeStage('keys of bodies', (stage) => {
  const attacks = attacksInTurn(0);
  const portions = Array.from({ length: Math.ceil(attacks.length / PORTION) }, (_, index) =>
    attacks.slice(index * PORTION, (index + 1) * PORTION).map(({ text }) => text),
  );
  let emails = 0;
  const newEmail = () => `k${(emails += 1)}@example.com`;

  /** Who was written: whatever the keys, as if they had not been there. */
  async function write(
    status: number,
    callOf: (body: Record<string, unknown>, index: number) => Call,
    recordsOf: (reply: Reply) => Stored[],
  ): Promise<Stored[]> {
    const made = portions.map((keys) => userWith(keys, newEmail()));
    const replies = await stage.sendAll(made.map(({ body }, index) => callOf(body, index)));
    expect(replies.filter((reply) => reply.status !== status)).toEqual([]);
    const answered = replies.map(({ text, headers }) => text + JSON.stringify(headers)).join('\n');
    expect(MARKERS.filter((marker) => answered.includes(marker))).toEqual([]);
    const records = replies.map((reply) => recordsOf(reply));
    expect(records).toMatchObject(made.map(({ stored }) => [{ ...stored, version: expect.any(Number) }]));

    return records.flat();
  }

  test('are not stored by any route', async () => {
    const before = await stage.tables();
    stage.forget();

    const posted = await write(
      201,
      (body) => ({ method: 'POST', path: '/users', body }),
      (reply) => [read(reply)] as never,
    );
    const inBulk = await write(201, (body) => ({ method: 'POST', path: '/users/bulk', body: { bulk: [body] } }), read);
    const one = (reply: Reply) => [read<Stored>(reply)];
    await write(200, (body, index) => ({ method: 'PATCH', path: `/users/${posted[index]!.id}`, body }), one);
    await write(200, (body, index) => ({ method: 'PUT', path: `/users/${posted[index]!.id}`, body }), one);
    await write(
      200,
      (body, index) => ({ method: 'PATCH', path: `/companies/1/users/${inBulk[index]!.id}`, body }),
      one,
    );
    await write(200, (body, index) => ({ method: 'PUT', path: `/companies/1/users/${inBulk[index]!.id}`, body }), one);
    const me = (index: number) => ({ 'x-demo-user': String(posted[index]!.id) });
    await write(200, (body, index) => ({ method: 'PATCH', path: '/me', headers: me(index), body }), one);

    expect(portions.flat().length).toBe(attacks.length);
    const spoken = stage.statements().join('\n');
    expect(MARKERS.filter((marker) => spoken.includes(marker))).toEqual([]);
    const after = await stage.tables();
    const stored = JSON.stringify(after);
    expect(MARKERS.filter((marker) => stored.includes(marker))).toEqual([]);

    // What was there is as it was, companies and projects that the bodies tried to rename among it.
    const isOld: Record<string, (row: Record<string, unknown>) => boolean> = {
      users: ({ id }) => Number(id) <= 100,
      user_profiles: ({ id }) => Number(id) <= 100,
      user_projects: ({ userId }) => Number(userId) <= 100,
    };
    const old = Object.fromEntries(
      Object.entries(after).map(([table, rows]) => [table, rows.filter(isOld[table] ?? (() => true))]),
    );
    expect(old).toEqual(before);
    expect(after['users']!.filter(({ id }) => Number(id) > 100)).toHaveLength(2 * portions.length);
  });
});
