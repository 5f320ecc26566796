import { deepEqual, equal } from 'node:assert/strict';
import { type Answer, type Api, expectAnswer, type Json } from '../api.js';
import { type Kit, suite } from '../application.js';

/** A member of the team, and one of another. */
const [OWN, FOREIGN] = ['m01', 'm02'] as const;
const item = (name: string): object => ({ email: `${name}@example.com`, age: 1 });

/** Everybody in a request acts for one team: by a header, or by its path. */
const doors = ({ api, ids }: Kit, mine = 'mine', ofTeam = 'members'): Api[] => [
  api.under(`/${mine}`, { 'x-team': String(ids.teams['red']) }),
  api.under(`/teams/${ids.teams['red']}/${ofTeam}`),
];

const through = (run: (door: Api, kit: Kit, at: number) => Promise<void>) => async (kit: Kit) => {
  for (const [at, door] of doors(kit).entries()) await run(door, kit, at);
};

const stored = ({ api }: Kit, id: number): Promise<Json> => api.body(`/admin/members/${id}?join=badges&join=notes`);

/** A write through each door is refused, and changes neither the record of the other team nor that of the own one. */
const refused =
  (status: number, send: (door: Api, ids: { own: number; foreign: number }) => Promise<Answer>, ...names: string[]) =>
  async (kit: Kit) => {
    const ids = { own: kit.idOf(OWN), foreign: kit.idOf(FOREIGN) };
    const both = () => Promise.all([stored(kit, ids.foreign), stored(kit, ids.own)]);
    for (const door of doors(kit, ...names)) {
      const before = await both();
      expectAnswer(await send(door, ids), status);
      deepEqual(await both(), before, 'a refused write has changed a record');
    }
  };
const UPSERTS = ['my-upserts', 'upserts'];

/** That records are all of the red team. */
function expectOwn({ ids }: Kit, records: readonly Json[], count: number, message?: string): void {
  const teams = new Set(records.map(({ teamId }) => teamId));
  deepEqual([records.length, teams], [count, new Set([ids.teams['red']])], message);
}

const labelsOf = ({ badges }: { badges: { label: string }[] }): string[] => badges.map(({ label }) => label).sort();

const LISTS = [
  ...['', 'limit=100', 'filter=teamId||ne||-1', 'or=id||gt||0&or=id||lt||0', 'page=1&limit=100', 'cursor=&limit=100'],
  ...['join=team', 'sort=team.name,DESC', 'filter=badges.label||notnull&or=id||gt||0'],
  ...['{"$or":[{"id":{"$gt":0}},{"id":{"$lt":0}}]}', '{"$not":{"id":-1}}'].map((s) => `s=${encodeURIComponent(s)}`),
].map((query) => `?${query}`);

