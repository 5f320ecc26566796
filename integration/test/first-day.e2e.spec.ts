/** Ten mistakes of a first day: what an application says that makes one names the culprit, what to change, and a page that is there. */
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { PGlite } from '@electric-sql/pglite';
import { Controller, Injectable, Logger } from '@nestjs/common';
import type { INestApplication, ModuleMetadata, Provider, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getRepositoryToken, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Crud, type CrudOptions } from '@nestwright/crud';
import { DrizzleCrudService, modelOf } from '@nestwright/crud-drizzle';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { IsString } from 'class-validator';
import { relations } from 'drizzle-orm';
import { integer, pgTable, serial, text } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/pglite';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Column, DataSource, Entity, ManyToOne, PrimaryGeneratedColumn, Repository } from 'typeorm';
import { supportsPeers } from '../../packages/crud/src/startup/peer-checks.js';
import { leads, sectionsOf } from '../../scripts/test/markdown.js';

@Entity()
class Author {
  @PrimaryGeneratedColumn() id!: number;
  @Column() name!: string;
}

@Entity()
class Book {
  @PrimaryGeneratedColumn() id!: number;
  @Column() title!: string;
  @Column({ type: 'int', nullable: true }) authorId!: number | null;
  @ManyToOne(() => Author) author!: Author;
}

@Injectable()
class BooksService extends TypeOrmCrudService<Book> {
  constructor(@InjectRepository(Book) repo: Repository<Book>) {
    super(repo);
  }
}

const authors = pgTable('authors', { id: serial().primaryKey(), name: text() });
const books = pgTable('books', { id: serial().primaryKey(), title: text(), authorId: integer() });
const authorOfBooks = relations(books, ({ one }) => ({
  author: one(authors, { fields: [books.authorId], references: [authors.id] }),
}));

const client = new PGlite();
afterAll(() => client.close());

interface Setup {
  readonly options?: Record<string, unknown>;
  readonly path?: string;
  /** Classes of the constructor's parameters, as compilers emit them. */
  readonly parameters?: readonly unknown[];
  /** The controller's class. Default: one with a public property `service`. */
  readonly type?: Type<object>;
  readonly providers?: Provider[];
  readonly entities?: Type<object>[];
  readonly feature?: Type<object>[];
  readonly driver?: 'sqljs' | 'better-sqlite3';
}

const provide = (type: Type<object>): Provider => ({
  provide: type,
  useFactory: (repo: unknown) => new type(repo),
  inject: [getRepositoryToken(Book)],
});

function controllerOf({ options, path = 'books', parameters = [BooksService], type }: Setup): Type<object> {
  class BooksController {
    constructor(public service: unknown) {}
  }
  const made = type ?? BooksController;
  Reflect.defineMetadata('design:paramtypes', parameters, made);
  Controller(path)(made);
  Crud({ model: { type: Book }, ...options } as CrudOptions)(made);
  return made;
}

function typeorm({ providers = [BooksService], ...setup }: Setup): ModuleMetadata {
  const { entities = [Book, Author], feature = [Book], driver = 'sqljs' } = setup;
  const database = { type: driver, database: driver === 'sqljs' ? undefined : ':memory:' } as { type: 'sqljs' };
  const connected = TypeOrmModule.forRoot({ ...database, entities, synchronize: true, retryAttempts: 1 });
  const imports = [connected, TypeOrmModule.forFeature(feature)];
  return { imports, controllers: [controllerOf(setup)], providers };
}

function ofDrizzle(join: object, make: () => object, model = () => modelOf(books)): ModuleMetadata {
  const setup = { options: { model: { type: model() }, query: { join } }, parameters: [DrizzleCrudService] };
  return { controllers: [controllerOf(setup)], providers: [{ provide: DrizzleCrudService, useFactory: make }] };
}

async function started(metadata: ModuleMetadata, work: (app: INestApplication) => Promise<void>): Promise<void> {
  const app = (await Test.createTestingModule(metadata).compile()).createNestApplication({ logger: false });
  try {
    await app.listen(0, '127.0.0.1');
    await work(app);
  } finally {
    await app.close();
  }
}

