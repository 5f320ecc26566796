/** Records that a client has read, over HTTP from a server that is told what to answer; what data providers keep of them; objects for TanStack Query. */
import { expect, test } from '@jest/globals';
import { QueryBuilder } from '@nestwright/crud-request';
import type { User } from './entities.js';
import { failure, failureOf, json, lines, olderThan3, refused, tellServer, told, users } from './server.js';
import { countPages, CrudError, type CrudErrorDetails, type CrudMeta, errorsByField } from '../src/index.js';
import { nameResources, readAs, tellErrors } from '../src/index.js';

tellServer();

test('a record that was read sends its tag, or its version if it has no tag', async () => {
  told.replies = ['a.b', 'c.d'].map((tag) => json(200, { id: 1, version: 3 }, { etag: `"${tag}"` }));
  await users().remove(await users().update(await users().getOne(1), { age: 3 }));
  await users().update({ id: 1, version: 9 } as never, { age: 3 });
  await users().update({ id: 1, version: 'x' } as never, { age: 3 });
  await users().update(await users().getOne(1), {}, undefined, { headers: { 'if-match': '*' } });
  await users().update(1, { age: 3 });
  const writes = told.seen.filter(({ line }) => !line.startsWith('GET'));
  expect(writes.map(({ headers, body }) => [headers['if-match'], body])).toEqual([
    ['"a.b"', '{"age":3}'],
    ['"c.d"', ''],
    [undefined, '{"version":9,"age":3}'],
    [undefined, '{"age":3}'],
    ['*', '{}'],
    [undefined, '{"age":3}'],
  ]);
});

test('a record that was read tells on demand what others have changed', async () => {
  told.replies = [
    json(200, { id: 1, age: 3, role: 'member', company: { id: 1 } }, { etag: '"a.b"' }),
    json(412, { code: 'CRUD_PRECONDITION_FAILED' }),
    json(200, { id: 1, age: 4, role: 'member' }, { etag: '"c.d"' }),
    json(200, { id: 1, age: 5, role: 'member' }, { etag: '"e.f"' }),
  ];
  const read = await users().getOne(1);
  const { current, changed } = await (await failure(users().update(read, { age: 5 })))!.compare!();
  await users().update(current as { id: number }, { age: 5 });
  expect([changed, current]).toEqual([['age'], { id: 1, age: 4, role: 'member' }]);
  expect(told.seen.map(({ headers }) => headers['if-match'])).toEqual([undefined, '"a.b"', undefined, '"c.d"']);
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
  told.replies = [json(200, { id: 1 }, { etag: '"a.b"' }), json(200, { id: 2, version: 3 }), refused];
  const [tagged, versioned] = [await users().getOne(1), await users().getOne(2)];
  for (const read of [tagged, versioned])
    expect(await failure(users().replace(read, {}))).toMatchObject({ code: 'CLIENT_NETWORK' });
  expect(await failure(users().removeWhere(olderThan3))).toMatchObject({ code: 'CLIENT_NETWORK' });
  expect(lines()).toHaveLength(5);
});

test('dates are made of texts by a reviver', async () => {
  told.replies = [json(200, { id: 1, born: '2000-01-01T00:00:00.000Z' })];
  const reviver = (name: string, value: unknown) => (name === 'born' ? new Date(value as string) : value);
  expect(await users({ reviver }).getOne(1)).toEqual({ id: 1, born: new Date('2000-01-01T00:00:00.000Z') });
});

test('changes for TanStack Query are the calls', async () => {
  const { mutations } = users();
  expect(mutations.create.mutationKey).toEqual(['/users', 'create']);
  told.replies = [json(200, { id: 1 })];
  await mutations.update.mutationFn({ target: 1, changes: { age: 3 } });
  await mutations.replace.mutationFn({ target: 1, body: { email: 'b' } });
  for (const name of ['remove', 'recover'] as const) await mutations[name].mutationFn(1);
  for (const name of ['removeMany', 'recoverMany'] as const) await mutations[name].mutationFn([1]);
  await mutations.create.mutationFn({ email: 'a' });
  told.replies = [json(200, [])];
  for (const name of ['createMany', 'updateMany', 'replaceMany'] as const) await mutations[name].mutationFn([{}]);
  expect(lines().join()).toBe(
    'PATCH /users/1,PUT /users/1,DELETE /users/1,PATCH /users/1/recover,POST /users/bulk/delete,' +
      'PATCH /users/bulk/recover,POST /users,POST /users/bulk,PATCH /users/bulk,PUT /users/bulk',
  );
});

test('questions for TanStack Query ask for what they are keyed by, below one key, until they are aborted', async () => {
  const { queries } = users();
  const counted = (query: QueryBuilder<User>) => query.aggregate(['count', '*']);
  const asked = [
    ['list', '?filter=age||$gt||3', queries.list(olderThan3)],
    ['one,1', '/1?fields=age', queries.one(1, (query) => query.select(['age']))],
    ['count', '/count?filter=age||$gt||3', queries.count(olderThan3)],
    ['aggregate', '/aggregate?aggregate=count||*', queries.aggregate(counted)],
    ['infinite', '?filter=age||$gt||3&cursor=', queries.infinite(olderThan3)],
  ] as const;
  told.replies = [json(404, {})];
  const left = new Error('left the page');
  for (const [name, path, { queryKey, queryFn }] of asked) {
    const sent = path.slice(path.indexOf('?')).replace('&cursor=', '');
    expect(decodeURIComponent(queryKey.join())).toBe(`/users,${name},${sent}`);
    expect(await failure(queryFn({ pageParam: '' }))).toMatchObject({ status: 404 });
    expect(await failure(queryFn({ pageParam: '', signal: AbortSignal.abort(left) }))).toBe(left);
  }
  expect(lines().map(decodeURIComponent)).toEqual(asked.map(([, path]) => `GET /users${path}`));
});

