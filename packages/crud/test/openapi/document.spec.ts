/** Resources → the documents that @nestjs/swagger builds of them: what they say of answers, that an independent validator takes them, and that the tables of `docs/openapi-document.md` and `docs/serialization.md` say what the code does. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { type BaseRouteName, ROUTES } from '../../src/routes/route-table.js';
import { responseShape } from '../../src/serialization/serialize.js';
import { sampleCount } from '../../../../integration/test-support/index.js';
import type { Catalog } from '../../src/plan/catalog.js';
import { relation } from '../plan/catalogs.js';
import { ALL_ROUTES, catalog, column, Company, documentOf, resource, User } from './fixture.js';
import { at, type Json, namesOf, operationsOf, ref, requiredBy, schemaOf, schemas, shownBy } from './reading.js';

const answer = (document: unknown, path: string, method: string, status = 200) =>
  schemaOf(at(document, path, method)['responses'][status] as Json);

test('documents are valid, whichever of the routes there are, and whatever their version', async () => {
  const all = 2 ** ALL_ROUTES.length - 1;
  const asked = sampleCount(all);
  const options = {
    query: { softDelete: true, exclude: ['password'], join: { company: {} } },
    routes: { deleteOneBase: { returnDeleted: true } },
  };
  for (let subset = all; subset > 0; subset -= Math.floor(all / asked)) {
    const only = ALL_ROUTES.filter((_route, bit) => (subset >> bit) & 1);
    const version = subset % 2 ? '3.0.0' : '3.1.0';
    const document = await documentOf([resource({ only, ...options })], { version });
    expect(document.openapi).toBe(version);
    expect(operationsOf(document)).toHaveLength(only.length);
  }
});

test('controllers over one model share what is equal and keep apart what is not', async () => {
  const document = await documentOf([
    resource(),
    resource({ path: 'admins', name: 'AdminsController' }),
    resource({ path: 'guests', name: 'GuestsController', query: { exclude: ['email'] } }),
  ]);
  const ids = operationsOf(document).map(({ operationId }) => operationId as string);
  const list = (path: string) => answer(document, path, 'get')['oneOf'] as Json[];
  expect([new Set(ids).size, list('/admins')]).toEqual([ids.length, list('/users')]);
  expect(list('/guests')[1]).toEqual(ref('GetManyGuestsUserResponseDto'));
  expect(shownBy(document, 'GuestsUserResponseDto')).not.toContain('email');
  expect(shownBy(document, 'UserResponseDto')).toContain('email');
  expect(at(document, '/users', 'get')['tags']).toEqual(['Users']);
});

test('controllers over one model and of one name keep apart what is not equal, too', async () => {
  const names = ['email', 'age'];
  const lists = names.map((name) => resource({ path: name, query: { exclude: [name] }, only: ['getManyBase'] }));
  const document = await documentOf(lists);
  const shown = names.map((path) => {
    const { items } = answer(document, `/${path}`, 'get')['oneOf'][0] as Json;
    return shownBy(document, (items.$ref as string).split('/').at(-1)!).filter((name) => names.includes(name));
  });
  expect(shown).toEqual([['age'], ['email']]);
});

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
  const returning = await documentOf([resource({ routes: { deleteOneBase: { returnDeleted: true } } })]);
  const { responses } = at(await documentOf([resource()]), '/users/{id}', 'delete');
  expect(responses[200]).toEqual({ description: 'The User is deleted' });
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
    return ['UserResponseDto', 'UserResponseCompanyDto'].map((name) => requiredBy(document, name)?.join());
  };
  expect([await required([]), await required(['name'])].flat()).toEqual(['id,email', 'id', 'id,email', 'id,name']);
});

class Owner {
  @ApiProperty() id!: number;
  @ApiProperty() name!: string;
  @ApiProperty() password!: string;
  @ApiProperty({ type: () => Owner, isArray: true }) friends!: Owner[];
}

const owner: Catalog = catalog(
  Owner,
  ['id', 'password', 'name'].map((path) => column(path, { primary: path === 'id' })),
  [relation('friends', 'many-to-many', () => owner)],
);

test('a joined record shows what its join lets out', async () => {
  const join = { friends: { exclude: ['password'] }, 'friends.friends': { allow: ['name'] } };
  const query = { exclude: ['password'], join };
  const document = await documentOf([resource({ model: { type: Owner }, query, catalogOf: () => owner })]);
  const [first, second, third] = ['', 'Friends', 'FriendsFriends'].map((path) => `OwnerResponse${path}Dto`);
  const { friends } = schemas(document)[first!]!['properties'] as Json;
  expect(friends).toEqual({ type: 'array', items: ref(second!) });
  expect([first, second, third].map((name) => shownBy(document, name!).join())).toEqual([
    ...['id,name,friends', 'id,name,friends', 'id,name'],
  ]);
  expect(requiredBy(document, second!)).toEqual(['id']);
});

test.each([
  [{ friends: { select: false } }, 'id,name,password'],
  [{ friends: { select: false }, 'friends.friends': {} }, 'id,name,password,friends'],
])('a relation that is never returned is shown for those that it leads to alone: %j', async (join, shown) => {
  const document = await documentOf([resource({ model: { type: Owner }, query: { join }, catalogOf: () => owner })]);
  expect(shownBy(document, 'OwnerResponseDto').join()).toBe(shown);
});

test('a model that loses nothing keeps its own name', async () => {
  const document = await documentOf([resource({ model: { type: Company }, catalogOf: () => undefined })]);
  expect(answer(document, '/users/{id}', 'get')).toEqual(ref('Company'));
});

test('serialize classes are shown', async () => {
  const document = await documentOf([resource({ serialize: { get: Company, create: Company } })]);
  const company = ref('CompanyResponseDto');
  expect([answer(document, '/users/{id}', 'get'), answer(document, '/users', 'post', 201)]).toEqual([company, company]);
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

  const options = { model: { type: Person }, query: { exclude: ['name.first'] }, catalogOf: () => undefined };
  const { PersonResponseDto: person, PersonResponseNameDto: name } = schemas(await documentOf([resource(options)]));
  const id = { type: 'number' };
  const required = ['id', 'name'];
  expect(person).toMatchObject({ type: 'object', properties: { id, name: ref('PersonResponseNameDto') }, required });
  expect(name).toEqual({ type: 'object', properties: { last: { type: 'string' } }, required: ['last'] });
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
  expect(requiredBy(document, 'CardResponseDto')).toEqual(['id', 'title']);
});

test('without a catalog, a part of a class in `serialize` shows what its own decorators hide, as it is no instance', async () => {
  class CardName {
    @ApiProperty() @Exclude() first!: string;
    @ApiProperty() last!: string;
  }

  class NameCard {
    @ApiProperty() name!: CardName;
  }

  const options = { serialize: { get: NameCard }, query: { exclude: ['name.last'] }, catalogOf: () => undefined };
  const document = await documentOf([resource(options)]);
  expect(answer(document, '/users/{id}', 'get')).toEqual(ref('NameCard'));
  expect(shownBy(document, 'CardName')).toEqual(['first', 'last']);
});

test('a value that the class changes is of the type that it declares, or else of any', async () => {
  class Priced {
    @ApiProperty({ type: 'integer' }) id!: number;
    @ApiProperty({ type: 'string', description: 'In words' }) @Transform(() => 'nine') price!: number;
    @Transform(() => 'eight') cost!: number;
  }

  const priced = catalog(
    Priced,
    ['id', 'price', 'cost'].map((path) => column(path, { kind: 'integer', primary: path === 'id' })),
  );
  const document = await documentOf([resource({ model: { type: Priced }, catalogOf: () => priced })]);
  const { price, cost } = schemas(document)['PricedResponseDto']!['properties'] as Json;
  expect([price, cost]).toEqual([{ type: 'string', description: 'In words' }, { anyOf: [{}] }]);
});

test('what only records of an inheriting class have is shown, optional even where `persist` selects it', async () => {
  class Animal {
    @ApiProperty() id!: string;
    @ApiProperty() name!: string;
  }

  class Dog extends Animal {
    @ApiProperty() bark!: string;
    @ApiProperty({ description: 'Of a dog' }) declare name: string;
  }

  const paths = ['id', 'name', 'bark'];
  const animals = catalog(
    Animal,
    paths.map((path) => column(path, { primary: path === 'id' })),
  );
  const recordClasses = [Animal, Dog].map((target, more) => ({
    ...{ target, paths: new Set(paths.slice(0, 2 + more)), embedded: new Map() },
  }));
  const catalogOf = () => ({ ...animals, recordClasses });
  const query = { persist: ['name', 'bark'] };
  const document = await documentOf([resource({ model: { type: Animal }, query, catalogOf })]);
  expect(schemas(document)['AnimalResponseDto']).toEqual({
    type: 'object',
    properties: { id: { type: 'string' }, name: { type: 'string' }, bark: { type: 'string' } },
    required: ['id', 'name'],
  });
});

test('an envelope whose records the application does not document is described as any page', async () => {
  class Envelope {
    @ApiProperty() count!: number;
    @Type(() => User) data!: User[];
  }

  const query = { alwaysPaginate: true };
  const document = await documentOf([resource({ serialize: { getMany: Envelope }, query })]);
  expect(answer(document, '/users', 'get')).toEqual(ref('GetManyUserResponseDto'));
});

test('what is exposed to groups alone is optional', async () => {
  class Employee {
    @ApiProperty() id!: number;
    @ApiProperty() @Expose({ groups: ['hr'] }) salary!: number;
    @ApiProperty() @Exclude() pin!: string;
  }

  const document = await documentOf([resource({ model: { type: Employee }, catalogOf: () => undefined })]);
  expect(shownBy(document, 'EmployeeResponseDto')).toEqual(['id', 'salary']);
  expect(requiredBy(document, 'EmployeeResponseDto')).toEqual(['id']);
});

/** By operation: the headers that it reads, and its statuses, those with a tag marked. */
const rowsOf = (document: unknown): Record<string, [headers: string, statuses: string]> =>
  Object.fromEntries(
    operationsOf(document).map(({ path, method, parameters, responses }) => [
      `${method as string} ${path as string}`,
      [
        (parameters as Json[])
          .filter((one) => one['in'] === 'header')
          .map(({ name }) => name as string)
          .join(),
        Object.entries(responses as Json)
          .map(([status, { headers }]) => `${status}${headers?.ETag ? '*' : ''}`)
          .join(),
      ],
    ]),
  );

