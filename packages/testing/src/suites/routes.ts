import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { expectAnswer } from '../api.js';
import { suite } from '../application.js';
import { DEVICES } from '../records.js';

export const routes = suite('routes', {
  'GET has a record by its key, with null where nothing is stored': async ({ api, pathOf }) => {
    const { email, name, age, isActive, role, settings, bornOn, joinedAt, points } = await api.body(pathOf('m02'));
    deepEqual([email, name, age, isActive], ['m02@example.com', { first: 'bea', last: 'rivers' }, 20, true]);
    deepEqual([role, settings, bornOn, joinedAt, points], ['guest', null, null, '2024-02-29T00:00:00.000Z', '5']);
  },
  'a key that no record has is a 404; one that the column cannot hold a 400': async ({ api }) => {
    expectAnswer(await api.get('/members/2147483000'), 404, 'CRUD_NOT_FOUND');
    for (const path of ['/members/x', '/devices/x']) expectAnswer(await api.get(path), 400);
  },
  '64 bits and decimals keep their digits': async ({ api, ids, members, pathOf }) => {
    const { budget } = await api.body(`/teams/${ids.teams['red']}`);
    deepEqual([(await api.body(pathOf('m01'))).points, Number(budget)], [members[0]!.points, 1000.5]);
  },
  'POST stores a record with defaults, and answers with it': async ({ api, newMember }) => {
    const before = Date.now() - 5_000;
    const { body } = expectAnswer(await api.post('/members', newMember('new')), 201);
    deepEqual([body.isActive, body.role, body.age, body.version, body.passportId], [true, 'member', null, 1, null]);
    ok(Date.parse(body.updatedAt) > before, 'updatedAt is the present');
    deepEqual(await api.body(`/members/${body.id}`), body);
  },
  'POST of many stores all, in the order of the body': async ({ api, newMember }) => {
    const { body } = expectAnswer(await api.post('/members/bulk', { bulk: [newMember('z'), newMember('y')] }), 201);
    equal(body.map(({ email }: { email: string }) => email).join(), 'z@example.com,y@example.com');
  },
  'PATCH changes what it names and nothing else': async ({ api, pathOf }) => {
    const before = await api.body(pathOf('m01'));
    const { body } = expectAnswer(await api.patch(pathOf('m01'), { age: 31, name: { last: 'moss' } }), 200);
    const changed = { age: 31, name: { first: 'ada', last: 'moss' }, version: before.version + 1, updatedAt: 0 };
    deepEqual({ ...body, updatedAt: 0 }, { ...before, ...changed });
  },
  'PATCH that changes nothing stores nothing': async ({ api, pathOf }) => {
    const before = await api.body(pathOf('m01'));
    deepEqual((await api.patch(pathOf('m01'), { age: before.age, role: before.role })).body, before);
  },
  'PUT replaces a record: what is left out gets its default, or null': async ({ api, newMember, pathOf }) => {
    const { body } = expectAnswer(await api.put(pathOf('m04'), newMember('four')), 200);
    const { email, age, role, isActive, name, settings } = body;
    const expected = ['four@example.com', null, 'member', true, null, null];
    deepEqual([email, age, role, isActive, name.first, settings], expected);
  },
  'PUT creates a record whose key clients choose, and none whose key is counted': async ({ api, newMember }) => {
    const device = { id: '33333333-3333-4333-8333-333333333333', serial: 'D-3' };
    deepEqual(expectAnswer(await api.put(`/devices/${device.id}`, { serial: 'D-3' }), 201).body, device);
    expectAnswer(await api.put('/members/2147483000', newMember('x')), 404);
  },
  'a uuid is made for a new record that has none': async ({ api }) => {
    match(expectAnswer(await api.post('/devices', { serial: 'D-4' }), 201).body.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/);
    equal((await api.body(`/devices/${DEVICES[0].id}`)).serial, 'D-1');
  },
  'DELETE removes a record for good': async ({ api, pathOf }) => {
    expectAnswer(await api.delete(pathOf('m03')), 200);
    expectAnswer(await api.get(pathOf('m03')), 404);
    equal(await api.size('/admin/members'), 23);
  },
  'a soft-deleted record is found by nobody who does not ask for it, and comes back': async ({ api, ids }) => {
    const path = `/teams/${ids.teams['gone']}`;
    expectAnswer(await api.get(path), 404);
    deepEqual([await api.size('/teams'), await api.size('/teams?includeDeleted=1')], [3, 4]);
    expectAnswer(await api.patch(path, { budget: '8.00' }), 404);
    expectAnswer(await api.patch(`${path}/recover`, {}), 200);
    equal((await api.body(path)).deletedAt, null);
  },
  'soft deletion keeps the record': async ({ api, ids }) => {
    expectAnswer(await api.delete(`/teams/${ids.teams['green']}`), 200);
    const [team] = await api.list('/teams?includeDeleted=1&filter=name||eq||green');
    ok(Date.parse(team.deletedAt) > 0);
  },
  'a key of two columns addresses one record': async ({ api, ids }) => {
    const [red, blue] = [`/seats/${ids.teams['red']}`, `/seats/${ids.teams['blue']}`];
    equal((await api.body(`${red}/1`)).label, 'window');
    expectAnswer(await api.patch(`${red}/1`, { label: 'aisle' }), 200);
    equal((await api.body(`${blue}/1`)).label, 'door');
    expectAnswer(await api.get(`${blue}/2`), 404);
  },
  'count tells how many records a list has': async ({ api }) => {
    const [all, admins] = [await api.body('/members/count'), await api.body('/members/count?filter=role||eq||admin')];
    deepEqual([all, admins], [{ count: 24 }, { count: 5 }]);
  },
});

