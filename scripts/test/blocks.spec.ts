/**
 * Blocks of code, those too that documentation.spec.ts does not compile and documentation.e2e.spec.ts does not send, have no mistakes of syntax. A
 * language that no test knows is refused.
 */
import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import ts from 'typescript';
import { type Block, blocksOf, DOCUMENTS } from './markdown.js';

/** Ends of file names, by which TypeScript parses. */
const SCRIPTS: Record<string, string> = {
  ts: 'ts',
  typescript: 'ts',
  tsx: 'tsx',
  jsx: 'jsx',
  js: 'js',
  javascript: 'js',
};

/** Output, drawings and grammars; SQL is printed by walk.fast.spec.ts; requests are sent. */
const NO_CODE = ['', 'text', 'ebnf', 'sql', 'http', 'diff', 'yaml', 'md'];

const BLOCKS = DOCUMENTS.flatMap((document) =>
  blocksOf(document).map((block) => ({ ...block, at: `${document}:${block.before}` })),
);

const of = (...languages: string[]) => BLOCKS.filter(({ language }) => languages.includes(language));

/** The scripts of a page of HTML; of anything else the code itself. */
const scriptsOf = ({ language, code }: Block): string[] =>
  language === 'html'
    ? Array.from(code.matchAll(/<script type="module">([\s\S]*?)<\/script>/g), ([, script = '']) => script)
    : [code];
const CODE = of(...Object.keys(SCRIPTS), 'html').flatMap((block) =>
  scriptsOf(block).map((code) => ({ ...block, code })),
);

test('every block is in a language that a test reads', () => {
  const known = new Set([...Object.keys(SCRIPTS), ...NO_CODE, 'html', 'json', 'sh']);
  expect(BLOCKS.filter(({ language }) => !known.has(language))).toEqual([]);
});

/** The mistakes of syntax in a script. */
function mistakesIn(code: string, fileName: string): string[] {
  const jsx = ts.JsxEmit.Preserve;
  const compilerOptions = { jsx, allowJs: true, target: ts.ScriptTarget.ES2022, experimentalDecorators: true };
  const { diagnostics = [] } = ts.transpileModule(code, { fileName, reportDiagnostics: true, compilerOptions });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

test('code parses', () => {
  const mistakes = CODE.flatMap(({ at, language, info, code }) => {
    // A part of a page may be members of a class, or its decorators.
    const wholes = info === 'part' ? [code, `class Part {${code}}`, `${code} class Part {}`] : [code];
    const found = wholes.map((whole) => mistakesIn(whole, `block.${SCRIPTS[language] ?? 'js'}`));
    return found.some((each) => each.length === 0) ? [] : [`${at} ${found[0]!.join(' ')}`];
  });
  expect(CODE.length).toBeGreaterThan(100);
  expect([mistakes, mistakesIn('const a = ;', 'block.ts')]).toEqual([[], ['Expression expected.']]);
});

test.each(of('json'))('JSON parses: $at', ({ code }) => expect(() => JSON.parse(code) as unknown).not.toThrow());

test('commands parse', () => {
  const blocks = of('sh');
  const told = blocks.map(({ at, code }) => [at, spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' }).stderr]);
  expect(blocks.length).toBeGreaterThan(10);
  expect(told.filter(([, stderr]) => stderr !== '')).toEqual([]);
});
