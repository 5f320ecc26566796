/** Names of options → the properties that they mean; and how answers of further classes show properties. */
import { expect, test } from '@jest/globals';
import type { Type as Class } from '@nestjs/common';
import type { Catalog } from '../../src/plan/catalog.js';
import { findProperty } from '../../src/visibility/levels.js';
import { findAppearances, walkPlace } from '../../src/visibility/path-states.js';
import { catalog, column, users } from '../plan/catalogs.js';

test.each<[name: string, steps: string, path?: string, json?: string]>([
  ['email', '', 'email'],
  ['name', '', 'name'],
  ['name.first', '', 'name.first'],
  ['settings', '', 'settings'],
  ['settings.theme.dark', '', undefined, 'theme.dark'],
  ['company', 'company'],
  ['company.name', 'company', 'name'],
  ['company.users.settings.theme', 'company company.users', undefined, 'theme'],
])('%s means a property', (name, ...[steps, path, json]) => {
  const found = findProperty(users, name)!;
  const names = found.steps.map((step) => step.path).join(' ');
  expect([names, found.path, found.jsonPath?.join('.')]).toEqual([steps, path, json]);
  expect(found.column?.path).toBe(json && 'settings');
});

test.each(['nope', 'email.x', 'name.middle', 'company.nope', 'nope.settings'])('%s means none', (name) =>
  expect(findProperty(users, name)).toBeUndefined(),
);

const of = (target: Class<unknown>, paths = ['made']): Catalog => {
  const columns = paths.map((path) => column(path, 'text'));
  return { ...catalog(target.name, columns), target };
};

test('records of the class of an answer, or of one that inherits from it, are not copied onto it', () => {
  class Base {
    made = () => 'by the class';
  }

  class Child extends Base {}

  class Other {}

  const states = [Base, Child, Other].map((record) => {
    const entity = of(record);
    return walkPlace(entity, { steps: [], column: entity.columns.get('made')! }, { target: Base }).state;
  });
  expect(states).toEqual(['shown', 'shown', 'changed']);
});

test('a getter appears where records have the property as their own', () => {
  class Person {
    get full(): string {
      return '';
    }
    get first(): string {
      return '';
    }
  }

  const paths = ['full', 'first'];
  const recordClass = { target: Person, paths: new Set(paths), embedded: new Map(), assigned: new Set(['full']) };
  const people = { ...of(Person, paths), recordClasses: [recordClass] };
  for (const answer of [{}, { target: false } as const]) {
    const find = findAppearances(people, answer);
    expect(paths.map((path) => find({ steps: [], path }).presence)).toEqual(['always', 'never']);
  }
});
