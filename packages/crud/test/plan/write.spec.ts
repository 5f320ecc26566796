/** Bodies → whole write plans: columns, links and nested records; what a body may not set, and what it is refused for. */
import { expect, jest, test } from '@jest/globals';
import { bodyScope } from '../../src/plan/body-scope.js';
import type { Catalog, ColumnKind } from '../../src/plan/catalog.js';
import type { WriteMode } from '../../src/plan/write-plan.js';
import { planWrite } from '../../src/plan/write.js';
import { badges, catalog, categories, column, companies, memberships, profiles, relation, users } from './catalogs.js';
import { printWrite, refusalOf } from './plans.js';

const printed = (body: object, mode: WriteMode = 'update', of: Catalog = users) =>
  printWrite(planWrite(of, body, mode));
const refusal = (body: object, mode: WriteMode = 'update', of: Catalog = users) => {
  const { code, field, message } = refusalOf(() => planWrite(of, body, mode));
  return [code, field, message];
};

const [INVALID, OUT_OF_RANGE] = ['CRUD_INVALID_VALUE', 'CRUD_VALUE_OUT_OF_RANGE'];

/** A refusal for one value, which its message names first. */
const fault = (message: string, code = INVALID) => [code, message.split(' ')[0], [message]];

const [primary, transformed] = [{ primary: true }, true];
const toStored = (value: unknown) => {
  if (typeof value === 'object') throw new TypeError('no number');
  return Number(value) * 100;
};
const decimals = (more: object) => catalog('T', [column('a', 'decimal', more)]);
const open = catalog('T', [
  ...[column('id', 'integer', primary), column('a', 'text', { insertable: false })],
  ...[column('b', 'text', { updatable: false }), column('c', 'text', { source: 'generated' })],
]);
const fitting = catalog('T', [column('a', 'integer', { transformed, range: [-100n, 100n], toStored })]);
const listOf = (elementKind: ColumnKind) => catalog('T', [column('a', 'array', { elementKind, separator: ',' })]);
const rounded = decimals({ transformed, scale: 2, toStored: (a: unknown) => a });
const assumed = decimals({ assumed: true });
const unstored = catalog('T', [column('a', 'integer', { transformed, toStored: () => null })]);
const documents = catalog('Doc', [column('doc', 'json', { depth: 2 })]);
const cascading = { cascadeInsert: true, cascadeUpdate: true };

/** Updates the profile that is linked, and never makes one; links to others without a key. */
const profileKey = [{ column: column('profileId', 'integer', { nullable: true }), references: profiles.primary[0]! }];
const cityKey = [{ column: column('city', 'text'), references: profiles.columns.get('city')! }];
const keepers = catalog(
  'Keeper',
  [profileKey[0]!.column, cityKey[0]!.column],
  [
    relation('profile', 'one-to-one', () => profiles, { cascadeUpdate: true, references: () => profileKey }),
    relation('seat', 'one-to-one-inverse', () => memberships, cascading),
    relation('ofCity', 'many-to-one', () => profiles, { cascadeUpdate: true, references: () => cityKey }),
  ],
);

const text = column('text', 'text', { nullable: true });

/** An order has lines and kept ones, whose key is the order's and a number, and a note, whose key is the order's. */
const orders: Catalog = catalog(
  'Order',
  [column('id', 'integer', primary)],
  [
    relation('lines', 'one-to-many', () => lines, { inverse: 'order', ...cascading }),
    relation('kept', 'one-to-many', () => lines, { inverse: 'order', cascadeInsert: true }),
    relation('note', 'one-to-one-inverse', () => notes, { inverse: 'order', ...cascading }),
    relation('memo', 'one-to-one-inverse', () => notes, { inverse: 'order', cascadeUpdate: true }),
    relation('tags', 'many-to-many', () => tags, { cascadeInsert: true }),
  ],
);
const orderId = column('orderId', 'integer', primary);
const order = (kind: 'many-to-one' | 'one-to-one') =>
  relation('order', kind, () => orders, { references: () => [{ column: orderId, references: orders.primary[0]! }] });
