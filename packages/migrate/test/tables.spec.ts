/** The tables of names agree with the packages that they are about, and the lines that take the place of `@nestjsx/util` answer as it did. */
import { expect, test } from '@jest/globals';
import * as crud from '@nestwright/crud';
import * as request from '@nestwright/crud-request';
import * as typeorm from '@nestwright/crud-typeorm';
import { readdirSync, readFileSync } from 'node:fs';
import * as names from '../src/names.js';
import { printFunction, UTIL_FUNCTIONS } from '../src/inlined-functions.js';
import { REMOVED_STEPS } from '../../crud/src/startup/resource-checks.js';
import { READ_ONLY, REPLACEMENTS } from '../../crud-typeorm/src/legacy-overrides.js';
import { chooseSections, GUIDE_SECTIONS } from '../src/guide-sections.js';
import { leads, sectionsOf } from '../../../scripts/test/markdown.js';
import { projectOf } from './moved.js';

type Exported = { public: Record<string, { readonly kind: string }>; internal: Record<string, unknown> };
const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const read = (path: string) => JSON.parse(textOf(path)) as unknown;
const declarations = Object.entries(read('integration/upstream/declarations.json') as Record<string, Exported>);
const packageOf = (published: string) => published.slice(0, published.lastIndexOf('@'));

test('every published package is known', () => {
  const published = new Set(declarations.map(([name]) => packageOf(name)));
  expect([...published].sort()).toEqual(Object.keys(names.OLD_PACKAGES).sort());
});

test('a name below lib/ is exported, or is told what to use', () => {
  const exported = { ...crud, ...request, ...typeorm };
  const internal = declarations.flatMap(([, { internal: own }]) => Object.keys(own));
  for (const name of internal) expect([name, names.LOST_NAMES.has(name)]).toEqual([name, !(name in exported)]);
  expect([...names.LOST_NAMES.keys()].filter((name) => !internal.includes(name))).toEqual([]);
});

test('every function of the utilities has its line', () => {
  const functions = declarations
    .filter(([published]) => names.OLD_PACKAGES[packageOf(published)] === 'util')
    .flatMap(([, exported]) => Object.entries(exported.public).filter(([, { kind }]) => kind !== 'type'))
    .map(([name]) => name);
  expect(Object.keys(UTIL_FUNCTIONS).sort()).toEqual([...new Set(functions)].sort());
});

test('members that stop the start are those of the packages', () => {
  const { LOST_SERVICE_MEMBERS, READ_ONLY_SERVICE_MEMBERS, LOST_FACTORY_STEPS } = names;
  const found = [LOST_SERVICE_MEMBERS, READ_ONLY_SERVICE_MEMBERS, LOST_FACTORY_STEPS];
  expect(found).toEqual([REPLACEMENTS, READ_ONLY, REMOVED_STEPS]);
});

test('ranges are those of the manifests', () => {
  const ranges = ['crud', 'crud-typeorm'].flatMap((part) => {
    const { peerDependencies } = read(`packages/${part}/package.json`) as Record<string, Record<string, string>>;
    return Object.entries(peerDependencies!).filter(([name]) => !name.startsWith('@nestwright/'));
  });
  expect(Object.fromEntries(ranges)).toEqual(names.PEER_RANGES);
});

const used = readdirSync(new URL('../src/', import.meta.url)).flatMap((source) =>
  [...textOf(`packages/migrate/src/${source}`).matchAll(/guide\('(.+?)'\)/g)].map(([, section = '']) => section),
);

test.each([...new Set(used)])('links lead to sections of the guide: %s', (section) =>
  expect(leads('docs/migration.md', section)).toBe(true),
);

