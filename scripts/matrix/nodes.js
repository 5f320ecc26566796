/**
 * Runs the suites on each supported line of Node.js, whose binaries npm's `node-<platform>-<arch>` packages bring, and prints what passed;
 * exits with 1 where a test fails, or where one line passes fewer tests than another.
 *
 * --lines 22,26   only these lines (NODE_LINES in cells.js); `newest` is the last one
 * --brief         leave out the suites that take long (BRIEF_ON_NODE in cells.js)
 * --record        write the result to docs/runtimes.md, with the commit; rows of other lines stay
 * --suites a,b    only these
 * --json path     write the counts as Jest would
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BRIEF_ON_NODE, NODE_LINES, SUITES } from './cells.js';
import { installNode, run } from './trees.js';

const { values: options } = parseArgs({
  options: {
    lines: { type: 'string' },
    brief: { type: 'boolean', default: false },
    suites: { type: 'string' },
    record: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});

const root = resolve(import.meta.dirname, '../..');
const asked = options.lines?.split(',').map((line) => (line === 'newest' ? NODE_LINES.at(-1) : line)) ?? NODE_LINES;
const suites = options.suites?.split(',') ?? (options.brief ? BRIEF_ON_NODE : SUITES);
for (const line of asked) if (!NODE_LINES.includes(line)) throw new Error(`There is no line "${line}" of Node.js here`);

const home = await mkdtemp(join(tmpdir(), 'nestwright-nodes-'));
const results = [];
const failures = [];
try {
  for (const line of asked) results.push(await testOn(line));
} finally {
  await rm(home, { recursive: true, force: true });
}

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const commit = git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' and changes');
const rows = results.map(rowOf);
console.log(`\n${tableOf(rows)}`);
if (options.record) await record(rows);

const most = Math.max(...results.map(({ passed }) => passed));
const fewer = results.filter(({ passed }) => passed < most);
for (const { version, passed } of fewer) tellFailure(`Node.js ${version} passed ${passed} tests, another ${most}`);
const failed = results.reduce((sum, each) => sum + each.failed, 0) + fewer.length;
if (options.json) {
  const passed = results.reduce((sum, each) => sum + each.passed, 0);
  const counts = { numPassedTests: passed, numFailedTests: failed, numRuntimeErrorTestSuites: 0, failures };
  await writeFile(options.json, JSON.stringify(counts));
}
process.exitCode = failed > 0 ? 1 : 0;

function tellFailure(what) {
  failures.push(what);
  console.log(what);
}

async function testOn(line) {
  const node = installNode(line, home);
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  console.log(`\n== Node.js ${version}`);
  const report = join(home, `${line}.json`);
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const flags = ['--json', `--outputFile=${report}`, '--reporters=summary'];
  const path = [dirname(node), process.env.PATH].join(delimiter);
  const started = Date.now();
  run(root, node, [...jest, ...suites, ...flags], { PATH: path });
  const seconds = Math.round((Date.now() - started) / 1_000);
  if (!existsSync(report)) {
    tellFailure(`The suites did not run on Node.js ${version}`);
    return { version, passed: 0, failed: 1, skipped: 0, seconds };
  }
  const counts = JSON.parse(await readFile(report, 'utf8'));
  for (const { name, message, status } of counts.testResults)
    if (status === 'failed') tellFailure(`${name}\n${message}`);
  return {
    version,
    passed: counts.numPassedTests,
    failed: counts.numFailedTests + counts.numRuntimeErrorTestSuites,
    skipped: counts.numPendingTests,
    seconds,
  };
}

/** What one Node.js passed, as a row in Markdown. */
function rowOf({ version, passed, failed, skipped, seconds }) {
  const scope = options.brief || options.suites ? 'some' : 'all';
  const cells = [version.replace(/^v/, ''), scope, passed, failed, skipped, `${seconds} s`, commit];

  return `| ${cells.join(' | ')} |`;
}

function tableOf(rows) {
  return [
    '| Node.js | suites | passed | failed | skipped | time | commit |',
    '| --- | --- | ---: | ---: | ---: | ---: | --- |',
    ...rows,
  ].join('\n');
}

async function record(rows) {
  const page = join(root, 'docs/runtimes.md');
  const text = await readFile(page, 'utf8');
  const lineOf = (row) => NODE_LINES.findIndex((line) => row.startsWith(`| ${line}.`));
  const recorded = new Map(
    [...text.matchAll(/^\| \d+\..*$/gm), ...rows.map((row) => [row])].map(([row]) => [lineOf(row), row]),
  );
  const table = tableOf([...recorded].sort(([one], [other]) => one - other).map(([, row]) => row));
  const marked = /(<!-- result -->\n\n)[\s\S]*?(<!-- end -->)/;
  await writeFile(
    page,
    text.replace(marked, (_all, before, after) => `${before}${table}\n\n${after}`),
  );
}
