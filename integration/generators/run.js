/** In: the built examples. Out: the generated clients' tests run. Refuses (exits with another code than 0) failures, and generators that do not install. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const home = import.meta.dirname;
const timeOf = (file) => (existsSync(join(home, file)) ? statSync(join(home, file)).mtimeMs : 0);
const run = (command, parameters) => {
  const { status } = spawnSync(command, parameters, { cwd: home, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

// What the lock file says is installed once, and again when it has changed since.
if (timeOf('node_modules/.package-lock.json') < timeOf('package-lock.json'))
  run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']);
run(process.execPath, ['--test', 'generators.test.js']);
