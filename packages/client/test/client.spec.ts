/** What a client sends, and what it makes of answers that no resource gives: over HTTP, from a server that is told what to answer. */
import { expect, jest, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { crudClient } from '../src/index.js';
import type { User } from './entities.js';
import { cut, failure, failureOf, json, lines, NOT_FOUND, olderThan3, raw, refused, type Reply } from './server.js';
import { SIGN_IN, silent, tellServer, told, users } from './server.js';

tellServer();

const INVALID = { code: 'CLIENT_INVALID_RESPONSE' };
const LEFT = new Error('left the page');

test('requests have the paths, methods and bodies of the routes, and the headers of the call', async () => {
  const { getOne, ...many } = users();
  const order = { headers: { 'x-call': 'c' } };
  const slugs = crudClient<User>()('/users of/7', { baseUrl: told.baseUrl, key: 'slug' });
  const [row, empty] = [{ id: 1 }, { data: [], total: 0 }];
  const filter = '?filter=age||$gt||3';
  const replies: Record<string, readonly [reply: Reply, answer: unknown]> = {
    row: [json(200, row), row],
    rows: [json(200, [row]), [row]],
    done: [json(200, row), undefined],
    gone: [raw(204, ''), undefined],
    affected: [json(200, { affected: 2 }), { affected: 2 }],
    counted: [json(200, { count: 2 }), 2],
    page: [json(200, empty), empty],
    end: [json(200, { data: [], next: null }), { done: true }],
    file: [raw(200, 'id'), 'id'],
  };
  const read = async () => (await many.export('csv', olderThan3, order)).text();
  const calls: readonly (readonly [answered: string, line: string, call: () => Promise<unknown>])[] = [
    ['row', 'GET /users/7?join=company||name', () => getOne(7, (query) => query.join('company', ['name']), order)],
    ['row', 'POST /users {"age":"3"}', () => many.create({ age: 3n as never }, undefined, order)],
    ['row', 'PATCH /users/7 {"age":3}', () => many.update(7, { age: 3 }, undefined, order)],
    ['row', 'PUT /users/a/b?c {"email":"a"}', () => many.replace('a/b?c', { email: 'a' }, undefined, order)],
    ['gone', 'DELETE /users/7', () => many.remove({ id: 7 }, order)],
    ['done', 'DELETE /users/8', () => many.remove(8n, order)],
    ['done', 'PATCH /users/7/recover', () => many.recover({ id: 7 }, order)],
    ['done', 'POST /users/bulk/delete {"bulk":[{"id":2},{"id":1}]}', () => many.removeMany([2, row], order)],
    ['done', 'PATCH /users/bulk/recover {"bulk":[{"id":1}]}', () => many.recoverMany([1], order)],
    ['done', 'POST /users of/7/bulk/delete {"bulk":[{"slug":"a"}]}', () => slugs.removeMany([{ slug: 'a' }], order)],
    ['done', 'PATCH /users of/7/b/recover', () => slugs.recover({ slug: 'b' }, order)],
    ['rows', `GET /users${filter}`, () => many.getMany(olderThan3, order)],
    ['rows', 'POST /users/bulk {"bulk":[{"age":1}]}', () => many.createMany([{ age: 1 }], undefined, order)],
    ['rows', 'PATCH /users/bulk {"bulk":[{"id":1}]}', () => many.updateMany([row], undefined, order)],
    ['rows', `PUT /users/bulk${filter} {"bulk":[{"id":1}]}`, () => many.replaceMany([row], olderThan3, order)],
    ['rows', 'GET /users/aggregate?groupBy=role', () => many.aggregate((query) => query.groupBy('role'), order)],
    ['affected', `PATCH /users/bulk${filter} {"set":{"age":4}}`, () => many.updateWhere(olderThan3, { age: 4 }, order)],
    ['affected', `DELETE /users/bulk${filter}`, () => many.removeWhere(olderThan3, order)],
    ['counted', `GET /users/count${filter}`, () => many.count(olderThan3, order)],
    ['page', 'GET /users?page=1', () => many.getPage(undefined, order)],
    ['end', 'GET /users?cursor=', () => many.all(undefined, order).next()],
    ['file', `GET /users${filter}&format=csv`, read],
  ];
  for (const [answered, , call] of calls) {
    const [reply, answer] = replies[answered]!;
    told.replies = [reply];
    expect(await call()).toEqual(answer);
  }
  const sent = told.seen.map(({ line, body }) => decodeURIComponent(`${line} ${body}`.trim()));
  expect(sent).toEqual(calls.map(([, line]) => line));
  expect(new Set(told.seen.map(({ headers }) => headers['x-call']))).toEqual(new Set(['c']));
  expect(lines()).toEqual(expect.arrayContaining(['PUT /users/a%2Fb%3Fc', 'PATCH /users%20of/7/b/recover']));
});

test.each(['', '.', '..', undefined, null])('no key %p, which would lead to another route, is sent', async (none) => {
  const key = none as never;
  for (const call of [users().getOne(key), users().remove(key), users().update({ id: key }, {})])
    expect(await failure(call)).toMatchObject({ code: 'CLIENT_INVALID_KEY', status: 0 });
  expect(lines()).toEqual([]);
});

test('requests have headers of the client, made anew for each, and of the call', async () => {
  told.replies = [json(200, [])];
  let token = 0;
  const own = users({ headers: () => Promise.resolve({ authorization: `t${(token += 1)}` }) });
  await own.getMany();
  await own.getMany(undefined, { headers: { 'x-call': 'c' } });
  told.replies = [json(200, {})];
  await own.create({}, undefined, { headers: { authorization: 'other', 'content-type': 'application/a+json' } });
  await users().create({});
  const named = ['authorization', 'x-call', 'content-type'];
  const sent = told.seen.map(({ headers }) => named.map((name) => headers[name]).join());
  expect(sent).toEqual(['t1,,', 't2,c,', 'other,,application/a+json', ',,application/json']);
});

test('pages are read by number from the first one, as the query says, or by cursor until none follows', async () => {
  const page = { data: [{ id: 1 }], count: 1, total: 1, page: 1, pageCount: 1 };
  told.replies = [json(200, page)];
  expect(await users().getPage((query) => query.setLimit(10))).toEqual(page);
  await users().getPage((query) => query.setPage(3));
  await users().getPage((query) => query.setOffset(3));
  await users().getPage((query) => query.cursor());
  expect(await users().getMany((query) => query.setPage(1))).toEqual([{ id: 1 }]);
  told.replies = [json(200, { data: [{ id: 1 }, { id: 2 }], next: 'n' }), json(200, { data: [{ id: 3 }], next: null })];
  const ids: number[] = [];
  for await (const { id } of users().all((query) => query.sortBy(['id', 'ASC']))) ids.push(id);
  expect(ids).toEqual([1, 2, 3]);
  const pages = ['limit=10&page=1', 'page=3', 'offset=3', 'cursor=', 'page=1'];
  const cursors = ['sort=id%2CASC&cursor=', 'sort=id%2CASC&cursor=n'];
  expect(lines()).toEqual([...pages, ...cursors].map((query) => `GET /users?${query}`));
});

const getOne = () => users().getOne(1);
const KNOWN = { code: 'CRUD_INVALID_BODY', field: 'email' };
const REFUSED = { ...KNOWN, message: 'a, b', messages: ['a', 'b'] };
const at = (said: string) => expect.stringMatching(new RegExp(`^GET http://127.0.0.1:\\d+/users${said}`)) as unknown;

const calls = {
  getOne,
  create: () => users().create({}),
  getMany: () => users().getMany(),
  getPage: () => users().getPage(),
  all: () => users().all().next(),
  count: () => users().count(),
  remove: () => users().remove(1),
  export: () => users().export('csv'),
  once: () => users({ retries: 0 }).getMany(),
  quickly: () => users({ timeout: 500 }).getMany(),
};

test.each<[string, Reply, keyof typeof calls, object]>([
  ['a page of a proxy', SIGN_IN, 'getOne', { status: 200, message: at('/1 was not answered by a resource$') }],
  ['nothing', raw(200, ''), 'getOne', { ...INVALID, name: 'CrudError' }],
  ['a list in place of a record', json(200, [{ id: 1 }]), 'getOne', INVALID],
  ['a record in place of a list', json(200, { id: 1 }), 'getMany', INVALID],
  ['a list in place of a page', json(200, []), 'getPage', INVALID],
  ['a page without records', json(200, { data: 1, next: null }), 'all', INVALID],
  ['a number that is a text', json(200, { count: '1' }), 'count', INVALID],
  ['null', json(200, null), 'count', INVALID],
  ['a list without cursors, which is not the end', json(200, []), 'all', INVALID],
  ['a page by number for one by cursor', json(200, { data: [], page: 1 }), 'all', INVALID],
  ['a removal that a proxy answers', SIGN_IN, 'remove', INVALID],
  ['a body that is cut', cut, 'once', { code: 'CLIENT_NETWORK', status: 0 }],
  ['no connection', refused, 'once', { message: at(' failed: TypeError: '), cause: { message: 'fetch failed' } }],
  ['silence', silent, 'quickly', { code: 'CLIENT_TIMEOUT', status: 0, message: at(' took longer than 500 ms$') }],
  ['a refusal that is no JSON', raw(502, '<b>'), 'getMany', { status: 502, message: 'Bad Gateway' }],
  ['a refusal without a text', (response) => void response.writeHead(599, '').end(), 'getOne', { message: '599' }],
  ['a refused file', json(400, { message: 'no' }), 'export', { status: 400, message: 'no' }],
  ['a date to ask again', json(503, {}, { 'retry-after': 'Fri' }), 'create', { retryAfter: undefined }],
  ['refused properties', json(400, { ...KNOWN, message: ['a', 'b'] }), 'create', REFUSED],
])('an answer that no resource gives, or a refusal: %s', async (_, reply, call, error) => {
  expect(await failureOf(reply, calls[call])).toMatchObject(error);
  expect(lines()).toHaveLength(1);
});

test.each<[string, Reply]>([
  ['503', json(503, { code: 'CRUD_UNAVAILABLE' })],
  ['a failure of the network', refused],
])('after %s: idempotent calls are repeated, others are not', async (_, reply) => {
  told.replies = [reply, reply, json(200, [{ id: 1 }])];
  expect([await users().getMany(), lines().length]).toEqual([[{ id: 1 }], 3]);
  told.replies = [reply, json(200, { id: 1 })];
  expect([await users().replace(1, {}), lines().length]).toEqual([{ id: 1 }, 5]);
  for (const call of [() => users().create({}), () => users().update(1, {})])
    expect(await failureOf(reply, call)).toMatchObject({ name: 'CrudError' });
  expect(lines()).toHaveLength(7);
});

test('calls are repeated twice, after waits that double and differ between clients', async () => {
  const wait = jest.spyOn(globalThis, 'setTimeout');
  jest.spyOn(Math, 'random').mockReturnValue(0.25);
  try {
    expect(await failureOf(json(503, {}), () => users().getMany())).toMatchObject({ status: 503 });
    // Between the time limits of the attempts.
    expect(wait.mock.calls.map(([, time]) => time)).toEqual([30_000, 150, 30_000, 300, 30_000]);
  } finally {
    jest.restoreAllMocks();
  }
});

test('creations are repeated if they would change the record that is there', async () => {
  const upserted = users({ onConflict: ['email'] });
  told.replies = [refused, json(200, { id: 1 }), refused, json(200, [{ id: 1 }])];
  expect(await upserted.create({ email: 'a' })).toEqual({ id: 1 });
  expect(await upserted.createMany([{ email: 'a' }])).toEqual([{ id: 1 }]);
  expect(lines()).toEqual(['POST /users', 'POST /users', 'POST /users/bulk', 'POST /users/bulk']);
  expect(await failureOf(refused, () => upserted.removeMany([1]))).toMatchObject({ code: 'CLIENT_NETWORK' });
  expect(lines()).toHaveLength(5);
});

test('Retry-After is waited for, unless it is long', async () => {
  told.replies = [json(503, {}, { 'retry-after': '1' }), json(200, [])];
  const began = performance.now();
  await users().getMany();
  expect(performance.now() - began).toBeGreaterThan(990);
  const later = json(503, {}, { 'retry-after': '31' });
  expect(await failureOf(later, () => users().getMany())).toMatchObject({ status: 503, retryAfter: 31 });
  expect(lines()).toHaveLength(3);
});

test('a removal that was done although no answer came is no error', async () => {
  expect(await failureOf(NOT_FOUND, () => users().remove(1))).toMatchObject({ status: 404 });
  const outcomes: unknown[] = [];
  for (const [reply, call] of [
    [NOT_FOUND, () => users().remove(1)],
    [NOT_FOUND, getOne],
    [json(409, {}), () => users().remove(1)],
  ] as const) {
    told.replies = [refused, reply];
    outcomes.push((await failure(call()))?.status);
  }
  expect(outcomes).toEqual([undefined, 404, 409]);
});

test('an aborted call fails with the reason of its signal, also between two attempts', async () => {
  expect(await failure(users().getMany(undefined, { signal: AbortSignal.abort(LEFT) }))).toBe(LEFT);
  for (const reply of [silent, json(503, {}, { 'retry-after': '30' })]) {
    const controller = new AbortController();
    told.replies = [(response) => (reply(response), setTimeout(() => controller.abort(LEFT), 50))];
    expect(await failure(users().getMany(undefined, controller))).toBe(LEFT);
  }
  expect(lines()).toHaveLength(2);
});

test('a file is aborted while it is read; what was read is no longer', async () => {
  told.replies = [json(200, []), (response) => void response.writeHead(200).write('id')];
  const controller = new AbortController();
  await users().getMany(undefined, controller);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  const file = await users().export('csv', undefined, controller);
  controller.abort();
  await expect(file.text()).rejects.toThrow('aborted');
});

test('a platform whose signals have no reason tells a time limit from a lost network, and an abort', async () => {
  const { AbortController } = globalThis;
  // As React Native has it.
  globalThis.AbortController = class extends AbortController {
    override abort(): void {
      super.abort();
      Object.defineProperty(this.signal, 'reason', { value: undefined });
    }
  };
  try {
    expect(await failureOf(silent, () => users({ timeout: 500 }).getMany())).toMatchObject({ code: 'CLIENT_TIMEOUT' });
    expect(lines()).toHaveLength(1);
    const controller = new globalThis.AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(await failure(users().getMany(undefined, controller))).toMatchObject({ message: 'Aborted' });
  } finally {
    globalThis.AbortController = AbortController;
  }
});
