/** Services written against nestjsx/crud, and members of any other name, compile. */
import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { mistakesIn } from '../../../../integration/test-support/compile.js';

test('the members that services are promised, and names of their own', () => {
  const files = ['promised.ts', 'own-names.ts'].map((name) => fileURLToPath(new URL(name, import.meta.url)));

  expect(mistakesIn(...files)).toEqual([]);
}, 120_000);
