/** What rules of class-validator, columns and `@ApiProperty()` say of the properties of a body → their schemas in a valid document. */
import { beforeAll, expect, test } from '@jest/globals';
import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import * as rules from 'class-validator';
import { Allow, ArrayMaxSize, IsDefined, IsIn, IsInt, IsNumber, IsOptional, IsString, Length } from 'class-validator';
import { IsArray, IsEnum, IsIP, IsNotEmpty, Matches, Max, Min, ValidateIf, ValidateNested } from 'class-validator';
import type { CatalogColumn } from '../../src/plan/catalog.js';
import { catalog, column, documentOf, resource, User } from './fixture.js';
import { INTEGER, type Json, list, ref, schemas, TEXT } from './reading.js';

enum Size {
  Small = 1,
  Large = 2.25,
  Below = -10,
}

class Extra {}

@ApiExtraModels(Extra)
class Part {
  @Length(2, 5) code!: string;
  @ValidateNested({ each: true }) @Type(() => Part) parts!: Part[];
}

class Sole {
  @Length(2, 5) code!: string;
}

class Plain {
  @ApiProperty() text!: string;
}

/** Of answers alone, which no rule binds. */
class Shown {
  @ApiProperty() @Length(2, 5) text!: string;
}

const odd = { name: 'isOdd', validator: { validate: () => true } };
const each = { each: true };
const ANY = { anyOf: [{}] };
const ANY_ITEM = { type: 'object', ...ANY };
const NUMBER = { type: 'number' };
const MOMENT = { type: 'string', format: 'date-time' };

/** A property, its decorators and its schema; the type that TypeScript tells of it, and the column that it is. */
type Row = [name: string, decorators: PropertyDecorator[], schema: object, type?: unknown, column?: object];

