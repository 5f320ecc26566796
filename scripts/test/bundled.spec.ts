/** An application in one file, its dependencies with it, where nothing is installed but the driver of its database: it guards its records all the same. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { attack, GUARDED } from '../../integration/bundles/attack.js';
import { esbuildOptions } from '../../integration/bundles/esbuild.js';
import { ENTRIES, nameOf } from './packed.js';

const root = resolve(import.meta.dirname, '../..');
const app = join(root, 'integration/bundles/app/main.ts');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nestwright-bundled-'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(root, 'node_modules/sql.js'), join(folder, 'node_modules/sql.js'), 'junction');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(['cjs', 'esm'] as const)('by esbuild, from sources to %s', async (format) => {
  const outfile = join(folder, format === 'esm' ? 'main.mjs' : 'main.cjs');
  const { warnings } = await build({
    ...esbuildOptions(format),
    entryPoints: [app],
    outfile,
    alias: Object.fromEntries(
      [...ENTRIES].flatMap(([name, entries]) =>
        Object.keys(entries).map((entry) => [nameOf(name, entry), join(root, `packages/${name}/src/${entry}.ts`)]),
      ),
    ),
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
  });

  expect(warnings).toEqual([]);
  await expect(attack(outfile)).resolves.toEqual(GUARDED);
});
