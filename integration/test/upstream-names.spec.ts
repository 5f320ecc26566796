/** The names that the packages of nestjsx/crud, @dataui/crud and @rewiko/crud export go in; the package that takes their place exports each, with the members of interfaces and enumerations. */
import { describe, expect, test } from '@jest/globals';
import * as crud from '@nestwright/crud';
import * as request from '@nestwright/crud-request';
import * as typeorm from '@nestwright/crud-typeorm';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mistakesInCode } from '../test-support/compile.js';

interface Declaration {
  readonly kind: 'class' | 'interface' | 'type' | 'enum' | 'function' | 'const';
  readonly typeParameters?: readonly string[];
  readonly members?: Readonly<Record<string, string>>;
}

const declarations = JSON.parse(
  readFileSync(new URL('../upstream/declarations.json', import.meta.url), 'utf8'),
) as Record<string, { public: Record<string, Declaration> }>;

/** What takes the place of a package; of the utilities, the types do alone. */
const SUCCESSORS: Record<string, { name: string; values: object } | undefined> = {
  crud: { name: '@nestwright/crud', values: crud },
  'crud-request': { name: '@nestwright/crud-request', values: request },
  'crud-typeorm': { name: '@nestwright/crud-typeorm', values: typeorm },
};
const UTILITIES = { name: '@nestwright/crud', values: crud };

/** Members that are not there, and why. */
const WITHOUT: Record<string, string> = {
  'CreateQueryParams.extra': 'their builders do not print it',
  'CustomOperators.params': 'an index signature, which has no members',
};

const successors = Object.entries(declarations).map(([published, { public: names }]) => {
  const [, name = ''] = /\/(.*)@/.exec(published) ?? [];
  const successor = SUCCESSORS[name];

  return {
    published,
    successor: successor ?? UTILITIES,
    names: Object.entries(names).filter(([, { kind }]) => successor !== undefined || kind === 'type'),
  };
});

test('every package has names', () => {
  expect(successors.map(({ names }) => names.length > 0)).toEqual(Array.from({ length: 16 }, () => true));
});

describe.each(successors)('$published', ({ successor, names }) => {
  test('values and members of enumerations', () => {
    const { values } = successor as { values: Record<string, Record<string, unknown>> };
    const isValue = ({ kind }: Declaration) => kind !== 'interface' && kind !== 'type';
    const missing = names.flatMap(([name, declaration]) => {
      if (!isValue(declaration)) return [];
      if (!(name in values)) return [name];

      const members = declaration.kind === 'enum' ? Object.keys(declaration.members ?? {}) : [];
      return members.filter((member) => !(member in values[name]!)).map((member) => `${name}.${member}`);
    });

    expect(missing).toEqual([]);
  });
});

test('types and members of interfaces', () => {
  const code = successors.flatMap(({ successor, names }, place) =>
    names.flatMap(([name, { kind, typeParameters = [], members = {} }]) => {
      const own = `${name}_${place}`;
      const parameters = typeParameters.length > 0 ? `<${typeParameters.map(() => 'any').join()}>` : '';
      const asked = kind === 'interface' ? Object.keys(members) : [];

      return [
        `import type { ${name} as ${own} } from '${successor.name}';`,
        `export type { ${own} };`,
        ...asked
          .filter((member) => !WITHOUT[`${name}.${member}`])
          .map((member) => `export type ${own}_${member} = ${own}${parameters}['${member}'];`),
      ];
    }),
  );

  expect(code.length).toBeGreaterThan(500);
  expect(mistakesInCode(fileURLToPath(new URL('names.ts', import.meta.url)), code.join('\n'))).toEqual([]);
}, 120_000);
