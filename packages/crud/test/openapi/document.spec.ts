/** Resources → the documents that @nestjs/swagger builds of them: what they say, and that an independent validator takes them. */
import { describe, expect, test } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Exclude, Expose } from 'class-transformer';
import { sampleCount } from '../../../../integration/test-support/index.js';
import {
  ALL_ROUTES,
  at,
  Company,
  documentOf,
  type Json,
  makeUserCatalog,
  resource,
  schemas,
  validate,
} from './fixture.js';

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
  const all = 2 ** ALL_ROUTES.length - 1;
  const asked = sampleCount(all);
  const subsets = Array.from({ length: asked }, (_, index) => 1 + index * Math.floor(all / asked)).map((subset) =>
    ALL_ROUTES.filter((_route, bit) => (subset >> bit) & 1),
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

  expect(followed).toBeGreaterThan(asked);
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
