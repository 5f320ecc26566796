/** Services written against nestjsx/crud compile. */
import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { mistakesIn } from '../../../../integration/test-support/compile.js';

test('the members that services are promised', () => {
  expect(mistakesIn(fileURLToPath(new URL('promised.ts', import.meta.url)))).toEqual([]);
}, 120_000);
