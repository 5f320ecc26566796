import { equal, notEqual } from 'node:assert/strict';
import { expectAnswer } from '../api.js';
import { suite } from '../case.js';

export const tags = suite('entity tags', {
  'a record that has not changed is a 304': async ({ api, ids }) => {
    const path = `/members/${ids.members['m01@example.com']}`;
    const tag = (await api.get(path)).headers.get('etag') ?? '';

    notEqual(tag, '');
    equal((await api.get(path, { 'if-none-match': tag })).status, 304);
  },
  'a change of any column changes the tag': async ({ api, ids }) => {
    const path = `/members/${ids.members['m01@example.com']}`;
    const before = (await api.get(`${path}?fields=email`)).headers.get('etag') ?? '';
    await api.patch(`/admin${path}`, { score: 5 });

    notEqual((await api.get(`${path}?fields=email`)).headers.get('etag'), before);
  },
  'a write on another state is a 412, and changes nothing': async ({ api, ids }) => {
    const path = `/members/${ids.members['m01@example.com']}`;
    const tag = (await api.get(path)).headers.get('etag') ?? '';
    expectAnswer(await api.patch(path, { age: 31 }, { 'if-match': tag }), 200);
    expectAnswer(await api.patch(path, { age: 32 }, { 'if-match': tag }), 412, 'CRUD_PRECONDITION_FAILED');
    expectAnswer(await api.delete(path, undefined, { 'if-match': tag }), 412);
    equal((await api.get(path)).body.age, 31);
  },
  'the tag of a write is that of the next read': async ({ api, ids }) => {
    const path = `/members/${ids.members['m01@example.com']}`;
    const { headers } = await api.patch(path, { age: 31 });

    equal((await api.get(path)).headers.get('etag'), headers.get('etag'));
  },
});
