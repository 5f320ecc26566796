/** In: the built packages; MYSQL_URL. Out: applications of `npm create nestwright` are written, compiled, tested and asked; `--json <path>` writes the counts as Jest would. Refuses (exits with 1) failures. */
import { join } from 'node:path';
import { runTests } from '../../scripts/node-tests.js';

runTests('create', [join(import.meta.dirname, 'create.test.js')]);
