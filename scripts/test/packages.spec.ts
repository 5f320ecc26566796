/** The packages as their users install them: packed, unpacked beside their peers, then loaded and type-checked as ES module and CommonJS. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { TESTS_ALL } from '../../integration/test-support/tests-asked-for.js';
import { applicationAs, MIXED_APPLICATION, TYPED_SOURCE } from './applications-of-packages.js';
import { docComments } from './doc-comments.js';
import { bundleIn, COMMAND, ENTRIES, nameOf, node, npm, pack, project, root, run, tarballOf } from './packed.js';

const OPTIONAL_PEERS = ['@nestjs/typeorm'];

type Format = 'module' | 'commonjs';

/** What a package may hold: sources, and outputs that weigh twice as much (two formats, their maps, declarations). */
const LIMITS = { files: 320, outputs: 2.2 };

let home: string;
/** A project that has everything installed, and one without the optional peers. */
let full = 'not packed';
let bare = 'not packed';

/** What a path gives: its names, each with the own name of a function, or the code of an error. */
type Exported = [name: string, own: string][];
type Loaded = Readonly<Record<string, Exported | string>>;

let loaded: { full: Record<Format, Loaded>; bare: Record<Format, Loaded>; withoutOrm: Loaded };

/** Why there is nothing to look at, told by one test instead of by all. */
let broken: unknown;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'nestwright-packages-'));
  try {
    await pack(home);
    full = await project(home, 'full', []);
    bare = await project(home, 'bare', OPTIONAL_PEERS);
    const withoutOrm = await project(home, 'without-orm', ['typeorm', '@nestjs/typeorm']);
    const both = async (folder: string) => ({
      module: await load(folder, 'module'),
      commonjs: await load(folder, 'commonjs'),
    });
    loaded = { full: await both(full), bare: await both(bare), withoutOrm: await load(withoutOrm, 'module') };
  } catch (error) {
    broken = error;
  }
}, 600_000);

test('the packages build and pack', () => {
  if (broken !== undefined) throw broken;
});

afterAll(() => rm(home, { recursive: true, force: true }));

/** Each entry: its package, itself, how it is imported, a name that it exports. */
const PLACES = [...ENTRIES].flatMap(([name, entries]) =>
  Object.entries(entries).map(([entry, main]) => ({ name, entry, path: nameOf(name, entry), main })),
);
const PRIVATE = ['dist/index.js', 'dist/index.cjs', 'dist/shared.js', 'src/index.ts', 'index'];
const PRIVATE_PATHS = [...ENTRIES.keys()].flatMap((name) => PRIVATE.map((file) => `@nestwright/${name}/${file}`));
/** What one process is asked for: an entry, which must load alone, or all that is private; everything at once unless everything is tested. */
const ASKED_TOGETHER = TESTS_ALL
  ? [...PLACES.map(({ path }) => [path]), PRIVATE_PATHS]
  : [[...PLACES.map(({ path }) => path), ...PRIVATE_PATHS]];

describe.each(PLACES)('$path', ({ name, entry, path, main }) => {
  test('gives the same names as ES module and as CommonJS, with and without the optional peers', () => {
    const names = namesOf(loaded.full.module[path]);
    expect(names).toContain(main);
    for (const { [path]: exported } of [loaded.full.commonjs, loaded.bare.module, loaded.bare.commonjs])
      expect(namesOf(exported)).toEqual(names);
  });

  test('has declarations that keep the doc comments', async () => {
    const source = docComments(join(root, `packages/${name}/dist/modules/${entry}.d.ts`));
    expect(source.get(main)).toMatch(/@example/);
    for (const extension of ['d.ts', 'd.cts']) {
      const published = docComments(join(full, `node_modules/@nestwright/${name}/dist/${entry}.${extension}`));
      expect([...published.keys()].sort()).toEqual([...source.keys()].sort());
      for (const [path, comment] of source)
        if (comment !== '') expect([path, published.get(path)]).toEqual([path, comment]);
    }
  });

  test('has classes and functions of the names that they are exported by', () => {
    const exported = loaded.full.module[path] as Exported;
    expect(exported.filter(([name, own]) => own !== '' && name !== own)).toEqual([]);
  });

  test('is dropped by a bundler where nobody uses it', async () => {
    expect(await bundled(`import { ${main} } from '${path}'`)).toBe('');
  });

  test('loads without an ORM, unless it is of one', () => {
    const names = name === 'crud-typeorm' ? 'ERR_MODULE_NOT_FOUND' : namesOf(loaded.full.module[path]);
    expect(namesOf(loaded.withoutOrm[path])).toEqual(names);
  });
});

