/** The names that adapters need, values of nestjsx/crud's that applications store or compare, and the setting of the fast paths; every member of nestjsx/crud's and @dataui/crud's classes that a subclass can override takes effect here, stops the start with what to use instead, or is listed with the reason why it may do neither. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import * as crud from '@nestwright/crud';
import * as adapter from '@nestwright/crud/adapter';
import { CrudBaseInterceptor } from '../../src/exchange/interceptors.js';
import { readFastPaths } from '../../src/fast-paths.js';
import { REMOVED_STEPS } from '../../src/startup/resource-checks.js';

test('what adapters need is exported for them, not for applications', () => {
  const plans = ['planRead', 'planRecord', 'planScope', 'planWrite', 'project'];
  const names = [...plans, 'crudError', 'ERRORS', 'readValue', 'reportOutcome', 'definitionOf'];
  expect(names.filter((name) => name in adapter)).toEqual(names);
  expect(names.filter((name) => name in crud)).toEqual([]);
});

test('values that applications store or compare are those of nestjsx/crud', () => {
  const actions = 'Read-All Read-One Create-One Create-Many Update-One Replace-One Delete-One Delete-All Recover-One';
  const all = `${actions} Count-All Aggregate-All Update-Many Replace-Many Delete-Many Recover-Many`.split(' ');
  expect(crud.CrudActions).toEqual(Object.fromEntries(all.map((action) => [action.replace('-', ''), action])));
  expect(crud.CrudValidationGroups).toEqual({ CREATE: 'CRUD-CREATE', UPDATE: 'CRUD-UPDATE' });
});

const ALL = { rows: true, text: true, returning: true, bodies: true, handlers: true, serialization: true };
const NONE = Object.fromEntries(Object.keys(ALL).map((name) => [name, false]));

test.each([
  [undefined, ALL],
  ['on', ALL],
  ['off', NONE],
  ['-text,-rows', { ...ALL, text: false, rows: false }],
])('%p turns off what it names, and nothing else', (setting, expected) =>
  expect(readFastPaths(setting)).toEqual(expected),
);

test.each(['-txet', 'text', '-text,', 'no'])('%s is refused, as it turns nothing off', (setting) =>
  expect(() => readFastPaths(setting)).toThrow('is none of off, -rows, -text, -returning'),
);

type Declared = { readonly members?: Record<string, string>; readonly statics?: Record<string, string> };

const declarations = JSON.parse(
  readFileSync(new URL('../../../../integration/upstream/declarations.json', import.meta.url), 'utf8'),
) as Record<string, { readonly public: Record<string, Declared>; readonly internal: Record<string, Declared> }>;

/** Members that subclasses see, of all versions. */
function membersOf(name: string, kind: keyof Declared = 'members'): string[] {
  const found = Object.values(declarations).flatMap(({ public: open, internal }) =>
    Object.entries((open[name] ?? internal[name])?.[kind] ?? {}).filter(([, what]) => !what.startsWith('private')),
  );
  return [...new Set(found.map(([member]) => member))].sort();
}

/** Members that an override need not change anything by, and why. */
const EXEMPT: Record<string, string> = {
  'CrudService.getPrimaryParam': 'only the services of TypeORM called it, where it stops the start',
  'CrudRoutesFactory.swaggerModels':
    'a field that steps of the OpenAPI description fill, each of which stops the start',
};

const { CrudConfigService, CrudRequestInterceptor, CrudResponseInterceptor, CrudRoutesFactory, CrudService } = crud;
const INTERCEPTORS = { CrudBaseInterceptor, CrudRequestInterceptor, CrudResponseInterceptor };
const OURS: Record<string, { readonly prototype: object }> = { ...INTERCEPTORS, CrudRoutesFactory, CrudService };

/** Fields and abstract members, which no prototype has. */
const OF_INSTANCES = new Set([
  ...['CrudRoutesFactory.target', 'CrudRoutesFactory.options'],
  ...['getMany', 'getOne', 'createOne', 'createMany', 'updateOne', 'replaceOne', 'deleteOne', 'recoverOne'].map(
    (verb) => `CrudService.${verb}`,
  ),
]);

test.each(Object.keys(OURS))('%s', (name) => {
  const members = membersOf(name);
  const isKnown = (member: string, full = `${name}.${member}`) =>
    member in OURS[name]!.prototype || OF_INSTANCES.has(full) || REMOVED_STEPS.has(member) || full in EXEMPT;
  expect(members.length).toBeGreaterThan(0);
  expect(members.filter((member) => !isKnown(member))).toEqual([]);
});

test('static members', () => {
  expect(membersOf('CrudRoutesFactory', 'statics')).toEqual(['create']);
  expect(membersOf('CrudConfigService', 'statics')).toEqual(['config', 'load']);
  expect(CrudRoutesFactory).toHaveProperty('create');
  for (const name of ['load', 'config']) expect(CrudConfigService).toHaveProperty(name);
});

test('a step that is said to be removed is not there', () => {
  expect([...REMOVED_STEPS.keys()].filter((step) => step in CrudRoutesFactory.prototype)).toEqual([]);
});
