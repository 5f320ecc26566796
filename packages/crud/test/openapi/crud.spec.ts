/** Controllers under `@Crud()` → the document of their application, made before the application is initialised, as people do. */
import { describe, expect, test } from '@jest/globals';
import { Controller, Get, Module, type Type, VERSION_NEUTRAL, VersioningType } from '@nestjs/common';
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
import { CATALOG } from '../../src/adapter.js';
import { Crud, CrudAuth, type CrudOptions, type CrudRequest, Override } from '../../src/index.js';
import { ParsedBody, ParsedRequest } from '../../src/index.js';
import {
  at,
  bodyOf,
  type Json,
  namesOf,
  operationsOf,
  parameter,
  ref,
  schemas,
  User,
  userCatalog as catalog,
  UsersService,
  validate,
} from './fixture.js';

class Invitation {
  @ApiProperty() guest!: string;
}

@Crud({ model: { type: User }, routes: { exclude: ['deleteOneBase'] } })
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

const LIST: Partial<CrudOptions> = { routes: { only: ['getManyBase'] } };

/** A controller of lists, decorated from the bottom up. */
function people(path: string | string[], version?: string[], ...decorators: ClassDecorator[]): Type<unknown> {
  class PeopleController {
    constructor(public service: UsersService) {}
  }
  Reflect.defineMetadata('design:paramtypes', [UsersService], PeopleController);
  const crud = decorators.length === 0 ? [Crud({ model: { type: User }, ...LIST })] : decorators;
  for (const decorate of [Controller({ path, version }), ...crud]) decorate(PeopleController);

  return PeopleController;
}

function moduleOf(controller: Type<unknown>): Type<unknown> {
  class PeopleModule {}
  Module({ controllers: [controller], providers: [UsersService] })(PeopleModule);

  return PeopleModule;
}

const create = (options: Parameters<typeof Module>[0]) => {
  class AppModule {}
  Module({ providers: [UsersService], ...options })(AppModule);

  return NestFactory.create(AppModule, { logger: false, abortOnError: false });
};

async function documentOf(
  controllers: Type<unknown>[],
  prepare: (app: Awaited<ReturnType<typeof create>>) => void = () => undefined,
  imports: NonNullable<Parameters<typeof Module>[0]['imports']> = [],
): Promise<Json> {
  const app = await create({ controllers, imports });
  prepare(app);
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().addBearerAuth().build());
  await app.close();

  return JSON.parse(JSON.stringify(document)) as Json;
}

const idsOf = (document: Json) =>
  Object.fromEntries(operationsOf(document).map(({ path, operationId }) => [path as string, operationId as string]));

describe('the notes on handlers', () => {
  const notes = (): unknown[] => {
    const handler = UsersController.prototype.invite;

    return Reflect.getMetadataKeys(handler).map((key: unknown) => [key, Reflect.getMetadata(key, handler) as unknown]);
  };

  test('are the application’s own, before a document is made and after it, even if it could not be made', async () => {
    const before = notes();
    const thrown = new Error('no description');
    const failing = documentOf([UsersController], (app) =>
      SwaggerModule.createDocument(app, {
        get openapi(): never {
          throw thrown;
        },
      } as never),
    );

    await expect(failing).rejects.toBe(thrown);
    expect(notes()).toEqual(before);
    const first = await documentOf([UsersController]);
    expect(Object.keys(at(first, '/users', 'post')['responses'])).toEqual(['201', '400', '409']);
    expect(await documentOf([UsersController])).toEqual(first);
    expect(notes()).toEqual(before);
    expect(before.flat()).not.toContain('swagger/apiResponse');
  });
});

test('what a decorator above @Crud() says of a handler wins', async () => {
  const summarized: ClassDecorator = ({ prototype }) => {
    const value = (prototype as Record<string, object>)['getManyBase'] as never;

    ApiOperation({ summary: 'Said later' })(prototype as object, 'getManyBase', { value });
    ApiQuery({ name: 'limit', description: 'Said later' })(prototype as object, 'getManyBase', { value });
  };
  const controller = people('users', undefined, Crud({ model: { type: User }, ...LIST }), summarized);
  const list = at(await documentOf([controller]), '/users', 'get');

  expect(list['summary']).toBe('Said later');
  expect(namesOf(list).filter((name) => name === 'limit')).toHaveLength(1);
  expect(parameter(list, 'limit')['description']).toBe('Said later');
});

test('each application’s document has the columns of its own catalog, whichever was made last', async () => {
  const other = Object.defineProperty(new UsersService(), CATALOG, {
    value: { ...catalog, columns: new Map([...catalog.columns].filter(([path]) => path !== 'age')) },
  });
  const made = (useValue: UsersService) =>
    create({ controllers: [UsersController], providers: [{ provide: UsersService, useValue }] });
  const applications = [await made(new UsersService()), await made(other)];
  const [one, two] = applications.map((app) => {
    const list = at(SwaggerModule.createDocument(app, new DocumentBuilder().build()), '/users', 'get');

    return parameter(list, 'fields')['schema'].items.enum as unknown;
  });
  await Promise.all(applications.map((app) => app.close()));

  expect(one).toContain('age');
  expect(two).not.toContain('age');
});

