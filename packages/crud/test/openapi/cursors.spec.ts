/** Resources whose lists are read by cursors → the parameters, answers and headers of their lists. */
import { expect, test } from '@jest/globals';
import { documentOf, type Json, resource, validate } from './fixture.js';

async function listOf(query: Json) {
  const document = (await documentOf([resource({ query })])) as Json;
  const { parameters, responses } = (document['paths'] as Json)['/users'].get as Json;
  const answers = responses[200].content['application/json'].schema as Json;

  return {
    document,
    names: (parameters as Json[]).map(({ name }) => name as string),
    headers: Object.keys((responses[200].headers ?? {}) as Json),
    answers: (answers['oneOf'] ?? [answers]) as Json[],
  };
}

test('a list that may be read by cursors has their parameters, and one schema for its pages', async () => {
  const plain = await listOf({});
  const { document, names, answers } = await listOf({ cursor: true });
  const page = answers.at(-1)!;
  const schema = document['components'].schemas[(page['$ref'] as string).split('/').at(-1)!] as Json;

  expect(names.filter((name) => !plain.names.includes(name))).toEqual(['cursor', 'total']);
  expect(answers).toEqual(plain.answers);
  const shown = ['data', 'count', 'total', 'page', 'pageCount', 'next', 'previous'];
  expect(Object.keys(schema['properties'] as Json)).toEqual(shown);
  expect(schema['required']).toEqual(['data', 'count']);
  expect((await listOf({ cursor: true, alwaysPaginate: true })).answers).toEqual([page]);
  await validate(document as never);
});

test('beside a list over the same model that is read by numbers, its pages have a schema of their own', async () => {
  const [plain, byCursor] = [
    resource(),
    resource({ path: 'others', name: 'OthersController', query: { cursor: true } }),
  ];
  const document = (await documentOf([plain, byCursor])) as Json;
  const pageOf = (path: string) => {
    const answers = document['paths'][path].get.responses[200].content['application/json'].schema.oneOf as Json[];

    return document['components'].schemas[(answers[1]!['$ref'] as string).split('/').at(-1)!]['properties'] as Json;
  };

  expect(pageOf('/users')).not.toHaveProperty('next');
  expect(pageOf('/others')).toHaveProperty('next');
  await validate(document as never);
});

test('a list with links has their header', async () => {
  const plain = await listOf({ cursor: true });
  const { document, headers } = await listOf({ cursor: true, links: true });

  expect(headers.filter((name) => !plain.headers.includes(name))).toEqual(['Link']);
  await validate(document as never);
});
