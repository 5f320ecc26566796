/** What compiles and what does not, and how long an entity of many properties takes the compiler. */
import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { mistakesIn, mistakesInCode } from '../../../integration/test-support/compile.js';
import { ERRORS } from '../../crud/src/errors.js';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test('answers have the types that queries ask for; seventeen mistakes do not compile', () => {
  expect(mistakesIn(fileOf('usage.ts'))).toEqual([]);
}, 60_000);

test("the codes are those of the server's table of errors", () => {
  const codes = Object.keys(ERRORS);
  const code = `
    import type { CrudErrorCode } from '../src/index.js';
    const all: Record<CrudErrorCode, true> = { ${codes.map((name) => `${name}: true`).join(', ')} };
    export default all;
  `;

  expect(codes.length).toBeGreaterThan(20);
  expect(mistakesInCode(fileOf('codes.ts'), code)).toEqual([]);
}, 60_000);
