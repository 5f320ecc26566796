import { deepEqual, equal } from 'node:assert/strict';
import { type Answer, type Api, expectAnswer, type Json } from '../api.js';
import type { Kit } from '../application.js';
import { suite } from '../case.js';

/** A member of the team, and one of another. */
const OWN = 'm01@example.com';
const FOREIGN = 'm02@example.com';

const foreignId = ({ ids }: Kit): number => ids.members[FOREIGN]!;
const ownId = ({ ids }: Kit): number => ids.members[OWN]!;

/** Everybody in a request acts for one team: by a header, or by its path. */
const doors = ({ api, ids }: Kit, mine = 'mine', ofTeam = 'members'): Api[] => [
  api.under(`/${mine}`, { 'x-team': String(ids.teams['red']) }),
  api.under(`/teams/${ids.teams['red']}/${ofTeam}`),
];

/** The same through each door. */
const through = (run: (door: Api, kit: Kit, at: number) => Promise<void>) => async (kit: Kit) => {
  for (const [at, door] of doors(kit).entries()) await run(door, kit, at);
};

/** A record, as it is stored. */
const stored = async ({ api }: Kit, id: number): Promise<Json> =>
  (await api.get(`/admin/members/${id}?join=badges&join=notes`)).body;

/** A write through each door is refused, and changes neither the record of the other team nor that of the own one. */
const refused =
  (status: number, send: (door: Api, kit: Kit) => Promise<Answer>, ...names: string[]) =>
  async (kit: Kit) => {
    for (const door of doors(kit, ...names)) {
      const both = () => Promise.all([stored(kit, foreignId(kit)), stored(kit, ownId(kit))]);
      const before = await both();
      expectAnswer(await send(door, kit), status);
      deepEqual(await both(), before, 'a refused write has changed a record');
    }
  };

/** That records are all of the red team. */
function expectOwn({ ids }: Kit, records: readonly Json[], count: number, message?: string): void {
  const teams = new Set(records.map(({ teamId }) => teamId));
  deepEqual([records.length, teams], [count, new Set([ids.teams['red']])], message);
}

const READS = [
  '',
  '?limit=100',
  '?filter=teamId||ne||-1',
  '?or=id||gt||0&or=id||lt||0',
  '?page=1&limit=100',
  '?cursor=&limit=100',
  '?s=%7B%22%24or%22%3A%5B%7B%22id%22%3A%7B%22%24gt%22%3A0%7D%7D%2C%7B%22id%22%3A%7B%22%24lt%22%3A0%7D%7D%5D%7D',
  '?s=%7B%22%24not%22%3A%7B%22id%22%3A-1%7D%7D',
  '?join=team',
  '?sort=team.name,DESC',
  '?filter=badges.label||notnull&or=id||gt||0',
];

