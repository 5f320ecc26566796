/** Whole projects: what is read, what is refused. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../src/command.js';
import { migrate } from '../src/migrate.js';
import type { Manifest } from '../src/package-json.js';
import { readProject } from '../src/project-files.js';
import { mayWrite, report } from '../src/report.js';
import { move, SERVER } from './moved.js';

const RUN = { isDry: false, isForced: false };
test('files that say nothing of upstream stay as they are, whatever they hold', () => {
  const texts = { 'a.ts': 'const {', 'b.ts': "const a = '@nestwright/crud';", 'c.ts': "import '@nestjs/swagger';" };
  const { migration } = move({ 'package.json': SERVER, ...texts });
  expect([migration.errors, [...migration.changes.keys()]]).toEqual([[], ['package.json']]);
  expect(migration.changes.get('package.json')!.after).not.toContain('swagger');
});

test.each([
  ['a.ts', "import { Crud } from '@nestjsx/crud';\nconst {\n", "line 3: '}' expected."],
  ['package.json', '{\n  "dependencies": ,\n}', 'line 2: ValueExpected'],
  ['package.json', 'null', 'it is not an object'],
])('that %s cannot be read is told by file and line, and nothing is to be written', (path, text, mistake) => {
  const { migration } = move({ 'package.json': SERVER, 'b.ts': "import '@nestjsx/crud';", [path]: text });
  expect(migration.errors).toEqual([`${path} cannot be read: ${mistake}`]);
  expect(migration.changes.size).toBe(path === 'a.ts' ? 2 : 0);
  expect(report(migration, RUN)).toBe(`${path} cannot be read: ${mistake}\nNothing was written.\n`);
});

test('what was done is told for each file', () => {
  const alias = "query: { join: { company: { alias: 'c' } }, sort: [{ field: 'c.name' }] }";
  const { migration, texts } = move({
    'package.json': '{ "devDependencies": { "@nestjsx/crud-request": "4", "@nestwright/crud": "1" } }',
    'a.ts': `import { Crud } from '@nestjsx/crud';\n@Crud({ model: { type: User }, ${alias} })\nclass A {}\n`,
    'user.ts': 'class User {\n  @Transform(({ value }) => Number(value)) @Column() price: number;\n}\n',
    'c.ts':
      "import { Crud } from '@nestjsx/crud';\n@Crud({ query: { join: { a: { alias: 'a' } }, sort: [{ field: 'a.b' }] } })\nclass C {}\n",
    'r.ts': "import { R } from '@nestjsx/crud/lib/crud';\n",
    'key.ts': "import 'a';\nrequest['NESTJSX_PARSED_CRUD_REQUEST_KEY'];\n",
    'name.ts': "import 'a';\nrequest.NESTJSX_PARSED_CRUD_REQUEST_KEY;\n",
    'main.ts': "import { NestFactory } from '@nestjs/core';\nNestFactory.create(App);\n",
  });
  expect(Object.fromEntries([...migration.changes].map(([path, { what }]) => [path, what]))).toEqual({
    'package.json': ['dependencies'],
    'a.ts': ['imports', 'relations by path', 'formats'],
    'c.ts': ['imports'],
    'r.ts': ['comments'],
    'key.ts': ['imports'],
    'name.ts': ['imports'],
    'main.ts': ['start line'],
  });
  expect(migration.notes).toEqual([]);
  expect(report(migration, RUN)).toContain('\n  comments: 1 file\n');
  const again = move({ ...texts, 'r.ts': `${texts['r.ts']!}import '@nestjsx/crud';\n` }).migration;
  expect(again.changes.get('r.ts')!.what).toEqual(['imports']);
});

describe('the report', () => {
  const service = (from: string) => `import { TypeOrmCrudService } from '${from}/crud-typeorm';\n`;
  const start = `${service('@nestjsx')}class A extends TypeOrmCrudService<X> {\n`;
  const { migration } = move({
    'package.json': SERVER,
    'a.ts': `${start}  setJoin() {}\n}\n`,
    'b.ts': `${start}  getSort() {}\n  setJoin() {}\n}\n`,
    'tsconfig.json': '{\n  "types": ["@nestjsx/crud"]\n}',
  });
  const link = (section: string) => `https://github.com/nestwright/nestwright/blob/main/docs/${section}`;
  test('counts, and names once what a person must look at', () =>
    expect(report(migration, RUN)).toBe(`3 files changed.
  imports: 2 files
  comments: 2 files
  dependencies: package.json

For a person to look at: 3
  setJoin is not called any more: use query.join or an override of createBuilder; see ${link('migration-code.md#services')}
    a.ts:3, b.ts:5
  getSort is not called any more: use query.sort or an override of createBuilder; see ${link('migration-code.md#services')}
    b.ts:3
  tsconfig.json:2 still names @nestjsx/crud

Sections of the guide that concern this project: 7
  TypeScript
  At the start
  Services
  Reads
  Writes
  PUT
  Bulk bodies

Then install the packages, compile and start. The guide: ${link('migration.md#which-sections-to-read')}
`));

  test('shows what would change', () => {
    const text = report(migration, { ...RUN, isDry: true });
    const lines = `-${service('@nestjsx')}+${service('@nestwright')}`;
    expect(text.startsWith(`--- a.ts\n+++ a.ts\n@@ -1,3 +1,4 @@\n${lines}`)).toBe(true);
    expect(text).toContain('\n3 files would change; nothing was written.');
  });

  test('names versions that do not fit, before anything is written', () => {
    const old = move({ 'package.json': '{"dependencies":{"@nestjsx/crud":"4.6.2","typeorm":"0.2.45"}}' }).migration;
    const versions = `Versions that do not fit nestwright: 1
  package.json: dependencies.typeorm is 0.2.45, but must be ^0.3.20 || ^1.0.0

Upgrade them first, while the old library is still installed: Nest and TypeORM, then TypeScript. Run your tests, then this command.
If nestjsx/crud does not run on them, change to @dataui/crud for this step: its names are the same.
`;
    expect(report(old, RUN)).toBe(`${versions}\nNothing was written. To move without upgrading first: --force\n`);
    expect(mayWrite(old, RUN)).toBe(false);
    const forced = { isDry: false, isForced: true };
    for (const run of [{ ...RUN, isDry: true }, forced]) expect(report(old, run)).toContain(versions);
    expect([mayWrite(old, forced), mayWrite(old, { ...forced, isDry: true })]).toEqual([true, false]);
  });
});

/** The exit code of the command, and what it says. */
async function command(...args: string[]): Promise<[code: number, said: string]> {
  const said: string[] = [];
  const code = await run(args, (text) => said.push(text));
  return [code, said.join('')];
}

