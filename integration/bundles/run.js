/** In: the built packages. Out: applications bundled and attacked; `--json <path>` writes the counts as Jest would. Refuses (exits with 1) failures, and peers that do not install. */
import { join } from 'node:path';
import { install, runTests } from '../../scripts/node-tests.js';

const home = import.meta.dirname;

for (const folder of ['.', 'nest11', 'nest12']) install(join(home, folder));
runTests('bundles', [join(home, 'bundles.test.js')]);
