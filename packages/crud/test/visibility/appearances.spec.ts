/** Classes and properties in: which properties their answers name. */
import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import type { Catalog } from '../../src/plan/catalog.js';
import { findAppearances, findClassAppearances, itemAnswer } from '../../src/visibility/path-states.js';
import { catalog, column } from '../openapi/fixture.js';

const presences = (target: unknown, properties: readonly string[]) => {
  const find = findClassAppearances(target);

  return properties.map((path) => `${path} ${find({ steps: [], path }).presence}`);
};

describe('a class by itself', () => {
  class User {
    id!: number;
    @Exclude() password!: string;
    @Exclude({ toClassOnly: true }) token!: string;
    @Expose({ groups: ['admin'] }) salary!: number;
    @Transform(() => '***') pin!: string;
    @Transform(() => undefined) gone!: string;
  }

  test('names what is masked, and for groups what is theirs', () => {
    expect(presences(User, ['id', 'password', 'token', 'salary', 'pin', 'gone'])).toEqual([
      'id always',
      'password never',
      'token always',
      'salary sometimes',
      'pin always',
      'gone always',
    ]);
  });

  test('names what a getter computes if it is exposed', () => {
    class Computing {
      id!: number;
      @Expose() get shown(): string {
        throw new Error('never called');
      }
      get unshown(): string {
        throw new Error('never called');
      }
    }

    expect(presences(Computing, ['id', 'shown', 'unshown'])).toEqual(['id always', 'shown always', 'unshown never']);
  });

  test('that is none names everything', () => {
    expect(presences('User', ['id'])).toEqual(['id always']);
  });
});

describe('the records of a route', () => {
  class Box {
    open!: string;
    @Exclude() secret!: string;
  }
  @Exclude()
  class Public {
    @Expose() open!: string;
  }
  class Parent {
    id!: number;
    tag!: string;
    box!: Box;
    @Type(() => Public) publicBox!: Box;
  }
  class Child extends Parent {}
  Exclude()(Child.prototype, 'tag');

  const paths = ['id', 'tag', 'box.open', 'box.secret', 'publicBox.open', 'publicBox.secret'];
  const embedded = new Map([
    ['box', Box],
    ['publicBox', Box],
  ]);
  const parents: Catalog = {
    ...catalog(
      Parent,
      paths.map((path) => column(path)),
    ),
    recordClasses: [Parent, Child].map((target) => ({ target, paths: new Set(paths), embedded })),
  };
  const definition = {
    model: Parent,
    options: { query: {}, routes: {} },
    serialize: { getMany: false },
    routes: new Set(['getOneBase', 'getManyBase']),
  } as unknown as ResourceDefinition;
  const presencesOf = (route: 'getOneBase' | 'getManyBase') => {
    const find = findAppearances(parents, itemAnswer(definition, route));

    return paths.map((path) => find({ steps: [], path }).presence);
  };

  test('name what some of the classes show', () => {
    expect(presencesOf('getOneBase')).toEqual(['always', 'sometimes', 'always', 'never', 'always', 'never']);
  });

  test('name everything where nothing is serialized', () => {
    expect(presencesOf('getManyBase')).toEqual(paths.map(() => 'always'));
  });
});
