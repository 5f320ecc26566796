/** What a class in `dto` lets through: what it declares, and nothing else. */
import { expect, test } from '@jest/globals';
import type { Type as Class } from '@nestjs/common';
import { OmitType as OmitMapped } from '@nestjs/mapped-types';
import { ApiHideProperty, ApiProperty, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { Allow, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import type { Catalog } from '../../src/plan/catalog.js';
import type { BaseRouteName } from '../../src/routes/route-table.js';
import { declaredProperties, dropUndeclared, knowsProperty } from '../../src/validation/declared-properties.js';
import { catalog, column, relation } from '../plan/catalogs.js';
import { CREATED_AT, KEY, Named, outcome, rulesOfRoute, STRICT, VERSION } from './rules-of.js';

/** As a decorator of an ORM, which makes the compiler emit the type. */
const Column = (): PropertyDecorator => () => undefined;

class Address {
  @Column() city?: string;
}

class Base {
  @Column() note?: string;
}

class User extends Base {
  @Column() name?: string;
  @Column() role?: string;
  @Column() credit?: number;
  @Column() hint?: string;
}

const paths = ['name', 'role', 'credit', 'hint', 'note', 'address.city', 'settings'];
const columns = [KEY, ...paths.map((path) => column(path, 'text')), CREATED_AT, VERSION];
const cascades = { cascadeInsert: true, cascadeUpdate: true };
const toPets = relation('pets', 'one-to-many', () => catalog('Pet', [KEY]), cascades);
const users: Catalog = {
  ...catalog('User', columns, [toPets]),
  target: User,
  recordClasses: [{ target: User, paths: new Set(), embedded: new Map([['address', Address]]) }],
};

const read = (route: BaseRouteName, definition: Partial<ResourceDefinition>, body: object, declared?: unknown) =>
  outcome(rulesOfRoute(route, { model: User, ...definition }, declared), body, { values: [], catalog: users });

class Planned {
  planned?: string;
  static _OPENAPI_METADATA_FACTORY(): object {
    return { planned: { required: false, type: () => String } };
  }
}

class Declaring extends Planned {
  @IsString({ groups: ['whatever'] }) ruled?: string;
  @Allow() allowed?: number;
  @Transform(({ value }: { value: unknown }) => value) transformed?: string;
  @Exclude() excluded?: string;
  @Type(() => Number) typed?: number;
  @ApiProperty() documented?: string;
  @ApiHideProperty() hidden?: string;
  initialised? = 'by default';
  bare?: string;
}

const DECLARED = ['ruled', 'allowed', 'transformed', 'excluded', 'typed', 'documented', 'planned', 'initialised'];

class Both extends IntersectionType(PickType(Declaring, ['ruled']), PartialType(Planned)) {}

class ExtendsEntity extends User {
  declare extra?: string;
}

class ExtendsBase extends Base {
  @IsString() name!: string;
}

class Nothing {}

test.each<[type: Class<unknown>, declared: string[] | undefined]>([
  [Declaring, DECLARED],
  [PartialType(Declaring), DECLARED],
  [OmitMapped(Declaring, ['ruled', 'initialised']), ['allowed', 'transformed', 'excluded', 'typed']],
  [Both, ['ruled', 'planned']],
  [ExtendsEntity, [...new Set([...users.columns.keys(), 'pets'].map((path) => path.split('.')[0]!))]],
  [ExtendsBase, ['name', 'note']],
  [Nothing, undefined],
])('%p declares %j', (type, declared) => {
  const found = declaredProperties(type, users);
  expect(found && [...found].toSorted()).toEqual(declared?.toSorted());
});

test('a class knows properties by decorator, rule or initialiser', () => {
  const names = ['ruled', 'initialised', 'bare', 'name', 'constructor', 'toString'];
  const known = (type: Class<unknown>) => names.filter((name) => knowsProperty(type, name));
  expect([Declaring, User].map(known)).toEqual([['ruled', 'initialised'], ['name']]);
});

const COLUMNS = { name: 'Ada', role: 'admin', credit: 7, hint: 'cat', note: 'n' };
const TEXT = 'must be a string';
const EVERYTHING = { ...COLUMNS, stranger: 1 };

class Ruled extends Named {
  role?: string;
}

class RuledInAGroup {
  @IsString({ groups: ['whatever'] }) name!: string;
}

class Renamed {
  @Expose({ name: 'hint' }) name?: string;
}

class City extends Address {
  @IsOptional() extra?: number;
}

class Theme {
  @IsString() theme!: string;
}

class Circle {
  @IsInt() radius!: number;
}

class Money {
  readonly cents = 0;
  constructor(readonly text: string) {}
}

const subTypes = [{ name: 'circle', value: Circle }];
const shapes = { discriminator: { property: 'form', subTypes }, keepDiscriminatorProperty: true };

class Nested {
  @IsOptional() @ValidateNested() @Type(() => City) address?: City;
  @IsOptional() @ValidateNested() @Type(() => Theme) settings?: Theme;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Named) pets?: Named[];
  @IsOptional() @ValidateNested() @Type(() => Object, shapes) shape?: object;
  @Transform(({ value }: { value?: string }) => value && new Money(value)) money?: Money;
  @IsOptional() anything?: object;
}

test.each<[body: object, kept: object]>([
  [{ address: { city: 'Ulm', extra: 1, stranger: 1 } }, { address: { city: 'Ulm', extra: 1 } }],
  [{ settings: { theme: 'dark', stranger: 1 } }, { settings: { theme: 'dark' } }],
  [{ pets: [{ name: 'Tom', kind: 'cat' }] }, { pets: [{ name: 'Tom' }] }],
  [{ shape: { form: 'circle', radius: 1, side: 2 } }, { shape: { form: 'circle', radius: 1 } }],
  [{ money: '5' }, { money: { cents: 0, text: '5' } }],
  [{ anything: { stranger: 1 } }, { anything: { stranger: 1 } }],
])('of the objects in %j, their classes keep %j', async (body, kept) =>
  expect(await read('createOneBase', { dto: { create: Nested } }, body)).toEqual(kept),
);

test('an object that a property names by its type alone is of its class, too', () => {
  class Holder {
    @IsOptional() theme?: Theme;
    @IsOptional() anything?: object;
    @Type(() => Object) map?: object;
  }

  const theme = () => Object.assign(new Theme(), { theme: 'dark', stranger: 1 });
  const map = Object.assign(Object.create(null) as object, { stranger: 1 });
  const made = Object.assign(new Holder(), { theme: theme(), anything: theme(), map, extra: 1 });
  dropUndeclared(made, undefined);
  expect(made).toEqual({ theme: { theme: 'dark' }, anything: { theme: 'dark', stranger: 1 }, map: { stranger: 1 } });
});

class Other {}
class Part extends PartialType(Ruled) {}

class RuledAndInitialised {
  @IsString() hint!: string;
  name = 'by default';
}

class Restarting extends RuledAndInitialised {
  @IsOptional() @IsString() override name = 'by default';
  @IsString() role = 'guest';
}

const dto = { create: Ruled, update: Part };
const [PERMISSIVE, WHITELIST] = [{ whitelist: false }, { whitelist: true }];
const NAME = { name: 'Ada' };
const SENT_BACK = { ...NAME, id: 1, createdAt: 'x', version: 1 };
const [POST, PATCH, PUT] = ['createOneBase', 'updateOneBase', 'replaceOneBase'] as const;
const pets = { update: Nested };
const petsIn = { pets: [{ id: 1, name: 'Tom' }] };

test.each<[string, BaseRouteName, Partial<ResourceDefinition>, body: object, read: unknown]>([
  ['the class of a model', POST, { model: Ruled }, EVERYTHING, EVERYTHING],
  ['a class in dto that is the model', POST, { dto, model: Ruled }, EVERYTHING, EVERYTHING],
  ['whitelist: false', POST, { dto, validation: PERMISSIVE }, EVERYTHING, EVERYTHING],
  ['whitelist: true', POST, { model: Ruled, validation: WHITELIST }, EVERYTHING, NAME],
  ['whitelist: true, a rule in any group', POST, { model: RuledInAGroup, validation: WHITELIST }, EVERYTHING, NAME],
  ['an initialiser is no rule', POST, { model: RuledAndInitialised, validation: WHITELIST }, COLUMNS, { hint: 'cat' }],
  ['a renamed property', POST, { dto: { create: Renamed } }, EVERYTHING, { name: 'cat' }],
  ['the class of POST, of nothing', POST, { dto: { create: Nothing } }, EVERYTHING, EVERYTHING],
  ['what PATCH initialises', PATCH, { dto: { update: Restarting } }, { hint: 'cat' }, { hint: 'cat' }],
  ['what PATCH initialises, sent', PATCH, { dto: { update: Restarting } }, { role: 7, hint: '' }, [`role ${TEXT}`]],
  ['an expected version', PATCH, { dto: { update: Part } }, SENT_BACK, { ...NAME, version: 1 }],
  ['an expected version, whitelisted', PATCH, { dto, validation: WHITELIST }, SENT_BACK, { ...NAME, version: 1 }],
  ['a record sent back', PATCH, { dto, validation: STRICT }, SENT_BACK, { ...NAME, version: 1 }],
  ['a record sent back by PUT', PUT, { dto, validation: STRICT }, SENT_BACK, { ...NAME, version: 1 }],
  ['a stranger', PATCH, { dto, validation: STRICT }, { role: 'x' }, ['property role should not exist']],
  ['a stranger of a class without rules', POST, { validation: STRICT }, NAME, ['property name should not exist']],
  ['a nested key', PATCH, { dto: pets, validation: STRICT }, petsIn, ['pets.0.id should not exist']],
  ['a nested key, whitelisted', PATCH, { dto: pets, validation: WHITELIST }, petsIn, { pets: [{ name: 'Tom' }] }],
])('of %s: %s with %j reads %j as %j', async (_of, route, definition, body, expected) =>
  expect(await read(route, definition, body)).toEqual(expected),
);

test('the class of an overriding handler takes all', async () =>
  expect(await read(POST, { dto: { create: Other } }, EVERYTHING, Ruled)).toEqual(EVERYTHING));
