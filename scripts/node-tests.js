/** Folders with lock files of their own, files of tests for `node:test` → the folders installed, the tests run; `--json <path>` writes their counts as Jest would. Refuses (exits with 1) failures, and what does not install. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';

/** Whether everything is asked for, `TESTS=all`: else a suite takes the part that a change of the sources breaks first. */
export { TESTS_ALL } from '../integration/test-support/tests-asked-for.js';

/** Installs what the lock file of a folder says once, and again when it has changed since. */
export function install(folder) {
  const [lock, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((file) => {
    const path = join(folder, file);
    return existsSync(path) ? statSync(path).mtimeMs : 0;
  });
  if (installed >= lock) return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

/** Runs the tests of some files, one file after the other, and prints what fails. */
export function runTests(title, files) {
  const json = process.argv.indexOf('--json');
  const counts = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0, failures: [] };
  // Suites are counted by their tests; a file of its own name is one that broke before its tests ran.
  const counted = ({ name, details }) => details.type !== 'suite' && !files.includes(name);

  run({ files, concurrency: 1 })
    .on('test:pass', (event) => {
      if (counted(event)) counts.numPassedTests += 1;
      else console.log(`✔ ${event.name}`);
    })
    .on('test:fail', (event) => {
      const { error } = event.details;
      process.exitCode = 1;
      // A suite that fails because of a test of its own has been counted by that test.
      if (error.failureType === 'subtestsFailed') return console.log(`✖ ${event.name}`);
      if (counted(event)) counts.numFailedTests += 1;
      else counts.numRuntimeErrorTestSuites += 1;
      const told = `${event.name}\n${inspect(error.cause ?? error)}`;
      counts.failures.push(told);
      console.log(`  ✖ ${told}`);
    })
    // What an application logs, and why a file broke.
    .on('test:stdout', ({ message }) => process.stdout.write(message))
    .on('test:stderr', ({ message }) => process.stderr.write(message))
    .once('end', () => {
      const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = counts;
      console.log(`${title}: ${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
      if (numPassedTests === 0) process.exitCode = 1;
      if (json > 0) writeFileSync(process.argv[json + 1], JSON.stringify(counts));
    })
    .resume();
}
