/** Classes and Standard Schemas of bodies, of the entity and in `dto`, and what the server fills in → what documents show of them, and require; PATCH without defaults. */
import { expect, test } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsOptional, IsString, IsUUID, Length, ValidateNested } from 'class-validator';
import { z } from 'zod';
import { Crud, type DtoOptions } from '../../src/index.js';
import { MemoryService } from '../support/memory.service.js';
import { catalog, column, documentOf, resource, type ResourceOptions, User } from './fixture.js';
import { bodyOf, INTEGER, type Json, list, nameOf, ref, schemas, shapeOf, TEXT, validate } from './reading.js';

test.each<[string, unknown, boolean]>([
  ['a column', (user: Json) => ({ companyId: user['team'].company.id as number }), true],
  ['a relation', (user: Json) => ({ company: { id: user['id'] as number } }), true],
  ['nothing, as it fails', () => Promise.reject(new Error('no database')), false],
  ['what an empty user lacks', (user: Json) => ({ companyId: [...(user['ids'] as number[])] }), false],
])('what `persist` sets need not be sent: %s', async (_, persist, isSet) => {
  const made = resource();
  Object.assign(made.definition, { auth: { property: 'user', persist } });
  expect(shapeOf(await documentOf([made]), 'CreateUserBodyDto')).toBe(
    `email password token? age? companyId${isSet ? '?' : ''} company? settings?`,
  );
});

class Member {
  @ApiProperty() @IsUUID() id!: string;
  @ApiProperty() @IsString() name!: string;
  @ApiProperty() createdAt!: Date;
}

class CreateMember extends Member {
  @ApiProperty() @IsString() captcha!: string;
}

class Joining {
  @ApiProperty() @IsString() team!: string;
  @ApiProperty() @IsString() name!: string;
}

class Renaming {
  @ApiProperty({ required: false }) @IsOptional() @IsString() team?: string;
  @ApiProperty() @IsString() name!: string;
}

const hasDefault = true;
const members = catalog(Member, [
  column('id', { primary: true, generated: true, hasDefault }),
  ...[column('team'), column('name')],
  column('createdAt', { kind: 'datetime', source: 'createDate', hasDefault }),
]);
const OF_TEAM = {
  path: 'teams/:team/people',
  name: 'TeamController',
  params: { team: { field: 'team' }, id: { field: 'id', primary: true } },
};

test.each<[string, ResourceOptions, ...bodies: string[]]>([
  [
    'classes in dto that extend the entity show what can be set',
    { dto: { create: CreateMember } },
    'post CreateMemberBodyDto: id name captcha',
  ],
  [
    'classes in dto are shown as they are, but do not require what the path fills in',
    { dto: { create: Joining, update: Renaming }, ...OF_TEAM },
    'post TeamCreateMemberBodyDto: team? name',
    'put TeamReplaceMemberBodyDto: team? name',
    'patch Renaming: team? name',
  ],
])('%s', async (_, options, ...bodies) => {
  const path = `/${options.path ?? 'users'}`.replace(':team', '{team}');
  const document = await documentOf([resource({ model: { type: Member }, catalogOf: () => members, ...options })]);
  for (const body of bodies) {
    const [method] = body.split(' ') as [string];
    const name = nameOf(bodyOf(document, method === 'post' ? path : `${path}/{id}`, method));
    expect(`${method} ${name}: ${shapeOf(document, name)}`).toBe(body);
  }
});

class City {
  @ApiProperty({ default: 'Rome' }) name!: string;
  @ApiProperty({ type: () => [City] }) twins!: City[];
}

class Address {
  @ApiProperty({ type: () => City }) city!: City;
  @ApiProperty({ type: [String], default: [] }) lines!: string[];
}

class Plain {
  @ApiProperty() text!: string;
}

class Person {
  @ApiProperty() id!: number;
  @ApiProperty({ default: 'guest', enum: ['guest', 'owner'] }) role!: string;
  @ApiProperty({ type: Address }) home!: Address;
  @ApiProperty({ type: () => Plain }) plain!: Plain;
  /** As the plugin of `@nestjs/swagger` notes an initialiser. */
  age = 18;
  static _OPENAPI_METADATA_FACTORY(): object {
    return {
      age: { required: true, type: () => Number, default: 18 },
      role: { required: true, type: () => String, default: 'guest', description: 'What for' },
    };
  }
}

async function described(options: ResourceOptions = {}) {
  const people = catalog(Person, [
    column('id', { kind: 'integer', primary: true, autoIncrement: true }),
    ...['role', 'age', 'home', 'plain'].map((path) => column(path, { hasDefault })),
  ]);
  const document = await documentOf([resource({ model: { type: Person }, catalogOf: () => people, ...options })]);
  await validate({ ...document, openapi: '3.1.0' });
  const [post, patch] = [bodyOf(document, '/users', 'post'), bodyOf(document, '/users/{id}', 'patch')];
  return { schemas: schemas(document), post, patch };
}

