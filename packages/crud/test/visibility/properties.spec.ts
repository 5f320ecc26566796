/** Names of options → the properties that they mean, and how these appear in answers, also under new names. */
import { expect, test } from '@jest/globals';
import { Expose, Transform, Type } from 'class-transformer';
import { findProperty, type PropertyPlace } from '../../src/visibility/levels.js';
import { findAppearances, walkPlace } from '../../src/visibility/path-states.js';
import { formatsWhatIsTransformed } from '../../src/visibility/start-warnings.js';
import { recordClass, relation, users } from '../plan/catalogs.js';
import { decorated, definitionOf, entity, seen } from './seen.js';
import type { Type as Class } from '@nestjs/common';
import type { Answer } from '../../src/visibility/walk.js';

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

const Masked = decorated({ made: Transform(() => '*') });
const MaskedInLists = decorated({ plain: Transform(() => '*') });

test('formats name what a transform for answers stands on', () => {
  const formats = ['made', 'plain', 'nope'];
  const tell = (serialize: object) => {
    const definition = definitionOf(Masked, { query: { formats }, serialize });
    return [...formatsWhatIsTransformed(definition, entity(Masked, ['made', 'plain']))].join();
  };
  const unknown = 'query.formats names "nope", but Decorated has no such field';
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
    const recordClasses = records.map((target) => recordClass(target, ['made']));
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
  }

  class Box {
    get area(): number {
      return 1;
    }
  }

  const paths = ['full', 'last', 'box.area'];
  const ownClass = { ...recordClass(Person, paths, { box: Box }), assigned: new Set(['full']) };
  const people = entity(Person, paths, { recordClasses: [ownClass, { ...ownClass }] });
  for (const answer of [{}, { target: false } as const, { target: class {} }]) {
    const find = findAppearances(people, answer);
    expect(paths.map((path) => find({ steps: [], path }).presence)).toEqual(['always', 'always', 'never']);
  }
});

test('a property counts as changed if another one of its own object has its new name', () => {
  const Box = decorated({ renamed: Expose({ name: 'other' }) });

  class Owner {}

  const see = (other: string, more = {}) => {
    const paths = ['box.renamed', other];
    const recordClasses = [recordClass(Owner, paths, { box: Box })];
    return seen(definitionOf(Owner), entity(Owner, paths, { recordClasses, ...more }), ['box.renamed']);
  };
  const relations = [relation('box.other', 'many-to-one', () => users)];
  expect([see('box.other'), see('box.plain', { relations })]).toEqual([[], []]);
  expect(see('bag.other')).toEqual(['box.renamed']);
});

test('a renamed property is changed if what an initialiser makes, or a record has, stands in its way', () => {
  const Person = decorated({ name: Expose({ name: 'title' }) });
  const made = (initial: object) =>
    class {
      constructor() {
        Object.assign(this, initial);
      }
    };
  const see = (get: Class<unknown>, paths = ['name']) =>
    seen(definitionOf(Person, { serialize: { get } }), entity(Person, paths), ['name', 'label'].slice(0, paths.length));
  const initials = [{ name: new Map() }, { title: new Map() }, { name: '' }, { title: '' }];
  expect(initials.map((initial) => see(made(initial)))).toEqual([[], [], ['name'], ['name']]);

  const Copy = decorated({ label: Expose({ name: 'title' }) });
  expect(see(Copy, ['name', 'label'])).toEqual([]);
  const alone = entity(Person, ['label'], { target: 'no class' });
  const seenAlone = (get: Class<unknown>) => seen(definitionOf(Person, { serialize: { get } }), alone, ['label']);
  class Titled extends Copy {
    title = '';
  }
  expect([seenAlone(Copy), seenAlone(Titled)]).toEqual([['label'], []]);
});

test('what records of several classes have under different names or types is changed', () => {
  class Parent {}

  class Child extends Parent {
    @Expose({ name: 'title' }) name!: string;
    @Type(() => Parent) part!: object;
    @Transform(() => '*') masked!: string;
  }

  const paths = ['name', 'part', 'masked', 'id'];
  const recordClasses = [Parent, Child].map((target) => recordClass(target, paths));
  const parents = entity(Parent, paths, { recordClasses });
  expect(seen(definitionOf(Parent), parents, paths)).toEqual(['id']);
  const finds = [(place: PropertyPlace) => walkPlace(parents, place, {}), findAppearances(parents, {})];
  for (const find of finds) expect(paths.filter((path) => find({ steps: [], path }).isTransformed)).toEqual(['masked']);
});

test('properties appear in an answer under the names of its class', () => {
  const Inner = decorated({ name: Expose({ name: 'title' }) });
  const Record = decorated({ inner: [Expose({ name: 'box' }), Type(() => Inner)] });
  const Copy = decorated({ box: Expose({ name: 'case' }) });

  const records = entity(Record, ['inner.name']);
  const namesIn = (answer: Answer) => walkPlace(records, { steps: [], path: 'inner.name' }, answer).names.join('.');
  const answers = [{}, { target: Copy }, { envelope: class {} }, { target: false } as const];
  expect(answers.map(namesIn)).toEqual(['box.title', 'case.title', 'box.title', 'inner.name']);
  const find = findAppearances(records, {});
  expect(['inner', 'inner.name'].map((path) => find({ steps: [], path }).name)).toEqual(['box', 'title']);
});
