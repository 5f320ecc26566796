/** At the end of a run: says plainly which suites were skipped and for want of what; under REQUIRE_ALL=1 a skip fails the run. */
import { relative } from 'node:path';
import { LEFT_OUT } from './left-out.js';
import { TESTS_ALL, TESTS_CI } from './tests-asked-for.js';

const list = (title, lines) => `\n${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`;

const LEFT_TO_CI = list('Left to `TESTS=ci npm test`', [
  'suites that run on several databases or HTTP platforms: all but one of these',
  ...LEFT_OUT.map(({ says }) => says),
]);
const LEFT_TO_ALL = list('Left to `TESTS=all npm test`', [
  'suites that run on several databases: all but one, unless they tell databases apart; then the second HTTP platform',
  'four of five samples of property tests',
]);

/** What the reader of the report can do about a suite whose title (see `databases.ts`) ends with a database's name; the innermost counts. */
const REMEDIES = new Map([
  ['sqlite', 'sqlite in TEST_DATABASES'],
  ['postgres', 'a POSTGRES_URL'],
  ['pgbouncer', 'the program pgbouncer'],
  ['postgres programs', "PostgreSQL's own programs (the package postgresql)"],
  ['haproxy', 'the program haproxy'],
  ['chromium', 'Chromium (the package chromium, or CHROMIUM naming it)'],
  ['redis', 'a REDIS_URL'],
  ['redis-server', 'the program redis-server'],
  ['mysql', 'a MYSQL_URL (a MariaDB or MySQL server, such as mysql://root@127.0.0.1:3306)'],
]);

/** What TEST_DATABASES may leave out. */
const DATABASES = new Set(['sqlite', 'postgres', 'mysql']);

export default class SkippedReporter {
  #error;

  onRunComplete(_contexts, results) {
    /** @type {Map<string, Map<string, number>>} */
    const skipped = new Map();
    for (const file of results.testResults) {
      for (const { status, ancestorTitles, title } of file.testResults) {
        if (status !== 'pending' && status !== 'todo') continue;
        const { want, suite } = wanted(ancestorTitles) ?? { want: 'a reason to skip', suite: title };
        const suites = skipped.get(want) ?? new Map();
        const name = `${relative(process.cwd(), file.testFilePath)} › ${suite}`;
        skipped.set(want, suites.set(name, (suites.get(name) ?? 0) + 1));
      }
    }
    for (const [want, suites] of skipped) {
      const tests = [...suites.values()].reduce((sum, number) => sum + number, 0);
      process.stderr.write(
        `\nSkipped ${count(tests, 'test')} in ${count(suites.size, 'suite')} for want of ${want}:\n`,
      );
      for (const [name, number] of suites) process.stderr.write(`  ${name} (${number})\n`);
    }
    process.stderr.write(`${TESTS_CI ? '' : LEFT_TO_CI}${TESTS_ALL ? '' : LEFT_TO_ALL}`);
    if (process.env.REQUIRE_ALL === '1' && skipped.size > 0) {
      this.#error = new Error('REQUIRE_ALL=1: a skipped test counts as a failure.');
      process.stderr.write(`\n${this.#error.message}\n`);
    }
  }

  getLastError() {
    return this.#error;
  }
}

function wanted(ancestorTitles) {
  const at = ancestorTitles.findLastIndex((title) => REMEDIES.has(title.split(' · ').at(-1)));
  if (at < 0) return undefined;
  const kind = ancestorTitles[at].split(' · ').at(-1);
  const leftOut =
    DATABASES.has(kind) && process.env.TEST_DATABASES && !process.env.TEST_DATABASES.split(',').includes(kind);
  const want = leftOut ? `${kind} in TEST_DATABASES` : REMEDIES.get(kind);
  return { want, suite: ancestorTitles.slice(0, at + 1).join(' › ') };
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
