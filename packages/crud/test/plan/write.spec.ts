/** Bodies → planned columns, links and cascades; what a body may not set, and what it is refused for. */
import { describe, expect, jest, test } from '@jest/globals';
import type { Catalog } from '../../src/plan/catalog.js';
import type { WriteMode, WritePlan } from '../../src/plan/write-plan.js';
import { DEFAULT_VALUE, planWrite } from '../../src/plan/write.js';
import { badges, catalog, column, companies, profiles, relation, users } from './catalogs.js';
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
const MOST = 2n ** 63n - 1n;
/** A refusal for one value, which its message names first. */
const fault = (message: string, code = 'CRUD_INVALID_VALUE') => [code, message.split(' ')[0], [message]];

describe('what a body may set', () => {
  test('columns of the client, and nothing else', () => {
    const unknown = { unknown: 1, constructor: 'x', toString: 'x' };
    const body = { id: 5, email: 'a', createdAt: '2024-01-01', version: 3, ...unknown };
    expect(values(body)).toEqual({ email: 'a' });
    expect(values(body, 'insert')).toEqual({ id: 5, email: 'a' });
    expect(values({ deletedAt: null, createdAt: null, name: 'n' }, 'update', companies)).toEqual({ name: 'n' });
  });

  test('own properties alone', () => {
    expect(values(Object.create({ email: 'a', name: { first: 'x' } }) as object)).toEqual({});
    expect(
      values(JSON.parse('{"__proto__": {"email": "a"}, "name": {"__proto__": {"first": "x"}}}') as object),
    ).toEqual({});
  });

  test('undefined is omitted, null is a value', () => {
    expect(values({ email: undefined, age: null })).toEqual({ age: null });
    expect(values({ id: null, email: 'a' }, 'insert')).toEqual({ email: 'a' });
  });

  test('parts of an embedded object; null for all of it', () => {
    expect(values({ name: { first: 'F' } })).toEqual({ 'name.first': 'F' });
    expect(values({ name: null })).toEqual({ 'name.first': null, 'name.last': null });
    for (const name of ['F', ['F']]) expect(refusal({ name })).toEqual(fault('name must be an object'));
  });

  test('columns that the entity closes to inserts or updates', () => {
    const of = catalog('T', [
      column('id', 'integer', { primary: true }),
      column('a', 'text', { insertable: false }),
      column('b', 'text', { updatable: false }),
      column('c', 'text', { source: 'generated' }),
    ]);
    const body = { id: 1, a: 'a', b: 'b', c: 'c' };
    expect(values(body, 'insert', of)).toEqual({ id: 1, b: 'b' });
    expect(values(body, 'update', of)).toEqual({ a: 'a' });
  });

  test('the expected version', () => {
    const expected = (version: unknown, mode: WriteMode = 'update') =>
      planWrite(users, { version }, mode).expectedVersion;
    expect([expected(3), expected('3')]).toEqual([3, 3]);
    expect([expected(null), expected(3, 'insert')]).toEqual([undefined, undefined]);
    expect(refusal({ version: 'x' })).toEqual(fault('version must be an integer'));
  });
});

test('documents are as deep as their column stores', () => {
  const of = catalog('Doc', [column('doc', 'json', { depth: 2 })]);

  expect(values({ doc: { a: [1] } }, 'insert', of)).toEqual({ doc: { a: [1] } });
  for (const doc of [{ a: [[]] }, [1, { a: 'x', b: {} }]]) expect(() => planWrite(of, { doc }, 'insert')).toThrow();
});