test('publint and Are the types wrong? have nothing to say', async () => {
  const packed = async (name: string) => [
    name,
    join(full, 'node_modules/@nestwright', name),
    await tarballOf(home, name),
  ];
  const packages = await Promise.all([...ENTRIES.keys()].map(packed));
  const code = `
    import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
    import { readFileSync } from 'node:fs';
    import { publint } from 'publint';
    const all = {};
    for (const [name, folder, tarball] of ${JSON.stringify(packages)}) {
      const { messages } = await publint({ pkgDir: folder, pack: false, strict: true });
      const { problems, entrypoints } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
      all[name] = { messages, problems, entrypoints: Object.keys(entrypoints) };
    }
    console.log(JSON.stringify(all));
  `;
  const expected = [...ENTRIES].map(([name, entries]) => {
    const entrypoints = Object.keys(entries).map((entry) => (entry === 'index' ? '.' : `./${entry}`));
    return [name, { messages: [], problems: [], entrypoints: [...entrypoints, './package.json'] }];
  });
  expect(JSON.parse(await node(root, 'module', code))).toEqual(Object.fromEntries(expected));
}, 120_000);

test('no name is exported by two entries of a package', () => {
  const [index, adapter] = ['index', 'adapter'].map((entry) =>
    docComments(join(root, `packages/crud/dist/modules/${entry}.d.ts`)),
  );
  expect([...adapter!.keys()].filter((name) => index!.has(name))).toEqual([]);
});

