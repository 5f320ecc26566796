/** Resources with entity tags → the headers and statuses of their operations. */
import { expect, test } from '@jest/globals';
import { documentOf, type Json, resource, validate } from './fixture.js';

const REQUIRED = { requireMatch: true };

async function operationsOf(options: Json) {
  const document = (await documentOf([resource(options)])) as Json;
  const rows: Json = {};

  for (const [path, operations] of Object.entries(document['paths'] as Json)) {
    for (const [method, { parameters = [], responses }] of Object.entries<Json>(operations)) {
      rows[`${method} ${path}`] = [
        (parameters as Json[])
          .filter((parameter) => parameter['in'] === 'header')
          .map(({ name, required }) => `${name}${required ? '!' : ''}`)
          .join(),
        Object.keys(responses)
          .map((status) => `${status}${responses[status].headers?.ETag ? '*' : ''}`)
          .join(),
      ];
    }
  }

  return { document, rows };
}

test('a resource with tags has the headers and statuses of conditions', async () => {
  const { document, rows } = await operationsOf({ query: { etag: true, softDelete: true } });

  expect(rows).toEqual({
    'get /users': ['If-None-Match', '200*,304*,400'],
    'get /users/{id}': ['If-None-Match', '200*,304*,400,404'],
    'post /users': ['', '201*,400,409'],
    'post /users/bulk': ['', '201,400,409'],
    'patch /users/{id}': ['If-Match', '200*,400,404,409,412'],
    'put /users/{id}': ['If-Match,If-None-Match', '200*,201*,400,404,409,412'],
    'delete /users/{id}': ['If-Match', '200,400,404,409,412'],
    'patch /users/{id}/recover': ['If-Match', '200*,400,404,412'],
  });
  expect(document['paths']['/users/{id}'].patch.responses[412].description).toContain('`CRUD_PRECONDITION_FAILED`');
  await validate(document as never);
});

test('a route that requires a match says so', async () => {
  const { rows } = await operationsOf({
    query: { etag: true },
    routes: { updateOneBase: REQUIRED, replaceOneBase: REQUIRED },
  });

  expect(rows).toMatchObject({
    'patch /users/{id}': ['If-Match!', '200*,400,404,409,412,428'],
    'put /users/{id}': ['If-Match,If-None-Match', '200*,201*,400,404,409,412,428'],
    'delete /users/{id}': ['If-Match', '200,400,404,409,412'],
  });
});

test('a resource without tags has none of it', async () => {
  const { rows } = await operationsOf({});

  for (const [headers, statuses] of Object.values(rows) as [string, string][])
    expect([headers, statuses]).toEqual(['', expect.not.stringMatching(/\*|304|412|428/)]);
});
