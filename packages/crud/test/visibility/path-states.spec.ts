/** Classes and options of class-transformer in; out comes what the answers to a request make of a value, and which properties they name. */
import { describe, expect, test } from '@jest/globals';
import type { Type as Class } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import type { CrudOptions } from '../../src/definition/options.js';
import type { BaseRouteName } from '../../src/routes/route-table.js';
import { findAppearances, findClassAppearances, itemAnswer, judgePaths } from '../../src/visibility/path-states.js';
import { recordClass, relation } from '../plan/catalogs.js';
import { ALL, decorated, definitionOf, entity, seen } from './seen.js';

class Card {
  @Transform(({ value }: { value?: string }) => value?.replace(/\d(?=\d{4})/g, '*')) digits!: string;
  @Transform(({ value }: { value: string }) => `<${value}>`) format!: string;
  @Transform(({ value }: { value: string }) => value.trim(), { toClassOnly: true }) inbound!: string;
  @Transform(() => '', { groups: ['guest'] }) forGuests!: string;
  @Transform(() => '', { until: 2 }) formerly!: string;
  @Exclude({ toClassOnly: true }) token!: string;
  @Exclude() @Transform(() => '') secret!: string;
}

const onCards = ['digits', 'format', 'inbound', 'forGuests', 'formerly', 'token', 'secret', 'plain'];
const cards = entity(Card, onCards);

test.each<[Partial<CrudOptions>, object | undefined, string]>([
  [{}, { groups: ['guest'] }, 'inbound,token,plain'],
  [{}, { version: 2 }, 'inbound,forGuests,formerly,token,plain'],
  [{ query: { formats: ['format', 'secret'] } }, undefined, 'format,inbound,forGuests,token,plain'],
])('a transform for answers changes what it stands on: %j, %j', (options, transformOptions, expected) =>
  expect(seen(definitionOf(Card, options), cards, onCards, transformOptions).join()).toBe(expected),
);

test('a transform leaves a value to be selected, and hides no other', () => {
  const judge = judgePaths(definitionOf(Card), cards);
  const states = [...cards.columns.values()].map((item) => judge({ steps: [], column: item }));
  expect(states.join()).toBe('changed,changed,shown,shown,changed,shown,hidden,shown');
});

test('a transform of a relation or an embedded object changes all that is below', () => {
  const Box = decorated({ inner: Transform(({ value }: { value: object }) => value) });

  const boxes = entity(Box, ['inner.value', 'inner.deep.value']);
  const see = (...formats: string[]) =>
    seen(definitionOf(Box, { query: { formats } }), boxes, [...boxes.columns.keys()]);
  expect([see(), see('inner.value'), see('inner')]).toEqual([[], [], [...boxes.columns.keys()]]);
});