describe('values', () => {
  test.each<[body: object, stored?: object]>([
    [{ age: '5' }, { age: 5 }],
    [{ balance: 10.5 }, { balance: '10.5' }],
    [{ score: 1.5, points: '9007199254740993', isActive: false, role: 'guest', birthDate: '2024-02-29' }],
    [{ tags: ['a', 'b'], settings: { a: [1, { b: null }] } }],
    [{ settings: null }],
    [{ settings: 5 }],
    [{ birthDate: new Date('2024-02-29T00:00:00Z') }, { birthDate: '2024-02-29' }],
    [{ seenAt: '2024-02-29T10:00:00+01:00' }, { seenAt: new Date('2024-02-29T09:00:00Z') }],
    [{ token: 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11' }, { token: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' }],
    [{ email: 5 }, { email: '5' }],
    [{ avatar: { type: 'Buffer', data: [1, 2] } }, { avatar: Buffer.from([1, 2]) }],
  ])('%j', (body, stored = body) => {
    expect(values(body)).toEqual(stored);
  });

  test.each<[body: object, message: string, code?: string]>([
    [{ name: { first: 'a'.repeat(9) } }, 'name.first must be at most 8 characters long', 'CRUD_VALUE_OUT_OF_RANGE'],
    [{ name: { first: '😀'.repeat(9) } }, 'name.first must be at most 8 characters long', 'CRUD_VALUE_OUT_OF_RANGE'],
    [{ email: { a: 1 } }, 'email must be a string'],
    [{ email: ['a'] }, 'email must be a string'],
    [{ email: 'a\ud800' }, 'email must be well-formed Unicode'],
    [{ email: 'a\0' }, 'email must not contain NUL characters'],
    [{ email: null }, 'email must not be null', 'CRUD_NOT_NULL_VIOLATION'],
    [{ isActive: null }, 'isActive must not be null', 'CRUD_NOT_NULL_VIOLATION'],
    [{ age: 2147483648 }, 'age must be between -2147483648 and 2147483647', 'CRUD_VALUE_OUT_OF_RANGE'],
    [{ age: 1.5 }, 'age must be an integer'],
    [{ balance: 1e10 }, 'balance must have at most 10 digits before the decimal point', 'CRUD_VALUE_OUT_OF_RANGE'],
    [{ points: `${MOST + 1n}` }, `points must be between ${-MOST - 1n} and ${MOST}`, 'CRUD_VALUE_OUT_OF_RANGE'],
    [{ birthDate: '2023-02-29' }, 'birthDate must be a date (YYYY-MM-DD)'],
    [{ seenAt: 'x' }, 'seenAt must be a date and time (ISO 8601)'],
    [{ role: 'owner' }, 'role must be one of: admin, member, guest'],
    [{ tags: 'a' }, 'tags must be an array'],
    [{ tags: ['a', {}] }, 'tags has an element that must be a string'],
    [{ settings: { a: ['x\0'] } }, 'settings must not contain NUL characters'],
    [{ settings: ['\udc00'] }, 'settings must be well-formed Unicode'],
    [{ settings: { 'x\0': 1 } }, 'settings must not contain NUL characters'],
    [{ avatar: { type: 'Point', coordinates: [1, 2] } }, 'avatar has a value of the wrong type'],
    [{ avatar: 5 }, 'avatar has a value of the wrong type'],
    [{ avatar: { type: 'Buffer', data: [256] } }, 'avatar has a value of the wrong type'],
  ])('%j is refused: %s', (body, message, code = 'CRUD_INVALID_VALUE') => {
    expect(refusal(body)).toEqual(fault(message, code));
  });

  test('all faults at once, the first one gives code and field; a path goes before', () => {
    const body = { email: null, age: 'x' };
    expect(refusalOf(() => planWrite(users, body, 'insert', { path: 'bulk.3' }))).toMatchObject({
      code: 'CRUD_NOT_NULL_VIOLATION',
      field: 'bulk.3.email',
      message: ['bulk.3.email must not be null', 'bulk.3.age must be an integer'],
    });
  });

  test('values with a transformer are taken as they are', () => {
    const of = catalog('T', [
      column('a', 'decimal', { transformed: true }),
      column('b', 'text', { transformed: true }),
    ]);
    expect(values({ a: { units: 5 }, b: null }, 'update', of)).toEqual({ a: { units: 5 }, b: null });
  });

  test('the stored form of a transformed value must fit the column', () => {
    const toStored = (value: unknown) => {
      if (typeof value === 'object') throw new TypeError('no number');
      return Number(value) * 100;
    };
    const of = catalog('T', [column('a', 'integer', { transformed: true, range: [-100n, 100n], toStored })]);
    expect(values({ a: 1 }, 'update', of)).toEqual({ a: 1 });
    expect(refusal({ a: 'not a number' }, 'update', of)).toEqual(fault('a must be an integer'));
    expect(refusal({ a: 2 }, 'update', of)).toEqual(fault('a must be between -100 and 100', 'CRUD_VALUE_OUT_OF_RANGE'));
    expect(refusal({ a: {} }, 'update', of)).toEqual(fault('a has a value of the wrong type'));
  });

  test('texts are not put through their transformers, objects are', () => {
    const toStored = jest.fn((value: unknown) => (Array.isArray(value) ? value.join() : value));
    const of = catalog('T', [column('a', 'text', { transformed: true, length: 1, toStored })]);
    expect(values({ a: 'abc' }, 'update', of)).toEqual({ a: 'abc' });
    expect(toStored).not.toHaveBeenCalled();
    expect(values({ a: ['b', 'c'] }, 'update', of)).toEqual({ a: ['b', 'c'] });
    expect(refusal({ a: { b: 1 } }, 'update', of)).toEqual(fault('a has a value of the wrong type'));
  });

  test('JSON of any depth does not exhaust the stack', () => {
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
    expect(values({ settings: deep })).toHaveProperty('settings');
  });
});

