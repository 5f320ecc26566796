/** `docs/testing.md` shows the tests beside this one, which run. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const text = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');

test('docs/testing.md shows the tests that run here', () => {
  const blocks = [...text('../../../../docs/testing.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);

  expect(blocks).toEqual(['./users.spec.ts', './users-mocked.spec.ts'].map((path) => text(path).replace(/^.*\n/, '')));
});
