/** Classes and options of class-transformer in; what a request may see is what the answers of its resource show of a value, and nothing else. */
import { describe, expect, test } from '@jest/globals';
import type { Type as Class } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import fc from 'fast-check';
import type { CrudOptions } from '../../src/definition/options.js';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import type { Catalog, RecordClass } from '../../src/plan/catalog.js';
import { findField, namesOf } from '../../src/plan/resolve-names.js';
import { type BaseRouteName, ROUTES } from '../../src/routes/route-table.js';
import { serializeResponse } from '../../src/serialization/index.js';
import { hiddenBySerialize, shownPaths, shownWithAnyGroups } from '../../src/visibility/index.js';
import { catalog, column, relation } from '../plan/catalogs.js';

const ALL = Object.keys(ROUTES) as BaseRouteName[];

function definitionOf(
  model: Class<unknown>,
  { query = {}, routes = {}, serialize = {} }: Partial<CrudOptions> = {},
  existing: readonly BaseRouteName[] = ALL,
): ResourceDefinition {
  return {
    model,
    serialize,
    options: { query, routes, params: {}, operators: {} },
    routes: new Set(existing),
  } as unknown as ResourceDefinition;
}

/** Those of the names that a request may see. */
function seen(
  definition: ResourceDefinition,
  entity: Catalog,
  names: readonly string[],
  options?: object,
): readonly string[] {
  const shows = shownPaths(definition, entity, options);

  return names.filter((name) => shows(findField(namesOf(entity, definition.options.query), name)!));
}

const entity = (model: Class<unknown>, names: readonly string[], more: Partial<Catalog> = {}): Catalog => ({
  ...catalog(
    model.name,
    names.map((name) => column(name, 'text')),
  ),
  target: model,
  ...more,
});

describe('a transform', () => {
  class Card {
    @Transform(() => '***') constant!: string;
    @Transform(({ value }: { value?: string }) => value?.slice(-4)) tail!: string;
    @Transform(({ value }: { value?: string }) => value?.replace(/(?<=.).+(?=-)/, '…')) middle!: string;
    @Transform(() => undefined) none!: string;
    @Transform(({ value }: { value?: string }) => `<${value?.toUpperCase()}>`) format!: string;
    @Transform(({ value }: { value: string }) => new URL(value).host) host!: string;
    @Exclude() secret!: string;
    @Expose() @Transform(({ obj }: { obj: Card }) => obj.secret !== undefined) hasSecret!: boolean;
    @Exclude() key!: string;
    @Expose() @Transform(({ obj }: { obj: Card }) => obj.key) sameKey!: string;
    plain!: string;
  }
  const names = ['constant', 'tail', 'middle', 'none', 'format', 'host', 'secret', 'key', 'plain'];
  const cards = entity(Card, names);

  test('that masks hides, one that formats shows, and one that fails for samples hides', () => {
    expect(seen(definitionOf(Card), cards, names)).toEqual(['format', 'key', 'plain']);
  });

  test('that fails is told of at the start, like what a class in serialize hides', () => {
    class CardDto {
      @Exclude() format!: string;
      @Exclude() secret!: string;
    }

    expect(hiddenBySerialize(definitionOf(Card), cards)).toEqual(['host']);
    expect(hiddenBySerialize(definitionOf(Card, { serialize: { get: CardDto } }), cards)).toEqual(['format', 'host']);
    const freed = { query: { conditions: ['format'], exclude: ['host'] }, serialize: { get: CardDto } };
    expect(hiddenBySerialize(definitionOf(Card, freed), cards)).toEqual([]);
  });

  test('and getters that expect a whole record see one', () => {
    class User {
      first!: string;
      last!: string;
      @Expose() get initials(): string {
        return this.first.slice(0, 1) + this.last.slice(0, 1);
      }
    }
    class UserDto {
      @Exclude() last!: string;
      @Expose() get greeting(): string {
        return `Hello ${(this as unknown as User).first.trim()}`;
      }
    }
    const users = entity(User, ['first', 'last']);

    expect(seen(definitionOf(User), users, ['first', 'last'])).toEqual(['first', 'last']);
    expect(seen(definitionOf(User, { serialize: { get: UserDto } }), users, ['first', 'last'])).toEqual(['first']);
  });
});

