/** Handlers of the application's own that parse requests → the parameters that their document shows. */
import { expect, test } from '@jest/globals';
import { Controller, Delete, Get, Injectable, Module, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { NestFactory, RouterModule } from '@nestjs/core';
import { ApiParam, ApiProperty, ApiQuery, DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { Crud, type CrudRequest, CrudRequestInterceptor, Override, ParsedRequest } from '../../src/index.js';
import { type Json, User, UsersService, validate } from './fixture.js';

@Injectable()
class TracedInterceptor extends CrudRequestInterceptor {}

@Crud({
  model: { type: User },
  params: {
    area: { disabled: true },
    companyId: { field: 'companyId', type: 'number' },
    id: { field: 'id', type: 'number', primary: true },
  },
  query: { exclude: ['password'], maxLimit: 30 },
})
@Controller('companies/:companyId/users')
class CompanyUsersController {
  constructor(public service: UsersService) {}

  @Override()
  getMany(@ParsedRequest() request: CrudRequest): unknown {
    return request;
  }

  @Get(':id/card')
  @UseInterceptors(CrudRequestInterceptor)
  card(@ParsedRequest() request: CrudRequest): unknown {
    return request;
  }

  @Get('export/:format')
  @UseInterceptors(TracedInterceptor)
  @ApiQuery({ name: 'limit', description: 'Ours', schema: { type: 'integer', maximum: 5 } })
  @ApiParam({ name: 'format', enum: ['csv', 'json'] })
  export(
    @ParsedRequest() request: CrudRequest,
    @Param('companyId') _companyId: string,
    @Query('sort') _sort: string,
  ): unknown {
    return request;
  }

  @Post(':id/complete')
  @UseInterceptors(new CrudRequestInterceptor())
  complete(@ParsedRequest() request: CrudRequest): unknown {
    return request;
  }

  @Delete('cache')
  plain(): void {}
}

class Joining {
  @ApiProperty() name!: string;
  @ApiProperty({ type: 'integer' }) companyId!: number;
}

/** No route of it has the parameter, which scopes an own handler. */
@Crud({
  model: { type: User },
  dto: { create: Joining },
  params: {
    area: { disabled: true },
    companyId: { field: 'companyId', type: 'number' },
    id: { field: 'id', type: 'number', primary: true },
  },
})
@Controller('people')
class PeopleController {
  constructor(public service: UsersService) {}

  @Get('of/:companyId')
  @UseInterceptors(CrudRequestInterceptor)
  of(@ParsedRequest() request: CrudRequest): unknown {
    return request;
  }
}

@UseInterceptors(CrudRequestInterceptor)
@Controller('search')
class SearchController {
  @Get(':tenant')
  search(@ParsedRequest() request: CrudRequest): unknown {
    return request;
  }
}

@Module({ controllers: [CompanyUsersController, PeopleController, SearchController], providers: [UsersService] })
class UsersModule {}

@Module({ imports: [UsersModule, RouterModule.register([{ path: 'areas/:area', module: UsersModule }])] })
class AppModule {}

async function document(version: string): Promise<OpenAPIObject> {
  const app = await NestFactory.create(AppModule, { logger: false });

  try {
    await app.init();
    const config = new DocumentBuilder().setTitle('Test').setOpenAPIVersion(version).build();
    // Made twice, since the handlers must be as they were.
    SwaggerModule.createDocument(app, config);

    return JSON.parse(JSON.stringify(SwaggerModule.createDocument(app, config))) as OpenAPIObject;
  } finally {
    await app.close();
  }
}

const BASE = '/areas/{area}/companies/{companyId}/users';
const ONE = ['fields', 's', 'filter', 'or', 'join', 'cache'];
const MANY = ['fields', 's', 'filter', 'or', 'sort', 'join', 'limit', 'offset', 'page', 'cache'];

test.each(['3.0.0', '3.1.0'])('own handlers show their parameters, OpenAPI %s', async (version) => {
  const made = await document(version);
  await validate(made);
  const operation = (path: string, method: string) => (made.paths as Json)[path][method] as Json;
  const named = (path: string, method: string, place: string) =>
    (operation(path, method)['parameters'] as Json[]).filter((one) => one['in'] === place).map((one) => one['name']);
  const parameter = (path: string, method: string, name: string) =>
    (operation(path, method)['parameters'] as Json[]).find((one) => one['name'] === name);

  expect(named(`${BASE}/{id}/card`, 'get', 'path').sort()).toEqual(['area', 'companyId', 'id']);
  expect(parameter(`${BASE}/{id}/card`, 'get', 'id')).toEqual({
    name: 'id',
    in: 'path',
    required: true,
    description: 'User: `id`',
    schema: { type: 'integer' },
  });
  expect(parameter(`${BASE}/{id}/card`, 'get', 'area')).toMatchObject({ schema: { type: 'string' } });
  expect(named(`${BASE}/{id}/card`, 'get', 'query')).toEqual(ONE);

  // What the application declares stays, and is there once.
  expect(named(`${BASE}/export/{format}`, 'get', 'path').sort()).toEqual(['area', 'companyId', 'format']);
  expect(named(`${BASE}/export/{format}`, 'get', 'query').sort()).toEqual([...MANY].sort());
  expect(parameter(`${BASE}/export/{format}`, 'get', 'limit')).toMatchObject({
    description: 'Ours',
    schema: { maximum: 5 },
  });
  expect(parameter(`${BASE}/export/{format}`, 'get', 'format')).toMatchObject({ schema: { enum: ['csv', 'json'] } });
  expect(parameter(`${BASE}/export/{format}`, 'get', 'fields')!['schema'].items.enum).toContain('email');
  expect(parameter(`${BASE}/export/{format}`, 'get', 'fields')!['schema'].items.enum).not.toContain('password');

  expect(named(`${BASE}/{id}/complete`, 'post', 'path').sort()).toEqual(['area', 'companyId', 'id']);
  expect(named(`${BASE}/{id}/complete`, 'post', 'query')).toEqual(['fields', 'join']);

  // Without @Crud() there are no names to show; without the interceptor nothing is added.
  expect(named('/areas/{area}/search/{tenant}', 'get', 'path').sort()).toEqual(['area', 'tenant']);
  expect(named('/areas/{area}/search/{tenant}', 'get', 'query')).toEqual(MANY);
  expect(operation(`${BASE}/cache`, 'delete')['parameters']).toEqual([]);

  // Bodies require what no path fills in.
  const bodyOf = (path: string, method: string) => operation(path, method)['requestBody'].content['application/json'];
  const requiredIn = (path: string, method: string) => {
    const { $ref } = bodyOf(path, method).schema as { $ref: string };

    return ((made.components?.schemas ?? {}) as Json)[$ref.split('/').pop()!].required as string[];
  };
  expect(named('/areas/{area}/people/of/{companyId}', 'get', 'path').sort()).toEqual(['area', 'companyId']);
  expect(named('/areas/{area}/people', 'post', 'path')).toEqual(['area']);
  expect(requiredIn('/areas/{area}/people', 'post')).toEqual(['name', 'companyId']);
  expect(requiredIn('/areas/{area}/people/{id}', 'put')).toEqual(['name', 'companyId']);

  // Those of a module's path stand in every route's, disabled or not.
  expect(named(BASE, 'post', 'path').sort()).toEqual(['area', 'companyId']);
  expect(parameter(BASE, 'post', 'area')).toMatchObject({ required: true, schema: { type: 'string' } });

  // Overriding handlers are those of their routes.
  expect(named(BASE, 'get', 'query')).toEqual(MANY);
  expect(JSON.stringify(made)).not.toContain('x-crud');
});
