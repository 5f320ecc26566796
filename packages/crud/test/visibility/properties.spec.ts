/** Names of options → the properties that they mean, and how these appear in answers. */
import { expect, test } from '@jest/globals';
import { Transform } from 'class-transformer';
import { findProperty } from '../../src/visibility/levels.js';
import { findAppearances, walkPlace } from '../../src/visibility/path-states.js';
import { formatsWhatIsTransformed } from '../../src/visibility/start-warnings.js';
import { users } from '../plan/catalogs.js';
import { definitionOf, entity } from './seen.js';

test.each<[name: string, steps: string, path?: string, json?: string]>([
  ['email', '', 'email'],
  ['name.first', '', 'name.first'],
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

test.each(['email.x', 'company.nope', 'nope.settings'])('%s means none', (name) =>
  expect(findProperty(users, name)).toBeUndefined(),
);

class Masked {
  @Transform(() => '*') made!: string;
  plain!: string;
}

class MaskedInLists {
  @Transform(() => '*') plain!: string;
}

test('formats name what a transform for answers stands on', () => {
  const formats = ['made', 'plain', 'nope'];
  const tell = (serialize: object) => {
    const definition = definitionOf(Masked, { query: { formats }, serialize });
    return [...formatsWhatIsTransformed(definition, entity(Masked, ['made', 'plain']))].join();
  };
  const unknown = 'query.formats names "nope", but Masked has no such field';
  expect(tell({})).toBe(`query.formats names "plain", but no @Transform() changes it in answers,${unknown}`);
  expect(tell({ getMany: MaskedInLists })).toBe(unknown);
});

test('records of the class of an answer, or of one that inherits from it, are not copied onto it', () => {
  class Base {
    made = () => 'by the class';
  }

  class Child extends Base {}

  class Other {}

  const states = [[Base], [Child], [Other], [Child, Other]].map((records) => {
    const recordClasses = records.map((target) => ({ target, paths: new Set(['made']), embedded: new Map() }));
    const made = entity(records[0]!, ['made'], { recordClasses });
    return walkPlace(made, { steps: [], column: made.columns.get('made')! }, { target: Base }).state;
  });
  expect(states).toEqual(['shown', 'shown', 'changed', 'changed']);
});

test('a getter appears where records of each class have the property as their own', () => {
  class Person {
    get full(): string {
      return '';
    }
    last(): string {
      return '';
    }
    box!: Box;
  }

  class Box {
    get area(): number {
      return 1;
    }
  }

  const paths = ['full', 'last', 'box.area'];
  const embedded = new Map([['box', Box]]);
  const ownClass = (...own: string[]) => ({ target: Person, paths: new Set(paths), embedded, assigned: new Set(own) });
  const recordClasses = [ownClass('full'), ownClass('full')];
  const people = entity(Person, paths, { recordClasses });
  for (const answer of [{}, { target: false } as const, { target: class {} }]) {
    const find = findAppearances(people, answer);
    expect(paths.map((path) => find({ steps: [], path }).presence)).toEqual(['always', 'always', 'never']);
  }
});
