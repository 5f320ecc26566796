/** In: the built packages. Out: docs/start.md followed; `--json <path>` writes the counts as Jest would. Refuses (exits with 1) failures. */
import { join } from 'node:path';
import { runTests } from '../../scripts/node-tests.js';

runTests('start', [join(import.meta.dirname, 'start.test.js')]);
