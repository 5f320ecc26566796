/** Controllers under `@Crud()`, and handlers of the application's own → the document of their application, made before it is initialised, as people do. */
import { expect, test } from '@jest/globals';
import * as nest from '@nestjs/common';
import { Controller, Get, Module, type Type, VERSION_NEUTRAL, VersioningType } from '@nestjs/common';
import { NestFactory, RouterModule } from '@nestjs/core';
import * as swagger from '@nestjs/swagger';
import { ApiOperation, ApiProperty, ApiQuery, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { CATALOG } from '../../src/adapter.js';
import { Crud, CrudAuth, type CrudOptions, type CrudRequest, CrudRequestInterceptor } from '../../src/index.js';
import { Override, ParsedBody, ParsedRequest } from '../../src/index.js';
import { documentOf, User, userCatalog as catalog, UsersService } from './fixture.js';
import { at, bodyOf, type Json, namesOf, operationsOf, parameter, ref, requiredBy } from './reading.js';

class Invitation {
  @ApiProperty() guest!: string;
}

@Crud({ model: { type: User }, routes: { exclude: ['deleteOneBase'] } })
@swagger.ApiTags('people')
@swagger.ApiBearerAuth()
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

const create = (providers: Parameters<typeof Module>[0]['providers'], imports: Type<unknown>[] = []) => {
  class AppModule {}

  Module({ controllers: imports.length > 0 ? [] : [UsersController], providers, imports })(AppModule);
  return NestFactory.create(AppModule, { logger: false, abortOnError: false });
};

const idsOf = (document: unknown) =>
  Object.fromEntries(operationsOf(document).map(({ path, operationId }) => [path as string, operationId as string]));

test('the notes on handlers are the application’s own, before a document is made and after it, even if it could not be made', async () => {
  const handler = UsersController.prototype.invite;
  const notes = (): unknown[] =>
    Reflect.getMetadataKeys(handler).map((key: unknown) => [key, Reflect.getMetadata(key, handler) as unknown]);
  const before = notes();
  const thrown = new Error('no description');
  const openapi = {
    get() {
      throw thrown;
    },
  };
  const config = Object.defineProperty({}, 'openapi', openapi) as never;
  const failing = documentOf([UsersController], { prepare: (app) => SwaggerModule.createDocument(app, config) });
  await expect(failing).rejects.toBe(thrown);
  expect(notes()).toEqual(before);
  const first = await documentOf([UsersController]);
  expect([await documentOf([UsersController]), notes()]).toEqual([first, before]);
  expect(before.flat()).not.toContain('swagger/apiResponse');
});

test('what a decorator above @Crud() says of a handler wins', async () => {
  const summarized: ClassDecorator = ({ prototype }) => {
    const value = (prototype as Record<string, object>)['getManyBase'] as never;
    ApiOperation({ summary: 'Said later' })(prototype as object, 'getManyBase', { value });
    ApiQuery({ name: 'limit', description: 'Said later' })(prototype as object, 'getManyBase', { value });
  };
  const controller = people('users', undefined, Crud({ model: { type: User }, ...LIST }), summarized);
  const list = at(await documentOf([controller]), '/users', 'get');
  expect({ ...list, ...parameter(list, 'limit') }).toMatchObject({ summary: 'Said later', description: 'Said later' });
  expect(namesOf(list).filter((name) => name === 'limit')).toHaveLength(1);
});

test('each application’s document has the columns of its own catalog, whichever was made last', async () => {
  const other = Object.defineProperty(new UsersService(), CATALOG, {
    value: { ...catalog, columns: new Map([...catalog.columns].filter(([path]) => path !== 'age')) },
  });
  const made = (useValue: UsersService) => create([{ provide: UsersService, useValue }]);
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
  const app = await create([], sections);
  const [inside, all] = [{ include: sections.slice(0, 1) }, { include: sections, deepScanRoutes: true }].map(
    (options) => SwaggerModule.createDocument(app, new DocumentBuilder().build(), options) as Json,
  );
  await app.close();
  const paths = [inside, all].map((one) => Object.keys(one!['paths'] as Json).join());
  expect(paths).toEqual(['/inside', '/inside,/outside']);
  for (const operation of [...operationsOf(inside), ...operationsOf(all)])
    expect(operation).toMatchObject({ summary: 'Retrieve multiple User items', responses: { 400: {} } });
});

test('a document made before the start describes overriding handlers, which inherit what they do not say', async () => {
  const document = await documentOf([UsersController, people('companies/:companyId/users')]);
  const list = at(document, '/users', 'get');
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

test('a document made before the start tells versions and paths of one handler apart by what their paths differ in', async () => {
  const own = await documentOf([people(['people', 'persons'], ['1', '2'])], {
    prepare: (app) => app.enableVersioning({ type: VersioningType.URI }),
  });
  const everywhere = await documentOf([people('people')], {
    prepare: (app) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: ['1', VERSION_NEUTRAL] });
    },
  });

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

test('a document made before the start tells one controller in two modules apart, and another of the same name', async () => {
  const one = people('people');
  const [inside, outside, others] = [moduleOf(one), moduleOf(one), moduleOf(people('others'))];
  const routes = RouterModule.register([
    { path: 'inside', module: inside },
    { path: 'outside/:tenant', module: outside },
  ]);
  const document = await documentOf([], { imports: [inside, outside, others, routes] });
  expect(idsOf(document)).toEqual({
    '/inside/people': 'getManyBasePeopleControllerUser_inside_people',
    '/outside/{tenant}/people': 'getManyBasePeopleControllerUser_outside_tenant_people',
    '/others': 'getManyBasePeopleControllerUser_others',
  });
});

test('a document made before the start describes a parameter in the path of a module by its option', async () => {
  const params = { companyId: { field: 'companyId' as const, type: 'number' as const } };
  const inside = moduleOf(people('people', undefined, Crud({ model: { type: User }, params, ...LIST })));
  const routes = RouterModule.register([{ path: 'companies/:companyId', module: inside }]);
  const list = at(await documentOf([], { imports: [inside, routes] }), '/companies/{companyId}/people', 'get');
  expect(parameter(list, 'companyId')).toMatchObject({
    description: 'User: `companyId`',
    schema: { type: 'integer' },
  });
});

test('a document made before the start leaves an id alone that the application gave, also where ids meet', async () => {
  @Controller('mine')
  class MineController {
    @ApiOperation({ operationId: 'getManyBasePeopleControllerUser_v1' }) @Get() mine(): void {}
    @ApiOperation({ operationId: 'twice' }) @Get(['a', 'b']) twice(): void {}
  }
  const document = await documentOf([people('people', ['1', '2']), MineController], {
    prepare: (app) => app.enableVersioning({ type: VersioningType.URI }),
  });

  expect(idsOf(document)).toEqual({
    '/v1/people': 'getManyBasePeopleControllerUser_v1_2',
    '/v2/people': 'getManyBasePeopleControllerUser_v2',
    '/mine': 'getManyBasePeopleControllerUser_v1',
    '/mine/a': 'twice',
    '/mine/b': 'twice',
  });
});

test('bodies need not send what `@CrudAuth()` persists, whether it stands above or below `@Crud()`', async () => {
  const persisted = CrudAuth({ property: 'user', persist: () => ({ companyId: 1 }) });
  const crud = Crud({ model: { type: User } });
  const requiredAfter = async (...decorators: ClassDecorator[]) =>
    requiredBy(await documentOf([people('members', undefined, ...decorators)]), 'CreateUserBodyDto')?.join();
  expect(await requiredAfter(persisted, crud)).toBe('email,password');
  expect(await requiredAfter(crud, persisted)).toBe('email,password');
});

const PARAMS = {
  area: { disabled: true },
  companyId: { field: 'companyId', type: 'number' },
  id: { field: 'id', type: 'number', primary: true },
} as const;

@nest.Injectable()
class TracedInterceptor extends CrudRequestInterceptor {}

@Crud({ model: { type: User }, params: PARAMS, query: { exclude: ['password'], maxLimit: 30 } })
@Controller('companies/:companyId/users')
class CompanyUsersController {
  constructor(public service: UsersService) {}
  @Override()
  getMany(@ParsedRequest() request: CrudRequest): unknown {
    return request;
  }

  @Get(':id/card')
  @nest.UseInterceptors(CrudRequestInterceptor)
  card(@ParsedRequest() request: CrudRequest): unknown {
    return request;
  }

  @Get('export/:format')
  @nest.UseInterceptors(TracedInterceptor)
  @ApiQuery({ name: 'limit', description: 'Ours', schema: { type: 'integer', maximum: 5 } })
  @swagger.ApiParam({ name: 'format', enum: ['csv', 'json'] })
  export(
    @ParsedRequest() request: CrudRequest,
    @nest.Param('companyId') _companyId: string,
    @nest.Query('sort') _sort: string,
  ): unknown {
    return request;
  }

  @nest.Post(':id/complete')
  @nest.UseInterceptors(new CrudRequestInterceptor())
  complete(@ParsedRequest() request: CrudRequest): unknown {
    return request;
  }

  @nest.Delete('cache')
  plain(): void {}
}

class Joining {
  @ApiProperty() name!: string;
  @ApiProperty({ type: 'integer' }) companyId!: number;
}

/** No route of it has the parameter, which scopes an own handler. */
@Crud({ model: { type: User }, dto: { create: Joining }, params: PARAMS })
@Controller('people')
class PeopleController {
  constructor(public service: UsersService) {}
  @Get('of/:companyId')
  @nest.UseInterceptors(CrudRequestInterceptor)
  of(@ParsedRequest() request: CrudRequest): unknown {
    return request;
  }
}

@nest.UseInterceptors(CrudRequestInterceptor)
@Controller('search')
class SearchController {
  @Get(':tenant')
  search(@ParsedRequest() request: CrudRequest): unknown {
    return request;
  }
}

@Module({ controllers: [CompanyUsersController, PeopleController, SearchController], providers: [UsersService] })
class OwnHandlersModule {}

const BASE = '/areas/{area}/companies/{companyId}/users';
const ONE = ['fields', 's', 'filter', 'or', 'join', 'cache'];
const MANY = ['fields', 's', 'filter', 'or', 'sort', 'join', 'limit', 'offset', 'page', 'cache'];

test.each(['3.0.0', '3.1.0'])('own handlers show their parameters, OpenAPI %s', async (version) => {
  const prefixed = RouterModule.register([{ path: 'areas/:area', module: OwnHandlersModule }]);
  const made = await documentOf([], { imports: [OwnHandlersModule, prefixed], version });
  const card = at(made, `${BASE}/{id}/card`, 'get');
  const csv = at(made, `${BASE}/export/{format}`, 'get');
  for (const [method, path, inPath, inQuery] of [
    ['get', `${BASE}/{id}/card`, 'area companyId id', ONE],
    // What the application declares stays, and is there once.
    ['get', `${BASE}/export/{format}`, 'area companyId format', MANY],
    ['post', `${BASE}/{id}/complete`, 'area companyId id', ['fields', 'join']],
    // Without @Crud() there are no names to show; without the interceptor nothing is added.
    ['get', '/areas/{area}/search/{tenant}', 'area tenant', MANY],
    ['delete', `${BASE}/cache`, '', []],
    // Those of a module's path stand in every route's, disabled or not; overriding handlers are those of their routes.
    ['get', '/areas/{area}/people/of/{companyId}', 'area companyId', MANY],
    ['post', '/areas/{area}/people', 'area', ['fields', 'join']],
    ['get', BASE, 'area companyId', MANY],
  ] as const) {
    const operation = at(made, path, method);
    expect([path, namesOf(operation, 'path').toSorted().join(' ')]).toEqual([path, inPath]);
    expect([path, namesOf(operation, 'query').toSorted()]).toEqual([path, inQuery.toSorted()]);
  }
  expect(namesOf(card, 'query')).toEqual(ONE);
  expect(parameter(card, 'id')).toMatchObject({ description: 'User: `id`', schema: { type: 'integer' } });
  expect(parameter(card, 'area')).toMatchObject({ required: true, schema: { type: 'string' } });
  expect(parameter(csv, 'limit')).toMatchObject({ description: 'Ours', schema: { maximum: 5 } });
  expect(parameter(csv, 'format')).toMatchObject({ schema: { enum: ['csv', 'json'] } });
  expect(parameter(csv, 'fields')['schema'].items.enum).toContain('email');
  expect(parameter(csv, 'fields')['schema'].items.enum).not.toContain('password');
  // Bodies require what no path fills in.
  for (const [path, method] of [['', 'post'] as const, ['/{id}', 'put'] as const]) {
    const name = (bodyOf(made, `/areas/{area}/people${path}`, method)['$ref'] as string).split('/').pop()!;
    expect(requiredBy(made, name)).toEqual(['name', 'companyId']);
  }
  expect(JSON.stringify(made)).not.toContain('x-crud');
});
