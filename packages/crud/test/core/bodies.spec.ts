/** Bodies without HTTP: copying, scoping and validating as pure steps, with whatever JSON can say; what path, `persist` and relations write into them, and how their rules refuse them. */
import { describe, expect, test } from '@jest/globals';
import { BadRequestException, type HttpException, type Type as Class } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsBoolean, IsDate, IsInt, IsNotEmpty, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { bareDefinition } from '../../src/definition/resource-definition.js';
import type { ConditionForm } from '../../src/definition/route-behaviour.js';
import { bodyScope, type BodyScopeSource } from '../../src/plan/body-scope.js';
import type { BaseRouteName } from '../../src/routes/route-table.js';
import { toInstance, toPlainBody } from '../../src/validation/body-instance.js';
import { BodyReader } from '../../src/validation/body-reader.js';
import type { BodyRules } from '../../src/validation/body-rules.js';
import { copyBody } from '../../src/validation/plain-body.js';
import { catalog, column, relation } from '../plan/catalogs.js';
import { ID } from '../request/definitions.js';
import { CREATE, CREATED_AT, KEY, Named, outcome, rulesOf, rulesOfRoute, STRICT, UPDATE } from './rules-of.js';

class City {
  @IsString({ always: true }) name = 'nowhere';
}

class Person {
  @IsOptional({ always: true }) @IsString({ always: true }) name?: string;
  @IsOptional({ always: true }) @ValidateNested({ always: true }) @Type(() => City) city?: City;
  @IsOptional({ always: true }) @Type(() => City) @ValidateNested({ always: true, each: true }) cities?: City[];
  @Exclude() secret?: unknown;
  @IsOptional({ always: true }) @Type(() => Date) born?: Date;
  born2 = new Date();
  token = Math.random();
}

class Profile {
  @IsString({ always: true }) @MaxLength(5, { always: true }) city!: string;
  @IsOptional({ always: true }) @IsString({ always: true }) bio? = 'none';
}

class User {
  @IsOptional({ always: true }) id?: number;
  @IsOptional({ groups: [UPDATE] }) @IsNotEmpty({ groups: [CREATE] }) @IsString({ always: true }) name!: string;
  @Exclude() @IsOptional({ groups: [UPDATE] }) @IsString({ always: true }) password?: string;
  @IsOptional({ always: true }) @IsString({ always: true }) role? = 'guest';
  @IsOptional({ always: true }) @ValidateNested({ always: true }) @Type(() => Profile) profile?: Profile;
  @IsOptional({ groups: [UPDATE] }) @IsInt({ always: true }) companyId!: number;
  @IsOptional({ always: true }) company?: object;
}

const [companyId, company] = [column('companyId', 'integer'), catalog('Company', [KEY])];
const texts = ['name', 'password', 'role'].map((name) => column(name, 'text'));
const fixed = column('fixed', 'text', { updatable: false });
const references = () => [{ column: companyId, references: KEY }];
const toCompany = relation('company', 'many-to-one', () => company, { references });
const users = catalog('User', [KEY, ...texts, companyId, CREATED_AT, fixed], [toCompany]);

const BEA = { name: 'Bea', password: 'x' };
class OfCompany extends Named {
  @IsOptional() company?: unknown;
}

const [ADA, OF_BEA] = [{ name: 'Ada' }, { ...BEA, role: 'guest' }];
const path = [['companyId', 1]] as const;
const strict = rulesOf(Named, { validation: STRICT });
const named = (id: number) => ({ company: { id, name: 'x' } });
const persist = { 'company.id': 7 };
const STRANGER = 'property companyId should not exist';
const withReserved = (rules: BodyRules) => ({ ...rules, reserved: { field: 'id', words: new Set(['count']) } });
const COUNT = 'id must not be Count, which is the path of another route';
const linked = (company: unknown) => ({ ...ADA, company });
const changed = rulesOf(User, { isModel: true, group: UPDATE, mode: 'update' });
const made = rulesOf(User, { isModel: true, group: CREATE });
const replaced = rulesOf(Named, { mode: 'replace' });
const unvalidated = rulesOf(Named, { validation: false });
const whitelisted = rulesOf(Named, { validation: { whitelist: true } });
const [link, both] = [{ company: { id: 4 } }, { company: { id: 4 }, companyId: 6 }];
const ofCompany = rulesOf(OfCompany, { validation: STRICT });

