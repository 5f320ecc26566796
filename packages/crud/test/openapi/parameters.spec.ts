/** Options of a resource in, the parameters of each route out: of queries, paths and headers. */
import { expect, test } from '@jest/globals';
import type { CrudOptions } from '../../src/definition/options.js';
import { describeHeaders, describePath, describeQuery, namesInPath } from '../../src/openapi/parameters.js';
import type { ColumnKind } from '../../src/plan/catalog.js';
import { type BaseRouteName, routeNames } from '../../src/routes/route-table.js';
import { catalog, column, resource, type ResourceOptions, User, userCatalog } from './fixture.js';

const queryOf = (route: BaseRouteName, options: ResourceOptions) =>
  describeQuery(resource(options).definition, route, options.catalogOf ? options.catalogOf() : userCatalog);

const READ = 'fields s filter or join cache includeDeleted';
const ROWS = 'groupBy aggregate having s filter or sort limit offset page includeDeleted';
const returnsNothing = { recoverOneBase: { returnRecovered: false } };
const shallow = { updateOneBase: { returnShallow: true }, replaceOneBase: { returnShallow: true } };
const byCondition = { updateManyBase: { byCondition: true }, deleteManyBase: { byCondition: true } };
const returnsDeleted = { deleteOneBase: { returnDeleted: true } };

test.each<[BaseRouteName, CrudOptions['routes'], names: string]>([
  ['getManyBase', {}, `${READ} cursor total format sort limit offset page`],
  ['getOneBase', {}, READ],
  ['createManyBase', {}, 'fields'],
  ['recoverOneBase', {}, 'fields join includeDeleted'],
  ['recoverOneBase', returnsNothing, ''],
  ['recoverManyBase', {}, 'fields join includeDeleted'],
  ['recoverManyBase', returnsNothing, ''],
  ['countBase', {}, 's filter or includeDeleted'],
  ['aggregateBase', {}, ROWS],
  ['updateManyBase', {}, 'fields join includeDeleted'],
  ['updateManyBase', shallow, 'fields'],
  ['updateManyBase', { ...byCondition, ...shallow }, 'fields s filter or'],
  ['replaceManyBase', {}, 'fields join includeDeleted'],
  ['replaceManyBase', shallow, 'fields'],
  ['deleteManyBase', {}, ''],
  ['deleteManyBase', byCondition, 's filter or'],
  ['deleteManyBase', returnsDeleted, 'fields join includeDeleted'],
])('%s with the routes %j has the parameters "%s"', (route, routes, names) => {
  const query = { softDelete: true, cursor: true, export: { formats: ['csv'] as const } };
  const described = queryOf(route, { routes, query }).map(({ name }) => name);
  expect(described.toSorted()).toEqual(names.split(' ').filter(Boolean).toSorted());
});

const OWN = '(id|email|age|companyId|createdAt)';
const COMPARED = '(id|email|age|companyId|settings(\\..+)?|createdAt)';
const NAMES = '`id`, `email`, `age`, `companyId`, `settings`, `createdAt`';
const RELATED = '|(company)\\.(id|name|secret)';
const RELATED_NAMES = '`company.id`, `company.name`, `company.secret`';
const UNIT = '(:(day|week|month|quarter|year))?';
const KEY = '[A-Za-z][A-Za-z0-9_.]{0,63}';
const BUILT_IN =
  '`$eq`, `$eqL`, `$ne`, `$neL`, `$gt`, `$gtL`, `$lt`, `$ltL`, `$gte`, `$gteL`, `$lte`, `$lteL`, `$starts`, `$startsL`, `$ends`, `$endsL`, `$cont`, `$contL`, `$excl`, `$exclL`, `$in`, `$inL`, `$notin`, `$notinL`, `$isnull`, `$notnull`, `$between`, `$betweenL`, `$contArr`, `$intersectsArr`';

