/** Handlers with decorators of the application's own → what is left of them and added to them by the description. */
import { expect, test } from '@jest/globals';
import { HttpCode } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiProperty, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { describeHandler } from '../../src/openapi/handlers.js';
import {
  at,
  bodyOf,
  documentOf,
  makeUserCatalog,
  namesOf,
  parameter,
  ref,
  resource,
  type ResourceOptions,
  schemaOf,
  validate,
} from './fixture.js';

const decorating =
  (route: string, ...decorators: MethodDecorator[]): ResourceOptions['before'] =>
  (prototype) =>
    decorators.forEach((decorate) => decorate(prototype, route, { value: prototype[route] }));

class Custom {
  @ApiProperty() mine!: string;
}

test.each([
  [{ summary: 'Mine' }, { summary: 'Mine', operationId: 'getOneBaseUsersControllerUser' }],
  [{ operationId: 'mine' }, { summary: 'Retrieve a single User', operationId: 'mine' }],
])('%j of the application wins, what it does not say is added', async (said, shown) => {
  const before = decorating('getOneBase', ApiOperation(said));

  expect(at(await documentOf([resource({ before })]), '/users/{id}', 'get')).toMatchObject(shown);
});

test('a parameter of the application wins, by name and place', async () => {
  const fields = ApiQuery({ name: 'fields', type: String, description: 'Mine' });
  const before = decorating('getOneBase', fields, ApiParam({ name: 'id', description: 'Key' }));
  const one = at(await documentOf([resource({ before })]), '/users/{id}', 'get');

  expect(
    namesOf(one)
      .filter((name) => ['fields', 'id', 'join'].includes(name))
      .sort(),
  ).toEqual(['fields', 'id', 'join']);
  expect(parameter(one, 'fields')).toEqual({
    name: 'fields',
    in: 'query',
    required: true,
    description: 'Mine',
    schema: { type: 'string' },
  });
  expect(parameter(one, 'id')).toMatchObject({ description: 'Key' });
});

test('a body and a response of the application win, status by status', async () => {
  const created = ApiResponse({ status: 201, type: Custom, description: 'Mine' });
  const before = decorating('createOneBase', ApiBody({ type: Custom }), created);
  const document = await documentOf([resource({ before })]);
  const { responses } = at(document, '/users', 'post');

  expect(bodyOf(document, '/users', 'post')).toEqual(ref('Custom'));
  expect(responses[201]).toEqual({
    description: 'Mine',
    content: { 'application/json': { schema: ref('Custom') } },
  });
  expect(Object.keys(responses as object)).toEqual(['201', '400', '409']);
});

test('a status of the application wins', async () => {
  const before = decorating('deleteOneBase', HttpCode(204));
  const { responses } = at(await documentOf([resource({ before })]), '/users/{id}', 'delete');

  expect(Object.keys(responses as object)).toEqual(['204', '400', '404', '409']);
  expect(responses[204]).not.toHaveProperty('content');
});

test('describing again replaces the description and keeps what the application said before and since', async () => {
  const users = resource({ before: decorating('getManyBase', ApiQuery({ name: 'mine', required: false })) });
  const prototype = users.controller.prototype as Record<string, (...parameters: never[]) => unknown>;
  const catalog = makeUserCatalog();
  ApiResponse({ status: 418, description: 'Teapot' })(prototype, 'getManyBase', { value: prototype['getManyBase'] });
  const options = { ...users.definition.options, query: { maxLimit: 7, alwaysPaginate: true } };
  const definition = { ...users.definition, options };
  describeHandler(users.controller, 'getManyBase', { definition, route: 'getManyBase', findCatalog: () => catalog });
  const document = await documentOf([users]);
  const list = at(document, '/users', 'get');
  const { responses } = list;

  expect(new Set(namesOf(list)).size).toBe(namesOf(list).length);
  expect(namesOf(list)).toContain('mine');
  expect(parameter(list, 'limit')['schema'].maximum).toBe(7);
  expect(Object.keys(responses as object)).toEqual(['200', '400', '418']);
  expect(schemaOf(responses[200])['$ref']).toMatch(/GetMany/);
  await validate(document);
});