test('pages for TanStack Query are read by cursor', async () => {
  const infinite = users().queries.infinite((query) => query.setLimit(1));
  const one = { data: [{ id: 1 }], next: 'n', previous: null };
  told.replies = [json(200, one), json(200, { data: [], next: null, previous: 'p' })];
  const first = await infinite.queryFn({ pageParam: infinite.initialPageParam });
  const second = await infinite.queryFn({ pageParam: infinite.getNextPageParam(first)! });
  expect(infinite.getNextPageParam(second)).toBe(undefined);
  expect(lines()).toEqual(['GET /users?limit=1&cursor=', 'GET /users?limit=1&cursor=n']);
});

const resources = () => nameResources({ resources: { settings: { key: 'key' } } });

test('a resource is made once, and its records have an id whatever their key is called', () => {
  const named = resources();
  const [tasks, settings] = [named('tasks'), named('settings')];
  expect([named('tasks') === tasks, tasks.key, settings.key]).toEqual([true, 'id', 'key']);
  expect([tasks.client.queries.key, settings.client.queries.key]).toEqual([['/tasks'], ['/settings']]);
  expect([tasks.identify({ key: 'a' }), settings.keep({ key: 'a' })]).toEqual([{ key: 'a' }, { key: 'a', id: 'a' }]);
});

test('a write has the record as it was read last or as the form has it, else the key alone', () => {
  const { keep, target } = resources()('tasks');
  const reads = Array.from({ length: 5 }, (_, version) => keep({ id: 7, version }) as object);
  const copies = reads.map((read) => ({ ...read }));
  expect([target('7'), target(8)]).toEqual([reads[4], 8]);
  // Of the five reads, four are kept.
  expect(copies.map((copy) => copies.includes(target(7, copy) as never))).toEqual([
    true,
    ...[1, 2, 3, 4].map(() => false),
  ]);
  expect(resources()('settings').target('a', { value: 1 })).toEqual({ value: 1, key: 'a' });
});

test('of all records, the five hundred that were read last are kept, of all lists the positions of fifty', () => {
  const { keep, target } = resources()('tasks');
  for (let id = 0; id < 500; id += 1) keep({ id });
  for (const id of [0, 500]) keep({ id });
  expect([0, 1, 2].map((id) => typeof target(id))).toEqual(['object', 'number', 'object']);
  const positions = countPages();
  for (let list = 0; list < 50; list += 1) positions(`${list}`).set(2, 'n');
  for (const list of ['0', '50']) positions(list);
  expect(['0', '2', '1'].map((list) => [...positions(list)].join(' '))).toEqual(['1, 2,n', '1, 2,n', '1,']);
});

test('what is read may be joined, selected and deleted', () => {
  const print = (meta?: CrudMeta) => {
    const query = new QueryBuilder();
    const joining = Object.assign(query, { join: (...join: unknown[]) => query.setJoin(join as never) });
    expect(readAs(joining as never, meta)).toBe(query);
    return query.query(false);
  };
  expect([print(), print({}), print({ includeDeleted: false })]).toEqual(['', '', '']);
  const all = { join: ['a', 'b.c||d,e'], fields: ['id', 'f'], includeDeleted: true };
  expect(print(all)).toBe('join=a&join=b.c||d,e&includeDeleted=1&fields=id,f');
});

test.each<[status: number, message: string, details: CrudErrorDetails, texts: Record<string, string>]>([
  [400, 'Unknown field', { field: 'title' }, { title: 'Unknown field' }],
  [400, 'bulk.12.title must\nbe', { field: 'title' }, { title: 'must\nbe' }],
  [400, 'a is no', {}, {}],
  [400, 'several', { field: 'x', messages: ['a is no', 'bulk.1.b is no', 'no'] }, { a: 'is no', b: 'is no' }],
  [409, 'email already exists', { code: 'CRUD_UNIQUE_VIOLATION', field: 'email' }, { email: 'already exists' }],
  [409, 'a does not exist', { code: 'CRUD_FOREIGN_KEY_VIOLATION', field: 'a' }, { a: 'does not exist' }],
  [409, 'a is stale', { code: 'CRUD_STALE_VERSION', field: 'a' }, {}],
])('what a form is told of a %i: %j, %j', (status, message, details, texts) =>
  expect(errorsByField(new CrudError(message, { status, ...details }))).toEqual(texts),
);

test('errors of a client are told more, in place; all else of a provider stays', async () => {
  const [refused, other] = [new CrudError('no', { status: 409 }), new Error('other')];
  const bare = { status: 0, messages: ['x'], name: 'CrudError' };
  expect([new CrudError('x'), new CrudError('x', { status: undefined })]).toMatchObject([bare, bare]);
  const provider = { a: () => Promise.reject(refused), b: () => Promise.reject(other), c: (x: number) => x, d: 4 };
  const telling = tellErrors(provider, ({ status }) => ({ statusCode: status }));
  await expect(telling.a()).rejects.toBe(refused);
  await expect(telling.b()).rejects.toBe(other);
  expect([refused, other]).toMatchObject([{ statusCode: 409 }, expect.not.objectContaining({ statusCode: 0 })]);
  expect([other, telling.c(3), telling.d]).toEqual([new Error('other'), 3, 4]);
});
