/** Controllers under `@Crud()`, and handlers of the application's own → the document of their application, made before it is initialised, as people do. */
import { expect, test } from '@jest/globals';
import { fail } from 'node:assert';
import * as nest from '@nestjs/common';
import { Controller, Get, Module, type Type, VersioningType } from '@nestjs/common';
import { NestFactory, RouterModule } from '@nestjs/core';
import * as swagger from '@nestjs/swagger';
import { ApiOperation, ApiProperty, ApiQuery, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Crud, CrudAuth, type CrudOptions, type CrudRequest, CrudRequestInterceptor } from '../../src/index.js';
import { Override, ParsedBody, ParsedRequest } from '../../src/index.js';
import { documentOf, User, UsersService } from './fixture.js';
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
function people(path: string, version?: string[], ...decorators: ClassDecorator[]): Type<unknown> {
  class PeopleController {
    constructor(public service: UsersService) {}
  }

  Reflect.defineMetadata('design:paramtypes', [UsersService], PeopleController);
  const crud = decorators.length === 0 ? [Crud({ model: { type: User }, ...LIST })] : decorators;
  for (const decorate of [Controller({ path, version }), ...crud]) decorate(PeopleController);
  return PeopleController;
}

function moduleOf(controllers: Type<unknown>[], imports: Type<unknown>[] = []) {
  class PeopleModule {}

  Module({ controllers, providers: [UsersService], imports })(PeopleModule);
  return PeopleModule;
}

test('making a document leaves the metadata of handlers as it was, even when it fails', async () => {
  const handler = UsersController.prototype.invite;
  const notes = (): unknown[] =>
    Reflect.getMetadataKeys(handler).map((key: unknown) => [key, Reflect.getMetadata(key, handler) as unknown]);
  const before = notes();
  await expect(documentOf([UsersController], { options: { operationIdFactory: fail } })).rejects.toThrow();
  expect(notes()).toEqual(before);
});

test('a document of some modules describes their controllers, and only those', async () => {
  const sections = ['inside', 'outside'].map((path) => moduleOf([people(path)]));
  const app = await NestFactory.create(moduleOf([], sections), { logger: false });
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
  const document = await documentOf([UsersController]);
  const list = at(document, '/users', 'get');
  const said = { summary: 'Find people', tags: ['people'], security: [{ bearer: [] }] };
  expect(list).toMatchObject({ ...said, operationId: 'getManyBaseUsersControllerUser' });
  expect(namesOf(list)).toContain('limit');
  expect(Object.keys(at(document, '/users', 'post')['responses'])).toEqual(['201', '400', '409']);
  expect(bodyOf(document, '/users', 'post')).toEqual(ref('Invitation'));
  expect(document['paths']).not.toHaveProperty(['/users/{id}', 'delete']);
});

test('a document made before the start tells modules and versions apart, and keeps ids of the application', async () => {
  @Controller('mine')
  class MineController {
    @ApiOperation({ operationId: 'getManyBasePeopleControllerUser_v1_inside_people' }) @Get() mine(): void {}
    @ApiOperation({ operationId: 'twice' }) @Get(['a', 'b']) twice(): void {}
  }
  const one = people('people', ['1', '2']);
  const [inside, companies, others] = [moduleOf([one]), moduleOf([one]), moduleOf([people('others')])];
  const routes = RouterModule.register([
    { path: 'inside', module: inside },
    { path: 'companies/:companyId', module: companies },
  ]);
  const document = await documentOf([MineController], {
    imports: [inside, companies, others, routes],
    prepare: (app) => app.enableVersioning({ type: VersioningType.URI }),
  });
  const ids = operationsOf(document).map(({ path, operationId }) => `${path as string} ${operationId as string}`);
  expect(ids).toEqual([
    '/mine getManyBasePeopleControllerUser_v1_inside_people',
    '/mine/a twice',
    '/mine/b twice',
    '/v1/inside/people getManyBasePeopleControllerUser_v1_inside_people_2',
    '/v2/inside/people getManyBasePeopleControllerUser_v2_inside_people',
    '/v1/companies/{companyId}/people getManyBasePeopleControllerUser_v1_companies_companyId_people',
    '/v2/companies/{companyId}/people getManyBasePeopleControllerUser_v2_companies_companyId_people',
    '/others getManyBasePeopleControllerUser_others',
  ]);
});