describe('what is not understood', () => {
  const Masked = decorated({ text: Transform(() => '*') });

  class Open {}

  class User {
    @Type((options) => (options!.object['plain'] ? Date : Object)) chosen!: object;
    @Expose({ name: 'plain' }) renamed!: string;
    @Type(() => (() => undefined) as never) called!: object;
    @Type(() => Open) byName!: Map<string, Open>;
    @Type(() => Masked) masked!: object;
    @Type(() => Open, { discriminator: { property: 'kind', subTypes: [] } }) ofKind!: Open;
    get computed(): string {
      return '';
    }
    set computed(_: string) {}
  }

  class UserDto {
    lonely = () => 'made';
  }

  class Failing {
    constructor(user: User) {
      user.renamed = '';
    }
  }

  const Masking = decorated({ plain: Transform(() => '*') });

  class Getting {
    @Expose() get plain(): string {
      return '';
    }
  }

  const changed = ['chosen.a', 'called.a', 'byName.a', 'renamed', 'plain', 'masked.text', 'ofKind.plain', 'computed'];
  const names = [...changed, 'lonely'];
  const users = entity(User, names);
  const open = entity(Open, ['plain']);

  test('is changed, as what an initialiser makes or fails to make', () => {
    expect(seen(definitionOf(User), users, names)).toEqual(['lonely']);
    expect(seen(definitionOf(User, { serialize: { get: UserDto } }), users, names)).toEqual([]);
    for (const get of [Failing, Masking, Getting])
      expect(seen(definitionOf(Open, { serialize: { get } }), open, ['plain'])).toEqual([]);
  });

  test('options of class-transformer that are unknown hide all', () => {
    const counted = (options: object) => seen(definitionOf(Open), open, ['plain'], options).length;
    const unknown = [{ ignoreDecorators: true }, { targetMaps: [] }, { groups: 'g' }, { excludePrefixes: 'x' }];
    const known = [{ enableCircularCheck: true }, { exposeUnsetFields: false }, { ignoreDecorators: false }];
    expect([...unknown, ...known].map(counted)).toEqual([0, 0, 0, 0, 1, 1, 1]);
  });

  test('toJSON of a class where serialization is off', () => {
    class Printed {
      toJSON(): object {
        return { id: '' };
      }
    }

    const printed = entity(Printed, ['id'], { recordClasses: [Open, Printed].map((one) => recordClass(one, ['id'])) });
    expect(seen(definitionOf(Printed), printed, ['id'])).toEqual(['id']);
    expect(seen(definitionOf(Printed, { serialize: { getMany: false, get: false } }), printed, ['id'])).toEqual([]);
  });
});

describe('the classes in serialize', () => {
  const User = decorated({ pin: Exclude() });

  @Exclude()
  class Short {
    @Expose({ name: 'title' }) name!: string;
    @Expose() pin!: string;
  }

  class Page {
    @Type(() => Short) data!: Short[];
  }

  class Items {
    @Expose({ name: 'items' }) @Type(() => Short) data!: Short[];
  }

  const names = ['id', 'name', 'companyId', 'pin'];
  const users = entity(User, names);
  const see = (options: Partial<CrudOptions>, routes?: readonly BaseRouteName[]) =>
    seen(definitionOf(User, options, routes), users, names).join();

  const CREATE = { serialize: { create: Short } };
  const UPDATE = { serialize: { update: Short } };
  const DELETED = { ...UPDATE, routes: { deleteOneBase: { returnDeleted: true } } };
  const UNRECOVERED = { ...UPDATE, routes: { recoverOneBase: { returnRecovered: false } } };
  test.each<[string, Partial<CrudOptions>, readonly BaseRouteName[] | undefined, string]>([
    ['getMany, beside a GET one that shows more', { serialize: { getMany: Short } }, undefined, 'id,name,companyId'],
    ['getMany, without GET one', { serialize: { getMany: Short } }, ['getManyBase', 'updateOneBase'], 'name'],
    ['get, beside writes that show more', { serialize: { get: Short, create: User, update: false } }, ALL, 'name'],
    ['update, beside deletions of nothing and counts', UPDATE, ['updateOneBase', 'deleteOneBase', 'countBase'], 'name'],
    ['update, beside deletions of records', DELETED, ['updateOneBase', 'deleteManyBase'], 'id,name,companyId'],
    ['create, beside a recovery that shows more', CREATE, ['createOneBase', 'recoverOneBase'], 'id,name,companyId'],
    ['update, beside a recovery of nothing', UNRECOVERED, ['updateOneBase', 'recoverOneBase'], 'name'],
    ['an envelope and lists', { serialize: { getMany: Page } }, ['getManyBase'], 'id,name,companyId'],
    ['a renamed envelope', { serialize: { getMany: Items }, query: { alwaysPaginate: true } }, ['getManyBase'], 'name'],
    ['false: whatever is stored', { serialize: { getMany: false } }, undefined, 'id,name,companyId,pin'],
    ['no route at all', {}, [], 'id,name,companyId'],
  ])('%s', (_, options, routes, expected) => expect(see(options, routes)).toBe(expected));
});

