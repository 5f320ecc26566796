/** Builds and packs the packages as a release does, and lays out projects that have them installed; refuses with what npm or the compiler said. */
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);
export const root = resolve(import.meta.dirname, '../..');
export type Format = 'module' | 'commonjs';

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

/** The compiler tells its errors on stdout, which a failed test must show. */
async function npm(folder: string, ...args: string[]): Promise<void> {
  try {
    await run('npm', args, { cwd: folder, shell: process.platform === 'win32', maxBuffer: 1 << 26 });
  } catch (cause) {
    const { stdout, stderr } = cause as { stdout: string; stderr: string };
    throw new Error(`npm ${args.join(' ')} failed:\n${stdout.slice(-4_000)}\n${stderr.slice(-2_000)}`, { cause });
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
  const [installed, modules] = [join(root, 'node_modules'), join(folder, 'node_modules')];
  const entries = (await readdir(installed)).filter((entry) => !entry.startsWith('.') && entry !== '@nestwright');
  const inner = async (entry: string) =>
    entry.startsWith('@') ? (await readdir(join(installed, entry))).map((each) => `${entry}/${each}`) : [entry];
  for (const each of (await Promise.all(entries.map(inner))).flat()) {
    if (without.includes(each)) continue;
    await mkdir(dirname(join(modules, each)), { recursive: true });
    await symlink(join(installed, each), join(modules, each), 'junction');
  }
  for (const each of [...ENTRIES.keys(), COMMAND]) {
    const target = join(modules, '@nestwright', each);
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', await tarballOf(home, each), '--strip-components=1', '-C', target]);
  }
  return folder;
}

/** What a script prints that is run in a folder. */
export async function node(folder: string, type: Format, code: string, flags: readonly string[] = []): Promise<string> {
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

/** An application that asks itself, closes and ends; its service is loaded in a format of its own. */
export function applicationAs(format: Format, ofService: Format): string {
  const loaders = {
    module: '(name) => import(name)',
    commonjs: "process.getBuiltinModule('module').createRequire(process.cwd() + '/x.js')",
  };
  return `(async () => {
    const [load, loadService] = [${loaders[format]}, ${loaders[ofService]}];
    await load('reflect-metadata');
    await load('@nestjs/platform-express');
    const { Controller, Module } = await load('@nestjs/common');
    const { NestFactory } = await load('@nestjs/core');
    const { Crud } = await load('@nestwright/crud');
    const { Column, DataSource, Entity, PrimaryGeneratedColumn } = await load('typeorm');
    const { TypeOrmCrudService } = await loadService('@nestwright/crud-typeorm');

    class Note {}
    PrimaryGeneratedColumn()(Note.prototype, 'id');
    Column({ type: 'varchar' })(Note.prototype, 'text');
    Entity()(Note);
    class NotesController { constructor(service) { this.service = service; } }
    Reflect.defineMetadata('design:paramtypes', [TypeOrmCrudService], NotesController);
    Controller('notes')(NotesController);
    Crud({ model: { type: Note } })(NotesController);

    const source = await new DataSource({ type: 'sqljs', entities: [Note], synchronize: true }).initialize();
    class AppModule {}
    const service = { provide: TypeOrmCrudService, useValue: new TypeOrmCrudService(source.getRepository(Note)) };
    Module({ controllers: [NotesController], providers: [service] })(AppModule);
    const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
    await app.listen(0, '127.0.0.1');
    const url = (await app.getUrl()) + '/notes';
    const headers = { 'content-type': 'application/json' };
    const sent = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ text: 'a' }) });
    const paths = ['', '/1', '/2', '/x'];
    const answers = [sent, ...(await Promise.all(paths.map((path) => fetch(url + path))))];
    console.log(JSON.stringify(await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]))));
    await app.close();
  })();`;
}
