/** Pipes of the application before a body, without HTTP: what is made of it, and how it is refused. Rules, transforms and schemas of the application that throw meanwhile: whose fault it is, and what the log says. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { BadRequestException, ForbiddenException, HttpException, Logger, NotFoundException } from '@nestjs/common';
import { type PipeTransform, type Type as Class, ValidationPipe, type ValidationPipeOptions } from '@nestjs/common';
import { Exclude, Transform, Type } from 'class-transformer';
import { IsEmail, IsInt, IsOptional, IsString, MaxLength, ValidateBy, ValidateIf } from 'class-validator';
import { ValidateNested } from 'class-validator';
import { z } from 'zod';
import { bodyScope } from '../../src/plan/body-scope.js';
import { rulesWithPipes } from '../../src/validation/body-pipes.js';
import { BodyReader } from '../../src/validation/body-reader.js';
import type { BodyRules } from '../../src/validation/body-rules.js';
import { CREATE, failing, Named, rulesOf, STRICT, UPDATE } from './rules-of.js';

type Body = Record<string, unknown>;

class Part {
  @IsString({ always: true }) label!: string;
}

class Always {
  id?: number;
  @IsString({ always: true }) name!: string;
}

class Item extends Always {
  @IsOptional({ always: true }) @IsInt({ always: true }) age?: number;
  @IsOptional({ always: true }) @ValidateNested({ always: true }) @Type(() => Part) part?: Part;
  @Exclude() @IsOptional({ always: true }) secret?: unknown;
  @IsOptional({ always: true }) @Type(() => Part) made?: Part;
}

class Items {
  @ValidateNested({ each: true }) @Type(() => Item) bulk!: Item[];
}

class Noted extends Always {
  @MaxLength(3) @IsOptional() note?: string;
  @IsString({ groups: [UPDATE] }) later?: string;
}

class Ranked extends Always {
  @IsInt({ always: true }) rank = 7;
}

class Partly extends Named {
  @IsOptional() @ValidateNested() @Type(() => Part) part?: Part;
  @IsInt() rank = 7;
}

const insert = (type: Class<unknown>): BodyRules => rulesOf(type, { isModel: true, group: CREATE });
const update = (type: Class<unknown>): BodyRules => rulesOf(type, { isModel: true, group: UPDATE, mode: 'update' });
const bulk = (type: Class<unknown>): BodyRules => ({ ...insert(type), bulk: true });

type Own = (value: Body, next: (value: object) => Promise<Body>) => unknown;

/** A pipe with a `transform` of its own, around that of Nest. */
const changing = (own: Own, options?: ValidationPipeOptions): PipeTransform =>
  new (class extends ValidationPipe {
    override async transform(value: unknown, metadata: never): Promise<unknown> {
      return own(value as Body, (given) => super.transform(given, metadata) as Promise<Body>);
    }
  })(options);

const trim = ({ name, ...more }: Body): Body => ({ ...more, name: typeof name === 'string' ? name.trim() : name });
const trimming = (options: ValidationPipeOptions): PipeTransform =>
  changing((value, next) => next('name' in value ? trim(value) : value), options);

const adding = (more: object, options: ValidationPipeOptions = { transform: true }): PipeTransform =>
  changing(async (value, next) => Object.assign(await next(value), more), options);

/** Works by a private field, which exists on the pipe alone. */
class Private extends ValidationPipe {
  readonly #suffix = '!';

  override async transform(value: unknown, metadata: never): Promise<unknown> {
    const made = (await super.transform(value, metadata)) as Body;
    return Object.assign(made, { name: `${String(made['name'])}${this.#suffix}` });
  }
}

const making = (transform: (value: Body) => unknown): PipeTransform => ({ transform });

const [A, B] = [{ name: 'a' }, { name: 'b' }];
const both = { transform: true, whitelist: true };
const narrow = { expectedType: Partly };
const whitelists = [new ValidationPipe({ whitelist: true }), trimming({ whitelist: true })];
const stricts = [new ValidationPipe(STRICT), ...[STRICT, { ...STRICT, transform: true }].map(trimming)];
const partly = [{}, { transform: true }].map(
  (more) => new ValidationPipe({ ...more, expectedType: Partly, whitelist: true, errorHttpStatusCode: 422 }),
);
const initialising = [
  ...[{ transform: true }, { whitelist: true }, {}].map((options) => new Private(options)),
  making((value) => Object.assign(new Ranked(), value, { name: 'a!' })),
];
const transforming = [{ transform: true }, both, narrow, { ...narrow, ...both }];
const shouting = transforming.map((options) => adding({ name: 'A', age: 7 }, options));
const trimmers = transforming.map(trimming);
const instances = [
  making((value) => Object.freeze({ ...value, age: 5 })),
  making((value) => Object.assign(new Item(), value, { age: 5 })),
  making((value) => Object.assign(value, { age: 5 })),
];

