/** Controllers without a public property `service`: right where no generated handler would call it. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { Controller, Injectable, Logger, Scope, type Type } from '@nestjs/common';
import { Crud, type CrudRequest, Override, ParsedRequest } from '@nestwright/crud';
import { catalog, column } from '../plan/catalogs.js';
import { type Api, start, stopAll } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Book {
  id!: number;
}

const books = catalog('Book', [
  column('id', 'integer', { primary: true }),
  column('title', 'text'),
  column('price', 'integer', { selectable: false }),
]);

@Injectable()
class Books extends MemoryService {
  constructor() {
    super([{ id: 1, title: 'one' }], books);
  }
}

@Injectable()
class Magazines extends MemoryService {
  constructor() {
    super([], catalog('Magazine', [column('id', 'integer', { primary: true })]));
  }
}

afterEach(stopAll);

const only = { routes: { only: ['getManyBase'] } } as const;

function run(controller: Type<object>): Promise<Api> {
  return start({ controllers: [controller], providers: [Books, Magazines] });
}

test('one without any service starts where it overrides every route, and is told that names were not checked', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);

  @Crud({ model: { type: Book }, ...only, query: { join: { nowhere: {} } } } as never)
  @Controller('books')
  class BooksController {
    @Override()
    getMany(@ParsedRequest() req: CrudRequest) {
      return { limit: req.parsed.limit };
    }
  }

  const api = await run(BooksController);
  await api.get('/books?limit=3').expect(200, { limit: 3 });
  expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^BooksController.* has no service of its entity/));
  warn.mockRestore();
});

test('a service under another name has names checked, at the start and in requests', async () => {
  @Crud({ model: { type: Book }, ...only })
  @Controller('books')
  class BooksController {
    constructor(
      readonly magazines: Magazines,
      private readonly books: Books,
    ) {}

    @Override()
    getMany(@ParsedRequest() req: CrudRequest) {
      return this.books.getMany(req);
    }
  }

  const api = await run(BooksController);
  await api.get('/books?filter=title||$eq||one').expect(200, [{ id: 1, title: 'one' }]);
  await api.get('/books?filter=price||$eq||1').expect(400);

  @Crud({ model: { type: Book }, ...only, query: { exclude: ['tilte'] } } as never)
  @Controller('books')
  class MisspeltController {
    constructor(private readonly books: Books) {}

    @Override()
    getMany(@ParsedRequest() req: CrudRequest) {
      return this.books.getMany(req);
    }
  }

  await expect(run(MisspeltController)).rejects.toThrow('query.exclude names "tilte"');
});

test.each([
  ['default', Scope.DEFAULT],
  ['request', Scope.REQUEST],
])('one in %s scope with a generated route does not start, whatever it calls its service', async (_, scope) => {
  @Crud({ model: { type: Book }, routes: { only: ['getManyBase', 'getOneBase'] } })
  @Controller({ path: 'books', scope })
  class BooksController {
    constructor(readonly books: Books) {}

    @Override()
    getMany(@ParsedRequest() req: CrudRequest) {
      return this.books.getMany(req);
    }
  }

  await expect(run(BooksController)).rejects.toThrow(
    'BooksController: the public property service is missing, but must be a CrudService',
  );
});
