/** What documents say of the bodies and parameters of requests. */
import { describe, expect, test } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import {
  at,
  catalog,
  column,
  Company,
  documentOf,
  type Json,
  makeUserCatalog,
  resource,
  schemas,
  User,
  validate,
} from './fixture.js';

const parameter = (operation: Json, name: string) =>
  operation['parameters'].find((item: Json) => item['name'] === name) as Json;
const names = (operation: Json) => (operation['parameters'] as Json[]).map((item) => item['name'] as string);

describe('bodies', () => {
  const body = (document: unknown, path: string, method: string) => at(document, path, method)['requestBody'];

  test('the model loses what the server fills in; PATCH demands nothing', async () => {
    const document = await documentOf([resource()]);
    const all = schemas(document);

    expect(body(document, '/users', 'post')).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateUserBodyDto' } } },
    });
    expect(Object.keys(all['CreateUserBodyDto']!['properties'])).toEqual([
      'email',
      'password',
      'token',
      'age',
      'companyId',
      'company',
      'settings',
    ]);
    expect(all['CreateUserBodyDto']!['required']).toEqual(['email', 'password', 'companyId']);
    expect(all['UpdateUserBodyDto']!['required']).toBeUndefined();
    expect(all['ReplaceUserBodyDto']!['required']).toEqual(['email', 'password', 'companyId']);
  });

  test('bulk wraps the body of a single POST', async () => {
    const document = await documentOf([resource()]);

    expect(body(document, '/users/bulk', 'post').content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/CreateManyUserDto',
    });
    expect(schemas(document)['CreateManyUserDto']!['properties'].bulk).toMatchObject({
      type: 'array',
      minItems: 1,
      items: { $ref: '#/components/schemas/CreateUserBodyDto' },
    });
  });

  test('what `persist` sets need not be sent, by column or by relation; it may throw for a user without properties', async () => {
    const required = async (persist: unknown): Promise<unknown> => {
      const made = resource();
      Object.assign(made.definition, { auth: { property: 'user', persist } });

      return schemas(await documentOf([made]))['CreateUserBodyDto']!['required'];
    };
    const all = ['email', 'password', 'companyId'];

    expect(await required((user: Json) => ({ companyId: user['team'].company.id }))).toEqual(['email', 'password']);
    expect(await required((user: Json) => ({ company: { id: user['id'] } }))).toEqual(['email', 'password']);
    expect(await required(() => Promise.reject(new Error('no database')))).toEqual(all);
    expect(await required((user: Json) => ({ companyId: [...(user['ids'] as number[])] }))).toEqual(all);
  });

  test('what the path fills in need not be sent', async () => {
    const params = {
      companyId: { field: 'companyId', type: 'number' },
      id: { field: 'id', type: 'number', primary: true },
    };
    const document = await documentOf([resource({ path: 'companies/:companyId/users', params: params as never })]);

    expect(schemas(document)['UsersCreateUserBodyDto']!['required']).toEqual(['email', 'password']);
    await validate(document);
  });

  test('what is read-only is required of no body', async () => {
    class Note {
      @ApiProperty({ type: 'integer' }) id!: number;
      @ApiProperty({ readOnly: true }) tenant!: string;
      @ApiProperty() text!: string;
    }
    const catalogOf = () =>
      catalog(Note, [
        column('id', { kind: 'integer', primary: true, autoIncrement: true }),
        column('tenant'),
        column('text'),
      ]);
    const document = await documentOf([resource({ model: { type: Note }, catalogOf })]);

    for (const name of ['CreateNoteBodyDto', 'ReplaceNoteBodyDto'])
      expect(schemas(document)[name]).toMatchObject({ required: ['text'], properties: { tenant: { readOnly: true } } });

    await validate(document);
  });

  test('dto classes are shown as they are; PUT takes replace, then create', async () => {
    const document = await documentOf([resource({ dto: { create: Company, update: User } })]);
    const ref = (path: string, method: string) => body(document, path, method).content['application/json'].schema.$ref;

    expect(ref('/users', 'post')).toBe('#/components/schemas/Company');
    expect(ref('/users/{id}', 'put')).toBe('#/components/schemas/Company');
    expect(schemas(document)['CreateManyUserDto']!['properties'].bulk.items).toEqual({
      $ref: '#/components/schemas/Company',
    });
  });
});