describe('the classes in serialize', () => {
  class User {
    id!: string;
    name!: string;
    companyId!: string;
    @Exclude() pin!: string;
  }
  @Exclude()
  class Short {
    @Expose({ name: 'title' }) name!: string;
    @Expose() pin!: string;
  }
  class Page {
    @Type(() => Short) data!: Short[];
  }
  const names = ['id', 'name', 'companyId', 'pin'];
  const users = entity(User, names);
  const see = (options: Partial<CrudOptions>, routes?: readonly BaseRouteName[]) =>
    seen(definitionOf(User, options, routes), users, names).join();

  test.each<[string, Partial<CrudOptions>, readonly BaseRouteName[] | undefined, string]>([
    ['get, for both reading routes', { serialize: { get: Short } }, undefined, 'name'],
    ['getMany, beside a GET one that shows more', { serialize: { getMany: Short } }, undefined, 'id,name,companyId'],
    ['getMany, without GET one', { serialize: { getMany: Short } }, ['getManyBase', 'updateOneBase'], 'name'],
    [
      'get, beside writes that show more',
      { serialize: { get: Short, create: User, update: false } },
      undefined,
      'name',
    ],
    ['create, where nothing is read', { serialize: { create: Short } }, ['createOneBase', 'deleteOneBase'], 'name'],
    [
      'update, beside deletions that return nothing',
      { serialize: { update: Short } },
      ['updateOneBase', 'deleteOneBase', 'deleteManyBase'],
      'name',
    ],
    [
      'update, beside deletions that return records',
      { serialize: { update: Short }, routes: { deleteOneBase: { returnDeleted: true } } },
      ['updateOneBase', 'deleteManyBase'],
      'id,name,companyId',
    ],
    ['an envelope and lists', { serialize: { getMany: Page } }, ['getManyBase'], 'id,name,companyId'],
    ['an envelope', { serialize: { getMany: Page }, query: { alwaysPaginate: true } }, ['getManyBase'], 'name'],
    ['false: whatever is stored', { serialize: { getMany: false } }, undefined, 'id,name,companyId,pin'],
    ['no route at all', {}, [], 'id,name,companyId'],
  ])('%s', (_, options, routes, expected) => {
    expect(see(options, routes)).toBe(expected);
  });

  test('what a nested initialiser of the class hides', () => {
    class Address {
      city!: string;
      @Exclude() street!: string;
    }
    class UserDto {
      address = new Address();
    }
    const places = entity(User, ['address.city', 'address.street']);

    expect(seen(definitionOf(User, { serialize: { get: UserDto } }), places, [...places.columns.keys()])).toEqual([
      'address.city',
    ]);
  });
});

describe('relations', () => {
  class Owner {
    name!: string;
    @Exclude() pin!: string;
  }
  class Car {
    @Exclude() owner!: Owner;
    friend!: Owner;
  }
  const owners = entity(Owner, ['name', 'pin']);
  const cars = (joins: string[]): Catalog => ({
    ...catalog(
      'Car',
      [column('id', 'integer')],
      joins.map((name) => relation(name, 'many-to-one', () => owners)),
    ),
    target: Car,
  });
  const names = ['owner.name', 'owner.pin', 'friend.name', 'friend.pin'];
  const entities = cars(['owner', 'friend']);

  test('that are never returned are judged by their own class', () => {
    const query = { join: { owner: {}, friend: {} } };
    expect(seen(definitionOf(Car, { query }), entities, names)).toEqual(['friend.name']);

    const opened = { join: { owner: { select: false }, friend: {} } };
    expect(seen(definitionOf(Car, { query: opened }), entities, names)).toEqual(['owner.name', 'friend.name']);
  });
});

describe('JSON values', () => {
  class Settings {
    theme!: string;
    @Exclude() token!: string;
  }
  class User {
    @Type(() => Settings) settings!: Settings;
    free!: object;
  }
  const users: Catalog = { ...catalog('User', [column('settings', 'json'), column('free', 'json')]), target: User };
  const names = ['settings', 'settings.theme', 'settings.token', 'settings.a.token', 'free.a.token', 'free.__proto__'];

  test('are seen key by key', () => {
    expect(seen(definitionOf(User), users, names)).toEqual([
      'settings',
      'settings.theme',
      'settings.a.token',
      'free.a.token',
    ]);
  });

  test('of more keys than are remembered are judged all the same', () => {
    const definition = definitionOf(User);
    const keys = Array.from({ length: 1100 }, (_, index) => `settings.key${index}`);

    expect(seen(definition, users, keys)).toEqual(keys);
    expect(seen(definition, users, ['settings.token', 'settings.theme'])).toEqual(['settings.theme']);
  });
});