const operator = { query: () => '' };
const query: CrudOptions['query'] = {
  ...{ exclude: ['password'], softDelete: true, cursor: true, limit: 5, maxLimit: 50 },
  limits: { conditions: 2, sorts: 3, joins: 4, aggregates: 6 },
  export: { formats: ['csv'] },
  join: { company: {} },
  aggregate: { groupBy: ['age', 'createdAt'], functions: { age: ['sum', 'min'], '*': ['count'] } },
};
const RICH: ResourceOptions = { query, operators: { custom: { $all: operator, '@>': operator } } };

/** With other separators, and without a catalog. */
const language = { delim: '~', delimStr: ';' } as never;
const APART: ResourceOptions = { catalogOf: () => undefined, language };
const LISTED: ResourceOptions = { ...APART, query: { allow: ['id', 'a.b'], join: { company: {}, 'best of': {} } } };

const integer = (description: string, bounds: object) => ({ description, schema: { type: 'integer', ...bounds } });

type Named = Record<string, [summary: string, value: unknown]>;
const examples = (none: unknown, named: Named = {}) => ({
  none: { summary: 'None', value: none },
  ...Object.fromEntries(Object.entries(named).map(([key, [summary, value]]) => [key, { summary, value }])),
});

const repeated = (description: string, maxItems: number, pattern?: string, named?: Named) => ({
  ...{ description, style: 'form', explode: true },
  schema: { type: 'array', items: { type: 'string', ...(pattern && { pattern }) }, maxItems },
  examples: examples([], named),
});

const conditions = (first: string, text: string): Named => ({
  null: ['Not null', [first]],
  text: ['Contains a text, in whatever case', [text]],
});

