/** Removes what builds and coverage runs leave behind; installed packages stay. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const packages = (await readdir('packages')).map((name) => join('packages', name));
for (const folder of [...packages, 'integration/example', 'integration/workspace', '.'])
  for (const output of ['dist', 'coverage']) await rm(join(folder, output), { recursive: true, force: true });
