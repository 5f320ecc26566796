import { Controller, Inject, Injectable, Module } from '@nestjs/common';
import { Crud, type CrudController } from '@nestwright/crud';
import { DrizzleCrudService, modelOf } from '@nestwright/crud-drizzle';
import { IsString } from 'class-validator';
import { drizzle, type SQLJsDatabase } from 'drizzle-orm/sql-js';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import sqljs from 'sql.js';

const books = sqliteTable('books', { id: integer().primaryKey({ autoIncrement: true }), title: text().notNull() });

class BookBody {
  @IsString()
  title!: string;
}

const DATABASE = 'database';

async function open(): Promise<SQLJsDatabase> {
  const { Database } = await (sqljs as unknown as () => Promise<{ Database: new () => never }>)();
  const database = drizzle(new Database());
  database.run('CREATE TABLE books (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL)');

  return database;
}

@Injectable()
class BooksService extends DrizzleCrudService<typeof books> {
  constructor(@Inject(DATABASE) database: SQLJsDatabase) {
    super(database, books);
  }
}

@Crud({ model: { type: modelOf(books, 'Book') }, dto: { create: BookBody } })
@Controller('books')
class BooksController implements CrudController<typeof books.$inferSelect> {
  constructor(@Inject(BooksService) readonly service: BooksService) {}
}

@Module({ providers: [{ provide: DATABASE, useFactory: open }, BooksService], controllers: [BooksController] })
export class BooksModule {}
