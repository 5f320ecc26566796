/** Which rules a body is asked, and which properties it keeps, by what is known of its class, route and entity. */
import { expect, test } from '@jest/globals';
import type { BadRequestException } from '@nestjs/common';
import { CrudValidationGroups } from '@nestwright/crud';
import { Expose, Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import { bareDefinition } from '../../src/definition/resource-definition.js';
import type { BodyScope } from '../../src/plan/body-scope.js';
import { BodyReader } from '../../src/validation/body-reader.js';
import { type BodyRules, makeBodyRules } from '../../src/validation/body-rules.js';
import { catalog, column } from '../plan/catalogs.js';
import { rulesOf } from './rules-of.js';

const { UPDATE } = CrudValidationGroups;

/** What is made of a body, or the messages of its refusal. */
const outcome = (rules: BodyRules, body: object, scope?: BodyScope): Promise<unknown> =>
  new BodyReader(rules)
    .read(body, scope)
    .catch((error: BadRequestException) => Object(error.getResponse())['message'] as string[]);

class Model {
  @Expose({ name: 'full_name' }) @IsString() name?: string;
  @Transform(({ value }: { value: unknown }) => value || undefined) @IsString() note?: string;
  // A condition without a group does not release rules of a group.
  @IsOptional() @IsInt() @MaxLength(3, { groups: [UPDATE] }) text?: unknown;
  @IsOptional({ groups: [UPDATE] }) @IsString() optional?: string | null;
}

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
])('a change %j of a model is refused with %j', async (change, refused) => {
  const answer = await outcome(rulesOf(Model, { isModel: true, mode: 'update', group: UPDATE }), change);
  expect((answer as string[]).toSorted()).toEqual(refused.toSorted());
});

class Named {
  @IsString() name!: string;
}

test.each<[Partial<BodyRules>, isKept: boolean]>([
  [{}, true],
  [{ isDto: true }, false],
  [{ isDto: true, validation: { whitelist: false } }, true],
  [{ validation: { whitelist: true } }, false],
])('of rules with %j, an undeclared property is kept: %p', async (rules, isKept) => {
  const body = { name: 'a', ...(isKept && { stranger: 1 }) };
  expect(await outcome(rulesOf(Named, rules), { name: 'a', stranger: 1 })).toEqual(body);
});

test.each<[allowGeneratedKey: boolean, body: object, expected: unknown]>([
  [true, { id: 'x' }, ['id must be an integer number']],
  [true, {}, {}],
  [false, { id: 'x' }, { id: 'x' }],
])('where allowGeneratedKey is %p, a new record %j gives %j', async (allowGeneratedKey, body, expected) => {
  class Counted {
    @IsInt({ always: true }) id!: number;
  }

  const bare = bareDefinition();
  const options = { ...bare.options, routes: { createOneBase: { allowGeneratedKey } } };
  const id = column('id', 'integer', { primary: true, autoIncrement: true, generated: true });
  const rules = makeBodyRules({ ...bare, model: Counted, options, validation: {} }, 'createOneBase')!;
  expect(await outcome(rules, body, { values: [], catalog: catalog('Counted', [id]) })).toEqual(expected);
});