test('a resource with tags has the headers and statuses of conditions', async () => {
  const document = await documentOf([resource({ query: { etag: true, softDelete: true } })]);
  expect(rowsOf(document)).toEqual({
    'get /users': ['If-None-Match', '200*,304*,400'],
    'get /users/{id}': ['If-None-Match', '200*,304*,400,404'],
    'post /users': ['', '201*,400,409'],
    'post /users/bulk': ['', '201,400,409'],
    'patch /users/{id}': ['If-Match', '200*,400,404,409,412'],
    'put /users/{id}': ['If-Match,If-None-Match', '200*,201*,400,404,409,412'],
    'delete /users/{id}': ['If-Match', '200,400,404,409,412'],
    'patch /users/{id}/recover': ['If-Match', '200*,400,404,412'],
  });
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
  expect(Object.keys(pageOf(document)['properties'] as Json)).toEqual([
    ...['data', 'count', 'total', 'page', 'pageCount', 'next', 'previous'],
  ]);
  expect(pageOf(document)['required']).toEqual(['data', 'count']);
  expect(answersOf(paginated)).toEqual(answersOf(document).slice(-1));
});

test('beside a list over the same model that is read by numbers, its pages have a schema of their own', async () => {
  const byCursor = resource({ path: 'others', name: 'OthersController', query: { cursor: true } });
  const document = await documentOf([resource(), byCursor]);
  expect(pageOf(document, '/users')['properties']).not.toHaveProperty('next');
  expect(pageOf(document, '/others')['properties']).toHaveProperty('next');
});

