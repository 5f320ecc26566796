import { deepEqual, equal } from 'node:assert/strict';
import { expectAnswer } from '../api.js';
import { suite } from '../case.js';

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