describe.each([...ENTRIES])('@nestwright/%s', (name, entries) => {
  test.each(PRIVATE)('keeps %s private', (file) => {
    const deep = `@nestwright/${name}/${file}`;
    expect(loaded.full.module[deep]).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
    expect(loaded.full.commonjs[deep]).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  test('ships one file per entry and format with its declarations, and the sources that their maps lead to', async () => {
    const folder = join(full, 'node_modules/@nestwright', name);
    const files = (await readdir(folder, { recursive: true })).map((file) => file.replaceAll('\\', '/'));
    const sources = files.filter((file) => /^src\/.*\.\w+$/.test(file));
    expect(sources).toContain('src/index.ts');
    expect(sources.filter((file) => !/\.ts$/.test(file) || /\.spec\./.test(file))).toEqual([]);

    const shared = Object.keys(entries).length > 1 ? ['shared'] : [];
    const outputs = [...Object.keys(entries), ...shared].flatMap((file) =>
      ['js', 'cjs', 'd.ts', 'd.cts'].map((extension) => `${file}.${extension}`),
    );
    expect(files.filter((file) => /^dist\//.test(file)).sort()).toEqual(
      outputs.flatMap((file) => [`dist/${file}`, `dist/${file}.map`]).sort(),
    );
    const others = files.filter((file) => !/^(dist|src)(\/|$)/.test(file));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
  });

  test('is no larger than it needs to be', async () => {
    const folder = join(full, 'node_modules/@nestwright', name);
    const bytes: Record<string, number> = { dist: 0, src: 0 };
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    for (const file of files) {
      const path = join(file.parentPath, file.name);
      const [top = ''] = relative(folder, path).split(sep);
      bytes[top] = (bytes[top] ?? 0) + (await stat(path)).size;
    }
    expect(files.length).toBeLessThan(LIMITS.files);
    expect((bytes['dist'] ?? 0) / (bytes['src'] ?? 0)).toBeLessThan(LIMITS.outputs);
  });

  test('says who keeps it, how to fund it, that it has no side effects, and checks what it packs as its siblings do', async () => {
    const manifestOf = async (path: string) =>
      JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as { scripts: object };
    expect(await manifestOf(join(full, 'node_modules/@nestwright', name))).toMatchObject({
      license: 'MIT',
      author: expect.stringMatching(/nestwright/),
      funding: expect.stringMatching(/^https:/),
      engines: { node: '>=20.19' },
      sideEffects: false,
    });
    const { scripts } = await manifestOf(join(root, 'packages/crud'));
    expect((await manifestOf(join(root, 'packages', name))).scripts).toEqual(scripts);
  });

  // Of two classes of one name in one file the bundler renames one; so it would stand in messages and logs.
  test('has no class that the bundler renamed', async () => {
    const folder = join(full, 'node_modules/@nestwright', name, 'dist');
    for (const file of (await readdir(folder)).filter((each) => each.endsWith('.js')))
      expect((await readFile(join(folder, file), 'utf8')).match(/class \w+\$\d+/g)).toBe(null);
  });

  test('maps every output back to a source that it ships', async () => {
    const folder = join(full, 'node_modules/@nestwright', name, 'dist');
    const maps = (await readdir(folder)).filter((file) => file.endsWith('.map'));
    expect(maps.length).toBeGreaterThan(3);
    for (const map of maps) {
      const { sources } = JSON.parse(await readFile(join(folder, map), 'utf8')) as { sources: string[] };
      expect(sources.length).toBeGreaterThan(0);
      for (const source of sources) expect([map, existsSync(join(folder, dirname(map), source))]).toEqual([map, true]);
    }
  });
});

test('npm pack refuses a package without a build, and with an outdated one', async () => {
  const name = 'crud';
  const folder = join(home, 'unbuilt', name, 'packages', name);
  await cp(join(root, 'packages', name), folder, {
    recursive: true,
    filter: (path) => !/[\\/](dist|test|node_modules)([\\/]|$)/.test(path),
  });
  await mkdir(join(folder, '../../scripts'));
  await cp(join(root, 'scripts/check-built.js'), join(folder, '../../scripts/check-built.js'));
  await expect(npm(folder, 'pack')).rejects.toThrow(
    `@nestwright/${name} cannot be packed: ./dist/index.d.ts does not exist, ./dist/index.js does not exist, `,
  );

  await cp(join(full, 'node_modules/@nestwright', name, 'dist'), join(folder, 'dist'), { recursive: true });
  const later = new Date(Date.now() + 60_000);
  await utimes(join(folder, 'src/index.ts'), later, later);
  await expect(npm(folder, 'pack')).rejects.toThrow('./dist/index.cjs is older than the sources');
  expect((await readdir(folder)).filter((file) => file.endsWith('.tgz'))).toEqual([]);

  const earlier = new Date(0);
  await utimes(join(folder, 'src/index.ts'), earlier, earlier);
  await npm(folder, 'pack');
  expect((await readdir(folder)).filter((file) => file.endsWith('.tgz'))).toHaveLength(1);
}, 60_000);

describe('@nestwright/migrate', () => {
  const folder = () => join(full, 'node_modules/@nestwright', COMMAND);

  test('ships its command and the sources that its map leads to', async () => {
    const files = (await readdir(folder(), { recursive: true })).map((file) => file.replaceAll('\\', '/'));
    const others = files.filter((file) => !/^(dist|src)$|^src\/[\w-]+\.ts$/.test(file));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'dist/cli.js', 'dist/cli.js.map', 'package.json']);
    const { sources } = JSON.parse(await readFile(join(folder(), 'dist/cli.js.map'), 'utf8')) as { sources: string[] };
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((source) => !existsSync(join(folder(), 'dist', source)))).toEqual([]);
  });

  test.each([COMMAND, 'create-nestwright', 'schematics'])(
    '%s has the manifest of its siblings, and nothing to say for publint',
    async (name) => {
      const read = async (name: string) =>
        JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8')) as Record<string, unknown>;
      const [own, sibling] = [await read(name), await read('crud')];
      for (const key of 'version license author funding homepage bugs engines publishConfig type'.split(' '))
        expect([key, own[key]]).toEqual([key, sibling[key]]);

      const code = `
      import { publint } from 'publint';
      const { messages } = await publint({ pkgDir: ${JSON.stringify(join(root, 'packages', name))}, pack: false, strict: true });
      console.log(JSON.stringify(messages));
    `;
      expect(JSON.parse(await node(root, 'module', code))).toEqual([]);
    },
  );

  test('moves a project, shows what it would do, and refuses what is none', async () => {
    const project = join(home, 'moving');
    await mkdir(project);
    const command = (...args: string[]) =>
      run(process.execPath, [join(folder(), 'dist/cli.js'), ...args], { cwd: project }).then(
        ({ stdout }) => `0 ${stdout}`,
        ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => `${code} ${stdout}${stderr}`,
      );
    expect(await command()).toMatch(/^1 There is no package\.json in .*moving\./);
    expect(await command('a', 'b')).toBe('1 One folder at a time, not 2: a b\n');
    const address = 'http://127.0.0.1:1';
    expect(await command('compare', address, address, 'none.json')).toMatch(/^1 none\.json cannot be read: ENOENT/);

    const source = join(project, 'a.ts');
    const before = "import { Crud } from '@dataui/crud';\n";
    await writeFile(join(project, 'package.json'), '{ "dependencies": { "@dataui/crud": "5.3.4" } }\n');
    await writeFile(source, before);
    expect(await command('--dry-run')).toContain("+import { Crud } from '@nestwright/crud';");
    expect(await readFile(source, 'utf8')).toBe(before);

    expect(await command(project)).toMatch(/^0 2 files changed\./);
    expect(await readFile(source, 'utf8')).toBe("import { Crud } from '@nestwright/crud';\n");
    const { version } = JSON.parse(await readFile(join(folder(), 'package.json'), 'utf8')) as { version: string };
    const dependencies = { '@nestwright/crud': `^${version}` };
    expect(JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))).toEqual({ dependencies });
    expect(await command()).toMatch(/^0 Nothing names nestjsx\/crud/);

    await writeFile(source, `${before}const {`);
    expect(await command()).toMatch(/^1 a\.ts cannot be read: line 2: /);
  }, 60_000);
});

