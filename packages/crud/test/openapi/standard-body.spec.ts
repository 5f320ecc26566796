/** Bodies that Standard Schemas describe → their schemas in a valid document. */
import { expect, test } from '@jest/globals';
import { Controller, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Crud, type DtoOptions } from '../../src/index.js';
import * as v from 'valibot';
import { z } from 'zod';
import { MemoryService } from '../support/memory.service.js';
import { documentOf, User } from './fixture.js';
import { bodyOf, ref, validate } from './reading.js';

/** A schema of a library of one's own. */
const schemaOf = (input?: () => unknown) => {
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
const TEXT = { type: 'string' };
const INTEGER = { type: 'integer' };

test('the JSON schema of the input is a component, and so is what it refers to', async () => {
  const city = z.object({ name: z.string() }).meta({ id: 'City' });
  const create = z.object({
    age: z.number().positive().nullable(),
    role: z.string().default('guest'),
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
      from: ref('City'),
      to: { description: 'Where to', allOf: [ref('City')] },
    },
    required: ['age', 'from', 'to'],
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
  const named = z
    .object({
      name: z.string(),
      get parts() {
        return z.array(named).optional();
      },
    })
    .meta({ id: 'Part' });
  const tree = z.object({
    id: z.string(),
    get kids() {
      return z.array(tree);
    },
  });
  const create = z.object({ tree, other: tree.nullable(), part: named });
  const { post, patch, schemas } = await bodiesOf({ create, update: create.partial() });
  const properties = {
    tree: { allOf: [ref('CreateUserBodyTreeDto')] },
    other: { nullable: true, allOf: [ref('CreateUserBodyTreeDto')] },
    part: ref('Part'),
  };
  expect([post, patch]).toEqual([ref('CreateUserBodyDto'), ref('UpdateUserBodyDto')]);
  expect(schemas['CreateUserBodyDto']).toEqual({
    type: 'object',
    properties: { ...properties, tree: ref('CreateUserBodyTreeDto') },
    required: ['tree', 'other', 'part'],
  });
  expect(schemas['UpdateUserBodyDto']).toEqual({
    type: 'object',
    properties: { ...properties, part: { allOf: [ref('Part')] } },
  });
  expect(schemas['CreateUserBodyTreeDto']).toEqual({
    type: 'object',
    properties: { id: TEXT, kids: list('CreateUserBodyTreeDto') },
    required: ['id', 'kids'],
  });
  expect(schemas['Part']).toEqual({
    type: 'object',
    properties: { name: TEXT, parts: list('Part') },
    required: ['name'],
  });
});

test('a body that refers to itself, by way of another too, is a component', async () => {
  const person = z.object({
    get firm() {
      return firm;
    },
  });
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

const tree = z
  .object({
    id: z.string().nullable().default('new'),
    get kids() {
      return z.array(tree).optional();
    },
  })
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
  const { post, schemas } = await bodiesOf({ create: tree }, [WoodsController]);
  expect(schemas['Tree']).toMatchObject({ properties: { height: { type: 'number' } } });
  expect(post).toEqual(ref('UsersTree'));
  expect(schemas['UsersTree']).toMatchObject({ properties: { kids: { items: ref('UsersTree') } } });
  const leaf = z.object({ leaf: z.string() }).meta({ id: 'Tree' });
  const two = await bodiesOf({ create: z.object({ tree }), replace: z.object({ leaf }) }, [WoodsController]);
  expect(two.schemas).toMatchObject({
    CreateUserBodyDto: { properties: { tree: ref('Tree2') } },
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

test('a component is written as its version of OpenAPI has it', async () => {
  const create = z.object({ tree, id: z.string().nullable().default('new') });
  const { schemas } = await bodiesOf({ create }, [], '3.1.0');
  const { properties } = schemas['CreateUserBodyDto'] as { properties: Record<string, unknown> };
  expect(properties).toHaveProperty('id');
  expect(schemas['Tree']).toMatchObject({ properties: { id: properties['id'] } });
});

test('what JSON cannot say is anything, and the rest as it is', async () => {
  const { schemas } = await bodiesOf({ update: z.object({ at: z.date(), name: z.string() }).partial() });
  expect(schemas['UpdateUserBodyDto']).toEqual({ type: 'object', properties: { at: {}, name: TEXT } });
});

test('a schema of another library is shown where it carries its JSON schema, else any object', async () => {
  interface Folder {
    readonly name: string;
    readonly folders: readonly Folder[];
  }
  const schema: v.GenericSchema<Folder> = v.object({ name: v.string(), folders: v.array(v.lazy(() => schema)) });
  const folder = ($ref: string) => ({
    type: 'object',
    properties: { name: TEXT, folders: { type: 'array', items: { $ref } } },
    required: ['name', 'folders'],
  });
  const asked: unknown[] = [];
  // What `toStandardJsonSchema()` of @valibot/to-json-schema answers.
  const input = (options: unknown) => {
    asked.push(options);
    return { ...folder('#/$defs/0'), $defs: { 0: folder('#/$defs/0') } };
  };
  const telling = { '~standard': { ...schema['~standard'], jsonSchema: { input, output: input } } };
  const { post, patch, schemas } = await bodiesOf({ create: telling, update: schema });
  expect(post).toEqual(ref('CreateUserBodyDto'));
  expect(schemas['CreateUserBodyDto']).toEqual(folder('#/components/schemas/CreateUserBodyFoldersDto'));
  expect(schemas['CreateUserBodyFoldersDto']).toEqual(folder('#/components/schemas/CreateUserBodyFoldersDto'));
  expect(patch).toEqual({ type: 'object' });
  const libraryOptions = { unrepresentable: 'any', errorMode: 'ignore' };
  expect(asked[0]).toEqual({ target: 'openapi-3.0', libraryOptions });
});

test('parts are named by what the application calls them, else by their place; what refers to nothing is anything', async () => {
  const parts = {
    ...{
      id: { ...TEXT, id: 'x' },
      definitions: TEXT,
      $schema: TEXT,
      high: { exclusiveMinimum: true, exclusiveMaximum: 9 },
    },
    ...{ counted: { $ref: '#/$defs/0' }, made: { $ref: '#/$defs/__schema1' }, lost: { $ref: '#/$defs/none/at' } },
    odd: { type: 'object', properties: { 'a b': { $ref: '#/definitions/a%20b' } } },
    named: { $ref: '#/definitions/A.b-1', description: 'X' },
    some: { anyOf: [{ $ref: '#/definitions/A.b-1' }, TEXT] },
  };
  const $defs = { 0: { ...TEXT, $id: 'y' }, __schema1: TEXT };
  const root = { $schema: 'z', $id: 'Own', type: 'object', properties: parts, required: ['id'], $defs };
  const create = schemaOf(() => ({ ...root, definitions: { 'a b': INTEGER, 'A.b-1': TEXT } }));
  const { post, schemas } = await bodiesOf({ create }, [], '3.1.0');
  expect(post).toEqual(ref('Own'));
  const made = ['CreateUserBodyCountedDto', 'CreateUserBodyMadeDto', 'CreateUserBodyOddA_bDto', 'A.b-1'];
  expect(made.map((name) => schemas[name])).toEqual([TEXT, TEXT, INTEGER, TEXT]);
  expect(schemas['Own']).toEqual({
    type: 'object',
    properties: {
      ...{ id: TEXT, definitions: TEXT, $schema: TEXT, high: { exclusiveMaximum: 9 }, lost: {} },
      ...{ counted: ref('CreateUserBodyCountedDto'), made: ref('CreateUserBodyMadeDto') },
      odd: { type: 'object', properties: { 'a b': ref('CreateUserBodyOddA_bDto') } },
      named: { description: 'X', allOf: [ref('A.b-1')] },
      some: { anyOf: [ref('A.b-1'), TEXT] },
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

test('a body of PATCH has no defaults, at any depth, but what is called `default`, and values with it', async () => {
  const part = { default: { ...TEXT, default: 'x' } };
  const values = { const: part, enum: [part], example: part, examples: [part] };
  const shaped = (named: object, text: object) => ({
    ...{ list: { type: 'array', items: text }, some: { anyOf: [text] }, values },
    ...{ named: { patternProperties: named, dependentSchemas: named, properties: named } },
  });
  const properties = {
    ...{ ...part, ...shaped(part, part.default) },
    ...{ first: { $ref: '#/$defs/default' }, second: { $ref: '#/definitions/default' } },
  };
  const root = { type: 'object', properties, default: {}, $defs: part, definitions: { default: { default: 1 } } };
  const { patch, schemas } = await bodiesOf({ update: schemaOf(() => root) }, [], '3.1.0');
  expect([patch, schemas['default'], schemas['defaultPatch']]).toEqual([ref('UpdateUserBodyDto'), TEXT, {}]);
  expect(schemas['UpdateUserBodyDto']).toEqual({
    type: 'object',
    properties: {
      ...{ default: TEXT, ...shaped({ default: TEXT }, TEXT) },
      ...{ first: ref('default'), second: ref('defaultPatch') },
    },
  });
});
