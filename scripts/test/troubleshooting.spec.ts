/** docs/startup-errors.md, docs/startup-errors-routes.md and docs/troubleshooting.md have every message of the start and every code of an error, and no others. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkTo } from '../../packages/crud/src/definition/wording.js';
import { ERRORS } from '../../packages/crud/src/errors.js';
import { blocksOf, namesIn, ROOT, sectionsOf } from './markdown.js';
import { startMessages } from './start-messages.js';

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
