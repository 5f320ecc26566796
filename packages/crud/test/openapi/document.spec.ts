/** Resources → the documents that @nestjs/swagger builds of them: what they say of answers, and that an independent validator takes them. */
import { describe, expect, test } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Exclude, Expose } from 'class-transformer';
import { ERRORS } from '../../src/errors.js';
import { sampleCount } from '../../../../integration/test-support/index.js';
import { ALL_ROUTES, Company, documentOf, makeUserCatalog, resource, type ResourceOptions } from './fixture.js';
import { at, type Json, namesOf, operationsOf, ref, schemaOf, schemas, shownBy } from './reading.js';

const answer = (document: unknown, path: string, method: string, status = 200) =>
  schemaOf(at(document, path, method)['responses'][status] as Json);

test('documents are valid, whichever of the routes there are, and whatever their version', async () => {
  const all = 2 ** ALL_ROUTES.length - 1;
  const asked = sampleCount(all);
  const query = { softDelete: true, exclude: ['password'], join: { company: {} } };
  const routes = { deleteOneBase: { returnDeleted: true } };

  for (let subset = all; subset > 0; subset -= Math.floor(all / asked)) {
    const only = ALL_ROUTES.filter((_route, bit) => (subset >> bit) & 1);
    const version = subset % 2 ? '3.0.0' : '3.1.0';
    const document = await documentOf([resource({ only, query, routes })], { version });

    expect(document.openapi).toBe(version);
    expect(operationsOf(document)).toHaveLength(only.length);
  }
});

describe('controllers over one model', () => {
  test('share what is equal and keep apart what is not', async () => {
    const document = await documentOf([
      resource(),
      resource({ path: 'admins', name: 'AdminsController' }),
      resource({ path: 'guests', name: 'GuestsController', query: { exclude: ['email'] } }),
    ]);
    const ids = operationsOf(document).map(({ operationId }) => operationId as string);
    const list = (path: string) => answer(document, path, 'get')['oneOf'] as Json[];

    expect(new Set(ids).size).toBe(ids.length);
    expect(list('/admins')).toEqual(list('/users'));
    expect(list('/guests')[1]).toEqual(ref('GetManyGuestsUserResponseDto'));
    expect(shownBy(document, 'GuestsUserResponseDto')).not.toContain('email');
    expect(shownBy(document, 'UserResponseDto')).toContain('email');
    expect(at(document, '/users', 'get')['tags']).toEqual(['Users']);
  });

  test('and of one name keep apart what is not equal, too', async () => {
    const document = await documentOf(
      ['email', 'age'].map((name) => resource({ path: name, query: { exclude: [name] }, only: ['getManyBase'] })),
    );
    const shown = ['email', 'age'].map((path) => {
      const { items } = answer(document, `/${path}`, 'get')['oneOf'][0] as Json;

      return shownBy(document, (items.$ref as string).split('/').at(-1)!);
    });

    expect(shown[0]).toEqual(expect.not.arrayContaining(['email']));
    expect(shown[1]).toEqual(expect.not.arrayContaining(['age']));
    expect(shown[0]).toContain('age');
  });
});

