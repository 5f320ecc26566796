/** Options and names of clients in; the schemas of the query parameters take the names that a request of the resource may use, and no others. */
import { expect, test } from '@jest/globals';
import { parseQuery } from '@nestwright/crud-request';
import { Exclude, Expose } from 'class-transformer';
import type { QueryOptions } from '../../src/definition/query-options.js';
import type { Catalog } from '../../src/plan/catalog.js';
import { makePermissions } from '../../src/request/permissions.js';
import { judgePaths } from '../../src/visibility/path-states.js';
import { relation } from '../plan/catalogs.js';
import { catalog, column, documentOf, resource, type ResourceOptions } from './fixture.js';
import { at, type Json, parameter } from './reading.js';

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
  [relation('projects', 'one-to-many', () => projects)],
);

const people = catalog(
  Person,
  [
    id,
    ...['name.first', 'name.last', 'name.secret', 'token'].map((path) => column(path)),
    column('salary', { kind: 'integer' }),
    column('hidden', { selectable: false }),
    column('photo', { kind: 'binary' }),
    column('tags', { kind: 'array' }),
    column('meta', { kind: 'json' }),
  ],
  [relation('company', 'many-to-one', () => companies), relation('friend', 'many-to-one', (): Catalog => people)],
);

const QUERY: QueryOptions = {
  exclude: ['name.secret'],
  join: {
    company: { alias: 'firm', exclude: ['secret'] },
    'company.projects': { allow: ['name'] },
    friend: { select: false },
  },
};

const own = 'id name name.first name.secret token salary hidden photo tags meta meta.a id.a'.split(' ');
const below = (relations: string, rests: string) =>
  relations.split(' ').flatMap((relation) => ['', ...rests.split(' ')].map((rest) => relation + rest));
const NAMES = [
  ...own,
  'nothing',
  'nothing.id',
  ...below('company firm companies Company friend', '.id .name .secret .settings .settings.a.b .name.a .nothing'),
  ...below('company.projects firm.projects projects friend.company friend.projects', '.id .name .budget .name.a'),
  ...own.map((name) => `friend.${name}`),
];

const SORTABLE = NAMES.filter((name) => !/meta|tags|photo|settings|projects/.test(name));

async function listOf(options: ResourceOptions): Promise<(name: string) => Json> {
  const made = resource({ model: { type: Person }, query: QUERY, catalogOf: () => people, ...options });
  const list = at(await documentOf([made]), '/users', 'get');
  return (name) => parameter(list, name);
}

/** Those of the names, with what stands behind them, that a parameter takes. */
async function takenBy(options: ResourceOptions) {
  const list = await listOf(options);
  return (name: string, texts: readonly string[], behind = '') => {
    const { pattern, enum: members } = list(name)['schema'].items as { pattern?: string; enum?: string[] };
    const takes = (text: string) =>
      members ? members.includes(text) : pattern === undefined || new RegExp(pattern).test(text);
    return texts.filter((text) => takes(`${text}${behind}`));
  };
}

// What is shown to certain groups alone may be named by these.
function permitted(entity: Catalog | undefined, { query = QUERY, serialize = {} }: ResourceOptions) {
  const { definition } = resource({ model: { type: Person }, query, serialize });
  const permissions = makePermissions(query, entity, entity && judgePaths(definition, entity, { groups: ['hr'] }));
  return {
    compared: (names: string[]) => names.filter((name) => permissions.mayCompare(name)),
    selected: (names: string[]) => names.filter((name) => permissions.maySelect(name)),
    joined: (names: string[]) => names.filter((name) => permissions.mayJoin(name)),
  };
}

const ALLOWING: QueryOptions = { ...QUERY, allow: ['name', 'meta'] };

