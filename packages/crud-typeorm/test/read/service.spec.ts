/** Hand-made requests go into the service and its hooks; records, envelopes, refusals and cached answers come out. */
import { beforeAll, expect, test } from '@jest/globals';
import type { CrudRequest, CrudRequestOptions, GetManyDefaultResponse } from '@nestwright/crud';
import { CHECK_START, outcomeOf, type ResourceDefinition } from '@nestwright/crud/adapter';
import type { ParsedRequestParams, SCondition } from '@nestwright/crud-request';
import type { ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Author, Book } from './entities.js';
import { AUTHORS, library, requestOf } from './library.js';

/** Reads through a builder that it leaves as it is. */
class Built<T extends object> extends TypeOrmCrudService<T> {
  override createBuilder(...given: Parameters<TypeOrmCrudService<T>['createBuilder']>) {
    return super.createBuilder(...given);
  }
}

const TO_ONE = { country: {}, mentor: { exclude: ['id'] }, 'mentor.country': {}, desk: { required: true } };
const JOIN = { ...TO_ONE, books: {}, 'books.reviews': {}, circles: {} };
const on = (...names: string[]) => names.map((field) => ({ field }));
const sort = (field: string) => [{ field, order: 'DESC' as const }];
const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8];
const ONE = '2024-05-01T10:00:00.001Z';

/** Requests whose answers must not depend on whether a builder or a statement of our own reads them. */
const REQUESTS: readonly [title: string, parsed: Partial<ParsedRequestParams>, options?: CrudRequestOptions][] = [
  ['everything', {}],
  ['fields', { fields: ['name', 'label.short', 'seenAt', 'settings', 'tags', 'big'] }],
  ['a hidden key', { fields: ['name'] }, { query: { exclude: ['id'] } }],
  ['to-one joins', { join: on('country', 'mentor', 'mentor.country') }],
  ['a required join', { join: on('desk') }],
  ['to-many joins', { join: on('books', 'books.reviews', 'circles') }],
  ['a page with to-many joins', { join: on('books', 'circles'), limit: 3, offset: 2 }],
  ['a condition on a to-many join', { join: on('books', 'circles'), search: { 'books.title': 'One' } }],
  ['a nested condition', { join: on('books', 'books.reviews'), search: { 'books.reviews.stars': { $gte: 5 } } }],
  ['relations that are not joined', { search: { 'country.name': { $startsL: 'g' }, 'circles.title': 'Red' } }],
  ['a list', { search: { name: { $in: ['Anna', 'anna'] }, big: { $gt: '9007199254740992' } } }],
  ['a moment', { search: { seenAt: { $in: [new Date(ONE)] } } } as Partial<ParsedRequestParams>],
  ['json', { search: { 'settings.theme': { $contL: 'DARK' }, 'settings.size': { $lt: 10 } } }],
  ['sort by a column that is not selected', { fields: ['name'], sort: sort('score'), limit: 4 }],
  ['sort by a join that is not returned', { sort: sort('country.name'), join: on('books'), limit: 4, offset: 1 }],
];

