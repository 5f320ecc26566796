/** The tables of `docs/openapi-document.md` and `docs/serialization.md` in; they say what the code does. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type BaseRouteName, ROUTES } from '../../src/routes/route-table.js';
import { responseShape } from '../../src/serialization/serialize.js';
import { ALL_ROUTES, Company, documentOf, resource, User } from './fixture.js';
import { type Json } from './reading.js';

/** Rows of the table under a heading, cell by cell, without the backticks. */
function tableOf(document: string, heading: string): string[][] {
  const text = readFileSync(new URL(`../../../../docs/${document}`, import.meta.url), 'utf8');
  const [, section = ''] = text.split(`\n${heading}\n`);
  const [, table = ''] = /((?:^\|.*\n)+)/m.exec(section) ?? [];

  return table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .replaceAll('`', '')
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

async function operations(options: Parameters<typeof resource>[0] = {}): Promise<Map<string, Json>> {
  const document = await documentOf([resource({ ...options, query: { softDelete: true } })]);
  const all = Object.values(document.paths).flatMap((item) => Object.values(item as Json) as Json[]);

  return new Map(
    all.map((operation) => [(operation['operationId'] as string).replace('UsersControllerUser', ''), operation]),
  );
}

test('operations: ids, summaries and statuses', async () => {
  const described = await operations();
  const rows = tableOf('openapi-document.md', '## Operations');

  expect(rows.map(([route]) => route)).toEqual(ALL_ROUTES);
  for (const [route = '', id = '', summary = '', statuses] of rows) {
    const operation = described.get(route)!;

    expect(operation['operationId']).toBe(id.replace('<Controller>', 'UsersController').replace('<Model>', 'User'));
    expect(operation['summary']).toBe(summary.replace('<Model>', 'User'));
    expect(Object.keys(operation['responses']).join(', ')).toBe(statuses);
  }
});

test('query parameters by route', async () => {
  const full = await operations({ routes: { deleteOneBase: { returnDeleted: true } } });
  const shallow = { returnShallow: true };
  const less = await operations({
    routes: { createOneBase: shallow, updateOneBase: shallow, replaceOneBase: shallow },
  });
  const named = (described: Map<string, Json>, route: string) =>
    (described.get(route)!['parameters'] as Json[])
      .filter((item) => item['in'] === 'query')
      .map((item) => item['name'] as string);

  for (const [routes = '', cell = ''] of tableOf('openapi-document.md', '## Parameters')) {
    const [first = '', second] = cell.replace('with returnDeleted: ', '').split('; with returnShallow: ');

    for (const route of routes.split(' ')) {
      expect([route, ...named(full, route)]).toEqual([route, ...first.split(' ')]);
      if (second && route !== 'recoverOneBase') expect([route, ...named(less, route)]).toEqual([route, second]);
    }
  }
});

test('which class shapes which route', () => {
  const rows = tableOf('serialization.md', '## A class for the response');

  expect(rows).toHaveLength(ALL_ROUTES.length);
  for (const [key = '', shaped = '', fallback = ''] of rows) {
    const route = shaped.split(' ')[0] as BaseRouteName;
    const shapedBy = (serialize: object) => responseShape({ model: User, serialize } as never, route).record;
    const [before] = fallback.split(', then ');

    expect(ROUTES[route].serialize).toBe(key);
    expect(shapedBy({ [key]: Company })).toBe(Company);
    expect(shapedBy({})).toBe(User);
    if (before && before !== 'the model') expect(shapedBy({ [before]: Company })).toBe(Company);
  }
});
