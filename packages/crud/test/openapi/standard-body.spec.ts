/** Bodies that Standard Schemas describe → their schemas in a valid document. */
import { expect, test } from '@jest/globals';
import { Controller, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Crud, type DtoOptions } from '../../src/index.js';
import { z } from 'zod';
import { MemoryService } from '../support/memory.service.js';
import { documentOf, User } from './fixture.js';
import { bodyOf, INTEGER, ref, TEXT, validate } from './reading.js';

/** A schema of a library of one's own. */
const schemaOf = (input?: (options: unknown) => unknown) => {
  const validate = (value: unknown) => ({ value });
  return { '~standard': { version: 1, vendor: 'own', validate, jsonSchema: input && { input } } } as const;
};

async function bodiesOf(dto: DtoOptions, others: Type<unknown>[] = [], version = '3.0.0') {
  @Crud({ model: { type: User }, dto })
  @Controller('users')
  class UsersController {
    service = new MemoryService();
  }
  const document = await documentOf([...others, UsersController], { version });
  await validate({ ...document, openapi: '3.1.0' });
  return {
    post: bodyOf(document, '/users', 'post'),
    put: bodyOf(document, '/users/{id}', 'put'),
    bulk: bodyOf(document, '/users/bulk', 'post'),
    patch: bodyOf(document, '/users/{id}', 'patch'),
    schemas: (document.components?.schemas ?? {}) as Record<string, unknown>,
  };
}

const list = (name: string) => ({ type: 'array', items: ref(name) });

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
    CreateUserBodyTreeDto: { properties: { id: TEXT, kids: list('CreateUserBodyTreeDto') }, required: ['id', 'kids'] },
    Part: { properties: { name: TEXT, parts: list('Part') }, required: ['name'] },
  });
});

test('a body that refers to itself, by way of another too, is a component', async () => {
  const person: z.ZodType = z.object({ firm: z.lazy(() => firm) });
  const firm = z.object({
    get boss() {
      return person;
    },
  });
  const { post, schemas } = await bodiesOf({ create: person });
  const boss = { type: 'object', properties: { boss: ref('CreateUserBodyDto') }, required: ['boss'] };
  expect(post).toEqual(ref('CreateUserBodyDto'));
  expect(schemas['CreateUserBodyDto']).toEqual({ type: 'object', properties: { firm: boss }, required: ['firm'] });
});

const tree: z.ZodType = z
  .object({ id: z.string().nullable().default('new'), kids: z.lazy(() => z.array(tree)).optional() })
  .meta({ id: 'Tree' });

test('a component leaves the names of others alone, which are never refused', async () => {
  class Tree {
    @ApiProperty() height!: number;
  }

  class Wood {
    @ApiProperty() tree!: Tree;
  }

  @Crud({ model: { type: Wood }, routes: { only: ['createOneBase'] }, openapi: { schemas: 'short' } })
  @Controller('woods')
  class WoodsController {
    service = new MemoryService();
  }
  const leaf = z.object({ leaf: z.string() }).meta({ id: 'Tree' });
  const dto = { create: z.object({ tree }), replace: z.object({ leaf }) };
  expect((await bodiesOf(dto, [WoodsController])).schemas).toMatchObject({
    Tree: { properties: { height: { type: 'number' } } },
    CreateUserBodyDto: { properties: { tree: ref('Tree2') } },
    Tree2: { properties: { kids: { items: ref('Tree2') } } },
    ReplaceUserBodyDto: { properties: { leaf: ref('UsersTree') } },
    UsersTree: { properties: { leaf: TEXT } },
  });
});

test('a component of PATCH has no defaults, and a name beside that of POST', async () => {
  const { post, patch, schemas } = await bodiesOf({ create: tree, update: tree });
  const id = { type: 'string', nullable: true };
  expect([post, patch]).toEqual([ref('Tree'), ref('TreePatch')]);
  expect(schemas['Tree']).toEqual({
    type: 'object',
    properties: { id: { ...id, default: 'new' }, kids: list('Tree') },
  });
  expect(schemas['TreePatch']).toEqual({ type: 'object', properties: { id, kids: list('TreePatch') } });
});

test('parts are named as the application names them, else by their place; a dangling reference allows anything', async () => {
  const parts = {
    ...{
      id: { ...TEXT, id: 'x' },
      definitions: TEXT,
      $schema: TEXT,
      high: { exclusiveMinimum: true, exclusiveMaximum: 9 },
    },
    counted: { $ref: '#/$defs/0' },
    made: { $ref: '#/$defs/__schema12' },
    lost: { $ref: '#/$defs/none/at' },
    odd: { type: 'object', properties: { 'a b': { $ref: '#/definitions/a%20b' } } },
    named: { $ref: '#/definitions/2.b-1', description: 'X' },
    some: { anyOf: [{ $ref: '#/definitions/2.b-1' }, TEXT] },
  };
  const $defs = { 0: { ...TEXT, $id: 'y' }, __schema12: TEXT };
  const root = { $schema: 'z', $id: 'Own', type: 'object', properties: parts, required: ['id'], $defs };
  const asked: unknown[] = [];
  const create = schemaOf((options) => {
    asked.push(options);
    return { ...root, definitions: { 'a b': INTEGER, '2.b-1': TEXT } };
  });
  const { post, schemas } = await bodiesOf({ create }, [], '3.1.0');
  expect(post).toEqual(ref('Own'));
  const libraryOptions = { unrepresentable: 'any', errorMode: 'ignore' };
  expect(asked[0]).toEqual({ target: 'openapi-3.0', libraryOptions });
  const made = ['CreateUserBodyCountedDto', 'CreateUserBodyMadeDto', 'CreateUserBodyOddA_bDto', '2.b-1'];
  expect(made.map((name) => schemas[name])).toEqual([TEXT, TEXT, INTEGER, TEXT]);
  expect(schemas['Own']).toEqual({
    type: 'object',
    properties: {
      ...{ id: TEXT, definitions: TEXT, $schema: TEXT, high: { exclusiveMaximum: 9 }, lost: {} },
      ...{ counted: ref('CreateUserBodyCountedDto'), made: ref('CreateUserBodyMadeDto') },
      odd: { type: 'object', properties: { 'a b': ref('CreateUserBodyOddA_bDto') } },
      named: { description: 'X', allOf: [ref('2.b-1')] },
      some: { anyOf: [ref('2.b-1'), TEXT] },
    },
    required: ['id'],
  });
});

test('a schema that cannot tell what it takes is any object, unless it is a class with decorators', async () => {
  class Described {
    static readonly '~standard' = schemaOf()['~standard'];
    @ApiProperty() name!: string;
  }
  const failing = schemaOf(() => {
    throw new Error('not in this dialect');
  });
  const { post, put, patch, schemas } = await bodiesOf({
    create: failing,
    update: Described,
    replace: schemaOf(() => 1),
  });
  expect([post, put, patch]).toEqual([{ type: 'object' }, { type: 'object' }, ref('Described')]);
  expect(schemas['Described']).toEqual({ type: 'object', properties: { name: TEXT }, required: ['name'] });
});