const RULED: Row[] = [
  ['isString', [IsString()], TEXT],
  ['isInt', [IsInt()], INTEGER],
  ['isNumber', [IsNumber()], NUMBER],
  ['isBoolean', [rules.IsBoolean()], { type: 'boolean' }],
  ['isObject', [rules.IsObject()], { type: 'object' }],
  ['isNotEmptyObject', [rules.IsNotEmptyObject()], { type: 'object' }],
  ['isDate', [rules.IsDate()], MOMENT],
  ['isDateString', [rules.IsDateString()], MOMENT],
  ['isISO8601', [rules.IsISO8601()], MOMENT],
  ['isEmail', [rules.IsEmail()], { ...TEXT, format: 'email' }],
  ['isUUID', [rules.IsUUID()], { ...TEXT, format: 'uuid' }],
  ['isUrl', [rules.IsUrl()], { ...TEXT, format: 'uri' }],
  ['isFQDN', [rules.IsFQDN()], { ...TEXT, format: 'hostname' }],
  ['isIP', [IsIP()], { ...TEXT, format: 'ipv4' }],
  ['isIP of version 6', [IsIP(6)], { ...TEXT, format: 'ipv6' }],
  ['isIn, texts', [IsIn(['a', 'b'])], { ...TEXT, enum: ['a', 'b'] }],
  ['isEnum', [IsEnum(Size)], { ...NUMBER, enum: [1, 2.25, -10] }],
  ['isEnum, a list', [IsEnum(['a', '1'])], { ...TEXT, enum: ['a', '1'] }],
  ['isEnum, of texts', [IsEnum({ a1: 'x', '1a': 'y' })], { ...TEXT, enum: ['x', 'y'] }],
  ['isEnum, named by numbers', [IsEnum({ 2: 3 })], { ...NUMBER, enum: [3] }],
  ['equals', [rules.Equals(true)], { type: 'boolean', enum: [true] }],
  ['isNotEmpty', [IsNotEmpty()], { ...ANY, minLength: 1 }],
  ['minLength', [rules.MinLength(2)], { ...TEXT, minLength: 2 }],
  ['maxLength', [rules.MaxLength(5)], { ...TEXT, maxLength: 5 }],
  ['length', [Length(2, 5)], { ...TEXT, minLength: 2, maxLength: 5 }],
  ['matches', [Matches(/^a/u)], { ...TEXT, pattern: '^a' }],
  ['matches, with a flag that JSON Schema lacks', [Matches(/^a/i)], TEXT],
  ['matches, with others', [...'msvy'].map((flag) => Matches(new RegExp('a', flag))), TEXT],
  ['matches, a text', [Matches('^a')], TEXT],
  ['min', [Min(1)], { ...NUMBER, minimum: 1 }],
  ['max', [Max(9)], { ...NUMBER, maximum: 9 }],
  ['isPositive', [rules.IsPositive()], { ...NUMBER, minimum: 0 }],
  ['isNegative', [rules.IsNegative()], { ...NUMBER, maximum: 0 }],
  ['isDivisibleBy', [rules.IsDivisibleBy(5)], { ...NUMBER, multipleOf: 5 }],
  ['isArray', [IsArray()], list(ANY_ITEM)],
  ['arrayMinSize', [rules.ArrayMinSize(2)], list(ANY_ITEM, { minItems: 2 })],
  ['arrayMaxSize', [ArrayMaxSize(5)], list(ANY_ITEM, { maxItems: 5 })],
  ['arrayNotEmpty', [rules.ArrayNotEmpty()], list(ANY_ITEM, { minItems: 1 })],
  ['arrayUnique', [rules.ArrayUnique()], list(ANY_ITEM, { uniqueItems: true })],
  ['rules of items', [IsInt(each), Min(1, each), ArrayMaxSize(5)], list({ ...INTEGER, minimum: 1 }, { maxItems: 5 })],
  ['a rule of items alone', [IsIn(['a'], each)], list({ ...TEXT, enum: ['a'] })],
  ['a rule of items, and one without', [IsString(each), IsDefined()], list(TEXT)],
  ['a rule of the application', [rules.ValidateBy(odd)], ANY],
  ['a rule of the application under a known name', [rules.ValidateBy({ ...odd, name: 'isIn' })], ANY],
  ['allow', [Allow()], ANY],
  ['isDefined', [IsDefined()], ANY],
  ['a text', [Length(2, 5)], { ...TEXT, minLength: 2, maxLength: 5 }, String],
  ['a boolean, optional', [IsOptional()], { type: 'boolean' }, Boolean],
  ['a date, under a condition', [ValidateIf(() => true), IsDefined()], MOMENT, Date],
  ['a list', [Allow()], list(ANY_ITEM), Array],
  ['a number for TypeScript, a text for the rules', [IsString()], TEXT, Number],
  ['nested', [ValidateNested(), Type(() => Part)], ref('Part')],
  ['nested, of the declared type', [IsDefined(), ValidateNested()], ref('Part'), Part],
  ['nested, of the declared type, without @Type()', [ValidateNested(), Type()], ref('Part'), Part],
  ['nested, a list', [ValidateNested(each), Type(() => Part)], list(ref('Part'))],
  ['nested, a list for TypeScript', [ValidateNested(), Type(() => Part)], list(ref('Part')), Array],
  ['nested, of no class', [ValidateNested()], ANY, Object],
];