const ODD = { ...A, stranger: 1, part: { label: 'x', stranger: 1 } };
const CLEAN = { ...A, part: { label: 'x' } };
const NOTED = { ...A, note: 'n', later: 5 };
const AGED = { ...A, age: 5, part: { label: 'x', stranger: 1 } };
const WEAK = { ...A, age: 'old' };
const BULK = { bulk: [A, { name: ' b ' }] };
const wholeBulk = rulesOf(Items, { bulk: true, wholeBulk: true });
const unvalidated = { ...insert(Item), validation: false } as const;
const bySchema = rulesOf(Object, { schema: z.object({ name: z.string() }) });
const permissive = { ...insert(Item), validation: { whitelist: false, forbidNonWhitelisted: false } };

const readBehind = (pipes: PipeTransform[], rules: BodyRules, body: object, path: [string, unknown][] = []) => {
  const guarded = rulesWithPipes(rules, pipes);
  return new BodyReader(guarded.rules, guarded.run, guarded.exceptions).read(body, bodyScope({ path }, undefined));
};

test.each<[what: string, pipes: PipeTransform[], BodyRules, body: object, read: object]>([
  ['lacks what a whitelist strips, at any depth', whitelists, insert(Item), ODD, CLEAN],
  ['lacks what a whitelist strips in bulk', whitelists, bulk(Item), { bulk: [ODD] }, { bulk: [CLEAN] }],
  ['keeps what rules of other groups declare', stricts, insert(Noted), NOTED, NOTED],
  ['has what a pipe changes', trimmers, insert(Item), { name: ' a ' }, A],
  ['has what a pipe changes in bulk', trimmers, bulk(Item), BULK, { bulk: [A, { name: 'b' }] }],
  ['has what a pipe adds', shouting, update(Item), A, { name: 'A', age: 7 }],
  ['has what a pipe makes of an object', [adding({ made: 5 })], insert(Item), { ...A, made: {} }, { ...A, made: 5 }],
  ['lacks what its class initialises in a change', initialising, update(Ranked), A, { name: 'a!' }],
  ['has what its class initialises in a new record', initialising, insert(Ranked), A, { name: 'a!', rank: 7 }],
  ['lacks what the class of a pipe strips or initialises', partly, update(Item), AGED, CLEAN],
  ['keeps what its class excludes', [adding(B)], insert(Item), { ...A, secret: 's' }, { ...B, secret: 's' }],
  ['may come as an instance, frozen, or changed in place', instances, insert(Item), A, { ...A, age: 5 }],
  ['is read as it is where validation is off', [making((value) => value)], unvalidated, { name: 5 }, { name: 5 }],
  ['is asked by a schema alone', stricts, bySchema, { ...A, stranger: 1 }, A],
])('a body %s', async (_what, pipes, rules, body, read) => {
  for (const pipe of pipes) expect(await readBehind([pipe], rules, body)).toStrictEqual(read);
});

const own = { statusCode: 400, message: 'own', error: 'Bad Request' };
const exceptionFactory = (): unknown => new BadRequestException(own.message);
const refused = (text: string, field?: string, statusCode = 400) => ({
  statusCode,
  error: statusCode === 422 ? 'Unprocessable Entity' : 'Bad Request',
  message: [text],
  code: 'CRUD_INVALID_BODY',
  field,
});

const [NAME, OBJECT, STRANGER] = ['name must be a string', 'must be an object', 'property stranger should not exist'];
const [AGE, RANK] = ['age', 'rank'].map((name) => `bulk.1.${name} must be an integer number`) as [string, string];
const lateStrict = [new ValidationPipe({ ...STRICT, errorHttpStatusCode: 422 })];
const mixed = [new ValidationPipe({ skipNullProperties: true }), trimming({ stopAtFirstError: true })];
const factories = [new ValidationPipe({ exceptionFactory }), trimming({ exceptionFactory })];

test.each<[why: string, pipes: PipeTransform[] | undefined, BodyRules, body: object, response: object]>([
  ['a stranger', stricts, insert(Noted), { ...NOTED, stranger: 1 }, refused(STRANGER, 'stranger')],
  ['a record in bulk', mixed, bulk(Item), { bulk: [A, WEAK] }, refused(AGE, 'bulk.1.age')],
  ['an item that is no record', mixed, bulk(Item), { bulk: [A, 5] }, refused(`bulk.1 ${OBJECT}`, 'bulk.1')],
  ['a pipe that makes no record', [making(() => 5)], insert(Item), A, refused(`The body ${OBJECT}`)],
  ['the class of a pipe', partly, bulk(Item), { bulk: [A, { ...B, rank: 'x' }] }, refused(RANK, 'bulk.1.rank', 422)],
  ['a pipe alone', lateStrict, unvalidated, { ...A, stranger: 1 }, refused(STRANGER, 'stranger', 422)],
  ['the resource, with the status of a pipe', lateStrict, permissive, { stranger: 1 }, refused(NAME, 'name', 422)],
  ['an exception of the application', factories, insert(Item), { name: 1 }, own],
])('a body is refused because of %s', async (_why, pipes, rules, body, response) => {
  for (const pipe of pipes!) {
    const refusal: unknown = await readBehind([pipe], rules, body).catch((error: HttpException) => error.getResponse());
    expect(refusal).toEqual(response);
  }
});

