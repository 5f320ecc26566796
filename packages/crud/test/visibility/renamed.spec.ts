/** Properties under new names in; out comes whether answers show what is stored in them. */
import { expect, test } from '@jest/globals';
import type { Type as Class } from '@nestjs/common';
import { Expose, Transform, Type } from 'class-transformer';
import type { PropertyPlace } from '../../src/visibility/levels.js';
import { findAppearances, walkPlace } from '../../src/visibility/path-states.js';
import type { Answer } from '../../src/visibility/walk.js';
import { relation, users as others } from '../plan/catalogs.js';
import { definitionOf, entity, seen } from './seen.js';

test('a property counts as changed if another one of its own object has its new name', () => {
  class Box {
    @Expose({ name: 'other' }) renamed!: string;
  }

  class Owner {}

  const see = (other: string, more = {}) => {
    const paths = ['box.renamed', other];
    const recordClass = { target: Owner, paths: new Set(paths), embedded: new Map([['box', Box]]) };
    return seen(
      definitionOf(Owner),
      entity(Owner, paths, { recordClasses: [recordClass], ...more }),
      paths.slice(0, 1),
    );
  };
  const relations = new Map([['box.other', relation('box.other', 'many-to-one', () => others)]]);
  expect([see('box.other'), see('box.plain', { relations })]).toEqual([[], []]);
  expect(see('bag.other')).toEqual(['box.renamed']);
});

test('a renamed property is changed if what an initialiser makes, or a record has, stands in its way', () => {
  class Person {
    @Expose({ name: 'title' }) name!: string;
    label!: string;
  }
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

  class Copy {
    @Expose({ name: 'title' }) label!: string;
  }
  expect(see(Copy, ['name', 'label'])).toEqual([]);
  const alone = entity(Person, ['label'], { target: 'no class' });
  const seenAlone = (get: Class<unknown>) => seen(definitionOf(Person, { serialize: { get } }), alone, ['label']);
  class Titled extends Copy {
    title = '';
  }
  expect([seenAlone(Copy), seenAlone(Titled)]).toEqual([['label'], []]);
});

test('what records of several classes have under different names or types is changed', () => {
  class Parent {
    name!: string;
    part!: object;
    masked!: string;
    id!: string;
  }

  class Child extends Parent {
    @Expose({ name: 'title' }) declare name: string;
    @Type(() => Parent) declare part: object;
    @Transform(() => '*') declare masked: string;
  }

  const paths = ['name', 'part', 'masked', 'id'];
  const classOf = (target: Class<unknown>) => ({ target, paths: new Set(paths), embedded: new Map() });
  const parents = entity(Parent, paths, { recordClasses: [classOf(Parent), classOf(Child)] });
  expect(seen(definitionOf(Parent), parents, paths)).toEqual(['id']);
  const finds = [(place: PropertyPlace) => walkPlace(parents, place, {}), findAppearances(parents, {})];
  for (const find of finds) expect(paths.filter((path) => find({ steps: [], path }).isTransformed)).toEqual(['masked']);
});

test('properties appear in an answer under the names of its class', () => {
  class Inner {
    @Expose({ name: 'title' }) name!: string;
  }

  class Record {
    @Expose({ name: 'box' }) @Type(() => Inner) inner!: Inner;
  }

  class Copy {
    @Expose({ name: 'case' }) box!: object;
  }

  const records = entity(Record, ['inner.name']);
  const namesIn = (answer: Answer) => walkPlace(records, { steps: [], path: 'inner.name' }, answer).names.join('.');
  expect([{}, { target: Copy }, { envelope: class {} }, { target: false } as const].map(namesIn)).toEqual([
    'box.title',
    'case.title',
    'box.title',
    'inner.name',
  ]);
  const find = findAppearances(records, {});
  expect(['inner', 'inner.name'].map((path) => find({ steps: [], path }).name)).toEqual(['box', 'title']);
});
