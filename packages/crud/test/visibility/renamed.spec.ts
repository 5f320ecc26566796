/** Properties under new names in; out comes whether answers show what is stored in them. */
import { expect, test } from '@jest/globals';
import type { Type as Class } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { relation, users as others } from '../plan/catalogs.js';
import { definitionOf, entity, seen } from './seen.js';

test('a property is changed by one of its object that has its new name, not by one of another object', () => {
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

test.each(['name', 'title'])('what an initialiser makes under %s stands in the way of a renamed property', (made) => {
  class User {
    @Expose({ name: 'title' }) name!: string;
  }

  const copies = [new Map(), ''].map(
    (initial) =>
      class {
        constructor() {
          Object.assign(this, { [made]: initial });
        }
      },
  );
  const users = entity(User, ['name']);
  const see = (copy: Class<unknown>) => seen(definitionOf(User, { serialize: { get: copy } }), users, ['name']);
  expect(copies.map(see)).toEqual([[], ['name']]);
});

test('a new name in the class of an answer is shown unless the record or the class has another of it', () => {
  class Person {
    @Expose({ name: 'label' }) name!: string;
    title!: string;
  }

  class Copy {
    @Expose({ name: 'label' }) title!: string;
  }

  class Labelled extends Copy {
    label = '';
  }

  const see = (get: Class<unknown>, paths: string[], target: unknown = Person) =>
    seen(definitionOf(Person, { serialize: { get } }), entity(Person, paths, { target }), ['title']);
  expect([see(Copy, ['title']), see(Copy, ['title', 'name'], 'no class')]).toEqual([['title'], ['title']]);
  expect([see(Copy, ['title', 'name']), see(Labelled, ['title'])]).toEqual([[], []]);
});
