/** In: the built site (`npm run docs:build`), Chromium. Out: its tests run; `--json <path>` writes their counts as Jest would. Refuses (exits with 1) failures. */
import { join } from 'node:path';
import { runTests } from '../../scripts/node-tests.js';

runTests(
  'site',
  ['links.test.js', 'pages.test.js'].map((file) => join(import.meta.dirname, file)),
);
