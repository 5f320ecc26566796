/** Bodies → planned columns, links and cascades; what a body may not set, and what it is refused for. */
import { expect, jest, test } from '@jest/globals';
import type { Catalog } from '../../src/plan/catalog.js';
import type { WriteMode, WritePlan } from '../../src/plan/write-plan.js';
import { DEFAULT_VALUE, planWrite } from '../../src/plan/write.js';
import { badges, catalog, categories, column, companies, profiles, relation, users } from './catalogs.js';
import { refusalOf } from './plans.js';

const plain = ({ values }: Pick<WritePlan, 'values'>) =>
  Object.fromEntries(values.map(({ column: { path }, value }) => [path, value]));
const values = (body: object, mode: WriteMode = 'update', of: Catalog = users) => plain(planWrite(of, body, mode));

/** Foreign keys without a property share a path. */
const pairs = (body: object, mode: WriteMode) =>
  planWrite(badges, body, mode).values.map(({ column: { path }, value }) => [path, value]);
const refusal = (body: object, mode: WriteMode = 'update', of: Catalog = users) => {
  const { code, field, message } = refusalOf(() => planWrite(of, body, mode));
  return [code, field, message];
};

const [INVALID, OUT_OF_RANGE] = ['CRUD_INVALID_VALUE', 'CRUD_VALUE_OUT_OF_RANGE'];

/** A refusal for one value, which its message names first. */
const fault = (message: string, code = INVALID) => [code, message.split(' ')[0], [message]];
const open = catalog('T', [
  column('id', 'integer', { primary: true }),
  column('a', 'text', { insertable: false }),
  column('b', 'text', { updatable: false }),
  column('c', 'text', { source: 'generated' }),
]);

const opaque = catalog('T', [
  column('a', 'decimal', { transformed: true }),
  column('b', 'text', { transformed: true }),
]);

const toStored = (value: unknown) => {
  if (typeof value === 'object') throw new TypeError('no number');
  return Number(value) * 100;
};

const fitting = catalog('T', [column('a', 'integer', { transformed: true, range: [-100n, 100n], toStored })]);
const divided = catalog('T', [column('a', 'array', { elementKind: 'integer', separator: ',' })]);
const rounded = catalog('T', [column('a', 'decimal', { transformed: true, scale: 2, toStored: (a) => a })]);
const unscaled = catalog('T', [column('a', 'decimal')]);
const assumed = catalog('T', [column('a', 'decimal', { assumed: true })]);
const unstored = catalog('T', [column('a', 'integer', { transformed: true, toStored: () => null })]);
const documents = catalog('Doc', [column('doc', 'json', { depth: 2 })]);

/** Updates the profile that is linked, and never makes one. */
const keepers = catalog(
  'Keeper',
  [column('profileId', 'integer', { nullable: true })],
  [relation('profile', 'one-to-one', () => profiles, { cascadeUpdate: true, references: () => profileKey })],
);

const profileKey = [{ column: keepers.columns.get('profileId')!, references: profiles.primary[0]! }];
const ALL = { id: 5, email: 'a', createdAt: '2024-01-01', version: 3, unknown: 1, constructor: 'x', toString: 'x' };

test.each<[string, body: object, stored?: object, mode?: WriteMode, of?: Catalog]>([
  ['columns of the client, and nothing else', ALL, { email: 'a' }],
  ['the key of an insert', ALL, { id: 5, email: 'a' }, 'insert'],
  ['no dates of the store', { deletedAt: null, createdAt: null, name: 'n' }, { name: 'n' }, 'update', companies],
  ['own properties alone', Object.create({ email: 'a', name: { first: 'x' } }) as object, {}],
  ['no prototypes', JSON.parse('{"__proto__":{"email":"a"},"name":{"__proto__":{"first":"x"}}}') as object, {}],
  ['no key of 0, which stands for a new record', { id: 0, email: 'a' }, { email: 'a' }, 'insert'],
  ['a key of 0 that nobody counts', { id: 0, b: 'b' }, undefined, 'insert', open],
  ['null, while undefined is omitted', { email: undefined, age: null }, { age: null }],
  ['no key that is null', { id: null, email: 'a' }, { email: 'a' }, 'insert'],
  ['parts of an embedded object', { name: { first: 'F' } }, { 'name.first': 'F' }],
  ['all of an embedded object', { name: null }, { 'name.first': null, 'name.last': null }],
  ['columns that are open to inserts', { id: 1, a: 'a', b: 'b', c: 'c' }, { id: 1, b: 'b' }, 'insert', open],
  ['columns that are open to updates', { id: 1, a: 'a', b: 'b', c: 'c' }, { a: 'a' }, 'update', open],
  ['documents as deep as their column stores', { doc: { a: [1] } }, undefined, 'insert', documents],
  ['values with a transformer, as they are', { a: { units: 5 }, b: null }, undefined, 'update', opaque],
  ['decimals as they are, where no scale is declared', { a: '1.25' }, undefined, 'update', unscaled],
  ['an assumed decimal of few digits as a number', { a: '1.50' }, { a: 1.5 }, 'update', assumed],
  ['an assumed decimal of many digits as text', { a: '1234567890.1234567' }, undefined, 'update', assumed],
  ['a transformed decimal that is a number, rounded', { a: 1.255 }, { a: 1.26 }, 'update', rounded],
  ['a transformed decimal that is a text, rounded', { a: '1.255' }, { a: '1.26' }, 'update', rounded],
  ['items of a divided list that are no texts', { a: [1, 2] }, undefined, 'update', divided],
  ['a value whose transformer stores null', { a: 1 }, undefined, 'update', unstored],
  ['a transformed value whose stored form fits', { a: 1 }, undefined, 'update', fitting],
  ['no defaults on an insert, whose omissions are for the database', { email: 'a' }, undefined, 'insert'],
])('a body sets %s', (_, body, stored = body, mode, of) => expect(values(body, mode, of)).toEqual(stored));