describeDatabases('the service', (db) => {
  const own = library(db, { cache: { duration: 500 } });
  let authors: TypeOrmCrudService<Author>;
  beforeAll(() => void (authors = new TypeOrmCrudService(own.source.getRepository(Author))));
  const request = (parsed: Partial<ParsedRequestParams> = {}, { query, ...options }: CrudRequestOptions = {}) =>
    requestOf(parsed, { query: { join: JOIN, ...query }, ...options });
  /** What a client would see; through a builder SQLite's driver reads bigints as numbers, and joined records come in the database's order. */
  const json = (answer: unknown): unknown =>
    JSON.parse(
      JSON.stringify(answer, (name, value: unknown) => {
        if (['books', 'reviews', 'circles'].includes(name) && Array.isArray(value))
          return [...(value as { id: number }[])].sort((one, other) => one.id - other.id);
        return name === 'big' && db.kind === 'sqlite' ? undefined : value;
      }),
    );
  const ids = (records: unknown) => (records as ObjectLiteral[]).map(({ id }) => id as number);

  test.each(REQUESTS)('a builder answers as our own statements do: %s', async (_, parsed, options = {}) => {
    const built = new Built(own.source.getRepository(Author));
    const expected = await authors.getMany(request(parsed, options));
    expect(json(await built.getMany(request(parsed, options)))).toEqual(json(expected));
    expect(JSON.stringify(expected)).toContain('name');
    const paged = request(parsed, { ...options, query: { ...options.query, alwaysPaginate: true, limit: 2 } });
    const page = (await authors.getMany(paged)) as GetManyDefaultResponse<Author>;
    expect(json(await built.getMany(paged))).toEqual(json(page));
    for (const service of [authors, built]) expect(await service.count(request(parsed, options))).toBe(page.total);
  });

  test('one record: found, missing, several', async () => {
    const one = (search: SCondition) => authors.getOne(request({ search, join: on('books') }));
    const response = { message: 'Author not found', code: 'CRUD_NOT_FOUND' };
    expect(await one({ id: 1 })).toMatchObject({ id: 1, books: [{ id: 11 }, { id: 12 }, { id: 13 }] });
    await expect(one({ id: 77 })).rejects.toMatchObject({ status: 404, response });
    await expect(one({ role: 'poet' })).rejects.toMatchObject({ status: 409 });
  });

  test('a list cut by the ceiling says so, however it came to it', async () => {
    const options: CrudRequestOptions = { query: { maxLimit: 5 }, routes: {}, params: {} };
    const [all, six] = [requestOf({}), requestOf({ limit: 6 })].map((one) => Object.assign(one, { options }));
    for (const [one, count, outcome] of [
      [all!, 5, { truncated: true }],
      [six!, 5, { truncated: true }],
      [requestOf({}, { query: { maxLimit: 8 } }), 8, {}],
      [requestOf({ limit: 5 }, { query: { maxLimit: 5 } }), 5, {}],
    ] as const)
      expect([ids(await authors.getMany(one)), outcomeOf(one)]).toEqual([EIGHT.slice(0, count), outcome]);
  });

  test('an operator may name its parameter as TypeORM and @dataui/crud do', async () => {
    const custom = {
      same: { query: (column: string, param: string) => `${column} = :${param}` },
      tight: { query: (column: string, param: string) => `(${column}=:${param} OR ${column}=:${param})` },
      among: { isArray: true, query: (column: string, param: string) => `${column} IN (:...${param})` },
      ours: { query: (column: string, param: string) => `${column} = ${param}` },
      // A slice of an array, whose colon is SQL's.
      sliced: {
        query: (column: string, param: string) =>
          db.kind === 'postgres'
            ? `(ARRAY[7, 8, ${column}])[3:${param}] = ARRAY[1] AND ${column}::text = '1'`
            : `${column} = 1 AND ${param} = 3`,
      },
    };
    for (const [search, found] of [
      [{ id: { same: 2 } }, [2]],
      [{ id: { tight: 2 }, name: { $notnull: true } }, [2]],
      [{ id: { among: [1, 2] }, 'country.code': { same: 'de' } }, [1]],
      [{ $or: [{ id: { ours: 1 } }, { id: { same: 2 } }] }, [1, 2]],
      [{ id: { sliced: 3 } }, [1]],
      [{ active: { same: false }, seenAt: { same: new Date(ONE) } }, [2]],
    ] as [SCondition, number[]][])
      expect(ids(await authors.getMany(request({ search }, { operators: { custom } })))).toEqual(found);
  });
  test('withDeleted() on a builder brings soft-deleted records in', async () => {
    class AllBooks extends TypeOrmCrudService<Book> {
      override async getMany({ parsed, options }: CrudRequest) {
        return this.doGetMany((await this.createBuilder(parsed, options)).withDeleted(), parsed, options);
      }
    }

    const books = new AllBooks(own.source.getRepository(Book));
    const request = requestOf({ search: { authorId: { $in: [2, 5] } } });
    const deleted = requestOf({ search: { deletedAt: { $notnull: true } }, limit: 1, page: 1 });
    expect(ids(await books.getMany(request))).toEqual([14, 17, 18]);
    expect(await books.getMany(deleted)).toMatchObject({ data: [{ id: 14 }], total: 2 });
    expect(ids(await (await books.createBuilder(request.parsed, request.options)).getMany())).toEqual([18]);
  });

  test('count leaves deleted records out unless they are asked for, and counts by the builder of a service', async () => {
    const repository = own.source.getRepository(Book);
    const options: CrudRequestOptions = { query: { softDelete: true } };
    for (const books of [new TypeOrmCrudService<Book>(repository), new Built<Book>(repository)]) {
      expect(await books.count(requestOf({}, options))).toBe(6);
      expect(await books.count(requestOf({ includeDeleted: 1 }, options))).toBe(8);
    }

    class Poets extends TypeOrmCrudService<Author> {
      override async createBuilder(...parameters: Parameters<TypeOrmCrudService<Author>['createBuilder']>) {
        return (await super.createBuilder(...parameters)).andWhere("Author.role = 'poet'");
      }
    }

    const poets = new Poets(own.source.getRepository(Author));
    expect(await poets.count(request({ join: on('books'), limit: 1 }))).toBe(AUTHORS.length - 1);
    expect(await poets.count(request({ search: { id: { $lte: 2 } } }))).toBe(1);
    expect(await poets.count()).toBe(AUTHORS.length);
  });

  test('the start refuses a model of another entity than the repository stores', () => {
    const options = { query: {}, routes: {}, params: {}, operators: {} };
    const startOf = (model: unknown) => authors[CHECK_START]({ model, options } as unknown as ResourceDefinition);

    class AuthorResponse {}

    class ShownAuthor extends Author {}

    const mistake =
      'model.type is Book, but its service stores Author: hand the service of Book to the controller, or name Author in model.type';
    expect([Book, Author, AuthorResponse, ShownAuthor].map(startOf)).toEqual([[mistake], [], [], []]);
  });
});