test('a body of PATCH has no defaults of the entity, of its classes and of what the plugin notes', async () => {
  const { schemas, patch, post } = await described();
  expect(schemas['UpdatePersonBodyDto']!['properties']).toEqual({
    id: { type: 'integer', example: 1 },
    role: { type: 'string', enum: ['guest', 'owner'], description: 'What for' },
    home: ref('AddressPatchDto'),
    plain: ref('Plain'),
    age: { type: 'number' },
  });
  expect(schemas['AddressPatchDto']!['properties']).toEqual({ city: ref('CityPatchDto'), lines: list(TEXT) });
  expect(schemas['CityPatchDto']!['properties']).toEqual({ name: TEXT, twins: list(ref('CityPatchDto')) });
  // POST keeps them.
  expect([post, patch]).toEqual([ref('CreatePersonBodyDto'), ref('UpdatePersonBodyDto')]);
  const kept = { role: { default: 'guest' }, home: ref('Address'), age: { default: 18 } };
  expect(schemas['CreatePersonBodyDto']!['properties']).toMatchObject(kept);
  expect(schemas['City']!['properties'].name).toEqual({ ...TEXT, default: 'Rome' });
});

class Extra {}

@ApiExtraModels(Extra)
class PartDto {
  @ApiProperty({ default: 'x' }) @Length(2) code!: string;
}

class Change {
  @ApiPropertyOptional({ default: 'guest' }) role?: string;
  @ApiPropertyOptional() note?: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => PartDto) parts!: PartDto[];
}

test('a body of PATCH has no defaults of a class in `dto` and of its parts, whose names stay with POST', async () => {
  const { schemas, post, patch } = await described({ dto: { create: Change, update: Change } });
  expect([post, patch]).toEqual([ref('Change'), ref('UpdatePersonBodyDto')]);
  expect(schemas['Change']!['properties'].role).toEqual({ ...TEXT, default: 'guest' });
  const parts = list(ref('PartPatchDto'));
  expect(schemas['UpdatePersonBodyDto']!['properties']).toEqual({ role: TEXT, note: TEXT, parts });
  expect(schemas['PartPatchDto']!['properties']).toEqual({ code: { ...TEXT, minLength: 2 } });
  expect(schemas).toHaveProperty('Extra');
});

/** A schema of a library of one's own. */
const standardSchema = (input?: (options: unknown) => unknown) => {
  const validate = (value: unknown) => ({ value });
  return { '~standard': { version: 1, vendor: 'own', validate, jsonSchema: input && { input } } } as const;
};

async function bodiesOf(dto: DtoOptions, version = '3.0.0') {
  @Crud({ model: { type: User }, dto })
  @Controller('users')
  class UsersController {
    service = new MemoryService();
  }
  const document = await documentOf([UsersController], { version });
  await validate({ ...document, openapi: '3.1.0' });
  return {
    post: bodyOf(document, '/users', 'post'),
    put: bodyOf(document, '/users/{id}', 'put'),
    bulk: bodyOf(document, '/users/bulk', 'post'),
    patch: bodyOf(document, '/users/{id}', 'patch'),
    schemas: (document.components?.schemas ?? {}) as Record<string, unknown>,
  };
}

test('the JSON schema of the input is a component, and so is what it refers to', async () => {
  const city = z.object({ name: z.string() }).meta({ id: 'City' });
  const create = z.object({
    age: z.number().positive().nullable(),
    role: z.string().default('guest'),
    at: z.date(),
    from: city,
    to: city.describe('Where to'),
  });
  const { post, put, bulk, patch, schemas } = await bodiesOf({ create, update: create.partial() });
  expect([post, put]).toEqual([ref('CreateUserBodyDto'), ref('CreateUserBodyDto')]);
  expect(schemas['CreateUserBodyDto']).toEqual({
    type: 'object',
    properties: {
      age: { type: 'number', nullable: true, minimum: 0 },
      role: { type: 'string', default: 'guest' },
      // What JSON cannot say is anything.
      at: {},
      from: ref('City'),
      to: { description: 'Where to', allOf: [ref('City')] },
    },
    required: ['age', 'at', 'from', 'to'],
  });
  expect(schemas['City']).toEqual({ type: 'object', properties: { name: TEXT }, required: ['name'] });
  expect(bulk).toEqual(ref('CreateManyUserDto'));
  expect(schemas['CreateManyUserDto']).toMatchObject({
    required: ['bulk'],
    properties: { bulk: { type: 'array', minItems: 1, items: ref('CreateUserBodyDto') } },
  });
  expect(patch).toEqual(ref('UpdateUserBodyDto'));
  expect(schemas['UpdateUserBodyDto']).not.toHaveProperty('required');
});