/** Rows of the table under a heading, cell by cell, without the backticks. */
function tableOf(document: string, heading: string): string[][] {
  const text = readFileSync(new URL(`../../../../docs/${document}`, import.meta.url), 'utf8');
  const [, section = ''] = text.split(`\n${heading}\n`);
  const [, table = ''] = /((?:^\|.*\n)+)/m.exec(section) ?? [];
  const cells = (row: string) => row.replaceAll('`', '').split('|').slice(1, -1);
  return table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => cells(row).map((cell) => cell.trim()));
}

async function operations(options: Parameters<typeof resource>[0] = {}): Promise<Map<string, Json>> {
  const document = await documentOf([resource({ ...options, query: { softDelete: true } })]);
  const all = Object.values(document.paths).flatMap((item) => Object.values(item as Json) as Json[]);
  return new Map(
    all.map((operation) => [(operation['operationId'] as string).replace('UsersControllerUser', ''), operation]),
  );
}

test('operations: ids, summaries and statuses', async () => {
  const described = await operations();
  const rows = tableOf('openapi-document.md', '## Operations');
  expect(rows.map(([route]) => route)).toEqual(ALL_ROUTES);
  for (const [route = '', id = '', summary = '', statuses] of rows) {
    const operation = described.get(route)!;
    const operationId = id.replace('<Controller>', 'UsersController').replace('<Model>', 'User');
    expect(operation).toMatchObject({ operationId, summary: summary.replace('<Model>', 'User') });
    expect(Object.keys(operation['responses']).join(', ')).toBe(statuses);
  }
});

test('query parameters by route', async () => {
  const full = await operations({ routes: { deleteOneBase: { returnDeleted: true } } });
  const shallow = { returnShallow: true };
  const writes = { createOneBase: shallow, updateOneBase: shallow, replaceOneBase: shallow };
  const less = await operations({ routes: writes });
  const named = (described: Map<string, Json>, route: string) => namesOf(described.get(route)!, 'query');
  for (const [routes = '', cell = ''] of tableOf('openapi-document.md', '## Parameters')) {
    const [first = '', second] = cell.replace('with returnDeleted: ', '').split('; with returnShallow: ');
    for (const route of routes.split(' ')) {
      expect([route, ...named(full, route)]).toEqual([route, ...first.split(' ')]);
      if (second && route !== 'recoverOneBase') expect([route, ...named(less, route)]).toEqual([route, second]);
    }
  }
});

test('which class shapes which route', () => {
  const rows = tableOf('serialization.md', '## A class for the response');
  expect(rows).toHaveLength(ALL_ROUTES.length);
  for (const [key = '', shaped = '', fallback = ''] of rows) {
    const route = shaped.split(' ')[0] as BaseRouteName;
    const shapedBy = (serialize: object) => responseShape({ model: User, serialize } as never, route).record;
    const [before] = fallback.split(', then ');
    expect(ROUTES[route].serialize).toBe(key);
    expect(shapedBy({ [key]: Company })).toBe(Company);
    expect(shapedBy({})).toBe(User);
    if (before && before !== 'the model') expect(shapedBy({ [before]: Company })).toBe(Company);
  }
});
