/** Controllers under `@Crud()` → the document of their application, made before the application is initialised, as people do. */
import { describe, expect, test } from '@jest/globals';
import { Controller, Get, Module, RequestMethod, type Type, VERSION_NEUTRAL, VersioningType } from '@nestjs/common';
import { NestFactory, RouterModule } from '@nestjs/core';
import {
  ApiBearerAuth,
  ApiOperation,
  ApiProperty,
  ApiQuery,
  ApiTags,
  DocumentBuilder,
  SwaggerModule,
} from '@nestjs/swagger';
import { Crud, CrudAuth, type CrudRequest, Override, ParsedBody, ParsedRequest } from '../../src/index.js';
import { CATALOG } from '../../src/adapter.js';
import { type Json, User, userCatalog as catalog, UsersService, validate } from './fixture.js';

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
  imports: NonNullable<Parameters<typeof Module>[0]['imports']> = [],
): Promise<Json> {
  class AppModule {}
  Module({ controllers, providers: [UsersService], imports })(AppModule);

  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  prepare(app);
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().addBearerAuth().build());
  await app.close();

  return JSON.parse(JSON.stringify(document)) as Json;
}

describe('the notes on handlers', () => {
  const ensureState = (method: keyof UsersController): unknown[] => {
    const handler = UsersController.prototype[method];

    return Reflect.getMetadataKeys(handler).map((key: unknown) => [key, Reflect.getMetadata(key, handler) as unknown]);
  };

  test('are the application’s own, before a document is made and after it', async () => {
    const before = ensureState('invite');
    const [first, second] = [await documentOf([UsersController]), await documentOf([UsersController])];

    expect(Object.keys(first['paths']['/users'].post.responses)).toEqual(['201', '400', '409']);
    expect(second).toEqual(first);
    expect(ensureState('invite')).toEqual(before);
    expect(before.flat()).not.toContain('swagger/apiResponse');
  });

  test('are left as they were by a document that could not be made', async () => {
    const before = ensureState('invite');
    const thrown = new Error('no description');

    await expect(
      documentOf([UsersController], (app) =>
        SwaggerModule.createDocument(app, {
          get openapi(): never {
            throw thrown;
          },
        } as never),
      ),
    ).rejects.toBe(thrown);
    expect(ensureState('invite')).toEqual(before);
  });
});

test('what a decorator above @Crud() says of a handler wins', async () => {
  const summarized: ClassDecorator = ({ prototype }) => {
    const value = (prototype as Record<string, object>)['getManyBase'] as never;

    ApiOperation({ summary: 'Said later' })(prototype as object, 'getManyBase', { value });
    ApiQuery({ name: 'limit', description: 'Said later' })(prototype as object, 'getManyBase', { value });
  };

  @summarized
  @Controller('users')
  @Crud({ model: { type: User }, routes: { only: ['getManyBase'] } })
  class LateController {
    constructor(public service: UsersService) {}
  }
  Reflect.defineMetadata('design:paramtypes', [UsersService], LateController);
  const { summary, parameters } = (await documentOf([LateController]))['paths']['/users'].get as Json;

  expect(summary).toBe('Said later');
  expect((parameters as Json[]).filter(({ name }) => name === 'limit')).toMatchObject([{ description: 'Said later' }]);
});

test('each application’s document has the columns of its own catalog, whichever was made last', async () => {
  class OtherService extends UsersService {}
  const other = Object.defineProperty(new OtherService(), CATALOG, {
    value: { ...catalog, columns: new Map([...catalog.columns].filter(([path]) => path !== 'age')) },
  });
  const made = async (service: UsersService) => {
    class AppModule {}
    Module({ controllers: [UsersController], providers: [{ provide: UsersService, useValue: service }] })(AppModule);

    return NestFactory.create(AppModule, { logger: false, abortOnError: false });
  };
  const applications = [await made(new UsersService()), await made(other)];
  const fields = applications.map((app) => {
    const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build()) as Json;

    return (paths['/users'].get.parameters as Json[]).find(({ name }) => name === 'fields')!['schema'].items.enum;
  });
  await Promise.all(applications.map((app) => app.close()));

  expect(fields[0]).toContain('age');
  expect(fields[1]).not.toContain('age');
});