const lines = catalog('Line', [orderId, column('no', 'integer', primary), text], [order('many-to-one')]);
const notes = catalog('Note', [orderId, text], [order('one-to-one')]);
const counted = column('id', 'integer', { primary: true, generated: true });
const tags = catalog('Tag', [counted, text]);

const ALL = { id: 5, email: 'a', createdAt: '2024-01-01', unknown: 1, constructor: 'x', toString: 'x' };
const OWN = { id: 1, a: 'a', b: 'b', c: 'c' };
const FOREIGN = { email: 'a', companyId: 9, company: { id: 9 } };
const CHILDREN = { users: [FOREIGN, { ...FOREIGN, id: 3 }], projects: [] };
const TAGS = [{ text: 'x' }, { id: 4, text: 'y' }];
const LINES = [{ no: 1, text: 'x' }, ...[9, null, {}].map((of, index) => ({ no: index + 2, orderId: of }))];
const [SEATED, LINE] = ['seat: new {userId=2 role="x"}', 'ownKey no=1 parentKey  {no=1 text="x"}'];
const OF_OTHERS =
  'ownKey no=2 parentKey orderId=9 {no=2} or {}, ' +
  'ownKey no=3 parentKey  {no=3} or {}, ownKey no=4 parentKey  {no=4} or {}';
const profile = { bio: 'b' };

