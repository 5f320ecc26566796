/** In: the built packages. Out: applications of nestjsx/crud asked before and after their move; `--json <path>` writes the counts as Jest would. Refuses (exits with 1) failures, and what does not install. */
import { join } from 'node:path';
import { install, runTests } from '../../scripts/node-tests.js';

const home = import.meta.dirname;

install(home);
runTests('migration', [join(home, 'moving.test.js')]);
