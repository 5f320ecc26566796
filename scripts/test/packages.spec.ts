/** The packages as their users install them: packed, unpacked beside their peers, then loaded and type-checked as ES module and CommonJS. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { TESTS_ALL } from '../../integration/test-support/tests-asked-for.js';
import { applicationAs, bundleIn, COMMAND, ENTRIES, node, pack, project, root, run, tarballOf } from './packed.js';
import type { Format } from './packed.js';

const COMMANDS = [COMMAND, 'create-nestwright', 'schematics'];
const FORMATS: readonly Format[] = ['module', 'commonjs'];

let home: string;

/** A project that has everything installed, and one without the optional peers. */
let full = 'not packed';
let bare = 'not packed';

/** What a path gives: its names, or the code of an error. */
type Loaded = Readonly<Record<string, string[] | string>>;
let loaded: { full: Record<Format, Loaded>; bare: Record<Format, Loaded>; withoutOrm: Loaded };

/** Why there is nothing to look at, told by one test instead of by all. */
let broken: unknown;

/** Each entry: its package, itself, how it is imported, a name that it exports. */
const PLACES = [...ENTRIES].flatMap(([name, entries]) =>
  Object.entries(entries).map(([entry, main]) => {
    return { name, entry, path: `@nestwright/${name}${entry === 'index' ? '' : `/${entry}`}`, main };
  }),
);

const PRIVATE = ['dist/index.js', 'dist/index.cjs', 'dist/shared.js', 'src/index.ts', 'index'];
const PRIVATE_PATHS = [...ENTRIES.keys()].flatMap((name) => PRIVATE.map((file) => `@nestwright/${name}/${file}`));

/** What one process is asked for: an entry, which must load alone, or all that is private; everything at once unless everything is tested. */
const ASKED_TOGETHER = TESTS_ALL
  ? [...PLACES.map(({ path }) => [path]), PRIVATE_PATHS]
  : [[...PLACES.map(({ path }) => path), ...PRIVATE_PATHS]];
const installed = (name: string, ...path: string[]) => join(full, 'node_modules/@nestwright', name, ...path);
const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'nestwright-packages-'));
  try {
    await pack(home);
    full = await project(home, 'full', []);
    bare = await project(home, 'bare', ['@nestjs/typeorm']);
    const withoutOrm = await project(home, 'without-orm', ['typeorm', '@nestjs/typeorm']);
    const both = async (folder: string) =>
      Object.fromEntries(await Promise.all(FORMATS.map(async (format) => [format, await load(folder, format)])));
    loaded = { full: await both(full), bare: await both(bare), withoutOrm: await load(withoutOrm, 'module') };
  } catch (error) {
    broken = error;
  }
}, 600_000);

afterAll(() => rm(home, { recursive: true, force: true }));

test('the packages build and pack', () => {
  if (broken !== undefined) throw broken;
});

describe.each(PLACES)('$path', ({ name, entry, path, main }) => {
  test('gives the same names as ES module and as CommonJS, with and without the optional peers', () => {
    const names = loaded.full.module[path];
    expect(names).toContain(main);
    for (const { [path]: exported } of [loaded.full.commonjs, loaded.bare.module, loaded.bare.commonjs])
      expect(exported).toEqual(names);
    expect(loaded.withoutOrm[path]).toEqual(name === 'crud-typeorm' ? 'ERR_MODULE_NOT_FOUND' : names);
  });

  test.each(['d.ts', 'd.cts'])('has declarations that keep the doc comments: %s', (extension) => {
    const files = [entry, 'shared'].map((file) => installed(name, 'dist', `${file}.${extension}`)).filter(existsSync);
    const text = files.map((file) => readFileSync(file, 'utf8')).join('');
    const [before] = text.split(new RegExp(`^(?:declare )?(?:abstract )?(?:class|function|const) ${main}\\b`, 'm'));
    expect(before!.slice(before!.lastIndexOf('/**'))).toContain('@example');
  });

  test('is dropped by a bundler where nobody uses it', async () =>
    expect(await bundleIn(full, `import { ${main} } from '${path}'`)).toBe(''));
});

