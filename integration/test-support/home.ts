/** The application of the site's front page: the files that it shows, on SQLite, with a shelf of books. */
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CrudModule } from '@nestwright/crud';
import { DataSource } from 'typeorm';
import { Author, Book } from '../home/src/book.entity.js';
import { BooksController } from '../home/src/books.controller.js';
import { BooksService } from '../home/src/books.service.js';
import { listening } from './listening.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'sqljs', entities: [Author, Book], synchronize: true }),
    TypeOrmModule.forFeature([Book]),
    CrudModule.forRoot(),
  ],
  controllers: [BooksController],
  providers: [BooksService],
})
class HomeModule {}

const SHELF = {
  'Jane Austen': { Persuasion: 1817 },
  'George Eliot': { 'Silas Marner': 1861, Middlemarch: 1871 },
  'Mary Shelley': { Frankenstein: 1818 },
};

export async function serveHome() {
  const app = await NestFactory.create(HomeModule, { logger: ['error', 'fatal'] });
  const served = await listening(app);
  const { manager } = app.get(DataSource);
  for (const [name, books] of Object.entries(SHELF)) {
    const author = await manager.save(Author, { name });
    for (const [title, year] of Object.entries(books)) await manager.save(Book, { title, year, author });
  }
  return { app, ...served };
}