export const scope = suite('scope', {
  'no list shows records out of scope': through(async (door, kit) => {
    for (const query of LISTS) {
      const records = await door.list(query);
      expectOwn(kit, records, records.length, query);
    }
  }),
  'no list asked for a foreign scope shows anything': through(async (door, { ids }) =>
    deepEqual(await door.list(`?filter=teamId||eq||${ids.teams['green']}`), []),
  ),
  'a record out of scope is a 404': through(
    async (door, kit) => void expectAnswer(await door.get(`/${kit.idOf(FOREIGN)}`), 404),
  ),
  'totals, counts and aggregates are of the scope': through(async (door) => {
    for (const query of ['page=1&limit=2', 'cursor=&total=1&limit=2']) equal((await door.body(`?${query}`)).total, 8);
    const groups = await door.list('/aggregate?groupBy=team.name&aggregate=count||*');
    deepEqual([await door.body('/count'), groups], [{ count: 8 }, [{ 'team.name': 'red', count: 8 }]]);
  }),
  'exports are of the scope': through(async (door, kit) => {
    const lines = (await door.get('?format=ndjson')).text.trim().split('\n');
    expectOwn(kit, JSON.parse(`[${lines.join()}]`), 8);
  }),
  'every page of a cursor is of the scope': through(async (door, kit) => {
    const seen: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null && seen.length < 30;) {
      const { data, next } = await door.body(`?cursor=${cursor}&limit=3&sort=age,ASC`);
      seen.push(...data);
      cursor = next;
    }
    expectOwn(kit, seen, 8);
  }),
  'joined records are those in reach': async (kit) => {
    const [mine] = doors(kit);
    const labels = (await mine!.list('?join=badges&join=team&limit=100')).flatMap(labelsOf);
    deepEqual([labels.length > 0, labels.includes('secret')], [true, false], 'a badge out of reach is joined');
    const filter = '?filter=badges.label||eq||secret';
    deepEqual([await mine!.size(filter), await mine!.size(`${filter}&or=id||gt||0`)], [0, 8]);
  },
  'POST stores in the scope, whatever the body says': through(async (door, kit, at) => {
    const [one, many] = ['new', 'bulk'].map((name) => kit.newMember(name + at, { teamId: kit.ids.teams['green'] }));
    const { body } = expectAnswer(await door.post('', one), 201);
    const [other] = expectAnswer(await door.post('/bulk', { bulk: [many] }), 201).body;
    expectOwn(kit, [await stored(kit, body.id), await stored(kit, other.id)], 2);
  }),
  'no body moves a record out of the scope': through(async (door, kit) => {
    const green = kit.ids.teams['green'];
    for (const body of [{ teamId: green }, { team: { id: green } }, { team: green }]) {
      await door.patch(`/${kit.idOf(OWN)}`, body);
      expectOwn(kit, [await stored(kit, kit.idOf(OWN))], 1, JSON.stringify(body));
    }
  }),
  'PATCH reaches no record out of scope': refused(404, (door, { foreign }) => door.patch(`/${foreign}`, { age: 1 })),
  'PUT reaches no record out of scope': refused(404, (door, { foreign }) => door.put(`/${foreign}`, item('x'))),
  'DELETE reaches no record out of scope': refused(404, (door, { foreign }) => door.delete(`/${foreign}`)),
  'PATCH of many with one out of scope changes none': refused(404, (door, { own, foreign }) =>
    door.patch('/bulk', { bulk: [own, foreign].map((id) => ({ id, age: 1 })) }),
  ),
  'DELETE of many with one out of scope deletes none': refused(404, (door, { own, foreign }) =>
    door.delete('/bulk', { bulk: [own, foreign].map((id) => ({ id })) }),
  ),
  'writes by condition are of the scope': through(async (door, { api }) => {
    const { body } = expectAnswer(await door.patch('/bulk?filter=age||gte||0', { set: { score: 9 } }), 200);
    deepEqual([body, await api.size('/admin/members?filter=score||eq||9')], [{ affected: 7 }, 7]);
  }),
  'an upsert takes over no record out of scope': refused(409, (door) => door.post('', item(FOREIGN)), ...UPSERTS),
  'an upsert of many with one out of scope changes none': refused(
    409,
    (door) => door.post('/bulk?onConflict=email', { bulk: [item(OWN), item(FOREIGN)] }),
    ...UPSERTS,
  ),
  'a body links to no record out of reach, and replaces no links out of reach': async (kit) => {
    const [mine] = doors(kit);
    const link = (name: string, label: string) =>
      mine!.patch(`/${kit.idOf(name)}`, { badges: [{ id: kit.ids.badges[label] }] });
    expectAnswer(await link(OWN, 'secret'), 400, 'CRUD_OUT_OF_SCOPE');
    expectAnswer(await link(OWN, 'gold'), 200);
    // Of the red team, with the badges gold and secret.
    expectAnswer(await link('m07', 'bronze'), 200);
    deepEqual(labelsOf(await stored(kit, kit.idOf('m07'))), ['bronze', 'secret']);
  },
  'a key names no record out of reach, unless it names it already': async (kit) => {
    const [mine] = doors(kit);
    // Of the red team: without a passport, and with one out of reach.
    const [without, bearer] = [kit.idOf('m04'), kit.idOf('m13')];
    const set = (id: number, passportId: number | null) => mine!.patch(`/${id}`, { passportId });
    const { passports } = kit.ids;
    const created = await mine!.post('', { email: 'x@example.com', passportId: passports['P-17'] });
    for (const answer of [await set(without, passports['P-17']!), created])
      expectAnswer(answer, 400, 'CRUD_OUT_OF_SCOPE');
    expectAnswer(await set(bearer, passports['P-13']!), 200);
    expectAnswer(await set(bearer, null), 200);
    expectAnswer(await set(bearer, passports['P-13']!), 400, 'CRUD_OUT_OF_SCOPE');
    expectAnswer(await set(kit.idOf(OWN), null), 200);
    expectAnswer(await set(without, passports['P-1']!), 200);
    deepEqual([(await stored(kit, without)).passportId, await mine!.size('')], [passports['P-1'], 8]);
  },
  'a key that the application sets may name a record that no body may': async ({ api, ids }) => {
    const { gone } = ids.teams;
    const { body } = expectAnswer(await api.post('/mine', { email: 'x@example.com' }, { 'x-team': String(gone) }), 201);
    equal(body.teamId, gone);
  },
  'no nested body takes a record out of reach': async (kit) => {
    const [mine] = doors(kit);
    const rename = (number: string) =>
      mine!.patch(`/${kit.idOf(OWN)}`, { passport: { id: kit.ids.passports['P-1'], number } });
    expectAnswer(await rename('withdrawn'), 400, 'CRUD_OUT_OF_SCOPE');
    expectAnswer(await rename('renewed'), 200);
    equal((await kit.api.body(`/admin/passports/${kit.ids.passports['P-1']}`)).number, 'renewed');
  },
});

