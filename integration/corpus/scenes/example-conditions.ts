/** Conditions: each operator on columns of each kind, with values that fit and values that do not. */
import { encode, filter, type Scene, search, speakAs } from '../scene.js';

const { get, queries } = speakAs();

/** A column to ask, and values by operators. */
type Asked = readonly [field: string, values: readonly string[]];

const ONE_VALUE = [
  'eq',
  'ne',
  'gt',
  'lt',
  'gte',
  'lte',
  'starts',
  'ends',
  'cont',
  'excl',
  'eqL',
  'neL',
  'contL',
  'startsL',
];

/** Each operator, with the first value alone or the first two as a list. */
function askAll(path: string, [field, [first, second]]: Asked, fields: string) {
  const rest = `fields=${fields}&limit=3&page=1`;

  return queries(
    path,
    ...ONE_VALUE.map((operator) => `${filter(field, operator, first)}&${rest}`),
    ...['in', 'notin', 'between', 'inL'].map((operator) => `${filter(field, operator, `${first},${second}`)}&${rest}`),
    ...['isnull', 'notnull'].map((operator) => `${filter(field, operator)}&${rest}`),
  );
}

const askOdd = (path: string, field: string) =>
  queries(
    path,
    ...['abc', '1.5', '-1', '99999999999999999999', 'true', '2026-02-31', 'null', ' ', `a'b"c\\`, '%_'].map(
      (value) => `${filter(field, 'eq', value)}&fields=id&limit=2`,
    ),
  );

const scene = (name: string, ...steps: Scene['steps'][number][]): Scene => ({ name, app: 'example', steps });

const USERS: readonly Asked[] = [
  ['id', ['7', '30']],
  ['email', ['Grace_2@example.org', `o'neil+tag3@mail.example`]],
  ['name.first', ['Ada', 'sam']],
  ['name.last', ['Lovelace', '100%']],
  ['age', ['30', '40']],
  ['balance', ['100.5', '1234.56']],
  ['score', ['0.5', '3']],
  ['isActive', ['true', 'false']],
  ['role', ['admin', 'member']],
  ['birthDate', ['1970-01-01', '1990-01-01']],
  ['createdAt', ['2020-02-29T18:14:59.999Z', '2024-12-31']],
  ['tags', ['red', 'green']],
  ['settings', ['dark', 'light']],
  ['settings.theme', ['dark', 'light']],
  ['settings.pageSize', ['20', '100']],
];

const OTHERS: readonly (readonly [path: string, fields: string, asked: Asked])[] = [
  ['/companies', 'name', ['description', ['a||b||c', 'Lists, lists']]],
  ['/events', 'kind', ['id', ['7', '30']]],
  ['/events', 'kind', ['at', ['2024-10-27T01:00:00.000Z', '2024-10-28']]],
  ['/devices', 'serial', ['serial', ['SN-001', 'X%-003']]],
  ['/memberships', 'role', ['role', ['Member', '50%_']]],
  ['/categories', 'name', ['parent.name', ['Books', 'Phones']]],
  ['/projects', 'name', ['company.name', ['Acme', 'acme']]],
  ['/projects', 'name', ['users.role', ['admin', 'guest']]],
];

