/** Resources with entity tags, and lists that are read by cursors → the headers, statuses, parameters and answers of their operations. */
import { expect, test } from '@jest/globals';
import {
  at,
  documentOf,
  type Json,
  namesOf,
  operationsOf,
  resource,
  type ResourceOptions,
  schemaOf,
  schemas,
} from './fixture.js';

/** By operation: the headers that it reads, those that it requires marked, and its statuses, those with a tag marked. */
const rowsOf = (document: unknown): Record<string, [headers: string, statuses: string]> =>
  Object.fromEntries(
    operationsOf(document).map(({ path, method, parameters, responses }) => [
      `${method as string} ${path as string}`,
      [
        (parameters as Json[])
          .filter((one) => one['in'] === 'header')
          .map(({ name, required }) => `${name as string}${required ? '!' : ''}`)
          .join(),
        Object.entries(responses as Json)
          .map(([status, { headers }]) => `${status}${headers?.ETag ? '*' : ''}`)
          .join(),
      ],
    ]),
  );

test.each<[string, ResourceOptions, Record<string, [string, string]>]>([
  [
    'a resource with tags has the headers and statuses of conditions',
    { query: { etag: true, softDelete: true } },
    {
      'get /users': ['If-None-Match', '200*,304*,400'],
      'get /users/{id}': ['If-None-Match', '200*,304*,400,404'],
      'post /users': ['', '201*,400,409'],
      'post /users/bulk': ['', '201,400,409'],
      'patch /users/{id}': ['If-Match', '200*,400,404,409,412'],
      'put /users/{id}': ['If-Match,If-None-Match', '200*,201*,400,404,409,412'],
      'delete /users/{id}': ['If-Match', '200,400,404,409,412'],
      'patch /users/{id}/recover': ['If-Match', '200*,400,404,412'],
    },
  ],
  [
    'a route that requires a match says so',
    {
      query: { etag: true },
      routes: { updateOneBase: { requireMatch: true }, replaceOneBase: { requireMatch: true } },
    },
    {
      'patch /users/{id}': ['If-Match!', '200*,400,404,409,412,428'],
      'put /users/{id}': ['If-Match,If-None-Match', '200*,201*,400,404,409,412,428'],
      'delete /users/{id}': ['If-Match', '200,400,404,409,412'],
    },
  ],
  [
    'a resource without tags has none of it',
    {},
    { 'get /users': ['', '200,400'], 'put /users/{id}': ['', '200,201,400,404,409'] },
  ],
])('%s', async (_, options, rows) => {
  const document = await documentOf([resource(options)]);

  expect(rowsOf(document)).toMatchObject(rows);
});

test('a failed condition is described by its code', async () => {
  const document = await documentOf([resource({ query: { etag: true } })]);

  expect(at(document, '/users/{id}', 'patch')['responses'][412].description).toContain('`CRUD_PRECONDITION_FAILED`');
});

const answersOf = (document: unknown, path = '/users') => {
  const answers = schemaOf(at(document, path, 'get')['responses'][200] as Json);

  return (answers['oneOf'] ?? [answers]) as Json[];
};
const pageOf = (document: unknown, path?: string) =>
  schemas(document)[(answersOf(document, path).at(-1)!['$ref'] as string).split('/').at(-1)!]!;

test('a list that may be read by cursors has their parameters, and one schema for its pages', async () => {
  const [plain, document] = [await documentOf([resource()]), await documentOf([resource({ query: { cursor: true } })])];
  const [before, after] = [plain, document].map((one) => namesOf(at(one, '/users', 'get')));
  const paginated = await documentOf([resource({ query: { cursor: true, alwaysPaginate: true } })]);

  expect(after!.filter((name) => !before!.includes(name))).toEqual(['cursor', 'total']);
  expect(answersOf(document)).toEqual(answersOf(plain));
  expect(Object.keys(pageOf(document)['properties'] as Json).join()).toBe(
    'data,count,total,page,pageCount,next,previous',
  );
  expect(pageOf(document)['required']).toEqual(['data', 'count']);
  expect(answersOf(paginated)).toEqual(answersOf(document).slice(-1));
});

test('beside a list over the same model that is read by numbers, its pages have a schema of their own', async () => {
  const byCursor = resource({ path: 'others', name: 'OthersController', query: { cursor: true } });
  const document = await documentOf([resource(), byCursor]);

  expect(pageOf(document, '/users')['properties']).not.toHaveProperty('next');
  expect(pageOf(document, '/others')['properties']).toHaveProperty('next');
});

test('a list with links has their header', async () => {
  const document = await documentOf([resource({ query: { links: true } })]);

  expect(at(document, '/users', 'get')['responses'][200].headers).toHaveProperty('Link');
  expect(at(await documentOf([resource()]), '/users', 'get')['responses'][200].headers ?? {}).not.toHaveProperty(
    'Link',
  );
});
