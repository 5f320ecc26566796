/** Bundles applications with the built packages and attacks them; `--json <path>` writes the counts as Jest would. Exits with 1 after failures. */
import { join } from 'node:path';
import { install, runTests, TESTS_ALL } from '../../scripts/node-tests.js';

const home = import.meta.dirname;

for (const folder of ['.', 'nest12', ...(TESTS_ALL ? ['nest11'] : [])]) install(join(home, folder));
runTests('bundles', [join(home, 'bundles.test.js')]);