describe('responses', () => {
  test('a list is an array or the envelope, the envelope alone with alwaysPaginate', async () => {
    const document = await documentOf([resource()]);
    const paginated = await documentOf([resource({ query: { alwaysPaginate: true } })]);
    const page = schemas(document)['GetManyUserResponseDto']!;

    expect(answer(document, '/users', 'get')).toEqual({
      oneOf: [{ type: 'array', items: ref('UserResponseDto') }, ref('GetManyUserResponseDto')],
    });
    expect(answer(paginated, '/users', 'get')).toEqual(ref('GetManyUserResponseDto'));
    expect(page['required']).toEqual(['data', 'count', 'total', 'page', 'pageCount']);
    expect(page['properties'].data).toMatchObject({ type: 'array', items: ref('UserResponseDto') });
  });

  test('a deletion answers with an empty body, or the record with returnDeleted', async () => {
    const routes = { deleteOneBase: { returnDeleted: true } };
    const returning = await documentOf([resource({ routes })]);

    expect(at(await documentOf([resource()]), '/users/{id}', 'delete')['responses'][200]).toEqual({
      description: 'The User is deleted',
    });
    expect(answer(returning, '/users/{id}', 'delete')).toEqual(ref('UserResponseDto'));
  });

  test('hidden properties are left out, related records are optional, columns without a decorator are shown', async () => {
    const document = await documentOf([resource({ query: { exclude: ['password'], join: { company: {} } } })]);
    const { properties, required } = schemas(document)['UserResponseDto']!;

    expect(Object.keys(properties as Json).join()).toBe('id,email,age,companyId,company,createdAt,settings');
    expect(properties.settings).toEqual({ type: 'object', additionalProperties: true, nullable: true });
    // Any other may be missing: a request selects by `fields`.
    expect(required).toEqual(['id']);
  });

  test('what `persist` selects is required, in joined records by the join, unless it is hidden', async () => {
    const required = async (persist: string[]) => {
      const query = { persist: ['email', 'password'], exclude: ['password'], join: { company: { persist } } };
      const document = await documentOf([resource({ query })]);

      return ['UserResponseDto', 'UserResponseCompanyDto'].map(
        (name) => schemas(document)[name]!['required'] as unknown,
      );
    };

    expect(await required([])).toEqual([['id', 'email'], ['id']]);
    expect(await required(['name'])).toEqual([
      ['id', 'email'],
      ['id', 'name'],
    ]);
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

    expect(shownBy(document, 'OwnerResponseDto')).toEqual(['id', 'name', 'friends']);
    expect(schemas(document)['OwnerResponseDto']!['properties'].friends).toEqual({
      type: 'array',
      items: ref('OwnerResponseFriendsDto'),
    });
    expect(shownBy(document, 'OwnerResponseFriendsDto')).toEqual(['id', 'name', 'friends']);
    expect(schemas(document)['OwnerResponseFriendsDto']!['required']).toEqual(['id']);
    expect(shownBy(document, 'OwnerResponseFriendsFriendsDto')).toEqual(['id', 'name']);
  });

  test('a model that loses nothing keeps its own name', async () => {
    const document = await documentOf([resource({ model: { type: Company }, catalogOf: () => undefined })]);

    expect(answer(document, '/users/{id}', 'get')).toEqual(ref('Company'));
  });

  test('serialize classes are shown', async () => {
    const document = await documentOf([resource({ serialize: { get: Company, create: Company } })]);
    const company = ref('CompanyResponseDto');

    expect(answer(document, '/users/{id}', 'get')).toEqual(company);
    expect(answer(document, '/users', 'post', 201)).toEqual(company);
    expect(answer(document, '/users/bulk', 'post', 201)).toEqual({ type: 'array', items: company });
    expect(answer(document, '/users/{id}', 'patch')).toEqual(ref('UserResponseDto'));
    expect(answer(document, '/users', 'get')['oneOf'][0].items).toEqual(company);
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
    const options: ResourceOptions = { model: { type: Person }, query: { exclude: ['name.first'] } };
    const document = await documentOf([resource({ ...options, catalogOf: () => undefined })]);
    const shown = (name: string, properties: object) => ({
      [name]: { type: 'object', properties, required: Object.keys(properties) },
    });

    expect(schemas(document)).toMatchObject({
      ...shown('PersonResponseDto', { id: { type: 'number' }, name: ref('PersonResponseNameDto') }),
      ...shown('PersonResponseNameDto', { last: { type: 'string' } }),
    });
    expect(shownBy(document, 'PersonResponseNameDto')).toEqual(['last']);
  });

  test('a class in `serialize` does not show what it or the entity hides, nor require what a request leaves out', async () => {
    class Card {
      @ApiProperty() id!: number;
      @ApiProperty() @Exclude() password!: string;
      @ApiProperty() token!: string;
      @ApiProperty() email!: string;
      @ApiProperty() title!: string;
    }
    const document = await documentOf([resource({ serialize: { get: Card }, query: { persist: ['token'] } })]);

    expect(shownBy(document, 'CardResponseDto').join()).toBe('id,email,title,age,companyId,settings,createdAt');
    expect(schemas(document)['CardResponseDto']!['required']).toEqual(['id', 'title']);
  });

  test('what is exposed to groups alone is optional', async () => {
    class Employee {
      @ApiProperty() id!: number;
      @ApiProperty() @Expose({ groups: ['hr'] }) salary!: number;
      @ApiProperty() @Exclude() pin!: string;
    }
    const document = await documentOf([resource({ model: { type: Employee }, catalogOf: () => undefined })]);

    expect(shownBy(document, 'EmployeeResponseDto')).toEqual(['id', 'salary']);
    expect(schemas(document)['EmployeeResponseDto']!['required']).toEqual(['id']);
  });

  test('errors have a schema, and each status bodies and codes of its own', async () => {
    const document = await documentOf([resource({ query: { softDelete: true } })]);
    const { properties, required } = schemas(document)['CrudErrorDto']!;
    const shown = operationsOf(document).flatMap(({ responses, path, method }) =>
      Object.entries(responses as Json).flatMap(([status, { content, description }]) =>
        Number(status) < 400 ? [] : [{ key: `${method as string} ${path as string} ${status}`, content, description }],
      ),
    ) as Json[];

    expect(Object.keys(properties as Json)).toEqual(['statusCode', 'message', 'error', 'code', 'field']);
    expect(properties.code.enum).toEqual(Object.keys(ERRORS));
    expect(required).toEqual(['statusCode', 'message']);
    expect(properties.message.oneOf).toEqual([{ type: 'string' }, { type: 'array', items: { type: 'string' } }]);
    expect(shown).toHaveLength(18);
    for (const { key, content, description } of shown) {
      const { schema, examples } = content['application/json'] as Json;
      const codes = Object.keys(examples as Json);
      const error = { statusCode: Number(key.split(' ')[2]), message: expect.any(String), error: expect.any(String) };
      expect(schema).toEqual(ref('CrudErrorDto'));
      expect(codes.length).toBeGreaterThan(0);
      for (const code of codes) {
        expect(description).toContain(`\`${code}\``);
        expect(examples[code].value).toEqual({ ...error, code });
      }
      if (key === 'post /users 409')
        expect(codes.join()).toBe('CRUD_UNIQUE_VIOLATION,CRUD_FOREIGN_KEY_VIOLATION,CRUD_CONFLICT');
      if (key === 'delete /users/{id} 409')
        expect(codes.join()).toBe('CRUD_FOREIGN_KEY_VIOLATION,CRUD_STALE_VERSION,CRUD_CONFLICT');
      if (key === 'get /users/{id} 404')
        expect(examples['CRUD_NOT_FOUND'].value).toMatchObject({ message: 'User not found', error: 'Not Found' });
    }
  });
});

