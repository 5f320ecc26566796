/** Controllers without a public property `service`: right where no generated handler would call it. */
import { expect, jest, test } from '@jest/globals';
import { Controller, Logger, Scope, type Type } from '@nestjs/common';
import { Crud, type CrudOptions, type CrudRequest, Override, ParsedRequest } from '@nestwright/crud';
import { catalog, column } from '../plan/catalogs.js';
import { describeApplications, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Book {
  id!: number;
}

const key = column('id', 'integer', { primary: true });
const books = catalog('Book', [key, column('title', 'text'), column('price', 'integer', { selectable: false })]);

class Books extends MemoryService {
  constructor() {
    super([{ id: 1, title: 'one' }], books);
  }
}

class Magazines extends MemoryService {
  constructor() {
    super([], catalog('Magazine', [key]));
  }
}

const run = (controller: Type<object>) => start({ controllers: [controller], providers: [Books, Magazines] });

/** One whose service has another name, and which overrides the list alone. */
function privately(options: Partial<CrudOptions>, scope = Scope.DEFAULT): Type<object> {
  @Crud({ model: { type: Book }, routes: { only: ['getManyBase'] }, ...options } as CrudOptions)
  @Controller({ path: 'books', scope })
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

  return BooksController;
}

describeApplications('a controller', () => {
  test('without any service starts where it overrides every route, and is told that names were not checked', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);

    @Crud({ model: { type: Book }, routes: { only: ['getManyBase'] }, query: { join: { nowhere: {} } } } as never)
    @Controller('books')
    class BooksController {
      @Override()
      getMany(@ParsedRequest() req: CrudRequest) {
        return { limit: req.parsed.limit };
      }
    }

    await (await run(BooksController)).get('/books?limit=3').expect(200, { limit: 3 });
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^BooksController.* has no service of its entity/));
    warn.mockRestore();
  });

  test('whose service has another name has names checked, at the start and in requests', async () => {
    const api = await run(privately({}));

    await api.get('/books?filter=title||$eq||one').expect(200, [{ id: 1, title: 'one' }]);
    await api.get('/books?filter=price||$eq||1').expect(400);
    await expect(run(privately({ query: { exclude: ['tilte'] } }))).rejects.toThrow('query.exclude names "tilte"');
  });

  test.each([Scope.DEFAULT, Scope.REQUEST])(
    'in scope %s with a generated route does not start, whatever it calls its service',
    async (scope) => {
      await expect(run(privately({ routes: { only: ['getManyBase', 'getOneBase'] } }, scope))).rejects.toThrow(
        'BooksController: the public property service is missing, but must be a CrudService',
      );
    },
  );
});
