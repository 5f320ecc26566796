/** The files of a project that can name a package: sources, manifests, configuration. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { globby } from 'globby';

export interface ProjectFiles {
  /** Texts by path, relative to the folder. */
  readonly sources: ReadonlyMap<string, string>;
  readonly manifests: ReadonlyMap<string, string>;
  /** Files that are searched but not changed. */
  readonly others: ReadonlyMap<string, string>;
}

const IGNORED = ['**/node_modules/**', '**/dist/**', '**/build/**', '**/coverage/**', '**/*.d.ts', '**/*.min.js'];
const LOCK_FILES = ['**/package-lock.json', '**/npm-shrinkwrap.json', '**/pnpm-lock.yaml'];

/** The message for a folder without a package.json, whose subfolders may have one each (a server and its front end). */
async function describeMissing(folder: string): Promise<string> {
  const below = await globby(['*/package.json', '*/*/package.json'], { cwd: folder, ignore: IGNORED });
  const projects = below.map((path) => dirname(path)).sort();
  const hint =
    projects.length > 0
      ? `There is one in ${projects.join(', ')}: run the command for each of them`
      : 'Name the folder of the project';

  return `There is no package.json in ${folder}. ${hint}: npx @nestwright/migrate <folder>`;
}

/** Reads a project; throws if the folder has no package.json. */
export async function readProject(folder: string): Promise<ProjectFiles> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) throw new Error(`${folder} does not exist.`);
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder.`);
  if (!(await stat(join(folder, 'package.json')).catch(() => undefined)))
    throw new Error(await describeMissing(folder));

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
    sources: await read(['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,vue,svelte}']),
    manifests: await read(['**/package.json']),
    others: await read(
      ['**/*.{json,json5,yml,yaml,html,astro,mdx}', '**/Dockerfile*'],
      ['**/package.json', ...LOCK_FILES],
    ),
  };
}
