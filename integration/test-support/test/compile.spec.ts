/** The tests of types can fail: an error that is expected and does not come is told. */
import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { mistakesInCode } from '../compile.js';

test('mistakes, and expected ones that are none', () => {
  const code = `export const a: number = 'x';\n// @ts-expect-error none\nexport const b: number = 1;\n`;
  expect(mistakesInCode(join(import.meta.dirname, 'file.ts'), code)).toEqual([
    expect.stringMatching(/file\.ts:1 Type 'string' is not assignable to type 'number'/),
    expect.stringMatching(/file\.ts:2 Unused '@ts-expect-error' directive/),
  ]);
}, 60_000);