test.each<[string, of: Catalog, body: object, plan?: string, mode?: WriteMode]>([
  ['columns of the client, and nothing else', users, ALL, 'email="a"'],
  ['the key of an insert', users, ALL, 'id=5 email="a"', 'insert'],
  ['no dates of the store', companies, { deletedAt: null, createdAt: null, name: 'n' }, 'name="n"'],
  ['own properties alone', users, Object.create({ email: 'a', name: { first: 'x' } }) as object],
  ['no prototypes', users, JSON.parse('{"__proto__":{"email":"a"},"name":{"__proto__":{"first":"x"}}}') as object],
  ['no key of 0, which stands for a new record', users, { id: 0, email: 'a' }, 'email="a"', 'insert'],
  ['null, while undefined is omitted', users, { email: undefined, age: null }, 'age=null'],
  ['all of an embedded object', users, { name: null }, 'name.first=null name.last=null'],
  ['columns that are open to inserts', open, OWN, 'id=1 b="b"', 'insert'],
  ['columns that are open to updates', open, OWN, 'a="a"'],
  ['the version that it expects', users, { version: '3' }, 'of version 3'],
  ['no version of a new record', users, { version: 3 }, '', 'insert'],
  ['documents as deep as their column stores', documents, { doc: { a: [1] } }, 'doc={"a":[1]}', 'insert'],
  ['an assumed decimal of few digits as a number', assumed, { a: '1.50' }, 'a=1.5'],
  ['an assumed decimal of many digits as text', assumed, { a: '1234567890.1234567' }, 'a="1234567890.1234567"'],
  ['a transformed decimal as a text, rounded', rounded, { a: '1.255' }, 'a="1.26"'],
  ['a transformed decimal as a number, rounded', rounded, { a: 1.255 }, 'a=1.26'],
  ['items of a divided list that are no texts', listOf('integer'), { a: [1, 2] }, 'a=[1,2]'],
  ['a value whose transformer stores null', unstored, { a: 1 }, 'a=1'],
  ['characters of any units', users, { name: { first: '😀'.repeat(8) } }, `name.first="${'😀'.repeat(8)}"`],
  ['bytes', users, { avatar: { type: 'Buffer', data: [1, 2] } }, 'avatar=bytes 0102'],
  ['the key of a record that it owns', users, { company: { id: 2, name: 'ignored' } }, 'companyId=2'],
  ['that key by itself', users, { company: '2' }, 'companyId=2'],
  ['a column whose relation names no record', users, { companyId: 3, company: { name: 'x' } }, 'companyId=3'],
  ['no link', users, { profile: null }, 'profileId=null; unlinks profile (1)'],
  ['a column that is null before its relation', users, { profileId: null, profile: { id: 4 } }, 'profileId=null'],
  ['a column beside a removed link', keepers, { profile: null, profileId: 4 }, 'profileId=4; unlinks profile (0)'],
  ['a key of two columns', badges, { membership: { companyId: 1, userId: 2 } }, 'membership=1 membership=2'],
  ['a new one-to-one record', users, { profile }, 'profile: {bio="b"}', 'insert'],
  ['a new record, as its key is null', users, { profile: { id: null, bio: 'b' } }, 'profile: {bio="b"}', 'insert'],
  ['the link alone in a new record', users, { profile: { id: 4, bio: 'b' } }, 'profileId=4', 'insert'],
  ['what to do with a one-to-one record that is linked', users, { profile }, 'profile: {bio="b"} or {bio="b"}'],
  ['a new one-to-one record, as its key is 0', users, { profile: { id: 0, bio: 'b' } }, 'profile: new {bio="b"}'],
  ['a new record, as a part of its key is 0', keepers, { seat: { companyId: 0, userId: 2, role: 'x' } }, SEATED],
  ['the link alone to a record by what is no key', keepers, { ofCity: { city: 'Rome', bio: 'b' } }, 'city="Rome"'],
  ['changes of a linked record', users, { profile: { id: 4, bio: 'b' } }, 'profileId=4; profile: key id=4 {bio="b"}'],
  ['children, who choose no parent', companies, CHILDREN, 'users: {email="a"}, key id=3 {email="a"}'],
  ['nothing of an empty list on an insert', companies, { users: [] }, '', 'insert'],
  ['an empty list, which may unlink children', companies, { users: [] }, 'users: '],
  ['nothing of an other side without cascades', profiles, { user: { id: 1, email: 'x' } }],
  ['the keys of many, each once', users, { projects: [{ id: 1, name: 'x' }, 2, '1'] }, 'projects -> [id=1][id=2]'],
  ['many by keys or new', orders, { tags: TAGS }, 'tags -> [id=4]; tags: {text="x"}'],
  ['children by the rest of their key', orders, { lines: LINES }, `lines: ${LINE} or {text="x"}, ${OF_OTHERS}`],
  ['children that are not changed', orders, { kept: LINES.slice(0, 1) }, `kept: ${LINE} or {}`],
  ['a child by the key of its parent', orders, { note: { orderId: 9, text: 'x' } }, 'note: key orderId=9 {text="x"}'],
  ['the only child, without a key', orders, { note: { text: 'x' } }, 'note: {text="x"} or {text="x"}'],
  ['nothing of a child that is null or may not be made', orders, { note: null, memo: { text: 'x' } }, '', 'insert'],
])('a body sets %s', (_, of, body, plan = '', mode = 'update') => expect(printed(body, mode, of)).toBe(plan));