describe('a body', () => {
  test.each<[what: string, rules: BodyRules, body: object, read: unknown, source?: Partial<BodyScopeSource>]>([
    ['is an object', changed, [1], ['The body must be an object']],
    ['is no instance, whatever parsed it', unvalidated, Object.assign(new Named(), ADA), ADA],
    ['lacks what a class in dto hides', rulesOf(User, { isDto: true }), BEA, { name: 'Bea', role: 'guest' }],
    ['is asked about what answers hide', changed, { password: 5 }, ['password must be a string']],
    ['lacks columns that nobody can set', changed, { createdAt: {}, fixed: {}, id: 1 }, { id: 1 }],
    ['has columns of new records alone', rulesOf(Named), { ...ADA, createdAt: {}, fixed: 'x' }, { ...ADA, fixed: 'x' }],
    ['may lack what the path adds', strict, ADA, { ...ADA, companyId: 1 }, { path }],
    ['may repeat what the path says', strict, { ...ADA, companyId: '1' }, { ...ADA, companyId: 1 }, { path }],
    ['may repeat a number of the path', strict, { ...ADA, companyId: 1 }, { ...ADA, companyId: 1 }, { path }],
    ['may not contradict the path', strict, { ...ADA, companyId: 2 }, [STRANGER], { path }],
    ['has the key of a relation', made, { ...BEA, ...link }, { ...OF_BEA, ...link, companyId: 4 }],
    ['has the key that a relation is', made, { ...BEA, company: 5 }, { ...OF_BEA, company: 5, companyId: 5 }],
    ['has no key of a list in the place of a record', changed, { company: [1] }, { company: [1] }],
    ['has a foreign key of its own', changed, both, both],
    ['keeps what is sent beside a persisted key', changed, named(3), { ...named(7), companyId: 7 }, { persist }],
    ['has no null for the key of no relation', changed, { company: null }, { company: null }],
    ['has no 0 for a key to be counted', made, { ...BEA, id: 0, companyId: 1 }, { ...OF_BEA, companyId: 1 }],
    ['has no key of a new relation', made, { ...BEA, company: {} }, ['companyId must be an integer number']],
    ['may link without a rule of the key', ofCompany, linked({ id: 4 }), linked({ id: 4 })],
    ['has no key that is a path', withReserved(made), { ...BEA, companyId: 1, id: 'Count' }, [COUNT]],
    ['has no new key of a path', withReserved(replaced), BEA, COUNT.replace('C', 'c'), { path: [['id', 'count']] }],
    ['has no key of a relation that is dropped', whitelisted, linked({ id: 4 }), ADA],
  ])('%s', async (...[, rules, body, read, source]) =>
    expect(await outcome(rules, body, bodyScope({ path: [], ...source }, users))).toStrictEqual(read),
  );

  test('is refused with texts that begin with the whole path, whatever a rule says first', async () => {
    class Tag {
      @IsString({ always: true, each: true, message: 'name the labels' }) labels!: string[];
      @IsInt({ always: true, each: true }) weights!: number[];
    }

    class Post {
      @IsString({ message: 'title, please' }) title!: string;
      @IsOptional() @ValidateNested() @Type(() => Tag) tags?: Tag[];
    }

    const rules = rulesOf(Post, { validation: STRICT });
    const tags = [{ labels: [], weights: [1] }, { labels: [1], weights: ['a'], extra: 1, '<b>': 1 }, 'tag'];
    expect(((await outcome(rules, { tags })) as string[]).toSorted()).toEqual([
      'tags.1 property should not exist',
      'tags.1.extra should not exist',
      'tags.1.labels name the labels',
      'tags.1.weights each value must be an integer number',
      'tags.2 must be either object or array',
      'title, please',
    ]);
    expect(await outcome({ ...rules, bulk: true }, { bulk: [{ title: 'a' }, { extra: 1 }] })).toEqual([
      'bulk.1.extra should not exist',
      'bulk.1.title title, please',
    ]);
  });
});