/** All that an application says: its warnings, and why it does not start. */
async function told(metadata: () => ModuleMetadata): Promise<string> {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  try {
    await started(metadata(), () => Promise.resolve());
    return warn.mock.calls.map(([message]) => String(message)).join('\n');
  } catch (thrown) {
    return (thrown as Error).message;
  } finally {
    warn.mockRestore();
    error.mockRestore();
  }
}

class Ruleless {
  title!: string;
}

class OtherName {
  constructor(public books: BooksService) {}
}

/** A service whose class declares the repository again: with class fields, it is undefined after `super()`. */
class Redeclaring extends TypeOrmCrudService<Book> {
  protected override readonly repo = undefined as unknown as Repository<Book>;
}

class WithField extends OtherName {
  service = undefined;
}

const CIRCULAR = 'startup-errors.md#circular-imports';
const OF_SERVICE = '@Crud() of BooksController (path "books"): parameter 1 of the constructor … from its own file';
const schema = { authors, books, authorOfBooks };

/** The mistake, the application that makes it, what it says of the culprit … and of the change, and the page that it links to: startup-errors.md where none is named. */
const MISTAKES: Record<string, [makes: () => ModuleMetadata, says: string, link?: string]> = {
  '1: an option of another name': [
    () => typeorm({ options: { query: { filtr: {} } } }),
    'BooksController: query.filtr is {} … did you mean filter?',
  ],
  '2: a controller without a service': [
    () => typeorm({ type: OtherName }),
    'OtherName: the public property service is missing … constructor(public service: …)',
  ],
  '3: an entity that the data source does not know': [
    () => typeorm({ entities: [Author] }),
    'No metadata for "Book" … Add it to entities of the data source, or set autoLoadEntities: true',
  ],
  '4: a join of a relation that is not there': [
    () => typeorm({ options: { query: { join: { writer: {} } } } }),
    'query.join names "writer", but Book has no relation writer … it has author',
  ],
  '4: a join, and Drizzle was told of no relations': [
    () => ofDrizzle({ author: {} }, () => new DrizzleCrudService(drizzle({ client }), books)),
    'query.join names "author" … drizzle() knows no relations of books … declare them by relations()',
  ],
  '4: a join of a relation that Drizzle does not know': [
    () => ofDrizzle({ writer: {} }, () => new DrizzleCrudService(drizzle({ client, schema }), books)),
    'query.join names "writer", but Books has no relation writer … it has author',
  ],
  '5: a DTO without rules': [
    () => typeorm({ options: { dto: { create: Ruleless } } }),
    'BooksController: Ruleless in dto has no rules … Put a rule of class-validator on each of its properties',
    'validation.md#a-class-in-dto-is-a-whitelist',
  ],
  '6: a path parameter that params does not name': [
    () => typeorm({ path: 'authors/:authorId/books' }),
    `the path "authors/:authorId/books" has :authorId … add authorId: { field: '<a column>', type: 'string' }`,
  ],
  '6: params that the path does not have': [
    () => typeorm({ options: { params: { authorId: { field: 'authorId', type: 'number' } } } }),
    'params.authorId … the path "books" has no :authorId: add it to @Controller(), or remove it from params',
  ],
  '7: a circular import, by which the model is undefined': [
    () => typeorm({ options: { model: { type: undefined } } }),
    '@Crud() of BooksController (path "books"): model.type is undefined … import it from its own file',
    CIRCULAR,
  ],
  '7: by which the service is undefined (tsc)': [() => typeorm({ parameters: [undefined] }), OF_SERVICE, CIRCULAR],
  '7: by which the service is undefined (SWC)': [() => typeorm({ parameters: [Object] }), OF_SERVICE, CIRCULAR],
  '7: a circular import, by which a table is undefined in modelOf()': [
    () => ofDrizzle({}, Object, () => modelOf(undefined as never)),
    'the model is undefined … import it from its own file',
    CIRCULAR,
  ],
  '7: a circular import, by which the table of a service is undefined': [
    () => ofDrizzle({}, () => new DrizzleCrudService(drizzle({ client }), undefined as never)),
    'the table of a DrizzleCrudService is undefined … import it from its own file',
    CIRCULAR,
  ],
  '10: a class field that hides the repository': [
    () => typeorm({ parameters: [Redeclaring], providers: [provide(Redeclaring)] }),
    'Redeclaring has no repository … declare no field repo, which would hide it',
  ],
  '10: a class field that hides the service': [
    () => typeorm({ type: WithField }),
    'WithField: the public property service is undefined … constructor(public service: …)',
  ],
};