const integer = (...range: [bigint, bigint]) => ({ kind: 'integer', range });
const ROLE = { kind: 'enum', members: ['a', 'b'] };
const JSON_COLUMN = { kind: 'json' };
const STORED: Row[] = [
  ['text', [], TEXT, String, {}],
  ['text of a length', [], { ...TEXT, maxLength: 20 }, String, { length: 20 }],
  ['integer', [], INTEGER, Number, { kind: 'integer' }],
  ['integer, 32 bits', [], { ...INTEGER, format: 'int32' }, Number, integer(-(2n ** 31n), 2n ** 31n - 1n)],
  ['integer, to 32 bits', [], { ...INTEGER, minimum: 0, maximum: 2147483647 }, Number, integer(0n, 2n ** 31n - 1n)],
  ['integer, from 32 bits', [], { ...INTEGER, minimum: -2147483648, maximum: 0 }, Number, integer(-(2n ** 31n), 0n)],
  ['integer, counted', [], { ...INTEGER, example: 1 }, Number, { kind: 'integer', autoIncrement: true }],
  ['integer, a version', [], { ...INTEGER, example: 1 }, Number, { kind: 'integer', source: 'version' }],
  ['integer of a length', [], INTEGER, Number, { kind: 'integer', length: 11 }],
  ['bigint', [], { ...TEXT, format: 'int64', example: '1' }, String, { kind: 'bigint', range: [0n, 1n] }],
  ['bigint, counted', [], { ...TEXT, format: 'int64', example: '1' }, Object, { kind: 'bigint', autoIncrement: true }],
  ['bigint as a number', [], NUMBER, Number, { kind: 'bigint' }],
  ['decimal', [], { ...TEXT, format: 'decimal', example: '1' }, String, { kind: 'decimal' }],
  ['decimal as a number', [], NUMBER, Number, { kind: 'decimal' }],
  ['decimal that may be any number', [], NUMBER, Object, { kind: 'decimal', assumed: true }],
  ['float', [], NUMBER, String, { kind: 'float' }],
  ['boolean', [], { type: 'boolean' }, Boolean, { kind: 'boolean' }],
  ['uuid', [], { ...TEXT, format: 'uuid' }, String, { kind: 'uuid' }],
  ['enum', [], { ...TEXT, enum: ['a', 'b'] }, String, ROLE],
  ['enum of numbers', [], { ...NUMBER, enum: [1, 2] }, Number, { kind: 'enum', members: [1, 2] }],
  ['enum of both', [], { ...TEXT, enum: [1, 'b'] }, Object, { kind: 'enum', members: [1, 'b'] }],
  ['date', [], { ...TEXT, format: 'date' }, String, { kind: 'date' }],
  ['time', [], { ...TEXT, format: 'time', example: '12:00:00' }, String, { kind: 'time' }],
  ['datetime, nullable', [], { ...MOMENT, nullable: true }, Date, { kind: 'datetime', nullable: true }],
  ['json', [], { type: 'object', additionalProperties: true }, Object, JSON_COLUMN],
  ['json, a list', [], list({}), Array, JSON_COLUMN],
  ['json, a text', [], TEXT, String, JSON_COLUMN],
  ['array', [], list({}), Array, { kind: 'array', length: 9 }],
  ['array of uuids', [], list({ ...TEXT, format: 'uuid' }), Array, { kind: 'array', elementKind: 'uuid' }],
  ['array of members', [], list({ ...TEXT, enum: ['a', 'b'] }), Array, { ...ROLE, kind: 'array', elementKind: 'enum' }],
  ['binary', [], ANY, Buffer, { kind: 'binary' }],
  ['binary as a text', [], TEXT, String, { kind: 'binary' }],
  ['transformed', [], NUMBER, Number, { transformed: true, length: 20 }],
  ['transformed, to a list', [], list({}), Array, { transformed: true }],
  ['transformed, nullable', [], { ...ANY, nullable: true }, Object, { transformed: true, nullable: true }],
  ['text, shorter by a rule', [Length(2)], { ...TEXT, minLength: 2, maxLength: 20 }, String, { length: 20 }],
  ['integer, bound by a rule', [Min(1)], { ...INTEGER, minimum: 1 }, Number, { kind: 'integer' }],
  ['integer, a number by a rule', [IsNumber(), Min(1)], { ...INTEGER, minimum: 1 }, Number, { kind: 'integer' }],
  ['float, an integer by a rule', [IsInt()], { ...INTEGER, nullable: true }, 0, { kind: 'float', nullable: true }],
  ['text, a number by a rule', [IsNumber()], { ...NUMBER, nullable: true }, String, { length: 20, nullable: true }],
  ['integer, a text by a rule', [IsString()], TEXT, Number, integer(0n, 9n)],
  ['text, optional by a rule', [IsOptional(), Length(2)], { ...TEXT, minLength: 2 }, String, {}],
];

