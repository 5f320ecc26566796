/** Names of fields and relations: one that an entity does not have, in each option that holds names, stops the start, whatever the compiler let pass; in requests, relations go by their paths and aliases, and by the last segment of a path where the request joins it. */
import { afterEach, expect, test } from '@jest/globals';
import type { JoinOptions, QueryOptions } from '@nestwright/crud';
import { OPTIONS } from '../../../crud/src/definition/option-table.js';
import { type Shape, TEXTS } from '../../../crud/src/definition/option-kinds.js';
import { Company, stage, stopAll } from './stage.js';

function listsOfNames(shape: Shape, path: string[] = []): string[] {
  if (shape === TEXTS) return [path.join('.')];
  if ('holds' in shape) return [];
  if ('keys' in shape)
    return Object.entries(shape.keys).flatMap(([key, { shape: inner }]) => listsOfNames(inner, [...path, key]));
  return listsOfNames('each' in shape ? shape.each : shape.items, [...path, '*']);
}

const LISTS = listsOfNames({ keys: OPTIONS });

const at = (path: string, value: unknown): object =>
  path.split('.').reduceRight((inner, key) => ({ [key === '*' ? 'company' : key]: inner }), value) as object;

afterEach(stopAll);

test('options take lists of names', () => expect(LISTS.length).toBeGreaterThan(8));

test.each([
  ...LISTS.map((path): [string, unknown] => [path, ['nope']]),
  ['query.filter', { nope: 1 }],
  ['query.aggregate.functions', { nope: ['count'] }],
] as [string, unknown][])('no unknown name is taken by %s', async (option, value) => {
  const [group = ''] = option.split('.*')[0]!.split('.').slice(-1);
  const mistake = new RegExp(`ResourceController: \\S*${group}\\b.*\\bnope\\b`);
  await expect(stage({ options: at(option, value) })).rejects.toThrow(mistake);
});

const BY_PATH: JoinOptions = { users: {}, 'users.company': {} };
const PATHS: QueryOptions = { join: BY_PATH };
const EAGER: QueryOptions = { join: { ...BY_PATH, 'users.company': { eager: true } } };
const ALIAS: QueryOptions = { join: { users: {}, 'users.company': { alias: 'employer' } } };
const HIDING: QueryOptions = { join: { users: {}, 'users.company': { exclude: ['code'] } } };
const IGNORE: QueryOptions = { join: BY_PATH, unknown: 'ignore' };

test.each<[QueryOptions, string, answer: 'Beta' | [message: string, field: string]]>([
  [PATHS, 'join=company', ['Unknown relation. Did you mean users.company?', 'company']],
  [PATHS, 'join=pany', ['Unknown relation', 'pany']],
  [PATHS, 'filter=company.name||eq||A', ['Unknown field. Did you mean users.company.name?', 'company.name']],
  [PATHS, 's={"company.name":"Beta"}&join=users.company||name||on[0]=company.id||gt||1', 'Beta'],
  [PATHS, 'filter=users.company.name||eq||Beta', 'Beta'],
  // What no name reaches, or clients may not name, is not suggested.
  [PATHS, 'filter=company.nope||eq||1', ['Unknown field', 'company.nope']],
  [HIDING, 'filter=company.code||eq||secret', ['Unknown field', 'company.code']],
  // Eager relations go by their last segment, and an alias stands for its path everywhere.
  [EAGER, 'filter=company.name||eq||Beta', 'Beta'],
  [ALIAS, 'join=employer&filter=employer.name||eq||Beta', 'Beta'],
  [ALIAS, 'filter=company.name||eq||Beta', [expect.any(String) as never, 'company.name']],
  [IGNORE, 'join=company&filter=company.name||eq||Beta', 'Beta'],
  // Options of the application keep last segments.
  [{ join: BY_PATH, filter: { 'company.name': 'Beta' } }, '', 'Beta'],
])('%j: %s', async (query, asked, answer) => {
  const { api } = await stage({ entity: Company, path: 'companies', options: { query } });
  const { status, body } = await api.get(`/companies?${asked}`);
  if (answer === 'Beta') {
    expect([status, body]).toMatchObject([200, [{ name: 'Beta' }]]);
    if (query === IGNORE) expect(body).toMatchObject([{ users: [{ company: { name: 'Beta' } }] }]);
  } else {
    const code = asked.startsWith('join') ? 'CRUD_UNKNOWN_RELATION' : 'CRUD_UNKNOWN_FIELD';
    expect(body).toMatchObject({ statusCode: 400, code, message: answer[0], field: answer[1] });
  }
});