test('bodies need not send what `@CrudAuth()` persists, whether it stands above or below `@Crud()`', async () => {
  const decorators = [
    CrudAuth({ property: 'user', persist: () => ({ companyId: 1 }) }),
    Crud({ model: { type: User } }),
  ];
  for (const order of [decorators, decorators.toReversed()]) {
    const document = await documentOf([people('members', undefined, ...order)]);
    expect(requiredBy(document, 'CreateUserBodyDto')).toEqual(['email', 'password']);
  }
});

const PARAMS = {
  area: { disabled: true },
  companyId: { field: 'companyId', type: 'number' },
  id: { field: 'id', type: 'number', primary: true },
} as const;

@nest.Injectable()
class TracedInterceptor extends CrudRequestInterceptor {}

@Crud({ model: { type: User }, params: PARAMS, query: { exclude: ['password'] }, routes: { only: ['getManyBase'] } })
@Controller('companies/:companyId/users')
class CompanyUsersController {
  constructor(public service: UsersService) {}
  @Override()
  getMany(@ParsedRequest() _: CrudRequest): void {}

  @Get(':id/card')
  @nest.UseInterceptors(CrudRequestInterceptor)
  card(@ParsedRequest() _: CrudRequest): void {}

  @Get('export/:format')
  @nest.UseInterceptors(TracedInterceptor)
  @ApiQuery({ name: 'limit', description: 'Ours', schema: { type: 'integer', maximum: 5 } })
  @swagger.ApiParam({ name: 'format', enum: ['csv', 'json'] })
  export(
    @ParsedRequest() _: CrudRequest,
    @nest.Param('companyId') _companyId: string,
    @nest.Query('sort') _sort: string,
  ): void {}

  @nest.Post(':id/complete')
  @nest.UseInterceptors(new CrudRequestInterceptor())
  complete(@ParsedRequest() _: CrudRequest): void {}

  @nest.Delete('cache')
  plain(): void {}
}

@nest.UseInterceptors(CrudRequestInterceptor)
@Controller('search')
class SearchController {
  @Get(':tenant')
  search(@ParsedRequest() _: CrudRequest): void {}
}

test('own handlers show their parameters', async () => {
  const module = moduleOf([CompanyUsersController, SearchController]);
  const made = await documentOf([], { imports: [module, RouterModule.register([{ path: 'areas/:area', module }])] });
  const users = '/areas/{area}/companies/{companyId}/users';
  const one = 'fields s filter or join cache';
  const many = 'fields s filter or sort join limit offset page cache';
  const [card, csv] = [`${users}/{id}/card`, `${users}/export/{format}`];
  for (const [method, path, inPath, inQuery] of [
    ['get', card, 'area companyId id', one],
    // What the application declares stays, and is there once.
    ['get', csv, 'area companyId format', many],
    ['post', `${users}/{id}/complete`, 'area companyId id', 'fields join'],
    // Without @Crud() there are no names to show; without the interceptor nothing is added.
    ['get', '/areas/{area}/search/{tenant}', 'area tenant', many],
    ['delete', `${users}/cache`, '', ''],
    // Those of a module's path stand in every route's, disabled or not; overriding handlers are those of their routes.
    ['get', users, 'area companyId', many],
  ] as const) {
    const operation = at(made, path, method);
    const names = (['path', 'query'] as const).map((place) => namesOf(operation, place).toSorted().join(' '));
    expect([path, ...names]).toEqual([path, inPath, inQuery.split(' ').toSorted().join(' ')]);
  }
  const id = { description: 'User: `id`', schema: { type: 'integer' } };
  expect(parameter(at(made, card, 'get'), 'id')).toMatchObject(id);
  const own = at(made, csv, 'get');
  expect(parameter(own, 'limit')).toMatchObject({ description: 'Ours', schema: { maximum: 5 } });
  expect(parameter(own, 'format')).toMatchObject({ schema: { enum: ['csv', 'json'] } });
  const { enum: fields } = parameter(own, 'fields')['schema'].items as Json;
  expect([fields.includes('email'), fields.includes('password')]).toEqual([true, false]);
  expect(JSON.stringify(made)).not.toContain('x-crud');
});
