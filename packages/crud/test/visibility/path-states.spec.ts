/** Classes and options of class-transformer in; out comes what the answers to a request make of a value, and the line that names the columns that a class hides from conditions. */
import { describe, expect, test } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import type { CrudOptions } from '../../src/definition/options.js';
import type { Catalog } from '../../src/plan/catalog.js';
import type { BaseRouteName } from '../../src/routes/route-table.js';
import { warnAfterChecks } from '../../src/startup/warnings.js';
import { findAppearances, findClassAppearances } from '../../src/visibility/path-states.js';
import { warnOfHidden } from '../../src/visibility/start-warnings.js';
import { column, recordClass, relation } from '../plan/catalogs.js';
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
  const [users, open] = [entity(User, names), entity(Open, ['plain'])];

  test('is changed, as what an initialiser makes or fails to make', () => {
    expect(seen(definitionOf(User), users, names)).toEqual(['lonely']);
    expect(seen(definitionOf(User, { serialize: { get: UserDto } }), users, names)).toEqual([]);
    for (const get of [Failing, Masking, Getting])
      expect(seen(definitionOf(Open, { serialize: { get } }), open, ['plain'])).toEqual([]);
    // What the class of a value hides is hidden, whatever its type is.
    const recordClasses = [recordClass(User, names, { ofKind: decorated({ plain: Exclude() }) })];
    const find = findAppearances(entity(User, names, { recordClasses }), {});
    expect(find({ steps: [], path: 'ofKind.plain' }).presence).toBe('never');
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

    const paths = ['id', 'box.id'];
    const printed = entity(Printed, paths, { recordClasses: [Open, Printed].map((one) => recordClass(one, paths)) });
    expect(seen(definitionOf(Printed), printed, paths)).toEqual(paths);
    expect(seen(definitionOf(Printed, { serialize: { getMany: false, get: false } }), printed, paths)).toEqual([]);
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

  const [CREATE, UPDATE] = [{ serialize: { create: Short } }, { serialize: { update: Short } }];
  const UNRECOVERED = { ...UPDATE, routes: { recoverOneBase: { returnRecovered: false } } };
  test.each<[string, Partial<CrudOptions>, readonly BaseRouteName[] | undefined, string]>([
    ['getMany, beside a GET one that shows more', { serialize: { getMany: Short } }, undefined, 'id,name,companyId'],
    ['getMany, without GET one', { serialize: { getMany: Short } }, ['getManyBase', 'updateOneBase'], 'name'],
    ['get, beside writes that show more', { serialize: { get: Short, create: User, update: false } }, ALL, 'name'],
    ['update, beside deletions of nothing and counts', UPDATE, ['updateOneBase', 'deleteOneBase', 'countBase'], 'name'],
    ['create, beside a recovery that shows more', CREATE, ['createOneBase', 'recoverOneBase'], 'id,name,companyId'],
    ['update, beside a recovery of nothing', UNRECOVERED, ['updateOneBase', 'recoverOneBase'], 'name'],
    ['an envelope and lists', { serialize: { getMany: Page } }, ['getManyBase'], 'id,name,companyId'],
    ['a renamed envelope', { serialize: { getMany: Items }, query: { alwaysPaginate: true } }, ['getManyBase'], 'name'],
    ['false: whatever is stored', { serialize: { getMany: false } }, undefined, 'id,name,companyId,pin'],
    ['no route at all', {}, [], 'id,name,companyId'],
  ])('%s', (_, options, routes, expected) => expect(see(options, routes)).toBe(expected));
});

test('relations that are never returned are judged by their own class', () => {
  const [Owner, Car] = [decorated({ pin: Exclude() }), decorated({ owner: Exclude() })];

  const owners = entity(Owner, ['name', 'pin']);
  const relations = ['owner', 'friend'].map((name) => relation(name, 'many-to-one', () => owners));
  const cars = entity(Car, ['id'], { relations });
  const paths = ['owner.name', 'owner.pin', 'friend.name', 'friend.pin'];
  const see = (owner: object, serialize = {}) =>
    seen(definitionOf(Car, { query: { join: { owner, friend: {} } }, serialize }), cars, paths);
  expect([see({}).join(), see({ select: false }).join()]).toEqual(['friend.name', 'owner.name,friend.name']);
  expect(see({ select: false }, { getMany: false }).join()).toBe('owner.name,friend.name,friend.pin');
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

const Member = decorated({ pin: Exclude(), salary: Expose({ groups: ['hr'] }) });

@Exclude()
class MemberResponse {
  @Expose() id!: number;
  @Expose() name!: string;
  @Expose({ groups: ['hr'] }) salary!: number;
}

const [id, unread] = [column('id', 'integer', { primary: true }), column('unread', 'text', { selectable: false })];
const members = entity(Member, [id, 'name', 'companyId', 'pin', 'salary', 'byQuery', unread]);
const serialize = { get: MemberResponse };
const warn = (options: Partial<CrudOptions>) => warnOfHidden(definitionOf(Member, options), members);

test('at the start, columns that no answer shows to anybody, because of a class in serialize alone', () => {
  const relations = new Map([['leader', relation('leader', 'many-to-one', () => members)]]);
  const definition = definitionOf(Member, { serialize, query: { exclude: ['byQuery'], join: { leader: {} } } });
  const started = { definition: { ...definition, controller: 'MembersController' }, controller: class {} } as never;
  expect([...warnAfterChecks(started, { ...members, relations })]).toEqual([
    'MembersController: clients can neither filter nor sort by companyId, since no answer shows the stored values. ' +
      "If clients may find out the stored values, add conditions: ['companyId'] to query.",
  ]);
});

test('columns that a @Transform() changes, also for groups and in relations', () => {
  class Price {
    @Transform(({ value }) => Number(value)) amount!: string;
    @Transform(({ value }) => String(value), { groups: ['hr'] }) forGroup!: string;
    @Exclude() @Transform(({ value }) => Number(value)) secret!: string;
  }

  const Maker = decorated({ grade: Transform(({ value }) => String(value)) });

  const prices: Catalog = entity(Price, ['id', 'amount', 'forGroup', 'secret'], {
    relations: [
      relation('next', 'many-to-one', () => prices),
      relation('maker', 'many-to-one', () => entity(Maker, ['grade'])),
    ],
  });
  const of = (query: Partial<CrudOptions>['query']) => warnOfHidden(definitionOf(Price, { query }), prices);
  expect(of({ join: { next: {}, maker: {} } })).toBe(
    'clients can neither filter nor sort by amount, next.amount, maker.grade, since no answer shows the stored values. ' +
      'A @Transform() changes amount, next.amount, maker.grade: if it only formats the values, ' +
      "add formats: ['amount', 'next.amount', 'maker.grade'] to query. " +
      "If clients may find out the stored values, add conditions: ['amount', 'next.amount', 'maker.grade'] to query.",
  );
  expect(of({ formats: ['amount', 'next.amount'], join: { next: {} } })).toBeUndefined();
});

test('warns of columns that are shown to a group only, unless query.conditions frees them or GET one shows them', () => {
  const Short = decorated({ salary: Exclude() });

  expect(warn({ serialize: { get: Short } })).toContain('clients can neither filter nor sort by salary, since');
  expect(warn({ serialize, query: { conditions: ['companyId', 'byQuery'] } })).toBeUndefined();
  expect([warn({ serialize: { getMany: MemberResponse } }), warn({})]).toEqual([undefined, undefined]);
});
