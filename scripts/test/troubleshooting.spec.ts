/** docs/startup-errors.md, docs/startup-errors-routes.md and docs/troubleshooting.md have what checks of the start find and every code of an error, and nothing that the sources do not say. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { linkTo } from '../../packages/crud/src/definition/wording.js';
import { ERRORS } from '../../packages/crud/src/errors.js';
import { blocksOf, filesIn, namesIn, ROOT, sectionsOf } from './markdown.js';

const SOURCES = ['crud', 'crud-typeorm', 'crud-drizzle'].flatMap((name) => filesIn(`packages/${name}/src`));
const STARTUP = 'docs/startup-errors.md';
const TROUBLESHOOTING = 'docs/troubleshooting.md';

/** What stands in code in the first column of tables of messages. */
const told = [STARTUP, 'docs/startup-errors-routes.md', TROUBLESHOOTING]
  .flatMap((page) => [
    ...readFileSync(join(ROOT, page), 'utf8').matchAll(/^\| (?:Message|Warning) .*\n\|.*\n((?:\|.*\n)+)/gm),
  ])
  .flatMap(([, rows = '']) => [...rows.matchAll(/^\| (`+) ?(.+?) ?\1 \|/gm)])
  .map(([, , message = '']) => message);

/** A text of the sources, its first line: `…` stands for what differs. */
type Text = { readonly text: string; readonly isFound: boolean };

test('messages of the start', () => {
  const texts = SOURCES.flatMap(textsIn);
  const said = new Set(texts.map(({ text }) => text));
  const found = texts.filter(({ text, isFound }) => isFound && /\p{L}/u.test(text)).map(({ text }) => text);
  expect(found.length).toBeGreaterThan(50);
  expect([told.filter((text) => !said.has(text)), found.filter((text) => !told.includes(text))]).toEqual([[], []]);
  const heading = [...said].find((text) => text.startsWith('Mistakes in the options'))!;
  expect(blocksOf(STARTUP)[0]!.code).toContain(`Error: ${heading.replace('…', linkTo('startup-errors.md'))}\n`);
});

test('codes of errors', () =>
  expect(namesIn(sectionsOf(TROUBLESHOOTING).get('Codes of errors') ?? '')).toEqual(Object.keys(ERRORS).sort()));

/** What checks do with what they find. */
const isFound = (node: ts.Node): boolean =>
  ts.isYieldExpression(node) || (ts.isCallExpression(node) && node.expression.getText() === 'mistakes.push');

function textsIn(path: string): Text[] {
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text === undefined) ts.forEachChild(node, visit);
    else texts.push({ text: text.split('\n')[0]!, isFound: isFound(node.parent) });
  };
  const source = readFileSync(join(ROOT, path), 'utf8');
  ts.forEachChild(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true), visit);
  return texts;
}

/** A text, a template or a sum of them; undefined for any other expression. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? '…'}${right ?? '…'}`;
}