test.each<[body: object, stored?: object]>([
  [{ balance: 10.5 }, { balance: '10.5' }],
  [{ score: 1.5, points: '9007199254740993', isActive: false, role: 'guest', birthDate: '2024-02-29' }],
  [{ tags: ['a', 'b'], settings: { a: [1, { b: null }] } }],
  [{ name: { first: '😀'.repeat(8) } }, { 'name.first': '😀'.repeat(8) }],
  [{ avatar: { type: 'Buffer', data: [1, 2] } }, { avatar: Buffer.from([1, 2]) }],
])('a body sets values of each kind: %j', (body, stored = body) => expect(values(body)).toEqual(stored));

test.each<[body: object, message: string, code?: string, mode?: WriteMode, of?: Catalog]>([
  [{ name: { first: '😀'.repeat(9) } }, 'name.first must be at most 8 characters long', OUT_OF_RANGE],
  [{ email: { a: 1 } }, 'email must be a string'],
  [{ email: 'a\ud800' }, 'email must be well-formed Unicode'],
  [{ email: 'a\0' }, 'email must not contain NUL characters'],
  [{ email: null }, 'email must not be null', 'CRUD_NOT_NULL_VIOLATION'],
  [{ age: 2147483648 }, 'age must be between -2147483648 and 2147483647', OUT_OF_RANGE],
  [{ balance: 1e10 }, 'balance must have at most 10 digits before the decimal point', OUT_OF_RANGE],
  [{ tags: 'a' }, 'tags must be an array'],
  [{ tags: ['a', {}] }, 'tags has an element that must be a string'],
  [{ settings: { a: ['x\0'] } }, 'settings must not contain NUL characters'],
  [{ settings: { 'x\0': 1 } }, 'settings must not contain NUL characters'],
  [{ avatar: 5 }, 'avatar has a value of the wrong type'],
  [{ company: null }, 'company must not be null', 'CRUD_NOT_NULL_VIOLATION'],
  [{ company: { name: 'x' } }, 'company.id is required'],
  [{ company: { id: 'x' } }, 'company.id must be an integer'],
  [{ company: 'x' }, 'company must be an integer'],
  [{ company: true }, 'company must be an object or an id'],
  [{ name: 'F' }, 'name must be an object'],
  [{ version: 'x' }, 'version must be an integer'],
  [{ a: 'not a number' }, 'a must be an integer', INVALID, 'update', fitting],
  [{ a: 2 }, 'a must be between -100 and 100', OUT_OF_RANGE, 'update', fitting],
  [{ a: {} }, 'a has a value of the wrong type', INVALID, 'update', fitting],
  [{ membership: { companyId: 1 } }, 'membership.userId is required', INVALID, 'update', badges],
  [{ membership: 1 }, 'membership must be an object', INVALID, 'update', badges],
  [{ profile: { city: 'too long' } }, 'profile.city must be at most 5 characters long', OUT_OF_RANGE],
  [{ profile: { bio: 'b' } }, 'profile.id is required', INVALID, 'insert', keepers],
  [{ doc: { a: [[]] } }, 'doc must be nested at most 2 levels deep', OUT_OF_RANGE, 'insert', documents],
  [{ users: [{}, 5] }, 'users.1 must be an object', INVALID, 'update', companies],
  [{ users: {} }, 'users must be an array', INVALID, 'update', companies],
  [{ users: [{ id: 3 }, { id: '3' }] }, 'users names one record twice', 'CRUD_INVALID_BODY', 'update', companies],
  [{ projects: [{ name: 'x' }] }, 'projects.0.id is required'],
  [{ projects: null }, 'projects must be an array'],
  [{ projects: [null] }, 'projects.0 must be an object or an id'],
])('%j is refused: %s', (body, message, code = INVALID, mode, of) =>
  expect(refusal(body, mode, of)).toEqual(fault(message, code)),
);