test('the guide has a section, and a row of its table, for each that the command may print', () => {
  const table = sectionsOf('docs/migration.md').get('Which sections to read')!;
  const rows = [...table.matchAll(/^\| \[(.+?)\]\((.+?)#.+?\) \| (.+) \|$/gm)];
  const told = GUIDE_SECTIONS.map(({ title, when }) => [title, when]);
  expect(rows.map(([, title, , when]) => [title, when])).toEqual(told);
  const pages = [...new Set(rows.map(([, , page]) => textOf(`docs/${page}`)))];
  const headings = pages.flatMap((page) => [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading));
  expect(headings).toEqual(told.map(([title]) => title));
});

const OF_SERVERS = ['At the start', 'Reads', 'Writes', 'PUT', 'Bulk bodies'];

test.each<[titles: string[], texts: string[]]>([
  [
    [],
    ['filter: 1', 'parsed.search', 'cache: 1', 'a json b', 'array: false', '@Column()', "@Column('x')", 'join: true'],
  ],
  [['From @dataui/crud'], ["'@dataui/crud'"]],
  [OF_SERVERS, ['@Crud({})']],
  [[...OF_SERVERS, 'Services'], ['TypeOrmCrudService']],
  [['Overriding handlers'], ['@Override()']],
  [['Query builder and parser'], ["'@nestjsx/crud/lib'", 'crud-request/lib/a']],
  [['OpenAPI'], ["'@nestjs/swagger'"]],
  [['Joins'], ['join: { a', 'join  :{', 'join:  {', '@RelationId()']],
  [
    ['Conditions of the application'],
    ['@CrudAuth(', 'filter: 1', 'filter  : 1', 'parsed.search', 'parsed.filter', 'parsed.or', 'CondOperator'].map(
      (text) => `CrudModule ${text}`,
    ),
  ],
  [['Hidden properties'], ['@Exclude()', '@Expose()', '@Transform()', 'serialize: 1', 'exclude  : 1', 'allow: 1']],
  [
    ['JSON columns and embedded objects'],
    [
      ...["'json'", '`jsonb`', '"simple-json"', "'simple-array'", 'array: true', 'array  :  true', 'array:true'],
      ...['@Column(() => A)', '@Column(  type => A)', '@Column((type)  => A)', '@Column(type=> A)'],
    ],
  ],
  [['Validation'], ["'class-validator'", 'ValidationPipe', 'dto: 1', 'dto  : 1']],
  [['Relations in bodies'], ['@OneToOne(', '@OneToMany(', '@ManyToOne(', '@ManyToMany(']],
  [['Listeners and subscribers'], ['@BeforeInsert(', '@AfterLoad(', '@AfterSoftRemove(', 'EventSubscriber']],
])('the sections %j concern projects with %j', (titles, texts) => {
  for (const text of texts) {
    const [first, ...sections] = chooseSections(projectOf({ 'a.ts': text, 'b.ts': 'export {};' }));
    expect([text, first, sections.toSorted()]).toEqual([text, 'TypeScript', titles.toSorted()]);
  }
});

const functionOf = (name: string): ((...values: unknown[]) => unknown) =>
  new Function(`${printFunction(name, 'f', false)} return f;`)() as (...values: unknown[]) => unknown;
const DAY = new Date(0);

test.each<[name: string, yes: unknown[], no: unknown[]]>([
  ['isNil', [null, undefined], [0, '', false]],
  ['hasLength', ['a', [1]], ['', []]],
  ['isStringFull', ['a'], ['', [1], null]],
  ['isArrayFull', [[0]], [[], 'a', null]],
  ['isArrayStrings', [['a']], [[], ['a', ''], [1], 'a']],
  ['isObject', [{}, [], DAY], [null, 'a', undefined]],
  ['isObjectFull', [{ a: 1 }, [1]], [{}, null, 'ab']],
  ['isNumber', [0, -1.5], [NaN, Infinity, '1']],
  ['isNumeric', ['1', '-1.5', '.5', 2], ['a', '', '1e3', null]],
  ['isDateString', ['2020-01-31', '2020-01-31T10:00:00.123+0100'], ['2020', '2020-31-01', DAY, '']],
  ['isDate', [DAY], ['2020-01-31', 0]],
  ['isValue', ['a', 0, false, DAY], ['', null, NaN, {}]],
  ['hasValue', ['a', 0, ['a', 1], [DAY]], ['', [], [null], ['']]],
])('%s', (name, yes, no) => {
  expect(yes.map((value) => functionOf(name)(value))).toEqual(yes.map(() => true));
  expect(no.map((value) => functionOf(name)(value))).toEqual(no.map(() => false));
});

test('functions of two parameters, and of keys', () => {
  expect([functionOf('isEqual')(1, 1), functionOf('isEqual')(1, '1')]).toEqual([true, false]);
  const isIn = functionOf('isIn');
  expect([isIn(1, [0, 1]), isIn(1), isIn(NaN, [NaN])]).toEqual([true, false, false]);
  expect(functionOf('objKeys')({ a: 1, b: 2 })).toEqual(['a', 'b']);
  expect(functionOf('getOwnPropNames')([1])).toEqual(['0', 'length']);
});
