/** Options and names of clients in; the schemas of the query parameters take the names that a request of the resource may use, and no others. */
import { describe, expect, test } from '@jest/globals';
import { parseQuery } from '@nestwright/crud-request';
import { Exclude, Expose } from 'class-transformer';
import type { QueryOptions } from '../../src/definition/query-options.js';
import type { Catalog } from '../../src/plan/catalog.js';
import { makePermissions } from '../../src/request/permissions.js';
import { judgePaths } from '../../src/visibility/path-states.js';
import { catalog, column, documentOf, type Json, resource } from './fixture.js';

class Project {}
class Company {}
class Person {
  @Exclude() token!: string;
  @Expose({ groups: ['hr'] }) salary!: number;
}

const id = column('id', { kind: 'integer', primary: true });
const projects = catalog(Project, [id, column('name'), column('budget')]);
const companies = catalog(
  Company,
  [id, column('name'), column('secret'), column('settings', { kind: 'json' })],
  [{ path: 'projects', kind: 'one-to-many', toMany: true, references: [], target: projects }],
);
const people = catalog(
  Person,
  [
    id,
    column('name.first'),
    column('name.last'),
    column('name.secret'),
    column('token'),
    column('salary', { kind: 'integer' }),
    column('hidden', { selectable: false }),
    column('photo', { kind: 'binary' }),
    column('tags', { kind: 'array' }),
    column('meta', { kind: 'json' }),
  ],
  [
    { path: 'company', kind: 'many-to-one', toMany: false, references: [], target: companies },
    {
      path: 'friend',
      kind: 'many-to-one',
      toMany: false,
      references: [],
      get target(): Catalog {
        return people;
      },
    },
  ],
);

const QUERY: QueryOptions = {
  exclude: ['name.secret'],
  join: {
    company: { alias: 'firm', exclude: ['secret'] },
    'company.projects': { allow: ['name'] },
    friend: { select: false },
  },
};

const own = [
  'id',
  'name',
  'name.first',
  'name.secret',
  'token',
  'salary',
  'hidden',
  'photo',
  'tags',
  'meta',
  'meta.a',
  'id.a',
];
const NAMES = [
  ...own,
  'nothing',
  'nothing.id',
  ...['company', 'firm', 'companies', 'Company', 'friend'].flatMap((relation) =>
    ['', '.id', '.name', '.secret', '.settings', '.settings.a.b', '.name.a', '.nothing'].map((rest) => relation + rest),
  ),
  ...['company.projects', 'firm.projects', 'projects', 'friend.company', 'friend.projects'].flatMap((relation) =>
    ['', '.id', '.name', '.budget', '.name.a'].map((rest) => relation + rest),
  ),
  ...own.map((name) => `friend.${name}`),
];

async function itemsOf(query: QueryOptions, catalogOf: () => Catalog | undefined): Promise<(name: string) => Json> {
  const parameter = await parametersOf(query, catalogOf);

  return (name) => parameter(name)['schema'].items as Json;
}

async function parametersOf(
  query: QueryOptions,
  catalogOf: () => Catalog | undefined,
): Promise<(name: string) => Json> {
  const users = resource({ model: { type: Person }, query, catalogOf });
  const document = (await documentOf([users])) as Json;
  const { parameters } = document['paths']['/users'].get as Json;

  return (name) => (parameters as Json[]).find((item) => item['name'] === name)!;
}

const takes = ({ pattern, enum: members }: Json, text: string): boolean =>
  members ? (members as string[]).includes(text) : pattern === undefined || new RegExp(pattern as string).test(text);

// What is shown to certain groups alone may be named by these.
const may = (query: QueryOptions, entity: Catalog | undefined) =>
  makePermissions(
    query,
    entity,
    entity && judgePaths(resource({ model: { type: Person }, query }).definition, entity, { groups: ['hr'] }),
  );
const SORTABLE = NAMES.filter((name) => !/meta|tags|photo|settings|projects/.test(name));

describe.each<[string, QueryOptions]>([
  ['all that is not excluded', QUERY],
  ['what is allowed', { ...QUERY, allow: ['name', 'meta'] }],
])('with a catalog, %s', (_, query) => {
  const { mayCompare, maySelect, mayJoin } = bound(may(query, people));

  test('may be named in conditions, in the order of a list, in fields and joins, and nothing else', async () => {
    const items = await itemsOf(query, () => people);
    const taken = (parameter: string, names: readonly string[], behind = '') =>
      names.filter((name) => takes(items(parameter), `${name}${behind}`));

    expect(taken('filter', NAMES, '||eq||1')).toEqual(NAMES.filter(mayCompare));
    expect(taken('or', NAMES, '||$notnull')).toEqual(NAMES.filter(mayCompare));
    expect(taken('sort', NAMES, ',DESC')).toEqual(SORTABLE.filter(mayCompare));
    expect(taken('fields', NAMES)).toEqual(NAMES.filter(maySelect));
    expect(taken('join', NAMES)).toEqual(NAMES.filter(mayJoin));
  });
});

