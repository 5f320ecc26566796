/** Names of fields and relations: one that an entity does not have, in each option that holds names, stops the start, whatever the compiler let pass; in requests, relations go by their paths and aliases, and by the last segment of a path where the request joins it. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { AuthOptions, JoinOptions, QueryOptions } from '@nestwright/crud';
import { OPTIONS } from '../../../crud/src/definition/option-table.js';
import { type Shape, TEXTS } from '../../../crud/src/definition/option-kinds.js';
import { Company, stage, stopAll } from './stage.js';

/** The options that take a list of names. */
function listsOfNames(shape: Shape, path: string[] = []): string[] {
  if (shape === TEXTS) return [path.join('.')];
  if ('holds' in shape) return [];
  if ('keys' in shape)
    return Object.entries(shape.keys).flatMap(([key, { shape: inner }]) => listsOfNames(inner, [...path, key]));
  return listsOfNames('each' in shape ? shape.each : shape.items, [...path, '*']);
}

const LISTS = listsOfNames({ keys: OPTIONS });

/** An option's value, at its path. */
const at = (path: string, value: unknown): object =>
  path.split('.').reduceRight((inner, key) => ({ [key === '*' ? 'company' : key]: inner }), value) as object;
const ROWS: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(LISTS.map((path) => [path, ['nope']])),
  'query.filter': { nope: 1 },
  'query.filter as a list': [{ field: 'nope', operator: '$eq', value: 1 }],
  'query.join': { nope: {} },
  'query.sort': [{ field: 'nope', order: 'ASC' }],
  'query.aggregate.functions': { nope: ['count'] },
  'params.id': { field: 'nope', type: 'number', primary: true },
};

const start = (options: object, auth?: AuthOptions): Promise<unknown> => stage({ options, ...(auth && { auth }) });

test('options take lists of names', () => expect(LISTS.length).toBeGreaterThan(8));

test.each(Object.entries(ROWS))('%s', async (option, value) => {
  const [first = ''] = option.split(/\.\*| as /);
  const [group = ''] = first.split('.').slice(-1);
  const options = at(option.replace(/ as .*/, ''), value);
  await expect(start(options)).rejects.toThrow(new RegExp(`ResourceController: \\S*${group}\\b.*\\bnope\\b`));
});

test('relations of @CrudAuth', () =>
  expect(start({}, { relations: { nope: false } })).rejects.toThrow('relations names "nope"'));

const BY_PATH: JoinOptions = { users: {}, 'users.company': {} };
const PATHS: QueryOptions = { join: BY_PATH };
const EAGER: QueryOptions = { join: { ...BY_PATH, 'users.company': { eager: true } } };
const ALIAS: QueryOptions = { join: { users: {}, 'users.company': { alias: 'employer' } } };
const IGNORE: QueryOptions = { join: BY_PATH, unknown: 'ignore' };
const unknown = (join: string) => ['CRUD_UNKNOWN_RELATION', 'Unknown relation', join] as const;
const TOLD = ['CRUD_UNKNOWN_FIELD', 'Unknown field. Did you mean users.company.name?', 'company.name'] as const;

describe('names of relations', () => {
  afterEach(stopAll);

  test.each<[QueryOptions, string, readonly [code: string, message: string, field: string] | 'Beta']>([
    [PATHS, 'join=company', ['CRUD_UNKNOWN_RELATION', 'Unknown relation. Did you mean users.company?', 'company']],
    [PATHS, 'join=employer', unknown('employer')],
    [PATHS, 'join=pany', unknown('pany')],
    [PATHS, 'filter=company.name||eq||Acme', TOLD],
    [PATHS, 'or=company.name||eq||Acme', TOLD],
    [PATHS, 's={"company.name":"Acme"}', TOLD],
    [PATHS, 'sort=company.name', TOLD],
    [PATHS, 'join=users||name||on[0]=company.name||eq||Acme', TOLD],
    [PATHS, 'filter=company.name||eq||Beta&join=users.company', 'Beta'],
    [PATHS, 'filter=company.name||eq||Beta&join=users.company||name||on[0]=company.id||gt||1', 'Beta'],
    [PATHS, 's={"company.name":"Beta"}&join=users.company', 'Beta'],
    [PATHS, 's={"company.name":"Beta"}&join=users.company||name||on[0]=company.id||gt||1', 'Beta'],
    [PATHS, 'filter=users.company.name||eq||Beta', 'Beta'],
    // What no name reaches, or clients may not name, is not suggested.
    [PATHS, 'filter=company.nope||eq||1', ['CRUD_UNKNOWN_FIELD', 'Unknown field', 'company.nope']],
    [
      { join: { users: {}, 'users.company': { exclude: ['code'] } } },
      'filter=company.code||eq||secret',
      ['CRUD_UNKNOWN_FIELD', 'Unknown field', 'company.code'],
    ],
    // Eager relations go by their last segment, and an alias stands for its path everywhere.
    [EAGER, 'filter=company.name||eq||Beta', 'Beta'],
    [EAGER, 'join=company', ['CRUD_UNKNOWN_RELATION', expect.any(String) as never, 'company']],
    [ALIAS, 'join=employer&filter=employer.name||eq||Beta', 'Beta'],
    [ALIAS, 'filter=employer.name||eq||Beta', 'Beta'],
    [ALIAS, 'filter=company.name||eq||Beta', ['CRUD_UNKNOWN_FIELD', expect.any(String) as never, 'company.name']],
    [IGNORE, 'join=company&filter=company.name||eq||Beta', 'Beta'],
    // Options of the application keep last segments.
    [{ join: BY_PATH, filter: { 'company.name': 'Beta' } }, '', 'Beta'],
  ])('%j: %s', async (query, asked, answer) => {
    const { api } = await stage({ entity: Company, path: 'companies', options: { query } });
    const { status, body } = await api.get(`/companies?${asked}`);
    if (answer === 'Beta') {
      expect([status, (body as { name: string }[]).map(({ name }) => name)]).toEqual([200, ['Beta']]);
      const { users } = (body as { users?: { company: object }[] }[])[0]!;
      if (query === IGNORE) expect(users![0]!.company).toMatchObject({ name: 'Beta' });
    } else {
      const [code, message, field] = answer;
      expect(body).toEqual({ statusCode: 400, error: 'Bad Request', code, message, field });
    }
  });
});
