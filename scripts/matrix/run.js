/**
 * Runs the matrix on this machine, each row of versions in a temporary copy of the working tree, and prints what passed in each cell; exits
 * with 1 where a test fails, or where a cell passes fewer tests on a platform than Nest 12 does there and `DIFFERENCES` does not say why.
 *
 * --cells a,b       only these (names in cells.js), besides the one that they are compared with
 * --baseline path   Jest's JSON report of the working tree with Nest 12, instead of running that cell
 * --brief           the suites of BRIEF in cells.js alone, on SQLite
 * --built           take the packages as compiled in the working tree, instead of compiling them anew
 * --json path       write the counts of the cells as Jest would
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BRIEF, CELLS, DIFFERENCES, SUITES, TREES } from './cells.js';
import { definedTests, missingTests, nameOf, passedTests, PLATFORMS, total } from './counting.js';
import { buildPackages, compileExample, makeTree, removeTree, run, takePackages } from './trees.js';

const { values: options } = parseArgs({
  options: {
    cells: { type: 'string' },
    baseline: { type: 'string' },
    brief: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});

const [FIRST] = Object.keys(CELLS);
const asked = options.cells?.split(',') ?? Object.keys(CELLS);
for (const name of asked) if (!Object.hasOwn(CELLS, name)) throw new Error(`There is no cell "${name}"`);
const chosen = Object.keys(CELLS).filter((name) => asked.includes(name) || (name === FIRST && !options.baseline));

/** Suites that a brief run skips. */
const OTHER_DATABASES = /· (?:postgres|mysql)\b/;

const reports = await mkdtemp(join(tmpdir(), 'nestwright-reports-'));
const trees = new Map();
const usedRows = new Set();
const lines = [];
const counts = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0, failures: [] };
let wanted = options.baseline && passedTests(JSON.parse(await readFile(options.baseline, 'utf8')), resolve('.'));

try {
  const consumers = chosen.some((name) => CELLS[name].consumer);
  const publisher = consumers && !options.built ? await treeOf('newest') : undefined;
  if (publisher) buildPackages(publisher);

  for (const name of chosen) {
    const cell = options.brief && CELLS[name].suites === SUITES ? { ...CELLS[name], suites: BRIEF } : CELLS[name];
    const tree = await treeOf(cell.tree);
    console.log(`\n== ${name}`);
    if (cell.consumer) await takePackages(tree, publisher);
    const report = await runCell(name, cell, tree);
    judge(name, tree, report);
    // A tree is large; what no later cell needs goes at once.
    const later = chosen.slice(chosen.indexOf(name) + 1).map((each) => CELLS[each].tree);
    if (!later.includes(cell.tree) && tree !== publisher) await dropTree(cell.tree);
  }
} finally {
  for (const name of [...trees.keys()]) await dropTree(name);
  await rm(reports, { recursive: true, force: true });
}

for (const row of DIFFERENCES) {
  const covered = chosen.some((name) => name !== FIRST && row.cells.test(name));
  if (!covered || usedRows.has(row)) continue;
  counts.numFailedTests += 1;
  lines.push(`FAILED: no test needs the difference ${row.tests} any more`);
}
console.log(`\n${'cell'.padEnd(20)}${PLATFORMS.map((platform) => platform.padStart(9)).join('')}`);
console.log(lines.join('\n'));
if (options.json) await writeFile(options.json, JSON.stringify(counts));
process.exitCode = counts.numFailedTests > 0 ? 1 : 0;

async function treeOf(name) {
  if (!trees.has(name)) {
    console.log(`\n== installing ${name}: Nest ${TREES[name].nest}, TypeORM ${TREES[name].typeorm}`);
    trees.set(name, await makeTree(name, TREES[name], options.brief));
  }
  return trees.get(name);
}

async function dropTree(name) {
  await removeTree(trees.get(name));
  trees.delete(name);
}

/** Jest's report of a cell; undefined where Jest, or the compiler before it, did not come to its end. */
async function runCell(name, { suites, consumer }, tree) {
  const report = join(reports, `${name}.json`);
  // As much as the run has done that it is compared with.
  const env = { REQUIRE_ALL: '', MATRIX: 'on', TESTS: options.brief ? 'ci' : 'all' };
  if (options.brief) env.TEST_DATABASES = 'sqlite';
  if (consumer) {
    try {
      env.EXAMPLE_APP = await compileExample(tree, consumer);
    } catch (error) {
      console.log(`${error.message}`);
      return undefined;
    }
  }
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const flags = ['--json', `--outputFile=${report}`, '--reporters=summary'];
  run(tree, process.execPath, [...jest, ...suites, ...flags], env);
  return existsSync(report) ? JSON.parse(await readFile(report, 'utf8')) : undefined;
}

function judge(name, tree, report) {
  if (!report) return fail(name, 'did not run');
  const passed = passedTests(report, tree);
  const defined = definedTests(report, tree);
  wanted ??= passed;
  counts.numPassedTests += report.numPassedTests;

  const rows = DIFFERENCES.filter(({ cells }) => cells.test(name));
  const excused = new Map(rows.map((row) => [row, new Set()]));
  const isExcused = (key) => {
    const row = rows.find(({ tests }) => tests.test(key));
    if (row) excused.get(row).add(key);
    return row !== undefined;
  };
  lines.push(`${name.padEnd(20)}${PLATFORMS.map((platform) => `${total(passed.get(platform))}`.padStart(9)).join('')}`);
  const missing = new Set(
    PLATFORMS.flatMap((platform) =>
      missingTests(wanted.get(platform), defined.get(platform), passed.get(platform)),
    ).filter((key) => !isExcused(key) && !(options.brief && OTHER_DATABASES.test(key))),
  );
  for (const file of report.testResults) {
    if (file.assertionResults.length === 0) fail(name, `${file.name}: ${file.message.slice(0, 1_000)}`);
    for (const { status, fullName, failureMessages } of file.assertionResults) {
      if (status === 'failed' && !rows.some(({ tests }) => tests.test(fullName))) {
        fail(name, `${fullName}\n    ${failureMessages.join('\n').slice(0, 1_000)}`);
        missing.delete(nameOf(tree, file.name, fullName));
      }
    }
  }
  for (const key of missing) fail(name, `missing: ${key}`);
  for (const [row, keys] of excused) {
    if (keys.size === 0) continue;
    usedRows.add(row);
    lines.push(`  ${keys.size} left out: ${row.reason}`);
  }
}

function fail(name, what) {
  counts.numFailedTests += 1;
  counts.failures.push(`${name}: ${what}`);
  lines.push(`  FAILED in ${name}: ${what}`);
}
