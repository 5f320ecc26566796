/** Resources → the documents that @nestjs/swagger builds of them: what they say, and that an independent validator takes them. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Exclude, Expose } from 'class-transformer';
import {
  ALL_ROUTES,
  catalog,
  column,
  Company,
  documentOf,
  type Json,
  makeUserCatalog,
  resource,
  stopValidator,
  User,
  validate,
} from './fixture.js';

afterAll(stopValidator);

const at = (document: unknown, path: string, method: string) => (document as Json).paths[path][method] as Json;
const parameter = (operation: Json, name: string) =>
  operation['parameters'].find((item: Json) => item['name'] === name) as Json;
const names = (operation: Json) => (operation['parameters'] as Json[]).map((item) => item['name'] as string);
const schemas = (document: unknown) => (document as Json).components.schemas as Record<string, Json>;

describe.each(['3.0.0', '3.1.0'])('OpenAPI %s', (version) => {
  test('a full resource validates', async () => {
    const document = await documentOf([resource({ query: { softDelete: true, join: { company: {} } } })], version);

    expect(document.openapi).toBe(version);
    expect(Object.keys(document.paths).sort()).toEqual(['/users', '/users/bulk', '/users/{id}', '/users/{id}/recover']);
    await validate(document);
  });

  test.each(ALL_ROUTES)('only %s leaves no unresolved reference', async (route) => {
    const query = { softDelete: true, exclude: ['password'] };

    await validate(await documentOf([resource({ only: [route], query })], version));
    await validate(await documentOf([resource({ only: [route], query: { ...query, alwaysPaginate: true } })], version));
  });
});

test('no reference leads nowhere, whichever of the routes there are', async () => {
  const subsets = Array.from({ length: 2 ** ALL_ROUTES.length - 1 }, (_, index) =>
    ALL_ROUTES.filter((_route, bit) => ((index + 1) >> bit) & 1),
  );
  const query = { softDelete: true, exclude: ['password'], join: { company: {} } };
  const routes = { deleteOneBase: { returnDeleted: true } };
  let followed = 0;

  for (const only of subsets) {
    const document = await documentOf([resource({ only, query, routes })]);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
    const lost = references.filter(([, name = '']) => !Object.hasOwn(schemas(document), name));

    expect({ only, lost: lost.map(([, name]) => name) }).toEqual({ only, lost: [] });
    followed += references.length;
  }

  expect(subsets).toHaveLength(255);
  expect(followed).toBeGreaterThan(255);
});

describe('operations', () => {
  test('two controllers over one model share what is equal and keep apart what is not', async () => {
    const document = await documentOf([
      resource(),
      resource({ path: 'admins', name: 'AdminsController' }),
      resource({ path: 'guests', name: 'GuestsController', query: { exclude: ['email'] } }),
    ]);
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Json).map(({ operationId }) => operationId),
    );
    const list = (path: string) => at(document, path, 'get')['responses'][200].content['application/json'].schema.oneOf;

    expect(new Set(ids).size).toBe(ids.length);
    expect(list('/admins')).toEqual(list('/users'));
    expect(list('/guests')[1]).toEqual({ $ref: '#/components/schemas/GetManyGuestsUserResponseDto' });
    expect(schemas(document)['GuestsUserResponseDto']!['properties']).not.toHaveProperty('email');
    expect(schemas(document)['UserResponseDto']!['properties']).toHaveProperty('email');
    await validate(document);
  });

  test('controllers of one name keep apart what is not equal, too', async () => {
    const shown = ['email', 'password', 'age', 'companyId'];
    const document = await documentOf(
      shown.map((name) => resource({ path: name, query: { exclude: [name] }, only: ['getManyBase'] })),
    );

    for (const name of shown) {
      const { items } = at(document, `/${name}`, 'get')['responses'][200].content['application/json'].schema.oneOf[0];
      const { properties } = schemas(document)[items.$ref.split('/').at(-1)]!;

      expect(shown.filter((other) => !Object.hasOwn(properties as object, other))).toEqual([name]);
    }
    await validate(document);
  });

  test('tags are those of @nestjs/swagger: the controller', async () => {
    expect(at(await documentOf([resource()]), '/users', 'get')['tags']).toEqual(['Users']);
  });
});

describe('responses', () => {
  test('a list is an array or the envelope, the envelope alone with alwaysPaginate', async () => {
    const content = async (alwaysPaginate: boolean) =>
      at(await documentOf([resource({ query: { alwaysPaginate } })]), '/users', 'get')['responses'][200].content[
        'application/json'
      ].schema;

    expect(await content(false)).toEqual({
      oneOf: [
        { type: 'array', items: { $ref: '#/components/schemas/UserResponseDto' } },
        { $ref: '#/components/schemas/GetManyUserResponseDto' },
      ],
    });
    expect(await content(true)).toEqual({ $ref: '#/components/schemas/GetManyUserResponseDto' });
  });

  test('the envelope lists its five properties', async () => {
    const page = schemas(await documentOf([resource()]))['GetManyUserResponseDto']!;

    expect(page['required']).toEqual(['data', 'count', 'total', 'page', 'pageCount']);
    expect(page['properties'].data).toMatchObject({
      type: 'array',
      items: { $ref: '#/components/schemas/UserResponseDto' },
    });
  });

  test('a deletion answers with an empty body, or the record with returnDeleted', async () => {
    const response = async (returnDeleted: boolean) =>
      at(await documentOf([resource({ routes: { deleteOneBase: { returnDeleted } } })]), '/users/{id}', 'delete')[
        'responses'
      ][200];

    expect(await response(false)).toEqual({ description: 'The User is deleted' });
    expect((await response(true)).content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/UserResponseDto',
    });
  });

  test('hidden properties are left out, related records are optional, columns without a decorator are shown', async () => {
    const document = await documentOf([resource({ query: { exclude: ['password'], join: { company: {} } } })]);
    const record = schemas(document)['UserResponseDto']!;

    const shown = ['id', 'email', 'age', 'companyId', 'company', 'createdAt', 'settings'];
    expect(Object.keys(record['properties'])).toEqual(shown);
    expect(record['properties'].settings).toEqual({ type: 'object', additionalProperties: true, nullable: true });
    // Any other may be missing: a request selects by `fields`.
    expect(record['required']).toEqual(['id']);
  });

  test('what `persist` selects is required, in joined records by the join, unless it is hidden', async () => {
    const shown = async (persist: string[]) =>
      schemas(
        await documentOf([
          resource({
            query: { persist: ['email', 'password'], exclude: ['password'], join: { company: { persist } } },
          }),
        ]),
      );

    expect((await shown([]))['UserResponseDto']!['required']).toEqual(['id', 'email']);
    expect((await shown([]))['UserResponseCompanyDto']!['required']).toEqual(['id']);
    expect((await shown(['name']))['UserResponseCompanyDto']!['required']).toEqual(['id', 'name']);
  });

  test('a joined record shows what its join lets out', async () => {
    class Owner {
      @ApiProperty() id!: number;
      @ApiProperty() name!: string;
      @ApiProperty() password!: string;
      @ApiProperty({ type: () => Owner, isArray: true }) friends!: Owner[];
    }
    const { columns } = makeUserCatalog();
    const owner: Json = { model: 'Owner', target: Owner, relations: new Map(), primary: [] };
    owner['columns'] = new Map(['id', 'password'].map((path) => [path, columns.get(path)]));
    owner['columns'].set('name', { ...columns.get('email'), path: 'name' });
    owner['relations'].set('friends', { path: 'friends', toMany: true, references: [], target: owner });
    const join = { friends: { exclude: ['password'] }, 'friends.friends': { allow: ['name'] } };
    const document = await documentOf([
      resource({ model: { type: Owner }, query: { exclude: ['password'], join }, catalogOf: () => owner as never }),
    ]);
    const shown = (name: string) => Object.keys(schemas(document)[name]!['properties']);

    expect(shown('OwnerResponseDto')).toEqual(['id', 'name', 'friends']);
    expect(schemas(document)['OwnerResponseDto']!['properties'].friends).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/OwnerResponseFriendsDto' },
    });
    expect(shown('OwnerResponseFriendsDto')).toEqual(['id', 'name', 'friends']);
    expect(schemas(document)['OwnerResponseFriendsDto']!['required']).toEqual(['id']);
    expect(shown('OwnerResponseFriendsFriendsDto')).toEqual(['id', 'name']);
    await validate(document);
  });

  test('a model that loses nothing keeps its own name', async () => {
    const document = await documentOf([resource({ model: { type: Company }, catalogOf: () => undefined })]);

    expect(at(document, '/users/{id}', 'get')['responses'][200].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/Company',
    });
  });

  test('serialize classes are shown', async () => {
    const document = await documentOf([resource({ serialize: { get: Company, create: Company } })]);
    const of = (path: string, method: string, status: number) =>
      at(document, path, method)['responses'][status].content['application/json'].schema;

    expect(of('/users/{id}', 'get', 200)).toEqual({ $ref: '#/components/schemas/CompanyResponseDto' });
    expect(of('/users', 'post', 201)).toEqual({ $ref: '#/components/schemas/CompanyResponseDto' });
    expect(of('/users/bulk', 'post', 201)).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/CompanyResponseDto' },
    });
    expect(of('/users/{id}', 'patch', 200)).toEqual({ $ref: '#/components/schemas/UserResponseDto' });
    expect(of('/users', 'get', 200).oneOf[0].items).toEqual({ $ref: '#/components/schemas/CompanyResponseDto' });
  });

  test('without a catalog, what is excluded of an embedded object does not show either', async () => {
    class Name {
      @ApiProperty() first!: string;
      @ApiProperty() last!: string;
    }
    class Person {
      @ApiProperty() id!: number;
      @ApiProperty() name!: Name;
    }
    const query = { exclude: ['name.first'] };
    const document = await documentOf([resource({ model: { type: Person }, query, catalogOf: () => undefined })]);

    expect(schemas(document)['PersonResponseDto']).toEqual({
      type: 'object',
      properties: { id: { type: 'number' }, name: { $ref: '#/components/schemas/PersonResponseNameDto' } },
      required: ['id', 'name'],
    });
    expect(schemas(document)['PersonResponseNameDto']).toEqual({
      type: 'object',
      properties: { last: { type: 'string' } },
      required: ['last'],
    });
    await validate(document);
  });

  test('a class in `serialize` does not show what it or the entity hides, nor require what a request leaves out', async () => {
    class Card {
      @ApiProperty() id!: number;
      @ApiProperty() @Exclude() password!: string;
      @ApiProperty() token!: string;
      @ApiProperty() email!: string;
      @ApiProperty() title!: string;
    }
    const query = { persist: ['token'] };
    const document = await documentOf([resource({ serialize: { get: Card }, query })]);

    const shown = ['id', 'email', 'title', 'age', 'companyId', 'settings', 'createdAt'];
    expect(Object.keys(schemas(document)['CardResponseDto']!['properties'])).toEqual(shown);
    expect(schemas(document)['CardResponseDto']!['required']).toEqual(['id', 'title']);
    await validate(document);
  });

  test('errors have a schema, and their codes in the description', async () => {
    const document = await documentOf([resource()]);
    const error = schemas(document)['CrudErrorDto']!;
    const conflict = at(document, '/users', 'post')['responses'][409];

    expect(Object.keys(error['properties'])).toEqual(['statusCode', 'message', 'error', 'code', 'field']);
    expect(error['required']).toEqual(['statusCode', 'message']);
    expect(error['properties'].message.oneOf).toEqual([
      { type: 'string' },
      { type: 'array', items: { type: 'string' } },
    ]);
    expect(error['properties'].code.enum).toContain('CRUD_UNIQUE_VIOLATION');
    expect(conflict.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/CrudErrorDto' });
    expect(conflict.description).toContain('`CRUD_UNIQUE_VIOLATION`');
  });

  test('each status shows bodies of its own', async () => {
    const document = await documentOf([resource({ query: { softDelete: true } })]);
    const shown = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item as Json).flatMap(([method, { responses }]) =>
        Object.entries(responses as Json)
          .filter(([status]) => Number(status) >= 400)
          .map(([status, { content }]) => ({ at: `${method} ${path}`, status, ...content['application/json'] })),
      ),
    ) as Json[];

    expect(shown).toHaveLength(18);
    for (const { at: place, status, examples } of shown) {
      expect([place, status, Object.keys(examples as Json).length]).not.toEqual([place, status, 0]);
      for (const [code, { value }] of Object.entries(examples as Json)) {
        expect([place, value]).toEqual([
          place,
          { statusCode: Number(status), code, message: expect.any(String), error: expect.any(String) },
        ]);
      }
    }

    const examples = (path: string, method: string, status: number): Json =>
      at(document, path, method)['responses'][status].content['application/json'].examples as Json;
    expect(Object.keys(examples('/users', 'post', 409))).toEqual([
      'CRUD_UNIQUE_VIOLATION',
      'CRUD_FOREIGN_KEY_VIOLATION',
      'CRUD_CONFLICT',
    ]);
    expect(Object.keys(examples('/users/{id}', 'delete', 409))).toEqual([
      'CRUD_FOREIGN_KEY_VIOLATION',
      'CRUD_STALE_VERSION',
      'CRUD_CONFLICT',
    ]);
    expect(examples('/users/{id}', 'get', 404)['CRUD_NOT_FOUND'].value).toEqual({
      statusCode: 404,
      message: 'User not found',
      error: 'Not Found',
      code: 'CRUD_NOT_FOUND',
    });
  });
});

test('what is exposed to groups alone is optional in the response', async () => {
  class Employee {
    @ApiProperty() id!: number;
    @ApiProperty() @Expose({ groups: ['hr'] }) salary!: number;
    @ApiProperty() @Exclude() pin!: string;
  }
  const document = await documentOf([resource({ model: { type: Employee }, catalogOf: () => undefined })]);
  const record = schemas(document)['EmployeeResponseDto']!;

  expect(Object.keys(record['properties'])).toEqual(['id', 'salary']);
  expect(record['required']).toEqual(['id']);
});

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
