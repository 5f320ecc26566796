/** The types of the builder accept and refuse what `usage.ts` says, and cost the compiler little for an entity of 30 fields and 8 relations. */
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { instantiationsIn, mistakesUnder, NEST_11_CHECKS } from '../../../../integration/test-support/compile.js';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

describe('types', () => {
  // With the options of the workspace `npm run typecheck` does.
  test(
    'accept and refuse the same in a project that Nest 11 generated',
    () => expect(mistakesUnder(NEST_11_CHECKS, fileOf('usage.ts'))).toEqual([]),
    120_000,
  );

  test('cost the compiler little for an entity of 30 fields and 8 relations', () => {
    // How often the compiler instantiates a type is the same on every machine; what that takes in time is measured by `benchmarks/request`.
    const instantiations = (name: string) => instantiationsIn(fileOf(name), readFileSync(fileOf(name), 'utf8'));
    const spent = instantiations('benchmark.ts') - instantiations('benchmark-baseline.ts');
    expect(spent).toBeGreaterThan(1000);
    expect(spent).toBeLessThan(200_000);
  }, 240_000);
});
