/** Names that options and documents ask for, and what applications say of handlers in; the ids, schemas and operations of documents out, and what is refused. */
import { expect, test } from '@jest/globals';
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { type IdentifiedOperation, makeIdsUnique, makeOperationId } from '../../src/openapi/names.js';
import { relatedName, schemaName } from '../../src/openapi/names.js';
import type { BaseRouteName } from '../../src/routes/route-table.js';
import { documentOf, resource, type ResourceOptions } from './fixture.js';
import { at, bodyOf, type Json, namesOf, operationsOf, parameter, ref, schemas, shownBy } from './reading.js';

type Naming = ResourceOptions['openapi'];

const idsOf = (document: unknown) => operationsOf(document).map(({ operationId }) => operationId as string);
const SHORT: Naming = { operationIds: 'short', schemas: 'short' };
const LIST: ResourceOptions = { only: ['getManyBase'] };
const LIST_AND_ONE: ResourceOptions = { only: ['getManyBase', 'getOneBase'] };

const decorating =
  (route: string, ...decorators: MethodDecorator[]): ResourceOptions['before'] =>
  (prototype) =>
    decorators.forEach((decorate) => decorate(prototype, route, { value: prototype[route] }));

test.each<[Naming, BaseRouteName, string]>([
  [{ singular: 'Category' }, 'getManyBase', 'getManyCategories'],
  [{ singular: 'CITY' }, 'createManyBase', 'createManyCITies'],
  [{ singular: 'Address' }, 'recoverManyBase', 'recoverManyAddresses'],
  [{ singular: 'BRANCH' }, 'getManyBase', 'getManyBRANCHes'],
  [{ singular: 'Chat' }, 'getManyBase', 'getManyChats'],
  [{ singular: 'Person', plural: 'People' }, 'deleteManyBase', 'deleteManyPeople'],
  [{ singular: 'Person', plural: 'People' }, 'deleteOneBase', 'deleteOnePerson'],
])('by %j the short id of %s is %s', (openapi, route, id) => {
  expect(makeOperationId(resource({ openapi }).definition, route, 'short')).toBe(id);
});

test.each<[Parameters<typeof schemaName>[1], long: string, short: string]>([
  ['record', 'AdminUserResponseDto', 'AdminMemberResponse'],
  ['body', 'PutAdminUserBodyDto', 'PutAdminMember'],
  ['bulk', 'PutManyAdminUserDto', 'PutManyAdminMembers'],
  ['set', 'UpdateManyAdminUserSetDto', 'UpdateManyAdminMemberSet'],
])('the schema of the kind %s is called %s or, if names are short, %s', (kind, long, short) => {
  const nameBy = (openapi: Naming) =>
    schemaName(resource({ openapi }).definition, kind, { verb: 'Put', prefix: 'Admin' });
  expect([nameBy({ singular: 'Member' }), nameBy({ singular: 'Member', schemas: 'short' })]).toEqual([long, short]);
});

test('the name of a related schema has the property before its ending', () => {
  const names = ['UserResponseDto', 'UserResponse', 'DtoOfUser'].map((name) => relatedName(name, 'x$&'));
  expect(names).toEqual(['UserResponseX$&Dto', 'UserResponseX$&', 'DtoOfUserX$&']);
});

const operationsOfUses = (uses: readonly string[]) =>
  uses.map((use) => {
    const [path, id, choice] = use.split(' ') as [string, string, IdentifiedOperation['choice']];
    return { path, method: 'get', choice, operation: id === '-' ? {} : { operationId: id }, controller: 'XController' };
  });
const idsOfUses = (operations: readonly IdentifiedOperation[]) =>
  operations.map(({ operation }) => operation.operationId ?? '-').join(' ');

