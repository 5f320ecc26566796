/** Counts the tests that passed, per HTTP platform, from Jest's JSON reports. Names are made the same on every platform and in every copy of the tree. */
import { relative } from 'node:path';

export const PLATFORMS = ['express', 'fastify'];

/** A test's name wherever it runs, by its package: its spec file may run as a part of another one, see test-support/groups. */
export const nameOf = (tree, path, fullName) =>
  `${relative(tree, path).split(/[\\/]/).slice(0, 2).join('/')} › ${fullName.replace(/\b(express|fastify)\b/g, '<platform>')}`;

/** Tests of a tree, by platform: name → how often. A test that names no platform belongs to each. */
function countTests(report, tree, counts) {
  const counted = new Map(PLATFORMS.map((platform) => [platform, new Map()]));
  for (const { name: path, assertionResults } of report.testResults) {
    for (const { status, fullName } of assertionResults) {
      if (!counts(status)) continue;
      const own = PLATFORMS.filter((platform) => new RegExp(`\\b${platform}\\b`).test(fullName));
      const key = nameOf(tree, path, fullName);
      for (const platform of own.length > 0 ? own : PLATFORMS) {
        const numbers = counted.get(platform);
        numbers.set(key, (numbers.get(key) ?? 0) + 1);
      }
    }
  }
  return counted;
}

/** What Jest passed in a tree. */
export const passedTests = (report, tree) => countTests(report, tree, (status) => status === 'passed');

/** What Jest was to run in a tree, passed or not. */
export const definedTests = (report, tree) => countTests(report, tree, () => true);

export const total = (counts) => [...counts.values()].reduce((sum, number) => sum + number, 0);

/** Names of tests that a cell defines, and passed less often than `wanted` says. */
export function missingTests(wanted, defined, passed) {
  return [...defined]
    .filter(([key, number]) => Math.min(number, wanted.get(key) ?? 0) > (passed.get(key) ?? 0))
    .map(([key]) => key);
}
