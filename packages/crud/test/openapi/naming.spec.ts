/** Resources and the naming that options and documents ask for in; the ids of operations and the names of schemas that documents have, and what is refused. */
import { describe, expect, test } from '@jest/globals';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty } from '@nestjs/swagger';
import {
  Company,
  documentOf,
  type Json,
  makeUserCatalog,
  resource,
  type ResourceOptions,
  validate,
} from './fixture.js';

const idsOf = (document: unknown): string[] =>
  Object.values((document as Json)['paths'] as Json).flatMap((item) =>
    (Object.values(item as Json) as Json[]).map(({ operationId }) => operationId as string),
  );
const schemasOf = (document: unknown): string[] => Object.keys((document as Json)['components'].schemas as Json).sort();

const SHORT: ResourceOptions['openapi'] = { operationIds: 'short', schemas: 'short' };
const LIST_ONLY: ResourceOptions = { only: ['getManyBase'] };

describe('operation ids', () => {
  test('short ones name the records', async () => {
    const document = await documentOf([resource({ openapi: SHORT, query: { softDelete: true } })]);

    expect(idsOf(document).sort()).toEqual([
      'createManyUsers',
      'createOneUser',
      'deleteOneUser',
      'getManyUsers',
      'getOneUser',
      'recoverOneUser',
      'replaceOneUser',
      'updateOneUser',
    ]);
    await validate(document);
  });

  test.each([
    ['Category', 'getManyCategories'],
    ['Day', 'getManyDays'],
    ['Address', 'getManyAddresses'],
    ['Branch', 'getManyBranches'],
    ['Person', 'getManyPersons'],
  ])('%s → %s', async (singular, id) => {
    const document = await documentOf([resource({ ...LIST_ONLY, openapi: { operationIds: 'short', singular } })]);

    expect(idsOf(document)).toEqual([id]);
  });

  test('what is irregular, the options say', async () => {
    const openapi = { operationIds: 'short', singular: 'Person', plural: 'People' } as const;
    const document = await documentOf([resource({ only: ['getManyBase', 'getOneBase'], openapi })]);

    expect(idsOf(document)).toEqual(['getManyPeople', 'getOnePerson']);
  });

  const byMethod = (_controller: string, method: string): string => method;

  test("the document's factory makes them, with a mark of the path where it repeats itself", async () => {
    @Controller('status')
    class StatusController {
      @Get() getStatus(): string {
        return 'up';
      }
    }
    const resources = [
      resource({ only: ['getManyBase', 'getOneBase'] }),
      resource({ ...LIST_ONLY, path: 'admins', name: 'AdminsController' }),
      { controller: StatusController },
    ];
    const document = await documentOf(resources, '3.0.0', { operationIdFactory: byMethod });

    expect(idsOf(document)).toEqual(['getManyBase_users', 'getOneBase', 'getManyBase_admins', 'getStatus']);
    await validate(document);
  });

  test('an id of the handler wins over the options, and these over the factory', async () => {
    const decorate = (prototype: Json): void => {
      ApiOperation({ operationId: 'findUsers' })({}, '', { value: prototype['getManyBase'] });
    };
    const only: ResourceOptions = { only: ['getManyBase', 'getOneBase'], before: decorate };
    const ids = async (openapi: ResourceOptions['openapi']): Promise<string[]> =>
      idsOf(await documentOf([resource({ ...only, openapi })], '3.0.0', { operationIdFactory: byMethod }));

    expect(await ids(undefined)).toEqual(['findUsers', 'getOneBase']);
    expect(await ids({ operationIds: 'short' })).toEqual(['findUsers', 'getOneUser']);
    expect(await ids({ operationIds: 'long' })).toEqual(['findUsers', 'getOneBaseUsersControllerUser']);
  });

  test('two resources with one short id are refused by their names', async () => {
    const resources = [
      resource({ ...LIST_ONLY, openapi: SHORT }),
      resource({ ...LIST_ONLY, openapi: SHORT, path: 'companies/:id/users', name: 'CompanyUsersController' }),
    ];

    await expect(documentOf(resources)).rejects.toThrow(
      'The operation id getManyUsers is shared by GET /users (UsersController) and GET /companies/{id}/users (CompanyUsersController). Name one of the resources differently by @Crud({ openapi: { singular, plural } })',
    );
    // A document of each is no problem, nor is another name.
    for (const each of resources) expect(idsOf(await documentOf([each]))).toEqual(['getManyUsers']);
    const renamed = resource({ ...LIST_ONLY, openapi: { ...SHORT, singular: 'CompanyUser' }, path: 'others' });
    expect(idsOf(await documentOf([resources[0]!, renamed]))).toEqual(['getManyUsers', 'getManyCompanyUsers']);
  });

  test('all ids that two resources share are told at once', async () => {
    const only = ['getManyBase', 'getOneBase'] as const;
    const resources = [
      resource({ only, openapi: SHORT }),
      resource({ only, openapi: SHORT, path: 'staff', name: 'StaffController' }),
    ];

    await expect(documentOf(resources)).rejects.toThrow(
      `The operation id getManyUsers is shared by GET /users (UsersController) and GET /staff (StaffController).
The operation id getOneUser is shared by GET /users/{id} (UsersController) and GET /staff/{id} (StaffController).
Name one of the resources differently`,
    );
  });

  test('a short id that a handler of the application has is refused', async () => {
    @Controller('people')
    class PeopleController {
      @Get() @ApiOperation({ operationId: 'getManyUsers' }) list(): void {}
    }

    await expect(
      documentOf([resource({ ...LIST_ONLY, openapi: SHORT }), { controller: PeopleController }]),
    ).rejects.toThrow('getManyUsers is shared by GET /users (UsersController) and GET /people.');
  });

  test('a long id that a handler of the application has is told apart, and that handler keeps it', async () => {
    @Controller('people')
    class PeopleController {
      @Get() @ApiOperation({ operationId: 'getManyBaseUsersControllerUser' }) list(): void {}
    }

    expect(idsOf(await documentOf([resource(LIST_ONLY), { controller: PeopleController }]))).toEqual([
      'getManyBaseUsersControllerUser_users',
      'getManyBaseUsersControllerUser',
    ]);
  });
});