test.each<[string, uses: string[], ids: string]>([
  ['one use of an id keeps it', ['/users a free', '/users - own'], 'a -'],
  ['ids differ by what their paths differ in', ['/v1/a/x a free', '/v2/x a free'], 'a_v1_a a_v2'],
  ['an id of the application stays', ['/a a own', '/b a free'], 'a a_b'],
  ['nobody else gets it', ['/a a own', '/ a free', '/b a free'], 'a a_2 a_b'],
  ['a path within the other', ['/a a free', '/a/b a free'], 'a a_b'],
  ['nothing differs', ['/a a free', '/a a free', '/a a free'], 'a a_2 a_3'],
  ['parameters', ['/{a}-{b}/x a free', '/c/x a free'], 'a_a_b a_c'],
  ['an id that exists', ['/a a_b own', '/b a free', '/c a free'], 'a_b a_b_2 a_c'],
  ['a short id that one handler has on several paths', ['/v0/x getX short', '/v1/x getX short'], 'getX_v0 getX_v1'],
])('unique ids: %s', (_, uses, ids) => {
  const operations = operationsOfUses(uses);
  makeIdsUnique(operations);
  expect(idsOfUses(operations)).toBe(ids);
});

test('a short id that two handlers have is refused, by all its paths', () => {
  const [one, other] = [{}, {}];
  const operations = operationsOfUses(['/v0/x getX short', '/v1/x getX short', '/v2/x getX short']);
  const handled = operations.map((operation, index) => ({ ...operation, handler: index < 2 ? one : other }));
  expect(() => makeIdsUnique(handled)).toThrow(
    "The operation id getX is shared by GET /v0/x (XController) and GET /v1/x (XController) and GET /v2/x (XController). Name one of the resources differently by @Crud({ openapi: { singular, plural } }), or take long ids there by openapi.operationIds: 'long'",
  );
});

const operationIdFactory = (_controller: string, method: string): string => method;

test.each<[Naming, string]>([
  [undefined, 'getOneBase'],
  [{ operationIds: 'short' }, 'getOneUser'],
  [{ operationIds: 'long' }, 'getOneBaseUsersControllerUser'],
])('an id of the handler wins over options (%j), and these over the factory', async (openapi, id) => {
  const before = decorating('getManyBase', ApiOperation({ operationId: 'findUsers' }));
  const users = resource({ ...LIST_AND_ONE, before, openapi });
  const document = await documentOf([users], { options: { operationIdFactory } });
  expect(idsOf(document)).toEqual(['findUsers', id]);
  expect(at(document, '/users', 'get')['summary']).toBe('Retrieve multiple User items');
});

test('all short ids that two resources share are refused at once, by their names', async () => {
  const users = resource({ ...LIST_AND_ONE, openapi: SHORT });
  const staff = resource({ ...LIST_AND_ONE, openapi: SHORT, path: 'staff', name: 'StaffController' });
  await expect(documentOf([users, staff])).rejects.toThrow(
    `The operation id getManyUsers is shared by GET /users (UsersController) and GET /staff (StaffController).
The operation id getOneUser is shared by GET /users/{id} (UsersController) and GET /staff/{id} (StaffController).
Name one of the resources differently by @Crud({ openapi: { singular, plural } })`,
  );
});

test('an id that a handler of the application has: a short one is refused, a long one told apart', async () => {
  const listing = (operationId: string) => {
    @Controller('people')
    class PeopleController {
      @Get() @ApiOperation({ operationId }) list(): void {}
    }
    return { controller: PeopleController };
  };
  await expect(documentOf([resource({ ...LIST, openapi: SHORT }), listing('getManyUsers')])).rejects.toThrow(
    'getManyUsers is shared by GET /users (UsersController) and GET /people.',
  );
  const own = 'getManyBaseUsersControllerUser';
  expect(idsOf(await documentOf([resource(LIST), listing(own)]))).toEqual([`${own}_users`, own]);
});

