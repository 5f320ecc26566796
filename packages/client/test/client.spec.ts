/** What a client sends, and what it makes of answers that no resource gives: over HTTP, from a server that is told what to answer. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crudClient, type CrudError } from '../src/index.js';
import type { User } from './entities.js';

type Seen = { readonly line: string; readonly headers: IncomingMessage['headers']; readonly body: string };
type Reply = (response: ServerResponse) => void;
const raw =
  (status: number, body: string, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', connection: 'close', ...headers }).end(body);
const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  raw(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
const cut: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100', connection: 'close' });
  response.write('[{"id": 1');
  setTimeout(() => response.destroy(), 20);
};

const refused: Reply = (response) => void response.destroy();
const silent: Reply = () => undefined;
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

const SIGN_IN = raw(200, '<html>sign in</html>');
const INVALID = { code: 'CLIENT_INVALID_RESPONSE' };
const NOT_FOUND = json(404, { code: 'CRUD_NOT_FOUND' });
const olderThan3: Ask = (query) => query.setFilter(['age', '$gt', 3]);

test('requests have the paths, methods and bodies of the routes', async () => {
  const [one, many, affected] = [json(200, { id: 1 }), json(200, [{ id: 1 }]), json(200, { affected: 2 })];
  const { getOne, aggregate, ...others } = users();
  const calls: readonly (readonly [Reply, () => Promise<unknown>, string])[] = [
    [one, () => getOne(7, (query) => query.select(['email']).join('company', ['name'])), 'GET /users/7?fields=email&join=company||name'], // prettier-ignore
    [one, () => others.create({ email: 'a' }), 'POST /users {"email":"a"}'],
    [one, () => others.update(7, { age: 3 }), 'PATCH /users/7 {"age":3}'],
    [one, () => others.replace('a/b?c', { email: 'a' }), 'PUT /users/a/b?c {"email":"a"}'],
    [one, () => others.remove(7n), 'DELETE /users/7'],
    [one, () => others.recover({ id: 7 }), 'PATCH /users/7/recover'],
    [one, () => others.removeMany([1, { id: 2 }]), 'POST /users/bulk/delete {"bulk":[{"id":1},{"id":2}]}'],
    [one, () => others.recoverMany([1]), 'PATCH /users/bulk/recover {"bulk":[{"id":1}]}'],
    [many, () => others.getMany(olderThan3), 'GET /users?filter=age||$gt||3'],
    [many, () => others.createMany([{ email: 'a' }]), 'POST /users/bulk {"bulk":[{"email":"a"}]}'],
    [many, () => others.updateMany([{ id: 1, age: 3 }]), 'PATCH /users/bulk {"bulk":[{"id":1,"age":3}]}'],
    [many, () => others.replaceMany([{ id: 1, email: 'a' }]), 'PUT /users/bulk {"bulk":[{"id":1,"email":"a"}]}'],
    [many, () => aggregate((query) => query.groupBy('role').aggregate(['count', '*'])), 'GET /users/aggregate?groupBy=role&aggregate=count||*'], // prettier-ignore
    [affected, () => others.updateWhere(olderThan3, { age: 4 }), 'PATCH /users/bulk?filter=age||$gt||3 {"set":{"age":4}}'], // prettier-ignore
    [affected, () => others.removeWhere(olderThan3), 'DELETE /users/bulk?filter=age||$gt||3'],
    [json(200, { count: 2 }), async () => expect(await others.count()).toBe(2), 'GET /users/count'],
    [many, () => crudClient<User>()('/users of/7', { baseUrl }).getMany(), 'GET /users of/7'],
  ];
  for (const [reply, call] of calls) {
    replies = [reply];
    await call();
  }
  expect(seen.map(({ line, body }) => decodeURIComponent(`${line} ${body}`.trim()))).toEqual(
    calls.map(([, , line]) => line),
  );
  expect([lines()[3], lines().at(-1)]).toEqual(['PUT /users/a%2Fb%3Fc', 'GET /users%20of/7']);
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
  expect(seen.map(({ headers }) => [headers.authorization, headers['x-call']])).toEqual([['t1', undefined], ['t2', 'c']]); // prettier-ignore
});

test('pages are read by number from the first one, or as the query says', async () => {
  const page = { data: [{ id: 1 }], count: 1, total: 1, page: 1, pageCount: 1 };
  replies = [json(200, page)];
  expect(await users().getPage((query) => query.setLimit(10))).toEqual(page);
  await users().getPage((query) => query.setPage(3));
  await users().getPage((query) => query.setOffset(3));
  expect(await users().getMany((query) => query.setPage(1))).toEqual([{ id: 1 }]);
  expect(lines()).toEqual(['limit=10&page=1', 'page=3', 'offset=3', 'page=1'].map((query) => `GET /users?${query}`));
});

test('pages follow each other by cursor, until none follows', async () => {
  replies = [json(200, { data: [{ id: 1 }, { id: 2 }], next: 'n' }), json(200, { data: [{ id: 3 }], next: null })];
  const ids: number[] = [];
  for await (const { id } of users().all((query) => query.sortBy(['id', 'ASC']))) ids.push(id);
  expect(ids).toEqual([1, 2, 3]);
  expect(lines()).toEqual(['GET /users?sort=id%2CASC&cursor=', 'GET /users?sort=id%2CASC&cursor=n']);
});

const getOne = () => users().getOne(1);

test.each<[string, Reply, () => Promise<unknown>, object]>([
  ['a page of a proxy', SIGN_IN, getOne, { ...INVALID, status: 200, name: 'CrudError' }],
  ['nothing', raw(200, ''), getOne, INVALID],
  ['a list in place of a record', json(200, [{ id: 1 }]), getOne, INVALID],
  ['a text', json(200, 'x'), getOne, INVALID],
  ['null', json(200, null), getOne, INVALID],
  ['a list without cursors, which is not the end', json(200, []), () => users().all().next(), INVALID],
  ['a page by number for one by cursor', json(200, { data: [], page: 1 }), () => users().all().next(), INVALID],
  ['a removal that a proxy answers', SIGN_IN, () => users().remove(1), INVALID],
  ['a body that is cut', cut, () => users({ retries: 0 }).getMany(), { code: 'CLIENT_NETWORK', status: 0 }],
  ['silence', silent, () => users({ timeout: 50 }).getMany(), { code: 'CLIENT_TIMEOUT', status: 0 }],
  ['a refusal that is no JSON', raw(502, '<b>'), () => users().create({}), { status: 502, message: 'Bad Gateway' }],
])('an answer that no resource gives: %s', async (_, reply, call, error) => {
  expect(await failureOf(reply, call)).toMatchObject(error);
  expect(lines()).toHaveLength(1);
});

test('refusals are one error with code, field and messages', async () => {
  const [known, messages] = [{ code: 'CRUD_INVALID_BODY', field: 'email' }, ['email must be', 'age must be']];
  const error = await failureOf(json(400, { ...known, message: messages }), () => users().create({}));
  expect(error).toMatchObject({ status: 400, ...known, message: 'email must be, age must be', messages });
});

test.each<[string, Reply]>([
  ['503', json(503, { code: 'CRUD_UNAVAILABLE' })],
  ['a failure of the network', refused],
])('after %s: idempotent calls are repeated, others are not', async (_, reply) => {
  replies = [reply, reply, json(200, [{ id: 1 }])];
  expect([await users().getMany(), lines().length]).toEqual([[{ id: 1 }], 3]);
  for (const call of [() => users().create({}), () => users().update(1, {})])
    expect(await failureOf(reply, call)).toMatchObject({ name: 'CrudError' });
  expect(lines()).toHaveLength(5);
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
  const later = json(503, {}, { 'retry-after': '60' });
  expect(await failureOf(later, () => users().getMany())).toMatchObject({ status: 503, retryAfter: 60 });
  expect(lines()).toHaveLength(3);
});

test('a removal that was done although no answer came is no error', async () => {
  replies = [refused, NOT_FOUND];
  expect(await failure(users().remove(1))).toBe(undefined);
  expect(await failureOf(NOT_FOUND, () => users().remove(1))).toMatchObject({ status: 404 });
});

test('an aborted call fails with the reason of its signal, also between two attempts', async () => {
  const reason = new Error('left the page');
  expect(await failure(users().getMany(undefined, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  for (const reply of [silent, json(503, {}, { 'retry-after': '20' })]) {
    replies = [reply];
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    expect(await failure(users().getMany(undefined, controller))).toBe(reason);
  }
  expect(lines()).toHaveLength(2);
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
  await users().update(1, { age: 3 });
  expect(seen.slice(1).map(({ headers, body }) => [headers['if-match'], body])).toEqual([
    ['"a.b"', '{"age":3}'],
    ['"c.d"', ''],
    [undefined, '{"version":9,"age":3}'],
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
  const names = ['list,?fields=email', 'one,1,', 'infinite,', 'create'];
  expect(keys.map((key) => key.join())).toEqual(names.map((name) => `${queries.key[0]},${name}`));
  expect([queries.key[0], queries.list((query) => query.select(['email'])).queryKey]).toEqual([
    '/users',
    list.queryKey,
  ]);
  replies = [json(200, [{ id: 1 }])];
  expect(await list.queryFn({ signal: new AbortController().signal })).toEqual([{ id: 1 }]);
  replies = [json(200, { id: 1 })];
  await mutations.create.mutationFn({ email: 'a' });
  await mutations.update.mutationFn({ target: 1, changes: { age: 3 } });
  await mutations.replace.mutationFn({ target: 1, body: { email: 'b' } });
  await mutations.remove.mutationFn(1);
  await mutations.removeMany.mutationFn([1, 2]);
  replies = [json(200, { count: 3 })];
  expect(await queries.count().queryFn({})).toBe(3);
  expect(lines().join()).toBe(
    'GET /users?fields=email,POST /users,PATCH /users/1,PUT /users/1,DELETE /users/1,POST /users/bulk/delete,GET /users/count',
  );
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
