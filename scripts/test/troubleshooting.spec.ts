/** docs/troubleshooting.md has every message of the start and every code of an error, and no others. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '../../packages/crud/src/errors.js';
import { namesIn, ROOT, sectionsOf } from './markdown.js';
import { startMessages } from './start-messages.js';

const PAGE = 'docs/troubleshooting.md';

/** What the lines begin with that tell of a message. */
const told = [...readFileSync(join(ROOT, PAGE), 'utf8').matchAll(/^\* (`+) ?(.+?) ?\1 /gm)].map(
  ([, , message = '']) => message,
);

test('messages of the start', () => {
  const messages = startMessages();

  expect(messages.length).toBeGreaterThan(50);
  expect([...told].sort()).toEqual([...messages].sort());
});

test('codes of errors', () => {
  expect(namesIn(sectionsOf(PAGE).get('Codes of errors') ?? '')).toEqual(Object.keys(ERRORS).sort());
});