export const scope = suite('scope', {
  'no list shows records out of scope': through(async (door, kit) => {
    for (const query of READS) {
      const records = await door.list(query);
      expectOwn(kit, records, records.length, query);
    }
  }),
  'no list asked for a foreign scope shows anything': through(async (door, { ids }) =>
    deepEqual(await door.list(`?filter=teamId||eq||${ids.teams['green']}`), []),
  ),
  'a record out of scope is a 404': through(
    async (door, kit) => void expectAnswer(await door.get(`/${foreignId(kit)}`), 404),
  ),
  'totals and counts are of the scope': through(async (door) => {
    equal((await door.get('?page=1&limit=2')).body.total, 8);
    equal((await door.get('?cursor=&total=1&limit=2')).body.total, 8);
    deepEqual((await door.get('/count')).body, { count: 8 });
  }),
  'aggregates are of the scope': through(async (door) => {
    const rows = await door.list('/aggregate?groupBy=team.name&aggregate=count||*');
    deepEqual(rows, [{ 'team.name': 'red', count: 8 }]);
  }),
  'exports are of the scope': through(async (door, kit) => {
    const lines = (await door.get('?format=ndjson')).text.trim().split('\n');
    expectOwn(
      kit,
      lines.map((line) => JSON.parse(line)),
      8,
    );
  }),
  'every page of a cursor is of the scope': through(async (door, kit) => {
    const seen: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null && seen.length < 30;) {
      const { body } = await door.get(`?cursor=${cursor}&limit=3&sort=age,ASC`);
      seen.push(...body.data);
      cursor = body.next;
    }
    expectOwn(kit, seen, 8);
  }),
  'joined records are those in reach': async (kit) => {
    const [mine] = doors(kit);
    const members = await mine!.list('?join=badges&join=team&limit=100');
    const labels = members.flatMap(({ badges }) => badges.map(({ label }: { label: string }) => label));
    equal(labels.length > 0, true);
    equal(labels.includes('secret'), false, 'a badge out of reach is joined');
    equal((await mine!.list('?filter=badges.label||eq||secret')).length, 0);
    equal((await mine!.list('?filter=badges.label||eq||secret&or=id||gt||0')).length, 8);
  },
  'POST stores in the scope, whatever the body says': through(async (door, kit, at) => {
    const teamId = kit.ids.teams['green'];
    const { body: one } = expectAnswer(await door.post('', { email: `new${at}@example.com`, teamId }), 201);
    const bulk = [{ email: `bulk${at}@example.com`, teamId }];
    const { body: many } = expectAnswer(await door.post('/bulk', { bulk }), 201);
    expectOwn(kit, [await stored(kit, one.id), await stored(kit, many[0].id)], 2);
  }),
  'no body moves a record out of the scope': through(async (door, kit) => {
    const green = kit.ids.teams['green'];
    for (const body of [{ teamId: green }, { team: { id: green } }, { team: green }]) {
      await door.patch(`/${ownId(kit)}`, body);
      expectOwn(kit, [await stored(kit, ownId(kit))], 1, JSON.stringify(body));
    }
  }),
  'PATCH reaches no record out of scope': refused(404, (door, kit) => door.patch(`/${foreignId(kit)}`, { age: 1 })),
  'PUT reaches no record out of scope': refused(404, (door, kit) =>
    door.put(`/${foreignId(kit)}`, { email: 'x@example.com' }),
  ),
  'DELETE reaches no record out of scope': refused(404, (door, kit) => door.delete(`/${foreignId(kit)}`)),
  'PATCH of many with one out of scope changes none': refused(404, (door, kit) =>
    door.patch('/bulk', { bulk: [ownId(kit), foreignId(kit)].map((id) => ({ id, age: 1 })) }),
  ),
  'DELETE of many with one out of scope deletes none': refused(404, (door, kit) =>
    door.delete('/bulk', { bulk: [{ id: ownId(kit) }, { id: foreignId(kit) }] }),
  ),
  'writes by condition are of the scope': through(async (door, { api }) => {
    const { body } = expectAnswer(await door.patch('/bulk?filter=age||gte||0', { set: { score: 9 } }), 200);
    deepEqual(body, { affected: 7 });
    equal((await api.list('/admin/members?filter=score||eq||9')).length, 7);
  }),
  'an upsert takes over no record out of scope': refused(
    409,
    (door) => door.post('', { email: FOREIGN, age: 1 }),
    'my-upserts',
    'upserts',
  ),
  'an upsert of many with one out of scope changes none': refused(
    409,
    (door) => door.post('/bulk?onConflict=email', { bulk: [OWN, FOREIGN].map((email) => ({ email, age: 1 })) }),
    'my-upserts',
    'upserts',
  ),
  'a body links to no record out of reach, and replaces no links out of reach': async (kit) => {
    const { badges } = kit.ids;
    const [mine] = doors(kit);
    const link = (id: number | undefined, label: string) => mine!.patch(`/${id}`, { badges: [{ id: badges[label] }] });
    expectAnswer(await link(ownId(kit), 'secret'), 400, 'CRUD_OUT_OF_SCOPE');
    expectAnswer(await link(ownId(kit), 'gold'), 200);

    // Of the red team, with the badges gold and secret.
    const id = kit.ids.members['m07@example.com']!;
    expectAnswer(await link(id, 'bronze'), 200);
    const labels = (await stored(kit, id)).badges.map(({ label }: { label: string }) => label);
    deepEqual(labels.sort(), ['bronze', 'secret']);
  },
});
