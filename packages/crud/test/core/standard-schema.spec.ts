/** Bodies validated by Standard Schemas, as zod and valibot make them, in place of classes with decorators. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, Injectable, type ValidationError } from '@nestjs/common';
import {
  Crud,
  CrudAuth,
  type CrudOptions,
  type CrudRequest,
  Override,
  ParsedBody,
  ParsedRequest,
} from '@nestwright/crud';
import * as v from 'valibot';
import { z } from 'zod';
import { catalog, column, relation } from '../plan/catalogs.js';
import { type Api, describeApplications, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class User {
  id!: number;
  name!: string;
}

const companies = catalog('Company', [column('id', 'integer', { primary: true })]);
const users = catalog(
  'User',
  [
    column('id', 'integer', { primary: true, autoIncrement: true, generated: true, hasDefault: true }),
    column('name', 'text'),
    column('role', 'text'),
    column('companyId', 'integer'),
  ],
  [
    relation('company', 'many-to-one', () => companies, {
      references: () => [{ column: column('companyId', 'integer'), references: column('id', 'integer') }],
    }),
  ],
);

@Injectable()
class Users extends MemoryService {
  constructor() {
    super([{ id: 1, name: 'Ada', companyId: 4 }], users);
  }
}

const address = z.object({ street: z.string(), city: z.string().default('Turin') });
const fields = z.object({
  name: z.string().trim().min(2),
  role: z.enum(['guest', 'owner']).default('guest'),
  tags: z.array(z.object({ label: z.string() })).optional(),
  address: address.optional(),
});

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
    create: v.object({
      name: v.pipe(v.string(), v.trim(), v.minLength(2)),
      role: v.optional(v.picklist(['guest', 'owner']), 'guest'),
      tags: v.optional(v.array(v.object({ label: v.string() }))),
    }),
    update: v.object({
      name: v.optional(v.pipe(v.string(), v.trim(), v.minLength(2))),
      role: v.optional(v.picklist(['guest', 'owner']), 'guest'),
    }),
    refused: [
      'name Invalid length: Expected >=2 but received 1',
      'tags.1.label Invalid type: Expected string but received 7',
    ],
    strict: v.strictObject({ name: v.string() }),
    foreign: 'hacker Invalid key: Expected never but received "hacker"',
  },
} as const;

async function serve(more: Partial<CrudOptions>, path = 'users'): Promise<Api> {
  @Crud({ model: { type: User }, ...more })
  @Controller(path)
  class UsersController {
    constructor(public service: Users) {}
  }

  return start({ controllers: [UsersController], providers: [Users] });
}

const sent = (api: Api): unknown => api.resolve(Users).last.dto;

describeApplications('Standard Schemas', () => {
  describe.each(Object.entries(LIBRARIES))('of %s', (_, library) => {
    let api: Api;

    beforeEach(async () => {
      api = await serve({ dto: { create: library.create, update: library.update } });
    });

    test('validate POST: what they yield is stored, what they do not know is not', async () => {
      await api.post('/users', { name: ' Bea ', hacker: 1, tags: [{ label: 'a', hacker: 1 }] }).expect(201);
      expect(sent(api)).toEqual({ name: 'Bea', role: 'guest', tags: [{ label: 'a' }] });

      const { body } = await api.post('/users', { name: 'B', tags: [{ label: 'a' }, { label: 7 }] }).expect(400);
      expect(body).toEqual({
        statusCode: 400,
        error: 'Bad Request',
        message: library.refused,
        code: 'CRUD_INVALID_BODY',
        field: 'name',
      });
      expect(api.resolve(Users).calls).toHaveLength(1);
    });

    test('validate each item of a bulk body, named by its index', async () => {
      await api.post('/users/bulk', { bulk: [{ name: 'Bea' }, { name: 'Cid', role: 'owner' }] }).expect(201);
      expect(sent(api)).toEqual({ bulk: [{ name: 'Bea', role: 'guest' }, { name: 'Cid', role: 'owner' }] }); // prettier-ignore

      const { body } = await api
        .post('/users/bulk', { bulk: [{ name: 'Bea' }, { name: 'B', tags: [{ label: 'a' }, { label: 7 }] }] })
        .expect(400);
      expect(body).toMatchObject({ message: library.refused.map((text) => `bulk.1.${text}`), field: 'bulk.1.name' });
    });

    test('validate PUT by dto.create, and PATCH by dto.update, whose defaults write nothing', async () => {
      await api.put('/users/1', { name: 'Bea' }).expect(200);
      expect(sent(api)).toEqual({ id: 1, name: 'Bea', role: 'guest' });
      await api.put('/users/1', {}).expect(400);

      await api.patch('/users/1', { name: ' Cid ' }).expect(200);
      expect(sent(api)).toEqual({ id: 1, name: 'Cid' });
      await api.patch('/users/1', {}).expect(200);
      expect(sent(api)).toEqual({ id: 1 });
      await api.patch('/users/1', { name: 'C' }).expect(400);
    });
  });

  test.each(Object.entries(LIBRARIES))(
    'a strict one of %s is not held against what path and relation add',
    async (_, { strict, foreign }) => {
      const options = {
        dto: { create: strict },
        params: { companyId: { field: 'companyId', type: 'number' } },
      } as const;
      const api = await serve(options, 'companies/:companyId/users');

      await api.post('/companies/4/users', { name: 'Bea' }).expect(201);
      expect(sent(api)).toEqual({ name: 'Bea', companyId: 4 });

      const { body } = await api.post('/companies/4/users', { name: 'Bea', hacker: 1 }).expect(400);
      expect(body).toMatchObject({ message: [foreign], code: 'CRUD_INVALID_BODY' });
    },
  );

  test('a schema that requires a path value receives it, and no client can replace it', async () => {
    const options: Partial<CrudOptions> = {
      dto: { create: z.object({ name: z.string(), companyId: z.number() }) },
      params: { companyId: { field: 'companyId', type: 'number' } },
    };
    const api = await serve(options, 'companies/:companyId/users');

    await api.post('/companies/4/users', { name: 'Bea', companyId: 9 }).expect(201);
    expect(sent(api)).toEqual({ name: 'Bea', companyId: 4 });

    const { body } = await api.post('/companies/4/users', { name: 7 }).expect(400);
    expect(body).toMatchObject({ message: ['name Invalid input: expected string, received number'] });
  });

  test('the client learns nothing of what persist adds, also where a schema refuses both', async () => {
    const create = z.object({ name: z.string(), role: z.string() }).superRefine(({ role }, context) => {
      context.addIssue({ code: 'custom', path: ['role'], message: `is ${role}` });
      context.addIssue({ code: 'custom', path: ['name'], message: 'is taken' });
    });

    @Crud({ model: { type: User }, dto: { create } })
    @CrudAuth({ persist: () => ({ role: 'guest' }) })
    @Controller('users')
    class UsersController {
      constructor(public service: Users) {}
    }
    const api = await start({ controllers: [UsersController], providers: [Users] });

    const { body } = await api.post('/users', { name: 'Bea' }).expect(400);
    expect(body).toMatchObject({ message: ['name is taken'], field: 'name' });
  });

  test('persist is stored whatever the schema makes of the body', async () => {
    @Crud({ model: { type: User }, dto: { create: z.object({ name: z.string() }) } })
    @CrudAuth({ persist: () => ({ role: 'guest' }) })
    @Controller('users')
    class UsersController {
      constructor(public service: Users) {}
    }
    const api = await start({ controllers: [UsersController], providers: [Users] });

    await api.post('/users', { name: 'Bea', role: 'owner' }).expect(201);
    expect(sent(api)).toEqual({ name: 'Bea', role: 'guest' });
  });

  test('an asynchronous one is waited for', async () => {
    const free = z.object({ name: z.string().refine((name) => Promise.resolve(name !== 'Ada'), 'is taken') });
    const api = await serve({ dto: { create: free } });

    await api.post('/users', { name: 'Bea' }).expect(201);
    const { body } = await api.post('/users', { name: 'Ada' }).expect(400);
    expect(body).toMatchObject({ message: ['name is taken'], field: 'name' });
  });

  test('what one computes from the body of a PATCH is stored', async () => {
    const update = z
      .object({ first: z.string().optional(), role: z.string().default('guest') })
      .transform(({ first, role }) => ({ ...(first && { name: first.toUpperCase() }), role }));
    const api = await serve({ dto: { update } });

    await api.patch('/users/1', { first: 'Bea' }).expect(200);
    expect(sent(api)).toEqual({ id: 1, name: 'BEA' });
  });

  test('defaults of parts of an object are stored on POST, but not on PATCH', async () => {
    const api = await serve({ dto: { create: fields, update: fields.partial() } });

    await api.post('/users', { name: 'Bea', address: { street: 'Via Po' } }).expect(201);
    expect(sent(api)).toMatchObject({ address: { street: 'Via Po', city: 'Turin' } });
    await api.patch('/users/1', { address: { street: 'Via Po' } }).expect(200);
    expect(sent(api)).toEqual({ id: 1, address: { street: 'Via Po' } });
  });

  test('a text about the whole body stands alone, in bulk behind its index', async () => {
    const create = z.object({ name: z.string() }).refine(({ name }) => name !== 'Ada', 'must not be Ada');
    const api = await serve({ dto: { create } });

    const single = await api.post('/users', { name: 'Ada' }).expect(400);
    expect(single.body).toEqual({ statusCode: 400, error: 'Bad Request', message: ['must not be Ada'], code: 'CRUD_INVALID_BODY' }); // prettier-ignore
    const bulk = await api.post('/users/bulk', { bulk: [{ name: 'Ada' }] }).expect(400);
    expect(bulk.body).toMatchObject({ message: ['bulk.0 must not be Ada'], field: 'bulk.0' });
  });

  test('errorHttpStatusCode, disableErrorMessages and exceptionFactory apply, and false turns validation off', async () => {
    const dto = { create: z.object({ name: z.string() }) };
    const exceptionFactory = (errors: ValidationError[]) => new Error(JSON.stringify(errors));

    const strange = await serve({ dto, validation: { errorHttpStatusCode: 422 } });
    const { body } = await strange.post('/users', {}).expect(422);
    expect(body).toMatchObject({ statusCode: 422, error: 'Unprocessable Entity', code: 'CRUD_INVALID_BODY' });

    const silent = await serve({ dto, validation: { disableErrorMessages: true } });
    expect((await silent.post('/users', {}).expect(400)).body).not.toHaveProperty('field');

    const own = await serve({ dto, validation: { exceptionFactory } });
    await own.post('/users', {}).expect(500);

    const off = await serve({ dto, validation: false });
    await off.post('/users', { name: 7 }).expect(201);
    expect(sent(off)).toEqual({ name: 7 });
  });

  test('a class may carry one: as DTO of an overriding handler, and as model', async () => {
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

    await api.post('/users', { name: ' Bea ' }).expect(201);
    expect(sent(api)).toEqual({ name: 'Bea' });
    await api.put('/users/1', { name: ' Bea ', hacker: 1 }).expect(200);
    expect(sent(api)).toEqual({ id: 1, name: 'Bea' });
    await api.put('/users/1', {}).expect(400);
  });
});
