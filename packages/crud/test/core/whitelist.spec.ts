/** What a class in `dto` lets through: what it declares, and nothing else; bodies validated by Standard Schemas, as zod and valibot make them, in place of classes with decorators. */
import { expect, jest, test } from '@jest/globals';
import type { HttpException, Type as Class, ValidationError } from '@nestjs/common';
import { OmitType as OmitMapped } from '@nestjs/mapped-types';
import { ApiHideProperty, ApiProperty, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { Allow, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import * as v from 'valibot';
import { z } from 'zod';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import { bodyScope, type BodyScopeSource } from '../../src/plan/body-scope.js';
import type { Catalog } from '../../src/plan/catalog.js';
import type { BaseRouteName } from '../../src/routes/route-table.js';
import { BodyReader } from '../../src/validation/body-reader.js';
import { declaredProperties, dropUndeclared, knowsProperty } from '../../src/validation/declared-properties.js';
import { catalog, column, relation, users as people } from '../plan/catalogs.js';
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
const toPets = relation('pets', 'one-to-many', () => catalog('Pet', [KEY, VERSION]), cascades);
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
const [TEXT, EVERYTHING] = ['must be a string', { ...COLUMNS, stranger: 1 }];

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
const [POST, BULK, PATCH, PUT] = ['createOneBase', 'createManyBase', 'updateOneBase', 'replaceOneBase'] as const;
const pets = { update: Nested };
const [petsIn, newPet] = ['id', 'version'].map((key) => ({ pets: [{ [key]: 1, name: 'Tom' }] })) as [object, object];

test.each<[string, BaseRouteName, Partial<ResourceDefinition>, body: object, read: unknown, declared?: unknown]>([
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
  ['a nested version of a new record', PATCH, { dto: pets, validation: STRICT }, newPet, { pets: [{ name: 'Tom' }] }],
  ['a nested record of a class in dto', PATCH, { dto: pets }, { pets: [{ id: 1 }] }, [`pets.0.name ${TEXT}`]],
  ['a nested key, whitelisted', PATCH, { dto: pets, validation: WHITELIST }, petsIn, { pets: [{ name: 'Tom' }] }],
  ['the class of an overriding handler', POST, { dto: { create: Nothing } }, EVERYTHING, EVERYTHING, Ruled],
])('of %s: %s with %j reads %j as %j', async (...[, route, definition, body, expected, declared]) =>
  expect(await read(route, definition, body, declared)).toEqual(expected),
);

const fields = z.object({
  name: z.string().trim().min(2),
  role: z.enum(['guest', 'owner']).default('guest'),
  tags: z.array(z.object({ label: z.string() })).optional(),
  address: z.object({ street: z.string(), city: z.string().default('Turin') }).optional(),
});

const [named, strict] = [z.object({ name: z.string() }), z.strictObject({ name: z.string() })];
const free = z.object({ name: z.string().refine((name) => Promise.resolve(name !== 'Ada'), 'is taken') });
const whole = named.refine(({ name }) => name !== 'Ada', 'must not be Ada');
const telling = z.object({ name: z.string(), role: z.string() }).superRefine(({ role }, context) => {
  context.addIssue({ code: 'custom', path: ['role'], message: `is ${role}` });
  context.addIssue({ code: 'custom', path: ['name'], message: 'is taken' });
});
const computing = z
  .object({ first: z.string().optional(), role: z.string().default('guest') })
  .transform(({ first, role }) => ({ ...(first && { name: first.toUpperCase() }), role }));

/** Its paths are made of objects. */
const byValibot = v.object({ name: v.string(), tags: v.optional(v.array(v.object({ label: v.string() }))) });

/** What is made of a body, or the response of its refusal. */
const answer = (route: BaseRouteName, definition: Partial<ResourceDefinition>, body: object): Promise<unknown> =>
  new BodyReader(rulesOfRoute(route, definition)).read(body).catch((error: HttpException) => error.getResponse());

const both = { create: fields, update: fields.partial() };
const [BEA, ADA] = [{ name: 'Bea' }, { name: 'Ada' }];
const GUEST = { ...BEA, role: 'guest' };
const address = { street: 'Via Po' };
const odd = { name: 'B', tags: [{ label: 'a' }, { label: 7 }] };
const SHORT = 'name Too small: expected string to have >=2 characters';
const LABEL = 'tags.1.label Invalid input: expected string, received number';

test.each<[BaseRouteName, create: z.ZodType | typeof byValibot, body: object, read: unknown]>([
  [POST, fields, { name: ' Bea ', hacker: 1, tags: [{ label: 'a', hacker: 1 }] }, { ...GUEST, tags: [{ label: 'a' }] }],
  [POST, fields, { ...BEA, address }, { ...GUEST, address: { ...address, city: 'Turin' } }],
  [PUT, fields, BEA, GUEST],
  [BULK, fields, { bulk: [BEA, { name: ' Cid ', role: 'owner' }] }, { bulk: [GUEST, { name: 'Cid', role: 'owner' }] }],
  [POST, free, BEA, BEA],
  [POST, fields, odd, [SHORT, LABEL]],
  [PUT, fields, { name: '' }, [SHORT]],
  [BULK, fields, { bulk: [BEA, odd] }, [`bulk.1.${SHORT}`, `bulk.1.${LABEL}`]],
  [POST, free, ADA, ['name is taken']],
  [POST, whole, ADA, ['must not be Ada']],
  [BULK, whole, { bulk: [ADA] }, ['bulk.0 must not be Ada']],
  [POST, byValibot, odd, ['tags.1.label Invalid type: Expected string but received 7']],
])('by the schema of %s %#: %j is read as %j', async (route, create, body, expected) => {
  const rules = rulesOfRoute(route, { dto: { create } });
  expect(await outcome(rules, body, bodyScope({ path: [] }, people))).toEqual(expected);
});

test.each<[what: string, update: z.ZodType, body: object, read: object]>([
  ['trims', fields.partial(), { name: ' Cid ' }, { name: 'Cid' }],
  ['writes no default', fields.partial(), {}, {}],
  ['writes no default of a part', fields.partial(), { address }, { address }],
  ['may compute', computing, { first: 'Bea' }, { name: 'BEA' }],
])('a schema of a change %s', async (_what, update, body, expected) =>
  expect(await answer(PATCH, { dto: { ...both, update } }, body)).toEqual(expected),
);

const ofCompany = z.object({ name: z.string(), companyId: z.number() });
const [ofLink, link] = [z.strictObject({ company: z.object({ id: z.number() }) }), { company: { id: 4 } }];
const [path, persist] = [[['companyId', 4]] as const, { role: 'guest' }];
const [STRING, STRANGER] = ['name Invalid input: expected string, received undefined', 'Unrecognized key: "hacker"'];

test.each<[what: string, create: z.ZodType, Partial<BodyScopeSource>, body: object, read: unknown]>([
  ['is strict, and not held against the path', strict, { path }, BEA, { ...BEA, companyId: 4 }],
  ['is strict, and not held against the key of a relation', ofLink, {}, link, link],
  ['is strict', strict, { path }, { ...BEA, hacker: 1 }, [STRANGER]],
  ['is given a value of the path', ofCompany, { path }, BEA, { ...BEA, companyId: 4 }],
  ['requires a value of the path', ofCompany, { path }, { ...BEA, companyId: 9 }, { ...BEA, companyId: 4 }],
  ['is told what is wrong beside the path', ofCompany, { path }, {}, [STRING]],
  ['does not know what is persisted', named, { persist }, { ...BEA, role: 'owner' }, GUEST],
  ['speaks of what is persisted', telling, { persist }, BEA, ['name is taken']],
])('a schema that %s', async (_what, create, source, body, expected) => {
  const scope = bodyScope({ path: [], ...source }, people);
  expect(await outcome(rulesOfRoute(POST, { dto: { create } }), body, scope)).toEqual(expected);
});

const code = 'CRUD_INVALID_BODY';
const exceptionFactory = (errors: ValidationError[]) => ({ getResponse: () => errors });

const told = { message: [STRING], code, field: 'name' };

test.each<[ResourceDefinition['validation'], read: unknown]>([
  [{}, { statusCode: 400, error: 'Bad Request', ...told }],
  [{ errorHttpStatusCode: 422 }, { statusCode: 422, error: 'Unprocessable Entity', ...told }],
  [{ disableErrorMessages: true }, { statusCode: 400, message: 'Bad Request', code }],
  [{ exceptionFactory }, [{ property: 'name', constraints: { schema: STRING } }]],
  [false, {}],
])('with validation %j a schema answers a wrong body with %j', async (validation, expected) =>
  expect(await answer(POST, { dto: { create: named }, validation }, {})).toEqual(expected),
);

test('a schema is asked once about a change to which it adds nothing', async () => {
  const asked = jest.fn();
  const adding = ({ name }: { name?: string | undefined }) => ({ name, role: asked() });
  expect(await answer(PATCH, { dto: { update: named.partial().transform(adding) } }, BEA)).toEqual(BEA);
  expect(asked).toHaveBeenCalledTimes(1);
});

test('a class may carry a schema, as model and in an overriding handler', async () => {
  class Named {
    static readonly '~standard' = z.object({ name: z.string().trim() })['~standard'];
  }

  const byModel = rulesOfRoute(POST, { model: Named });
  const byHandler = rulesOfRoute(PUT, { dto: { create: whole } }, Named);
  for (const rules of [byModel, byHandler])
    expect(await outcome(rules, { name: ' Ada ', hacker: 1 })).toEqual({ name: 'Ada' });
});
