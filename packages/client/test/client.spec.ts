/** What a client sends, and what it makes of answers that no resource gives: over HTTP, from a server that is told what to answer. */
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { QueryBuilder } from '@nestwright/crud-request';
import { crudClient, type CrudError } from '../src/index.js';
import type { User } from './entities.js';
import { cut, json, NOT_FOUND, raw, refused, type Reply, SIGN_IN, silent } from './replies.js';

type Seen = { readonly line: string; readonly headers: IncomingMessage['headers']; readonly body: string };
let server: Server;
let baseUrl: string;
let seen: Seen[];
let replies: Reply[];
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString() });
      (replies.length > 1 ? replies.shift()! : replies[0]!)(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  seen = [];
  replies = [json(200, {})];
});

type Ask = NonNullable<Parameters<ReturnType<typeof users>['getMany']>[0]>;
const users = (options: object = {}) => crudClient<User>()('/users', { baseUrl, ...options });
const lines = () => seen.map(({ line }) => line);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: CrudError) => error,
  );

/** What a call fails with that is answered so. */
const failureOf = (reply: Reply, call: () => Promise<unknown>) => {
  replies = [reply];
  return failure(call());
};

const INVALID = { code: 'CLIENT_INVALID_RESPONSE' };
const LEFT = new Error('left the page');
const olderThan3: Ask = (query) => query.setFilter(['age', '$gt', 3]);

test('requests have the paths, methods and bodies of the routes, and the headers of the call', async () => {
  const [one, many, affected] = [json(200, { id: 1 }), json(200, [{ id: 1 }]), json(200, { affected: 2 })];
  const { getOne, aggregate, ...others } = users();
  const order = { headers: { 'x-call': 'c' } };
  const slugs = crudClient<User>()('/users of/7', { baseUrl, key: 'slug' });
  const calls: readonly (readonly [Reply, () => Promise<unknown>, string, answer?: unknown])[] = [
    [one, () => getOne(7, (query) => query.select(['email']).join('company', ['name']), order), 'GET /users/7?fields=email&join=company||name', { id: 1 }], // prettier-ignore
    [one, () => others.create({ email: 'a', age: 3n as never }, undefined, order), 'POST /users {"email":"a","age":"3"}', { id: 1 }], // prettier-ignore
    [one, () => others.update(7, { age: 3 }, undefined, order), 'PATCH /users/7 {"age":3}', { id: 1 }],
    [one, () => others.replace('a/b?c', { email: 'a' }, undefined, order), 'PUT /users/a/b?c {"email":"a"}', { id: 1 }],
    [one, () => others.remove(7n, order), 'DELETE /users/7'],
    [raw(204, ''), () => others.remove({ id: 7 }, order), 'DELETE /users/7'],
    [one, () => others.recover({ id: 7 }, order), 'PATCH /users/7/recover'],
    [one, () => others.removeMany([1, { id: 2 }], order), 'POST /users/bulk/delete {"bulk":[{"id":1},{"id":2}]}'],
    [one, () => others.recoverMany([1], order), 'PATCH /users/bulk/recover {"bulk":[{"id":1}]}'],
    [many, () => others.getMany(olderThan3, order), 'GET /users?filter=age||$gt||3', [{ id: 1 }]],
    [many, () => others.createMany([{ email: 'a' }], undefined, order), 'POST /users/bulk {"bulk":[{"email":"a"}]}', [{ id: 1 }]], // prettier-ignore
    [many, () => others.updateMany([{ id: 1, age: 3 }], undefined, order), 'PATCH /users/bulk {"bulk":[{"id":1,"age":3}]}', [{ id: 1 }]], // prettier-ignore
    [many, () => others.replaceMany([{ id: 1, email: 'a' }], olderThan3, order), 'PUT /users/bulk?filter=age||$gt||3 {"bulk":[{"id":1,"email":"a"}]}', [{ id: 1 }]], // prettier-ignore
    [many, () => aggregate((query) => query.groupBy('role').aggregate(['count', '*']), order), 'GET /users/aggregate?groupBy=role&aggregate=count||*', [{ id: 1 }]], // prettier-ignore
    [affected, () => others.updateWhere(olderThan3, { age: 4 }, order), 'PATCH /users/bulk?filter=age||$gt||3 {"set":{"age":4}}', { affected: 2 }], // prettier-ignore
    [affected, () => others.removeWhere(olderThan3, order), 'DELETE /users/bulk?filter=age||$gt||3', { affected: 2 }],
    [json(200, { count: 2 }), () => others.count(olderThan3, order), 'GET /users/count?filter=age||$gt||3', 2],
    [json(200, { data: [], total: 0 }), () => others.getPage(undefined, order), 'GET /users?page=1', { data: [], total: 0 }], // prettier-ignore
    [json(200, { data: [], next: null }), () => others.all(undefined, order).next(), 'GET /users?cursor=', { done: true }], // prettier-ignore
    [raw(200, 'id'), async () => (await others.export('csv', olderThan3, order)).text(), 'GET /users?filter=age||$gt||3&format=csv', 'id'], // prettier-ignore
    [one, () => slugs.removeMany(['a', { slug: 'b' }], order), 'POST /users of/7/bulk/delete {"bulk":[{"slug":"a"},{"slug":"b"}]}'], // prettier-ignore
    [one, () => slugs.recover({ slug: 'b' }, order), 'PATCH /users of/7/b/recover'],
  ];
  const answers: unknown[] = [];
  for (const [reply, call] of calls) {
    replies = [reply];
    answers.push(await call());
  }
  expect(seen.map(({ line, body }) => decodeURIComponent(`${line} ${body}`.trim()))).toEqual(
    calls.map(([, , line]) => line),
  );
  expect(answers).toEqual(calls.map(([, , , answer]) => answer));
  expect(new Set(seen.map(({ headers }) => headers['x-call']))).toEqual(new Set(['c']));
  expect([lines()[3], lines().at(-1)]).toEqual(['PUT /users/a%2Fb%3Fc', 'PATCH /users%20of/7/b/recover']);
});

