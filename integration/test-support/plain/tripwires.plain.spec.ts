/** That nothing takes a fast path unnoticed in the run with fast paths off: every place that asks has a tripwire. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { TRIPWIRES } from './tripwires.js';

const PACKAGES = join(import.meta.dirname, '../../../packages');

/** Where the setting lives, which asks nothing. */
const SETTINGS = [
  'crud/src/fast-paths.ts',
  'crud/src/adapter.ts',
  'sql/src/database/database.ts',
  'sql/src/database/default-options.ts',
  'sql/src/database/fast-paths.ts',
  'crud-typeorm/src/typeorm/database-options.ts',
];

test('every place that asks whether fast paths are on has a tripwire', () => {
  const sources = readdirSync(PACKAGES).flatMap((name) =>
    readdirSync(join(PACKAGES, name, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${name}/src/${path.replaceAll('\\', '/')}`),
  );
  const asking = sources.filter(
    (path) =>
      !SETTINGS.includes(path) &&
      /\bFAST_PATHS\b|\bfastPaths\b|\btakesFastPath\b/.test(readFileSync(join(PACKAGES, path), 'utf8')),
  );
  expect(asking.sort()).toEqual(TRIPWIRES.map(({ asks }) => asks).sort());
});
