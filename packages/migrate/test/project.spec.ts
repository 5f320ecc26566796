/** Whole projects: what is read, what is refused, and that a second run changes nothing. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readProject } from '../src/project-files.js';
import { report } from '../src/report.js';
import { move, SERVER, type Texts } from './moved.js';

const LINES = [
  "import { Crud, CrudController } from '@nestjsx/crud';",
  'import {\n  CrudAuth,\n  Override,\n} from "@dataui/crud";',
  "import { CrudRoutesFactory } from '@nestjsx/crud/lib/crud';",
  "import { R, Swagger } from '@nestjsx/crud/lib/crud';",
  "import { R, CrudRoutesFactory as Routes } from '@nestjsx/crud/lib/crud';",
  "import type { JoinOptions } from '@nestjsx/crud/lib/interfaces';",
  "import { TypeOrmCrudService } from '@nestjsx/crud-typeorm';",
  "import { isNil, ClassType } from '@nestjsx/util';",
  "import * as util from '@dataui/crud-util';",
  "const { isString } = require('@nestjsx/util');",
  "const { unknown } = require('@nestjsx/util');",
  "jest.mock('@nestjsx/crud/lib/crud', () => ({}));",
  "import { ApiProperty, R as Router } from '@nestjsx/crud/lib/crud';",
  "import { AppModule } from './app.module';",
  'const { NESTJSX_PARSED_CRUD_REQUEST_KEY } = request;\nrequest.NESTJSX_PARSED_CRUD_REQUEST_KEY = 1;',
  "const key = request['NESTJSX_PARSED_CRUD_REQUEST_KEY'];",
  'export class A extends TypeOrmCrudService<User> {\n  /** Sorts. */\n  getSort() { return this.mapSort(); }\n}',
  "@Crud({ model: { type: User }, query: { cache: 1, join: { company: { alias: 'c' } }, sort: [{ field: 'c.name' }] } })\n@Controller(':a/users')\nexport class C {}",
  'CrudConfigService.load({\n  query: { limit: 5 },\n});',
  'CrudConfigService.load(config);',
  'CrudConfigService.config = {};',
  'const app = await NestFactory.create(AppModule);',
  '// @nestjsx/crud',
  'if (error instanceof QueryFailedError) throw error;',
];

test('a second run changes nothing', () => {
  const source = fc.subarray(LINES, { minLength: 1 }).map((lines) => `${lines.join('\n')}\n`);
  const project = fc.record({
    'package.json': fc.constantFrom(
      SERVER,
      '{"dependencies":{"@dataui/crud":"5","@nestjs/swagger":"11"}}',
      '{"dependencies":{"@dataui/crud-request":"5","@nestjsx/util":"4"}}',
      '{}',
    ),
    'src/a.ts': source,
    'src/b.js': source,
    'src/sub/c.tsx': source,
  });
  fc.assert(
    fc.property(project, (texts: Texts) => {
      const once = move(texts);
      expect(once.migration.errors).toEqual([]);
      expect(move(once.texts).texts).toEqual(once.texts);
    }),
    { numRuns: 50 },
  );
}, 120_000);

test('files that say nothing of upstream stay as they are, whatever they hold', () => {
  const texts = { 'package.json': SERVER, 'a.ts': 'const {', 'b.ts': "const a = '@nestwright/crud';" };
  expect(move(texts).migration.errors).toEqual([]);
  expect([...move(texts).migration.changes.keys()]).toEqual(['package.json']);
});

describe('what cannot be read is told by file and line, and nothing is to be written', () => {
  test('a source', () => {
    const { migration } = move({ 'package.json': SERVER, 'a.ts': "import { Crud } from '@nestjsx/crud';\nconst {\n" });
    expect(migration.errors).toEqual(["a.ts cannot be read: line 3: '}' expected."]);
    expect(report(migration, false)).toBe("a.ts cannot be read: line 3: '}' expected.\nNothing was written.\n");
  });

  test('a package.json', () => {
    const { migration } = move({ 'package.json': '{\n  "dependencies": ,\n}', 'a.ts': "import '@nestjsx/crud';" });
    expect(migration.errors).toEqual(['package.json cannot be read: line 2: ValueExpected']);
    expect(migration.changes.size).toBe(0);
  });
});

test('the report counts, names files and what to look at', () => {
  const { migration } = move({
    'package.json': SERVER,
    'a.ts':
      "import { TypeOrmCrudService } from '@nestjsx/crud-typeorm';\nclass A extends TypeOrmCrudService<X> {\n  setJoin() {}\n}\n",
    'tsconfig.json': '{\n  "types": ["@nestjsx/crud"]\n}',
  });
  const lines = report(migration, true).split('\n');
  expect(lines[0]).toBe('--- a.ts');
  expect(lines).toEqual(
    expect.arrayContaining([
      "-import { TypeOrmCrudService } from '@nestjsx/crud-typeorm';",
      "+import { TypeOrmCrudService } from '@nestwright/crud-typeorm';",
      '2 files would change; nothing was written.',
      '  a.ts: imports, 1 to look at',
      '  package.json: dependencies',
      'For a person to look at: 2',
      expect.stringMatching(/^ {2}a\.ts:3 setJoin is not called any more: .*#services$/),
      '  tsconfig.json:2 still names @nestjsx/crud',
    ]),
  );
  expect(report(move({ 'package.json': '{}' }).migration, false)).toBe(
    'Nothing names nestjsx/crud, @dataui/crud or @rewiko/crud: there is nothing to change.\n',
  );
});

describe('a folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nestwright-migrate-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };

  test('is read without what is installed, built or ignored', async () => {
    const sources = [
      'a.ts',
      'src/b.tsx',
      'src/c.cjs',
      'src/j.vue',
      'node_modules/d/e.js',
      'dist/f.js',
      'g.d.ts',
      'ignored/h.ts',
      '.hidden/i.ts',
    ];
    for (const path of [...sources, 'package.json', 'web/package.json', 'package-lock.json', 'tsconfig.json', 'k.html'])
      await write(path, '{}');
    await write('.gitignore', 'ignored\n');
    const { sources: found, manifests, others } = await readProject(folder);

    expect([...found.keys()]).toEqual(['.hidden/i.ts', 'a.ts', 'src/b.tsx', 'src/c.cjs', 'src/j.vue']);
    expect([...manifests.keys()]).toEqual(['package.json', 'web/package.json']);
    expect([...others.keys()]).toEqual(['k.html', 'tsconfig.json']);
  });

  test('that is none is refused', async () => {
    await expect(readProject(join(folder, 'none'))).rejects.toThrow(`${join(folder, 'none')} does not exist.`);
    await write('file', '');
    await expect(readProject(join(folder, 'file'))).rejects.toThrow(`${join(folder, 'file')} is not a folder.`);
    await expect(readProject(folder)).rejects.toThrow(
      `There is no package.json in ${folder}. Name the folder of the project: npx @nestwright/migrate <folder>`,
    );
  });

  test('that only holds others is refused with their names', async () => {
    for (const path of ['server', 'apps/web', 'node_modules/d', 'a/b/c']) await write(`${path}/package.json`, '{}');
    await expect(readProject(folder)).rejects.toThrow(
      `There is no package.json in ${folder}. There is one in apps/web, server: run the command for each of them: npx @nestwright/migrate <folder>`,
    );
  });
});