test('publint and Are the types wrong? have nothing to say', async () => {
  const tarballs = await Promise.all([...ENTRIES.keys()].map((name) => tarballOf(home, name)));
  const code = `
    import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
    import { readFileSync } from 'node:fs';
    import { publint } from 'publint';
    const all = {};
    for (const [name, pkgDir, tarball] of ${JSON.stringify([
      ...[...ENTRIES.keys()].map((name, at) => [name, installed(name), tarballs[at]]),
      ...COMMANDS.map((name) => [name, join(root, 'packages', name)]),
    ])}) {
      const { messages } = await publint({ pkgDir, pack: false, strict: true });
      const types = tarball && (await checkPackage(createPackageFromTarballData(readFileSync(tarball))));
      all[name] = [...messages, ...(types ? [types.problems, Object.keys(types.entrypoints)] : [])];
    }
    console.log(JSON.stringify(all));
  `;
  const expected = [...ENTRIES].map(([name, entries]) => {
    const entrypoints = Object.keys(entries).map((entry) => (entry === 'index' ? '.' : `./${entry}`));
    return [name, [[], [...entrypoints, './package.json']]];
  });
  const nothing = Object.fromEntries([...expected, ...COMMANDS.map((name) => [name, []])]) as object;
  expect(JSON.parse(await node(root, 'module', code))).toEqual(nothing);
}, 120_000);

test.each([...ENTRIES.keys(), ...COMMANDS])('%s says who keeps and funds it as its siblings do', (name) => {
  const own = manifestIn(ENTRIES.has(name) ? installed(name) : join(root, 'packages', name));
  const sibling = manifestIn(installed('crud'));
  const keys = 'version license author funding homepage bugs engines publishConfig type scripts'.split(' ');
  for (const key of ENTRIES.has(name) ? [...keys, 'sideEffects'] : keys)
    expect([key, own[key]]).toEqual([key, sibling[key]]);
  const [author, funding] = [expect.stringMatching(/nestwright/), expect.stringMatching(/^https:/)];
  expect(sibling).toMatchObject({ license: 'MIT', author, funding, engines: { node: '>=20.19' }, sideEffects: false });
});

test('files are private', () => {
  const found = FORMATS.flatMap((format) => PRIVATE_PATHS.map((path) => [path, loaded.full[format][path]]));
  expect(found.filter(([, code]) => code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED')).toEqual([]);
});

test.each([...ENTRIES.keys(), COMMAND])(
  '%s ships a file per entry and format, and the sources of their maps',
  (name) => {
    const files = readdirSync(installed(name), { recursive: true, encoding: 'utf8' });
    const outputs = files.filter((file) => file.startsWith('dist/'));
    const parts = Object.keys(ENTRIES.get(name) ?? {});
    const all = [...parts, ...(parts.length > 1 ? ['shared'] : [])].flatMap((part) =>
      ['js', 'cjs', 'd.ts', 'd.cts'].map((extension) => `dist/${part}.${extension}`),
    );
    const expected = name === COMMAND ? ['dist/cli.js'] : all;
    expect(outputs.sort()).toEqual(expected.flatMap((file) => [file, `${file}.map`]).sort());
    const others = files.filter((file) => !/^(dist|src)(\/|$)/.test(file));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    const sources = files.filter((file) => /^src\/.*\.\w+$/.test(file));
    expect(sources.filter((file) => !file.endsWith('.ts') || file.includes('.spec.'))).toEqual([]);
    for (const file of outputs) {
      const text = readFileSync(installed(name, file), 'utf8');
      const { sources = [''] } = file.endsWith('.map') ? (JSON.parse(text) as { sources: string[] }) : {};
      expect([file, ...sources.filter((source) => !existsSync(installed(name, 'dist', source)))]).toEqual([file]);
      // Of two classes of one name in one file the bundler renames one; so it would stand in messages and logs.
      if (file.endsWith('.js')) expect(text).not.toMatch(/class \w+\$\d+/);
    }
  },
);

test('npm pack refuses a package without a build, and with an outdated one', async () => {
  const folder = join(home, 'unbuilt');
  const check = () => run(process.execPath, [join(root, 'scripts/check-built.js')], { cwd: folder });
  await mkdir(join(folder, 'src'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"name":"unbuilt","main":"./dist/index.js"}');
  await writeFile(join(folder, 'src/index.ts'), '');
  await expect(check()).rejects.toThrow('unbuilt cannot be packed: ./dist/index.js does not exist');
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'dist/index.js'), '');
  await check();
  await utimes(join(folder, 'src/index.ts'), 9e9, 9e9);
  await expect(check()).rejects.toThrow('./dist/index.js is older than the sources');
  for (const name of [...ENTRIES.keys(), ...COMMANDS]) {
    expect(manifestIn(join(root, 'packages', name))['scripts']).toEqual({
      prepack: 'node ../../scripts/check-built.js',
    });
  }
});

test('@nestwright/migrate moves a project', async () => {
  const cwd = join(home, 'moving');
  await mkdir(cwd);
  const command = () => run(process.execPath, [installed(COMMAND, 'dist/cli.js')], { cwd });
  await expect(command()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('no package.json') });
  await writeFile(join(cwd, 'package.json'), '{ "dependencies": { "@dataui/crud": "5.3.4" } }\n');
  await writeFile(join(cwd, 'a.ts'), "import { Crud } from '@dataui/crud';\n");
  expect((await command()).stdout).toMatch(/^2 files changed\./);
  expect(await readFile(join(cwd, 'a.ts'), 'utf8')).toBe("import { Crud } from '@nestwright/crud';\n");
  const { version } = manifestIn(installed(COMMAND));
  expect(manifestIn(cwd)).toEqual({ dependencies: { '@nestwright/crud': `^${String(version)}` } });
}, 60_000);

