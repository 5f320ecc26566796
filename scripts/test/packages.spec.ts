/** The packages as their users install them: packed, unpacked beside their peers, then loaded and type-checked as ES module and CommonJS. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** package → a class that its users extend or call, hence a name that must be there in either format. */
const PACKAGES = new Map([
  ['crud-request', 'RequestQueryBuilder'],
  ['crud', 'Crud'],
  ['crud-typeorm', 'TypeOrmCrudService'],
]);
const OPTIONAL_PEERS = ['@nestjs/swagger', 'class-validator', 'class-transformer', '@nestjs/typeorm'];

let home: string;
/** A project that has everything installed, and one without the optional peers. */
let full = 'not packed';
let bare = 'not packed';

/** Why there is nothing to look at, told by one test instead of by all. */
let broken: unknown;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'nestwright-packages-'));
  try {
    await npm('run', 'build');
    await npm(
      'pack',
      '--pack-destination',
      home,
      ...[...PACKAGES.keys()].flatMap((name) => ['-w', `packages/${name}`]),
    );
    full = await project('full', []);
    bare = await project('bare', OPTIONAL_PEERS);
  } catch (error) {
    broken = error;
  }
}, 300_000);

test('the packages build and pack', () => {
  if (broken !== undefined) throw broken;
});

afterAll(() => rm(home, { recursive: true, force: true }));

