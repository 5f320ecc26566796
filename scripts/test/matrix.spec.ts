/** How the cells of the matrix are compared: by the names of the tests that passed, whatever platform and copy of the tree they ran on. */
import { expect, test } from '@jest/globals';
import { CELLS, DIFFERENCES, TREES } from '../matrix/cells.js';
import { definedTests, missingTests, passedTests } from '../matrix/counting.js';

type Results = [fullName: string, status?: string][];
const report = (path: string, tests: Results) => ({
  testResults: [{ name: path, assertionResults: tests.map(([fullName, status = 'passed']) => ({ fullName, status })) }],
});

const baseline = (...tests: Results) =>
  passedTests(report('/a/integration/test/a.spec.ts', tests), '/a').get('express')!;

/** What a cell on Fastify lacks whose tests ran as a part of another file. */
function lacks(wanted: Map<string, number>, ...tests: Results) {
  const results = report('/b/integration/test/b.spec.ts', tests);
  const [defined, passed] = [definedTests(results, '/b'), passedTests(results, '/b')];
  return missingTests(wanted, defined.get('fastify')!, passed.get('fastify')!);
}

const wanted = baseline(['x · express y'], ['x · fastify y'], ['neither']);

test.each<[lacking: number, wanted: Map<string, number>, tests: Results]>([
  [0, wanted, [['x · fastify y'], ['neither'], ['one more']]],
  // Of the suites that it leaves out.
  [0, wanted, [['neither']]],
  [1, wanted, [['x · fastify y', 'failed'], ['neither']]],
  [1, wanted, [['x · fastify y', 'pending'], ['neither']]],
  [0, baseline(['neither']), [['x · fastify y', 'failed']]],
  [1, baseline(['z'], ['z']), [['z'], ['z', 'pending']]],
  [0, baseline(['z']), [['z'], ['z', 'pending']]],
])('a cell lacks %d tests', (lacking, of, tests) => expect(lacks(of, ...tests)).toHaveLength(lacking));

test('every cell stands on a tree, every difference in cells but the first, which the others are compared with', () => {
  const names = Object.keys(CELLS);
  for (const { tree } of Object.values(CELLS)) expect(Object.keys(TREES)).toContain(tree);
  for (const { cells } of DIFFERENCES) {
    expect(names.filter((name) => cells.test(name))).not.toEqual([]);
    expect(names[0]).not.toMatch(cells);
  }
});
