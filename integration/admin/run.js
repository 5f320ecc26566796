/** In: the built workspace, Chromium. Out: the tests of the screens run; `--json <path>` writes their counts as Jest would. Refuses (exits with 1) failures, and packages that do not install. */
import { join } from 'node:path';
import { install, runTests } from '../../scripts/node-tests.js';

install(import.meta.dirname);
runTests(
  'admin',
  ['screens.test.js', 'looks.test.js'].map((file) => join(import.meta.dirname, file)),
);
