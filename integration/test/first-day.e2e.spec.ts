/** Mistakes of a first day: what an application says that makes one names the culprit, what to change, and a page that is there. */
import { afterAll, expect, test } from '@jest/globals';
import { PGlite } from '@electric-sql/pglite';
import { Controller, type INestApplication, Inject } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Crud, type CrudOptions } from '@nestwright/crud';
import { DrizzleCrudService, modelOf } from '@nestwright/crud-drizzle';
import { relations } from 'drizzle-orm';
import { integer, pgTable, serial, text } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/pglite';
import { leads } from '../../scripts/test/markdown.js';

const authors = pgTable('authors', { id: serial().primaryKey(), name: text() });
const books = pgTable('books', { id: serial().primaryKey(), title: text(), authorId: integer() });
const authorOfBooks = relations(books, ({ one }) => ({
  author: one(authors, { fields: [books.authorId], references: [authors.id] }),
}));

const client = new PGlite();
afterAll(() => client.close());

const withRelations = () =>
  new DrizzleCrudService(drizzle({ client, schema: { authors, books, authorOfBooks } }), books);

async function start(options: object, service: () => object): Promise<void> {
  @Crud({ model: { type: modelOf(books) }, ...options } as CrudOptions)
  @Controller('books')
  class BooksController {
    constructor(@Inject(DrizzleCrudService) readonly service: object) {}
  }
  const providers = [{ provide: DrizzleCrudService, useFactory: service }];
  const module = await Test.createTestingModule({ controllers: [BooksController], providers }).compile();
  const app: INestApplication = module.createNestApplication({ logger: false });
  await app.init().finally(() => app.close());
}

const CIRCULAR = 'startup-errors.md#circular-imports';
const LINK = /https:\/\/github\.com\/nestwright\/nestwright\/blob\/main\/docs\/[^\s)]+/g;

/** The mistake, what the application says of the culprit … and of the change, and the page that it links to. */
test.each<[mistake: string, start: () => Promise<void>, says: string, link: string]>([
  [
    'an option of another name',
    () => start({ query: { filtr: {} } }, withRelations),
    'BooksController: query.filtr is {} … did you mean filter?',
    'startup-errors.md',
  ],
  [
    'a join, and Drizzle was told of no relations',
    () => start({ query: { join: { author: {} } } }, () => new DrizzleCrudService(drizzle({ client }), books)),
    'query.join names "author" … drizzle() knows no relations of books … declare them by relations()',
    'startup-errors.md',
  ],
  [
    'a join of a relation that Drizzle does not know',
    () => start({ query: { join: { writer: {} } } }, withRelations),
    'query.join names "writer", but Books has no relation writer … it has author',
    'startup-errors.md',
  ],
  [
    'a circular import, by which the model is undefined',
    () => start({ model: { type: undefined } }, withRelations),
    '@Crud() of BooksController (path "books"): model.type is undefined … import it from its own file',
    CIRCULAR,
  ],
  [
    'a circular import, by which a table is undefined in modelOf()',
    () => Promise.resolve().then(() => void modelOf(undefined as never)),
    'the model is undefined … import it from its own file',
    CIRCULAR,
  ],
  [
    'a circular import, by which the table of a service is undefined',
    () => start({}, () => new DrizzleCrudService(drizzle({ client }), undefined as never)),
    'the table of a DrizzleCrudService is undefined … import it from its own file',
    CIRCULAR,
  ],
])('%s', async (_mistake, work, says, link) => {
  const { message } = (await work().catch((error: unknown) => error)) as Error;
  for (const part of says.split(' … ')) expect(message).toContain(part);
  const links = message.match(LINK) ?? [];
  expect(links).toEqual([expect.stringMatching(new RegExp(`/${link}$`))]);
  expect(links.map((each) => leads('README.md', each))).toEqual([true]);
});