test.each<[message: string, of: Catalog, body: object, code?: string, mode?: WriteMode]>([
  ['name.first must be at most 8 characters long', users, { name: { first: '😀'.repeat(9) } }, OUT_OF_RANGE],
  ['email must be a string', users, { email: { a: 1 } }],
  ['email must be well-formed Unicode', users, { email: 'a\ud800' }],
  ['email must not contain NUL characters', users, { email: 'a\0' }],
  ['email must not be null', users, { email: null }, 'CRUD_NOT_NULL_VIOLATION'],
  ['age must be between -2147483648 and 2147483647', users, { age: 2147483648 }, OUT_OF_RANGE],
  ['balance must have at most 10 digits before the decimal point', users, { balance: 1e10 }, OUT_OF_RANGE],
  ['tags has an element that must be a string', users, { tags: ['a', {}] }],
  ['settings must not contain NUL characters', users, { settings: { a: ['x\0'] } }],
  ['settings must not contain NUL characters', users, { settings: { 'x\0': 1 } }],
  ['company must not be null', users, { company: null }, 'CRUD_NOT_NULL_VIOLATION'],
  ['company.id is required', users, { company: { name: 'x' } }],
  ['company must be an integer', users, { company: 'x' }],
  ['company must be an object or an id', users, { company: true }],
  ['name must be an object', users, { name: 'F' }],
  ['a has a value of the wrong type', fitting, { a: {} }],
  ['a must be between -100 and 100', fitting, { a: 2 }, OUT_OF_RANGE],
  ['membership must be an object', badges, { membership: 1 }],
  ['membership.userId is required', badges, { membership: { companyId: 1 } }],
  ['note must be an object', orders, { note: 5 }],
  ['a has an element that must not contain ","', listOf('text'), { a: ['x,y'] }],
  ['company must name a record: 0 is no key', users, { company: { id: 0, name: undefined } }],
  ['profile.city must be at most 5 characters long', users, { profile: { city: 'too long' } }, OUT_OF_RANGE],
  ['doc must be nested at most 2 levels deep', documents, { doc: { a: [[]] } }, OUT_OF_RANGE, 'insert'],
  ['users.1 must be an object', companies, { users: [{}, 5] }],
  ['users names one record twice', companies, { users: [{ id: 3 }, { id: '3' }] }, 'CRUD_INVALID_BODY'],
  ['projects.0.id is required', users, { projects: [{ name: 'x' }] }],
  ['projects must be an array', users, { projects: null }],
  ['projects.0 must be an object or an id', users, { projects: [null] }],
])('a body is refused: %s', (message, of, body, code = INVALID, mode = 'update') =>
  expect(refusal(body, mode, of)).toEqual(fault(message, code)),
);

test('decimals are rounded to the digits of their column, half away from zero', () => {
  const whole = catalog('T', [column('balance', 'decimal', { precision: 2 })]);
  const stored = (of: Catalog, texts: string[]) =>
    texts.map((balance) => JSON.parse(printed({ balance }, 'update', of).replace('balance=', '')) as string);
  expect(stored(users, ['1.25', '1.2549', '1.255', '-1.255', '9.995', '0.005', '-0.004', '-0.005'])).toEqual([
    ...['1.25', '1.25', '1.26', '-1.26', '10.00', '0.01', '0.00', '-0.01'],
  ]);
  expect(stored(whole, ['1', '0.4', '0.5', '98.5', '-0.4'])).toEqual(['1', '0', '1', '99', '0']);
  expect(refusal({ balance: '99.5' }, 'update', whole)[0]).toBe(OUT_OF_RANGE);
});

test('all faults at once, the first one gives code and field; a path goes before', () => {
  const body = { email: null, age: 'x' };
  expect(refusalOf(() => planWrite(users, body, 'insert', { path: 'bulk.3' }))).toMatchObject({
    code: 'CRUD_NOT_NULL_VIOLATION',
    field: 'bulk.3.email',
    message: ['bulk.3.email must not be null', 'bulk.3.age must be an integer'],
  });
});

test('texts and documents are not put through their transformers, objects are', () => {
  const joined = jest.fn((value: unknown) => (Array.isArray(value) ? value.join() : value));
  const more = { transformed, toStored: joined };
  const of = catalog('T', [column('a', 'text', { ...more, length: 1 }), column('doc', 'json', more)]);
  expect([printed({ a: 'abc', doc: {} }, 'update', of), joined.mock.calls]).toEqual(['a="abc" doc={}', []]);
  expect(printed({ a: ['b', 'c'] }, 'update', of)).toBe('a=["b","c"]');
  expect(refusal({ a: { b: 1 } }, 'update', of)).toEqual(fault('a has a value of the wrong type'));
});

