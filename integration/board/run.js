/** In: the built workspace and client, Chromium. Out: the tests of the board run; `--json <path>` writes their counts as Jest would. Refuses (exits with 1) failures, and packages that do not install. */
import { join } from 'node:path';
import { install, runTests } from '../../scripts/node-tests.js';

install(import.meta.dirname);
runTests('board', [join(import.meta.dirname, 'board.test.js')]);
