/** The files of a project that can name a package: sources, manifests, configuration. */
import { lstat, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { globby } from 'globby';
import { listSections, type Manifest, readManifest } from './package-json.js';
import type { Installed } from './unfit-versions.js';

export interface ProjectFiles {
  /** Texts by path, relative to the folder. */
  readonly sources: ReadonlyMap<string, string>;
  readonly manifests: ReadonlyMap<string, string>;
  /** Files that are searched but not changed. */
  readonly others: ReadonlyMap<string, string>;
  /** What is installed of the dependencies of each manifest, by the manifest's path. */
  readonly installed: ReadonlyMap<string, Installed>;
}

const IGNORED = ['**/node_modules/**', '**/dist/**', '**/build/**', '**/coverage/**', '**/*.d.ts', '**/*.min.js'];
const LOCK_FILES = ['**/package-lock.json', '**/npm-shrinkwrap.json', '**/pnpm-lock.yaml'];

/** The message for a folder without a package.json, whose subfolders may have one each (a server and its front end). */
async function describeMissing(folder: string): Promise<string> {
  const below = await globby(['*/package.json', '*/*/package.json'], {
    cwd: folder,
    ignore: IGNORED,
    followSymbolicLinks: false,
  });
  const projects = below.map((path) => dirname(path)).sort();
  const hint =
    projects.length > 0
      ? `There is one in ${projects.join(', ')}: run the command for each of them`
      : 'Name the folder of the project';

  return `There is no package.json in ${folder}. ${hint}: npx @nestwright/migrate <folder>`;
}

/** The manifests of the installed dependencies of a package; of one that is not installed there is none. */
async function readInstalled(folder: string, text: string): Promise<Installed> {
  const manifest = readManifest(text);
  const names =
    typeof manifest === 'string' ? [] : listSections(manifest).flatMap(({ versions }) => Object.keys(versions));
  const found = await Promise.all(names.map(async (name) => [name, await readDependency(folder, name)] as const));

  return new Map(found.flatMap(([name, dependency]) => (dependency ? [[name, dependency] as const] : [])));
}

/** As Node.js finds a package: in the nearest `node_modules`. */
async function readDependency(folder: string, name: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return dirname(folder) === folder ? undefined : readDependency(dirname(folder), name);
  const manifest = readManifest(text);

  return typeof manifest === 'string' ? undefined : manifest;
}

/** Reads a project; throws if the folder has no package.json. */
export async function readProject(folder: string): Promise<ProjectFiles> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) throw new Error(`${folder} does not exist.`);
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder.`);
  const manifest = join(folder, 'package.json');
  const entry = await lstat(manifest).catch(() => undefined);
  if (!entry) throw new Error(await describeMissing(folder));
  if (entry.isSymbolicLink())
    throw new Error(`${manifest} is a symbolic link: run the command where the file itself is.`);

  const read = async (patterns: string[], ...ignore: readonly string[]) => {
    const paths = await globby(patterns, {
      cwd: folder,
      gitignore: true,
      // A link may lead out of the project, or to a folder above itself.
      followSymbolicLinks: false,
      dot: true,
      ignore: [...IGNORED, '**/.git/**', ...ignore],
    });
    const texts = await Promise.all(
      paths.sort().map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const),
    );
    return new Map(texts);
  };

  const manifests = await read(['**/package.json']);
  const installed = await Promise.all(
    [...manifests].map(async ([path, text]) => [path, await readInstalled(dirname(join(folder, path)), text)] as const),
  );

  return {
    sources: await read(['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,vue,svelte}']),
    manifests,
    installed: new Map(installed),
    others: await read(
      ['**/*.{json,json5,yml,yaml,html,astro,mdx}', '**/Dockerfile*'],
      '**/package.json',
      ...LOCK_FILES,
    ),
  };
}