describe('replacement', () => {
  test('lists what is omitted: default or null; keys, dates and version are left alone', () => {
    const body = { email: 'a', password: 'p', companyId: 1 };
    const empty =
      'name.last secret age balance score tags settings birthDate wakesAt seenAt points token avatar profileId';
    expect(values({ ...body, id: 1, name: { first: 'F' } }, 'replace')).toEqual({
      ...body,
      'name.first': 'F',
      isActive: DEFAULT_VALUE,
      role: DEFAULT_VALUE,
      ...Object.fromEntries(empty.split(' ').map((path) => [path, null])),
    });
  });

  test('what is required must be there, while an insert leaves omissions to the database', () => {
    const message = ['email is required', 'password is required'];
    expect(refusal({ companyId: 1 }, 'replace')).toEqual(['CRUD_NOT_NULL_VIOLATION', 'email', message]);
    expect(values({ email: 'a' }, 'insert')).toEqual({ email: 'a' });
  });

  test('foreign keys without a property too', () => {
    expect(pairs({ code: 'x' }, 'replace').join(' ')).toBe('label, membership, membership,');
  });
});

describe('relations that the record owns', () => {
  test.each<[object, object]>([
    [{ company: { id: 2, name: 'ignored' } }, { companyId: 2 }],
    [{ company: 2 }, { companyId: 2 }],
    [{ company: '2' }, { companyId: 2 }],
    [{ companyId: 3, company: { id: 2 } }, { companyId: 3 }],
    [{ companyId: 3, company: { name: 'x' } }, { companyId: 3 }],
    [{ profile: null }, { profileId: null }],
    [{ profileId: null, profile: { id: 4 } }, { profileId: null }],
  ])('%j', (body, expected) => {
    const plan = planWrite(users, body, 'insert');
    expect([plain(plan), plan.links, plan.cascades]).toEqual([expected, [], []]);
  });

  test.each<[body: object, message: string, code?: string]>([
    [{ company: null }, 'company must not be null', 'CRUD_NOT_NULL_VIOLATION'],
    [{ company: { name: 'x' } }, 'company.id is required'],
    [{ company: { id: 'x' } }, 'company.id must be an integer'],
    [{ company: 'x' }, 'company must be an integer'],
    [{ company: [1] }, 'company must be an object or an id'],
    [{ company: true }, 'company must be an object or an id'],
  ])('%j is refused: %s', (body, message, code = 'CRUD_INVALID_VALUE') => {
    expect(refusal(body)).toEqual(fault(message, code));
  });

  test('composite keys', () => {
    expect(pairs({ membership: { companyId: 1, userId: 2, role: 'x' } }, 'update').join(' ')).toBe(
      'membership,1 membership,2',
    );
    expect(pairs({ membership: null }, 'update').join(' ')).toBe('membership, membership,');
    expect(refusal({ membership: { companyId: 1 } }, 'update', badges)).toEqual(fault('membership.userId is required'));
    expect(refusal({ membership: 1 }, 'update', badges)).toEqual(fault('membership must be an object'));
  });
});

