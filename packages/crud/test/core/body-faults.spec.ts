/** Rules, transforms and schemas of the application that throw while a body is read: whose fault it is, and what the log says. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ForbiddenException, type HttpException, Logger, NotFoundException } from '@nestjs/common';
import { Transform, Type as TypeOf } from 'class-transformer';
import { IsEmail, IsOptional, IsString, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { BodyReader } from '../../src/validation/body-reader.js';
import type { BodyRules } from '../../src/validation/body-rules.js';
import { failing, rulesOf } from './rules-of.js';

const by = (validate: (value: never) => boolean | Promise<boolean>) =>
  ValidateBy({ name: 'own', validator: { validate } });
const Failing = (error: unknown) => by(failing(error));
const Rejecting = (error: Error) => by(() => Promise.reject(error));

class Circle {}
const shapes = { discriminator: { property: 'form', subTypes: [{ name: 'circle', value: Circle }] } };

class City {
  @IsOptional() @Failing(new Error('nested')) name?: string;
  @IsOptional() @Transform(({ value }: { value: string }) => value.trim()) zip?: string;
}

class Body {
  @IsOptional() @Transform(({ value }: { value: string }) => value.split(',')) tags?: string[];
  @IsOptional() @Transform(failing(new ForbiddenException('no secrets'))) secret?: string;
  @IsOptional() @Transform(({ value }: { value: string }) => decodeURIComponent(value)) encoded?: string;
  @IsOptional() @ValidateNested() @TypeOf(() => City) city?: City;
  @IsOptional() @ValidateNested({ each: true }) @TypeOf(() => City) cities?: City[];
  @IsOptional() @TypeOf(() => String) text?: string;
  @IsOptional() @TypeOf(() => Date) day?: Date;
  @IsOptional() @TypeOf(() => Circle, shapes) shapes?: Circle[];
  @IsOptional() @Failing(new Error('by a rule')) ruled?: string;
  @IsOptional() @Rejecting(new Error('later')) delayed?: string;
  @ValidateIf(({ conditional }: Body) => conditional !== undefined && failing(new Error('by a condition'))())
  @IsString()
  conditional?: string;
  @IsOptional() @IsString({ message: failing(new Error('by a message')) }) told?: unknown;
  @IsOptional() @Failing(new NotFoundException('no such')) chosen?: string;
  @IsOptional() @Rejecting(new NotFoundException('no such')) chosenLater?: string;
  @IsOptional() @IsEmail() email?: string;
}

let told: unknown[][];
beforeEach(() => {
  told = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined).mock.calls;
});
afterEach(() => void jest.restoreAllMocks());

/** The status and the messages of a refusal. */
const refusal = (rules: BodyRules, body: object) =>
  new BodyReader(rules).read(body).then(
    () => undefined,
    (error: HttpException) => [error.getStatus(), Object(error.getResponse())['message']].flat() as unknown[],
  );

const FAULT = [500, 'Internal server error'];
const lineOf = (by: string, text: string) =>
  `PlainController: ${by} has thrown: ${text}. The request is answered with 500.`;
const withStack = (line: string) => [line, expect.stringContaining('at ')];

test.each<[body: object, by: string, property: string, text: string]>([
  [{ tags: 5 }, 'a @Transform()', 'tags', 'value.split is not a function'],
  [{ city: { zip: 5 } }, 'a @Transform()', 'city.zip', 'value.trim is not a function'],
  [{ cities: [{ zip: 5 }] }, 'a @Transform()', 'cities.zip', 'value.trim is not a function'],
  [{ ruled: 'x' }, 'a rule', 'ruled', 'by a rule'],
  [{ delayed: 'x' }, 'a rule', 'delayed', 'later'],
  [{ conditional: 'x' }, 'a rule', 'conditional', 'by a condition'],
  [{ told: 1 }, 'a rule', 'told', 'by a message'],
  [{ cities: [{}, { name: 'x' }] }, 'a rule', 'cities.1.name', 'nested'],
  [{ ruled: 'x', delayed: 'y' }, 'a rule', 'ruled', 'by a rule'],
])('%j is answered with 500, and the log tells of %s on %s', async (body, by, property, text) => {
  const line = withStack(lineOf(`${by} on "${property}" of Body`, text));
  expect(await refusal(rulesOf(Body), body)).toEqual(FAULT);
  expect(await refusal(rulesOf(Body, { bulk: true }), { bulk: [{}, body] })).toEqual(FAULT);
  expect(told).toEqual([line, line]);
});

test('a schema that throws is answered with 500', async () => {
  const schema = { '~standard': { version: 1, vendor: 'test', validate: failing(new Error('by a schema')) } };
  expect(await refusal(rulesOf(Object, { schema: schema as never }), {})).toEqual(FAULT);
  expect(told).toEqual([withStack(lineOf('the schema on the body', 'by a schema'))]);
});

test.each([undefined, 'a text', { reason: 'odd' }])('what is no error is logged, too: %p', async (thrown) => {
  const text = typeof thrown === 'object' ? "{ reason: 'odd' }" : String(thrown);

  class Odd {
    @Failing(thrown) ruled?: string;
    @Transform(({ value }: { value: unknown }) => (value === undefined ? value : failing(thrown)())) made?: string;
  }

  for (const body of [{ ruled: 'x' }, { made: 'x' }]) expect(await refusal(rulesOf(Odd), body)).toContain(500);
  const lines = [lineOf('a rule on "ruled" of Odd', text), lineOf('a @Transform() on "made" of Odd', text)];
  expect(told).toEqual(lines.map((line) => [line, undefined]));
});

const WRONG_TYPE = 'The body has a value of the wrong type';
const ILL_FORMED = 'The body holds text that is not well-formed, as Unicode or as an encoded URI';

test.each([
  ['{"secret":"x"}', 403, 'no secrets'],
  ['{"chosen":"x"}', 404, 'no such'],
  ['{"chosenLater":"x"}', 404, 'no such'],
  ['{"text":{"toString":1,"valueOf":1}}', 400, WRONG_TYPE],
  ['{"text":[{"toString":1,"valueOf":1}]}', 400, WRONG_TYPE],
  ['{"day":{"toString":1,"valueOf":1}}', 400, WRONG_TYPE],
  ['{"shapes":[null]}', 400, WRONG_TYPE],
  ['{"email":"a\\ud800@example.com"}', 400, ILL_FORMED],
  ['{"encoded":"%zz"}', 400, ILL_FORMED],
])('%s is answered with %d, and nothing is logged', async (text, status, message) => {
  expect(await refusal(rulesOf(Body), JSON.parse(text) as object)).toEqual([status, message]);
  expect(told).toEqual([]);
});
