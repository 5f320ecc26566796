/** What handlers get as body: what path, `persist` and relations write into it, validated by group or DTO. */
import { describe, expect, test } from '@jest/globals';
import { CrudAuth, type CrudOptions } from '@nestwright/crud';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsArray, IsInt, IsNotEmpty, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { bodyScope, type BodyScopeSource } from '../../src/plan/body-scope.js';
import type { BodyRules } from '../../src/validation/body-rules.js';
import { catalog, column, relation } from '../plan/catalogs.js';
import { type Api, describeApplications } from '../support/application.js';
import { memoryOf } from '../support/memory.service.js';
import { resource, run } from './resource.js';
import { CREATE, CREATED_AT, KEY, Named, outcome, rulesOf, STRICT, UPDATE } from './rules-of.js';

class Profile {
  @IsString({ always: true }) @MaxLength(5, { always: true }) city!: string;
  @IsOptional({ always: true }) @IsString({ always: true }) bio? = 'none';
}

class User {
  @IsOptional({ always: true }) id?: number;

  @IsOptional({ groups: [UPDATE] })
  @IsNotEmpty({ groups: [CREATE] })
  @IsString({ always: true })
  name!: string;
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

class Users extends memoryOf([{ id: 1, name: 'Ada', companyId: 1 }], users) {}

const serialize = { get: false, create: false, update: false, replace: false, createMany: false } as const;

const serve = (more: Partial<CrudOptions> = {}, path = 'users', ...decorators: ClassDecorator[]): Promise<Api> =>
  run({ providers: [Users] }, resource(Users, { model: { type: User }, serialize, ...more }, path, ...decorators));

/** What the service is sent by a request that is answered with success. */
async function sent(api: Api, write: ReturnType<Api['get']>): Promise<unknown> {
  expect([200, 201]).toContain((await write).status);
  return api.resolve(Users).last.dto;
}

const BEA = { name: 'Bea', password: 'x' };
const post = { isModel: true, group: CREATE };
const patch = { isModel: true, group: UPDATE, mode: 'update' } as const;

describeApplications('bodies', () => {
  test('the model is validated in group CREATE on POST and PUT, in group UPDATE on PATCH', async () => {
    const api = await serve();
    const message = ['name must be a string', 'password must be a string', 'companyId must be an integer number'];
    const refused = { statusCode: 400, error: 'Bad Request', message, code: 'CRUD_INVALID_BODY', field: 'name' };
    expect((await api.post('/users', { name: 7 }).expect(400)).body).toEqual(refused);
    await api.put('/users/1', {}).expect(400);
    await api.patch('/users/1', {}).expect(200);
    await api.patch('/users/1', { name: 7 }).expect(400);
    const bulk = await api.post('/users/bulk', { bulk: [{ ...BEA, companyId: 1 }, { name: 7 }] }).expect(400);
    expect(bulk.body).toEqual({ ...refused, message: message.map((text) => `bulk.1.${text}`), field: 'bulk.1.name' });
  });

  test('text in place of JSON is refused, a missing body is an empty record, a form is a body of texts', async () => {
    const api = await serve();
    const text = (test: ReturnType<Api['get']>) => test.set('content-type', 'text/plain').send('{"name":"Bea"}');

    for (const test of [api.patch('/users/1'), api.post('/users'), api.post('/users/bulk'), api.put('/users/1')])
      expect((await text(test).expect(400)).body).toMatchObject({ statusCode: 400 });
    expect(await sent(api, api.patch('/users/1'))).toEqual({ id: 1 });
    expect(await sent(api, api.patch('/users/1').type('form').send('name=Bea'))).toEqual({ id: 1, name: 'Bea' });
  });

  test('no body breaks anything', async () => {
    const api = await serve();
    for (const text of [
      '{"name":"x","__proto__":{"admin":true}}',
      '{"name":"x","constructor":{"prototype":{"admin":true}}}',
      '{"name":"x","profile":{"city":"Ulm","constructor":"x","toString":1,"__proto__":1}}',
      '{"name":"x","profile":[null,{"city":{}}]}',
      '{"hasOwnProperty":1,"then":1,"toJSON":1}',
      '[1]',
      `{"name":"x","company":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
    ]) {
      expect([200, 400]).toContain((await api.patch('/users/1', text)).status);
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    }
  });

  test('path values satisfy the rules and win, over nested relations too; persist wins over them', async () => {
    const id = { field: 'id', type: 'number', primary: true } as const;
    const params = { companyId: { field: 'companyId', type: 'number' }, id } as const;
    const path = 'companies/:companyId/users';
    const [all, one] = ['/companies/1/users', '/companies/1/users/1'];
    const api = await serve({ params }, path);
    expect(await sent(api, api.post(all, BEA))).toEqual({ ...BEA, companyId: 1, role: 'guest' });
    const change = { companyId: 'abc', company: { id: 2 }, id: 9 };
    expect(await sent(api, api.patch(one, change))).toEqual({ companyId: 1, company: { id: 1 }, id: 1 });

    const overriding = { params, routes: { updateOneBase: { allowParamsOverride: true } } };
    const open = await serve(overriding, path);
    expect(await sent(open, open.patch(one, { name: 'x' }))).toEqual({ name: 'x', companyId: 1, id: 1 });
    const moved = { company: { id: 3 }, companyId: 3, id: 1 };
    expect(await sent(open, open.patch(one, { company: { id: 3 }, id: 9 }))).toEqual(moved);

    const persist = CrudAuth({ persist: async () => ({ companyId: 7, name: 'Persisted' }) });
    const owned = await serve(overriding, path, persist);
    const stored = { password: 'x', companyId: 7, name: 'Persisted', role: 'guest' };
    const adding = owned.post(all, { ...BEA, companyId: 3, company: { id: 3 } });
    expect(await sent(owned, adding)).toEqual({ ...stored, company: { id: 7 } });
    const bulk = owned.post(`${all}/bulk`, { bulk: [{ password: 'x' }, { password: 'y', companyId: 1 }] });
    expect(await sent(owned, bulk)).toEqual({ bulk: [stored, { ...stored, password: 'y' }] });
  });
});

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
const COUNTED = { id: 'count' };
const COUNT = 'id must not be Count, which is the path of another route';
const linked = (company: unknown) => ({ ...ADA, company });
const [changed, made] = [rulesOf(User, patch), rulesOf(User, post)];
const replaced = rulesOf(Named, { mode: 'replace' });
const whitelisted = rulesOf(Named, { validation: { whitelist: true } });
const [link, both] = [{ company: { id: 4 } }, { company: { id: 4 }, companyId: 6 }];
const ofCompany = rulesOf(OfCompany, { validation: STRICT });

describe('a body without HTTP', () => {
  test.each<[what: string, rules: BodyRules, body: object, read: unknown, source?: Partial<BodyScopeSource>]>([
    ['is an object', changed, [1], ['The body must be an object']],
    ['has no initialiser in a change', changed, { profile: { city: 'Ulm' } }, { profile: { city: 'Ulm' } }],
    ['keeps what answers hide', changed, { password: 'x' }, { password: 'x' }],
    ['is asked about what answers hide', changed, { password: 5 }, ['password must be a string']],
    ['lacks columns that nobody can set', changed, { createdAt: {}, fixed: {}, id: 1 }, { id: 1 }],
    ['has columns of new records alone', rulesOf(Named), { ...ADA, createdAt: {}, fixed: 'x' }, { ...ADA, fixed: 'x' }],
    ['may lack what the path adds', strict, ADA, { ...ADA, companyId: 1 }, { path }],
    ['may repeat what the path says', strict, { ...ADA, companyId: '1' }, { ...ADA, companyId: 1 }, { path }],
    ['may not contradict the path', strict, { ...ADA, companyId: 2 }, [STRANGER], { path }],
    ['has the key of a relation', made, { ...BEA, ...link }, { ...OF_BEA, ...link, companyId: 4 }],
    ['has the key that a relation is', made, { ...BEA, company: 5 }, { ...OF_BEA, company: 5, companyId: 5 }],
    ['has a foreign key of its own', changed, both, both],
    ['keeps what is sent beside a persisted key', changed, named(3), { ...named(7), companyId: 7 }, { persist }],
    ['has no null for the key of no relation', changed, { company: null }, { company: null }],
    ['has no 0 for a key to be counted', made, { ...BEA, id: 0, companyId: 1 }, { ...OF_BEA, companyId: 1 }],
    ['has no key of a new relation', made, { ...BEA, company: {} }, ['companyId must be an integer number']],
    ['may link without a rule of the key', ofCompany, linked({ id: 4 }), linked({ id: 4 })],
    ['has no key that is a path', withReserved(made), { ...BEA, companyId: 1, id: 'Count' }, [COUNT]],
    ['may have that in its own path', withReserved(changed), {}, COUNTED, { path: [['id', 'count']] }],
    ['has no new key of a path', withReserved(replaced), BEA, COUNT.replace('C', 'c'), { path: [['id', 'count']] }],
    ['has no key of a relation that is dropped', whitelisted, linked({ id: 4 }), ADA],
    ['has no null of a relation that is dropped', whitelisted, linked(null), ADA],
  ])('%s', async (...[, rules, body, read, source]) =>
    expect(await outcome(rules, body, bodyScope({ path: [], ...source }, users))).toEqual(read),
  );

  test('has what class-transformer makes of it, and lacks what is meant to stay out', async () => {
    class Inbound {
      @IsArray() @IsOptional() @Transform(({ value }) => (value as string).split(',')) tags?: string[];
      @IsOptional() @IsString() @Expose({ name: 'full_name' }) name?: string;
      @Exclude({ toClassOnly: true }) secret?: string;
      @Exclude({ toClassOnly: true, toPlainOnly: true }) internal?: string;
      @Exclude() password?: string;
    }

    const body = { tags: 'a,b', full_name: 'Ada', secret: 'x', internal: 'x', password: 'new' };
    const kept = { tags: ['a', 'b'], name: 'Ada' };
    expect(await outcome(rulesOf(Inbound, { isDto: true }), body)).toEqual(kept);
    expect(await outcome(rulesOf(Inbound, patch), body)).toEqual({ ...kept, password: 'new' });
  });

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
