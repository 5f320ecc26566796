/** Builds and packs the packages as a release does, and lays out projects that have them installed; refuses with what npm or the compiler said. */
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);
export const root = resolve(import.meta.dirname, '../..');

/** package → its entries, each with a name that must be there in either format: what its users extend or call. */
export const ENTRIES = new Map<string, { readonly index: string; readonly adapter?: string }>([
  ['crud-request', { index: 'RequestQueryBuilder' }],
  ['client', { index: 'crudClient' }],
  ['react-admin', { index: 'crudDataProvider' }],
  ['refine', { index: 'crudDataProvider' }],
  ['crud', { index: 'Crud', adapter: 'planRead' }],
  ['sql', { index: 'SqlStore' }],
  ['crud-typeorm', { index: 'TypeOrmCrudService' }],
  ['crud-drizzle', { index: 'DrizzleCrudService' }],
  ['crud-memory', { index: 'MemoryCrudService' }],
  ['testing', { index: 'describeAdapter' }],
]);

/** The package that is a command and has no entry. */
export const COMMAND = 'migrate';

/** How an entry of a package is imported. */
export function nameOf(name: string, entry: string): string {
  return entry === 'index' ? `@nestwright/${name}` : `@nestwright/${name}/${entry}`;
}

/** The compiler tells its errors on stdout, which a failed test must show. */
export async function npm(folder: string, ...args: string[]): Promise<void> {
  try {
    await run('npm', args, { cwd: folder, shell: process.platform === 'win32', maxBuffer: 1 << 26 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`npm ${args.join(' ')} failed:\n${stdout.slice(-4_000)}\n${stderr.slice(-2_000)}`, {
      cause: error,
    });
  }
}

/** Builds the workspace and packs its packages into a folder. */
export async function pack(into: string): Promise<void> {
  await npm(root, 'run', 'build');
  const workspaces = [...ENTRIES.keys(), COMMAND].flatMap((name) => ['-w', `packages/${name}`]);
  await npm(root, 'pack', '--pack-destination', into, ...workspaces);
}

/** Where a package was packed to. */
export async function tarballOf(folder: string, name: string): Promise<string> {
  const file = (await readdir(folder)).find((each) => new RegExp(`^nestwright-${name}-\\d.*\\.tgz$`).test(each));
  return join(folder, file ?? 'missing');
}

/** A project outside the workspace: the tarballs unpacked, everything else linked from the workspace's installation. */
export async function project(home: string, name: string, without: readonly string[]): Promise<string> {
  const folder = join(home, name);
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@nestwright'), { recursive: true });
  for (const entry of await readdir(join(root, 'node_modules'))) {
    if (entry.startsWith('.') || entry === '@nestwright') continue;
    const names = entry.startsWith('@')
      ? (await readdir(join(root, 'node_modules', entry))).map((inner) => `${entry}/${inner}`)
      : [entry];
    for (const installed of names) {
      if (without.includes(installed)) continue;
      await mkdir(dirname(join(modules, installed)), { recursive: true });
      await symlink(join(root, 'node_modules', installed), join(modules, installed), 'junction');
    }
  }
  for (const each of [...ENTRIES.keys(), COMMAND]) {
    const target = join(modules, '@nestwright', each);
    await mkdir(target);
    await run('tar', ['-xzf', await tarballOf(home, each), '--strip-components=1', '-C', target]);
  }
  return folder;
}

/** What a script prints that is run in a folder. */
export async function node(
  folder: string,
  type: 'module' | 'commonjs',
  code: string,
  flags: readonly string[] = [],
): Promise<string> {
  const { stdout } = await run(process.execPath, [...flags, `--input-type=${type}`, '-e', code], { cwd: folder });
  return stdout.trim();
}

/** What esbuild makes of a script of a project, minified; peers and Node's own modules stay imports. */
export async function bundleIn(folder: string, script: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    external: ['@nestjs/*', 'typeorm', 'rxjs', 'reflect-metadata', 'class-*'],
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
