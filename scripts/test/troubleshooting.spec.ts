/** docs/startup-errors.md, docs/startup-errors-routes.md and docs/troubleshooting.md have every message of the start and every code of an error, and no others. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { linkTo } from '../../packages/crud/src/definition/wording.js';
import { ERRORS } from '../../packages/crud/src/errors.js';
import { blocksOf, filesIn, namesIn, ROOT, sectionsOf } from './markdown.js';

const CRUD = 'packages/crud/src';
const TYPEORM = 'packages/crud-typeorm/src';

/** Files that say such a message, and nothing else that long. */
const FILES = [
  ...filesIn(`${CRUD}/startup`),
  ...['aggregate/options', 'controller/crud-routes.factory', 'visibility/start-warnings'].map(
    (name) => `${CRUD}/${name}.ts`,
  ),
  ...['global-config', 'option-mistakes', 'wording'].map((name) => `${CRUD}/definition/${name}.ts`),
  ...['start-mistakes', 'typeorm/database-options', 'typeorm/dialect-of'].map((name) => `${TYPEORM}/${name}.ts`),
  'packages/crud-drizzle/src/start-mistakes.ts',
];

/** Names, and most parts of messages, have fewer words. */
const LEAST_WORDS = 5;

/** Parts of other messages. */
const PARTS = new Set([
  'the rules of class-validator, so that bodies would not be checked',
  'the decorators of class-transformer, so that @Exclude() would hide nothing',
  'name its key: params: { … }',
  'name the routes that need no key in routes.only (getManyBase, createOneBase …), or a column that tells records apart in params',
  "…: { field: '…', type: '…', primary: true }",
  'the constructor, which may hand other options to super()',
  '… (path …, model …)',
  '…, …',
  '…: ….',
  '…: …',
  '… has no relation …; it has …',
  '… has no such field',
  '… has no field …',
  'of which one record may have several values',
  '… has no field …, or the relation is not in query.join',
  '… does not declare …',
  'a whole number, 1 or more',
  'A @Transform() changes …: if it only formats the values, add formats: … to query.',
  'If clients may find out the stored values, add conditions: … to query.',
  // Why a column does not fit, in the message of a request, too.
  'Keys of JSON columns have no type',
  'There may be several values per record',
  'records cannot be grouped by values of this kind (…)',
  '… does not take values of this kind (…)',
  '… needs dates or moments, not values of this kind (…)',
]);

const STARTUP = 'docs/startup-errors.md';
const TROUBLESHOOTING = 'docs/troubleshooting.md';

/** What stands in code in the first column of tables of messages. */
const told = [STARTUP, 'docs/startup-errors-routes.md', TROUBLESHOOTING]
  .flatMap((page) => [
    ...readFileSync(join(ROOT, page), 'utf8').matchAll(/^\| (?:Message|Warning) .*\n\|.*\n((?:\|.*\n)+)/gm),
  ])
  .flatMap(([, rows = '']) => [...rows.matchAll(/^\| (`+) ?(.+?) ?\1 \|/gm)])
  .map(([, , message = '']) => message);

test('messages of the start', () => {
  const messages = startMessages();
  const isHeading = (message: string) => message.startsWith('Mistakes in the options');
  const [heading = ''] = messages.filter(isHeading);
  expect(messages.length).toBeGreaterThan(50);
  expect([...told].sort()).toEqual(messages.filter((message) => !isHeading(message)).sort());
  expect(blocksOf(STARTUP)[0]!.code).toContain(`Error: ${heading.replace('…', linkTo('startup-errors.md'))}\n`);
});

test('codes of errors', () =>
  expect(namesIn(sectionsOf(TROUBLESHOOTING).get('Codes of errors') ?? '')).toEqual(Object.keys(ERRORS).sort()));

/** The messages with which applications do not start, or start with a warning, read from the sources: `…` stands for what differs. */
function startMessages(): string[] {
  const all = [
    ...FILES.flatMap((path) => messagesIn(path)),
    // A file of many texts, of which one is a message.
    ...messagesIn(`${TYPEORM}/legacy-overrides.ts`, ts.isArrowFunction),
    ...[CRUD, TYPEORM].flatMap((folder) => filesIn(folder)).flatMap((path) => messagesIn(path, isFound)),
  ];
  return [...new Set(all)].filter((text) => !PARTS.has(text));
}

/** What checks do with what they find. */
const isFound = (node: ts.Node): boolean =>
  ts.isYieldExpression(node) || (ts.isCallExpression(node) && node.expression.getText() === 'mistakes.push');

/** @param within what a message stands in; anywhere without it */
function messagesIn(path: string, within: (node: ts.Node) => boolean = () => true): string[] {
  const source = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
  const messages: string[] = [];

  function visit(node: ts.Node): void {
    const text = within(node.parent) ? textOf(node) : undefined;
    if (text === undefined) ts.forEachChild(node, visit);
    else if (isFound(node.parent) || text.split(' ').length >= LEAST_WORDS) messages.push(text.split('\n')[0]!);
  }

  ts.forEachChild(source, visit);
  return messages;
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