describe('without a catalog', () => {
  test('what the lists say is taken, and everything of a relation', async () => {
    const query = { ...QUERY, allow: ['name', 'meta'] };
    const { mayCompare, maySelect, mayJoin } = bound(may(query, undefined));
    const items = await itemsOf(query, () => undefined);
    const refused = (parameter: string, names: readonly string[], behind = '') =>
      names.filter((name) => !takes(items(parameter), `${name}${behind}`));

    expect(refused('filter', NAMES.filter(mayCompare), '||eq||1')).toEqual([]);
    expect(refused('sort', NAMES.filter(mayCompare))).toEqual([]);
    expect(refused('fields', NAMES.filter(maySelect))).toEqual([]);
    expect(refused('join', NAMES.filter(mayJoin))).toEqual([]);
    expect(refused('filter', ['id', 'token', 'firms.id'], '||eq||1')).toEqual(['id', 'token', 'firms.id']);
    expect(refused('fields', ['id', 'names'])).toEqual(['id', 'names']);
  });

  test('and a list, every name is taken', async () => {
    const items = await itemsOf(QUERY, () => undefined);

    for (const parameter of ['fields', 'filter', 'or', 'sort']) expect(items(parameter)).toEqual({ type: 'string' });
  });
});

test('where unknown names are ignored, fields and joins are not bounded, but named', async () => {
  const parameter = await parametersOf({ ...QUERY, unknown: 'ignore' }, () => people);

  for (const name of ['fields', 'join']) expect(parameter(name)['schema'].items).toEqual({ type: 'string' });
  expect(parameter('fields')['description']).toContain(
    'Fields: `id`, `name`, `name.first`, `name.last`, `salary`, `photo`, `tags`, `meta`.',
  );
  expect(parameter('join')['description']).toContain('Relations: `company`, `company.projects`.');
  expect(takes(parameter('filter')['schema'].items as Json, 'nothing||eq||1')).toBe(false);
});

test('descriptions of parameters name the fields, since the page of Swagger UI shows nothing that is said of items', async () => {
  const parameter = await parametersOf(QUERY, () => people);
  const text = (name: string): string => parameter(name)['description'] as string;

  expect(text('filter')).toMatch(
    /^Filter condition: `field\|\|\$operator\|\|value`\. Repeated conditions are all required\. Fields: `id`, .*`company\.name`, .*\. Operators: `\$eq`, /,
  );
  expect(text('sort')).toContain(
    'Fields: `id`, `name.first`, `name.last`, `salary`, `company.id`, `company.name`, `friend.id`, `friend.name.first`, `friend.name.last`, `friend.name.secret`, `friend.salary`.',
  );
});

test('what no answer shows is not named, unless query.conditions frees it', async () => {
  class PersonResponse {
    @Exclude() photo!: string;
    @Exclude() meta!: object;
    @Exclude() company!: object;
  }
  const query = { ...QUERY, conditions: ['meta', 'company.name', 'hidden'] };
  const users = resource({
    model: { type: Person },
    query,
    serialize: { get: PersonResponse },
    catalogOf: () => people,
  });
  const { parameters } = ((await documentOf([users])) as Json)['paths']['/users'].get as Json;
  const items = (name: string) => (parameters as Json[]).find((item) => item['name'] === name)!['schema'].items as Json;
  const permissions = makePermissions(query, people, judgePaths(users.definition, people, { groups: ['hr'] }));
  const compared = ['photo', 'meta', 'meta.a', 'hidden', 'tags', 'company.name', 'company.id', 'friend.id', 'token'];

  expect(compared.filter((name) => takes(items('filter'), `${name}||eq||1`))).toEqual(
    compared.filter((name) => permissions.mayCompare(name)),
  );
  expect(compared.filter((name) => permissions.mayCompare(name))).toEqual([
    'meta',
    'meta.a',
    'hidden',
    'tags',
    'company.name',
    'friend.id',
  ]);
  expect(['photo', 'meta', 'hidden', 'tags'].filter((name) => takes(items('fields'), name))).toEqual(['meta', 'tags']);
  expect(['photo', 'meta', 'hidden', 'tags'].filter((name) => permissions.maySelect(name))).toEqual(['meta', 'tags']);
});

test('what a list is sorted by is written as the language writes it', async () => {
  const sort = (await itemsOf(QUERY, () => people))('sort');
  const texts = ['id', 'id,ASC', 'id,asc', 'id,Desc', 'id,', 'id,UP', 'id,ASC,', 'id ASC', ',ASC', 'firm.id,desc'];
  const isRead = (text: string) => {
    try {
      return parseQuery({ sort: text }).sort.length === 1;
    } catch {
      return false;
    }
  };

  expect(texts.filter((text) => takes(sort, text))).toEqual(texts.filter((text) => isRead(text) && text !== 'id ASC'));
});

test('values have any length and lines, operators of the application any name', async () => {
  const users = resource({
    catalogOf: () => people,
    model: { type: Person },
    operators: { custom: { '@>': { query: () => '' } } },
  });
  const { parameters } = ((await documentOf([users])) as Json)['paths']['/users'].get as Json;
  const filter = (parameters as Json[]).find((item) => item['name'] === 'filter')!['schema'].items as Json;
  const texts = ['id||eq||a\nb', 'id||@>||1', 'id||$in||1,2', 'meta.a.b||isnull', 'id||isnull||'];

  expect(texts.filter((text) => !takes(filter, text))).toEqual([]);
  expect(takes(filter, 'id||->||1')).toBe(false);
});

function bound(permissions: ReturnType<typeof makePermissions>) {
  return {
    mayCompare: (name: string) => permissions.mayCompare(name),
    maySelect: (name: string) => permissions.maySelect(name),
    mayJoin: (name: string) => permissions.mayJoin(name),
  };
}
