/** Options of a resource in, the parameters of each route out: of queries, paths and headers. */
import { expect, test } from '@jest/globals';
import type { CrudOptions } from '../../src/definition/options.js';
import { describeHeaders, describePath, describeQuery, namesInPath } from '../../src/openapi/parameters.js';
import type { Catalog, ColumnKind } from '../../src/plan/catalog.js';
import { type BaseRouteName, routeNames } from '../../src/routes/route-table.js';
import { relation } from '../plan/catalogs.js';
import { TEXT } from './reading.js';
import { catalog, column, id, resource, type ResourceOptions, User, userCatalog } from './fixture.js';

const READ = 'fields s filter or join cache includeDeleted';
const ROWS = 'groupBy aggregate having s filter or sort limit offset page includeDeleted';
const returnsNothing = { recoverOneBase: { returnRecovered: false } };
const shallow = { updateOneBase: { returnShallow: true }, replaceOneBase: { returnShallow: true } };
const byCondition = { updateManyBase: { byCondition: true }, deleteManyBase: { byCondition: true } };

test.each<[BaseRouteName, CrudOptions['routes'], names: string]>([
  ['getManyBase', {}, `${READ} cursor total format sort limit offset page`],
  ['recoverOneBase', returnsNothing, ''],
  ['aggregateBase', {}, ROWS],
  ['updateManyBase', { ...byCondition, ...shallow }, 'fields s filter or'],
  ['replaceManyBase', {}, 'fields join includeDeleted'],
  ['replaceManyBase', shallow, 'fields'],
  ['deleteManyBase', byCondition, 's filter or'],
  ['deleteManyBase', { deleteOneBase: { returnDeleted: true } }, 'fields join includeDeleted'],
])('%s with the routes %j has the parameters "%s"', (route, routes, names) => {
  const query = { softDelete: true, cursor: true, export: { formats: ['csv'] as const } };
  const described = describeQuery(resource({ routes, query }).definition, route, userCatalog);
  expect(described.map(({ name }) => name).toSorted()).toEqual(names.split(' ').filter(Boolean).toSorted());
});

const texts = (...paths: string[]) => paths.map((path) => column(path));
const projects = catalog(class Project {}, [id, ...texts('name', 'budget')]);
const companies = catalog(
  class Company {},
  [id, ...texts('name', 'secret'), column('settings', { kind: 'json' })],
  [relation('projects', 'one-to-many', () => projects)],
);

/** The class of users hides `token`. */
const people: Catalog = catalog(
  User,
  [
    ...[id, ...texts('name.first', 'name.last', 'token', 'salary'), column('hidden', { selectable: false })],
    ...[column('tags', { kind: 'array' }), column('meta', { kind: 'json' }), column('born', { kind: 'date' })],
  ],
  [relation('company', 'many-to-one', () => companies), relation('friend', 'many-to-one', () => people)],
);

const operator = { query: () => '' };
const query: CrudOptions['query'] = {
  exclude: ['name.last', 'salary'],
  conditions: ['salary'],
  softDelete: true,
  cursor: true,
  limit: 5,
  maxLimit: 50,
  limits: { conditions: 2, sorts: 3, joins: 4, aggregates: 6 },
  export: { formats: ['csv'] },
  join: {
    company: { alias: 'firm', exclude: ['secret'] },
    'company.projects': { allow: ['name'] },
    friend: { select: false, allow: ['id'] },
  },
  aggregate: { groupBy: ['age', 'born'], functions: { age: ['sum', 'min'], '*': ['count'] } },
};
const operators = { custom: { $all: operator, '@>': operator } };
const RICH: ResourceOptions = { catalogOf: () => people, query, operators };

const CONDITIONS = [['id||$notnull'], ['name||$contL||a']];
const UNKNOWN: ResourceOptions = { catalogOf: () => undefined };
const join = { company: { alias: 'firm' }, friend: { select: false } };
const NAMED = { allow: ['id', 'secret'], exclude: ['secret'], conditions: ['age', 'id'], join };
const LISTED = '^((id(\\..+)?|age(\\..+)?)|(company|firm)\\..+|(friend)\\..+)';

const describe = ({ catalogOf = () => userCatalog, ...options }: ResourceOptions, route: BaseRouteName) =>
  new Map(describeQuery(resource(options).definition, route, catalogOf()).map((one) => [one.name, one]));

const EXAMPLES = [['company'], ['company.projects'], ['friend']];
const COMPARED =
  '(id|name\\.first|salary|tags|meta(\\..+)?|born)|(company|firm)\\.(id|name|settings(\\..+)?)|' +
  '(company\\.projects|projects|firm\\.projects)\\.(id|name)|(friend)\\.(id)';