describe('groups and other options', () => {
  class User {
    id!: string;
    @Expose({ groups: ['hr'] }) salary!: string;
    @Expose({ groups: ['it', 'hr'] }) laptop!: string;
    @Expose({ since: 2 }) later!: string;
    @Exclude() pin!: string;
    _internal!: string;
  }
  const names = ['id', 'salary', 'laptop', 'later', 'pin', '_internal'];
  const users = entity(User, names);
  const definition = definitionOf(User);

  test.each<[object | undefined, string]>([
    [undefined, 'id,later,_internal'],
    [{ groups: [] }, 'id,later,_internal'],
    [{ groups: ['hr'] }, 'id,salary,laptop,later,_internal'],
    [{ groups: ['it'] }, 'id,laptop,later,_internal'],
    [{ version: 1 }, 'id,_internal'],
    [{ version: 2 }, 'id,later,_internal'],
    [{ strategy: 'excludeAll' }, 'later'],
    [{ excludePrefixes: ['_'] }, 'id,later'],
    [{ ignoreDecorators: true }, names.join()],
  ])('%j', (options, expected) => {
    // Twice: found out, and remembered.
    for (let time = 0; time < 2; time++) expect(seen(definition, users, names, options).join()).toBe(expected);
  });

  test('that text cannot tell apart are not mixed up', () => {
    class Masked {
      @Exclude() id!: string;
    }
    class Box {
      inner!: { id: string };
    }
    const boxes = entity(Box, ['inner.id']);
    const mapped = (target: Class<unknown>) => ({ targetMaps: [{ target: Box, properties: { inner: target } }] });

    for (let time = 0; time < 2; time++) {
      expect(seen(definitionOf(Box), boxes, ['inner.id'], mapped(Masked))).toEqual([]);
      expect(seen(definitionOf(Box), boxes, ['inner.id'], mapped(User))).toEqual(['inner.id']);
    }
  });

  test('shown to some is what no options or every group let out', () => {
    const shows = shownWithAnyGroups(definition, users);

    expect(
      [...users.columns.values()].filter((item) => shows({ steps: [], column: item })).map(({ path }) => path),
    ).toEqual(['id', 'salary', 'laptop', 'later', '_internal']);
  });
});

describe('records of several classes', () => {
  class Pet {
    tag!: string;
    name!: string;
  }
  class Cat extends Pet {
    @Exclude() claws!: string;
    purr!: string;
  }
  @Exclude()
  class Dog extends Pet {
    @Expose() override name!: string;
    @Expose() bark!: string;
  }
  const classOf = (target: Class<unknown>, ...own: string[]): RecordClass => ({
    target,
    paths: new Set(['tag', 'name', ...own]),
    embedded: new Map(),
  });
  const pets = entity(Pet, ['tag', 'name', 'claws', 'purr', 'bark'], {
    recordClasses: [classOf(Pet), classOf(Cat, 'claws', 'purr'), classOf(Dog, 'bark')],
  });
  const homes: Catalog = {
    ...catalog('Home', [column('id', 'integer')], [relation('pets', 'one-to-many', () => pets)]),
    target: class Home {},
  };

  test('show what every class of them shows that has it', () => {
    const names = [...pets.columns.keys()];
    expect(seen(definitionOf(Pet), pets, names)).toEqual(['name', 'purr', 'bark']);

    const behind = definitionOf(homes.target as Class<unknown>, { query: { join: { pets: {} } } });
    expect(
      seen(
        behind,
        homes,
        names.map((name) => `pets.${name}`),
      ),
    ).toEqual(['pets.name', 'pets.purr', 'pets.bark']);
  });
});

/** What may stand on a property on the way to a value, or on the class that holds it. */
const DECORATIONS: Readonly<Record<string, (target: Class<unknown>, property: string) => void>> = {
  nothing: () => undefined,
  exclude: (target, property) => Exclude()(target.prototype as object, property),
  excludeInbound: (target, property) => Exclude({ toClassOnly: true })(target.prototype as object, property),
  groups: (target, property) => Expose({ groups: ['g'] })(target.prototype as object, property),
  since: (target, property) => Expose({ since: 2 })(target.prototype as object, property),
  rename: (target, property) => Expose({ name: 'renamed' })(target.prototype as object, property),
  closedClass: (target) => Exclude()(target),
  closedClassOpenProperty: (target, property) => {
    Exclude()(target);
    Expose()(target.prototype as object, property);
  },
  typePublic: (target, property) => {
    class Public {}
    Exclude()(Public);
    Expose()(Public.prototype, 'open');
    Type(() => Public)(target.prototype as object, property);
  },
  typeDiscreet: (target, property) => {
    class Discreet {}
    Exclude()(Discreet.prototype, 'p1');
    Exclude()(Discreet.prototype, 'p2');
    Type(() => Discreet)(target.prototype as object, property);
  },
  constant: (target, property) => Transform(() => 'constant')(target.prototype as object, property),
  emptied: (target, property) => Transform(() => undefined)(target.prototype as object, property),
  copied: (target, property) =>
    Transform(({ value }: { value: unknown }) => value)(target.prototype as object, property),
};
const decoration = fc.oneof(
  { weight: 3, arbitrary: fc.constant('nothing') },
  fc.constantFrom(...Object.keys(DECORATIONS)),
);
const CONTAINERS = ['to-one', 'to-many', 'embedded'] as const;