const converting = { transformOptions: { enableImplicitConversion: true } };
const whitelisting = { ...converting, whitelist: true };

test('a body is read by its columns before anything is converted', async () => {
  class Part {
    @IsBoolean() done!: boolean;
  }
  class Task {
    @IsBoolean() @Transform(({ value }: { value: unknown }) => value ?? false) done!: boolean;
    @IsInt() age!: number;
    @IsDate() day!: Date;
    @ValidateNested() @Type(() => Part) part!: Part;
    @IsOptional() coded?: unknown;
  }

  const booleans = [column('done', 'boolean'), column('part.done', 'boolean')];
  const others = [column('age', 'integer'), column('day', 'date'), column('name', 'text')];
  const coded = column('coded', 'boolean', { transformed: true });
  const scope = { values: [], catalog: catalog('Task', [...booleans, ...others, coded]) };
  const body = { done: null, age: '5', day: '2026-02-31', part: { done: 'false' }, coded: 'false' };
  const kept = { ...body, done: false, age: 5, part: { done: false } };
  const whitelisted = rulesOf(Task, { validation: whitelisting });
  for (const done of [null, undefined])
    expect(await outcome(whitelisted, { ...body, done, name: 'x' }, scope)).toStrictEqual(kept);
  const bulk = rulesOf(Task, { validation: converting, bulk: true });
  expect(await outcome(bulk, { bulk: [body] }, scope)).toEqual({ bulk: [kept] });
  const wrong = { bulk: [{ ...body, age: 'x' }] };
  expect(await outcome(bulk, wrong, scope)).toEqual(['bulk.0.age must be an integer number']);
});

describe('a body of many records', () => {
  class Setting {
    @IsOptional() set?: unknown;
  }

  const [id, teamId] = [column('id', 'integer', { primary: true }), column('teamId', 'integer')];
  const revision = column('revision', 'integer', { source: 'version' });
  const references = () => [{ column: teamId, references: id }];
  const teams = catalog('Team', [id]);
  const toTeam = relation('team', 'many-to-one', () => teams, { references });
  const toTags = relation('tags', 'many-to-many', () => teams);
  const toOwn = relation('of', 'one-to-one', () => teams, { references: () => [{ column: id, references: id }] });
  const tasks = catalog('Task', [id, revision, teamId, column('done', 'boolean')], [toTeam, toTags, toOwn]);
  const [scope, byCondition] = [{ values: [], catalog: tasks }, { byCondition: true }];
  const versioned = { ...byCondition, requireMatch: true };
  const CONDITION = 'A condition that excludes some records is required';
  const NOTHING = 'Empty data. Nothing to save.';
  const NO_LIST = ['bulk must be a list of records: {"bulk": [{…}]}'];
  const [TWO, MANY] = [{ bulk: [{ id: 1 }, { id: 2 }] }, { bulk: Array(1001).fill({ id: 1 }) }];
  const [VERSIONED, byVersion] = [{ bulk: [{ id: 1, revision: 3 }] }, { requireMatch: true }];
  const NO_VERSION = ['bulk.0.revision is required: the version that the change is based on'];

  test.each<['update' | 'delete', options: object, ConditionForm, body: object, read: unknown]>([
    ['update', {}, 'none', {}, NOTHING],
    ['update', {}, 'none', { bulk: {} }, NO_LIST],
    ['update', {}, 'none', { bulk: [{ id: 1 }, 5] }, ['bulk.1 must be an object']],
    ['update', { maxBulk: 2 }, 'none', TWO, TWO],
    ['update', { maxBulk: 1 }, 'none', TWO, ['bulk must have at most 1 items']],
    ['update', { maxBulk: false }, 'none', MANY, MANY],
    ['update', byVersion, 'none', VERSIONED, VERSIONED],
    ['update', byVersion, 'none', TWO, NO_VERSION],
    ['update', byCondition, 'some', TWO, ['bulk must not be sent beside a condition']],
    ['update', byCondition, 'none', { ...TWO, set: {} }, ['set must not be sent beside bulk']],
    ['update', byCondition, 'some', {}, NOTHING],
    ['update', byCondition, 'every', { set: { done: true } }, CONDITION],
    ['update', byCondition, 'every', {}, CONDITION],
    ['update', byCondition, 'none', { set: { done: true } }, CONDITION],
    ['update', {}, 'none', { bulk: [{ id: 1, of: { id: 2 } }] }, { bulk: [{ id: 1, of: { id: 1 } }] }],
    ['update', versioned, 'some', { set: { done: true } }, expect.stringMatching(/^This route requires the version/)],
    ['update', byCondition, 'some', { set: 5 }, ['set must be an object']],
    ['update', byCondition, 'some', { set: { id: 5 } }, ['set.id must not be set: it is part of the key']],
    ['update', byCondition, 'some', { set: { revision: 5 } }, ['set.revision is the version of one record']],
    ['update', byCondition, 'some', { set: { tags: [] } }, [expect.stringMatching(/^set.tags cannot be set by a /)]],
    ['update', byCondition, 'some', { set: { team: {} } }, ['set.team must be a link to a record by its key']],
    ['update', byCondition, 'some', { set: { team: { id: 1 } } }, { set: { team: { id: 1 }, teamId: 1 } }],
    ['delete', byCondition, 'some', {}, { matching: true }],
    ['delete', byCondition, 'none', {}, CONDITION],
    ['delete', {}, 'none', { bulk: [{ id: 1, revision: 3, done: true }] }, { bulk: [{ id: 1 }] }],
    ['delete', byVersion, 'none', { bulk: [{ id: 1, revision: 3, undefined: 2 }] }, VERSIONED],
  ])('to %s, with %j and a condition that fits %s: %j is read as %j', async (...[verb, own, form, body, read]) => {
    const options = { ...bareDefinition().options, params: ID, routes: { [`${verb}ManyBase`]: own } };
    const rules = rulesOfRoute(`${verb}ManyBase`, { model: Setting, options });
    expect(await outcome(rules, body, scope, form)).toEqual(read);
  });

  test('with a class of its own has what a condition sets read by its columns', async () => {
    const rules = rulesOf(Setting, { bulk: true, wholeBulk: true, byCondition: 'set', validation: whitelisting });
    const body = { set: { done: 'false', team: { id: 1 } } };
    expect(await outcome(rules, body, scope, 'some')).toEqual({ set: { done: false, team: { id: 1 }, teamId: 1 } });
    expect(await outcome(rules, body, undefined, 'some')).toEqual(body);
  });
});

