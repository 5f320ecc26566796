/** Runs the tests of the generated clients against the built examples; `--json <path>` writes the counts as Jest would. Exits with 1 after failures. */
import { join } from 'node:path';
import { install, runTests } from '../../scripts/node-tests.js';

const home = import.meta.dirname;

install(home);
runTests('generators', [join(home, 'generators.test.js')]);
