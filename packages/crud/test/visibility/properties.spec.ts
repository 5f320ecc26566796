/** Names of options → the properties that they mean, and how these appear in answers. */
import { expect, test } from '@jest/globals';
import type { Type as Class } from '@nestjs/common';
import { Exclude, Expose, Transform } from 'class-transformer';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import type { Catalog } from '../../src/plan/catalog.js';
import { findProperty } from '../../src/visibility/levels.js';
import { findAppearances, isShownByClass, walkPlace } from '../../src/visibility/path-states.js';
import type { Answer } from '../../src/visibility/walk.js';
import { formatsWhatIsTransformed } from '../../src/visibility/start-warnings.js';
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

class Masked {
  @Transform(() => '*') made!: string;
  plain!: string;
}

class MaskedInLists {
  @Transform(() => '*') plain!: string;
}

test('formats name what a transform for answers stands on', () => {
  const options = { query: { formats: ['made', 'plain', 'nope'] } };
  const definition = { model: Masked, serialize: {}, options, routes: new Set(['getOneBase', 'getManyBase']) };
  const tell = (more: object) => {
    const changed = { ...definition, ...more } as unknown as ResourceDefinition;
    return [...formatsWhatIsTransformed(changed, of(Masked, ['made', 'plain']))].join();
  };
  const unknown = 'query.formats names "nope", but Masked has no such field';
  expect(tell({})).toBe(`query.formats names "plain", but no @Transform() changes it in answers,${unknown}`);
  expect(tell({ serialize: { getMany: MaskedInLists } })).toBe(unknown);
});

test('a transform of the record stays one in an answer of another class', () => {
  class Bare {}

  const masked = of(Masked, ['made', 'plain']);
  const transformed = (answer: Answer) =>
    ['made', 'plain'].filter((path) => findAppearances(masked, answer)({ steps: [], path }).isTransformed);
  expect([transformed({ target: Bare }), transformed({ target: false })]).toEqual([['made'], []]);
});

test('records of the class of an answer, or of one that inherits from it, are not copied onto it', () => {
  class Base {
    made = () => 'by the class';
  }

  class Child extends Base {}

  class Other {}

  const states = [[Base], [Child], [Other], [Child, Other]].map((records) => {
    const recordClasses = records.map((target) => ({ target, paths: new Set(['made']), embedded: new Map() }));
    const entity = { ...of(records[0]!), recordClasses };
    return walkPlace(entity, { steps: [], column: entity.columns.get('made')! }, { target: Base }).state;
  });
  expect(states).toEqual(['shown', 'shown', 'changed', 'changed']);
});

test('a getter appears where records of each class have the property as their own', () => {
  class Person {
    get full(): string {
      return '';
    }
    get first(): string {
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

  const paths = ['full', 'first', 'last', 'box.area'];
  const embedded = new Map([['box', Box]]);
  const ownClass = (...own: string[]) => ({ target: Person, paths: new Set(paths), embedded, assigned: new Set(own) });
  const people = { ...of(Person, paths), recordClasses: [ownClass('full', 'first'), ownClass('full')] };
  for (const answer of [{}, { target: false } as const, { target: class {} }]) {
    const find = findAppearances(people, answer);
    expect(paths.map((path) => find({ steps: [], path }).presence)).toEqual(['always', 'never', 'always', 'never']);
  }
});

test('a class shows to everybody what is selected and neither hidden, changed nor for groups', () => {
  class User {
    id!: number;
    unselected!: string;
    @Exclude() pin!: string;
    @Transform(() => '*') masked!: string;
    @Expose({ groups: ['hr'] }) salary!: string;
  }

  const columns = ['id', 'unselected', 'pin', 'masked', 'salary'].map((path) =>
    column(path, 'text', { selectable: path !== 'unselected' }),
  );
  const entity = { ...catalog('User', columns), target: User };
  expect(columns.filter((one) => isShownByClass(entity, one)).map(({ path }) => path)).toEqual(['id']);
});
