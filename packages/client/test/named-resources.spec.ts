/** What data providers keep of the records and lists that they have read, and what forms are told of refusals. */
import { expect, test } from '@jest/globals';
import { QueryBuilder } from '@nestwright/crud-request';
import { countPages, CrudError, type CrudErrorDetails, errorsByField, isSame, nameResources } from '../src/index.js';
import { type CrudMeta, readAs, tellErrors } from '../src/index.js';

const resources = () => nameResources({ resources: { settings: { key: 'key' } } });

test('a resource is made once, and its records have an id whatever their key is called', () => {
  const named = resources();
  const [tasks, settings] = [named('tasks'), named('settings')];
  expect([named('tasks') === tasks, tasks.key, settings.key]).toEqual([true, 'id', 'key']);
  expect([tasks.client.queries.key, settings.client.queries.key]).toEqual([['/tasks'], ['/settings']]);
  expect([tasks.identify({ key: 'a' }), settings.keep({ key: 'a' })]).toEqual([{ key: 'a' }, { key: 'a', id: 'a' }]);
});

test('a write is of the record as it was read last, or as the form has it; of any other, it has the key alone', () => {
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

test('of all records, the five hundred that were read last are kept', () => {
  const { keep, target } = resources()('tasks');
  for (let id = 0; id < 500; id += 1) keep({ id });
  keep({ id: 0 });
  keep({ id: 500 });
  expect([0, 1, 2].map((id) => typeof target(id))).toEqual(['object', 'number', 'object']);
});

test('of all lists, the positions of the fifty that were read last are kept', () => {
  const positions = countPages();
  for (let list = 0; list < 50; list += 1) positions(`${list}`).set(2, 'n');
  positions('0');
  positions('50');
  expect(['0', '2', '1'].map((list) => [...positions(list)])).toEqual([
    [[1, ''], [2, 'n']],
    [[1, ''], [2, 'n']],
    [[1, '']],
  ]); // prettier-ignore
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

test('values are the same if their JSON is', () =>
  expect([isSame({ a: [1] }, { a: [1] }), isSame({ a: 1 }, { a: 2 }), isSame(NaN, NaN)]).toEqual([true, false, true]));

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

test('an error has no status and its message alone, if nothing else is said', () => {
  const bare = { status: 0, messages: ['x'], name: 'CrudError' };
  expect([new CrudError('x'), new CrudError('x', { status: undefined })]).toMatchObject([bare, bare]);
});

test('errors of a client are told more, in place; all else of a provider stays', async () => {
  const [refused, other] = [new CrudError('no', { status: 409 }), new Error('other')];
  const provider = { a: () => Promise.reject(refused), b: () => Promise.reject(other), c: (x: number) => x, d: 4 };
  const telling = tellErrors(provider, ({ status }) => ({ statusCode: status }));
  await expect(telling.a()).rejects.toBe(refused);
  await expect(telling.b()).rejects.toBe(other);
  expect([refused, other]).toMatchObject([{ statusCode: 409 }, expect.not.objectContaining({ statusCode: 0 })]);
  expect([other, telling.c(3), telling.d]).toEqual([new Error('other'), 3, 4]);
});