/** The compiler tells its errors on stdout, which a failed test must show. */
async function npm(...args: string[]) {
  try {
    await run('npm', args, { cwd: root, shell: process.platform === 'win32', maxBuffer: 1 << 26 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`npm ${args.join(' ')} failed:\n${stdout.slice(-4_000)}\n${stderr.slice(-2_000)}`, {
      cause: error,
    });
  }
}

/** A project outside the workspace: the tarballs unpacked, everything else linked from the workspace's installation. */
async function project(name: string, without: readonly string[]): Promise<string> {
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
  for (const each of PACKAGES.keys()) {
    const target = join(modules, '@nestwright', each);
    await mkdir(target);
    const tarball = (await readdir(home)).find((file) => new RegExp(`^nestwright-${each}-\\d.*\\.tgz$`).test(file));
    await run('tar', ['-xzf', join(home, tarball ?? 'missing'), '--strip-components=1', '-C', target]);
  }
  return folder;
}

async function node(folder: string, type: 'module' | 'commonjs', code: string): Promise<string> {
  const { stdout } = await run(process.execPath, [`--input-type=${type}`, '-e', code], { cwd: folder });
  return stdout.trim();
}

const importing = (path: string) =>
  `import('${path}').then((m) => console.log(JSON.stringify(Object.keys(m).filter((k) => k !== 'default' && k !== 'module.exports').sort())), (e) => console.log(e.code ?? e.stack))`;
const requiring = (path: string) =>
  `try { console.log(JSON.stringify(Object.keys(require('${path}')).sort())) } catch (e) { console.log(e.code ?? e.stack) }`;

describe.each([...PACKAGES])('@nestwright/%s', (name, main) => {
  test('gives the same names as ES module and as CommonJS', async () => {
    const esm = await node(full, 'module', importing(`@nestwright/${name}`));
    expect(JSON.parse(esm)).toContain(main);
    expect(await node(full, 'commonjs', requiring(`@nestwright/${name}`))).toBe(esm);
  });

  test('loads without the optional peers, with the same names', async () => {
    const esm = await node(bare, 'module', importing(`@nestwright/${name}`));
    expect(JSON.parse(esm)).toContain(main);
    expect(await node(bare, 'commonjs', requiring(`@nestwright/${name}`))).toBe(esm);
    expect(esm).toBe(await node(full, 'module', importing(`@nestwright/${name}`)));
  });

  test.each(['dist/esm/index.js', 'dist/cjs/index.js', 'src/index.ts', 'index'])('keeps %s private', async (path) => {
    const deep = `@nestwright/${name}/${path}`;
    expect(await node(full, 'module', importing(deep))).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
    expect(await node(full, 'commonjs', requiring(deep))).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  test('ships what its manifest promises, and nothing of the workshop', async () => {
    const folder = join(full, 'node_modules/@nestwright', name);
    const files = (await readdir(folder, { recursive: true })).map((file) => file.replaceAll('\\', '/'));
    for (const promised of ['README.md', 'LICENSE', 'dist/esm/index.d.ts', 'dist/cjs/index.d.ts', 'src/index.ts']) {
      expect(files).toContain(promised);
    }
    expect(files.filter((file) => /tsbuildinfo|\.spec\.|(^|\/)test\/|node_modules/.test(file))).toEqual([]);
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ license: 'MIT', engines: { node: '>=20.19' } });
    expect(JSON.parse(await readFile(join(folder, 'dist/cjs/package.json'), 'utf8'))).toEqual({ type: 'commonjs' });
  });

  test('maps every output back to a source that it ships', async () => {
    const folder = join(full, 'node_modules/@nestwright', name, 'dist');
    const maps = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.map'));
    expect(maps.length).toBeGreaterThan(3);
    for (const map of maps) {
      const { sources } = JSON.parse(await readFile(join(folder, map), 'utf8')) as { sources: string[] };
      for (const source of sources) expect([map, existsSync(join(folder, dirname(map), source))]).toEqual([map, true]);
    }
  });
});

describe.each(['module', 'commonjs'] as const)('an application as %s', (type) => {
  const names = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', '@nestwright/crud', 'reflect-metadata'];
  const modules =
    type === 'module'
      ? `const [common, core, , { Crud, CrudService }] = await Promise.all(${JSON.stringify(names)}.map((name) => import(name)));`
      : `const [common, core, , { Crud, CrudService }] = ${JSON.stringify(names)}.map((name) => require(name));`;
  const application = `
    ${modules}
    class Note {}
    class Notes extends CrudService {
      getOne() { return Promise.resolve({ id: 1 }); }
    }
    class NotesController { constructor(service) { this.service = service; } }
    Reflect.defineMetadata('design:paramtypes', [Notes], NotesController);
    common.Controller('notes')(NotesController);
    Crud({ model: { type: Note }, routes: { only: ['getOneBase'] } })(NotesController);
    class AppModule {}
    common.Module({ controllers: [NotesController], providers: [Notes] })(AppModule);

    (async () => {
      const app = await core.NestFactory.create(AppModule, { logger: false, abortOnError: false });
      await app.listen(0, '127.0.0.1');
      const get = async (path) => (await fetch((await app.getUrl()) + path)).text();
      console.log(await get('/notes/1'), JSON.parse(await get('/notes/x')).code);
      await app.close();
    })();
  `;

  // The process ends by itself, or the test by its time: nothing may hang on after close().
  test.each(['full', 'bare'])('answers, closes and lets the process end (%s)', async (name) => {
    expect(await node(name === 'full' ? full : bare, type, application)).toBe('{"id":1} CRUD_INVALID_PARAM');
  });
});

describe('types', () => {
  const SOURCE = `
    import { Crud, type CrudController } from '@nestwright/crud';
    import { RequestQueryBuilder } from '@nestwright/crud-request';
    import { TypeOrmCrudService } from '@nestwright/crud-typeorm';

    class User { id!: number }
    export class UsersService extends TypeOrmCrudService<User> {}
    @Crud({ model: { type: User } })
    export class UsersController implements CrudController<User> {
      constructor(public service: UsersService) {}
    }
    export const query: string = RequestQueryBuilder.create().setLimit(1).query();
    // @ts-expect-error The types are there: a string is no number.
    export const wrong: number = RequestQueryBuilder.create().setLimit(1).query();
  `;

  /**
   * Under node16 no CommonJS file may name a type of an ES module, and Nest 12 is nothing but ES modules: what fails there is Nest's import, in
   * the user's own sources as in ours. nodenext knows that Node.js can require an ES module by now.
   */
  const NEST_IS_ESM = /error TS(1479|1541): .*(@nestjs\/|resolution-mode)/;

  /** Errors in the project's own sources and in the packages' declarations; other libraries' declarations are theirs. */
  async function check(folder: string, options: Record<string, unknown>): Promise<string[]> {
    for (const file of ['esm.mts', 'cjs.cts']) await writeFile(join(folder, file), SOURCE);
    const base = { strict: true, noEmit: true, experimentalDecorators: true, target: 'es2022', types: ['node'] };
    const config = { compilerOptions: { ...base, ...options }, files: ['esm.mts', 'cjs.cts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const output = await run(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
      cwd: folder,
      maxBuffer: 1 << 26,
    }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
    const lines = output.split('\n').filter((line) => /^(esm|cjs)\.|^error|@nestwright/.test(line));
    return options['module'] === 'node16' ? lines.filter((line) => !NEST_IS_ESM.test(line)) : lines;
  }

  // Without skipLibCheck the packages' declarations themselves are checked, which must not need a peer that is not there.
  test.each([
    ['node16', { module: 'node16', moduleResolution: 'node16', skipLibCheck: false }, () => full],
    ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext', skipLibCheck: false }, () => bare],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true }, () => full],
    ['bundler, no peers', { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true }, () => bare],
  ])(
    'resolve under %s',
    async (_name, options, folder) => {
      expect(await check(folder(), options)).toEqual([]);
    },
    120_000,
  );
});