test('the command tells its version and its options', async () => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as Manifest;
  expect(await command('--version')).toEqual([0, `${String(version)}\n`]);
  expect(await command('--help')).toEqual([0, expect.stringContaining('\n  --help      prints this\n')]);
});

test.each([
  ['--help', 'stdout', /^Moves a project .*\n$/s, 0],
  ['--none', 'stderr', /^Unknown option '--none'.*\n$/s, 1],
] as const)('as a process, it prints and ends: %s', async (option, stream, text, code) => {
  const { argv, exitCode } = process;
  const write = jest.spyOn(process[stream], 'write').mockReturnValue(true);
  process.argv = ['node', 'migrate', option];
  await import(`../src/cli.ts?${option}`);
  const [written, ended] = [write.mock.calls, process.exitCode];
  Object.assign(process, { argv, exitCode });
  write.mockRestore();
  expect([written, ended]).toEqual([[[expect.stringMatching(text)]], code]);
});

test.each([
  [['a', 'b'], 'One folder at a time, not 2: a b'],
  [['compare', 'http://a', 'http://b'], 'compare takes two addresses and a file.\n\nMoves a project from nestjsx/crud'],
  [['compare', 'http://a', 'http://b', 'none.json'], 'none.json cannot be read: ENOENT'],
])('the command refuses %j', (args, message) => expect(command(...args)).rejects.toThrow(message));