const SORTED = '(id|name\\.first|salary|born)|(company|firm)\\.(id|name)|(friend)\\.(id)';
const JOINED = 'company|firm|company\\.projects|firm\\.projects|friend';
const FIELDS =
  'Fields: `id`, `name.first`, `salary`, `tags`, `meta`, `born`, `company.id`, `company.name`, `company.settings`, ' +
  '`company.projects.id`, `company.projects.name`, `friend.id`. Operators: `$eq`, `$eqL`, `$ne`, ';
const SORTS = 'Fields: `id`, `name.first`, `salary`, `born`, `company.id`, `company.name`, `friend.id`.';
const DIRECTION = '([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc])';
const [UNIT, KEY] = ['(:(day|week|month|quarter|year))?', '[A-Za-z][A-Za-z0-9_.]{0,63}'];

const NAMES = { ...TEXT, enum: ['id', 'name', 'name.first', 'tags', 'meta', 'born'] };
const integer = (bounds: object) => ({ type: 'integer', ...bounds });
const list = (items: object, maxItems?: number) => ({ type: 'array', items, ...(maxItems && { maxItems }) });
const match = (pattern: string, maxItems: number) => list({ ...TEXT, pattern }, maxItems);
const REST = '(\\|\\|[\\s\\S]*)?$';
const FILTER = match(`^(${COMPARED})\\|\\|(\\$?\\w+|@>)${REST}`, 2);
const BY_FIELDS = match(`^(age|born)${UNIT}((,(age|born)${UNIT})*|\\|\\|${KEY})$`, 6);
const AGGREGATES = match(`^(sum\\|\\|age|min\\|\\|age|count\\|\\|\\*)(\\|\\|${KEY})?$`, 6);

type Row = [name: string, schema: object, says: string | RegExp, shown?: unknown[]];

const rowsOf = (route: BaseRouteName, options: ResourceOptions, rows: Row[]) =>
  rows.map(([name, schema, says, shown]) => [name, route, options, schema, says, shown] as const);

test.each([
  ...rowsOf('getManyBase', RICH, [
    ['fields', list(NAMES), 'by `,`. The primary key is always returned. Fields: `id`, `name`, ', [['id', 'name']]],
    ['s', TEXT, 'as JSON', ['{"id":{"$notnull":true}}']],
    ['filter', FILTER, FIELDS, [['id||$notnull'], ['name.first||$contL||a']]],
    ['sort', match(`^(${SORTED})(,${DIRECTION})?$`, 3), SORTS, [['id,DESC']]],
    ['join', match(`^(${JOINED})${REST}`, 4), '. Relations: `company`, `company.projects`.', EXAMPLES],
    ['limit', integer({ minimum: 1, maximum: 50, default: 5 }), ' Default: 5. A larger number counts as 50.'],
    ['offset', integer({ minimum: 0 }), 'Not together with `page`'],
    ['page', integer({ minimum: 1 }), 'Not together with `offset`'],
    ['cache', integer({ minimum: 0 }), 'cached'],
    ['includeDeleted', integer({ enum: [0, 1] }), 'soft-deleted'],
    ['cursor', TEXT, 'Reads the list by a cursor: '],
    ['total', integer({ enum: [0, 1] }), 'counts all records'],
    ['format', { ...TEXT, enum: ['csv'] }, 'Format of the whole list'],
  ]),
  ...rowsOf('getManyBase', { ...RICH, query: { ...query, unknown: 'ignore' } }, [
    ['join', list(TEXT, 4), 'Relations: `company`', EXAMPLES],
  ]),
  ...rowsOf('getManyBase', UNKNOWN, [
    ['fields', list(TEXT), /The primary key is always returned\.$/, [['id', 'name']]],
    ['filter', list(TEXT, 100), 'are all required. Operators: ', CONDITIONS],
    ['sort', list(TEXT, 10), /the first counts most\.$/, [['id,DESC']]],
    ['join', list(TEXT, 20), /nested with dots\.$/, []],
    ['limit', integer({ minimum: 1, maximum: 1000 }), 'in the response. A larger number counts as 1000.'],
  ]),
  ...rowsOf('getManyBase', { ...UNKNOWN, query: NAMED }, [
    ['fields', list({ ...TEXT, pattern: '^((id(\\..+)?))$' }), /Fields: `id`\.$/, [['id']]],
    ['filter', match(`${LISTED}\\|\\|(\\$?\\w+)${REST}`, 100), 'Fields: `id`, `age`.', CONDITIONS],
    ['sort', match(`${LISTED}(,${DIRECTION})?$`, 10), /Fields: `id`, `age`\.$/, [['id,DESC']]],
    ['join', match(`^(company|firm|friend)${REST}`, 20), /Relations: `company`\.$/, [['company'], ['friend']]],
  ]),
  ...rowsOf('getManyBase', { query: { maxLimit: false } }, [['limit', integer({ minimum: 1 }), 'response.']]),
  ...rowsOf('aggregateBase', RICH, [
    ['groupBy', BY_FIELDS, ': `field||key`. Fields: `age`, `born`.', []],
    ['aggregate', AGGREGATES, ': `function||field||key`. Functions: `sum||age`, `min||age`, `count||*`.', []],
    ['sort', list(TEXT, 3), 'by their keys: `key`, `key,ASC` or `key,DESC`', []],
  ]),
])('the parameter %s of %s is described: row %#', (name, route, options, schema, says, shown) => {
  const { description, examples, ...rest } = describe(options, route).get(name)!;
  const isList = 'items' in schema;
  const style = isList && { style: 'form', explode: name !== 'fields' };
  const empty = name === 'cursor' && { allowEmptyValue: true };
  expect(rest).toEqual({ name, in: 'query', required: false, schema, ...style, ...empty });
  expect(description).toMatch(says);
  const values = examples && Object.values(examples).map(({ value }) => value);
  expect(values).toEqual(shown && [isList ? [] : '', ...shown]);
});