test.each([insert(Item), wholeBulk])('a pipe is shown the class of a body', async (rules) => {
  const transform = jest.fn((value: unknown) => value);
  await readBehind([{ transform }], rules, { name: 'a', bulk: [A] }, [['stranger', 1]]);
  const withoutScope = expect.not.objectContaining({ stranger: 1 });
  expect(transform.mock.calls).toEqual([[withoutScope, { type: 'body', metatype: rules.type }]]);
});

test('a pipe that refuses what the path sets is shown the body without it; its own refusal is told', async () => {
  const refusing = (isMet: (body: Body) => boolean) =>
    making((body) => (isMet(body) ? failing(new ForbiddenException(`aged ${String(body['age'])}`))() : body));
  const read = (pipe: PipeTransform) => readBehind([pipe], insert(Item), { ...A, age: 9 }, [['age', 7]]);
  expect(await read(refusing(({ age }) => age !== undefined))).toEqual({ ...A, age: 7 });
  await expect(read(refusing(() => true))).rejects.toThrow('aged 7');
});

test.each<[ValidationPipeOptions[], ValidationPipeOptions]>([
  [[{ transformOptions: { exposeUnsetFields: false } }], { transformOptions: { exposeUnsetFields: false } }],
  [[{ skipNullProperties: true, whitelist: true }, {}], { skipNullProperties: false, whitelist: true }],
  [[{ expectedType: Part, whitelist: true, errorHttpStatusCode: 422 }, {}], { errorHttpStatusCode: 422 }],
])('a body is validated by pipes with %j as by %j', (options, validation) => {
  const [given, plain] = [options, [{}]].map((all) => all.map((each) => new ValidationPipe(each)));
  const validatedBy = (pipes: PipeTransform[]) => rulesWithPipes(rulesOf(Item), pipes).rules.validation;
  expect(validatedBy(given!)).toEqual({ ...validatedBy(plain!), ...validation });
  expect(validatedBy([new ValidationPipe({ expectedType: Part, errorHttpStatusCode: 422 })])).toEqual({});
});

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

class Faulty {
  @IsOptional() @Transform(({ value }: { value: string }) => value.split(',')) tags?: string[];
  @IsOptional() @Transform(failing(new ForbiddenException('no secrets'))) secret?: string;
  @IsOptional() @ValidateNested() @Type(() => City) city?: City;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => City) cities?: City[];
  @IsOptional() @Type(() => String) text?: string;
  @IsOptional() @Type(() => Circle, shapes) shapes?: Circle[];
  @IsOptional() @Failing(new Error('by a rule')) ruled?: string;
  @IsOptional() @Rejecting(new Error('later')) delayed?: string;
  @ValidateIf(({ conditional }: Faulty) => conditional !== undefined && failing(new Error('by a condition'))())
  @IsString()
  conditional?: string;
  @IsOptional() @Failing(new NotFoundException('no such')) chosen?: string;
  @IsOptional() @IsEmail() email?: string;
}

describe('errors while a body is read', () => {
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
    [{ ruled: 'x' }, 'a rule', 'ruled', 'by a rule'],
    [{ delayed: 'x' }, 'a rule', 'delayed', 'later'],
    [{ conditional: 'x' }, 'a rule', 'conditional', 'by a condition'],
    [{ cities: [{}, { name: 'x' }] }, 'a rule', 'cities.1.name', 'nested'],
  ])('%j is answered with 500, and the log tells of %s on %s', async (body, by, property, text) => {
    const line = withStack(lineOf(`${by} on "${property}" of Faulty`, text));
    expect(await refusal(rulesOf(Faulty), body)).toEqual(FAULT);
    expect(await refusal(rulesOf(Faulty, { bulk: true }), { bulk: [{}, body] })).toEqual(FAULT);
    expect(told).toEqual([line, line]);
  });

  test('a schema that throws is answered with 500', async () => {
    const schema = { '~standard': { version: 1, vendor: 'test', validate: failing(new Error('by a schema')) } };
    expect(await refusal(rulesOf(Object, { schema: schema as never }), {})).toEqual(FAULT);
    expect(told).toEqual([withStack(lineOf('the schema on the body', 'by a schema'))]);
  });

  test.each(['a text', { reason: 'odd' }])('what is no error is logged, too: %p', async (thrown) => {
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
    ['{"text":{"toString":1,"valueOf":1}}', 400, WRONG_TYPE],
    ['{"shapes":[null]}', 400, WRONG_TYPE],
    ['{"email":"a\\ud800@example.com"}', 400, ILL_FORMED],
  ])('%s is answered with %d, and nothing is logged', async (text, status, message) => {
    expect(await refusal(rulesOf(Faulty), JSON.parse(text) as object)).toEqual([status, message]);
    expect(told).toEqual([]);
  });
});