test('relations that are never returned are judged by their own class', () => {
  const Owner = decorated({ pin: Exclude() });
  const Car = decorated({ owner: Exclude() });

  const owners = entity(Owner, ['name', 'pin']);
  const relations = ['owner', 'friend'].map((name) => relation(name, 'many-to-one', () => owners));
  const cars = entity(Car, ['id'], { relations });
  const paths = ['owner.name', 'owner.pin', 'friend.name', 'friend.pin'];
  const see = (owner: object, serialize = {}) =>
    seen(definitionOf(Car, { query: { join: { owner, friend: {} } }, serialize }), cars, paths);
  expect([see({}).join(), see({ select: false }).join()]).toEqual(['friend.name', 'owner.name,friend.name']);
  expect(see({ select: false }, { getMany: false }).join()).toBe('owner.name,friend.name,friend.pin');
});

test('records of several classes show what every class of them shows that has it', () => {
  class Pet {}

  class Cat extends Pet {
    @Exclude() claws!: string;
  }

  @Exclude()
  class Dog extends Pet {
    @Expose() name!: string;
    @Expose() bark!: string;
  }
  const classOf = (target: unknown, ...own: string[]) => recordClass(target, ['tag', 'name', ...own]);
  const recordClasses = [classOf(Pet), classOf(Cat, 'claws', 'purr'), classOf(Dog, 'bark')];
  const pets = entity(Pet, ['tag', 'name', 'claws', 'purr', 'bark'], { recordClasses });
  const relations = [relation('pets', 'one-to-many', () => pets)];
  const homes = entity(class Home {}, [], { relations });
  const names = [...pets.columns.keys()];
  const behind = definitionOf(homes.target as Class<unknown>, { query: { join: { pets: {} } } });
  const shown = ['name', 'purr', 'bark'];
  const nested = (paths: string[]) => paths.map((path) => `pets.${path}`);
  expect([seen(definitionOf(Pet), pets, names), seen(behind, homes, nested(names))]).toEqual([shown, nested(shown)]);
});

test('a class by itself names what is masked, for groups what is theirs, and exposed getters', () => {
  class User {
    @Exclude() password!: string;
    @Exclude({ toClassOnly: true }) token!: string;
    @Expose({ groups: ['admin'] }) salary!: number;
    @Transform(() => '***') pin!: string;
    @Expose() get shown(): never {
      throw new Error('never called');
    }
    get unshown(): never {
      throw new Error('never called');
    }
  }

  const presences = (target: unknown, paths: string[]) =>
    paths.map((path) => `${path} ${findClassAppearances(target)({ steps: [], path }).presence}`).join();

  expect(presences(User, ['id', 'password', 'token', 'salary', 'pin', 'shown', 'unshown'])).toBe(
    'id always,password never,token always,salary sometimes,pin always,shown always,unshown never',
  );
  expect(presences('User', ['id'])).toBe('id always');
});

test('a route may name what some classes of its records show, or everything where nothing is serialized', () => {
  const Box = decorated({ secret: Exclude() });

  class Parent {}

  class Child extends Parent {
    @Exclude() tag!: string;
  }

  const paths = ['id', 'tag', 'box.open', 'box.secret'];
  const recordClasses = [Parent, Child].map((target) => recordClass(target, paths, { box: Box }));
  const parents = entity(Parent, paths, { recordClasses });
  const definition = definitionOf(Parent, { serialize: { getMany: false } }, ['getOneBase', 'getManyBase']);
  const presencesOf = (route: 'getOneBase' | 'getManyBase') => {
    const find = findAppearances(parents, itemAnswer(definition, route));
    return paths.map((path) => find({ steps: [], path }).presence).join();
  };
  expect(presencesOf('getOneBase')).toBe('always,sometimes,always,never');
  expect(presencesOf('getManyBase')).toBe('always,always,always,always');
});