const labels = (member: { badges: { label: string }[] }): string[] => member.badges.map(({ label }) => label).sort();

/** What conditions, sorts, joins and pages give together, the random queries ask. */
export const relations = suite('relations', {
  'a join to one has the related record, or null': async ({ api, ids }) => {
    const [first, second] = await api.list('/members?join=team&join=passport&sort=id,ASC&limit=2');
    deepEqual([first.team.name, first.passport.number, second.passport], ['red', 'P-1', null]);
    equal((await api.list('/members?join=passport&limit=1'))[0].team, undefined);
    equal((await api.body(`/passports/${ids.passports['P-1']}?join=member`)).member.email, 'm01@example.com');
  },
  'a join within a join': async ({ api }) => {
    const [member] = await api.list('/members?join=team&join=team.members&sort=id,ASC&limit=1');
    equal(member.team.members.length, 8);
  },
  'a filter by the key of a related record': async ({ api }) =>
    equal(await api.size('/members?filter=passport.id||isnull'), 18),
  'a link list replaces the links': async ({ api, ids, pathOf }) => {
    const path = pathOf('m04');
    for (const names of [['gold', 'silver'], []]) {
      expectAnswer(await api.patch(path, { badges: names.map((name) => ({ id: ids.badges[name] })) }), 200);
      deepEqual(labels(await api.body(`${path}?join=badges`)), names);
    }
    expectAnswer(await api.patch(path, { badges: [{ id: 2147483000 }] }), 409);
  },
  'a nested record is stored with its parent': async ({ api, newMember }) => {
    const sent = newMember('nested', { passport: { number: 'N-1' }, notes: [{ text: 'a' }, { text: 'b' }] });
    const { body } = expectAnswer(await api.post('/members?join=passport&join=notes', sent), 201);
    const { passport, notes } = await api.body(`/members/${body.id}?join=passport&join=notes`);
    deepEqual([passport.number, notes.map(({ text }: { text: string }) => text).sort()], ['N-1', ['a', 'b']]);
  },
  'a nested record that is linked already is changed, another one refused': async ({ api, pathOf }) => {
    const [own] = (await api.body(`${pathOf('m03')}?join=notes`)).notes;
    const [foreign] = await api.list('/admin/notes?filter=text||eq||note 1 of 2');
    const text = async ({ id }: { id: number }) => (await api.body(`/admin/notes/${id}`)).text;
    expectAnswer(await api.patch(pathOf('m03'), { notes: [{ id: own.id, text: 'changed' }] }), 200);
    expectAnswer(await api.patch(pathOf('m03'), { notes: [{ id: foreign.id, text: 'mine' }] }), 400);
    deepEqual([await text(own), await text(foreign)], ['changed', 'note 1 of 2']);
  },
  'a failing nested record undoes its parent': async ({ api, newMember }) => {
    expectAnswer(await api.post('/members', newMember('undone', { passport: { number: 'P-1' } })), 409);
    equal(await api.size('/members?filter=email||eq||undone@example.com'), 0);
  },
  'a relation that is set to null is unlinked': async ({ api, ids, pathOf }) => {
    expectAnswer(await api.patch(pathOf('m01'), { passport: null }), 200);
    equal((await api.body(pathOf('m01'))).passportId, null);
    expectAnswer(await api.get(`/passports/${ids.passports['P-1']}`), 200);
  },
  'two members do not share a passport': async ({ api, ids, pathOf }) => {
    const shared = await api.patch(pathOf('m02'), { passportId: ids.passports['P-1'] });
    expectAnswer(shared, 409, 'CRUD_UNIQUE_VIOLATION');
  },
});