/** By operation: the headers that it reads, those that it requires marked, and its statuses, those with a tag marked. */
const rowsOf = (document: unknown): Record<string, [headers: string, statuses: string]> =>
  Object.fromEntries(
    operationsOf(document).map(({ path, method, parameters, responses }) => [
      `${method as string} ${path as string}`,
      [
        (parameters as Json[])
          .filter((one) => one['in'] === 'header')
          .map(({ name, required }) => `${name as string}${required ? '!' : ''}`)
          .join(),
        Object.entries(responses as Json)
          .map(([status, { headers }]) => `${status}${headers?.ETag ? '*' : ''}`)
          .join(),
      ],
    ]),
  );

test.each<[string, ResourceOptions, Record<string, [string, string]>]>([
  [
    'a resource with tags has the headers and statuses of conditions',
    { query: { etag: true, softDelete: true } },
    {
      'get /users': ['If-None-Match', '200*,304*,400'],
      'get /users/{id}': ['If-None-Match', '200*,304*,400,404'],
      'post /users': ['', '201*,400,409'],
      'post /users/bulk': ['', '201,400,409'],
      'patch /users/{id}': ['If-Match', '200*,400,404,409,412'],
      'put /users/{id}': ['If-Match,If-None-Match', '200*,201*,400,404,409,412'],
      'delete /users/{id}': ['If-Match', '200,400,404,409,412'],
      'patch /users/{id}/recover': ['If-Match', '200*,400,404,412'],
    },
  ],
  [
    'a route that requires a match says so',
    {
      query: { etag: true },
      routes: { updateOneBase: { requireMatch: true }, replaceOneBase: { requireMatch: true } },
    },
    {
      'patch /users/{id}': ['If-Match!', '200*,400,404,409,412,428'],
      'put /users/{id}': ['If-Match,If-None-Match', '200*,201*,400,404,409,412,428'],
      'delete /users/{id}': ['If-Match', '200,400,404,409,412'],
    },
  ],
  [
    'a resource without tags has none of it',
    {},
    { 'get /users': ['', '200,400'], 'put /users/{id}': ['', '200,201,400,404,409'] },
  ],
])('%s', async (_, options, rows) => {
  const document = await documentOf([resource(options)]);

  expect(rowsOf(document)).toMatchObject(rows);
});

