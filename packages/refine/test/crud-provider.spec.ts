/** Refine's data provider against the workspace, over HTTP: what it sends, what it is answered, what is stored. */
import { expect, test } from '@jest/globals';
import type { CrudFilters } from '@refinedev/core';
import { failure, ids, serveProviders } from '../../../integration/test-support/providers.js';
import { conditionOf } from '../src/conditions.js';
import { crudDataProvider } from '../src/index.js';

const { sent, options, tasks, stored } = serveProviders();
const provider = crudDataProvider({ ...options, resources: { settings: { key: 'key' } } });
const resource = 'tasks';
const where = (field: string, operator: string, value: unknown) => ({ field, operator, value }) as CrudFilters[number];
const byId = (order: 'asc' | 'desc') => [{ field: 'id', order }];

const all = (...value: unknown[]) => ({ operator: 'and', value }) as CrudFilters[number];
const any = (...value: unknown[]) => ({ operator: 'or', value }) as CrudFilters[number];

test('a list has pages, a total, sorts and filters', async () => {
  const pagination = { currentPage: 9, pageSize: 7 };
  const page = await provider.getList({ resource, pagination, sorters: byId('desc') });
  expect([page.total, ids(page)]).toEqual([60, [4, 3, 2, 1]]);
  const filters = [any(where('id', 'lte', 3), where('id', 'between', [58, 60])), where('id', 'ne', 2)];
  const sorters = [{ field: 'projectId', order: 'asc' as const }, ...byId('desc')];
  const found = await provider.getList({ resource, filters, sorters });
  expect(ids(found).sort()).toEqual([1, 3, 58, 59, 60]);
  expect(sent[1]).toMatch(/^GET \/tasks\?s=\{.+\}&sort=projectId,ASC&sort=id,DESC&limit=10&page=1$/);
});

const SPELT =
  'eqs $eq,ne $ne,nes $ne,lt $lt,gt $gt,gte $gte,in $in,nin $notin,ina $contArr,contains $contL,ncontains $exclL,' +
  'containss $cont,ncontainss $excl,between $between,startswith $startsL,startswiths $starts,endswith $endsL,' +
  'endswiths $ends,nina $contArr $not,nbetween $between $not,nstartswith $startsL $not,nstartswiths $starts $not,' +
  'nendswith $endsL $not,nendswiths $ends $not';

test.each(SPELT.split(','))('the operator %s', (pair) => {
  const [operator, spelt, not] = pair.split(' ') as [string, string, string?];
  const comparison = { f: { [spelt]: 'a' } };
  expect(conditionOf([where('f', operator, 'a')])).toEqual({ $and: [not ? { [not]: comparison } : comparison] });
});

test('filters without a value are no condition, unless their operators need none, also in lists and negated', () => {
  const operators = ['eq', 'contains', 'nstartswith'];
  const empty = ['', undefined].flatMap((value) => operators.map((operator) => where('f', operator, value)));
  for (const none of [undefined, [], [...empty, any(), all(any(...empty))]]) expect(conditionOf(none)).toBeUndefined();
  expect(conditionOf([all(where('f', 'eq', 1), ...empty)])).toEqual({ $and: [{ $and: [{ f: { $eq: 1 } }] }] });
  const conditions = [{ f: { $isnull: true } }, { f: { $notnull: true } }];
  expect(conditionOf([where('f', 'null', false), where('f', 'nnull', 0)])).toEqual({ $and: conditions });
  expect(() => conditionOf([where('a', 'like', 1)])).toThrow('"like"');
});

