/** Rules, transforms and schemas of the application that throw while a body is read: whose fault it is, and what the log says. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ForbiddenException, Logger, NotFoundException } from '@nestjs/common';
import { Transform, Type as TypeOf } from 'class-transformer';
import { IsEmail, IsOptional, IsString, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { type Api, describeApplications, start } from '../support/application.js';
import { Notes, resource } from './resource.js';

const fail = (error: unknown) => (): never => {
  throw error;
};

const by = (validate: (value: never) => boolean | Promise<boolean>) =>
  ValidateBy({ name: 'own', validator: { validate } });
const Failing = (error: unknown) => by(fail(error));
const Rejecting = (error: Error) => by(() => Promise.reject(error));

class City {
  @IsOptional() @Failing(new Error('nested')) name?: string;
  @IsOptional() @Transform(({ value }: { value: string }) => value.trim()) zip?: string;
}

class Circle {}

const shapes = { discriminator: { property: 'form', subTypes: [{ name: 'circle', value: Circle }] } };

class Body {
  @IsOptional() @Transform(({ value }: { value: string }) => value.split(',')) tags?: string[];
  @IsOptional() @Transform(fail(new ForbiddenException('no secrets'))) secret?: string;
  @IsOptional() @Transform(({ value }: { value: string }) => decodeURIComponent(value)) encoded?: string;
  @IsOptional() @ValidateNested() @TypeOf(() => City) city?: City;
  @IsOptional() @ValidateNested({ each: true }) @TypeOf(() => City) cities?: City[];
  @IsOptional() @TypeOf(() => String) text?: string;
  @IsOptional() @TypeOf(() => Date) day?: Date;
  @IsOptional() @TypeOf(() => Circle, shapes) shapes?: Circle[];
  @IsOptional() @Failing(new Error('by a rule')) ruled?: string;
  @IsOptional() @Rejecting(new Error('later')) delayed?: string;
  @ValidateIf(({ conditional }: Body) => conditional !== undefined && fail(new Error('by a condition'))())
  @IsString()
  conditional?: string;
  @IsOptional() @IsString({ message: fail(new Error('by a message')) }) told?: unknown;
  @IsOptional() @Failing(new NotFoundException('no such')) chosen?: string;
  @IsOptional() @Rejecting(new NotFoundException('no such')) chosenLater?: string;
  @IsOptional() @IsEmail() email?: string;
}

const serve = (options: object): Promise<Api> =>
  start({ controllers: [resource(Notes, { serialize: { update: false }, ...options })], providers: [Notes] });

describeApplications('what throws while a body is read', () => {
  let told: unknown[];
  beforeEach(() => {
    told = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((text: unknown) => void told.push(text));
  });
  afterEach(() => void jest.restoreAllMocks());

  const lineOf = (by: string, text: string) =>
    `NotesController: ${by} has thrown: ${text}. The request is answered with 500.`;

  test('is a mistake of the application: a 500 that tells the log alone where', async () => {
    const api = await serve({ dto: { create: Body } });

    for (const [body, by, property, text] of [
      [{ tags: 5 }, 'a @Transform()', 'tags', 'value.split is not a function'],
      [{ city: { zip: 5 } }, 'a @Transform()', 'city.zip', 'value.trim is not a function'],
      [{ cities: [{ zip: 5 }] }, 'a @Transform()', 'cities.zip', 'value.trim is not a function'],
      [{ ruled: 'x' }, 'a rule', 'ruled', 'by a rule'],
      [{ delayed: 'x' }, 'a rule', 'delayed', 'later'],
      [{ conditional: 'x' }, 'a rule', 'conditional', 'by a condition'],
      [{ told: 1 }, 'a rule', 'told', 'by a message'],
      [{ cities: [{}, { name: 'x' }] }, 'a rule', 'cities.1.name', 'nested'],
      [{ ruled: 'x', delayed: 'y' }, 'a rule', 'ruled', 'by a rule'],
    ] as const) {
      told = [];
      const line = lineOf(`${by} on "${property}" of Body`, text);
      await api.post('/notes', body).expect(500, { statusCode: 500, message: 'Internal server error' });
      await api.post('/notes/bulk', { bulk: [{ email: 'a@example.com' }, body] }).expect(500);
      expect(told).toEqual([line, line]);
    }
    expect(jest.mocked(Logger.prototype.error)).toHaveBeenLastCalledWith(told[1], expect.stringContaining('at '));
    expect(api.resolve(Notes).calls).toEqual([]);
    told = [];
    const schema = { '~standard': { version: 1, vendor: 'test', validate: fail(new Error('by a schema')) } };
    await (await serve({ dto: { create: schema } })).post('/notes', { name: 'x' }).expect(500);
    expect(told).toEqual([lineOf('the schema on the body', 'by a schema')]);
  });

  test.each([undefined, 'a text', { reason: 'odd' }])('is logged even if it is no error: %p', async (thrown) => {
    const text = typeof thrown === 'object' ? "{ reason: 'odd' }" : String(thrown);

    class Odd {
      @Failing(thrown) ruled?: string;
      @Transform(({ value }: { value: unknown }) => (value === undefined ? value : fail(thrown)())) made?: string;
    }

    const api = await serve({ dto: { create: Odd } });
    for (const body of [{ ruled: 'x' }, { made: 'x' }]) await api.post('/notes', body).expect(500);
    expect(told).toEqual([lineOf('a rule on "ruled" of Odd', text), lineOf('a @Transform() on "made" of Odd', text)]);
  });

  test("is the answer, where it is one, and the client's fault, where the libraries cannot cope with what was sent", async () => {
    const api = await serve({ dto: { create: Body } });
    const chosen = { secret: [403, 'no secrets'], chosen: [404, 'no such'], chosenLater: [404, 'no such'] };
    for (const [name, answer] of Object.entries(chosen)) {
      const { status, body } = await api.post('/notes', { [name]: 'x' });
      expect([name, status, body.message]).toEqual([name, ...answer]);
    }

    for (const body of [
      '{"text":{"toString":1,"valueOf":1}}',
      '{"text":[{"toString":1,"valueOf":1}]}',
      '{"day":{"toString":1,"valueOf":1}}',
      '{"shapes":[null]}',
      '{"email":"a\\ud800@example.com"}',
      '{"encoded":"%zz"}',
    ])
      expect([body, (await api.post('/notes', body)).body]).toMatchObject([body, { code: 'CRUD_INVALID_BODY' }]);
    expect(told).toEqual([]);
  });

  test('is not met by a PATCH without the property', async () => {
    class Picky {
      @by((value: string) => value.length > 1) name!: string;
    }

    const api = await serve({ model: { type: Picky } });
    await api.patch('/notes/1', { other: 1 }).expect(200);
    await api.patch('/notes/1', { name: 'x' }).expect(400);
    expect(told).toEqual([]);
    await api.post('/notes', {}).expect(500);
    expect(told).toEqual([expect.stringContaining('a rule on "name" of Picky has thrown')]);
  });
});