const MANY: [ResourceOptions, Record<string, object>][] = [
  [
    RICH,
    {
      fields: {
        description: `Fields to return, separated by \`,\`. The primary key is always returned. Fields: ${NAMES}.`,
        ...{ style: 'form', explode: false },
        schema: { type: 'array', items: { type: 'string', enum: NAMES.replaceAll('`', '').split(', ') } },
        examples: examples([], { fields: ['Two fields', ['id', 'email']] }),
      },
      s: {
        description: expect.stringMatching(/^Search condition as JSON: /),
        schema: { type: 'string' },
        examples: examples('', { search: ['Not null', '{"id":{"$notnull":true}}'] }),
      },
      filter: repeated(
        `Filter condition: \`field||$operator||value\`. Repeated conditions are all required. Fields: ${NAMES}, ${RELATED_NAMES}. Operators: ${BUILT_IN}, \`$all\`, \`@>\`.`,
        2,
        `^(${COMPARED}${RELATED})\\|\\|(\\$?\\w+|@>)(\\|\\|[\\s\\S]*)?$`,
        conditions('id||$notnull', 'email||$contL||a'),
      ),
      sort: repeated(
        `Order: \`field\`, \`field,ASC\` or \`field,DESC\`. Repeat it to sort by several fields; the first counts most. Fields: ${NAMES.replace(' `settings`,', '')}, ${RELATED_NAMES}.`,
        3,
        `^(${OWN}${RELATED})(,([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc]))?$`,
        { sort: ['Descending', ['id,DESC']] },
      ),
      join: repeated(
        'Relation to include: `relation` or `relation||field,field`. Repeat it to include several; relations are nested with dots. Relations: `company`.',
        4,
        '^(company)(\\|\\|[\\s\\S]*)?$',
        { company: ['company', ['company']] },
      ),
      limit: integer('Number of records in the response. Default: 5. A larger number counts as 50.', {
        ...{ minimum: 1, maximum: 50, default: 5 },
      }),
      offset: integer('Number of records to skip. Not together with `page`.', { minimum: 0 }),
      page: integer('Number of the page, from 1. Not together with `offset`.', { minimum: 1 }),
      cache: integer('`0` passes over a cached result and replaces it.', { minimum: 0 }),
      includeDeleted: integer('`1` includes soft-deleted records.', { enum: [0, 1] }),
      cursor: {
        description: expect.stringMatching(/^Reads the list by a cursor: /),
        allowEmptyValue: true,
        schema: { type: 'string' },
      },
      total: integer('`1` counts all records that match, beside a page that is read by a cursor.', { enum: [0, 1] }),
      format: {
        description: expect.stringMatching(/^Format of the whole list, /),
        schema: { type: 'string', enum: ['csv'] },
      },
    },
  ],
  [
    { query: { maxLimit: false } },
    {
      limit: integer('Number of records in the response.', { minimum: 1 }),
      join: repeated(expect.stringMatching(/nested with dots\.$/) as never, 20),
    },
  ],
  [
    { query: { limit: 5000 } },
    {
      limit: integer('Number of records in the response. Default: 5000. A larger number counts as 5000.', {
        ...{ minimum: 1, maximum: 5000, default: 5000 },
      }),
    },
  ],
  [
    {},
    {
      limit: integer('Number of records in the response. A larger number counts as 1000.', {
        minimum: 1,
        maximum: 1000,
      }),
    },
  ],
  [
    LISTED,
    {
      fields: {
        description: 'Fields to return, separated by `;`. The primary key is always returned. Fields: `id`, `a.b`.',
        schema: { type: 'string' },
        examples: examples('', { fields: ['Two fields', 'id;a.b'] }),
      },
      or: repeated(
        'Alternative condition: `field~$operator~value`. An alternative to the conditions in `filter`, with the same fields and operators.',
        100,
        '^((id(\\..+)?|a\\.b(\\..+)?)|(company)\\..+|(best of)\\..+)~(\\$?\\w+)(~[\\s\\S]*)?$',
        conditions('id~$notnull', 'name~$contL~a'),
      ),
      sort: repeated(
        'Order: `field`, `field;ASC` or `field;DESC`. Repeat it to sort by several fields; the first counts most. Fields: `id`, `a.b`.',
        10,
        '^((id(\\..+)?|a\\.b(\\..+)?)|(company)\\..+|(best of)\\..+)(;([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc]))?$',
        { sort: ['Descending', ['id;DESC']] },
      ),
      join: repeated(
        'Relation to include: `relation` or `relation~field;field`. Repeat it to include several; relations are nested with dots. Relations: `company`, `best of`.',
        20,
        '^(company|best of)(~[\\s\\S]*)?$',
        { company: ['company', ['company']], best_of: ['best of', ['best of']] },
      ),
    },
  ],
  [
    { catalogOf: () => undefined },
    {
      fields: {
        description: 'Fields to return, separated by `,`. The primary key is always returned.',
        ...{ style: 'form', explode: false },
        schema: { type: 'array', items: { type: 'string' } },
        examples: examples([], { fields: ['Two fields', ['id', 'name']] }),
      },
      filter: repeated(
        `Filter condition: \`field||$operator||value\`. Repeated conditions are all required. Operators: ${BUILT_IN}.`,
        100,
        undefined,
        conditions('id||$notnull', 'name||$contL||a'),
      ),
      sort: repeated(expect.stringMatching(/the first counts most\.$/) as never, 10, undefined, {
        sort: ['Descending', ['id,DESC']],
      }),
    },
  ],
];

const GROUPS: [ResourceOptions, Record<string, object>][] = [
  [
    RICH,
    {
      groupBy: repeated(
        'What records are grouped by: `field`, `field:month` (`day`, `week`, `month`, `quarter`, `year` of moments and dates, in UTC), or either with its key in the rows: `field||key`. Fields: `age`, `createdAt`.',
        6,
        `^(age|createdAt)${UNIT}((,(age|createdAt)${UNIT})*|\\|\\|${KEY})$`,
      ),
      aggregate: repeated(
        'What is computed of each group: `function||field`, or with its key in the rows: `function||field||key`. Functions: `sum||age`, `min||age`, `count||*`.',
        6,
        `^(sum\\|\\|age|min\\|\\|age|count\\|\\|\\*)(\\|\\|${KEY})?$`,
      ),
      sort: repeated(
        'Order of the rows, by their keys: `key`, `key,ASC` or `key,DESC`. Repeat it to sort by several; the first counts most.',
        3,
      ),
    },
  ],
  [
    APART,
    {
      groupBy: repeated(expect.stringMatching(/: `field~key`\.$/) as never, 50),
      aggregate: repeated(expect.stringMatching(/: `function~field~key`\.$/) as never, 50),
      having: repeated(
        'Condition on the rows of the answer, by their keys: `key~$operator~value`. Repeated conditions are all required.',
        100,
      ),
      sort: repeated(expect.stringMatching(/`key`, `key;ASC` or `key;DESC`\./) as never, 10),
    },
  ],
];

