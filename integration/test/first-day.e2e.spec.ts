/** Mistakes of a first day: what an application says that makes one names the culprit, what to change, and a page that is there. The tests of the start have the others. */
import { afterAll, expect, jest, test } from '@jest/globals';
import { PGlite } from '@electric-sql/pglite';
import { Controller, Injectable, Logger } from '@nestjs/common';
import type { INestApplication, ModuleMetadata, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Crud, type CrudOptions } from '@nestwright/crud';
import { DrizzleCrudService, modelOf } from '@nestwright/crud-drizzle';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { IsString } from 'class-validator';
import { pgTable, serial, text } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/pglite';
import { Column, DataSource, Entity, ManyToOne, PrimaryGeneratedColumn, Repository } from 'typeorm';
import { leads } from '../../scripts/test/markdown.js';

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

const books = pgTable('books', { id: serial().primaryKey(), title: text() });
const client = new PGlite();
afterAll(() => client.close());

interface Setup {
  readonly options?: Record<string, unknown>;
  /** Classes of the constructor's parameters, as compilers emit them. */
  readonly parameters?: readonly unknown[];
}

function controllerOf({ options, parameters = [BooksService] }: Setup): Type<object> {
  class BooksController {
    constructor(public service: unknown) {}
  }

  Reflect.defineMetadata('design:paramtypes', parameters, BooksController);
  Controller('books')(BooksController);
  Crud({ model: { type: Book }, ...options } as CrudOptions)(BooksController);
  return BooksController;
}

const typeorm = (setup: Setup): ModuleMetadata => ({
  imports: [
    TypeOrmModule.forRoot({ type: 'sqljs', entities: [Book, Author], synchronize: true }),
    TypeOrmModule.forFeature([Book]),
  ],
  controllers: [controllerOf(setup)],
  providers: [BooksService],
});

/** An application of Drizzle. */
function ofDrizzle(join: object, make: () => object, model = () => modelOf(books)): ModuleMetadata {
  const options = { model: { type: model() }, query: { join } };
  return {
    controllers: [controllerOf({ options, parameters: [DrizzleCrudService] })],
    providers: [{ provide: DrizzleCrudService, useFactory: make }],
  };
}

/** Works with an application that listens. */
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
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
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

const CIRCULAR = 'startup-errors.md#circular-imports';
const OF_SERVICE = '@Crud() of BooksController (path "books"): parameter 1 of the constructor … from its own file';

/** The mistake, the application that makes it, what it says of the culprit … and of the change, and the page that it links to: startup-errors.md where none is named. */
const MISTAKES: Record<string, [makes: () => ModuleMetadata, says: string, link?: string]> = {
  'a join, and Drizzle was told of no relations': [
    () => ofDrizzle({ author: {} }, () => new DrizzleCrudService(drizzle({ client }), books)),
    'query.join names "author" … drizzle() knows no relations of books … declare them by relations()',
  ],
  'a DTO without rules': [
    () => typeorm({ options: { dto: { create: Ruleless } } }),
    'BooksController: Ruleless in dto has no rules … Put a rule of class-validator on each of its properties',
    'validation.md#a-class-in-dto-is-a-whitelist',
  ],
  'a circular import, by which the service is undefined (tsc)': [
    () => typeorm({ parameters: [undefined] }),
    OF_SERVICE,
    CIRCULAR,
  ],
  'a circular import, by which the service is undefined (SWC)': [
    () => typeorm({ parameters: [Object] }),
    OF_SERVICE,
    CIRCULAR,
  ],
  'a circular import, by which a table is undefined in modelOf()': [
    () => ofDrizzle({}, Object, () => modelOf(undefined as never)),
    'the model is undefined … import it from its own file',
    CIRCULAR,
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

test('class fields of entities and DTOs are no values', async () => {
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
