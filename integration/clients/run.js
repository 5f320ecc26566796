/** In: the clients' folders, the built example. Out: every client's tests run; `--json <path>` writes their counts as Jest would. Refuses (exits with 1) failures, and clients that do not install. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';

const home = import.meta.dirname;
const json = process.argv.indexOf('--json');
const clients = readdirSync(home).filter((name) => existsSync(join(home, name, 'package-lock.json')));

// What a lock file says is installed once, and again when it has changed since.
for (const client of clients) {
  const [lock, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((file) => {
    const path = join(home, client, file);
    return existsSync(path) ? statSync(path).mtimeMs : 0;
  });
  if (installed >= lock) continue;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
    cwd: join(home, client),
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

const counts = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
const files = clients.map((client) => join(home, client, 'provider.test.js'));
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
    console.log(`  ✖ ${event.name}\n${inspect(error.cause ?? error)}`);
  })
  // What an application logs, and why a file broke.
  .on('test:stdout', ({ message }) => process.stdout.write(message))
  .on('test:stderr', ({ message }) => process.stderr.write(message))
  .once('end', () => {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = counts;
    console.log(`clients: ${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
    if (numPassedTests === 0) process.exitCode = 1;
    if (json > 0) writeFileSync(process.argv[json + 1], JSON.stringify(counts));
  })
  .resume();
