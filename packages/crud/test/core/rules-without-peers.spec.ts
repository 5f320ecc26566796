/** Rules of class-validator, and exports as CSV, in an application whose bundle left out what they need: the start is refused. */
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
  csvStringify: undefined,
}));

const { loadsWhatExportsNeed, loadsWhatRulesNeed } = await import('../../src/startup/peer-checks.js');
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
  `${name} has rules of class-validator, but class-transformer could not be loaded to check them: install it where @nestwright/crud is installed, or bundle both (docs/bundling.md); validation: false turns the rules off`;

test.each([
  ['the model', { model: Ruled }, 'Ruled'],
  ['a class that inherits them', { model: Heir }, 'Heir'],
  ['a dto', { dto: { update: Ruled } }, 'Ruled'],
])('on %s', (_, options, name) => {
  expect(mistakes({ validation: {}, ...options })).toEqual([OF(name)]);
});

test('nothing is refused without rules, or with validation off', () => {
  expect(mistakes({ validation: {} })).toEqual([]);
  expect(mistakes({ validation: {}, dto: { create: z.object({ email: z.email() }) } })).toEqual([]);
  expect(mistakes({ validation: false, model: Ruled })).toEqual([]);
});

test('CSV is refused without the library that writes it', () => {
  const checked = (formats: readonly string[]) => [
    ...loadsWhatExportsNeed({
      definition: { ...bareDefinition(), options: { query: { export: { formats } } } },
    } as never),
  ];

  expect(checked(['ndjson', 'csv'])).toEqual([
    'query.export.formats has csv, but csv-stringify, which writes it, could not be loaded: install it where @nestwright/crud is installed, or bundle both (docs/bundling.md)',
  ]);
  expect(checked(['ndjson'])).toEqual([]);
});
