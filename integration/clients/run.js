/** In: the clients' folders, the built example. Out: every client's tests run; `--json <path>` writes their counts as Jest would. Refuses (exits with 1) failures, and clients that do not install. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { install, runTests } from '../../scripts/node-tests.js';

const home = import.meta.dirname;
const clients = readdirSync(home)
  .map((name) => join(home, name))
  .filter((folder) => existsSync(join(folder, 'package-lock.json')));

clients.forEach(install);
runTests(
  'clients',
  clients.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.js'))
      .map((name) => join(folder, name)),
  ),
);