export const EXAMPLE_CONDITIONS: readonly Scene[] = [
  ...USERS.map((asked) => scene(`operators on ${asked[0]}`, ...askAll('/users', asked, 'email,age'))),
  ...OTHERS.map(([path, fields, asked]) =>
    scene(`operators on ${path.slice(1)} ${asked[0]}`, ...askAll(path, asked, fields)),
  ),
  scene(
    'values that do not fit',
    ...['id', 'email', 'age', 'balance', 'isActive', 'role', 'birthDate', 'createdAt', 'settings.theme'].flatMap(
      (field) => askOdd('/users', field),
    ),
    ...['id'].flatMap((field) => askOdd('/devices', field)),
    ...['id', 'at', 'payload.ok'].flatMap((field) => askOdd('/events', field)),
  ),
  scene(
    'filters that are refused',
    ...queries(
      '/users',
      'filter=',
      'filter=age',
      'filter=age||',
      'filter=age||eq',
      'filter=age||eq||',
      'filter=age||nope||1',
      'filter=nope||eq||1',
      'filter=password||eq||secret-1',
      'filter=password||isnull',
      'filter=company.description||eq||x',
      'filter=company.nope||eq||x',
      'filter=nope.name||eq||x',
      'filter=company||eq||1',
      'filter=projects||isnull',
      'filter=age||between||1',
      'filter=age||between||1,2,3',
      'filter=age||in||',
      'filter=age||in||1,,2',
      'filter=name||eq||x',
      'filter=email||eq||a&filter=email||eq||b',
      'filter[]=age||gt||90&filter[]=age||lt||100&fields=age',
      'filter[0]=age||gt||90&filter[1]=age||lt||100&fields=age',
      `filter=${encode(`id;DROP TABLE users||eq||1`)}`,
      `filter=${encode(`"id"||eq||1`)}`,
      `or=nope||eq||1`,
      `${Array.from({ length: 101 }, () => 'filter=age||gt||1').join('&')}`,
      `filter=age||in||${Array.from({ length: 1001 }, (_, index) => index).join(',')}`,
      `filter=email||eq||${'x'.repeat(4097)}`,
    ),
  ),
  scene(
    'filters and ors together',
    ...queries(
      '/users',
      'filter=age||eq||30&or=age||eq||40&fields=age&limit=4&page=1',
      'filter=age||eq||30&filter=isActive||eq||true&or=age||eq||40&or=isActive||eq||false&fields=age&limit=4&page=1',
      'or=age||eq||40&fields=age&limit=4&page=1',
      'or=age||eq||40&or=age||eq||30&fields=age&limit=4&page=1',
      'filter=company.name||eq||Acme&or=projects.name||cont||a&fields=id&limit=4&page=1',
      'filter=projects.name||eq||Apollo&filter=projects.budget||gt||500&fields=id&limit=4&page=1',
      'filter=projects.id||isnull&fields=id&limit=4&page=1',
      'filter=profile.city||eq||Paris&fields=id&limit=4&page=1',
      'filter=profile.city||isnull&fields=id&limit=4&page=1',
      'filter=tags||contArr||red,green&fields=tags&limit=4&page=1',
      'filter=tags||intersectsArr||blue,Red&fields=tags&limit=4&page=1',
      'filter=tags||isnull&fields=tags&limit=4&page=1',
    ),
  ),
  scene(
    'searches',
    ...[
      {},
      { age: 30 },
      { age: null },
      { age: { $gt: 20, $lt: 31 } },
      { age: { gt: 20 }, isActive: true },
      { $and: [{ age: { $gte: 40 } }, { isActive: false }] },
      { $or: [{ age: 40 }, { age: 7 }] },
      { $or: [{ age: 40 }, { age: 7 }], isActive: true },
      { $or: [] },
      { $and: [] },
      { $not: { age: 30 } },
      { $not: [{ age: 30 }, { isActive: true }] },
      { $not: [] },
      { age: { $in: [] } },
      { age: { $notin: [] } },
      { age: { $in: [30, '40'] } },
      { age: { $in: '30,40' } },
      { age: { $between: [20, 30] } },
      { age: { $isnull: true } },
      { age: { $isnull: false } },
      { age: { $notnull: false } },
      { age: { $or: { $eq: 30, $gt: 100 } } },
      { age: {} },
      { email: 5 },
      { 'name.last': { $eq: '' } },
      { 'name.first': { $eq: '' } },
      { 'company.name': { $contL: 'ACME' } },
      { 'projects.name': { $cont: 'a' } },
      { $not: { 'projects.name': 'Apollo' } },
      { 'settings.theme': 'dark' },
      { 'settings.pageSize': 20 },
      { 'settings.beta': true },
      { tags: { $contArr: ['red'] } },
      { tags: { $contArr: [] } },
      { tags: { $intersectsArr: [] } },
      { $and: [{ $or: [{ $and: [{ $not: { $not: { age: 30 } } }] }] }] },
      { nope: 1 },
      { password: 'secret-1' },
      { age: { $nope: 1 } },
      { age: 'abc' },
      { age: [30] },
      { $or: {} },
      { $or: { age: 30 } },
      { $and: 1 },
      { $nope: [] },
      { constructor: 1 },
      [],
      null,
      7,
      'text',
    ].map((condition) => get(`/users?${search(condition)}&fields=age&limit=3&page=1`)),
    get('/users?s='),
    get('/users?s={'),
    get('/users?s=%7B%22age%22%3A30%7D&filter=nope||eq||1&fields=age&limit=1'),
    get(`/users?${search(Array.from({ length: 17 }).reduce((inner) => ({ $not: inner }), { age: 1 }))}`),
    get('/users?s=%7B%7D&s=%7B%7D'),
  ),
];
