/** In: the built packages. Out: a release up to the moment of publishing; `--json <path>` writes the counts as Jest would. Refuses (exits with 1) failures. */
import { join } from 'node:path';
import { runTests } from '../../scripts/node-tests.js';

runTests('release', [join(import.meta.dirname, 'release.test.js')]);
