/** What handlers get as body, over real HTTP: what scopes write into it (values of the path, `persist`, relations by their ids), validated by group or DTO. */
import { expect, test } from '@jest/globals';
import { type ArgumentMetadata, type PipeTransform, UsePipes } from '@nestjs/common';
import { CrudAuth } from '@nestwright/crud';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { catalog, column } from '../plan/catalogs.js';
import { type Api, describeApplications, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { key, sent, serve, User } from './bodies.application.js';
import { resource, sentTo } from './resource.js';

const [INVALID, EMPTY] = ['CRUD_INVALID_BODY', 'CRUD_EMPTY_BODY'];
const BEA = { name: 'Bea', password: 'x', companyId: 1 };
const messagesOf = ({ body }: { body: unknown }): string[] => (body as { message: string[] }).message.toSorted();

describeApplications('bodies', () => {
  test('the model is validated in group CREATE on POST and PUT, in group UPDATE on PATCH', async () => {
    const api = await serve();
    const message = ['name must be a string', 'password must be a string', 'companyId must be an integer number'];
    const refused = { statusCode: 400, error: 'Bad Request', message, code: INVALID, field: 'name' };
    expect((await api.post('/users', { name: 7 }).expect(400)).body).toEqual(refused);
    await api.put('/users/1', {}).expect(400);
    await api.patch('/users/1', {}).expect(200);
    await api.patch('/users/1', { name: 7 }).expect(400);
  });

  test('text in place of JSON is refused, a missing body is an empty record, a form is a body of texts', async () => {
    const api = await serve();
    const text = (test: ReturnType<Api['get']>) => test.set('content-type', 'text/plain').send('{"name":"Bea"}');

    for (const test of [api.patch('/users/1'), api.post('/users'), api.post('/users/bulk'), api.put('/users/1')])
      expect((await text(test).expect(400)).body).toMatchObject({ statusCode: 400 });
    expect(await sent(api, api.patch('/users/1'))).toEqual({ id: 1 });
    expect(await sent(api, api.patch('/users/1').type('form').send('name=Bea'))).toEqual({ id: 1, name: 'Bea' });
  });

  test('every nested text begins with the whole path, whatever its rule says first', async () => {
    class Tag {
      @IsString({ always: true, each: true, message: 'name the labels' }) labels!: string[];
      @IsInt({ always: true, each: true }) weights!: number[];
    }

    class Post {
      @IsString({ message: 'title, please' }) title!: string;
      @IsOptional() @ValidateNested() @Type(() => Tag) tags?: Tag[];
    }

    const api = await serve({ dto: { create: Post }, validation: { whitelist: true, forbidNonWhitelisted: true } });
    const post = { tags: [{ labels: [], weights: [1] }, { labels: [1], weights: ['a'], extra: 1 }, 'tag'] };
    expect(messagesOf(await api.post('/users', post).expect(400))).toEqual([
      'tags.1.extra should not exist',
      'tags.1.labels name the labels',
      'tags.1.weights each value must be an integer number',
      'tags.2 must be either object or array',
      'title, please',
    ]);
    expect(messagesOf(await api.post('/users/bulk', { bulk: [{ title: 'a' }, { extra: 1 }] }).expect(400))).toEqual([
      'bulk.1.extra should not exist',
      'bulk.1.title title, please',
    ]);
  });

  test('bulk items are validated one by one, as a single POST would', async () => {
    const api = await serve();
    const wrong = { bulk: [BEA, { ...BEA, name: null }, BEA, { ...BEA, profile: { city: 1 } }] };

    const message = [
      'bulk.1.name must be a string',
      'bulk.1.name should not be empty',
      'bulk.3.profile.city must be shorter than or equal to 5 characters',
      'bulk.3.profile.city must be a string',
    ];
    const refused = { statusCode: 400, error: 'Bad Request', message, code: INVALID, field: 'bulk.1.name' };
    expect((await api.post('/users/bulk', wrong).expect(400)).body).toEqual(refused);
    const stored = { ...BEA, role: 'guest' };
    expect(await sent(api, api.post('/users/bulk', { bulk: [BEA, BEA] }))).toEqual({ bulk: [stored, stored] });
  });

  test('what is no record, or no list of records, is refused', async () => {
    const api = await serve();
    const answers: unknown[] = [];
    for (const text of ['[]', '[{"name":"Bea"}]', '{"bulk":"x"}', '{"bulk":null}'])
      answers.push((await api.post('/users/bulk', text).expect(400)).body);
    const empty = { message: ['bulk must be a list of records: {"bulk": [{…}]}'], code: EMPTY };
    expect(answers.splice(0)).toMatchObject(Array(4).fill(empty));

    for (const item of [1, 'x', null, []])
      answers.push((await api.post('/users/bulk', { bulk: [{ name: 'Bea' }, item] }).expect(400)).body);
    const wrong = { message: ['bulk.1 must be an object'], field: 'bulk.1', code: INVALID };
    expect(answers).toMatchObject(Array(4).fill(wrong));
    const list = { code: INVALID, message: ['The body must be an object'] };
    expect((await api.patch('/users/1', '[1]').expect(400)).body).toMatchObject(list);
  });

  test('initialisers are values of new records, and never of a change; what responses hide is kept', async () => {
    const api = await serve();
    const change = { profile: { city: 'Ulm' }, password: 'secret' };
    expect(await sent(api, api.patch('/users/1', change))).toEqual({ id: 1, ...change });
    await api.patch('/users/1', { password: 5 }).expect(400);
    expect(await sent(api, api.post('/users', BEA))).toEqual({ ...BEA, role: 'guest' });
  });

  test('columns that no body can set reach no handler', async () => {
    const columns = [column('name', 'text'), column('createdAt', 'datetime', { source: 'createDate' })];
    const stamped = catalog('User', [key, ...columns, column('fixed', 'text', { updatable: false })]);

    class Stamped extends MemoryService {
      constructor() {
        super([{ id: 1 }], stamped);
      }
    }

    class Named {
      @IsString() name!: string;
      @IsString() fixed!: string;
    }

    const controllers = [resource(Stamped, { model: { type: Named } }, 'stamps')];
    const api = await start({ controllers, providers: [Stamped] });
    const body = { name: 'Bea', fixed: 'x', createdAt: { hostile: 1 } };
    expect(await sentTo(Stamped, api, api.post('/stamps', body))).toEqual({ name: 'Bea', fixed: 'x' });
    const change = api.patch('/stamps/1', { ...body, fixed: { hostile: 1 } });
    expect(await sentTo(Stamped, api, change)).toEqual({ id: 1, name: 'Bea' });
  });

  test('what a pipe takes out of a body stays out, whatever its name', async () => {
    const cut: PipeTransform = {
      transform: (value: unknown, { type }: ArgumentMetadata) =>
        type === 'body' ? { name: 'cut', settings: { kept: 1 } } : value,
    };

    class Free {
      id!: number;
      @Transform(({ value }) => (value === 'fails' ? JSON.parse('') : value)) name!: string;
      settings!: object;
    }

    const api = await serve({ model: { type: Free }, validation: false }, 'users', UsePipes(cut));

    for (const name of ['works', 'fails']) {
      const change = api.patch('/users/1', { name, toString: 'sent', settings: { kept: 2, valueOf: 'sent' } });
      expect(await sent(api, change)).toEqual({ id: 1, name: 'cut', settings: { kept: 1 } });
    }
  });

  test('no body breaks anything', async () => {
    const api = await serve();
    for (const text of [
      '{"name":"x","__proto__":{"admin":true}}',
      '{"name":"x","constructor":{"prototype":{"admin":true}}}',
      '{"name":"x","profile":{"city":"Ulm","constructor":"x","toString":1,"__proto__":1}}',
      '{"name":"x","profile":null}',
      '{"name":"x","profile":[null,{"city":{}}]}',
      '{"hasOwnProperty":1,"then":1,"toJSON":1}',
      `{"name":"x","company":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
    ]) {
      expect([200, 400]).toContain((await api.patch('/users/1', text)).status);
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    }
  });

  test('class-transformer transforms, renames and leaves out what is meant to stay out, of models and DTOs', async () => {
    class Inbound {
      @IsArray() @IsOptional() @Transform(({ value }) => (value as string).split(',')) tags?: string[];
      @IsOptional() @IsString() @Expose({ name: 'full_name' }) name?: string;
      @Exclude({ toClassOnly: true }) secret?: string;
      @Exclude({ toClassOnly: true, toPlainOnly: true }) internal?: string;
      @Exclude() password?: string;
    }

    const api = await serve({ model: { type: User }, dto: { update: Inbound } });
    const change = api.patch('/users/1', { tags: 'a,b', full_name: 'Ada', secret: 'x' });
    expect(await sent(api, change)).toEqual({ id: 1, tags: ['a', 'b'], name: 'Ada' });
    const model = await serve({ model: { type: class extends Inbound {} } });
    const hiding = model.patch('/users/1', { secret: 'x', internal: 'x', password: 'new' });
    expect(await sent(model, hiding)).toEqual({ id: 1, password: 'new' });
  });
});

describeApplications('scope of bodies', () => {
  const id = { field: 'id', type: 'number', primary: true } as const;
  const params = { companyId: { field: 'companyId', type: 'number' }, id } as const;
  const path = 'companies/:companyId/users';
  const [all, one] = ['/companies/1/users', '/companies/1/users/1'];
  const overriding = { params, routes: { updateOneBase: { allowParamsOverride: true } } };

  test('path values satisfy the rules and win, over nested relations too', async () => {
    const api = await serve({ params }, path);
    const bea = { name: 'Bea', password: 'x' };
    expect(await sent(api, api.post(all, bea))).toEqual({ ...bea, companyId: 1, role: 'guest' });
    const change = api.patch(one, { companyId: 'abc', company: { id: 2 }, id: 9 });
    expect(await sent(api, change)).toEqual({ companyId: 1, company: { id: 1 }, id: 1 });
  });

  test('they are never cause of a whitelist error', async () => {
    class Named {
      @IsString() name!: string;
    }

    const validation = { whitelist: true, forbidNonWhitelisted: true };
    const api = await serve({ params, dto: { create: Named, update: Named }, validation }, path);
    expect(await sent(api, api.post(all, { name: 'Bea' }))).toEqual({ name: 'Bea', companyId: 1 });
    expect(await sent(api, api.patch(one, { name: 'Bea' }))).toEqual({ name: 'Bea', companyId: 1, id: 1 });
  });

  test('allowParamsOverride without a value in the body keeps that of the path', async () => {
    const api = await serve(overriding, path);
    expect(await sent(api, api.patch(one, { name: 'x' }))).toEqual({ name: 'x', companyId: 1, id: 1 });
    const moved = { company: { id: 3 }, companyId: 3, id: 1 };
    expect(await sent(api, api.patch(one, { company: { id: 3 } }))).toEqual(moved);
  });

  test('a relation given by its id fills the foreign key before validation', async () => {
    const api = await serve();
    const post = (more: object) => api.post('/users', { name: 'Bea', password: 'x', ...more });
    expect(await sent(api, post({ company: { id: 4 } }))).toMatchObject({ companyId: 4, company: { id: 4 } });
    expect(await sent(api, post({ company: 5 }))).toMatchObject({ companyId: 5 });
    expect(await sent(api, post({ company: { id: 4 }, companyId: 6 }))).toMatchObject({ companyId: 6 });
    await post({ company: { name: 'new' } }).expect(400);
  });

  test('a relation whose foreign key has no rule is not refused by a strict whitelist', async () => {
    class OfCompany {
      @IsString() name!: string;
      @IsOptional() company?: unknown;
    }

    const validation = { whitelist: true, forbidNonWhitelisted: true };
    const api = await serve({ dto: { create: OfCompany }, validation });
    const body = { name: 'Bea', company: { id: 4 } };
    expect(await sent(api, api.post('/users', body))).toEqual(body);
    await api.post('/users', { ...body, companyId: 4 }).expect(400);
  });

  test('a relation that a whitelist drops sets no foreign key', async () => {
    class Named {
      @IsString() name!: string;
    }

    const api = await serve({ dto: { create: Named }, validation: { whitelist: true } });
    for (const company of [{ id: 4 }, 4, null])
      expect(await sent(api, api.post('/users', { name: 'Bea', company }))).toEqual({ name: 'Bea' });
  });

  test('persist is merged last, over the path and what the client says', async () => {
    const auth = CrudAuth({ persist: async () => ({ companyId: 7, name: 'Persisted' }) });
    const api = await serve(overriding, path, auth);
    const stored = { password: 'x', companyId: 7, name: 'Persisted', role: 'guest' };
    const post = api.post(all, { name: 'Bea', password: 'x', companyId: 3, company: { id: 3 } });
    expect(await sent(api, post)).toEqual({ ...stored, company: { id: 7 } });
    const bulk = api.post(`${all}/bulk`, { bulk: [{ password: 'x' }, { password: 'y', companyId: 1 }] });
    expect(await sent(api, bulk)).toEqual({ bulk: [stored, { ...stored, password: 'y' }] });
  });
});
