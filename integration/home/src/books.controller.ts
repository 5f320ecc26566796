import { Controller } from '@nestjs/common';
import { Crud } from '@nestwright/crud';
import { Book } from './book.entity.js';
import { BooksService } from './books.service.js';

@Crud({
  model: { type: Book },
  query: { join: { author: {} }, softDelete: true },
})
@Controller('books')
export class BooksController {
  constructor(readonly service: BooksService) {}
}
