/** Classes and properties in: which properties their answers name, also where the application's classes throw. */
import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import type { Catalog } from '../../src/plan/catalog.js';
import { itemAnswer, namedByClass, namedPaths } from '../../src/visibility/index.js';
import { catalog, column } from '../openapi/fixture.js';

const presences = (target: unknown, properties: readonly string[]) => {
  const names = namedByClass(target, properties);

  return properties.map((path) => `${path} ${names({ steps: [], path }, [path])}`);
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
      'gone never',
    ]);
  });

  test('names nothing that can be told where it throws for every record', () => {
    class Throwing {
      id!: number;
      @Expose() get never(): string {
        throw new Error('never');
      }
    }

    expect(presences(Throwing, ['id'])).toEqual(['id unknown']);
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
    const names = namedPaths(definition, parents, itemAnswer(definition, route));

    return paths.map((path) => names({ steps: [], path }, path.split('.')));
  };

  test('name what some of the classes show', () => {
    expect(presencesOf('getOneBase')).toEqual(['always', 'sometimes', 'always', 'never', 'always', 'never']);
  });

  test('name everything where nothing is serialized', () => {
    expect(presencesOf('getManyBase')).toEqual(paths.map(() => 'always'));
  });
});