test.each(['', '.', '..', undefined, null])('no key %p, which would lead to another route, is sent', async (none) => {
  const key = none as never;
  for (const call of [users().getOne(key), users().remove(key), users().update({ id: key }, {})])
    expect(await failure(call)).toMatchObject({ code: 'CLIENT_INVALID_KEY', status: 0 });
  expect(lines()).toEqual([]);
});

test('requests have headers of the client, made anew for each, and of the call', async () => {
  replies = [json(200, [])];
  let token = 0;
  const own = users({ headers: () => Promise.resolve({ authorization: `t${(token += 1)}` }) });
  await own.getMany();
  await own.getMany(undefined, { headers: { 'x-call': 'c' } });
  replies = [json(200, {})];
  await own.create({}, undefined, { headers: { authorization: 'other', 'content-type': 'application/a+json' } });
  await users().create({});
  expect(seen.map(({ headers }) => [headers.authorization, headers['x-call'], headers['content-type']])).toEqual([
    ['t1', undefined, undefined],
    ['t2', 'c', undefined],
    ['other', undefined, 'application/a+json'],
    [undefined, undefined, 'application/json'],
  ]);
});

test('pages are read by number from the first one, or as the query says', async () => {
  const page = { data: [{ id: 1 }], count: 1, total: 1, page: 1, pageCount: 1 };
  replies = [json(200, page)];
  expect(await users().getPage((query) => query.setLimit(10))).toEqual(page);
  await users().getPage((query) => query.setPage(3));
  await users().getPage((query) => query.setOffset(3));
  await users().getPage((query) => query.cursor());
  expect(await users().getMany((query) => query.setPage(1))).toEqual([{ id: 1 }]);
  const queries = ['limit=10&page=1', 'page=3', 'offset=3', 'cursor=', 'page=1'];
  expect(lines()).toEqual(queries.map((query) => `GET /users?${query}`));
});

test('pages follow each other by cursor, until none follows', async () => {
  replies = [json(200, { data: [{ id: 1 }, { id: 2 }], next: 'n' }), json(200, { data: [{ id: 3 }], next: null })];
  const ids: number[] = [];
  for await (const { id } of users().all((query) => query.sortBy(['id', 'ASC']))) ids.push(id);
  expect(ids).toEqual([1, 2, 3]);
  expect(lines()).toEqual(['GET /users?sort=id%2CASC&cursor=', 'GET /users?sort=id%2CASC&cursor=n']);
});

const getOne = () => users().getOne(1);
const KNOWN = { code: 'CRUD_INVALID_BODY', field: 'email' };

const at = (said: string) => expect.stringMatching(new RegExp(`^GET http://127.0.0.1:\\d+/users${said}`)) as unknown;