describe('whatever stands on the way to a value', () => {
  const runs = Number(process.env['VISIBILITY_RUNS'] ?? 300);

  test('it may be named where answers differ by it, and nowhere else', () => {
    let hidden = 0;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...CONTAINERS), { maxLength: 3 }),
        fc.array(decoration, { minLength: 4, maxLength: 4 }),
        fc.constantFrom('none', 'same', 'closed', 'lacking', 'nested'),
        fc.constantFrom(
          undefined,
          { groups: ['g'] },
          { groups: ['h'] },
          { version: 1 },
          { excludePrefixes: ['p1'] },
          { strategy: 'excludeAll' as const },
        ),
        fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 2 }),
        (containers, decorations, response, options, [one, other]) => {
          const { root, joins, name, make } = buildWay(containers, decorations);
          const dto = responseClass(response, containers);
          const definition = definitionOf(root.target as Class<unknown>, {
            query: { join: Object.fromEntries(joins.map((path) => [path, {}])) },
            ...(dto && { serialize: { get: dto } }),
          });
          const shown = (value: string) =>
            JSON.stringify([
              serializeResponse([make(value)], definition, 'getManyBase', options),
              serializeResponse(make(value), definition, 'getOneBase', options),
            ]);
          const differs = shown(one!) !== shown(other!);

          expect(seen(definition, root, [name], options).length > 0).toBe(differs);
          hidden += differs ? 0 : 1;
        },
      ),
      { numRuns: runs },
    );
    expect([hidden > runs / 5, hidden < (runs * 4) / 5]).toEqual([true, true]);
  });
});

/** Classes `p0.p1.….value`, each property decorated, with their catalogs and records. */
function buildWay(containers: readonly (typeof CONTAINERS)[number][], decorations: readonly string[]) {
  const classes = [...containers, 'value'].map(
    (_, index) => ({ [`C${index}`]: class {} })[`C${index}`] as Class<object>,
  );
  const properties = containers.map((_, index) => `p${index}`);
  classes.forEach((target, index) => DECORATIONS[decorations[index]!]!(target, properties[index] ?? 'value'));

  // From the value outwards: columns by path within the entity that holds them.
  let path = 'value';
  let embedded = new Map<string, unknown>();
  let inner: Catalog | undefined;
  let rest = '';
  const joins: string[] = [];
  for (let index = containers.length; index >= 0; index--) {
    const kind = containers[index - 1];
    if (kind === 'embedded') {
      const prefix = properties[index - 1]!;
      embedded = new Map([
        ...[...embedded].map(([key, type]) => [`${prefix}.${key}`, type] as const),
        [prefix, classes[index]],
      ]);
      path = `${prefix}.${path}`;
      continue;
    }
    const target = classes[index]!;
    const related = inner;
    const relations = related
      ? [relation(path, containers[Number(rest)] === 'to-many' ? 'one-to-many' : 'many-to-one', () => related)]
      : [];
    if (related) joins.splice(0, joins.length, path, ...joins.map((join) => `${path}.${join}`));
    inner = {
      ...catalog(target.name, related ? [column('id', 'integer')] : [column(path, 'text')], relations),
      target,
      recordClasses: [{ target, paths: new Set(['id', path]), embedded }],
    };
    embedded = new Map();
    rest = String(index - 1);
    path = properties[index - 1] ?? '';
  }

  const make = (value: string): object =>
    classes.reduceRight<unknown>((content, target, index) => {
      const record = new target() as Record<string, unknown>;
      record[properties[index] ?? 'value'] = content;

      return containers[index - 1] === 'to-many' ? [record] : record;
    }, value) as object;

  return { root: inner!, joins, name: [...properties, 'value'].join('.'), make };
}

function responseClass(kind: string, containers: readonly unknown[]): Class<unknown> | undefined {
  const first = containers.length > 0 ? 'p0' : 'value';
  class Dto {}

  switch (kind) {
    case 'none':
      return undefined;
    case 'closed':
      Exclude()(Dto);
      Expose()(Dto.prototype, first);
      Expose()(Dto.prototype, 'renamed');
      break;
    case 'lacking':
      Exclude()(Dto.prototype, first);
      break;
    case 'nested': {
      class Inner {}
      Exclude()(Inner.prototype, 'p1');
      Type(() => Inner)(Dto.prototype, first);
    }
  }

  return Dto;
}