test('decimals are rounded to the digits of their column, half away from zero', () => {
  const whole = catalog('T', [column('balance', 'decimal', { precision: 2 })]);
  const stored = (of: Catalog, texts: string[]) => texts.map((balance) => values({ balance }, 'update', of)['balance']);
  expect(stored(users, ['1.25', '1.2549', '1.255', '-1.255', '9.995', '0.005', '-0.004', '-0.005'])).toEqual([
    ...['1.25', '1.25', '1.26', '-1.26', '10.00', '0.01', '0.00', '-0.01'],
  ]);
  expect(stored(whole, ['1', '0.4', '0.5', '98.5', '-0.4'])).toEqual(['1', '0', '1', '99', '0']);
  expect(refusal({ balance: '99.5' }, 'update', whole)[0]).toBe(OUT_OF_RANGE);
});

test('the expected version', () => {
  const expected = (version: unknown, mode: WriteMode = 'update') =>
    planWrite(users, { version }, mode).expectedVersion;
  expect([expected(3), expected('3'), expected(null), expected(3, 'insert')]).toEqual([3, 3, undefined, undefined]);
});

test('all faults at once, the first one gives code and field; a path goes before', () => {
  const body = { email: null, age: 'x' };
  expect(refusalOf(() => planWrite(users, body, 'insert', { path: 'bulk.3' }))).toMatchObject({
    code: 'CRUD_NOT_NULL_VIOLATION',
    field: 'bulk.3.email',
    message: ['bulk.3.email must not be null', 'bulk.3.age must be an integer'],
  });
});

test('texts are not put through their transformers, objects are', () => {
  const joined = jest.fn((value: unknown) => (Array.isArray(value) ? value.join() : value));
  const of = catalog('T', [column('a', 'text', { transformed: true, length: 1, toStored: joined })]);
  expect([values({ a: 'abc' }, 'update', of), joined.mock.calls]).toEqual([{ a: 'abc' }, []]);
  expect(values({ a: ['b', 'c'] }, 'update', of)).toEqual({ a: ['b', 'c'] });
  expect(refusal({ a: { b: 1 } }, 'update', of)).toEqual(fault('a has a value of the wrong type'));
});

test('JSON of any depth does not exhaust the stack', () => {
  const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
  expect(values({ settings: deep })).toHaveProperty('settings');
});

const REQUIRED = { email: 'a', password: 'p', companyId: 1 };

test('a replacement lists what is omitted: default or null; keys, dates and version are left alone', () => {
  const empty =
    'name.last secret age balance score tags settings birthDate wakesAt seenAt points token avatar profileId';
  expect(values({ ...REQUIRED, id: 1, name: { first: 'F' } }, 'replace')).toEqual({
    ...REQUIRED,
    'name.first': 'F',
    isActive: DEFAULT_VALUE,
    role: DEFAULT_VALUE,
    ...Object.fromEntries(empty.split(' ').map((path) => [path, null])),
  });
  expect(values({ ...REQUIRED, profile: { bio: 'b' } }, 'replace')).not.toHaveProperty('profileId');
  expect(values({ name: 'x' }, 'replace', categories)).toEqual({ name: 'x', parentId: null });
  const parent = { ...categories.relations.get('parent')!, keptIfOmitted: true as const };
  const tree = { ...categories, relations: new Map([['parent', parent]]) };
  expect(values({ name: 'x' }, 'replace', tree)).toEqual({ name: 'x' });
  // Foreign keys without a property too.
  expect(pairs({ code: 'x' }, 'replace').join(' ')).toBe('label, membership, membership,');
  const missing = ['email is required', 'password is required'];
  expect(refusal({ companyId: 1 }, 'replace')).toEqual(['CRUD_NOT_NULL_VIOLATION', 'email', missing]);
});

test.each<[body: object, mode: WriteMode, of: Catalog, unlinks: unknown[]]>([
  [{ code: 'x' }, 'replace', badges, [['membership', 2]]],
  [{ membership: null }, 'update', badges, [['membership', 2]]],
  [{ profile: null }, 'update', users, [['profile', 1]]],
  [{ profile: null, profileId: 4 }, 'update', keepers, [['profile', 0]]],
  [REQUIRED, 'replace', users, []],
])('%j unlinks what it sets to null or, on a %s, omits', (body, mode, of, unlinks) =>
  expect(planWrite(of, body, mode).unlinks!.map(({ relation, columns }) => [relation.path, columns.length])).toEqual(
    unlinks,
  ),
);

