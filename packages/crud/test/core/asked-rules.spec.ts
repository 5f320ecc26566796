/** Which rules a body is asked, by what is known of its class, route and entity. */
import { expect, test } from '@jest/globals';
import { CrudValidationGroups } from '@nestwright/crud';
import { Expose, Transform, Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MinLength, ValidateIf, ValidateNested } from 'class-validator';
import { bareDefinition } from '../../src/definition/resource-definition.js';
import { makeBodyValidator } from '../../src/validation/body-validator.js';
import { catalog, column } from '../plan/catalogs.js';
import { outcome, rulesOf, rulesOfRoute } from './rules-of.js';

const { CREATE, UPDATE } = CrudValidationGroups;

class Named {
  @IsString() name!: string;
}

class Model {
  @Expose({ name: 'full_name' }) @IsString() name?: string;
  @Transform(({ value }: { value: unknown }) => value || undefined) @IsString() note?: string;
  // A condition without a group does not release rules of a group.
  @IsOptional() @IsInt() @Max(3, { groups: [UPDATE] }) count?: unknown;
  // A condition of a group releases all.
  @IsOptional({ groups: [UPDATE] }) @IsString() optional?: string | null;
  @ValidateIf(({ name }: Model) => name === 'long', { always: true }) @MinLength(2) short?: string;
  // No body can set it.
  @IsString() createdAt?: string;
  @IsInt() version?: number;
  // An embedded object, whose parts may be missing in a change, and a JSON value, whose may not.
  @ValidateNested() @Type(() => Named) address?: Named;
  @ValidateNested() @Type(() => Named) settings?: Named;
}

const createdAt = column('createdAt', 'datetime', { source: 'createDate' });
const version = column('version', 'integer', { source: 'version' });
const models = catalog('Model', [column('address.name', 'text'), column('settings', 'json'), createdAt, version]);

const NEW = { full_name: 'a', note: 'a', optional: 'a', address: { name: 'a' }, settings: { name: 'a' } };
const sent = { insert: NEW, update: { count: 1 } };
const groups = { insert: CREATE, update: UPDATE };
const TOO_LARGE = 'count must not be greater than 3';
const SHORT = 'short must be longer than or equal to 2 characters';

test.each<[mode: 'insert' | 'update', more: object, refused: string[] | undefined]>([
  ['insert', {}, undefined],
  ['insert', { full_name: undefined }, ['name must be a string']],
  ['insert', { count: 4 }, undefined],
  ['insert', { optional: null }, ['optional must be a string']],
  ['insert', { short: '' }, undefined],
  ['insert', { full_name: 'long', short: '' }, [SHORT]],
  ['insert', { createdAt: 5, version: 'x' }, undefined],
  ['insert', { address: {} }, ['address.name must be a string']],
  ['insert', { settings: {} }, ['settings.name must be a string']],
  ['update', {}, undefined],
  ['update', { count: undefined }, [TOO_LARGE]],
  ['update', { count: null }, [TOO_LARGE]],
  ['update', { count: 4 }, [TOO_LARGE]],
  ['update', { count: 2.5 }, ['count must be an integer number']],
  ['update', { full_name: 5 }, ['name must be a string']],
  ['update', { note: '' }, ['note must be a string']],
  ['update', { optional: null }, undefined],
  ['update', { optional: 5 }, ['optional must be a string']],
  ['update', { createdAt: 5 }, undefined],
  ['update', { version: 'x' }, ['version must be an integer number']],
  ['update', { address: {} }, undefined],
  ['update', { address: { name: 5 } }, ['address.name must be a string']],
  ['update', { settings: {} }, ['settings.name must be a string']],
])('an %s of a model with %j is refused with %j', async (mode, more, refused) => {
  const rules = rulesOf(Model, { isModel: true, mode, group: groups[mode] });
  const read = await outcome(rules, { ...sent[mode], ...more }, { values: [], catalog: models });
  expect(Array.isArray(read) ? read : undefined).toEqual(refused);
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

test.each<[allowGeneratedKey: boolean, isCounted: boolean, body: object, expected: unknown]>([
  [true, true, { id: 'x' }, ['id must be an integer number']],
  [true, true, {}, {}],
  [false, true, { id: 'x' }, { id: 'x' }],
  [false, false, { id: 'x' }, ['id must be an integer number']],
  [false, false, {}, {}],
])('where allowGeneratedKey is %p, of a key that is counted: %p, a new record %j gives %j', async (...row) => {
  class Counted {
    @IsInt({ always: true }) id!: number;
  }

  const [allowGeneratedKey, autoIncrement, body, expected] = row;
  const options = { ...bareDefinition().options, routes: { createOneBase: { allowGeneratedKey } } };
  const id = column('id', 'integer', { primary: true, autoIncrement, generated: true });
  const rules = rulesOfRoute('createOneBase', { model: Counted, options });
  expect(await outcome(rules, body, { values: [], catalog: catalog('Counted', [id]) })).toEqual(expected);
});
