/** Bodies in: classes with rules, columns and schemas; the examples that the document shows of them out. */
import { afterAll, expect, test } from '@jest/globals';
import { ApiBody, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import * as validator from 'class-validator';
import { IsEmail, IsEmpty, IsIn, IsInt, IsString, Length, Matches, Min, validateSync } from 'class-validator';
import { z } from 'zod';
import {
  catalog,
  column,
  Company,
  companyCatalog,
  documentOf,
  type Json,
  resource,
  type ResourceOptions,
  stopValidator,
  validate,
} from './fixture.js';

afterAll(stopValidator);

async function examplesOf(options: ResourceOptions, version = '3.0.0'): Promise<Record<string, unknown>> {
  const document = await documentOf([resource(options)], version);
  await validate(document);
  const { paths } = document as Json;

  return Object.fromEntries(
    Object.entries(paths as Json).flatMap(([path, item]) =>
      Object.entries(item as Json).flatMap(([method, { requestBody }]) =>
        requestBody ? [[`${method} ${path}`, requestBody.content['application/json'].example as unknown]] : [],
      ),
    ),
  );
}

test.each(['3.0.0', '3.1.0'])('each body of a resource has an example of its own · OpenAPI %s', async (version) => {
  const user = (number: number) => ({
    email: `user${number}@example.com`,
    password: number === 1 ? 'password' : `password ${number}`,
    token: number === 1 ? 'token' : `token ${number}`,
    age: 1,
  });

  // Neither the key that the database generates nor the date of creation; a change leaves foreign keys alone.
  expect(await examplesOf({}, version)).toEqual({
    'post /users': { ...user(1), companyId: 1 },
    'post /users/bulk': { bulk: [2, 3].map((number) => ({ ...user(number), companyId: 1 })) },
    'patch /users/{id}': user(4),
    'put /users/{id}': { ...user(5), companyId: 1 },
  });
});

test('what the path fills in, and optional foreign keys, are left out', async () => {
  class Ticket {
    @ApiProperty() title!: string;
    @ApiProperty({ type: 'integer' }) companyId!: number;
    @ApiProperty({ type: 'integer', nullable: true }) payerId!: number | null;
    @ApiPropertyOptional({ type: () => Company }) company?: Company;
  }
  const catalogOf = () =>
    catalog(
      Ticket,
      [
        column('id', { kind: 'integer', primary: true, autoIncrement: true }),
        column('title'),
        column('companyId', { kind: 'integer' }),
        column('payerId', { kind: 'integer', nullable: true }),
      ],
      ['company', 'payer'].map((path) => ({
        path,
        kind: 'many-to-one',
        toMany: false,
        nullable: path === 'payer',
        references: [{ column: column(`${path}Id`), references: column('id') }],
        target: companyCatalog,
      })),
    );
  const params = {
    companyId: { field: 'companyId', type: 'number' },
    id: { field: 'id', type: 'number', primary: true },
  } as const;

  expect(
    await examplesOf({
      model: { type: Ticket },
      catalogOf,
      params,
      path: 'companies/:companyId/tickets',
      only: ['createOneBase'],
    }),
  ).toEqual({ 'post /companies/{companyId}/tickets': { title: 'title' } });
});

test('a relation that must be given, and has no column of its own, is given by its key', async () => {
  class Ticket {
    @ApiPropertyOptional({ type: () => Company }) company!: Company;
  }
  const owner = { kind: 'many-to-one', toMany: false, nullable: false, target: companyCatalog } as const;
  const references = [{ column: column('companyId'), references: column('id') }];
  const catalogOf = () => catalog(Ticket, [column('id')], [{ path: 'company', ...owner, references }]);

  expect(await examplesOf({ model: { type: Ticket }, catalogOf, only: ['createOneBase'] })).toEqual({
    'post /users': { company: { id: 1 } },
  });
});

test('schemas, rules and columns say what a value is', async () => {
  class Order {
    @ApiProperty({ readOnly: true }) number!: string;
    @ApiProperty({ example: 'AB-12' }) @Matches(/^[A-Z]{2}-\d+$/) code!: string;
    // @nestjs/swagger takes these types for objects.
    @ApiProperty() @IsEmail() contact!: string | null;
    @ApiProperty() placedOn!: string | null;
    @ApiProperty() state!: 'open' | 'closed';
    @ApiProperty() @IsString() @Length(2, 4) currency!: string;
    @ApiProperty() @IsInt() @Min(10) amount!: number;
    @ApiProperty() @IsIn(['air', 'sea']) by!: string;
    @ApiProperty({ type: Number, maximum: 0.5 }) discount!: number;
    @ApiProperty({ format: 'uuid' }) reference!: string;
    @ApiProperty() total!: string;
    @ApiProperty({ type: [String] }) marks!: string[];
    @ApiProperty({ type: Date }) at!: Date;
    // What cannot be told is left out where it may be.
    @ApiPropertyOptional() @Matches(/^\d{5}$/) zip?: string;
    @ApiPropertyOptional() @IsEmpty() trap?: string;
    @ApiPropertyOptional({ type: Object }) more?: object;
    @ApiPropertyOptional({ type: [String] }) @IsString({ each: true }) notes?: string[];
    @ApiPropertyOptional({ default: 'normal' }) priority?: string;
  }
  const catalogOf = () =>
    catalog(Order, [
      column('id', { kind: 'integer', primary: true, autoIncrement: true }),
      column('contact'),
      column('placedOn', { kind: 'date' }),
      column('state', { kind: 'enum', members: ['open', 'closed'] }),
      column('total', { kind: 'decimal' }),
    ]);

  expect(await examplesOf({ dto: { create: Order }, catalogOf, only: ['createOneBase'] })).toEqual({
    'post /users': {
      code: 'AB-12',
      contact: 'user1@example.com',
      placedOn: '2026-01-31',
      state: 'open',
      currency: 'curr',
      amount: 10,
      by: 'air',
      discount: 0.5,
      reference: '00000000-0000-4000-8000-000000000001',
      total: '1',
      marks: ['marks'],
      at: '2026-01-31T12:00:00.000Z',
      priority: 'normal',
    },
  });
});

const { IsAlphanumeric, IsDivisibleBy, IsNegative, IsUppercase } = validator;

test('the example of a property satisfies its rule', async () => {
  const NAMES = [
    ...['IsAlpha', 'IsAlphanumeric', 'IsLowercase', 'IsUppercase', 'IsHexColor', 'IsHexadecimal', 'IsBase64', 'IsJSON'],
    ...['IsMongoId', 'IsMACAddress', 'IsPort', 'IsSemVer', 'IsCurrency', 'IsLatLong', 'IsMilitaryTime', 'IsTimeZone'],
    ...['IsLocale', 'IsMimeType', 'IsISO31661Alpha2', 'IsISO31661Alpha3', 'IsISO4217CurrencyCode', 'IsISO6391'],
    ...[
      'IsRgbColor',
      'IsStrongPassword',
      'IsEmail',
      'IsUUID',
      'IsUrl',
      'IsFQDN',
      'IsIP',
      'IsMobilePhone',
      'IsPhoneNumber',
    ],
    ...['IsNumberString', 'IsDecimal', 'IsBooleanString', 'IsDateString', 'IsISO8601'],
  ] as const;
  class Odd {
    @ApiProperty() @IsNegative() debt!: number;
    @ApiProperty() @IsDivisibleBy(5) fives!: number;
    @ApiProperty() @IsAlphanumeric() @Length(9, 12) label!: string;
    @ApiProperty() @IsUppercase() @Length(2, 2) initials!: string;
  }
  for (const name of NAMES) {
    ApiProperty({ type: String })(Odd.prototype, name);
    (validator[name] as () => PropertyDecorator)()(Odd.prototype, name);
  }

  const { 'post /users': sample } = await examplesOf({ dto: { create: Odd }, only: ['createOneBase'] });

  expect(Object.keys(sample as object).toSorted()).toEqual(['debt', 'fives', 'initials', 'label', ...NAMES].toSorted());
  expect(validateSync(Object.assign(new Odd(), sample)).map(({ constraints }) => constraints)).toEqual([]);
});

test('a Standard Schema is read as any schema, also one that holds itself', async () => {
  const node = z.object({
    title: z.string().max(3),
    on: z.iso.date(),
    get parent() {
      return z.optional(node);
    },
  });

  expect(await examplesOf({ dto: { create: node }, only: ['createOneBase', 'createManyBase'] })).toEqual({
    'post /users': { title: 'tit', on: '2026-01-31' },
    'post /users/bulk': {
      bulk: [
        { title: 't 2', on: '2026-01-31' },
        { title: 't 3', on: '2026-01-31' },
      ],
    },
  });
});

test('what the application says of a body stays', async () => {
  const said = { title: 'A user', value: { email: 'ada@example.com' } };
  const before = (prototype: Json): void => {
    ApiBody({ type: Company, examples: { ada: { summary: said.title, value: said.value } } })({}, '', {
      value: prototype['createOneBase'],
    });
  };
  const { paths } = (await documentOf([resource({ only: ['createOneBase'], before })])) as Json;
  const { example, examples } = paths['/users'].post.requestBody.content['application/json'] as Json;

  expect([example, examples]).toEqual([undefined, { ada: { summary: said.title, value: said.value } }]);
});