const text = { length: 20, nullable: true };
const DRAWN = { ...TEXT, maxLength: 20, nullable: true };
const PROPERTIES = { type: 'object', properties: {} };
const DOCUMENTED: Row[] = [
  ['a description, of no type', [ApiProperty({ description: 'X' })], { ...DRAWN, description: 'X' }, Object, text],
  ['a number that is whole', [ApiProperty()], { ...INTEGER, minimum: 0, maximum: 9 }, Number, integer(0n, 9n)],
  ['a type by its name', [ApiProperty({ type: 'string' })], DRAWN, Object, text],
  ['another type', [ApiProperty({ type: Boolean })], { type: 'boolean', nullable: true }, String, text],
  ['another type, not nullable', [ApiProperty({ type: Number })], NUMBER, String, { length: 20 }],
  ['members of no type', [ApiProperty({ enum: [1] })], { ...NUMBER, enum: [1], nullable: true }, Object, text],
  ['items', [ApiProperty({ items: TEXT } as never)], { type: 'object', items: TEXT }, Object, { kind: 'array' }],
  ['properties', [ApiProperty({ type: 'object', properties: {} })], PROPERTIES, Object, JSON_COLUMN],
  ['one of some', [ApiProperty({ oneOf: [TEXT] })], { oneOf: [TEXT] }, Object, { length: 20 }],
  ['a reference', [ApiProperty(ref('Plain') as never)], { ...ref('Plain'), type: 'object' }, Object, { length: 20 }],
  ['texts', [ApiProperty({ type: String, isArray: true })], list(TEXT, { nullable: true }), Array, text],
  ['a class', [ApiProperty({ type: Plain })], ref('Plain'), Object, JSON_COLUMN],
  ['rules', [ApiProperty({ description: 'X' }), Length(2)], { ...TEXT, minLength: 2, description: 'X' }, String],
  ['a class with rules', [ApiProperty({ type: () => Sole })], ref('Sole'), Object],
  ['a list of a class with rules', [ApiProperty({ type: [Sole] })], list(ref('Sole')), Array],
  ['a class without rules', [ApiProperty()], ref('Plain'), Plain],
];

class Body {}

class Answer {
  @ApiProperty({ type: Part }) part!: Part;
  @ApiProperty({ type: Shown }) shown!: Shown;
}

let properties: Record<string, Json>;
let required: string[];
let others: Record<string, Json>;

beforeAll(async () => {
  const rows = [...RULED, ...STORED, ...DOCUMENTED];
  for (const [name, decorators, , type] of rows) {
    if (type) Reflect.defineMetadata('design:type', type, Body.prototype, name);
    for (const decorate of decorators.length > 0 ? decorators : [IsDefined()]) decorate(Body.prototype, name);
  }
  const columns = rows.flatMap(([name, , , , more]) => (more ? [column(name, more as Partial<CatalogColumn>)] : []));
  const catalogOf = () => catalog(User, columns);
  const routes = { only: ['createOneBase' as const], dto: { create: Body }, serialize: { create: Answer } };
  const document = await documentOf([resource({ ...routes, catalogOf })]);
  ({ properties, required } = schemas(document)['Body'] as never);
  others = schemas(document);
});

test.each([...RULED, ...STORED, ...DOCUMENTED])('the schema of a property: %s', (name, _, schema) =>
  expect(properties[name]).toEqual(schema),
);

test('what the rules demand is required, whatever the column', () => {
  expect(Object.keys(properties).filter((name) => !required.includes(name))).toEqual([
    ...['allow', 'a boolean, optional', 'a date, under a condition', 'a list', 'nested'],
    ...['nested, of the declared type, without @Type()', 'nested, a list', 'nested, a list for TypeScript'],
    ...['nested, of no class', 'text, optional by a rule'],
  ]);
});

test('classes in a body have schemas by their names, with their rules and extra models', () => {
  const code = { ...TEXT, minLength: 2, maxLength: 5 };
  const coded = { type: 'object', properties: { code }, required: ['code'] };
  const plain = { type: 'object', properties: { text: TEXT }, required: ['text'] };
  const { Part, Sole, Plain, Shown, Extra } = others;
  expect(Part).toEqual({ ...coded, properties: { code, parts: list(ref('Part')) } });
  expect([Sole, Plain, Shown]).toEqual([coded, plain, plain]);
  expect(Extra).toEqual({ type: 'object', properties: {} });
});