describe('cascades', () => {
  const cascades = (body: object, mode: WriteMode, of: Catalog = users) =>
    planWrite(of, body, mode).cascades.map(({ relation, items }) => [
      relation.path,
      ...items.map(({ key, plan, update }) => ({
        ...(key && { key: plain({ values: key }) }),
        plan: plain(plan),
        ...(update && { update: plain(update) }),
      })),
    ]);

  test('a new one-to-one record; on an update also what to do with the one that is linked', () => {
    expect(cascades({ profile: { bio: 'b' } }, 'insert')).toEqual([['profile', { plan: { bio: 'b' } }]]);
    expect(cascades({ profile: { bio: 'b' } }, 'update')).toEqual([
      ['profile', { plan: { bio: 'b' }, update: { bio: 'b' } }],
    ]);
    expect(values({ email: 'a', password: 'p', companyId: 1, profile: { bio: 'b' } }, 'replace')).not.toHaveProperty(
      'profileId',
    );
  });

  test('one with a key is linked, and updated where it may be linked already', () => {
    expect(cascades({ profile: { id: 4, bio: 'b' } }, 'insert')).toEqual([]);
    expect(cascades({ profile: { id: 4 } }, 'update')).toEqual([]);
    const plan = planWrite(users, { profile: { id: 4, bio: 'b' } }, 'update');
    expect(plain(plan)).toEqual({ profileId: 4 });
    expect(cascades({ profile: { id: 4, bio: 'b' } }, 'update')).toEqual([
      ['profile', { key: { id: 4 }, plan: { bio: 'b' } }],
    ]);
  });

  test('children: new ones are inserted, linked ones updated, and none chooses its parent', () => {
    const inserted = { email: 'a', companyId: 9, company: { id: 9 } };
    expect(cascades({ users: [inserted, { id: 3, email: 'b', companyId: 9 }] }, 'update', companies)).toEqual([
      ['users', { plan: { email: 'a' } }, { key: { id: 3 }, plan: { email: 'b' } }],
    ]);
  });

  test('what does not cascade is ignored', () => {
    const plan = planWrite(companies, { projects: [{ name: 'x' }, { id: 1 }, 5] }, 'update');
    expect([plain(plan), plan.links, plan.cascades]).toEqual([{}, [], []]);
    expect(planWrite(profiles, { user: { id: 1, email: 'x' } }, 'update').cascades).toEqual([]);
  });

  test('faults are named by their path', () => {
    expect(refusal({ profile: { city: 'too long' } })).toEqual(
      fault('profile.city must be at most 5 characters long', 'CRUD_VALUE_OUT_OF_RANGE'),
    );
    expect(refusal({ users: [{}, 5] }, 'update', companies)).toEqual(fault('users.1 must be an object'));
    expect(refusal({ users: {} }, 'update', companies)).toEqual(fault('users must be an array'));
  });

  test('many-to-many: the list of keys, each once', () => {
    const links = (body: object) =>
      planWrite(users, body, 'update').links.map(({ relation, keys }) => [
        relation.path,
        ...keys.map((key) => plain({ values: key })),
      ]);
    expect(links({ projects: [{ id: 1, name: 'ignored' }, 2, '1'] })).toEqual([['projects', { id: 1 }, { id: 2 }]]);
    expect(links({ projects: [] })).toEqual([['projects']]);
    expect(links({})).toEqual([]);
    expect(refusal({ projects: [{ name: 'x' }] })).toEqual(fault('projects.0.id is required'));
    expect(refusal({ projects: null })).toEqual(fault('projects must be an array'));
    expect(refusal({ projects: [null] })).toEqual(fault('projects.0 must be an object or an id'));
  });

  test('a body nested too deep is refused', () => {
    const self: Catalog = catalog(
      'Node',
      [column('id', 'integer', { primary: true, generated: true })],
      [relation('next', 'many-to-one', () => self, { nullable: true, cascadeInsert: true, cascadeUpdate: true })],
    );
    let body: object = {};
    for (let depth = 0; depth < 20_000; depth++) body = { next: body };
    expect(refusal(body, 'insert', self)[0]).toBe('CRUD_INVALID_VALUE');
  });
});
