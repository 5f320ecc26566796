/** Handlers with decorators of the application's own → what is left of them and added to them by the description. */
import { describe, expect, test } from '@jest/globals';
import { HttpCode } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiProperty, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { describeHandler } from '../../src/openapi/handlers.js';
import { documentOf, type Json, makeUserCatalog, resource, type ResourceOptions, validate } from './fixture.js';

const operationOf = async (options: ResourceOptions, path: string, method: string) =>
  ((await documentOf([resource(options)])) as Json)['paths'][path][method] as Json;

const decorating =
  (route: string, ...decorators: MethodDecorator[]): ResourceOptions['before'] =>
  (prototype) =>
    decorators.forEach((decorate) => decorate(prototype, route, { value: prototype[route] }));

class Custom {
  @ApiProperty() mine!: string;
}

describe('what the application declares itself wins', () => {
  test('a summary, with the operation id still ours; and an operation id', async () => {
    const summary = await operationOf(
      { before: decorating('getOneBase', ApiOperation({ summary: 'Mine' })) },
      '/users/{id}',
      'get',
    );
    const id = await operationOf(
      { before: decorating('getOneBase', ApiOperation({ operationId: 'mine' })) },
      '/users/{id}',
      'get',
    );

    expect(summary).toMatchObject({ summary: 'Mine', operationId: 'getOneBaseUsersControllerUser' });
    expect(id).toMatchObject({ summary: 'Retrieve a single User', operationId: 'mine' });
  });

  test('a parameter, by name and place', async () => {
    const { parameters } = await operationOf(
      {
        before: decorating(
          'getOneBase',
          ApiQuery({ name: 'fields', type: String, description: 'Mine' }),
          ApiParam({ name: 'id', description: 'Key' }),
        ),
      },
      '/users/{id}',
      'get',
    );
    const named = (name: string) => (parameters as Json[]).filter((item) => item['name'] === name);

    expect(named('fields')).toEqual([
      { name: 'fields', in: 'query', required: true, description: 'Mine', schema: { type: 'string' } },
    ]);
    expect(named('id')).toHaveLength(1);
    expect(named('id')[0]).toMatchObject({ description: 'Key' });
    expect(named('join')).toHaveLength(1);
  });

  test('a body and a response, status by status', async () => {
    const { requestBody, responses } = await operationOf(
      {
        before: decorating(
          'createOneBase',
          ApiBody({ type: Custom }),
          ApiResponse({ status: 201, type: Custom, description: 'Mine' }),
        ),
      },
      '/users',
      'post',
    );

    expect(requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Custom' });
    expect(responses[201]).toEqual({
      description: 'Mine',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Custom' } } },
    });
    expect(Object.keys(responses)).toEqual(['201', '400', '409']);
  });

  test('a status', async () => {
    const { responses } = await operationOf(
      { before: decorating('deleteOneBase', HttpCode(204)) },
      '/users/{id}',
      'delete',
    );

    expect(Object.keys(responses)).toEqual(['204', '400', '404', '409']);
    expect(responses[204]).not.toHaveProperty('content');
  });
});

describe('describing again', () => {
  test('replaces the description and keeps what the application said before and since', async () => {
    const users = resource({ before: decorating('getManyBase', ApiQuery({ name: 'mine', required: false })) });
    const prototype = users.controller.prototype as Record<string, (...parameters: never[]) => unknown>;
    const catalog = makeUserCatalog();

    ApiResponse({ status: 418, description: 'Teapot' })(prototype, 'getManyBase', { value: prototype['getManyBase'] });
    const options = { ...users.definition.options, query: { maxLimit: 7, alwaysPaginate: true } };
    describeHandler(users.controller, 'getManyBase', {
      definition: { ...users.definition, options },
      route: 'getManyBase',
      findCatalog: () => catalog,
    });

    const document = await documentOf([users]);
    const { parameters, responses } = (document as Json)['paths']['/users'].get as Json;
    const names = (parameters as Json[]).map((item) => item['name'] as string);

    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('mine');
    expect((parameters as Json[]).find((item) => item['name'] === 'limit')!['schema'].maximum).toBe(7);
    expect(Object.keys(responses)).toEqual(['200', '400', '418']);
    expect(responses[200].content['application/json'].schema.$ref).toMatch(/GetMany/);
    await validate(document);
  });
});

test('the path tells which parameters it has', async () => {
  const params = { id: { field: 'id', disabled: true } };
  const users = resource({ only: ['getManyBase'], path: 'tenants/:tenant/users', params: params as never });

  describeHandler(users.controller, 'getManyBase', {
    definition: users.definition,
    route: 'getManyBase',
    findCatalog: () => undefined,
  });
  const document = await documentOf([users]);
  const { parameters } = (document as Json)['paths']['/tenants/{tenant}/users'].get as Json;

  expect((parameters as Json[]).filter((item) => item['in'] === 'path')).toEqual([
    { name: 'tenant', in: 'path', required: true, description: 'Path parameter `tenant`', schema: { type: 'string' } },
  ]);
});