describe('any JSON', () => {
  const value = fc.jsonValue();
  const personal = { name: value, city: value, cities: value, secret: value, born: value, token: value };
  const body = fc.oneof(fc.jsonValue({ maxDepth: 6 }), fc.record(personal, { requiredKeys: [] }));

  test('is copied equal, save for keys that reach prototypes', () => {
    const check = (value: unknown) => {
      const text = JSON.stringify(value);
      if (!/"(__proto__|constructor|prototype)"/.test(text)) expect(JSON.stringify(copyBody(value))).toBe(text);
    };
    fc.assert(fc.property(value, check));
    const hostile = JSON.parse('{"a":[{"__proto__":{"x":1},"constructor":1,"b":2}]}') as object;
    expect(copyBody(hostile)).toEqual({ a: [{ b: 2 }] });
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    expect(copyBody(nested(200))).toEqual(nested(200));
    expect(() => copyBody(nested(201))).toThrow(BadRequestException);
  });

  test('is validated or refused as a client error, alone and in bulk', async () => {
    const check = async (value: unknown, bulk: boolean) => {
      const reader = new BodyReader(rulesOf(Person, { isModel: true, mode: 'update', bulk }));
      const reading = reader.read(copyBody(bulk ? { bulk: value } : value));
      const refusal: unknown = await reading.then(() => undefined).catch((error: unknown) => error);
      expect(refusal === undefined || (refusal as HttpException).getStatus() === 400).toBe(true);
    };
    await fc.assert(fc.asyncProperty(fc.oneof(body, fc.array(body)), fc.boolean(), check), { numRuns: 1000 });
  });
});

const inbound = { transformOptions: undefined, partial: true, keepExcluded: true };
const make = (type: Class<unknown>, body: Record<string, unknown>) =>
  toPlainBody(toInstance(type, body, inbound), body);

