/** Spec files that are run as one: what each does lies in a `describe` of its own. */
import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const { fits, inDescribe } = createRequire(import.meta.url)('../groups/in-describe.cjs') as {
  fits(source: string): boolean;
  inDescribe(source: string, title: string): string;
};

const root = resolve(import.meta.dirname, '../../..');

/** The statements behind the imports. */
function statementsOf(source: string): string[] {
  return ts
    .createSourceFile('a.spec.ts', source, ts.ScriptTarget.ESNext, true)
    .statements.filter(({ kind }) => kind !== ts.SyntaxKind.ImportDeclaration)
    .map((statement) => statement.getText());
}

describe('a file in a describe of its own', () => {
  test.each([
    ['nothing but imports before', "import a from 'a';\ntest('t', () => {});\n"],
    ['a comment behind the imports', "import a from 'a';\n\n// Why; import {\nconst b = 1;\n"],
    ['imports of several lines', "/** What. */\nimport {\n  a,\n} from 'a';\nimport 'b';\nconst c = 1;\n"],
    ['no import', "test('t', () => {});\n"],
  ])('%s', (_, source) => {
    const wrapped = inDescribe(source, "it's");
    expect(statementsOf(wrapped)).toEqual([expect.stringMatching(/^inFile\("it's", \(\) => \{/)]);
    expect(statementsOf(wrapped)[0]).toContain(statementsOf(source)[0]);
    // Errors name the lines of the file.
    const lines = wrapped.split('\n');
    source.split('\n').forEach((line, at) => expect(lines[at]).toContain(line));
  });

  test('holds for every spec file that can be in a group', () => {
    const sources = ['packages', 'integration', 'scripts']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
      )
      .filter((path) => path.endsWith('.spec.ts') && !path.includes('node_modules'))
      .map((path) => readFileSync(join(root, path), 'utf8'))
      .filter(fits);
    expect(sources.length).toBeGreaterThan(200);
    for (const source of sources)
      expect(statementsOf(inDescribe(source, 'a'))).toEqual([expect.stringMatching(/^inFile\(/)]);
  });
});
