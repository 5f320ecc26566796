/** Bodies validated by Standard Schemas, as zod and valibot make them, in place of classes with decorators. */
import { expect, jest, test } from '@jest/globals';
import { Controller, type ValidationError } from '@nestjs/common';
import { Crud, CrudAuth, type CrudRequest, Override, ParsedBody, ParsedRequest } from '@nestwright/crud';
import * as v from 'valibot';
import { z } from 'zod';
import { describeApplications, start } from '../support/application.js';
import { sent, serve, Users } from './bodies.application.js';

const fields = z.object({
  name: z.string().trim().min(2),
  role: z.enum(['guest', 'owner']).default('guest'),
  tags: z.array(z.object({ label: z.string() })).optional(),
  address: z.object({ street: z.string(), city: z.string().default('Turin') }).optional(),
});

const named = z.object({ name: z.string() });
const name = v.pipe(v.string(), v.trim(), v.minLength(2));
const role = v.optional(v.picklist(['guest', 'owner']), 'guest');

/** The same rules by two libraries, whose texts are their own. */
const LIBRARIES = {
  zod: {
    create: fields,
    update: fields.partial(),
    refused: [
      'name Too small: expected string to have >=2 characters',
      'tags.1.label Invalid input: expected string, received number',
    ],
    strict: z.strictObject({ name: z.string() }),
    foreign: 'Unrecognized key: "hacker"',
  },
  valibot: {
    create: v.object({ name, role, tags: v.optional(v.array(v.object({ label: v.string() }))) }),
    update: v.object({ name: v.optional(name), role }),
    refused: [
      'name Invalid length: Expected >=2 but received 1',
      'tags.1.label Invalid type: Expected string but received 7',
    ],
    strict: v.strictObject({ name: v.string() }),
    foreign: 'hacker Invalid key: Expected never but received "hacker"',
  },
} as const;

const params = { companyId: { field: 'companyId', type: 'number' } } as const;
const COMPANY = 'companies/:companyId/users';
const invalid = { statusCode: 400, error: 'Bad Request', code: 'CRUD_INVALID_BODY' };

