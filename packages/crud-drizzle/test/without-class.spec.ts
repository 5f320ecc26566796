/** Tables without any class: as the model of a resource, their bodies validated by the schemas that drizzle-zod makes. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Crud } from '@nestwright/crud';
import { createSchemaFactory } from 'drizzle-zod';
import * as pg from 'drizzle-orm/pg-core';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { type Api, start, stopAll } from '../../crud/test/support/application.js';
import { DrizzleCrudService } from '../src/index.js';
import { openDrizzle, type Opened, statementsOf } from './dialects.js';

const shelves = pg.pgTable(
  'shelves',
  { hall: pg.integer().notNull(), row: pg.integer().notNull(), topic: pg.varchar({ length: 20 }).notNull() },
  (table) => [pg.primaryKey({ columns: [table.hall, table.row] })],
);

const now = () => new Date();
const books = pg.pgTable(
  'library_books',
  {
    id: pg.serial().primaryKey(),
    title: pg.varchar({ length: 20 }).notNull(),
    pages: pg.integer(),
    printedOn: pg.date({ mode: 'date' }),
    addedAt: pg.timestamp().notNull().$defaultFn(now),
    hall: pg.integer(),
    row: pg.integer(),
  },
  (table) => [
    pg.foreignKey({ columns: [table.hall, table.row], foreignColumns: [shelves.hall, shelves.row] }),
    pg.unique('one_title_a_shelf').on(table.title, table.hall, table.row),
  ],
);

const KEY = { type: 'number', primary: true } as const;
// JSON has no dates.
const { createInsertSchema, createUpdateSchema } = createSchemaFactory({ coerce: { date: true } });
const create = createInsertSchema(books, { pages: (schema) => schema.min(1) });

describeDatabases(
  'tables without classes',
  (database) => {
    let opened: Opened;
    let api: Api;
    beforeAll(async () => {
      opened = await openDrizzle(database, { shelves, books });
      const { db, run } = opened;
      await run(...(await statementsOf('postgres', { shelves, books })));
      @Crud({
        model: { type: books },
        dto: { create, update: createUpdateSchema(books) },
        routes: { createOneBase: { onConflict: ['title', 'hall', 'row'] } },
      })
      @Controller('books')
      class BooksController {
        readonly service = new DrizzleCrudService(db, books);
      }
      @Crud({ model: { type: shelves }, params: { hall: { ...KEY, field: 'hall' }, row: { ...KEY, field: 'row' } } })
      @Controller('shelves')
      class ShelvesController {
        readonly service = new DrizzleCrudService(db, shelves);
      }
      api = await start({ controllers: [BooksController, ShelvesController] });
    });
    afterAll(async () => {
      await stopAll();
      await opened?.close();
    });

    test('a key of two columns is known, whether the table or its columns name it', async () => {
      expect(await api.post('/shelves', { hall: 1, row: 2, topic: 'Trees' })).toMatchObject({ status: 201 });
      expect(await api.get('/shelves?fields=topic')).toMatchObject({ body: [{ hall: 1, row: 2, topic: 'Trees' }] });
      expect(await api.get('/shelves/1/2')).toMatchObject({ status: 200, body: { topic: 'Trees' } });
      expect(await api.post('/shelves', { hall: 1, row: 2, topic: 'Seas' })).toMatchObject({ status: 409 });
    });

    test('schemas of drizzle-zod validate bodies', async () => {
      const refusal = { status: 400, body: { message: [expect.stringContaining('pages')] } };
      expect(await api.post('/books', { title: 'Oaks', pages: 0 })).toMatchObject(refusal);
      expect(await api.post('/books', { title: 'Oaks', pages: 9, hall: 1, row: 2 })).toMatchObject({ status: 201 });
      expect(await api.patch('/books/1', { pages: 10 })).toMatchObject({ status: 200, body: { pages: 10 } });
    });

    test('what a default of the application fills in, a replacement fills in again', async () => {
      const book = { title: 'Ferns', printedOn: '2024-02-29' };
      const { body } = await api.post('/books', book);
      const replaced = await api.put(`/books/${body.id}`, book);
      expect(replaced.body).toMatchObject({ ...book, addedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    });

    test('constraints over several columns are told by them', async () => {
      const refusal = { status: 409, body: { code: 'CRUD_FOREIGN_KEY_VIOLATION' } };
      expect(await api.post('/books', { title: 'Elms', hall: 9, row: 9 })).toMatchObject(refusal);
      const oaks = { title: 'Oaks', pages: 11, hall: 1, row: 2 };
      expect(await api.post('/books?onConflict=title,hall,row', oaks)).toMatchObject({ body: { id: 1, pages: 11 } });
    });

    test('OpenAPI has columns and schemas', () => {
      const { schemas } = SwaggerModule.createDocument(api.app, new DocumentBuilder().build()).components!;
      const title = { type: 'string', maxLength: 20 };
      const printedOn = { type: 'string', format: 'date' };
      const addedAt = { type: 'string', format: 'date-time' };
      expect(schemas).toMatchObject({
        LibraryBooksResponseDto: { properties: { id: { type: 'integer' }, title, printedOn, addedAt } },
        CreateLibraryBooksBodyDto: { properties: { pages: { minimum: 1 } }, required: ['title'] },
      });
    });
  },
  ['postgres'],
);
