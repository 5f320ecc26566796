/** Every regular expression of the packages takes time in proportion to its text, as automata prove: no text of a client can stop a process. */
import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { TESTS_ALL } from '../../integration/test-support/tests-asked-for.js';
import { filesIn, ROOT } from './markdown.js';

/** What reads its user's own files alone, of whose patterns the proofs take three times as long as all others. */
const COMMANDS = ['create-nestwright', 'migrate', 'schematics'];
const FILES = readdirSync(join(ROOT, 'packages'))
  .filter((name) => TESTS_ALL || !COMMANDS.includes(name))
  .flatMap((name) => filesIn(`packages/${name}/src`, /\.[cm]?tsx?$/));
type Pattern = { readonly place: string; readonly text: string };

/** The literals of a source, and any other use of `RegExp`, which might make a pattern that nobody checks. */
function findPatterns(path: string, text: string): Pattern[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    if (ts.isRegularExpressionLiteral(node) || makesPattern(node))
      found.push({ place: `${path}:${line + 1}`, text: node.getText() });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function makesPattern(node: ts.Node): boolean {
  if (!ts.isIdentifier(node) || node.text !== 'RegExp' || ts.isTypeReferenceNode(node.parent)) return false;
  return !ts.isBinaryExpression(node.parent) || node.parent.operatorToken.kind !== ts.SyntaxKind.InstanceOfKeyword;
}

/** The patterns that are not proved to be linear. */
function findUnproved(patterns: readonly Pattern[]): string[] {
  const taken = patterns.map(({ text }) => /^\/(.*)\/(\w*)$/s.exec(text)?.slice(1));
  const input = JSON.stringify(taken.map((parts) => parts ?? ['', '']));
  const told = execFileSync(process.execPath, ['scripts/check-patterns.js'], { cwd: ROOT, input, encoding: 'utf8' });
  const statuses = JSON.parse(told) as string[];
  return patterns.flatMap(({ place, text }, index) => {
    const status = taken[index] ? statuses[index] : 'made while the program runs';
    return status === 'safe' ? [] : [`${place} ${text}: ${status}`];
  });
}

test('each pattern is a literal that is proved to be linear', () => {
  const patterns = FILES.flatMap((file) => findPatterns(file, readFileSync(join(ROOT, file), 'utf8')));
  expect(patterns.length).toBeGreaterThan(150);
  expect(findUnproved(patterns)).toEqual([]);
}, 900_000);

test('a pattern that is not linear, or not a literal, is found', () => {
  const mistakes = [String.raw`text.replace(/\.?0*$/, '')`, 'new RegExp(text)', 'globalThis.RegExp(text)'];
  const others = [String.raw`/^-?\d+$/.test(text)`, 'text instanceof RegExp', 'text as RegExp'];
  const unproved = findUnproved(findPatterns('lines.ts', [...mistakes, ...others].join('\n')));
  expect(unproved.map((mistake) => mistake.split(' ')[0])).toEqual(mistakes.map((_, line) => `lines.ts:${line + 1}`));
});