const READS = [
  ...['limit=100', 'fields=id,secret', 'cursor=&limit=100', 'page=1', 'join=team&join=team.members'],
  ...['format=ndjson', 'format=csv'],
];

const CONDITIONS = [
  ...['filter=secret||eq||hidden-1', 'or=secret||starts||h', 's=%7B%22secret%22%3A%22hidden-1%22%7D'],
  ...['filter=team.members.secret||eq||hidden-1&join=team&join=team.members'],
  ...['sort=secret,ASC', 'cursor=&sort=secret,ASC'],
];

export const hidden = suite('hidden fields', {
  'no answer has a hidden field': async ({ api, idOf, newMember, pathOf }) => {
    const [path, secret] = [pathOf('m01'), 'hidden-new'];
    const answers = [await api.get(path), await api.get('/teams?join=members')];
    for (const query of READS) answers.push(await api.get(`/members?${query}`));
    answers.push(
      await api.post('/members', newMember('h', { secret })),
      await api.post('/members/bulk', { bulk: [newMember('i', { secret })] }),
      await api.post('/upserts', newMember('m02', { age: 3 })),
      await api.patch(path, { age: 31 }),
      await api.put(path, newMember('m01', { secret })),
      await api.patch('/members/bulk', { bulk: [{ id: idOf('m01'), age: 32 }] }),
      await api.delete(path),
    );
    for (const { text, status } of answers) {
      if (status >= 400 && status < 500) continue;
      equal(status < 500, true, text);
      equal(/hidden-|"secret"|secret,/.test(text.replaceAll('"label":"secret"', '')), false, text.slice(0, 400));
    }
  },
  'no condition and no sort tells of a hidden field': async ({ api }) => {
    for (const query of CONDITIONS) expectAnswer(await api.get(`/members?${query}`), 400);
    for (const query of ['groupBy=secret&aggregate=count||*', 'aggregate=min||secret'])
      expectAnswer(await api.get(`/members/aggregate?${query}`), 400);
  },
});