describe('instances', () => {
  class Computing {
    title?: string;
    @Transform(({ obj }) => Object.assign(new City(), { name: (obj as Computing).title })) @Expose() city?: City;
  }

  class Noted {
    @Transform(({ value }: { value: string }) => value || undefined) note?: string;
    @Exclude({ toPlainOnly: true }) @Transform(({ value }: { value: string }) => `hash of ${value}`) password?: string;
  }

  @Exclude()
  class Closed {
    @Expose() open?: string;
    shut?: string;
    @Exclude({ toPlainOnly: true }) later?: string;
    @Expose({ name: 'full_name' }) name?: string;
  }

  const sent = { city: {}, cities: [{}, { name: 'Ulm' }], secret: { a: 1, valueOf: 2 }, born: '2000-01-01' };
  const [closed, city] = [{ open: 'a', shut: 'b', later: 'd' }, Object.assign(new City(), { name: 'x' })];

  test.each<[what: string, Class<unknown>, body: Record<string, unknown>, made: object]>([
    ['carry only what was sent, whatever initialisers return', Person, sent, { ...sent, born: new Date('2000-01-01') }],
    ['keep what a transform computes from others', Computing, { title: 'x' }, { title: 'x', city }],
    ['lack what a transform leaves out', Noted, { note: '' }, {}],
    ['keep what a transform makes of what answers hide', Noted, { password: 'x' }, { password: 'hash of x' }],
    ['keep what answers hide', Closed, closed, closed],
    ['keep what answers rename', Closed, { full_name: 'a' }, { name: 'a' }],
  ])('%s', (...[, type, body, made]) => expect(make(type, body)).toStrictEqual(made));
});

describe('rules', () => {
  class Model {}
  class Create {}
  class Update {}
  class Replace {}
  const merge = { replaceOneBase: { merge: true } };
  const all = { create: Create, update: Update, replace: Replace };

  const strict = { validation: STRICT, requireMatch: true, byCondition: true, maxBulk: 5, allowGeneratedKey: true };
  const counted = { maxBulk: 5, validation: STRICT, acceptsGeneratedKey: true };
  const matching = { keyedBy: ID, needsVersion: true, byCondition: 'set' };
  const keyed = { bulk: true, maxBulk: 5, validation: STRICT, ...matching };

  test.each<[BaseRouteName, dto: object, expected: unknown[] | undefined, routes?: object, more?: object]>([
    ['createOneBase', {}, [Model, 'CRUD-CREATE', 'insert']],
    ['createManyBase', {}, [Model, 'CRUD-CREATE', 'insert'], {}, { bulk: true }],
    ['updateManyBase', all, [Update, undefined, 'update'], { updateManyBase: strict }, keyed],
    ['createOneBase', all, [Create, undefined, 'insert'], { createOneBase: strict }, counted],
    ['updateOneBase', {}, [Model, 'CRUD-UPDATE', 'update']],
    ['replaceOneBase', {}, [Model, 'CRUD-CREATE', 'replace']],
    ['updateOneBase', all, [Update, undefined, 'update']],
    ['replaceOneBase', { create: Create, update: Update }, [Create, undefined, 'replace']],
    ['replaceOneBase', all, [Replace, undefined, 'replace']],
    ['replaceOneBase', {}, [Model, 'CRUD-UPDATE', 'update'], merge],
    ['replaceOneBase', all, [Replace, undefined, 'update'], merge],
    ['getManyBase', all, undefined],
  ])('of %s with %j', (...[route, dto, expected, routes = {}, more = {}]) => {
    const options = { ...bareDefinition().options, params: ID, routes };
    const found = rulesOfRoute(route, { controller: 'PlainController', model: Model, dto, options });
    const [type, group, mode] = expected ?? [];
    const described = { type, group, mode, isModel: type === Model, isDto: type !== Model };
    const settled = { maxBulk: 1000, keysAlone: false, needsVersion: false };
    expect(found).toEqual(expected && { ...rulesOf(Model), ...described, ...settled, ...more });
  });

  test.each([[Object], [Array], [String], [undefined], [Model]])('do not follow the declared class %p', (declared) =>
    expect(rulesOfRoute('createOneBase', { model: Model, dto: all }, declared).type).toBe(Create),
  );
});