test.each<[string, Reply, () => Promise<unknown>, object]>([
  ['a page of a proxy', SIGN_IN, getOne, { ...INVALID, status: 200, message: at('/1 was not answered by a resource$') }], // prettier-ignore
  ['nothing', raw(200, ''), getOne, { ...INVALID, name: 'CrudError' }],
  ['a list in place of a record', json(200, [{ id: 1 }]), getOne, INVALID],
  ['a record in place of a list', json(200, { id: 1 }), () => users().getMany(), INVALID],
  ['a list in place of a page', json(200, []), () => users().getPage(), INVALID],
  ['a page without records', json(200, { data: 1 }), () => users().getPage(), INVALID],
  ['a number that is a text', json(200, { count: '1' }), () => users().count(), INVALID],
  ['null in place of a number', json(200, null), () => users().removeWhere(olderThan3), INVALID],
  ['a text', json(200, 'x'), getOne, INVALID],
  ['null', json(200, null), getOne, INVALID],
  ['a list without cursors, which is not the end', json(200, []), () => users().all().next(), INVALID],
  ['a page by number for one by cursor', json(200, { data: [], page: 1 }), () => users().all().next(), INVALID],
  ['a removal that a proxy answers', SIGN_IN, () => users().remove(1), INVALID],
  ['a body that is cut', cut, () => users({ retries: 0 }).getMany(), { code: 'CLIENT_NETWORK', status: 0 }],
  ['no connection', refused, () => users({ retries: 0 }).getMany(), { message: at(' failed: TypeError: '), cause: { message: 'fetch failed' } }], // prettier-ignore
  ['silence', silent, () => users({ timeout: 50 }).getMany(), { code: 'CLIENT_TIMEOUT', status: 0, message: at(' took longer than 50 ms$') }], // prettier-ignore
  ['a refusal that is no JSON', raw(502, '<b>'), () => users().getMany(), { status: 502, message: 'Bad Gateway' }],
  ['a refusal without a text', (response) => void response.writeHead(599, '').end(), getOne, { status: 599, message: '599' }], // prettier-ignore
  ['a refused file', json(400, { message: 'no' }), () => users().export('csv'), { status: 400, message: 'no' }],
  ['a date to ask again', json(503, {}, { 'retry-after': 'Fri' }), () => users().create({}), { retryAfter: undefined }],
  ['refused properties', json(400, { ...KNOWN, message: ['a', 'b'] }), () => users().create({}), { status: 400, ...KNOWN, message: 'a, b', messages: ['a', 'b'] }], // prettier-ignore
])('an answer that no resource gives, or a refusal: %s', async (_, reply, call, error) => {
  expect(await failureOf(reply, call)).toMatchObject(error);
  expect(lines()).toHaveLength(1);
});

test.each<[string, Reply]>([
  ['503', json(503, { code: 'CRUD_UNAVAILABLE' })],
  ['a failure of the network', refused],
])('after %s: idempotent calls are repeated, others are not', async (_, reply) => {
  replies = [reply, reply, json(200, [{ id: 1 }])];
  expect([await users().getMany(), lines().length]).toEqual([[{ id: 1 }], 3]);
  replies = [reply, json(200, { id: 1 })];
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
  replies = [refused, json(200, { id: 1 }), refused, json(200, [{ id: 1 }])];
  expect(await upserted.create({ email: 'a' })).toEqual({ id: 1 });
  expect(await upserted.createMany([{ email: 'a' }])).toEqual([{ id: 1 }]);
  expect(lines()).toEqual(['POST /users', 'POST /users', 'POST /users/bulk', 'POST /users/bulk']);
  expect(await failureOf(refused, () => upserted.removeMany([1]))).toMatchObject({ code: 'CLIENT_NETWORK' });
  expect(lines()).toHaveLength(5);
});

test('Retry-After is waited for, unless it is long', async () => {
  replies = [json(503, {}, { 'retry-after': '1' }), json(200, [])];
  const began = performance.now();
  await users().getMany();
  expect(performance.now() - began).toBeGreaterThan(990);
  const later = json(503, {}, { 'retry-after': '31' });
  expect(await failureOf(later, () => users().getMany())).toMatchObject({ status: 503, retryAfter: 31 });
  expect(lines()).toHaveLength(3);
});