const LINK = /https:\/\/github\.com\/nestwright\/nestwright\/blob\/main\/docs\/[^\s)]+/g;

test.each(Object.entries(MISTAKES))('%s', async (_mistake, [makes, says, link = 'startup-errors.md']) => {
  const message = await told(makes);
  for (const part of says.split(' … ')) expect(message).toContain(part);
  const links = message.match(LINK) ?? [];
  expect(links).toEqual([expect.stringMatching(new RegExp(`/${link}$`))]);
  expect(links.map((each) => leads('README.md', each))).toEqual([true]);
});

describe('8: a peer that is too old', () => {
  const folder = mkdtempSync(join(tmpdir(), 'first-day-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ['@nestjs/common', '10.4.22', '11.0.0'],
    ['typeorm', '0.2.45', '0.3.20'],
    ['typeorm', '0.3.5', '0.3.20'],
    ['class-validator', '0.13.2', '0.14.0'],
  ])('%s %s', (name, version, oldest) => {
    const install = (module: string, manifest: object) => {
      mkdirSync(join(folder, 'node_modules', module), { recursive: true });
      writeFileSync(join(folder, 'node_modules', module, 'package.json'), JSON.stringify(manifest));
    };
    install('@nestwright/crud-typeorm', { version: '1.0.0' });
    install(name, { version });
    expect([...supportsPeers(join(folder, 'main.js'))]).toEqual([
      `${name} is ${version}, but must be ${oldest} or newer: npm install ${name}@latest`,
    ]);
    rmSync(join(folder, 'node_modules', name), { recursive: true });
  });
});

// What Nest and TypeORM say before this library runs is on the page, to be found by a search.
describe('messages of others', () => {
  const section = sectionsOf('docs/startup-errors.md').get('Messages of Nest, TypeORM and npm') ?? '';
  const escapePattern = (part: string) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  const rows = [...section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, message = '', change = '']) => ({
    pattern: new RegExp(message.split('…').map(escapePattern).join('[^]*')),
    change,
  }));

  test.each<[string, () => ModuleMetadata, culprit: string, change: string]>([
    ['2: a service without a provider', () => typeorm({ providers: [] }), 'BooksService', 'to `providers`'],
    ['3: no forFeature()', () => typeorm({ feature: [] }), 'BookRepository', '`TypeOrmModule.forFeature([Book])`'],
    ['3: a related entity', () => typeorm({ entities: [Book] }), 'Book#author', '`entities`'],
    ['9: no driver', () => typeorm({ driver: 'better-sqlite3' }), 'npm install better-sqlite3', 'Run that command'],
  ])('%s', async (_mistake, makes, culprit, change) => {
    const message = await told(makes);
    expect(message).toContain(culprit);
    expect(rows.filter(({ pattern }) => pattern.test(message))).toEqual([
      expect.objectContaining({ change: expect.stringContaining(change) }),
    ]);
  });
});

test('10: class fields of entities and DTOs are no values', async () => {
  class BookFields {
    // As compilers emit a field without a value.
    title = undefined as unknown as string;
    authorId = undefined as unknown as number;
  }
  IsString()(BookFields.prototype, 'title');
  const options = { dto: { update: BookFields }, validation: { whitelist: false } };
  await started(typeorm({ options }), async (app) => {
    const source = app.get(DataSource);
    const author = await source.getRepository(Author).save({ name: 'George Eliot' });
    const { id } = await source.getRepository(Book).save({ title: 'Romola', authorId: author.id });
    const url = `${(await app.getUrl()).replace('[::1]', '127.0.0.1')}/books/${id}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ title: 'Middlemarch' }) });
    expect([answer.status, await answer.json()]).toEqual([200, { id, title: 'Middlemarch', authorId: author.id }]);
  });
});
