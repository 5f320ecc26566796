/** The files of a project that can name a package: sources, manifests, configuration. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { globby } from 'globby';

export interface ProjectFiles {
  /** Texts by path, relative to the folder. */
  readonly sources: ReadonlyMap<string, string>;
  readonly manifests: ReadonlyMap<string, string>;
  /** Files that are only looked through. */
  readonly others: ReadonlyMap<string, string>;
}

const IGNORED = ['**/node_modules/**', '**/dist/**', '**/build/**', '**/coverage/**', '**/*.d.ts', '**/*.min.js'];
const LOCK_FILES = ['**/package-lock.json', '**/npm-shrinkwrap.json', '**/pnpm-lock.yaml'];

/** Reads a project; refuses a folder that is none. */
export async function readProject(folder: string): Promise<ProjectFiles> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) throw new Error(`${folder} does not exist.`);
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder.`);
  if (!(await stat(join(folder, 'package.json')).catch(() => undefined)))
    throw new Error(
      `There is no package.json in ${folder}. Name the folder of the project: npx @nestwright/migrate <folder>`,
    );

  const read = async (patterns: string[], ignore: readonly string[] = []) => {
    const paths = await globby(patterns, {
      cwd: folder,
      gitignore: true,
      dot: true,
      ignore: [...IGNORED, '**/.git/**', ...ignore],
    });
    const texts = await Promise.all(
      paths.sort().map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const),
    );
    return new Map(texts);
  };

  return {
    sources: await read(['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}']),
    manifests: await read(['**/package.json']),
    others: await read(['**/*.{json,json5,yml,yaml}', '**/Dockerfile*'], ['**/package.json', ...LOCK_FILES]),
  };
}