test('a removal that was done although no answer came is no error', async () => {
  replies = [refused, NOT_FOUND];
  expect(await failure(users().remove(1))).toBe(undefined);
  expect(await failureOf(NOT_FOUND, () => users().remove(1))).toMatchObject({ status: 404 });
  for (const [reply, call, status] of [
    [NOT_FOUND, getOne, 404],
    [json(409, {}), () => users().remove(1), 409],
  ] as const) {
    replies = [refused, reply];
    expect(await failure(call())).toMatchObject({ status });
  }
});

test('an aborted call fails with the reason of its signal, also between two attempts', async () => {
  expect(await failure(users().getMany(undefined, { signal: AbortSignal.abort(LEFT) }))).toBe(LEFT);
  for (const reply of [silent, json(503, {}, { 'retry-after': '30' })]) {
    const controller = new AbortController();
    replies = [(response) => (reply(response), setTimeout(() => controller.abort(LEFT), 50))];
    expect(await failure(users().getMany(undefined, controller))).toBe(LEFT);
  }
  expect(lines()).toHaveLength(2);
});

test('a file is aborted while it is read; what was read is no longer', async () => {
  replies = [json(200, []), (response) => void response.writeHead(200).write('id')];
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
    expect(await failureOf(silent, () => users({ timeout: 50 }).getMany())).toMatchObject({ code: 'CLIENT_TIMEOUT' });
    expect(lines()).toHaveLength(1);
    const controller = new globalThis.AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(await failure(users().getMany(undefined, controller))).toMatchObject({ message: 'Aborted' });
  } finally {
    globalThis.AbortController = AbortController;
  }
});

test('a record that was read sends its tag, or its version if it has no tag', async () => {
  replies = ['a.b', 'c.d'].map((tag) => json(200, { id: 1, version: 3 }, { etag: `"${tag}"` }));
  await users().remove(await users().update(await users().getOne(1), { age: 3 }));
  await users().update({ id: 1, version: 9 } as never, { age: 3 });
  await users().update({ id: 1, version: 'x' } as never, { age: 3 });
  await users().update(await users().getOne(1), {}, undefined, { headers: { 'if-match': '*' } });
  await users().update(1, { age: 3 });
  expect(
    seen
      .slice(1)
      .filter(({ line }) => !line.startsWith('GET'))
      .map(({ headers, body }) => [headers['if-match'], body]),
  ).toEqual([
    ['"a.b"', '{"age":3}'],
    ['"c.d"', ''],
    [undefined, '{"version":9,"age":3}'],
    [undefined, '{"age":3}'],
    ['*', '{}'],
    [undefined, '{"age":3}'],
  ]);
});

test('a record that was read tells on demand what others have changed', async () => {
  replies = [
    json(200, { id: 1, age: 3, role: 'member', company: { id: 1 } }, { etag: '"a.b"' }),
    json(412, { code: 'CRUD_PRECONDITION_FAILED' }),
    json(200, { id: 1, age: 4, role: 'member' }, { etag: '"c.d"' }),
    json(200, { id: 1, age: 5, role: 'member' }, { etag: '"e.f"' }),
  ];
  const read = await users().getOne(1);
  const { current, changed } = await (await failure(users().update(read, { age: 5 })))!.compare!();
  await users().update(current as { id: number }, { age: 5 });
  expect([changed, current]).toEqual([['age'], { id: 1, age: 4, role: 'member' }]);
  expect(seen.map(({ headers }) => headers['if-match'])).toEqual([undefined, '"a.b"', undefined, '"c.d"']);
});

test.each<[code: string, status: number, target: object | number, compares: boolean]>([
  ['CRUD_PRECONDITION_FAILED', 412, { id: 1 }, true],
  ['CRUD_STALE_VERSION', 409, { id: 1 }, true],
  ['CRUD_UNIQUE_VIOLATION', 409, { id: 1 }, false],
  ['CRUD_PRECONDITION_FAILED', 412, 1, false],
])('after %s, %i of %j: whether the error compares is %s', async (code, status, target, compares) => {
  const error = await failureOf(json(status, { code }), () => users().update(target as never, {}));
  expect([error?.code, typeof error?.compare]).toEqual([code, compares ? 'function' : 'undefined']);
});

test('a record that was read is not written again by itself if the network fails: it may have been', async () => {
  replies = [json(200, { id: 1 }, { etag: '"a.b"' }), json(200, { id: 2, version: 3 }), refused];
  const [tagged, versioned] = [await users().getOne(1), await users().getOne(2)];
  for (const read of [tagged, versioned])
    expect(await failure(users().replace(read, {}))).toMatchObject({ code: 'CLIENT_NETWORK' });
  expect(await failure(users().removeWhere(olderThan3))).toMatchObject({ code: 'CLIENT_NETWORK' });
  expect(lines()).toHaveLength(5);
});

