/** How the cells of the matrix are compared: by the names of the tests that passed, whatever platform and copy of the tree they ran on. */
import { describe, expect, test } from '@jest/globals';
import { CELLS, DIFFERENCES, TREES } from '../matrix/cells.js';
import { missingTests, passedTests, total } from '../matrix/counting.js';

const report = (tree: string, ...tests: [fullName: string, status?: string][]) => ({
  testResults: [
    {
      name: `${tree}/integration/test/a.e2e.spec.ts`,
      assertionResults: tests.map(([fullName, status = 'passed']) => ({ fullName, status })),
    },
  ],
});

const SUITES = ['integration/test/[^/]+\\.e2e\\.'];

describe('a cell', () => {
  const wanted = passedTests(report('/a', ['x · express y'], ['x · fastify y'], ['neither']), '/a').get('express')!;

  test('has the tests of its platform, and those of none', () => {
    expect(total(wanted)).toBe(2);
    expect([...wanted.keys()]).toEqual([
      'integration/test/a.e2e.spec.ts › x · <platform> y',
      'integration/test/a.e2e.spec.ts › neither',
    ]);
  });

  test('lacks nothing where the same tests pass elsewhere', () => {
    const got = passedTests(report('/b', ['x · fastify y'], ['neither'], ['one more']), '/b').get('fastify')!;
    expect(missingTests(wanted, got, SUITES)).toEqual([]);
  });

  test.each(['failed', 'pending', 'todo'])('lacks what is %s', (status) => {
    const got = passedTests(report('/b', ['x · fastify y', status], ['neither']), '/b').get('fastify')!;
    expect(missingTests(wanted, got, SUITES)).toEqual(['integration/test/a.e2e.spec.ts › x · <platform> y']);
    expect(missingTests(wanted, got, ['packages/crud/test'])).toEqual([]);
  });

  test('lacks what passes less often', () => {
    const twice = passedTests(report('/a', ['z'], ['z']), '/a').get('express')!;
    const once = passedTests(report('/a', ['z']), '/a').get('express')!;
    expect(missingTests(twice, once, SUITES)).toHaveLength(1);
    expect(missingTests(once, twice, SUITES)).toEqual([]);
  });
});

test('every cell stands on a tree, every difference in cells', () => {
  const names = Object.keys(CELLS);
  for (const { tree } of Object.values(CELLS)) expect(Object.keys(TREES)).toContain(tree);
  for (const { cells, reason } of DIFFERENCES) {
    expect(names.filter((name) => cells.test(name))).not.toEqual([]);
    expect(reason).not.toBe('');
  }
  // The first is what the others are compared with, hence without excuse.
  expect(DIFFERENCES.filter(({ cells }) => cells.test(names[0]!))).toEqual([]);
});
