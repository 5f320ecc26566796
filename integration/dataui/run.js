/** In: the built packages. Out: bodies sent to @dataui/crud and to them; `--json <path>` writes the counts as Jest would. Refuses (exits with 1) failures, and what does not install. */
import { join } from 'node:path';
import { install, runTests } from '../../scripts/node-tests.js';

const home = import.meta.dirname;

install(home);
runTests('dataui', [join(home, 'refusals.test.js')]);
