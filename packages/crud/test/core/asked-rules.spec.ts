/** Which rules a body is asked, and which properties it keeps, by what is known of its class, route and entity. */
import { expect, test } from '@jest/globals';
import type { BadRequestException } from '@nestjs/common';
import { CrudValidationGroups } from '@nestwright/crud';
import { Expose, Transform, Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { bareDefinition, type ResourceDefinition } from '../../src/definition/resource-definition.js';
import type { BodyScope } from '../../src/plan/body-scope.js';
import { BodyReader } from '../../src/validation/body-reader.js';
import { type BodyRules, makeBodyRules } from '../../src/validation/body-rules.js';
import { makeBodyValidator } from '../../src/validation/body-validator.js';
import { catalog, column } from '../plan/catalogs.js';
import { rulesOf } from './rules-of.js';

const { UPDATE } = CrudValidationGroups;

/** What is made of a body, or the messages of its refusal. */
const outcome = (rules: BodyRules, body: object, scope?: BodyScope): Promise<unknown> =>
  new BodyReader(rules)
    .read(body, scope)
    .catch((error: BadRequestException) => Object(error.getResponse())['message'] as string[]);

class Named {
  @IsString() name!: string;
}

class Model {
  @Expose({ name: 'full_name' }) @IsString() name?: string;
  @Transform(({ value }: { value: unknown }) => value || undefined) @IsString() note?: string;
  // A condition without a group does not release rules of a group.
  @IsOptional() @IsInt() @MaxLength(3, { groups: [UPDATE] }) text?: unknown;
  @IsOptional({ groups: [UPDATE] }) @IsString() optional?: string | null;
  // No body can set it.
  @IsString() createdAt?: string;
  // An embedded object, whose parts may be missing in a change, and a JSON value, whose may not.
  @ValidateNested() @Type(() => Named) address?: Named;
  @ValidateNested() @Type(() => Named) settings?: Named;
}

const createdAt = column('createdAt', 'datetime', { source: 'createDate' });
const models = catalog('Model', [column('address.name', 'text'), column('settings', 'json'), createdAt]);

const TEXT = 'text must be shorter than or equal to 3 characters';

test.each<[change: object, refused: string[]]>([
  [{}, [TEXT]],
  [{ text: null }, [TEXT]],
  [{ text: 'a' }, ['text must be an integer number']],
  [{ text: 'long' }, [TEXT, 'text must be an integer number']],
  [{ text: null, full_name: 5 }, ['name must be a string', TEXT]],
  [{ text: null, note: '' }, ['note must be a string', TEXT]],
  [{ text: null, optional: null }, [TEXT]],
  [{ text: null, optional: 5 }, ['optional must be a string', TEXT]],
  [{ text: null, createdAt: 5 }, [TEXT]],
  [{ text: null, address: {} }, [TEXT]],
  [{ text: null, address: { name: 5 } }, ['address.name must be a string', TEXT]],
  [{ text: null, settings: {} }, ['settings.name must be a string', TEXT]],
])('a change %j of a model is refused with %j', async (change, refused) => {
  const rules = rulesOf(Model, { isModel: true, mode: 'update', group: UPDATE });
  const answer = await outcome(rules, change, { values: [], catalog: models });
  expect((answer as string[]).toSorted()).toEqual(refused.toSorted());
});

/** The rules of POST. */
const rulesOfPost = (definition: Partial<ResourceDefinition>, declared?: unknown): BodyRules =>
  makeBodyRules({ ...bareDefinition(), validation: {}, ...definition }, 'createOneBase', declared)!;

class Other {}

const dto = { create: Named };

test.each<[string, Partial<ResourceDefinition>, declared: unknown, isKept: boolean]>([
  ['in the class of a model', { model: Named }, undefined, true],
  ['in a class in dto', { dto }, undefined, false],
  ['in a class in dto that is the model', { dto, model: Named }, undefined, true],
  ['in a class in dto with whitelist: false', { dto, validation: { whitelist: false } }, undefined, true],
  ['in a class that an overriding handler declares', { dto: { create: Other } }, Named, true],
  ['in any class with whitelist: true', { model: Named, validation: { whitelist: true } }, undefined, false],
])('a property that is not declared %s is kept or dropped', async (_where, definition, declared, isKept) => {
  const sent = { name: 'a', stranger: 1 };
  expect(await outcome(rulesOfPost(definition, declared), sent)).toEqual(isKept ? sent : { name: 'a' });
});

test.each<[validation: object, asked: string[]]>([
  [{}, ['always', 'free', 'one', 'two']],
  [{ groups: ['one'] }, ['always', 'free', 'one']],
  [{ groups: ['one', 'two'] }, ['always', 'free', 'one', 'two']],
  [{ strictGroups: true }, ['always', 'free']],
  [{ skipUndefinedProperties: true }, ['free', 'two']],
  [{ skipNullProperties: true }, ['always', 'one', 'two']],
  [{ skipMissingProperties: true }, ['two']],
])('with %j a class is asked the rules %j', async (validation, asked) => {
  class Grouped {
    @IsString({ groups: ['one'] }) one!: string;
    @IsString({ groups: ['two'] }) two!: string;
    @IsString({ always: true }) always!: string;
    @IsString() free!: string;
  }

  const refused = (await outcome(rulesOf(Grouped, { validation }), { free: null, two: 5 })) as string[];
  expect(refused.toSorted()).toEqual(asked.map((name) => `${name} must be a string`));
});

test.each<[validationError: object, shown: object]>([
  [{}, { value: 5 }],
  [{ target: true, value: false }, { target: { name: 5 } }],
])('with validationError %j, errors carry %j', async (validationError, shown) => {
  const validate = makeBodyValidator(rulesOf(Named, { validation: { validationError } }));
  const { target, value } = (await validate({ name: 5 }, new Set())).errors[0]!;
  expect({ target, value }).toEqual(shown);
});

test.each<[allowGeneratedKey: boolean, body: object, expected: unknown]>([
  [true, { id: 'x' }, ['id must be an integer number']],
  [true, {}, {}],
  [false, { id: 'x' }, { id: 'x' }],
])('where allowGeneratedKey is %p, a new record %j gives %j', async (allowGeneratedKey, body, expected) => {
  class Counted {
    @IsInt({ always: true }) id!: number;
  }

  const options = { ...bareDefinition().options, routes: { createOneBase: { allowGeneratedKey } } };
  const id = column('id', 'integer', { primary: true, autoIncrement: true, generated: true });
  const rules = rulesOfPost({ model: Counted, options });
  expect(await outcome(rules, body, { values: [], catalog: catalog('Counted', [id]) })).toEqual(expected);
});
