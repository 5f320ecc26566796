import { beforeEach, expect, test } from '@jest/globals';
import ts from 'typescript';
import type { Tree } from '../src/application.js';
import { namesOf } from '../src/names.js';
import { resource as rule, type ResourceOptions } from '../src/resource.js';

const warnings: string[] = [];

/** As the CLI runs it. */
const resource = (options: ResourceOptions) => (tree: Tree) =>
  rule(options)(tree, { logger: { warn: (message) => warnings.push(message) } });

const APP_MODULE = `import { join } from 'node:path';
import { Module } from '@nestjs/common';
import {
  ConfigModule,
} from '@nestjs/config';

@Module({
  imports: [ConfigModule.forRoot()],
})
export class AppModule {}
`;

/** The files of an application, by their paths. */
class Files extends Map<string, string> implements Tree {
  readonly exists = (path: string) => this.has(path);
  readonly create = (path: string, text: string) => void this.set(path, text);
  readonly overwrite = this.create;

  readText(path: string): string {
    if (!this.has(path)) throw new Error(`${path} is missing`);
    return this.get(path)!;
  }

  get paths(): string[] {
    return [...this.keys()].sort();
  }
}

const makeFiles = (files: Record<string, string>) => new Files(Object.entries(files));

const manifest = (dependencies: string[], more: object = {}) =>
  JSON.stringify({ dependencies: Object.fromEntries(dependencies.map((name) => [name, '*'])), ...more });

const onTypeOrm = (more: object = {}) =>
  makeFiles({ '/package.json': manifest(['@nestwright/crud-typeorm', 'pg'], more), '/src/app.module.ts': APP_MODULE });

const importsOf = (text: string) => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
const relativeImports = (text: string) => importsOf(text).filter((name) => name.startsWith('.'));
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
  ['node', 'test', ['node:assert/strict', 'node:net', 'node:test'], 'equal(response.status, 200);', 'before('],
  ['vitest', 'spec', ['node:net', 'vitest'], 'expect(response.status).toBe(200);', 'beforeAll('],
  ['jest', 'spec', ['node:net'], 'expect(response.status).toBe(200);', 'beforeAll('],
])('on TypeORM: the test is one of %s where that is there', async (runner, ending, imports, asserted, hook) => {
  const files = onTypeOrm({ devDependencies: { [runner]: '*' } });
  await resource({ name: 'books' })(files);
  const text = files.readText(`/src/books/books.${ending}.ts`);
  expect(importsOf(text)).toEqual([...imports, '@nestjs/common', '@nestjs/core', '../app.module']);
  for (const line of [`\n${hook}`, `  ${asserted}\n`, '/books`);\n']) expect(text).toContain(line);
});

test('on TypeORM: the module comes behind the last import, however that is written', async () => {
  const head = 'import { Module } from "@nestjs/common"\nimport * as a from "a"\nimport "b"\n';
  const tail = `\nexport const x = { y: 1 } as unknown as 'z';\n`;
  const files = onTypeOrm();
  files.overwrite('/src/app.module.ts', `${head}\n@Module({})\nexport class AppModule {}\n${tail}`);
  await resource({ name: 'companies', path: 'sales' })(files);
  expect(files.readText('/src/app.module.ts').split('\n@Module')[0]).toBe(
    `${head}import { CompaniesModule } from './sales/companies/companies.module';\n`,
  );
  const controller = files.readText('/src/sales/companies/companies.controller.ts');
  expect(controller).toContain("@Crud({ model: { type: Company } })\n@Controller('companies')\nexport");
  expect(relativeImports(controller)).toEqual(['./companies.service', './company.entity']);
  expect(files.readText('/src/sales/companies/companies.module.ts')).toBe(`import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Company } from './company.entity';
import { CompaniesController } from './companies.controller';
import { CompaniesService } from './companies.service';

@Module({
  imports: [TypeOrmModule.forFeature([Company])],
  controllers: [CompaniesController],
  providers: [CompaniesService],
})
export class CompaniesModule {}
`);
});