/** What each path gives in a project. */
async function load(folder: string, format: Format): Promise<Loaded> {
  const loaded = await Promise.all(ASKED_TOGETHER.map((paths) => loadTogether(folder, format, paths)));
  return Object.assign({}, ...loaded) as Loaded;
}

async function loadTogether(folder: string, format: Format, paths: readonly string[]): Promise<Loaded> {
  const code = `
    const all = {};
    const nameOf = (value) => (typeof value === 'function' ? value.name : '');
    for (const path of ${JSON.stringify(paths)})
      try {
        const found = Object.entries(${format === 'module' ? 'await import(path)' : 'require(path)'});
        all[path] = found.filter(([name]) => !['default', 'module.exports', '__esModule'].includes(name)).map(([name, value]) => [name, nameOf(value)]).sort();
      } catch (error) {
        all[path] = error.code ?? error.stack;
      }
    process.stdout.write(JSON.stringify(all), () => process.exit());
  `;

  return JSON.parse(await node(folder, format, code)) as Loaded;
}

const namesOf = (exported: Exported | string | undefined): unknown =>
  typeof exported === 'object' ? exported.map(([name]) => name) : exported;
const bundled = (script: string): Promise<string> => bundleIn(full, script);

test('a bundler takes of the builder and the client what is imported, and no more', async () => {
  const sizeOf = async (names: string, from = 'crud-request'): Promise<number> =>
    gzipSync(await bundled(`export { ${names} } from '@nestwright/${from}'`), { level: 9 }).length;
  expect(await sizeOf('QueryBuilder')).toBeLessThan(2.6 * 1024);
  expect(await sizeOf('RequestQueryBuilder')).toBeLessThan(3.5 * 1024);
  // Cursors and aggregates are parsed by default, hence more than 7 KB.
  expect(await sizeOf('RequestQueryBuilder, RequestQueryParser')).toBeLessThan(8.1 * 1024);
  expect(await sizeOf('crudClient, CrudError', 'client')).toBeLessThan(5 * 1000);
});

