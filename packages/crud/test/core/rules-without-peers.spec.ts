/** Rules of class-validator in an application whose bundle left class-transformer out: the start is refused. */
import 'reflect-metadata';
import { expect, jest, test } from '@jest/globals';
import { IsEmail } from 'class-validator';
import { z } from 'zod';

jest.unstable_mockModule('../../src/nest/optional-peers.js', () => ({
  swagger: undefined,
  useSwagger: () => false,
  classTransformer: undefined,
  classTransformerStorages: [],
  classValidator: {},
}));

const { loadsWhatRulesNeed } = await import('../../src/definition/peer-checks.js');
const { bareDefinition } = await import('../../src/definition/bare-definition.js');

class Ruled {
  @IsEmail()
  email!: string;
}

class Heir extends Ruled {}

class Bare {
  email!: string;
}

const mistakes = (options: object) => [
  ...loadsWhatRulesNeed({ definition: { ...bareDefinition(), model: Bare, dto: {}, ...options } } as never),
];

const OF = (name: string) =>
  `${name} has rules of class-validator, but class-transformer could not be loaded to ask them: install it where @nestwright/crud is installed, or bundle both (docs/bundling.md); validation: false leaves rules unasked`;

test.each([
  ['the model', { model: Ruled }, 'Ruled'],
  ['a class that inherits them', { model: Heir }, 'Heir'],
  ['a dto', { dto: { update: Ruled } }, 'Ruled'],
])('on %s', (_, options, name) => {
  expect(mistakes({ validation: {}, ...options })).toEqual([OF(name)]);
});

test('nothing is refused without rules, or where nobody wants them asked', () => {
  expect(mistakes({ validation: {} })).toEqual([]);
  expect(mistakes({ validation: {}, dto: { create: z.object({ email: z.email() }) } })).toEqual([]);
  expect(mistakes({ validation: false, model: Ruled })).toEqual([]);
});
