/** Counts the tests that passed, per HTTP platform, from Jest's JSON reports. Names are made the same on every platform and in every copy of the tree. */
import { relative } from 'node:path';

export const PLATFORMS = ['express', 'fastify'];

/** A test's name wherever it runs. */
export const nameOf = (tree, path, fullName) =>
  `${relative(tree, path).replaceAll('\\', '/')} › ${fullName.replace(/\b(express|fastify)\b/g, '<platform>')}`;

/** What Jest passed in a tree, by platform: name → how often. A test that names no platform belongs to each. */
export function passedTests(report, tree) {
  const passed = new Map(PLATFORMS.map((platform) => [platform, new Map()]));
  for (const { name: path, assertionResults } of report.testResults) {
    for (const { status, fullName } of assertionResults) {
      if (status !== 'passed') continue;
      const own = PLATFORMS.filter((platform) => new RegExp(`\\b${platform}\\b`).test(fullName));
      const key = nameOf(tree, path, fullName);
      for (const platform of own.length > 0 ? own : PLATFORMS) {
        const counts = passed.get(platform);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  return passed;
}

export const total = (counts) => [...counts.values()].reduce((sum, number) => sum + number, 0);

/** Names of the suites' tests that `wanted` holds more often than `got`. */
export function missingTests(wanted, got, suites) {
  const inSuites = new RegExp(`^(${suites.join('|')})`);
  return [...wanted].filter(([key, number]) => inSuites.test(key) && number > (got.get(key) ?? 0)).map(([key]) => key);
}