describeApplications('Standard Schemas', () => {
  test.each(Object.entries(LIBRARIES))(
    'of %s validate POST and each item of a bulk body, PUT by dto.create and PATCH by dto.update, whose defaults write nothing',
    async (_, { create, update, refused }) => {
      const api = await serve({ dto: { create, update } });
      const wrong = { name: 'B', tags: [{ label: 'a' }, { label: 7 }] };
      const { body } = await api.post('/users', wrong).expect(400);
      expect(body).toEqual({ ...invalid, message: refused, field: 'name' });
      const bulk = await api.post('/users/bulk', { bulk: [{ name: 'Bea' }, wrong] }).expect(400);
      expect(bulk.body).toMatchObject({ message: refused.map((text) => `bulk.1.${text}`), field: 'bulk.1.name' });
      await api.put('/users/1', {}).expect(400);
      await api.patch('/users/1', { name: 'C' }).expect(400);
      expect(api.resolve(Users).calls).toEqual([]);
      const post = api.post('/users', { name: ' Bea ', hacker: 1, tags: [{ label: 'a', hacker: 1 }] });
      expect(await sent(api, post)).toEqual({ name: 'Bea', role: 'guest', tags: [{ label: 'a' }] });
      const [bea, cid] = [
        { name: 'Bea', role: 'guest' },
        { name: 'Cid', role: 'owner' },
      ] as const;
      const both = api.post('/users/bulk', { bulk: [{ name: 'Bea' }, cid] });
      expect(await sent(api, both)).toEqual({ bulk: [bea, cid] });
      expect(await sent(api, api.put('/users/1', { name: 'Bea' }))).toEqual({ id: 1, name: 'Bea', role: 'guest' });
      expect(await sent(api, api.patch('/users/1', { name: ' Cid ' }))).toEqual({ id: 1, name: 'Cid' });
      expect(await sent(api, api.patch('/users/1', {}))).toEqual({ id: 1 });
    },
  );

  test.each(Object.entries(LIBRARIES))(
    'of %s that are strict are not held against what path and relation add',
    async (_, { strict, foreign }) => {
      const api = await serve({ dto: { create: strict }, params }, COMPANY);
      expect(await sent(api, api.post('/companies/4/users', { name: 'Bea' }))).toEqual({ name: 'Bea', companyId: 4 });
      const { body } = await api.post('/companies/4/users', { name: 'Bea', hacker: 1 }).expect(400);
      expect(body).toMatchObject({ message: [foreign], code: 'CRUD_INVALID_BODY' });
    },
  );

  test('that require a path value receive it, and no client can replace it', async () => {
    const create = z.object({ name: z.string(), companyId: z.number() });
    const api = await serve({ dto: { create }, params }, COMPANY);
    const post = api.post('/companies/4/users', { name: 'Bea', companyId: 9 });
    expect(await sent(api, post)).toEqual({ name: 'Bea', companyId: 4 });
    const { body } = await api.post('/companies/4/users', { name: 7 }).expect(400);
    expect(body).toMatchObject({ message: ['name Invalid input: expected string, received number'] });
  });

  test('cannot change what persist adds, and the client learns nothing of it, also where both are refused', async () => {
    const persist = CrudAuth({ persist: () => ({ role: 'guest' }) });
    const telling = z.object({ name: z.string(), role: z.string() }).superRefine(({ role }, context) => {
      context.addIssue({ code: 'custom', path: ['role'], message: `is ${role}` });
      context.addIssue({ code: 'custom', path: ['name'], message: 'is taken' });
    });

    const refusing = await serve({ dto: { create: telling } }, 'users', persist);
    const { body } = await refusing.post('/users', { name: 'Bea' }).expect(400);
    expect(body).toMatchObject({ message: ['name is taken'], field: 'name' });
    const api = await serve({ dto: { create: named } }, 'users', persist);
    const post = api.post('/users', { name: 'Bea', role: 'owner' });
    expect(await sent(api, post)).toEqual({ name: 'Bea', role: 'guest' });
  });

  test('that are asynchronous are waited for', async () => {
    const free = z.object({ name: z.string().refine((name) => Promise.resolve(name !== 'Ada'), 'is taken') });
    const api = await serve({ dto: { create: free } });
    await api.post('/users', { name: 'Bea' }).expect(201);
    const { body } = await api.post('/users', { name: 'Ada' }).expect(400);
    expect(body).toMatchObject({ message: ['name is taken'], field: 'name' });
  });

  test('may compute from the body of a PATCH; defaults of parts of an object are stored on POST alone', async () => {
    const update = z
      .object({ first: z.string().optional(), role: z.string().default('guest') })
      .transform(({ first, role }) => ({ ...(first && { name: first.toUpperCase() }), role }));
    const computing = await serve({ dto: { update } });
    expect(await sent(computing, computing.patch('/users/1', { first: 'Bea' }))).toEqual({ id: 1, name: 'BEA' });
    const api = await serve({ dto: { create: fields, update: fields.partial() } });
    const address = { street: 'Via Po' };
    const post = api.post('/users', { name: 'Bea', address });
    expect(await sent(api, post)).toMatchObject({ address: { ...address, city: 'Turin' } });
    expect(await sent(api, api.patch('/users/1', { address }))).toEqual({ id: 1, address });
  });

  test('are asked once about a PATCH to which they add nothing', async () => {
    const asked = jest.fn();
    const adding = ({ name }: { name?: string | undefined }) => ({ name, role: asked() });
    const api = await serve({ dto: { update: named.partial().transform(adding) } });
    expect(await sent(api, api.patch('/users/1', { name: 'Bea' }))).toEqual({ id: 1, name: 'Bea' });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('whose text is about the whole body let it stand alone, in bulk behind its index', async () => {
    const api = await serve({ dto: { create: named.refine(({ name }) => name !== 'Ada', 'must not be Ada') } });
    const single = await api.post('/users', { name: 'Ada' }).expect(400);
    expect(single.body).toEqual({ ...invalid, message: ['must not be Ada'] });
    const bulk = await api.post('/users/bulk', { bulk: [{ name: 'Ada' }] }).expect(400);
    expect(bulk.body).toMatchObject({ message: ['bulk.0 must not be Ada'], field: 'bulk.0' });
  });

  test('obey errorHttpStatusCode, disableErrorMessages and exceptionFactory; false turns validation off', async () => {
    const dto = { create: named };
    const exceptionFactory = (errors: ValidationError[]) => new Error(JSON.stringify(errors));
    const strange = await serve({ dto, validation: { errorHttpStatusCode: 422 } });
    const { body } = await strange.post('/users', {}).expect(422);
    expect(body).toMatchObject({ statusCode: 422, error: 'Unprocessable Entity', code: 'CRUD_INVALID_BODY' });
    const silent = await serve({ dto, validation: { disableErrorMessages: true } });
    expect((await silent.post('/users', {}).expect(400)).body).not.toHaveProperty('field');
    await (await serve({ dto, validation: { exceptionFactory } })).post('/users', {}).expect(500);
    const off = await serve({ dto, validation: false });
    expect(await sent(off, off.post('/users', { name: 7 }))).toEqual({ name: 7 });
  });

  test('may be carried by a class: as DTO of an overriding handler, and as model', async () => {
    const schema = z.object({ name: z.string().trim() });

    class Named {
      static readonly '~standard' = schema['~standard'];
      name!: string;
    }

    @Crud({ model: { type: Named }, dto: { update: schema.partial() } })
    @Controller('users')
    class UsersController {
      constructor(public service: Users) {}

      @Override()
      replaceOne(@ParsedRequest() request: CrudRequest, @ParsedBody() body: Named): Promise<unknown> {
        return this.service.replaceOne(request, body);
      }
    }
    const api = await start({ controllers: [UsersController], providers: [Users] });
    expect(await sent(api, api.post('/users', { name: ' Bea ' }))).toEqual({ name: 'Bea' });
    expect(await sent(api, api.put('/users/1', { name: ' Bea ', hacker: 1 }))).toEqual({ id: 1, name: 'Bea' });
    await api.put('/users/1', {}).expect(400);
  });
});