test('on TypeORM: no hint about entities that load by themselves, and no test where `spec` is false', async () => {
  const loading = 'TypeOrmModule.forRoot({ autoLoadEntities: true })';
  for (const path of ['/src/app.module.ts', '/src/database.ts']) {
    const texts = { '/src/app.module.ts': APP_MODULE, [path]: APP_MODULE.replace('ConfigModule.forRoot()', loading) };
    const files = makeFiles({ '/package.json': manifest(['@nestwright/crud-typeorm']), ...texts });
    await resource({ name: 'books', spec: false })(files);
    expect([warnings, files.exists('/src/books/books.test.ts')]).toEqual([[], false]);
  }
});

const SQLITE = `import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const bookItems = sqliteTable('book_items', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 200 }).notNull(),
});
`;
test.each([
  ['better-sqlite3', SQLITE],
  ['pg', "import { pgTable, serial, varchar } from 'drizzle-orm/pg-core';\n"],
  ['postgres', "= pgTable('book_items', {\n  id: serial().primaryKey(),\n"],
  ['@electric-sql/pglite', '  name: varchar({ length: 200 }).notNull(),\n'],
  ['mysql2', "= mysqlTable('book_items', {\n  id: int().autoincrement().primaryKey(),\n"],
])('on Drizzle, with %s', async (driver, schema) => {
  const files = makeFiles({
    '/package.json': manifest(['@nestwright/crud-drizzle', driver], { type: 'module' }),
    '/src/app.module.ts': APP_MODULE,
    '/src/database.ts': '',
    '/src/schema.ts': '// tables\n',
  });
  await resource({ name: 'bookItems' })(files);
  const folder = '/src/book-items/book-items';
  const own = (kind: string) => `./book-items.${kind}.js`;
  expect(files.readText(`${folder}.schema.ts`)).toContain(schema);
  expect(files.readText('/src/schema.ts')).toBe("// tables\n\nexport * from './book-items/book-items.schema.js';\n");
  expect([warnings, files.paths.filter((path) => path.endsWith('entity.ts'))]).toEqual([[], []]);
  expect(relativeImports(files.readText(`${folder}.controller.ts`))).toEqual(['schema', 'service'].map(own));
  expect(files.readText(`${folder}.controller.ts`)).toContain("type: bookItems } })\n@Controller('book-items')\n");
  expect(relativeImports(files.readText(`${folder}.service.ts`))).toEqual(['../database.js', own('schema')]);
  expect(files.readText(`${folder}.module.ts`)).toContain('@Module({\n  controllers: [BookItemsController],\n');
});

const ON_DRIZZLE = { '/package.json': manifest(['@nestwright/crud-drizzle']), '/src/database.ts': '' };

test.each<[message: string, options: Partial<ResourceOptions>, files: Record<string, string>]>([
  ['install @nestwright/crud and one of them first', {}, { '/package.json': manifest(['typeorm']) }],
  ['apps/app.module.ts is missing, to which a resource is added', { sourceRoot: 'apps' }, {}],
  ['src/books/books.service.ts is there already', {}, { '/src/books/books.service.ts': '// mine' }],
  ['src/schema.ts is missing, to which a resource is added', {}, ON_DRIZZLE],
  ['has no @Module() with an object in it', {}, { '/src/app.module.ts': 'export class AppModule {}' }],
  ['cannot name a resource', { name: "a'b" }, {}],
])('nothing is written: %s', async (message, options, more) => {
  const manifestText = manifest(['@nestwright/crud-typeorm', 'pg']);
  const texts = { '/package.json': manifestText, '/src/app.module.ts': APP_MODULE, ...more };
  const files = makeFiles(texts);
  await expect(resource({ name: 'books', ...options })(files)).rejects.toThrow(message);
  expect(Object.fromEntries(files)).toEqual(texts);
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
  ['URLs', 'url', 'Urls', 'Url', 'urls'],
  ['web2Pages', 'web2-page', 'Web2Pages', 'Web2Page', 'web2Pages'],
  ['movies-boxes-lists', 'movies-boxes-list', 'MoviesBoxesLists', 'MoviesBoxesList', 'moviesBoxesLists'],
  ['staff', 'staff-item', 'Staff', 'StaffItem', 'staff'],
])('%s', (name, singular, Plural, Singular, table) =>
  expect(namesOf(name)).toMatchObject({ singular, Plural, Singular, table }),
);

test.each(['', '2books', 'a b', "a'b", '../books', 'bücher', 'a--b'])('%j names no resource', (name) =>
  expect(() => namesOf(name)).toThrow(`${JSON.stringify(name)} cannot name a resource`),
);
