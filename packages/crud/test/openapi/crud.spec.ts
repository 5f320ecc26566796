/** Controllers under `@Crud()` in, the document of their application out, made before the application is initialised, as people do. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { Controller, Injectable, Module, RequestMethod, type Type, VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiBearerAuth, ApiOperation, ApiProperty, ApiTags, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Crud, type CrudRequest, CrudService, Override, ParsedBody, ParsedRequest } from '../../src/index.js';
import { makeUserCatalog, stopValidator, User, validate } from './fixture.js';

afterAll(stopValidator);

// A document is walked by paths that its type does not know.
type Json = Record<string, any>;

const catalog = makeUserCatalog();

const notCalled = (): Promise<never> => Promise.reject(new Error('A document calls no handler'));

@Injectable()
class UsersService extends CrudService<User> {
  override get catalog() {
    return catalog;
  }

  getMany = notCalled;
  getOne = notCalled;
  createOne = notCalled;
  createMany = notCalled;
  updateOne = notCalled;
  replaceOne = notCalled;
  deleteOne = notCalled;
  recoverOne = notCalled;
}

class Invitation {
  @ApiProperty() guest!: string;
}

@Crud({
  model: { type: User },
  query: { exclude: ['password'], join: { company: {} }, maxLimit: 30 },
  routes: { exclude: ['deleteOneBase'] },
})
@ApiTags('people')
@ApiBearerAuth()
@Controller('users')
class UsersController {
  constructor(public service: UsersService) {}

  @Override()
  @ApiOperation({ summary: 'Find people' })
  getMany(@ParsedRequest() request: CrudRequest): unknown {
    return request;
  }

  @Override('createOneBase')
  invite(@ParsedRequest() _: CrudRequest, @ParsedBody() invitation: Invitation): unknown {
    return invitation;
  }
}

@Controller('companies/:companyId/users')
@Crud({
  model: { type: User },
  params: {
    companyId: { field: 'companyId', type: 'number' },
    id: { field: 'id', type: 'number', primary: true },
  },
})
class CompanyUsersController {
  constructor(public service: UsersService) {}
}

async function documentOf(
  controllers: Type<unknown>[],
  prepare: (app: Awaited<ReturnType<typeof NestFactory.create>>) => void = () => undefined,
): Promise<Json> {
  class AppModule {}
  Module({ controllers, providers: [UsersService] })(AppModule);

  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  prepare(app);
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().addBearerAuth().build());
  await app.close();

  return JSON.parse(JSON.stringify(document)) as Json;
}

describe('a document made before the start', () => {
  test('validates, with unique operation ids and the columns of the catalog', async () => {
    const document = await documentOf([UsersController, CompanyUsersController]);
    const operations = Object.values(document['paths'] as Json).flatMap(
      (item) => Object.values(item as Json) as Json[],
    );
    const ids = operations.map((operation) => operation['operationId'] as string);
    const list = document['paths']['/users'].get as Json;

    await validate(document as never);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('getManyBaseUsersControllerUser');
    expect(ids).toContain('getManyBaseCompanyUsersControllerUser');
    expect(document['paths']).not.toHaveProperty(['/users/{id}', 'delete']);
    expect((list['parameters'] as Json[]).find((item) => item['name'] === 'fields')!['schema'].items.enum).toEqual([
      'id',
      'email',
      'age',
      'companyId',
      'settings',
      'createdAt',
    ]);
  });

  test('overriding handlers inherit what they do not say', async () => {
    const { paths } = await documentOf([UsersController]);

    expect(paths['/users'].get).toMatchObject({
      summary: 'Find people',
      operationId: 'getManyBaseUsersControllerUser',
      tags: ['people'],
    });
    expect(paths['/users'].get.security).toEqual([{ bearer: [] }]);
    expect((paths['/users'].get.parameters as Json[]).map((item) => item['name'])).toContain('limit');
    expect(Object.keys(paths['/users'].post.responses)).toEqual(['201', '400', '409']);
  });

  test('the body of an overriding handler is the class of its parameter', async () => {
    const { paths } = await documentOf([UsersController]);

    expect(paths['/users'].post.requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/Invitation',
    });
  });

  test('path parameters of the controller are there on every route', async () => {
    const document = await documentOf([CompanyUsersController]);

    for (const [path, item] of Object.entries(document['paths'] as Json)) {
      for (const operation of Object.values(item as Json) as Json[]) {
        const inPath = (operation['parameters'] as Json[])
          .filter((parameter) => parameter['in'] === 'path')
          .map(({ name }) => name as string);

        expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      }
    }
  });

  test('a global prefix and versions of the URI are part of the paths', async () => {
    const document = await documentOf([UsersController], (app) => {
      app.setGlobalPrefix('api', { exclude: [{ path: 'health', method: RequestMethod.GET }] });
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    });

    await validate(document as never);
    expect(Object.keys(document['paths'])).toContain('/api/v1/users/{id}');
  });

  test('several versions or paths of one handler have ids of their own', async () => {
    @Crud({ model: { type: User } })
    @Controller({ path: ['people', 'persons'], version: ['1', '2'] })
    class PeopleController {
      constructor(public service: UsersService) {}
    }
    Reflect.defineMetadata('design:paramtypes', [UsersService], PeopleController);

    const document = await documentOf([PeopleController], (app) => app.enableVersioning({ type: VersioningType.URI }));
    const ids = Object.values(document['paths'] as Json).flatMap((item) =>
      (Object.values(item as Json) as Json[]).map((operation) => operation['operationId'] as string),
    );

    await validate(document as never);
    expect(ids).toHaveLength(28);
    expect(new Set(ids).size).toBe(28);
  });
});