test('a list is read by cursors', async () => {
  const asked = { resource, sorters: byId('asc'), meta: { cursor: true, fields: ['title'] } };
  const read = (page: unknown) =>
    provider.getList({ ...asked, pagination: { currentPage: page as number, pageSize: 25 } });
  const first = await read(1);
  const second = await read(first.cursor?.next);
  const third = await read(second.cursor?.next);
  expect([first, second, third].flatMap(ids)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  expect(sent.every((request) => request.includes('cursor='))).toBe(true);
  const [next, prev] = [expect.any(String), expect.any(String)];
  expect([first, second, third].map(({ cursor }) => cursor)).toStrictEqual([
    { next, prev: undefined },
    { next, prev },
    { next: undefined, prev },
  ]);
});

test('a list is read whole, without pages, or ten records if nothing is said', async () => {
  for (const mode of ['off', 'client'] as const) {
    const { data, total } = await provider.getList({ resource, pagination: { mode } });
    expect([data.length, total]).toEqual([60, 60]);
  }
  const { data, ...rest } = await provider.getList({ resource });
  expect([data.length, rest]).toStrictEqual([10, { total: 60 }]);
  expect(sent).toEqual(['GET /tasks', 'GET /tasks', 'GET /tasks?limit=10&page=1']);
});

test('what is read is aborted by its signal', async () => {
  const reason = new Error('left');
  const asked = { resource, meta: { queryContext: { signal: AbortSignal.abort(reason) } } } as never as {
    resource: string;
  };
  const calls = [
    provider.getList(asked),
    provider.getList({ ...asked, pagination: { mode: 'off' } }),
    provider.getOne({ ...asked, id: 1 }),
    provider.getMany({ ...asked, ids: [1] }),
  ];
  expect(await Promise.all(calls.map(failure))).toEqual(calls.map(() => reason));
});

test('records are read by their keys', async () => {
  const { data } = await provider.getMany({ resource, ids: [3, 1], meta: { join: ['project'] } });
  expect([data.every(({ project }) => typeof project.id === 'number'), ids({ data }).sort()]).toEqual([true, [1, 3]]);
  const one = await provider.getOne({ resource, id: 5, meta: { fields: ['title'] } });
  expect(one.data).toEqual({ id: 5, title: 'under_score 5' });
});

test('records are created, changed and deleted, many by one request', async () => {
  const variables = ['A', 'B'].map((title) => ({ title, projectId: 1 }));
  const keys = ids(await provider.createMany({ resource, variables })) as number[];
  const updated = await provider.updateMany({ resource, ids: keys, variables: { priority: 5 } });
  expect(updated.data.map(({ priority }) => priority)).toEqual([5, 5]);
  expect(ids(await provider.deleteMany({ resource, ids: keys }))).toEqual(keys);
  expect((await stored(keys[0]!)).deletedAt).not.toBeNull();
  expect(await provider.recoverMany({ resource, ids: keys })).toEqual({ data: keys });
  expect((await stored(keys[1]!)).deletedAt).toBeNull();
  expect(await provider.deleteOne({ resource, id: keys[1]! })).toEqual({ data: { id: keys[1] } });
  const bulk = ['POST /tasks/bulk', 'PATCH /tasks/bulk', 'POST /tasks/bulk/delete', 'PATCH /tasks/bulk/recover'];
  expect(sent).toEqual([...bulk, `DELETE /tasks/${keys[1]}`]);
});

test('records are not overwritten if others have changed them since', async () => {
  const save = () => provider.update({ resource, id: 20, variables: { title: 'Mine' } });
  await provider.getOne({ resource, id: 20 });
  await tasks().save({ id: 20, title: 'Theirs' });
  expect(await failure(save())).toMatchObject({ statusCode: 412 });
  await provider.getOne({ resource, id: 20 });
  expect((await save()).data).toMatchObject({ title: 'Mine' });
});

test('what is refused has a text for each field', async () => {
  const variables = { projectId: 1, title: '', estimate: 'much' };
  const errors = { title: expect.stringContaining('longer'), estimate: expect.stringContaining('must') };
  expect(await failure(provider.create({ resource, variables }))).toMatchObject({ statusCode: 400, errors });
});

test('records of a resource whose key is no id', async () => {
  const settings = { resource: 'settings' };
  const { data } = await provider.getList({ ...settings, pagination: { pageSize: 2 }, sorters: byId('asc') });
  expect(data.every(({ id, key }) => id === key)).toBe(true);
  const value = { on: true };
  const changed = await provider.update({ ...settings, id: data[0]!.id!, variables: { value } });
  expect(changed.data).toMatchObject({ id: data[0]!['key'], value });
});

test('records are saved as a file', async () => {
  const filters = [where('id', 'lte', 3)];
  const file = await provider.exportList('ndjson', { resource, filters, sorters: byId('desc') });
  const lines = (await file.text()).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([3, 2, 1]);
  expect([provider.getApiUrl(), crudDataProvider({}).getApiUrl()]).toEqual(['http://workspace', '']);
});
