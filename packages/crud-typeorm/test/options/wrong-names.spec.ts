/** Each option that holds names of fields or relations, with a name that the entity does not have: the start stops and names the option, whatever the compiler let pass. */
import { expect, test } from '@jest/globals';
import type { AuthOptions, CrudOptions } from '@nestwright/crud';
import { OPTIONS } from '../../../crud/src/definition/option-table.js';
import { type Shape, TEXTS } from '../../../crud/src/definition/option-kinds.js';
import { stage } from './stage.js';

const query = (value: object): Partial<CrudOptions> => ({ query: value });
const joined = (value: object): Partial<CrudOptions> => query({ join: { company: value } });
const ROWS: Readonly<Record<string, Partial<CrudOptions>>> = {
  'query.allow': query({ allow: ['nope'] }),
  'query.exclude': query({ exclude: ['nope'] }),
  'query.persist': query({ persist: ['nope'] }),
  'query.conditions': query({ conditions: ['nope'] }),
  'query.formats': query({ formats: ['nope'] }),
  'query.filter': query({ filter: { nope: 1 } }),
  'query.filter as a list': query({ filter: [{ field: 'nope', operator: '$eq', value: 1 }] }),
  'query.join': query({ join: { nope: {} } }),
  'query.join.*.allow': joined({ allow: ['nope'] }),
  'query.join.*.exclude': joined({ exclude: ['nope'] }),
  'query.join.*.persist': joined({ persist: ['nope'] }),
  'query.sort': query({ sort: [{ field: 'nope', order: 'ASC' }] }),
  'query.aggregate.groupBy': query({ aggregate: { groupBy: ['nope'] } }),
  'query.aggregate.functions': query({ aggregate: { functions: { nope: ['count'] } } }),
  'params.*.field': { params: { id: { field: 'nope', type: 'number', primary: true } } },
  'routes.createOneBase.onConflict': { routes: { createOneBase: { onConflict: ['nope'] } } },
  'routes.createManyBase.onConflict': { routes: { createManyBase: { onConflict: ['nope'] } } },
};

/** The options that take a list of names. */
function listsOfNames(shape: Shape, path: string[] = []): string[] {
  if (shape === TEXTS) return [path.join('.')];
  if ('holds' in shape) return [];
  if ('keys' in shape)
    return Object.entries(shape.keys).flatMap(([key, { shape: inner }]) => listsOfNames(inner, [...path, key]));
  return listsOfNames('each' in shape ? shape.each : shape.items, [...path, '*']);
}

test('every option that takes a list of names has a row', () => {
  const lists = listsOfNames({ keys: OPTIONS });
  expect(lists.length).toBeGreaterThan(8);
  expect(Object.keys(ROWS)).toEqual(expect.arrayContaining(lists));
});

const start = (options: Partial<CrudOptions>, auth?: AuthOptions): Promise<unknown> =>
  stage({ options, ...(auth && { auth }) });

test.each(Object.entries(ROWS))('%s', async (option, options) => {
  const [first = ''] = option.split(/\.\*| as /);
  const [group = ''] = first.split('.').slice(-1);
  await expect(start(options)).rejects.toThrow(new RegExp(`ResourceController: \\S*${group}\\b.*\\bnope\\b`));
});

test('relations of @CrudAuth', async () =>
  await expect(start({}, { relations: { nope: false } })).rejects.toThrow('relations names "nope"'));