test('a document of some modules describes their controllers, and only those', async () => {
  const sections = ['inside', 'outside'].map((path) => {
    @Controller(path)
    @Crud({ model: { type: User }, routes: { only: ['getManyBase'] } })
    class SectionController {
      constructor(public service: UsersService) {}
    }
    class SectionModule {}
    Reflect.defineMetadata('design:paramtypes', [UsersService], SectionController);
    Module({ controllers: [SectionController], providers: [UsersService] })(SectionModule);

    return SectionModule;
  });
  class AppModule {}
  Module({ imports: sections })(AppModule);

  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  const [inside, all] = [{ include: sections.slice(0, 1) }, { include: [AppModule], deepScanRoutes: true }].map(
    (options) => SwaggerModule.createDocument(app, new DocumentBuilder().build(), options) as Json,
  );
  await app.close();

  expect(Object.keys(inside!['paths'])).toEqual(['/inside']);
  expect(Object.keys(all!['paths'])).toEqual(['/inside', '/outside']);
  for (const operation of [inside!['paths']['/inside'].get, all!['paths']['/outside'].get] as Json[])
    expect(operation).toMatchObject({ summary: 'Retrieve multiple User items', responses: { 400: {} } });
});

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

  const idsOf = (document: Json): Record<string, string[]> =>
    Object.fromEntries(
      Object.entries(document['paths'] as Json).map(([path, item]) => [
        path,
        (Object.values(item as Json) as Json[]).map((operation) => operation['operationId'] as string),
      ]),
    );

  const readOnly = (path: string | string[], version?: string[]): Type<unknown> => {
    @Crud({ model: { type: User }, routes: { only: ['getManyBase'] } })
    @Controller({ path, version })
    class PeopleController {
      constructor(public service: UsersService) {}
    }
    Reflect.defineMetadata('design:paramtypes', [UsersService], PeopleController);

    return PeopleController;
  };

  const moduleOf = (controller: Type<unknown>): Type<unknown> => {
    class PeopleModule {}
    Module({ controllers: [controller], providers: [UsersService] })(PeopleModule);

    return PeopleModule;
  };

  test('several versions and paths of one handler are told apart by what their paths differ in', async () => {
    const controller = readOnly(['people', 'persons'], ['1', '2']);
    const document = await documentOf([controller], (app) => app.enableVersioning({ type: VersioningType.URI }));

    await validate(document as never);
    expect(idsOf(document)).toEqual({
      '/v1/people': ['getManyBasePeopleControllerUser_v1_people'],
      '/v1/persons': ['getManyBasePeopleControllerUser_v1_persons'],
      '/v2/people': ['getManyBasePeopleControllerUser_v2_people'],
      '/v2/persons': ['getManyBasePeopleControllerUser_v2_persons'],
    });
  });

  test('so are the versions that the application gives to all its controllers', async () => {
    const document = await documentOf([readOnly('people')], (app) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: ['1', '2', VERSION_NEUTRAL] });
    });

    await validate(document as never);
    expect(idsOf(document)).toEqual({
      '/api/v1/people': ['getManyBasePeopleControllerUser_v1'],
      '/api/v2/people': ['getManyBasePeopleControllerUser_v2'],
      '/api/people': ['getManyBasePeopleControllerUser'],
    });
  });

  test('so is one controller in two modules, and another of the same name', async () => {
    const people = readOnly('people');
    const [inside, outside, others] = [moduleOf(people), moduleOf(people), moduleOf(readOnly('others'))];
    const routes = RouterModule.register([
      { path: 'inside', module: inside },
      { path: 'outside/:tenant', module: outside },
    ]);
    const document = await documentOf([], undefined, [inside, outside, others, routes]);

    await validate(document as never);
    expect(idsOf(document)).toEqual({
      '/inside/people': ['getManyBasePeopleControllerUser_inside_people'],
      '/outside/{tenant}/people': ['getManyBasePeopleControllerUser_outside_tenant_people'],
      '/others': ['getManyBasePeopleControllerUser_others'],
    });
  });

  test('a parameter in the path of a module is described by its option', async () => {
    @Crud({
      model: { type: User },
      params: { companyId: { field: 'companyId', type: 'number' }, id: { field: 'id', type: 'number', primary: true } },
      routes: { only: ['getOneBase'] },
    })
    @Controller('people')
    class PeopleController {
      constructor(public service: UsersService) {}
    }
    Reflect.defineMetadata('design:paramtypes', [UsersService], PeopleController);

    const inside = moduleOf(PeopleController);
    const routes = RouterModule.register([{ path: 'companies/:companyId', module: inside }]);
    const { paths } = await documentOf([], undefined, [inside, routes]);
    const { parameters } = paths['/companies/{companyId}/people/{id}'].get as Json;

    expect((parameters as Json[]).filter((item) => item['in'] === 'path')).toEqual([
      {
        name: 'companyId',
        in: 'path',
        required: true,
        description: 'User: `companyId`',
        schema: { type: 'integer' },
      },
      { name: 'id', in: 'path', required: true, description: 'User: `id`', schema: { type: 'integer' } },
    ]);
  });

  test('an id that the application gave is left alone, also where ids meet', async () => {
    @ApiTags('mine')
    @Controller('mine')
    class MineController {
      @ApiOperation({ operationId: 'getManyBasePeopleControllerUser_v1' })
      @Get()
      mine(): void {}

      @ApiOperation({ operationId: 'twice' })
      @Get(['a', 'b'])
      twice(): void {}
    }
    const document = await documentOf([readOnly('people', ['1', '2']), MineController], (app) =>
      app.enableVersioning({ type: VersioningType.URI }),
    );

    expect(idsOf(document)).toEqual({
      '/v1/people': ['getManyBasePeopleControllerUser_v1_2'],
      '/v2/people': ['getManyBasePeopleControllerUser_v2'],
      '/mine': ['getManyBasePeopleControllerUser_v1'],
      '/mine/a': ['twice'],
      '/mine/b': ['twice'],
    });
  });
});

test('bodies need not send what `@CrudAuth()` persists, whether it stands above or below `@Crud()`', async () => {
  const persisted = CrudAuth({ property: 'user', persist: () => ({ companyId: 1 }) });
  const crud = Crud({ model: { type: User } });
  const requiredUnder = async (...decorators: ClassDecorator[]): Promise<unknown> => {
    class MembersController {
      constructor(public service: UsersService) {}
    }
    Reflect.defineMetadata('design:paramtypes', [UsersService], MembersController);
    for (const decorate of [...decorators, Controller('members')].reverse()) decorate(MembersController);
    const { components } = await documentOf([MembersController]);

    return (components as Json)['schemas'].CreateUserBodyDto.required;
  };

  expect(await requiredUnder(persisted, crud)).toEqual(['email', 'password']);
  expect(await requiredUnder(crud, persisted)).toEqual(['email', 'password']);
});
