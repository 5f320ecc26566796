/** Records and classes → what is sent: class-transformer's own results are the measure. */
import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { StreamableFile } from '@nestjs/common';
import { Exclude, Expose, instanceToPlain, Transform, Type } from 'class-transformer';
import { describesEnvelope, isEnvelope, jsonProperty, type JsonRules } from '../../src/serialization/serialize.js';
import { jsonRulesOf, serialize, serializeResponse } from '../../src/serialization/serialize.js';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';

class Company {
  id!: number;
  @Exclude() secret!: string;
}

class User {
  id!: number;
  email!: string;
  @Exclude() password!: string;
  @Exclude({ toClassOnly: true }) token!: string;
  @Exclude({ toPlainOnly: true }) pin!: string;
  @Expose({ groups: ['admin'] }) salary!: number;
  company?: Company;
  @Expose() get label(): string {
    return `${this.email.toUpperCase()}`;
  }
}

class UserResponse {
  id!: number;
  @Exclude() email!: string;
  @Transform(({ value }: { value: number }) => value * 2) salary!: number;
}

class UserPage {
  @Type(() => UserResponse) data!: UserResponse[];
  @Exclude() total!: number;
}

function user(extra: Partial<User> = {}): User {
  return Object.assign(new User(), { id: 1, email: 'a@b.c', password: 'p', token: 't', pin: '1', salary: 10 }, extra);
}

const company = Object.assign(new Company(), { id: 7, secret: 's' });
const page = (data: unknown[]) => ({ data, count: data.length, total: data.length, page: 1, pageCount: 1 });
const definition = (classes: object) => ({ model: User, serialize: classes }) as unknown as ResourceDefinition;

test('a class hides what it excludes, for groups, and never brings back what the entity hides', () => {
  expect(serialize(user(), User)).toEqual({ id: 1, email: 'a@b.c', token: 't', label: 'A@B.C' });
  expect(serialize(user(), User, { groups: ['admin'] })).toMatchObject({ salary: 10 });
  expect(serialize(user(), UserResponse)).toEqual({ id: 1, token: 't', label: 'A@B.C' });
  expect(serialize({ id: 1, email: 'x', salary: 4 }, UserResponse)).toEqual({ id: 1, salary: 8 });
  expect(serialize(user({ company }), UserResponse)).toHaveProperty('company', { id: 7 });
});

test('a transform sees the options of the request, and records are left as they were', () => {
  class Titled {
    @Transform(({ value, options }) => [value, options.groups?.length ?? 0]) title = 'a';
  }

  const record = new Titled();
  expect(serialize([record], Titled, { groups: ['staff'] })).toEqual([{ title: ['a', 1] }]);
  expect([serialize(record, undefined), record.title]).toEqual([{ title: ['a', 0] }, 'a']);
});

test('records are shaped in lists and envelopes; what is no record passes unchanged', () => {
  const [record, shaped] = [user(), instanceToPlain(user())];
  expect(serialize([record, null], User)).toEqual([shaped, null]);
  expect(serialize(page([record]), User)).toEqual(page([shaped]));
  expect(serialize(record, undefined)).toEqual(shaped);
  const [file, plain] = [new StreamableFile(Buffer.from('x')), { a: 1 }];
  for (const value of [undefined, null, 'text', 5, true, file, Buffer.from('y'), file.getStream()])
    for (const target of [User, undefined]) expect(serialize(value, target)).toBe(value);
  expect(serialize(record, false)).toBe(record);
  expect(serialize(plain, undefined)).toBe(plain);
});

test('a getter without setter on the class of the response takes no value', () => {
  class Computing {
    id = 0;
    @Exclude() given = '';
    @Expose() get email(): string {
      return `#${this.id}`;
    }
    @Expose() get name(): string {
      return this.given.toUpperCase();
    }
    set name(name: string) {
      this.given = name;
    }
  }

  expect(serialize({ id: 3, email: 'x', name: 'y' }, Computing)).toEqual({ id: 3, email: '#3', name: 'Y' });
});

test('a getMany class with data shapes the envelope; one without data, and get, shape the records', () => {
  const [records, shaped] = [[{ id: 1, email: 'x', salary: 3 }], [{ id: 1, salary: 6 }]];
  const answer = (value: unknown, options: object) => serializeResponse(value, definition(options), 'getManyBase');
  const enveloped = { getMany: UserPage, get: UserResponse };
  expect(answer(page(records), enveloped)).toEqual({ data: shaped, count: 1, page: 1, pageCount: 1 });
  expect(answer(page(records), { getMany: UserResponse })).toEqual(page(shaped));
  for (const options of [enveloped, { getMany: UserResponse }]) expect(answer(records, options)).toEqual(shaped);
});