test('a failed condition is described by its code', async () => {
  const document = await documentOf([resource({ query: { etag: true } })]);

  expect(at(document, '/users/{id}', 'patch')['responses'][412].description).toContain('`CRUD_PRECONDITION_FAILED`');
});

const answersOf = (document: unknown, path = '/users') => {
  const answers = schemaOf(at(document, path, 'get')['responses'][200] as Json);

  return (answers['oneOf'] ?? [answers]) as Json[];
};
const pageOf = (document: unknown, path?: string) =>
  schemas(document)[(answersOf(document, path).at(-1)!['$ref'] as string).split('/').at(-1)!]!;

test('a list that may be read by cursors has their parameters, and one schema for its pages', async () => {
  const [plain, document] = [await documentOf([resource()]), await documentOf([resource({ query: { cursor: true } })])];
  const [before, after] = [plain, document].map((one) => namesOf(at(one, '/users', 'get')));
  const paginated = await documentOf([resource({ query: { cursor: true, alwaysPaginate: true } })]);

  expect(after!.filter((name) => !before!.includes(name))).toEqual(['cursor', 'total']);
  expect(answersOf(document)).toEqual(answersOf(plain));
  expect(Object.keys(pageOf(document)['properties'] as Json).join()).toBe(
    'data,count,total,page,pageCount,next,previous',
  );
  expect(pageOf(document)['required']).toEqual(['data', 'count']);
  expect(answersOf(paginated)).toEqual(answersOf(document).slice(-1));
});

test('beside a list over the same model that is read by numbers, its pages have a schema of their own', async () => {
  const byCursor = resource({ path: 'others', name: 'OthersController', query: { cursor: true } });
  const document = await documentOf([resource(), byCursor]);

  expect(pageOf(document, '/users')['properties']).not.toHaveProperty('next');
  expect(pageOf(document, '/others')['properties']).toHaveProperty('next');
});

test('a list with links has their header', async () => {
  const document = await documentOf([resource({ query: { links: true } })]);

  expect(at(document, '/users', 'get')['responses'][200].headers).toHaveProperty('Link');
  expect(at(await documentOf([resource()]), '/users', 'get')['responses'][200].headers ?? {}).not.toHaveProperty(
    'Link',
  );
});
