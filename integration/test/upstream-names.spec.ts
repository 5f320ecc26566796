/** The names that the packages of nestjsx/crud, @dataui/crud and @rewiko/crud export go in; the package that takes their place exports each, with the members of interfaces and enumerations. */
import { expect, test } from '@jest/globals';
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

type Values = Record<string, Record<string, unknown>>;

/** What takes the place of a package; of the utilities, the types do alone. */
const SUCCESSORS = { crud, 'crud-request': request, 'crud-typeorm': typeorm } as unknown as Record<string, Values>;

/** Members that are not there: their builders do not print one, and an index signature has no members. */
const WITHOUT = ['CreateQueryParams.extra', 'CustomOperators.params'];

const successors = Object.entries(declarations).map(([published, { public: all }]) => {
  const [, name = ''] = /\/(.*)@/.exec(published) ?? [];
  const values = SUCCESSORS[name];
  return {
    published,
    values: values ?? {},
    successor: `@nestwright/${values ? name : 'crud'}`,
    names: Object.entries(all).filter(([, { kind }]) => values !== undefined || kind === 'type'),
  };
});

test('every package has names', () => {
  expect(successors.map(({ names }) => names.length > 0)).toEqual(Array.from({ length: 16 }, () => true));
});

test.each(successors)('values and members of enumerations of $published', ({ values, names }) => {
  const missing = names.flatMap(([name, { kind, members = {} }]) => {
    if (kind === 'interface' || kind === 'type') return [];
    const inner = kind === 'enum' ? Object.keys(members).filter((member) => !(member in (values[name] ?? {}))) : [];
    return name in values ? inner.map((member) => `${name}.${member}`) : [name];
  });
  expect(missing).toEqual([]);
});

test('types and members of interfaces', () => {
  const code = successors.flatMap(({ successor, names }, place) =>
    names.flatMap(([name, { kind, typeParameters = [], members = {} }]) => {
      const own = `${name}_${place}`;
      const parameters = typeParameters.length > 0 ? `<${typeParameters.map(() => 'any').join()}>` : '';
      const asked = kind === 'interface' ? Object.keys(members) : [];
      return [
        `import type { ${name} as ${own} } from '${successor}';`,
        `export type { ${own} };`,
        ...asked
          .filter((member) => !WITHOUT.includes(`${name}.${member}`))
          .map((member) => `export type ${own}_${member} = ${own}${parameters}['${member}'];`),
      ];
    }),
  );
  expect(code.length).toBeGreaterThan(500);
  expect(mistakesInCode(fileURLToPath(new URL('names.ts', import.meta.url)), code.join('\n'))).toEqual([]);
}, 120_000);