describe('names of schemas', () => {
  test('short ones', async () => {
    const query = { exclude: ['password'], join: { company: {} } };
    const document = await documentOf([resource({ openapi: SHORT, query })]);

    expect(schemasOf(document)).toEqual([
      'CreateManyUsers',
      'CreateUser',
      'CrudErrorDto',
      'ReplaceUser',
      'UpdateUser',
      'UserPage',
      'UserResponse',
      'UserResponseCompany',
    ]);
    await validate(document);
  });

  test('they follow the name of one record, while long ones do not', async () => {
    const named = (schemas: 'short' | 'long') => resource({ ...LIST_ONLY, openapi: { schemas, singular: 'Member' } });

    expect(schemasOf(await documentOf([named('short')]))).toEqual(['CrudErrorDto', 'MemberPage', 'MemberResponse']);
    expect(schemasOf(await documentOf([named('long')]))).toContain('GetManyUserResponseDto');
  });

  test('resources that show a model differently keep apart', async () => {
    const document = await documentOf([
      resource({ openapi: { schemas: 'short' }, ...LIST_ONLY }),
      resource({
        openapi: { schemas: 'short' },
        ...LIST_ONLY,
        path: 'guests',
        name: 'GuestsController',
        query: { exclude: ['email'] },
      }),
    ]);

    expect(schemasOf(document)).toEqual([
      'CrudErrorDto',
      'GuestsUserPage',
      'GuestsUserResponse',
      'UserPage',
      'UserResponse',
    ]);
    await validate(document);
  });

  test('they depend on their document alone, not on those that were made before', async () => {
    const users = makeUserCatalog();
    const guest: ResourceOptions = {
      ...LIST_ONLY,
      path: 'guests',
      name: 'GuestsController',
      query: { exclude: ['email'] },
    };
    const [all, guests] = [LIST_ONLY, guest].map((options) => resource({ ...options, catalogOf: () => users }));
    await documentOf([all!, guests!]);

    expect(schemasOf(await documentOf([guests!]))).toEqual([
      'CrudErrorDto',
      'GetManyUserResponseDto',
      'UserResponseDto',
    ]);
  });

  const ownBody = (name: string) => {
    class Own {
      @ApiProperty() note!: string;
      @ApiProperty({ type: () => Company }) company!: Company;
    }
    Object.defineProperty(Own, 'name', { value: name });

    @Controller('notes')
    class NotesController {
      @Post() @ApiOkResponse({ type: Own }) take(@Body() _own: Own): void {}
    }

    return { controller: NotesController };
  };

  test('a class of the application keeps its name: a long one is numbered, a short one refused', async () => {
    const creating: ResourceOptions = { only: ['createOneBase'] };
    const document = await documentOf([resource(creating), ownBody('CreateUserBodyDto')]);
    const { paths, components } = document as Json;
    const bodyOf = (path: string): Json =>
      paths[path].post[path === '/users' ? 'requestBody' : 'responses'][path === '/users' ? 'content' : '200'] as Json;

    expect(bodyOf('/users')['application/json'].schema).toEqual({ $ref: '#/components/schemas/CreateUserBodyDto2' });
    expect(bodyOf('/notes')['content']['application/json'].schema).toEqual({
      $ref: '#/components/schemas/CreateUserBodyDto',
    });
    expect(Object.keys(components.schemas.CreateUserBodyDto.properties as Json)).toEqual(['note', 'company']);
    expect(components.schemas.CreateUserBodyDto2.properties).toHaveProperty('email');
    await validate(document);

    await expect(documentOf([resource({ ...creating, openapi: SHORT }), ownBody('CreateUser')])).rejects.toThrow(
      'The schema CreateUser would be both a class of the application and a generated one. Name the resource differently by @Crud({ openapi: { singular, plural } }), or the class by @ApiSchema({ name })',
    );
  });
});