test('what refers to itself is named after the schema, else after the body and the property', async () => {
  const named: z.ZodType = z
    .object({ name: z.string(), parts: z.lazy(() => z.array(named)).optional() })
    .meta({ id: 'Part' });
  const tree: z.ZodType = z.object({ id: z.string(), kids: z.lazy(() => z.array(tree)) });
  const create = z.object({ tree, other: tree.nullable(), part: named });
  const { post, patch, schemas } = await bodiesOf({ create, update: create.partial() });
  const ofTree = ref('CreateUserBodyTreeDto');
  const other = { nullable: true, allOf: [ofTree] };
  expect([post, patch]).toEqual([ref('CreateUserBodyDto'), ref('UpdateUserBodyDto')]);
  expect(schemas).toMatchObject({
    CreateUserBodyDto: { properties: { tree: ofTree, other, part: ref('Part') }, required: ['tree', 'other', 'part'] },
    UpdateUserBodyDto: { properties: { tree: { allOf: [ofTree] }, other, part: { allOf: [ref('Part')] } } },
    CreateUserBodyTreeDto: {
      properties: { id: TEXT, kids: list(ref('CreateUserBodyTreeDto')) },
      required: ['id', 'kids'],
    },
    Part: { properties: { name: TEXT, parts: list(ref('Part')) }, required: ['name'] },
  });
});

const tree: z.ZodType = z
  .object({ id: z.string().nullable().default('new'), kids: z.lazy(() => z.array(tree)).optional() })
  .meta({ id: 'Tree' });

test('a component of PATCH has no defaults, and a name beside that of POST', async () => {
  const { post, patch, schemas } = await bodiesOf({ create: tree, update: tree });
  const id = { type: 'string', nullable: true };
  expect([post, patch]).toEqual([ref('Tree'), ref('TreePatch')]);
  expect(schemas['Tree']).toEqual({
    type: 'object',
    properties: { id: { ...id, default: 'new' }, kids: list(ref('Tree')) },
  });
  expect(schemas['TreePatch']).toEqual({ type: 'object', properties: { id, kids: list(ref('TreePatch')) } });
});

test('parts are named as the application names them, else by their place; a dangling reference allows anything', async () => {
  const parts = {
    id: { ...TEXT, id: 'x' },
    definitions: TEXT,
    high: { exclusiveMinimum: true, exclusiveMaximum: 9 },
    counted: { $ref: '#/$defs/0' },
    made: { $ref: '#/$defs/__schema12' },
    lost: { $ref: '#/$defs/none/at' },
    odd: { type: 'object', properties: { 'a b': { $ref: '#/definitions/a%20b' } } },
    named: { $ref: '#/definitions/2.b-1', description: 'X' },
  };
  const $defs = { 0: { ...TEXT, $id: 'y' }, __schema12: TEXT };
  const root = { $schema: 'z', $id: 'Own', type: 'object', properties: parts, required: ['id'], $defs };
  const asked: unknown[] = [];
  const create = standardSchema((options) => {
    asked.push(options);
    return { ...root, definitions: { 'a b': INTEGER, '2.b-1': TEXT } };
  });
  const { post, schemas } = await bodiesOf({ create }, '3.1.0');
  expect(post).toEqual(ref('Own'));
  const libraryOptions = { unrepresentable: 'any', errorMode: 'ignore' };
  expect(asked[0]).toEqual({ target: 'openapi-3.0', libraryOptions });
  const made = ['CreateUserBodyCountedDto', 'CreateUserBodyMadeDto', 'CreateUserBodyOddA_bDto', '2.b-1'];
  expect(made.map((name) => schemas[name])).toEqual([TEXT, TEXT, INTEGER, TEXT]);
  expect(schemas['Own']).toEqual({
    type: 'object',
    properties: {
      ...{ id: TEXT, definitions: TEXT, high: { exclusiveMaximum: 9 }, lost: {} },
      ...{ counted: ref('CreateUserBodyCountedDto'), made: ref('CreateUserBodyMadeDto') },
      odd: { type: 'object', properties: { 'a b': ref('CreateUserBodyOddA_bDto') } },
      named: { description: 'X', allOf: [ref('2.b-1')] },
    },
    required: ['id'],
  });
});

test('a schema that cannot tell what it takes is any object, unless it is a class with decorators', async () => {
  class Described {
    static readonly '~standard' = standardSchema()['~standard'];
    @ApiProperty() name!: string;
  }
  const failing = standardSchema(() => {
    throw new Error('not in this dialect');
  });
  const { post, put, patch, schemas } = await bodiesOf({
    create: failing,
    update: Described,
    replace: standardSchema(() => 1),
  });
  expect([post, put, patch]).toEqual([{ type: 'object' }, { type: 'object' }, ref('Described')]);
  expect(schemas['Described']).toEqual({ type: 'object', properties: { name: TEXT }, required: ['name'] });
});
