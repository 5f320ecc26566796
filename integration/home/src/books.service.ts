import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { Book } from './book.entity.js';

@Injectable()
export class BooksService extends TypeOrmCrudService<Book> {
  constructor(@InjectRepository(Book) books: Repository<Book>) {
    super(books);
  }
}