test('a plan names the relations that its body carries', () => {
  const { relations } = planWrite(users, { email: 'a', company: 1, profile: null }, 'update');
  expect(relations!.map(({ path }) => path)).toEqual(['company', 'profile']);
});

test('JSON of any depth does not exhaust the stack', () => {
  const settings = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
  expect(planWrite(users, { settings }, 'update').values).toHaveLength(1);
});

const REQUIRED = { email: 'a', password: 'p', companyId: 1 };
const FILLED =
  'email="a" password="p" companyId=1 name.first=null name.last=null secret=null age=null balance=null score=null ' +
  'isActive=default role=default tags=null settings=null birthDate=null wakesAt=null seenAt=null points=null ' +
  'token=null avatar=null';
const parent = { ...categories.relations.get('parent')!, keptIfOmitted: true as const };
const keptTree = { ...categories, relations: new Map([['parent', parent]]) };

test.each<[of: Catalog, body: object, plan: string]>([
  [users, { ...REQUIRED, id: 1, createdAt: '2024-01-01' }, `${FILLED} profileId=null`],
  [users, { ...REQUIRED, profile }, `${FILLED}; profile: {bio="b"} or {bio="b"}`],
  [categories, { name: 'x' }, 'name="x" parentId=null'],
  [keptTree, { name: 'x' }, 'name="x"'],
  // Foreign keys without a property, too; each is unlinked once.
  [badges, { code: 'x' }, 'label=null membership=null membership=null; unlinks membership (2)'],
  [badges, { membership: null }, 'membership=null membership=null label=null; unlinks membership (2)'],
])('a replacement sets what is omitted to its default or null (%#)', (of, body, plan) =>
  expect(printed(body, 'replace', of)).toBe(plan),
);

test('a replacement requires what has neither a default nor null', () => {
  const missing = ['email is required', 'password is required'];
  expect(refusal({ companyId: 1 }, 'replace')).toEqual(['CRUD_NOT_NULL_VIOLATION', 'email', missing]);
});

test('a body nested too deep is refused', () => {
  const self: Catalog = catalog('Node', [counted], [relation('next', 'many-to-one', () => self, cascading)]);
  const nest = (depth: number) => Array.from({ length: depth }).reduce<object>((next) => ({ next }), {});
  expect(printed(nest(16), 'insert', self)).toMatch(/^next: /);
  const deep = [`${Array(17).fill('next').join('.')} is nested too deeply`];
  for (const depth of [17, 20_000]) expect(refusal(nest(depth), 'insert', self)[2]).toEqual(deep);
});

test('a new nested record gets the values of the application; a changed one only along with values of the client', () => {
  const scope = bodyScope({ path: [], related: { users: { email: 'set' } } }, companies);
  const users = [{ email: 'a' }, { age: 5 }, {}, { id: 3, email: 'a' }, { id: 4, age: 5 }];
  const [cascade] = planWrite(companies, { users }, 'update', { scope }).cascades;
  expect(cascade!.items.map(({ plan }) => [printWrite(plan), ...(plan.persisted ?? [])])).toEqual([
    ...[['email="set"', 'email'], ['email="set" age=5', 'email'], ['email="set"', 'email'], ['']],
    ['email="set" age=5', 'email'],
  ]);
});

test('a nested record is not inserted if the application sets a key that the column cannot store', () => {
  const scope = bodyScope({ path: [], related: { users: { id: 'x' } } }, companies);
  const users = [{ email: 'a' }, { id: 3, email: 'b' }];
  const [made, kept] = planWrite(companies, { users }, 'update', { scope }).cascades[0]!.items;
  expect(made!.plan.insertRefusal!()).toMatchObject({ response: { code: 'CRUD_OUT_OF_SCOPE', field: 'users.0' } });
  expect(kept!.plan.insertRefusal).toBeUndefined();
  expect([made, kept].map((item) => [...item!.plan.persistedKey!.values()])).toStrictEqual([[undefined], [undefined]]);
});