test('names of schemas depend on their document alone, not on those that were made before', async () => {
  const guests = { ...LIST, path: 'guests', name: 'GuestsController', query: { exclude: ['email'] } };
  const [all, some] = [LIST, guests].map((options) => resource(options));
  const namesIn = (document: unknown) => Object.keys(schemas(document)).filter((name) => name.startsWith('GetMany'));
  expect(namesIn(await documentOf([all!, some!]))).toEqual(['GetManyUserResponseDto', 'GetManyGuestsUserResponseDto']);
  expect(namesIn(await documentOf([some!]))).toEqual(['GetManyUserResponseDto']);
});

test('a class of the application keeps its name: a long one is numbered, a short one refused', async () => {
  const ownBody = (name: string) => {
    class Own {
      @ApiProperty() note!: string;
    }

    Object.defineProperty(Own, 'name', { value: name });

    @Controller('notes')
    class NotesController {
      @Post() take(@Body() _own: Own): void {}
    }

    return { controller: NotesController };
  };
  const creating: ResourceOptions = { only: ['createOneBase'] };
  const document = await documentOf([resource(creating), ownBody('CreateUserBodyDto')]);
  expect(bodyOf(document, '/users', 'post')).toEqual(ref('CreateUserBodyDto2'));
  expect(shownBy(document, 'CreateUserBodyDto')).toEqual(['note']);
  const short = resource({ ...creating, openapi: SHORT });
  const other = resource({ ...LIST, path: 'guests', name: 'GuestsController' });
  await expect(documentOf([short, other, ownBody('CreateUser')])).rejects.toThrow(
    'The schema CreateUser would be both a class of the application and a generated one. Name the resource differently by @Crud({ openapi: { singular, plural } }), or the class by @ApiSchema({ name })',
  );
});

test('what the application says of a handler wins in parameters, by name and place', async () => {
  const fields = ApiQuery({ name: 'fields', type: String, description: 'Mine' });
  const before = decorating('getOneBase', fields, ApiParam({ name: 'id', description: 'Key' }));
  const one = at(await documentOf([resource({ before })]), '/users/{id}', 'get');
  expect(namesOf(one).toSorted().join()).toBe('cache,fields,filter,id,join,or,s');
  expect(parameter(one, 'fields')).toMatchObject({ in: 'query', description: 'Mine', schema: { type: 'string' } });
  expect(parameter(one, 'id')).toMatchObject({ description: 'Key' });
});

test('what the application says of a handler wins in bodies and answers, status by status', async () => {
  class Custom {
    @ApiProperty() mine!: string;
  }

  const created = ApiResponse({ status: 201, type: Custom, description: 'Mine' });
  const own = resource({ before: decorating('createOneBase', ApiBody({ type: Custom }), created) });
  const listed = decorating('getManyBase', ApiOkResponse({ type: Custom }));
  const exporting = resource({ ...LIST, path: 'lists', before: listed, query: { export: { formats: ['csv'] } } });
  const deleting = resource({ path: 'others', before: decorating('deleteOneBase', HttpCode(204)) });
  const document = await documentOf([own, deleting, exporting]);
  const { responses } = at(document, '/users', 'post');
  const { responses: ofDeletion } = at(document, '/others/{id}', 'delete');
  expect(bodyOf(document, '/users', 'post')).toEqual(ref('Custom'));
  expect(responses[201]).toEqual({ description: 'Mine', content: { 'application/json': { schema: ref('Custom') } } });
  const statuses = [responses, ofDeletion].map((all) => Object.keys(all as object).join());
  expect(statuses).toEqual(['201,400,409', '204,400,404,409']);
  expect(ofDeletion[204]).not.toHaveProperty('content');
  // Formats of exports stand beside it.
  const { content } = at(document, '/lists', 'get')['responses'][200] as Json;
  expect(Object.keys(content as Json).map((type) => type.split(';')[0])).toEqual(['application/json', 'text/csv']);
  expect(content['application/json']).toEqual({ schema: ref('Custom') });
});
