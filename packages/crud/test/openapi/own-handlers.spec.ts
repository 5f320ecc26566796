/** Handlers of the application's own that parse requests → the parameters that their document shows. */
import { expect, test } from '@jest/globals';
import { Controller, Delete, Get, Injectable, Module, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { NestFactory, RouterModule } from '@nestjs/core';
import { ApiParam, ApiProperty, ApiQuery, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Crud, type CrudRequest, CrudRequestInterceptor, Override, ParsedRequest } from '../../src/index.js';
import { at, bodyOf, type Json, namesOf, parameter, schemas, User, UsersService, validate } from './fixture.js';

const PARAMS = {
  area: { disabled: true },
  companyId: { field: 'companyId', type: 'number' },
  id: { field: 'id', type: 'number', primary: true },
} as const;

@Injectable()
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
@Crud({ model: { type: User }, dto: { create: Joining }, params: PARAMS })
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

async function document(version: string): Promise<Json> {
  const app = await NestFactory.create(AppModule, { logger: false });

  try {
    await app.init();
    const config = new DocumentBuilder().setTitle('Test').setOpenAPIVersion(version).build();
    // Made twice, since the handlers must be as they were.
    SwaggerModule.createDocument(app, config);

    return JSON.parse(JSON.stringify(SwaggerModule.createDocument(app, config))) as Json;
  } finally {
    await app.close();
  }
}

const BASE = '/areas/{area}/companies/{companyId}/users';
const ONE = ['fields', 's', 'filter', 'or', 'join', 'cache'];
const MANY = ['fields', 's', 'filter', 'or', 'sort', 'join', 'limit', 'offset', 'page', 'cache'];

test.each(['3.0.0', '3.1.0'])('own handlers show their parameters, OpenAPI %s', async (version) => {
  const made = await document(version);
  await validate(made as never);
  const inPath = (path: string, method = 'get') => namesOf(at(made, path, method), 'path').sort();
  const inQuery = (path: string, method = 'get') => namesOf(at(made, path, method), 'query');
  const card = at(made, `${BASE}/{id}/card`, 'get');
  const csv = at(made, `${BASE}/export/{format}`, 'get');

  expect(inPath(`${BASE}/{id}/card`)).toEqual(['area', 'companyId', 'id']);
  expect(parameter(card, 'id')).toEqual({
    name: 'id',
    in: 'path',
    required: true,
    description: 'User: `id`',
    schema: { type: 'integer' },
  });
  expect(parameter(card, 'area')).toMatchObject({ schema: { type: 'string' } });
  expect(inQuery(`${BASE}/{id}/card`)).toEqual(ONE);

  // What the application declares stays, and is there once.
  expect(inPath(`${BASE}/export/{format}`)).toEqual(['area', 'companyId', 'format']);
  expect(inQuery(`${BASE}/export/{format}`).sort()).toEqual([...MANY].sort());
  expect(parameter(csv, 'limit')).toMatchObject({ description: 'Ours', schema: { maximum: 5 } });
  expect(parameter(csv, 'format')).toMatchObject({ schema: { enum: ['csv', 'json'] } });
  expect(parameter(csv, 'fields')['schema'].items.enum).toContain('email');
  expect(parameter(csv, 'fields')['schema'].items.enum).not.toContain('password');

  expect(inPath(`${BASE}/{id}/complete`, 'post')).toEqual(['area', 'companyId', 'id']);
  expect(inQuery(`${BASE}/{id}/complete`, 'post')).toEqual(['fields', 'join']);

  // Without @Crud() there are no names to show; without the interceptor nothing is added.
  expect(inPath('/areas/{area}/search/{tenant}')).toEqual(['area', 'tenant']);
  expect(inQuery('/areas/{area}/search/{tenant}')).toEqual(MANY);
  expect(at(made, `${BASE}/cache`, 'delete')['parameters']).toEqual([]);

  // Bodies require what no path fills in.
  const required = (path: string, method: string) =>
    schemas(made)[(bodyOf(made, path, method)['$ref'] as string).split('/').pop()!]!['required'] as unknown;
  expect(inPath('/areas/{area}/people/of/{companyId}')).toEqual(['area', 'companyId']);
  expect(inPath('/areas/{area}/people', 'post')).toEqual(['area']);
  expect(required('/areas/{area}/people', 'post')).toEqual(['name', 'companyId']);
  expect(required('/areas/{area}/people/{id}', 'put')).toEqual(['name', 'companyId']);

  // Those of a module's path stand in every route's, disabled or not.
  expect(inPath(BASE, 'post')).toEqual(['area', 'companyId']);
  expect(parameter(at(made, BASE, 'post'), 'area')).toMatchObject({ required: true, schema: { type: 'string' } });

  // Overriding handlers are those of their routes.
  expect(inQuery(BASE)).toEqual(MANY);
  expect(JSON.stringify(made)).not.toContain('x-crud');
});