test.each([
  ...MANY.map(([options, expected]) => ['getManyBase', options, expected] as const),
  ...GROUPS.map(([options, expected]) => ['aggregateBase', options, expected] as const),
])('parameters of %s with %j', (route, options, expected) => {
  const described = queryOf(route, options);
  for (const [name, rest] of Object.entries(expected))
    expect(described.find((each) => each.name === name)).toEqual({ name, in: 'query', required: false, ...rest });
});

test('a parameter has the first of its names in the query language', () => {
  const names = { limit: ['take', 'limit'], search: 'q', fields: 'pick' };
  const described = queryOf('getManyBase', { language: { paramNamesMap: names } as never });
  expect(described.map(({ name }) => name).join()).toBe('pick,q,filter,or,sort,join,take,offset,page,cache');
});

enum Kind {
  A = 1,
  B = 2,
}

type Params = Record<string, object>;
const number = { x: { field: 'x', type: 'number' } };

test.each<[Params, ColumnKind | undefined, schema: object]>([
  [{}, 'integer', { type: 'string' }],
  [{ x: { field: 'x', enum: Kind } }, 'text', { type: 'number', enum: [1, 2] }],
  [{ x: { field: 'x', type: 'uuid' } }, 'text', { type: 'string', format: 'uuid' }],
  [{ x: { field: 'x', type: 'string' } }, 'integer', { type: 'string' }],
  [{ x: { field: 'x', type: 'number', disabled: true } }, 'integer', { type: 'integer' }],
  [number, 'integer', { type: 'integer' }],
  [number, 'bigint', { type: 'string' }],
  [number, 'decimal', { type: 'string' }],
  [number, 'float', { type: 'number' }],
  [number, undefined, { type: 'number' }],
])('a parameter of a path with the params %j, of a column of the kind %s, is %j', (params, kind, schema) => {
  const { definition } = resource({ params: params as never });
  const known = kind && catalog(User, [column('x', { kind })]);
  const isField = params['x'] !== undefined && !('disabled' in params['x']);
  const description = isField ? 'User: `x`' : 'Path parameter `x`';
  expect(describePath(definition, '/a/{x}', known)).toEqual([
    { name: 'x', required: true, in: 'path', description, schema },
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

test.each([
  ['users/:id', ['id']],
  ['/companies/{companyId}/users/{id}', ['companyId', 'id']],
  ['users{/:id}', ['id']],
  ['users/:id((?:\\d+))/:other/{id}/{_2}', ['id', 'other', '_2']],
  ['users/{2}/{a-b}', []],
])('the path %s has the parameters %j', (path, names) => {
  expect(namesInPath(path)).toEqual(names);
});

const header = (name: string, description: string, required = false) => ({
  ...{ name, in: 'header', required, description },
  schema: { type: 'string' },
});
const match = (required = false) =>
  header('If-Match', 'Entity tags, of which one must be that of the stored User; `*`: any', required);
const none = header('If-None-Match', 'Entity tags that the client has; `*`: any. It is answered 304 then');
const absent = header('If-None-Match', '`*`: there must be no such User yet');
const HEADERS: { readonly [Route in BaseRouteName]?: object[] } = {
  getManyBase: [none],
  getOneBase: [none],
  updateOneBase: [match(true)],
  replaceOneBase: [match(), absent],
  deleteOneBase: [match()],
  recoverOneBase: [match()],
};

test.each(routeNames())('%s reads headers of entity tags only where a record or a list has one', (route) => {
  const requireMatch = { updateOneBase: { requireMatch: true }, replaceOneBase: { requireMatch: true } };
  const { definition } = resource({ query: { etag: true }, routes: requireMatch });
  expect(describeHeaders(definition, route)).toEqual(HEADERS[route] ?? []);
  expect(describeHeaders(resource({ routes: requireMatch }).definition, route)).toEqual([]);
});