test('each route takes its own class, bulk falls back to create, all to the model', () => {
  const [shaped, record] = [definition({ create: UserResponse, delete: false }), user()];
  expect(serializeResponse([record], shaped, 'createManyBase')).toEqual([serialize(record, UserResponse)]);
  expect(serializeResponse(record, shaped, 'deleteOneBase')).toBe(record);
  expect(serializeResponse(record, shaped, 'updateOneBase')).toEqual(instanceToPlain(record));
});

class Uncounted {
  @Exclude() affected!: number;
}

test.each([
  [{ affected: 2 }, true, { affected: 2 }],
  [{ affected: 2 }, false, {}],
  [{ affected: 2, id: 1 }, true, { id: 1 }],
  [null, true, null],
])('a class of records does not shape how many were affected: %j, by condition: %p', (value, byCondition, expected) => {
  const shaped = definition({ update: Uncounted });
  const options = { ...shaped.options, routes: { updateManyBase: { byCondition } } };
  expect(serializeResponse(value, { ...shaped, options }, 'updateManyBase')).toEqual(expected);
});

class Initial {
  data = [];
}

class Untyped {
  data!: User[];
}
Type(() => User)(Untyped.prototype, 'data');

class Plain extends Untyped {}
Type(() => Object)(Plain.prototype, 'data');

class Failing {
  constructor() {
    throw new Error('not without a page');
  }
}

test.each([
  [UserPage, true],
  [Initial, true],
  [Untyped, true],
  [Plain, false],
  [UserResponse, false],
  [Failing, false],
])('%p describes an envelope: %p', (target, expected) => expect(describesEnvelope(target)).toBe(expected));

const numbered = { data: [], total: 0 };
const cursors = { data: [], count: 0, next: null, previous: 'p' };
const changed = (page: object, ...parts: object[]) => parts.map((part) => ({ ...page, ...part }));
const PAGES = [numbered, ...changed(cursors, {}, { next: 'n', previous: null, total: 5 })];
const OTHERS = [null, { data: [] }, { data: [], count: 0, next: null }, Object.assign(new User(), numbered)];
const BROKEN = changed(numbered, { data: {} }, { total: '0' });
const CUT = changed(cursors, { data: {} }, { count: '0' }, { next: 1 }, { other: 1 });

test.each(PAGES)('%j is a page of records', (value) => expect(isEnvelope(value)).toBe(true));

test.each([...OTHERS, ...BROKEN, ...CUT])('%j is no page of records', (value) => expect(isEnvelope(value)).toBe(false));

const like = (prototype: object, decorate: (target: Constructor) => void = () => undefined) => {
  class Like {}
  Object.defineProperties(Like.prototype, Object.getOwnPropertyDescriptors(prototype));
  decorate(Like);
  return Like;
};
type Constructor = abstract new () => object;
const renaming = like({}, ({ prototype }) => Expose({ name: 'b' })(prototype, 'a'));
const exposing = like({ a: 1 }, (target) => (Exclude()(target), Expose()(target.prototype, 'a')));
const special = 'a property that class-transformer or Nest treats specially';

test.each<[unknown, own: string[], string]>([
  [{}, [], 'records without a class'],
  [UserResponse, [], '@Transform()'],
  [renaming, ['a'], 'properties under other names (@Expose({ name }))'],
  [User, ['id'], 'label, which only a record can compute (@Expose())'],
  [exposing, [], 'a, which only a record can compute (@Expose())'],
  [like({}), ['toJSON'], special],
  [like({}), ['__proto__'], special],
  [like({ then: 1 }), [], special],
  [like({ pipe: 1 }), [], special],
  [like({ a: 1 }), ['b', 'a'], 'the accessor a'],
])('of %p, with the properties %j, records are needed: %s', (target, own, reason) =>
  expect(jsonRulesOf(target, new Set(own))).toBe(reason),
);

test('rules of a class: what leaves, in which order, and what it is taken for', () => {
  const own = new Set(['id', 'secret', 'born']);
  const rulesOf = (target: unknown) => {
    const rules = jsonRulesOf(target, own) as JsonRules;
    return [[...own, 'other'].filter((property) => rules.leaves(property)), rules.order, rules.typeOf('born')];
  };
  expect(rulesOf(Company)).toEqual([['id', 'born', 'other'], undefined, undefined]);
  const exposing = like({ toJSON: 1 }, (target) => {
    Exclude()(target);
    for (const name of ['other', 'born']) Expose()(target.prototype, name);
    Type(() => Date)(target.prototype, 'born');
  });
  expect(rulesOf(exposing)).toEqual([['born', 'other'], ['other', 'born'], Date]);
});

test.each([
  [undefined, undefined],
  [null, 'null'],
  [{ id: 7, secret: 's' }, '{"id":7,"secret":"s"}'],
  [company, '{"id":7}'],
])('the text of a property whose value is %p: %s', (value, text) => {
  for (const name of ['a', 'a"b']) expect(jsonProperty(name, value)).toBe(text);
});