test('a document of some modules describes their controllers, and only those', async () => {
  const sections = ['inside', 'outside'].map((path) => moduleOf(people(path)));
  class AppModule {}
  Module({ imports: sections })(AppModule);
  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  const [inside, all] = [{ include: sections.slice(0, 1) }, { include: [AppModule], deepScanRoutes: true }].map(
    (options) => SwaggerModule.createDocument(app, new DocumentBuilder().build(), options) as Json,
  );
  await app.close();

  expect([inside, all].map((one) => Object.keys(one!['paths'] as Json))).toEqual([
    ['/inside'],
    ['/inside', '/outside'],
  ]);
  for (const operation of [...operationsOf(inside), ...operationsOf(all)])
    expect(operation).toMatchObject({ summary: 'Retrieve multiple User items', responses: { 400: {} } });
});

describe('a document made before the start', () => {
  test('describes overriding handlers, which inherit what they do not say', async () => {
    const document = await documentOf([UsersController, people('companies/:companyId/users')]);
    const list = at(document, '/users', 'get');

    await validate(document as never);
    expect(list).toMatchObject({
      summary: 'Find people',
      operationId: 'getManyBaseUsersControllerUser',
      tags: ['people'],
      security: [{ bearer: [] }],
    });
    expect(namesOf(list)).toContain('limit');
    expect(parameter(list, 'fields')['schema'].items.enum).toContain('age');
    expect(Object.keys(at(document, '/users', 'post')['responses'])).toEqual(['201', '400', '409']);
    expect(bodyOf(document, '/users', 'post')).toEqual(ref('Invitation'));
    expect(document['paths']).not.toHaveProperty(['/users/{id}', 'delete']);
    expect(namesOf(at(document, '/companies/{companyId}/users', 'get'), 'path')).toEqual(['companyId']);
  });

  test('tells versions and paths of one handler apart by what their paths differ in', async () => {
    const own = await documentOf([people(['people', 'persons'], ['1', '2'])], (app) =>
      app.enableVersioning({ type: VersioningType.URI }),
    );
    const everywhere = await documentOf([people('people')], (app) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: ['1', VERSION_NEUTRAL] });
    });

    for (const document of [own, everywhere]) await validate(document as never);
    expect(idsOf(own)).toEqual({
      '/v1/people': 'getManyBasePeopleControllerUser_v1_people',
      '/v1/persons': 'getManyBasePeopleControllerUser_v1_persons',
      '/v2/people': 'getManyBasePeopleControllerUser_v2_people',
      '/v2/persons': 'getManyBasePeopleControllerUser_v2_persons',
    });
    expect(idsOf(everywhere)).toEqual({
      '/api/v1/people': 'getManyBasePeopleControllerUser_v1',
      '/api/people': 'getManyBasePeopleControllerUser',
    });
  });

  test('so it does one controller in two modules, and another of the same name', async () => {
    const one = people('people');
    const [inside, outside, others] = [moduleOf(one), moduleOf(one), moduleOf(people('others'))];
    const routes = RouterModule.register([
      { path: 'inside', module: inside },
      { path: 'outside/:tenant', module: outside },
    ]);
    const document = await documentOf([], undefined, [inside, outside, others, routes]);

    await validate(document as never);
    expect(idsOf(document)).toEqual({
      '/inside/people': 'getManyBasePeopleControllerUser_inside_people',
      '/outside/{tenant}/people': 'getManyBasePeopleControllerUser_outside_tenant_people',
      '/others': 'getManyBasePeopleControllerUser_others',
    });
  });

  test('describes a parameter in the path of a module by its option', async () => {
    const params = { companyId: { field: 'companyId' as const, type: 'number' as const } };
    const inside = moduleOf(people('people', undefined, Crud({ model: { type: User }, params, ...LIST })));
    const routes = RouterModule.register([{ path: 'companies/:companyId', module: inside }]);
    const list = at(await documentOf([], undefined, [inside, routes]), '/companies/{companyId}/people', 'get');

    expect(parameter(list, 'companyId')).toEqual({
      name: 'companyId',
      in: 'path',
      required: true,
      description: 'User: `companyId`',
      schema: { type: 'integer' },
    });
  });

  test('leaves an id alone that the application gave, also where ids meet', async () => {
    @Controller('mine')
    class MineController {
      @ApiOperation({ operationId: 'getManyBasePeopleControllerUser_v1' }) @Get() mine(): void {}
      @ApiOperation({ operationId: 'twice' }) @Get(['a', 'b']) twice(): void {}
    }
    const document = await documentOf([people('people', ['1', '2']), MineController], (app) =>
      app.enableVersioning({ type: VersioningType.URI }),
    );

    expect(idsOf(document)).toEqual({
      '/v1/people': 'getManyBasePeopleControllerUser_v1_2',
      '/v2/people': 'getManyBasePeopleControllerUser_v2',
      '/mine': 'getManyBasePeopleControllerUser_v1',
      '/mine/a': 'twice',
      '/mine/b': 'twice',
    });
  });
});

test('bodies need not send what `@CrudAuth()` persists, whether it stands above or below `@Crud()`', async () => {
  const persisted = CrudAuth({ property: 'user', persist: () => ({ companyId: 1 }) });
  const crud = Crud({ model: { type: User } });

  for (const decorators of [
    [persisted, crud],
    [crud, persisted],
  ]) {
    const document = await documentOf([people('members', undefined, ...decorators)]);
    expect(schemas(document)['CreateUserBodyDto']!['required']).toEqual(['email', 'password']);
  }
});
