import { beforeEach, describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import type { Tree } from '../src/application.js';
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

class Files implements Tree {
  private readonly texts: Map<string, string>;

  constructor(files: Record<string, string>) {
    this.texts = new Map(Object.entries(files));
  }

  get paths(): string[] {
    return [...this.texts.keys()].sort();
  }

  exists(path: string): boolean {
    return this.texts.has(path);
  }

  readText(path: string): string {
    return this.texts.get(path)!;
  }

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

function onTypeOrm(more: object = {}): Files {
  return new Files({
    '/package.json': manifest(['@nestwright/crud-typeorm', 'pg'], more),
    '/src/app.module.ts': APP_MODULE,
  });
}

function onDrizzle(driver: string): Files {
  return new Files({
    '/package.json': manifest(['@nestwright/crud-drizzle', driver], { type: 'module' }),
    '/src/app.module.ts': APP_MODULE,
    '/src/database.ts': '',
    '/src/schema.ts': '// tables\n',
  });
}

const relativeImports = (text: string) =>
  ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'));

beforeEach(() => {
  warnings.length = 0;
});

describe('on TypeORM', () => {
  test('in CommonJS: five files, and the module in app.module.ts', async () => {
    const files = onTypeOrm();
    await resource({ name: 'books' })(files);
    expect(files.paths.filter((path) => path.includes('/books/'))).toEqual([
      '/src/books/book.entity.ts',
      '/src/books/books.controller.ts',
      '/src/books/books.module.ts',
      '/src/books/books.service.ts',
      '/src/books/books.test.ts',
    ]);
    expect(warnings).toEqual(['Add Book to the entities of TypeOrmModule, or set autoLoadEntities: true there.']);
    expect(files.readText('/src/app.module.ts')).toBe(`import { Module } from '@nestjs/common';
import {
  ConfigModule,
} from '@nestjs/config';
import { BooksModule } from './books/books.module';

@Module({
  imports: [ConfigModule.forRoot(), BooksModule],
})
export class AppModule {}
`);
    expect(
      files.paths.flatMap((path) => relativeImports(files.readText(path))).filter((name) => name.endsWith('.js')),
    ).toEqual([]);
  });

  test('in ES modules every relative import ends in .js, and leads to a file', async () => {
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
  ])('the test is one of %s where the application has it', async (runner, text) => {
    const files = onTypeOrm({ devDependencies: { [runner]: '*' } });
    await resource({ name: 'books' })(files);
    expect(files.readText('/src/books/books.spec.ts')).toContain(text);
  });

  test('nothing is said of entities where they load by themselves', async () => {
    const files = onTypeOrm();
    files.overwrite(
      '/src/app.module.ts',
      APP_MODULE.replace('ConfigModule.forRoot()', 'TypeOrmModule.forRoot({ autoLoadEntities: true })'),
    );
    await resource({ name: 'books' })(files);
    expect(warnings).toEqual([]);
  });

  test('no test is written where none is wanted', async () => {
    const files = onTypeOrm();
    await resource({ name: 'books', spec: false })(files);
    expect(files.exists('/src/books/books.test.ts')).toBe(false);
  });
});

describe('on Drizzle', () => {
  test.each([
    ['better-sqlite3', 'sqliteTable', 'sqlite-core'],
    ['pg', 'pgTable', 'pg-core'],
    ['mysql2', 'mysqlTable', 'mysql-core'],
  ])('with %s', async (driver, table, core) => {
    const files = onDrizzle(driver);
    await resource({ name: 'books' })(files);
    const schema = files.readText('/src/books/books.schema.ts');
    expect(schema).toContain(`${table}('books'`);
    expect(schema).toContain(`drizzle-orm/${core}`);
    expect(files.readText('/src/schema.ts')).toBe("// tables\n\nexport * from './books/books.schema.js';\n");
  });
});

describe('refuses, and writes nothing', () => {
  let files: Files;
  beforeEach(() => {
    files = onTypeOrm();
  });

  test('an application without a service of nestwright', async () => {
    const other = new Files({ '/package.json': manifest(['typeorm']), '/src/app.module.ts': APP_MODULE });
    await expect(resource({ name: 'books' })(other)).rejects.toThrow('install @nestwright/crud and one of them first');
    expect(other.paths.length).toBe(2);
  });

  test('an application without the file that the resource is added to', async () => {
    await expect(resource({ name: 'books', sourceRoot: 'apps' })(files)).rejects.toThrow(
      'apps/app.module.ts is missing, to which a resource is added',
    );
    expect(files.paths.length).toBe(2);
  });

  test('a resource that is there', async () => {
    files.create('/src/books/books.service.ts', '// mine');
    await expect(resource({ name: 'books' })(files)).rejects.toThrow('src/books/books.service.ts is there already');
    expect(files.paths.length).toBe(3);
    expect(files.readText('/src/app.module.ts')).toBe(APP_MODULE);
  });

  test('a name that is none', async () => {
    await expect(resource({ name: "a'b" })(files)).rejects.toThrow('cannot name a resource');
    expect(files.paths.length).toBe(2);
  });
});