test.each<[object, object]>([
  [{ company: { id: 2, name: 'ignored' } }, { companyId: 2 }],
  [{ company: 2 }, { companyId: 2 }],
  [{ company: '2' }, { companyId: 2 }],
  [{ companyId: 3, company: { id: 2 } }, { companyId: 3 }],
  [{ companyId: 3, company: { name: 'x' } }, { companyId: 3 }],
  [{ profile: null }, { profileId: null }],
  [{ profileId: null, profile: { id: 4 } }, { profileId: null }],
  [{ profile: { id: 4, bio: 'b' } }, { profileId: 4 }],
])('relations that the record owns are columns: %j', (body, expected) => {
  const plan = planWrite(users, body, 'insert');
  expect([plain(plan), plan.links, plan.cascades]).toEqual([expected, [], []]);
});

test('composite keys', () => {
  const whole = { membership: { companyId: 1, userId: 2, role: 'x' } };
  const expected = ['membership,1 membership,2', 'membership, membership,'];
  expect([whole, { membership: null }].map((body) => pairs(body, 'update').join(' '))).toEqual(expected);
});

test.each<[string, body: object, mode: WriteMode, cascades: unknown[], of?: Catalog]>([
  ['a new one-to-one record', { profile: { bio: 'b' } }, 'insert', [['profile', { plan: { bio: 'b' } }]]],
  [
    'also what to do with the one that is linked',
    { profile: { bio: 'b' } },
    'update',
    [['profile', { plan: { bio: 'b' }, update: { bio: 'b' } }]],
  ],
  [
    'the one that is linked, where none may be made',
    { profile: { bio: 'b' } },
    'update',
    [['profile', { plan: { bio: 'b' }, update: { bio: 'b' } }]],
    keepers,
  ],
  ['nothing of one that has a key', { profile: { id: 4, bio: 'b' } }, 'insert', []],
  ['nothing of one that has but a key', { profile: { id: 4 } }, 'update', []],
  [
    'one with a key, where it may be linked already',
    { profile: { id: 4, bio: 'b' } },
    'update',
    [['profile', { key: { id: 4 }, plan: { bio: 'b' } }]],
  ],
  [
    'children, new ones inserted, linked ones updated, of which none chooses its parent',
    {
      users: [
        { email: 'a', companyId: 9, company: { id: 9 } },
        { id: 3, email: 'b', companyId: 9 },
      ],
    },
    'update',
    [['users', { plan: { email: 'a' } }, { key: { id: 3 }, plan: { email: 'b' } }]],
    companies,
  ],
  ['nothing of an empty list on an insert', { users: [] }, 'insert', [], companies],
  ['an empty list, which may unlink children', { users: [] }, 'update', [['users']], companies],
  ['nothing where the relation does not', { user: { id: 1, email: 'x' } }, 'update', [], profiles],
])('a write cascades to %s', (_, body, mode, expected, of = users) => {
  const cascades = planWrite(of, body, mode).cascades.map(({ relation, items }) => [
    relation.path,
    ...items.map(({ key, plan, update }) => ({
      ...(key && { key: plain({ values: key }) }),
      plan: plain(plan),
      ...(update && { update: plain(update) }),
    })),
  ]);
  expect(cascades).toEqual(expected);
});

test('what does not cascade is ignored, a key that cascades is linked', () => {
  const plan = planWrite(companies, { projects: [{ name: 'x' }, { id: 1 }, 5] }, 'update');
  expect([plain(plan), plan.links, plan.cascades]).toEqual([{}, [], []]);
  expect(values({ profile: { id: 4, bio: 'b' } })).toEqual({ profileId: 4 });
});

test('many-to-many: the list of keys, each once', () => {
  const links = (body: object) =>
    planWrite(users, body, 'update').links.map(({ relation, keys }) => [
      relation.path,
      ...keys.map((key) => plain({ values: key })),
    ]);
  expect(links({ projects: [{ id: 1, name: 'ignored' }, 2, '1'] })).toEqual([['projects', { id: 1 }, { id: 2 }]]);
  expect([links({ projects: [] }), links({})]).toEqual([[['projects']], []]);
});

test('a body nested too deep is refused', () => {
  const cascading = { nullable: true, cascadeInsert: true, cascadeUpdate: true };
  const id = column('id', 'integer', { primary: true, generated: true });
  const self: Catalog = catalog('Node', [id], [relation('next', 'many-to-one', () => self, cascading)]);
  let body: object = {};
  for (let depth = 0; depth < 20_000; depth++) body = { next: body };
  expect(refusal(body, 'insert', self)[0]).toBe(INVALID);
});
