import { deepEqual, equal } from 'node:assert/strict';
import { type Answer, expectAnswer } from '../api.js';
import type { Kit } from '../application.js';
import { suite } from '../case.js';

/** Everybody in a request acts for one team: by its path, or by a header. */
interface Door {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const doors = ({ ids }: Kit): Door[] => [
  { path: '/mine', headers: { 'x-team': String(ids.teams['red']) } },
  { path: `/teams/${ids.teams['red']}/members`, headers: {} },
];

/** The resource through the same door whose POST changes what is there. */
const upsertsOf = (path: string): string => (path === '/mine' ? '/my-upserts' : path.replace(/members$/, 'upserts'));

/** A member of the team, and one of another. */
const OWN = 'm01@example.com';
const FOREIGN = 'm02@example.com';

const foreignId = ({ ids }: Kit): number => ids.members[FOREIGN]!;

/** The record of the other team, as it is stored. */
async function storedForeign({ api, ids }: Kit): Promise<unknown> {
  return (await api.get(`/admin/members/${ids.members[FOREIGN]}?join=badges&join=notes`)).body;
}

/** Sends writes through each door; none may change the record of the other team. */
async function refused(kit: Kit, send: (door: Door) => Promise<Answer>, ...allowed: number[]): Promise<void> {
  for (const door of doors(kit)) {
    const before = await storedForeign(kit);
    const { status, text } = await send(door);
    equal(allowed.includes(status), true, `${door.path}: ${status} ${text}`);
    deepEqual(await storedForeign(kit), before, `${door.path} has changed a record of another team`);
  }
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
  'no list shows records out of scope': async (kit) => {
    for (const { path, headers } of doors(kit)) {
      for (const query of READS) {
        const teams = (await kit.api.list(path + query, headers)).map(({ teamId }) => teamId);
        deepEqual(new Set(teams), new Set([kit.ids.teams['red']]), `${path}${query}`);
      }
    }
  },
  'no list asked for a foreign scope shows anything': async (kit) => {
    for (const { path, headers } of doors(kit))
      deepEqual(await kit.api.list(`${path}?filter=teamId||eq||${kit.ids.teams['green']}`, headers), []);
  },
  'a record out of scope is a 404': async (kit) => {
    for (const { path, headers } of doors(kit))
      expectAnswer(await kit.api.get(`${path}/${foreignId(kit)}`, headers), 404);
  },
  'totals and counts are of the scope': async (kit) => {
    for (const { path, headers } of doors(kit)) {
      equal((await kit.api.get(`${path}?page=1&limit=2`, headers)).body.total, 8, path);
      equal((await kit.api.get(`${path}?cursor=&total=1&limit=2`, headers)).body.total, 8, path);
      deepEqual((await kit.api.get(`${path}/count`, headers)).body, { count: 8 });
    }
  },
  'aggregates are of the scope': async (kit) => {
    for (const { path, headers } of doors(kit)) {
      deepEqual(await kit.api.list(`${path}/aggregate?groupBy=team.name&aggregate=count||*`, headers), [
        { 'team.name': 'red', count: 8 },
      ]);
    }
  },
  'exports are of the scope': async (kit) => {
    for (const { path, headers } of doors(kit)) {
      const { text } = await kit.api.get(`${path}?format=ndjson`, headers);
      const teams = text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { teamId: number }).teamId);
      deepEqual([teams.length, new Set(teams)], [8, new Set([kit.ids.teams['red']])]);
    }
  },
  'every page of a cursor is of the scope': async (kit) => {
    for (const { path, headers } of doors(kit)) {
      let query = '?cursor=&limit=3&sort=age,ASC';
      const seen: number[] = [];
      for (let pages = 0; pages < 5; pages += 1) {
        const { body } = await kit.api.get(path + query, headers);
        seen.push(...body.data.map(({ teamId }: { teamId: number }) => teamId));
        if (body.next === null) break;
        query = `?cursor=${body.next}&limit=3&sort=age,ASC`;
      }
      deepEqual([seen.length, new Set(seen)], [8, new Set([kit.ids.teams['red']])]);
    }
  },
  'joined records are those in reach': async (kit) => {
    const headers = { 'x-team': String(kit.ids.teams['red']) };
    const members = await kit.api.list('/mine?join=badges&join=team&limit=100', headers);
    const labels = members.flatMap(({ badges }) => badges.map(({ label }: { label: string }) => label));

    equal(labels.length > 0, true);
    equal(labels.includes('secret'), false, 'a badge out of reach is joined');
    equal((await kit.api.list('/mine?filter=badges.label||eq||secret', headers)).length, 0);
    equal((await kit.api.list('/mine?filter=badges.label||eq||secret&or=id||gt||0', headers)).length, 8);
  },
  'POST stores in the scope, whatever the body says': async (kit) => {
    for (const [at, { path, headers }] of doors(kit).entries()) {
      const body = { email: `new${at}@example.com`, teamId: kit.ids.teams['green'] };
      const { body: created } = expectAnswer(await kit.api.post(path, body, headers), 201);
      equal((await kit.api.get(`/admin/members/${created.id}`)).body.teamId, kit.ids.teams['red']);
      const bulk = [{ email: `bulk${at}@example.com`, teamId: kit.ids.teams['green'] }];
      const { body: many } = expectAnswer(await kit.api.post(`${path}/bulk`, { bulk }, headers), 201);
      equal((await kit.api.get(`/admin/members/${many[0].id}`)).body.teamId, kit.ids.teams['red']);
    }
  },
  'no body moves a record out of the scope': async (kit) => {
    for (const { path, headers } of doors(kit)) {
      const id = kit.ids.members[OWN];
      for (const body of [
        { teamId: kit.ids.teams['green'] },
        { team: { id: kit.ids.teams['green'] } },
        { team: kit.ids.teams['green'] },
      ]) {
        await kit.api.patch(`${path}/${id}`, body, headers);
        equal((await kit.api.get(`/admin/members/${id}`)).body.teamId, kit.ids.teams['red'], JSON.stringify(body));
      }
    }
  },
  'PATCH reaches no record out of scope': (kit) =>
    refused(kit, ({ path, headers }) => kit.api.patch(`${path}/${foreignId(kit)}`, { age: 1 }, headers), 404),
  'PUT reaches no record out of scope': (kit) =>
    refused(
      kit,
      ({ path, headers }) => kit.api.put(`${path}/${foreignId(kit)}`, { email: 'x@example.com' }, headers),
      404,
    ),
  'DELETE reaches no record out of scope': (kit) =>
    refused(kit, ({ path, headers }) => kit.api.delete(`${path}/${foreignId(kit)}`, undefined, headers), 404),
  'PATCH of many with one out of scope changes none': async (kit) => {
    const id = kit.ids.members[OWN];
    await refused(
      kit,
      ({ path, headers }) =>
        kit.api.patch(
          `${path}/bulk`,
          {
            bulk: [
              { id, age: 1 },
              { id: foreignId(kit), age: 1 },
            ],
          },
          headers,
        ),
      404,
    );
    equal((await kit.api.get(`/admin/members/${id}`)).body.age, 30);
  },
  'DELETE of many with one out of scope deletes none': async (kit) => {
    const id = kit.ids.members[OWN];
    await refused(
      kit,
      ({ path, headers }) => kit.api.delete(`${path}/bulk`, { bulk: [{ id }, { id: foreignId(kit) }] }, headers),
      404,
    );
    expectAnswer(await kit.api.get(`/admin/members/${id}`), 200);
  },
  'writes by condition are of the scope': async (kit) => {
    for (const { path, headers } of doors(kit)) {
      const { body } = expectAnswer(
        await kit.api.patch(`${path}/bulk?filter=age||gte||0`, { set: { score: 9 } }, headers),
        200,
      );
      deepEqual(body, { affected: 7 });
      equal((await kit.api.list('/admin/members?filter=score||eq||9')).length, 7);
    }
  },
  'an upsert takes over no record out of scope': async (kit) => {
    await refused(kit, ({ path, headers }) => kit.api.post(upsertsOf(path), { email: FOREIGN, age: 1 }, headers), 409);
    await refused(
      kit,
      ({ path, headers }) =>
        kit.api.post(
          `${path}/bulk?onConflict=email`,
          {
            bulk: [
              { email: OWN, age: 1 },
              { email: FOREIGN, age: 1 },
            ],
          },
          headers,
        ),
      409,
    );
    equal((await kit.api.get(`/admin/members/${kit.ids.members[OWN]}`)).body.age, 30);
  },
  'a body links to no record out of reach': async (kit) => {
    const headers = { 'x-team': String(kit.ids.teams['red']) };
    const path = `/mine/${kit.ids.members[OWN]}`;
    expectAnswer(
      await kit.api.patch(path, { badges: [{ id: kit.ids.badges['secret'] }] }, headers),
      400,
      'CRUD_OUT_OF_SCOPE',
    );
    expectAnswer(await kit.api.patch(path, { badges: [{ id: kit.ids.badges['gold'] }] }, headers), 200);
  },
  'links out of reach stay when a list is replaced': async (kit) => {
    const headers = { 'x-team': String(kit.ids.teams['red']) };
    // Of the red team, with the badges gold and secret.
    const id = kit.ids.members['m07@example.com'];
    expectAnswer(await kit.api.patch(`/mine/${id}`, { badges: [{ id: kit.ids.badges['bronze'] }] }, headers), 200);
    const { badges } = (await kit.api.get(`/admin/members/${id}?join=badges`)).body;

    deepEqual(badges.map(({ label }: { label: string }) => label).sort(), ['bronze', 'secret']);
  },
});