/** What each path gives in a project. */
async function load(folder: string, format: Format): Promise<Loaded> {
  const code = (paths: readonly string[]) => `
    const all = {};
    for (const path of ${JSON.stringify(paths)})
      try {
        const names = Object.keys(${format === 'module' ? 'await import(path)' : 'require(path)'});
        all[path] = names.filter((name) => !['default', 'module.exports', '__esModule'].includes(name)).sort();
      } catch (error) {
        all[path] = error.code ?? error.stack;
      }
    process.stdout.write(JSON.stringify(all), () => process.exit());
  `;
  const printed = await Promise.all(ASKED_TOGETHER.map((paths) => node(folder, format, code(paths))));
  return Object.assign({}, ...printed.map((each) => JSON.parse(each) as Loaded)) as Loaded;
}

test('a bundler takes of the builder and the client what is imported, and no more', async () => {
  const sizeOf = async (names: string, from = 'crud-request'): Promise<number> =>
    gzipSync(await bundleIn(full, `export { ${names} } from '@nestwright/${from}'`), { level: 9 }).length;
  expect(await sizeOf('QueryBuilder')).toBeLessThan(2.6 * 1024);
  expect(await sizeOf('RequestQueryBuilder')).toBeLessThan(3.5 * 1024);
  // Cursors and aggregates are parsed by default, hence more than 7 KB.
  expect(await sizeOf('RequestQueryBuilder, RequestQueryParser')).toBeLessThan(8.1 * 1024);
  expect(await sizeOf('crudClient, CrudError', 'client')).toBeLessThan(5 * 1000);
});

// The process ends by itself, or the test by its time: nothing may hang on after close(). Formats may be mixed, as by a CommonJS library between an
// application and the service: each copy of a package has classes of its own.
test.each(['module module', 'commonjs commonjs', 'module commonjs'])(
  'an application with a service, as %s, answers, closes and lets the process end',
  async (formats) => {
    const [format, ofService] = formats.split(' ') as Parameters<typeof applicationAs>;
    const note = { id: 1, text: 'a' };
    expect(JSON.parse(await node(bare, format, applicationAs(format, ofService)))).toEqual([
      [201, note],
      [200, [note]],
      [200, note],
      [404, expect.objectContaining({ code: 'CRUD_NOT_FOUND' })],
      [400, expect.objectContaining({ code: 'CRUD_INVALID_PARAM' })],
    ]);
  },
);

// Under the other resolutions, Are the types wrong? has resolved them already. Without skipLibCheck the packages' declarations themselves are checked,
// which must not need a peer that is not there.
test('types resolve and are right in ES modules and in CommonJS', async () => {
  const source = `
    import { Crud, type CrudController } from '@nestwright/crud';
    import type { Catalog } from '@nestwright/crud/adapter';
    import { TypeOrmCrudService } from '@nestwright/crud-typeorm';

    class User { id!: number }
    export class UsersService extends TypeOrmCrudService<User> {}
    @Crud({ model: { type: User } })
    export class UsersController implements CrudController<User> {
      constructor(public service: UsersService) {}
    }
    // @ts-expect-error The types are there: a map is no list.
    export const columnsOf = (catalog: Catalog): readonly string[] => catalog.columns;
  `;
  for (const file of ['esm.mts', 'cjs.cts']) await writeFile(join(bare, file), source);
  const flags =
    '--strict --noEmit --experimentalDecorators --target es2022 --types node --module nodenext esm.mts cjs.cts';
  const command = [join(root, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), '--pretty', 'false'];
  const { stdout } = await run(process.execPath, command, { cwd: bare, maxBuffer: 1 << 26 }).catch(
    (error: { stdout: string }) => error,
  );
  // Other libraries' declarations are theirs.
  expect(stdout.split('\n').filter((line) => /^(esm|cjs)\.|^error|@nestwright/.test(line))).toEqual([]);
}, 120_000);