describe('a folder', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'nestwright-migrate-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };

  test('is read without what is installed, built, ignored, or behind symbolic links', async () => {
    const sources = ['.hidden/i.ts', 'a.ts', 'src/c.cjs', 'src/j.vue'];
    const left = ['node_modules/d/e.js', 'dist/f.js', 'g.d.ts', 'ignored/h.ts', 'package-lock.json'];
    for (const path of [...sources, ...left, 'package.json', 'web/package.json', 'tsconfig.json', 'k.html'])
      await write(`project/${path}`, '{}');
    await write('project/.gitignore', 'ignored\n');
    for (const path of ['outside/secret.ts', 'outside/package.json']) await write(path, '{}');
    await symlink('.', join(folder, 'project/self'));
    await symlink(join(folder, 'outside'), join(folder, 'project/shared'));
    await symlink(join(folder, 'outside/secret.ts'), join(folder, 'project/secret.ts'));
    const found = await readProject(join(folder, 'project'));
    expect([...found.sources.keys()]).toEqual(sources);
    expect([...found.manifests.keys()]).toEqual(['package.json', 'web/package.json']);
    expect([...found.others.keys()]).toEqual(['k.html', 'tsconfig.json']);
  });

  test('is held against what is installed', async () => {
    const install = (path: string, manifest: object) => write(`${path}/package.json`, JSON.stringify(manifest));
    await install('api', {
      dependencies: { '@nestjsx/crud': '5', '@nestjs/jwt': '^8.0.0', passport: '1', typeorm: '^0.3.0' },
      devDependencies: { typescript: '^5.0.0' },
    });
    const peerDependencies = { '@nestjs/common': '^8.0.0' };
    await install('api/node_modules/@nestjs/jwt', { version: '8.0.1', peerDependencies });
    await install('api/node_modules/@nestjsx/crud', { version: '5.0.0', peerDependencies });
    await install('api/node_modules/passport', { version: '1.0.0', peerDependencies: { react: '^18' } });
    await install('node_modules/typescript', { version: '5.2.2' });
    await write('node_modules/typeorm/package.json', '{');
    expect(migrate(await readProject(join(folder, 'api')), '1.2.3').unfit).toEqual([
      'package.json: dependencies.@nestjs/jwt is 8.0.1, which only works with @nestjs/common ^8.0.0',
      'package.json: devDependencies.typescript is 5.2.2, but must be >=5.4.0',
    ]);
  });

  test('that is no project is refused', async () => {
    const refused = (path: string, message: string) => expect(readProject(join(folder, path))).rejects.toThrow(message);
    const hint = 'npx @nestwright/migrate <folder>';
    await refused('none', `${join(folder, 'none')} does not exist.`);
    await write('file', '');
    await refused('file', `${join(folder, 'file')} is not a folder.`);
    await refused('', `There is no package.json in ${folder}. Name the folder of the project: ${hint}`);
    for (const path of ['server', 'apps/web', 'node_modules/d', 'a/b/c']) await write(`${path}/package.json`, '{}');
    await symlink('server', join(folder, 'link'));
    const others = 'There is one in apps/web, server: run the command for each of them';
    await refused('', `There is no package.json in ${folder}. ${others}: ${hint}`);
    const manifest = join(folder, 'package.json');
    await symlink(join(folder, 'server/package.json'), manifest);
    await refused('', `${manifest} is a symbolic link: run the command where the file itself is.`);
  });

  test('is moved by the command, unless it only shows what would change, or versions do not fit', async () => {
    const texts = {
      'package.json': '{ "dependencies": { "@nestjsx/crud": "4" } }',
      'a.ts': "import '@nestjsx/crud';\n",
    };
    for (const [path, text] of Object.entries(texts)) await write(path, text);
    const moved = "import '@nestwright/crud';\n";
    const read = (path: string) => readFile(join(folder, path), 'utf8');
    expect(await command(folder, '--dry-run')).toEqual([0, expect.stringContaining(`\n+${moved}`)]);
    expect(await read('a.ts')).toBe(texts['a.ts']);
    expect(await command(folder)).toEqual([0, expect.stringMatching(/^2 files changed\.\n/)]);
    const [, version] = await command('--version');
    const dependencies = { '@nestwright/crud': `^${version.trim()}` };
    expect([await read('a.ts'), JSON.parse(await read('package.json'))]).toEqual([moved, { dependencies }]);
    await write('package.json', '{ "dependencies": { "@nestjsx/crud": "4", "typeorm": "0.2" } }');
    expect(await command(folder)).toEqual([1, expect.stringContaining('Nothing was written. To move ')]);
    expect(await command(folder, '--force')).toEqual([0, expect.stringContaining('\n1 file changed.\n')]);
    await write('a.ts', "import '@nestjsx/crud';\nconst {");
    const refused = [1, expect.stringMatching(/^a\.ts cannot be read: .*written\.\n$/s)];
    expect([await command(folder), await command(folder, '--dry-run')]).toEqual([refused, refused]);
    await write('package.json', '{');
    expect(await command(folder)).toEqual([1, expect.stringMatching(/^package\.json cannot be read: line 1: /)]);
  });
});