test('a parameter has the first of its names in the query language', () => {
  const names = { limit: ['take', 'limit'], search: 'q', fields: 'pick' };
  const described = describe({ language: { paramNamesMap: names } as never }, 'getManyBase');
  expect([...described.keys()].join()).toBe('pick,q,filter,or,sort,join,take,offset,page,cache');
});

/** As TypeScript compiles an enumeration. */
const Kind = { 1: 'A', A: 1, 2: 'B', B: 2 };
type Params = Record<string, object>;
const number = { x: { field: 'x', type: 'number' } };
const [field, unknown] = [{ description: 'User: `x`' }, { description: 'Path parameter `x`' }];

test.each<[Params, ColumnKind | undefined, description: object, schema: object]>([
  [{}, 'integer', unknown, { type: 'string' }],
  [{ x: { field: 'x', enum: Kind } }, 'text', field, { type: 'number', enum: [1, 2] }],
  [{ x: { field: 'x', type: 'uuid' } }, 'text', field, { type: 'string', format: 'uuid' }],
  [{ x: { field: 'x', type: 'number', disabled: true } }, 'integer', unknown, { type: 'integer' }],
  [number, 'bigint', field, { type: 'string' }],
  [number, 'decimal', field, { type: 'string' }],
  [number, undefined, field, { type: 'number' }],
])('a parameter of a path with the params %j, of a column of the kind %s, is %j: %j', (params, kind, text, schema) => {
  const { definition } = resource({ params: params as never });
  expect(describePath(definition, '/a/{x}', kind && catalog(User, [column('x', { kind })]))).toEqual([
    { name: 'x', required: true, in: 'path', ...text, schema },
  ]);
});

test('a parameter of a path is described by its field, and by no property of all objects', () => {
  const { definition } = resource({ params: { key: { field: 'id', type: 'number' } } as never });
  const described = describePath(definition, '/:key/:constructor', userCatalog);
  expect(described.map(({ description, schema }) => [description, schema.type])).toEqual([
    ['User: `id`', 'integer'],
    ['Path parameter `constructor`', 'string'],
  ]);
});

test('names in paths, as routes and documents write them', () => {
  expect(namesInPath('users{/:id}/:id((?:\\d+))/:other/{id}/{_2}/{2}/{a-b}')).toEqual(['id', 'other', '_2']);
});

/** The headers of a route; those that it requires with a mark. */
const headersOf = (options: ResourceOptions) =>
  routeNames().flatMap((route) => {
    const headers = describeHeaders(resource(options).definition, route);
    for (const { in: place, schema } of headers) expect([place, schema]).toEqual(['header', { type: 'string' }]);
    const names = headers.map(({ name, required }) => (required ? `${name}!` : name));
    return names.length > 0 ? [`${route} ${names.join(' ')}`] : [];
  });

test('headers of entity tags are read only where a record or a list has one', () => {
  const routes = { updateOneBase: { requireMatch: true }, replaceOneBase: { requireMatch: true } };
  expect(headersOf({ query: { etag: true }, routes })).toEqual([
    ...['getManyBase If-None-Match', 'getOneBase If-None-Match', 'updateOneBase If-Match!'],
    ...['replaceOneBase If-Match If-None-Match', 'deleteOneBase If-Match', 'recoverOneBase If-Match'],
  ]);
  expect(headersOf({ routes })).toEqual([]);
});
