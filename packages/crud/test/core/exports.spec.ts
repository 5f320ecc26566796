/** The names that adapters need, values of nestjsx/crud's that applications store or compare, and the setting of the fast paths. */
import { expect, test } from '@jest/globals';
import * as crud from '@nestwright/crud';
import * as adapter from '@nestwright/crud/adapter';
import { readFastPaths } from '../../src/fast-paths.js';

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
