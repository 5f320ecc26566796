import { equal, notEqual } from 'node:assert/strict';
import { type Api, expectAnswer } from '../api.js';
import { suite } from '../case.js';

const tagOf = async (api: Api, path: string): Promise<string> => (await api.get(path)).headers.get('etag') ?? '';

export const tags = suite('entity tags', {
  'a record that has not changed is a 304': async ({ api, pathOf }) => {
    const tag = await tagOf(api, pathOf('m01'));
    notEqual(tag, '');
    equal((await api.get(pathOf('m01'), { 'if-none-match': tag })).status, 304);
  },
  'a change of any column changes the tag': async ({ api, pathOf }) => {
    const before = await tagOf(api, `${pathOf('m01')}?fields=email`);
    await api.patch(`/admin${pathOf('m01')}`, { score: 5 });
    notEqual(await tagOf(api, `${pathOf('m01')}?fields=email`), before);
  },
  'a write on another state is a 412, and changes nothing': async ({ api, pathOf }) => {
    const path = pathOf('m01');
    const old = { 'if-match': await tagOf(api, path) };
    expectAnswer(await api.patch(path, { age: 31 }, old), 200);
    expectAnswer(await api.patch(path, { age: 32 }, old), 412, 'CRUD_PRECONDITION_FAILED');
    expectAnswer(await api.delete(path, undefined, old), 412);
    equal((await api.body(path)).age, 31);
  },
  'the tag of a write is that of the next read': async ({ api, pathOf }) => {
    const { headers } = await api.patch(pathOf('m01'), { age: 31 });
    equal(await tagOf(api, pathOf('m01')), headers.get('etag'));
  },
});