describe('query parameters', () => {
  test('a deletion that answers with nothing has none', async () => {
    expect(names(at(await documentOf([resource()]), '/users/{id}', 'delete'))).toEqual(['id']);
  });

  test('includeDeleted needs softDelete', async () => {
    expect(names(at(await documentOf([resource()]), '/users', 'get'))).not.toContain('includeDeleted');
  });

  test('carry the names that clients may use, and no hidden one', async () => {
    const join = { company: { exclude: ['secret'] } };
    const list = at(await documentOf([resource({ query: { exclude: ['password'], join } })]), '/users', 'get');

    expect(parameter(list, 'fields')).toMatchObject({
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { enum: ['id', 'email', 'age', 'companyId', 'settings', 'createdAt'] } },
    });
    expect(parameter(list, 'sort')['schema'].items).toEqual({
      type: 'string',
      pattern: '^((id|email|age|companyId|createdAt)|(company)\\.(id|name))(,([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc]))?$',
    });
    expect(parameter(list, 'sort')['description']).toContain(
      ' Fields: `id`, `email`, `age`, `companyId`, `createdAt`, `company.id`, `company.name`.',
    );
    expect(JSON.stringify(list)).not.toMatch(/password|token|secret/);
  });

  test('filter and join patterns take what the language takes', async () => {
    const list = at(await documentOf([resource({ query: { join: { company: {} } } })]), '/users', 'get');
    const filter = new RegExp(parameter(list, 'filter')['schema'].items.pattern);
    const join = new RegExp(parameter(list, 'join')['schema'].items.pattern);

    for (const good of [
      'email||$cont||a',
      'email||eq||a||b',
      'age||isnull',
      'company.name||$eqL||x',
      'settings.theme||$eq||dark',
    ])
      expect(good).toMatch(filter);

    for (const bad of ['nothing||$eq||1', 'email', 'email|$eq|1', 'email||', 'company.secrets||'])
      expect(bad).not.toMatch(filter);
    expect('company').toMatch(join);
    expect('company||id,name').toMatch(join);
    expect('companies').not.toMatch(join);
  });

  test('follow the options of the query language and the limits', async () => {
    const language = { delim: '~', paramNamesMap: { limit: ['take', 'limit'], search: 'q', fields: 'pick' } };
    const query = { limit: 20, maxLimit: 50, limits: { sorts: 3 } };
    const list = at(await documentOf([resource({ language: language as never, query })]), '/users', 'get');

    expect(names(list)).toEqual(['pick', 'q', 'filter', 'or', 'sort', 'join', 'take', 'offset', 'page', 'cache']);
    expect(parameter(list, 'take')['schema']).toEqual({ type: 'integer', minimum: 1, maximum: 50, default: 20 });
    expect(parameter(list, 'sort')['schema'].maxItems).toBe(3);
    expect('email~$eq~1').toMatch(new RegExp(parameter(list, 'filter')['schema'].items.pattern));
  });

  test.each([
    [{}, 1000],
    [{ limit: 5000 }, 5000],
    [{ maxLimit: false as const }, undefined],
  ])('the largest page of %j is %j', async (query, maximum) => {
    expect(parameter(at(await documentOf([resource({ query })]), '/users', 'get'), 'limit')['schema'].maximum).toBe(
      maximum,
    );
  });

  test('names come with the catalog, at the time the document is built', async () => {
    let catalog: ReturnType<typeof makeUserCatalog> | undefined;
    const late = resource({ catalogOf: () => catalog });
    const fields = async () => parameter(at(await documentOf([late]), '/users', 'get'), 'fields')['schema'].items;

    expect(await fields()).toEqual({ type: 'string' });
    catalog = makeUserCatalog();
    expect((await fields()).enum).toContain('email');
    catalog = undefined;
    expect(await fields()).toEqual({ type: 'string' });
  });
});

describe('path parameters', () => {
  test('have the type of the option, refined by the column', async () => {
    enum Kind {
      A = 1,
      B = 2,
    }
    const params = {
      kind: { field: 'kind', enum: Kind },
      tag: { field: 'tag', type: 'string' },
      tenant: { field: 'tenant', type: 'uuid' },
      id: { field: 'id', type: 'number', primary: true },
    };
    const document = await documentOf([resource({ path: ':tenant/:kind/:tag/users', params: params as never })]);
    const one = at(document, '/{tenant}/{kind}/{tag}/users/{id}', 'get');

    expect(parameter(one, 'kind')).toMatchObject({
      in: 'path',
      required: true,
      schema: { type: 'number', enum: [1, 2] },
    });
    expect(parameter(one, 'tag')['schema']).toEqual({ type: 'string' });
    expect(parameter(one, 'tenant')['schema']).toEqual({ type: 'string', format: 'uuid' });
    expect(parameter(one, 'id')['schema']).toEqual({ type: 'integer' });
    expect(names(at(document, '/{tenant}/{kind}/{tag}/users', 'get'))).not.toContain('id');
    await validate(document);
  });
});