test.each(['module', 'commonjs'] as const)('the stack of an error leads to the line of a source (%s)', async (type) => {
  const code = `
    ${type === 'module' ? "const { RequestQueryBuilder } = await import('@nestwright/crud-request');" : "const { RequestQueryBuilder } = require('@nestwright/crud-request');"}
    try { RequestQueryBuilder.create().setLimit(-1) } catch (error) { console.log(error.stack) }
  `;
  const stack = await node(full, type, code, ['--enable-source-maps']);
  const [, path = 'no path', line] = /\((?:file:\/\/)?([^()]*crud-request\/src\/[^()]*?):(\d+):\d+\)/.exec(stack) ?? [];
  expect((await readFile(path, 'utf8')).split('\n')[Number(line) - 1]).toContain('throw new RequestQueryException');
});

describe.each(['module', 'commonjs'] as const)('an application as %s', (type) => {
  // The process ends by itself, or the test by its time: nothing may hang on after close().
  test.each(['full', 'bare'])('answers, closes and lets the process end (%s)', async (name) => {
    expect(await node(name === 'full' ? full : bare, type, applicationAs(type))).toBe('{"id":1} CRUD_INVALID_PARAM');
  });
});

// An application as ES module with a CommonJS library between it and the service, or with two versions: each copy of the package has classes of its own.
test('a service that was loaded in the other format answers with records', async () => {
  const note = { id: 1, text: 'a' };
  expect(JSON.parse(await node(full, 'module', MIXED_APPLICATION))).toEqual([
    [201, note],
    [200, [note]],
    [200, note],
    [404, expect.objectContaining({ code: 'CRUD_NOT_FOUND' })],
  ]);
});

describe('types', () => {
  /**
   * Under node16 no CommonJS file may name a type of an ES module, and Nest 12 is nothing but ES modules: what fails there is Nest's import, in
   * the user's own sources as in ours. nodenext knows that Node.js can require an ES module by now.
   */
  const NEST_IS_ESM = /error TS(1479|1541): .*(@nestjs\/|resolution-mode)/;

  /** Errors in the project's own sources and in the packages' declarations; other libraries' declarations are theirs. */
  async function check(folder: string, options: Record<string, unknown>): Promise<string[]> {
    for (const file of ['esm.mts', 'cjs.cts']) await writeFile(join(folder, file), TYPED_SOURCE);
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

  type Resolution = [name: string, options: Record<string, unknown>, folder: () => string];
  // Without skipLibCheck the packages' declarations themselves are checked, which must not need a peer that is not there.
  const resolutions: Resolution[] = [
    ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext', skipLibCheck: false }, () => bare],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: false }, () => full],
  ];
  const others: Resolution[] = [
    ['node16', { module: 'node16', moduleResolution: 'node16', skipLibCheck: false }, () => full],
    ['bundler, no peers', { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true }, () => bare],
  ];
  test.each(TESTS_ALL ? [...resolutions, ...others] : resolutions)(
    'resolve under %s',
    async (_name, options, folder) => {
      expect(await check(folder(), options)).toEqual([]);
    },
    120_000,
  );
});