test.each<[string, QueryOptions]>([
  ['all that is not excluded', QUERY],
  ['what is allowed', ALLOWING],
])('with a catalog, %s may be named in conditions, sorts, fields and joins, and nothing else', async (_, query) => {
  const { compared, selected, joined } = permitted(people, { query });
  const taken = await takenBy({ query });
  expect(taken('filter', NAMES, '||eq||1')).toEqual(compared(NAMES));
  expect(taken('or', NAMES, '||$notnull')).toEqual(compared(NAMES));
  expect(taken('sort', NAMES, ',DESC')).toEqual(compared(SORTABLE));
  expect(taken('fields', NAMES)).toEqual(selected(NAMES));
  expect(taken('join', NAMES)).toEqual(joined(NAMES));
});

const catalogOf = () => undefined;

test('without a catalog what the lists say is taken, and everything of a relation', async () => {
  const { compared, selected, joined } = permitted(undefined, { query: ALLOWING });
  const taken = await takenBy({ query: ALLOWING, catalogOf });
  expect(taken('filter', compared(NAMES), '||eq||1')).toEqual(compared(NAMES));
  expect(taken('sort', compared(NAMES))).toEqual(compared(NAMES));
  expect(taken('fields', selected(NAMES))).toEqual(selected(NAMES));
  expect(taken('join', joined(NAMES))).toEqual(joined(NAMES));
  expect(taken('filter', ['id', 'token', 'firms.id'], '||eq||1')).toEqual([]);
  expect(taken('fields', ['id', 'names'])).toEqual([]);
});

test('where unknown names are ignored, fields and joins are not bounded, but named', async () => {
  const query: QueryOptions = { ...QUERY, unknown: 'ignore' };
  const list = await listOf({ query });
  for (const name of ['fields', 'join']) expect(list(name)['schema'].items).toEqual({ type: 'string' });
  expect(list('fields')['description']).toContain(
    'Fields: `id`, `name`, `name.first`, `name.last`, `salary`, `photo`, `tags`, `meta`.',
  );
  expect(list('join')['description']).toContain('Relations: `company`, `company.projects`.');
  expect((await takenBy({ query }))('filter', ['nothing||eq||1'])).toEqual([]);
});

test('what no answer shows is not named, unless query.conditions frees it', async () => {
  class PersonResponse {
    @Exclude() photo!: string;
    @Exclude() meta!: object;
    @Exclude() company!: object;
  }

  const query = { ...QUERY, conditions: ['meta', 'company.name', 'hidden'] };
  const options: ResourceOptions = { query, serialize: { get: PersonResponse } };
  const [taken, { compared, selected }] = [await takenBy(options), permitted(people, options)];
  const names = 'photo meta meta.a hidden tags company.name company.id friend.id token'.split(' ');
  expect(taken('filter', names, '||eq||1').join(' ')).toBe('meta meta.a hidden tags company.name friend.id');
  expect(taken('fields', names.slice(0, 5))).toEqual(selected(names.slice(0, 5)));
  expect(compared(names)).toEqual(taken('filter', names, '||eq||1'));
  expect(taken('fields', ['photo', 'meta', 'hidden', 'tags'])).toEqual(['meta', 'tags']);
});

test('what a list is sorted by is written as the language writes it', async () => {
  const texts = ['id', 'id,ASC', 'id,asc', 'id,Desc', 'id,', 'id,UP', 'id,ASC,', 'id ASC', ',ASC', 'firm.id,desc'];
  const isRead = (sort: string) => {
    try {
      return parseQuery({ sort }).sort.length === 1;
    } catch {
      return false;
    }
  };
  expect((await takenBy({}))('sort', texts)).toEqual(texts.filter((text) => isRead(text) && text !== 'id ASC'));
});

test('values have any length and lines, operators of the application any name', async () => {
  const taken = await takenBy({ query: {}, operators: { custom: { '@>': { query: () => '' } } } });
  const texts = ['id||eq||a\nb', 'id||eq||a||b', 'id||@>||1', 'id||$in||1,2', 'meta.a.b||isnull', 'id||isnull||'];
  expect(taken('filter', [...texts, 'id||->||1', 'id', 'id|$eq|1', 'id||'])).toEqual(texts);
  expect((await takenBy({}))('join', ['company||id,name', 'companies||id'])).toEqual(['company||id,name']);
});
