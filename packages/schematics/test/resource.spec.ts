import { beforeEach, expect, test } from '@jest/globals';
import ts from 'typescript';
import type { Tree } from '../src/application.js';
import { namesOf } from '../src/names.js';
import { resource as rule, type ResourceOptions } from '../src/resource.js';

const warnings: string[] = [];

/** As the CLI runs it. */
const resource = (options: ResourceOptions) => (tree: Tree) =>
  rule(options)(tree, { logger: { warn: (message) => warnings.push(message) } });

const APP_MODULE = `import { Module } from '@nestjs/common';
import {
  ConfigModule,
} from '@nestjs/config';

@Module({
  imports: [ConfigModule.forRoot()],
})
export class AppModule {}
`;

/** The files of an application, by their paths. */
class Files implements Tree {
  private readonly texts: Map<string, string>;
  constructor(files: Record<string, string>) {
    this.texts = new Map(Object.entries(files));
  }

  get paths(): string[] {
    return [...this.texts.keys()].sort();
  }
  readonly exists = (path: string) => this.texts.has(path);
  readonly readText = (path: string) => this.texts.get(path)!;
  create(path: string, text: string): void {
    if (this.texts.has(path)) throw new Error(`${path} is there`);
    this.texts.set(path, text);
  }

  overwrite(path: string, text: string): void {
    if (!this.texts.has(path)) throw new Error(`${path} is missing`);
    this.texts.set(path, text);
  }
}

const manifest = (dependencies: string[], more: object = {}) =>
  JSON.stringify({ dependencies: Object.fromEntries(dependencies.map((name) => [name, '*'])), ...more });

const onTypeOrm = (more: object = {}) =>
  new Files({ '/package.json': manifest(['@nestwright/crud-typeorm', 'pg'], more), '/src/app.module.ts': APP_MODULE });

const relativeImports = (text: string) =>
  ts.preProcessFile(text).importedFiles.flatMap(({ fileName }) => (fileName.startsWith('.') ? [fileName] : []));
beforeEach(() => void (warnings.length = 0));

test('on TypeORM: in CommonJS: five files, and the module in app.module.ts', async () => {
  const files = onTypeOrm();
  await resource({ name: 'books' })(files);
  const written = ['book.entity', 'books.controller', 'books.module', 'books.service', 'books.test'];
  const paths = written.map((name) => `/src/books/${name}.ts`);
  expect(files.paths.filter((path) => path.includes('/books/'))).toEqual(paths);
  expect(warnings).toEqual(['Add Book to the entities of TypeOrmModule, or set autoLoadEntities: true there.']);
  const after = APP_MODULE.replace("config';\n", "config';\nimport { BooksModule } from './books/books.module';\n");
  expect(files.readText('/src/app.module.ts')).toBe(after.replace('forRoot()', 'forRoot(), BooksModule'));
  const imports = files.paths.flatMap((path) => relativeImports(files.readText(path)));
  expect(imports.filter((name) => name.endsWith('.js'))).toEqual([]);
});

test('on TypeORM: in ES modules every relative import ends in .js, and leads to a file', async () => {
  const files = onTypeOrm({ type: 'module' });
  await resource({ name: 'library/reading-rooms' })(files);
  expect(files.exists('/src/library/reading-rooms/reading-room.entity.ts')).toBe(true);
  for (const path of files.paths.filter((each) => each.startsWith('/src'))) {
    const missing = relativeImports(files.readText(path))
      .map((name) => new URL(name, `file://${path}`).pathname)
      .filter((name) => !name.endsWith('.js') || !files.exists(name.replace(/\.js$/, '.ts')));
    expect([path, missing]).toEqual([path, []]);
  }
});

test.each([
  ['vitest', "from 'vitest'"],
  ['jest', 'expect('],
])('on TypeORM: the test is one of %s where the application has it', async (runner, text) => {
  const files = onTypeOrm({ devDependencies: { [runner]: '*' } });
  await resource({ name: 'books' })(files);
  expect(files.readText('/src/books/books.spec.ts')).toContain(text);
});

test('on TypeORM: nothing is said of entities where they load by themselves; no test is written where none is wanted', async () => {
  const files = onTypeOrm();
  const loading = 'TypeOrmModule.forRoot({ autoLoadEntities: true })';
  files.overwrite('/src/app.module.ts', APP_MODULE.replace('ConfigModule.forRoot()', loading));
  await resource({ name: 'books', spec: false })(files);
  expect([warnings, files.exists('/src/books/books.test.ts')]).toEqual([[], false]);
});

test.each([
  ['better-sqlite3', 'sqliteTable', 'sqlite-core'],
  ['pg', 'pgTable', 'pg-core'],
  ['mysql2', 'mysqlTable', 'mysql-core'],
])('on Drizzle, with %s', async (driver, table, core) => {
  const files = new Files({
    '/package.json': manifest(['@nestwright/crud-drizzle', driver], { type: 'module' }),
    '/src/app.module.ts': APP_MODULE,
    '/src/database.ts': '',
    '/src/schema.ts': '// tables\n',
  });
  await resource({ name: 'books' })(files);
  const schema = files.readText('/src/books/books.schema.ts');
  expect(schema).toContain(`${table}('books'`);
  expect(schema).toContain(`drizzle-orm/${core}`);
  expect(files.readText('/src/schema.ts')).toBe("// tables\n\nexport * from './books/books.schema.js';\n");
});

test.each<[string, ResourceOptions, Record<string, string>, string]>([
  [
    'an application without a service of nestwright',
    { name: 'books' },
    { '/package.json': manifest(['typeorm']) },
    'install @nestwright/crud and one of them first',
  ],
  [
    'an application without the file that the resource is added to',
    { name: 'books', sourceRoot: 'apps' },
    {},
    'apps/app.module.ts is missing, to which a resource is added',
  ],
  [
    'a resource that is there',
    { name: 'books' },
    { '/src/books/books.service.ts': '// mine' },
    'src/books/books.service.ts is there already',
  ],
  ['a name that is none', { name: "a'b" }, {}, 'cannot name a resource'],
])('%s is refused, and nothing is written', async (_, options, more, message) => {
  const texts = {
    '/package.json': manifest(['@nestwright/crud-typeorm', 'pg']),
    '/src/app.module.ts': APP_MODULE,
    ...more,
  };
  const files = new Files(texts);
  await expect(resource(options)(files)).rejects.toThrow(message);
  expect(Object.fromEntries(files.paths.map((path) => [path, files.readText(path)]))).toEqual(texts);
});

test.each([
  ['books', 'book', 'Books', 'Book', 'books'],
  ['libraryCards', 'library-card', 'LibraryCards', 'LibraryCard', 'libraryCards'],
  ['library_cards', 'library-card', 'LibraryCards', 'LibraryCard', 'libraryCards'],
  ['companies', 'company', 'Companies', 'Company', 'companies'],
  ['addresses', 'address', 'Addresses', 'Address', 'addresses'],
  ['boxes', 'box', 'Boxes', 'Box', 'boxes'],
  ['houses', 'house', 'Houses', 'House', 'houses'],
  ['status', 'status-item', 'Status', 'StatusItem', 'status'],
  ['staff', 'staff-item', 'Staff', 'StaffItem', 'staff'],
])('%s', (name, singular, Plural, Singular, table) =>
  expect(namesOf(name)).toMatchObject({ singular, Plural, Singular, table }),
);

test.each(['', '2books', 'a b', "a'b", '../books', 'bücher', 'a--b'])('%j names no resource', (name) =>
  expect(() => namesOf(name)).toThrow(`${JSON.stringify(name)} cannot name a resource`),
);