test('dates are made of texts by a reviver', async () => {
  replies = [json(200, { id: 1, born: '2000-01-01T00:00:00.000Z' })];
  const reviver = (name: string, value: unknown) => (name === 'born' ? new Date(value as string) : value);
  expect(await users({ reviver }).getOne(1)).toEqual({ id: 1, born: new Date('2000-01-01T00:00:00.000Z') });
});

test('objects for TanStack Query have stable keys below one, and ask the server', async () => {
  const { queries, mutations } = users();
  const list = queries.list((query) => query.select(['email']));
  const keys = [list.queryKey, queries.one(1).queryKey, queries.infinite().queryKey, mutations.create.mutationKey];
  const counts = [queries.count(olderThan3).queryKey, queries.aggregate((query) => query.groupBy('role')).queryKey];
  const names = ['list,?fields=email', 'one,1,', 'infinite,', 'create', 'count,?filter=age||$gt||3', 'aggregate,?groupBy=role']; // prettier-ignore
  expect([...keys, ...counts].map((key) => decodeURIComponent(key.join()))).toEqual(
    names.map((name) => `/users,${name}`),
  );
  expect(list.queryKey).toEqual(['/users', 'list', '?fields=email']);
  replies = [json(200, [{ id: 1 }])];
  expect(await list.queryFn({ signal: new AbortController().signal })).toEqual([{ id: 1 }]);
  replies = [json(200, { id: 1 })];
  await mutations.create.mutationFn({ email: 'a' });
  await mutations.update.mutationFn({ target: 1, changes: { age: 3 } });
  await mutations.replace.mutationFn({ target: 1, body: { email: 'b' } });
  await mutations.remove.mutationFn(1);
  await mutations.removeMany.mutationFn([1, 2]);
  await mutations.recover.mutationFn(1);
  await mutations.recoverMany.mutationFn([1]);
  replies = [json(200, [])];
  for (const name of ['createMany', 'updateMany', 'replaceMany'] as const) await mutations[name].mutationFn([{}]);
  replies = [json(200, { count: 3 })];
  expect(await queries.count().queryFn({})).toBe(3);
  expect(lines().join()).toBe(
    'GET /users?fields=email,POST /users,PATCH /users/1,PUT /users/1,DELETE /users/1,POST /users/bulk/delete,' +
      'PATCH /users/1/recover,PATCH /users/bulk/recover,POST /users/bulk,PATCH /users/bulk,PUT /users/bulk,GET /users/count',
  );
});

test('objects for TanStack Query ask for what they are keyed by, until they are aborted', async () => {
  const { queries } = users();
  const counted = (query: QueryBuilder<User>) => query.aggregate(['count', '*']);
  const asked = [queries.list(olderThan3), queries.one(1, (query) => query.select(['age'])), queries.count(olderThan3), queries.aggregate(counted), queries.infinite(olderThan3)] as const; // prettier-ignore
  const paths = ['?filter=age||$gt||3', '/1?fields=age', '/count?filter=age||$gt||3', '/aggregate?aggregate=count||*', '?filter=age||$gt||3&cursor=']; // prettier-ignore
  replies = [json(404, {})];
  for (const { queryFn } of asked) {
    expect(await failure(queryFn({ pageParam: '' }))).toMatchObject({ status: 404 });
    expect(await failure(queryFn({ pageParam: '', signal: AbortSignal.abort(LEFT) }))).toBe(LEFT);
  }
  expect(lines().map(decodeURIComponent)).toEqual(paths.map((path) => `GET /users${path}`));
});

test('objects for TanStack Query read pages by cursor', async () => {
  const infinite = users().queries.infinite((query) => query.setLimit(1));
  const one = { data: [{ id: 1 }], next: 'n', previous: null };
  replies = [json(200, one), json(200, { data: [], next: null, previous: 'p' })];
  const first = await infinite.queryFn({ pageParam: infinite.initialPageParam });
  const second = await infinite.queryFn({ pageParam: infinite.getNextPageParam(first)! });
  expect(infinite.getNextPageParam(second)).toBe(undefined);
  expect(lines()).toEqual(['GET /users?limit=1&cursor=', 'GET /users?limit=1&cursor=n']);
});
