/** The tests of types can fail: an error that is expected and does not come is told. */
import { expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mistakesUnder } from '../compile.js';

test('mistakes, and expected ones that are none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compile-'));
  const file = join(folder, 'file.ts');
  writeFileSync(file, `export const a: number = 'x';\n// @ts-expect-error none\nexport const b: number = 1;\n`);
  try {
    expect(mistakesUnder({}, file)).toEqual([
      expect.stringMatching(/file\.ts:1 Type 'string' is not assignable to type 'number'/),
      expect.stringMatching(/file\.ts:2 Unused '@ts-expect-error' directive/),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
