/** Mapped types in an application whose bundle has them look for class-validator and class-transformer elsewhere: the start is refused. */
import 'reflect-metadata';
import { expect, jest, test } from '@jest/globals';
import type { Type } from '@nestjs/common';
import * as swagger from '@nestjs/swagger';
import { IsEmail } from 'class-validator';

/** Names its class as those of @nestjs/swagger do, and inherits nothing. */
const mapped =
  (prefix: string) =>
  (of: Type<object>): Type<object> => {
    class MappedType {}
    Object.defineProperty(MappedType, 'name', { value: `${prefix}${of.name}` });

    return MappedType;
  };
const PartialType = mapped('Partial');
const PickType = mapped('Pick');

jest.unstable_mockModule('@nestjs/swagger', () => ({ ...swagger, PartialType }));

const { inheritsByMappedTypes } = await import('../../src/startup/peer-checks.js');
const { bareDefinition } = await import('../../src/definition/resource-definition.js');

class User {
  @IsEmail() email!: string;
}

class UserChange extends PartialType(User) {}
class UserView extends PickType(User) {}
class Partial {}

const mistakes = (options: object) => [
  ...inheritsByMappedTypes({
    definition: { ...bareDefinition(), model: User, dto: {}, validation: {}, ...options },
  } as never),
];

const told = (type: string, made: string, peer: string, what: string) =>
  `${type} is a mapped type (${made}), but mapped types of @nestjs/swagger do not inherit ${what}: bundle @nestjs/mapped-types with the same ${peer} as the application (docs/bundling.md#mapped-types)`;
const rules = (type: string, made: string) =>
  told(type, made, 'class-validator', 'the rules of class-validator, so that bodies would not be checked');
const decorators = (type: string, made: string) =>
  told(type, made, 'class-transformer', 'the decorators of class-transformer, so that @Exclude() would hide nothing');

test('for a body, by rules and by decorators', () => {
  expect(mistakes({ dto: { update: UserChange } })).toEqual([
    rules('UserChange', 'PartialUser'),
    decorators('UserChange', 'PartialUser'),
  ]);
  expect(mistakes({ dto: { update: UserChange }, validation: false })).toEqual([
    decorators('UserChange', 'PartialUser'),
  ]);
});

test('for an answer, by decorators', () => {
  expect(mistakes({ serialize: { get: UserView, getMany: false } })).toEqual([decorators('UserView', 'PickUser')]);
});

test('not for other classes', () => {
  expect(mistakes({ dto: { create: User, update: Partial }, serialize: { get: User } })).toEqual([]);
});
