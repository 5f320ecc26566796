import { deepEqual, equal } from 'node:assert/strict';
import { expectAnswer } from '../api.js';
import { suite } from '../case.js';

const labels = (member: { badges: { label: string }[] }): string[] => member.badges.map(({ label }) => label).sort();

export const relations = suite('relations', {
  'a join to one has the related record, or null': async ({ api, ids }) => {
    const [first] = await api.list('/members?join=team&join=passport&sort=id,ASC&limit=1');
    deepEqual([first.team.name, first.passport.number], ['red', 'P-1']);
    const [second] = await api.list('/members?join=passport&sort=id,ASC&limit=1&offset=1');
    deepEqual([second.passport, second.team], [null, undefined]);
    equal((await api.get(`/passports/${ids.passports['P-1']}?join=member`)).body.member.email, 'm01@example.com');
  },
  'a join to many has all related records, and pages keep their size': async ({ api }) => {
    const page = await api.list('/members?join=badges&join=notes&sort=id,ASC&limit=8');
    equal(page.length, 8);
    equal(page.map((member) => `${labels(member).length}${member.notes.length}`).join(), '00,11,12,20,11,22,20,31');
  },
  'a join within a join': async ({ api }) => {
    const [member] = await api.list('/members?join=team&join=team.members&sort=id,ASC&limit=1');
    equal(member.team.members.length, 8);
  },
  'a filter by a related record keeps the records that have it': async ({ api }) => {
    deepEqual((await api.list('/members?filter=team.name||eq||blue&sort=id,ASC')).length, 8);
    equal((await api.list('/members?filter=notes.text||eq||note 1 of 2')).length, 1);
    equal((await api.list('/members?filter=passport.id||isnull&limit=100')).length, 18);
  },
  'a sort by a related record': async ({ api }) => {
    const members = await api.list('/members?join=team&sort=team.name,DESC&sort=id,ASC&limit=100');
    const names = members.map(({ team }) => team.name);
    deepEqual(names, [...names].sort().reverse());
  },
  'a page of joined records has the total of its records': async ({ api }) => {
    const { body } = await api.get('/members?join=badges&join=notes&filter=badges.label||ne||none&limit=5&page=1');
    deepEqual([body.total, body.data.length, body.pageCount], [22, 5, 5]);
  },
  'a link list replaces the links': async ({ api, ids }) => {
    const path = `/members/${ids.members['m04@example.com']}`;
    const links = [{ id: ids.badges['gold'] }, { id: ids.badges['silver'] }];
    expectAnswer(await api.patch(path, { badges: links }), 200);
    deepEqual(labels((await api.get(`${path}?join=badges`)).body), ['gold', 'silver']);
    expectAnswer(await api.patch(path, { badges: [] }), 200);
    deepEqual(labels((await api.get(`${path}?join=badges`)).body), []);
    expectAnswer(await api.patch(path, { badges: [{ id: 2147483000 }] }), 409);
  },
  'a nested record is stored with its parent': async ({ api, ids }) => {
    const nested = { passport: { number: 'N-1' }, notes: [{ text: 'a' }, { text: 'b' }] };
    const sent = { email: 'nested@example.com', teamId: ids.teams['red'], ...nested };
    const { body } = expectAnswer(await api.post('/members?join=passport&join=notes', sent), 201);
    const { body: stored } = await api.get(`/members/${body.id}?join=passport&join=notes`);
    equal(stored.passport.number, 'N-1');
    deepEqual(stored.notes.map(({ text }: { text: string }) => text).sort(), ['a', 'b']);
  },
  'a nested record that is linked already is changed, another one refused': async ({ api, ids }) => {
    const path = `/members/${ids.members['m03@example.com']}`;
    const { body } = await api.get(`${path}?join=notes`);
    const [own] = body.notes;
    expectAnswer(await api.patch(path, { notes: [{ id: own.id, text: 'changed' }] }), 200);
    equal((await api.get(`/admin/notes/${own.id}`)).body.text, 'changed');
    const foreign = (await api.list('/admin/notes?filter=text||eq||note 1 of 2'))[0];
    expectAnswer(await api.patch(path, { notes: [{ id: foreign.id, text: 'mine' }] }), 400);
    equal((await api.get(`/admin/notes/${foreign.id}`)).body.text, 'note 1 of 2');
  },
  'a failing nested record undoes its parent': async ({ api, ids }) => {
    const body = { email: 'undone@example.com', teamId: ids.teams['red'], passport: { number: 'P-1' } };
    expectAnswer(await api.post('/members', body), 409);
    equal((await api.list('/members?filter=email||eq||undone@example.com')).length, 0);
  },
  'a relation that is set to null is unlinked': async ({ api, ids }) => {
    const path = `/members/${ids.members['m01@example.com']}`;
    expectAnswer(await api.patch(path, { passport: null }), 200);
    equal((await api.get(path)).body.passportId, null);
    expectAnswer(await api.get(`/passports/${ids.passports['P-1']}`), 200);
  },
  'two members do not share a passport': async ({ api, ids }) => {
    const body = { passportId: ids.passports['P-1'] };
    expectAnswer(await api.patch(`/members/${ids.members['m02@example.com']}`, body), 409, 'CRUD_UNIQUE_VIOLATION');
  },
});
