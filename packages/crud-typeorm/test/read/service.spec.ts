/** Hand-made requests → records, envelopes and refusals of the service and its hooks; joins and conditions over relations → the records that hand-written sets name, in as many statements as promised. */
import { beforeAll, expect, test } from '@jest/globals';
import type { CrudRequestOptions, GetManyDefaultResponse, JoinOptions } from '@nestwright/crud';
import { CHECK_START, type ResourceDefinition } from '@nestwright/crud/adapter';
import type { ParsedRequestParams, QueryJoin, SCondition } from '@nestwright/crud-request';
import type { ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { count, read } from '../../../sql/src/select/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { toDatabase } from '../../src/typeorm/database.js';
import { Author, AUTHORS, Book, Country, library, planOf, requestOf, Shelf } from './library.js';

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

/** Requests whose answers must not depend on whether a builder or a statement of our own reads them. */
const REQUESTS: readonly [title: string, parsed: Partial<ParsedRequestParams>, options?: CrudRequestOptions][] = [
  ['fields', { fields: ['name', 'label.short', 'seenAt', 'settings', 'tags', 'big'] }],
  ['a hidden key', { fields: ['name'] }, { query: { exclude: ['id'] } }],
  ['to-one joins', { join: on('country', 'mentor', 'mentor.country') }],
  ['to-many joins', { join: on('books', 'books.reviews', 'circles') }],
  ['a page with to-many joins', { join: on('books', 'circles'), limit: 3, offset: 2 }],
  ['a nested condition', { join: on('books', 'books.reviews'), search: { 'books.reviews.stars': { $gte: 5 } } }],
  ['relations that are not joined', { search: { 'country.name': { $startsL: 'g' }, 'circles.title': 'Red' } }],
  ['json', { search: { 'settings.theme': { $contL: 'DARK' }, 'settings.size': { $lt: 10 } } }],
  ['sort by a join that is not returned', { sort: sort('country.name'), join: on('books'), limit: 4, offset: 1 }],
];

type Kind = new () => object;
const PATHS = ['country', 'mentor', 'mentor.country', 'books', 'books.reviews', 'books.shelf', 'circles', 'desk'];
const ALL: JoinOptions = Object.fromEntries([...PATHS, 'pupils', 'pupils.books'].map((name) => [name, {}]));

/** Conditions over to-many relations, which hold for some choice of one book and one circle, or of none where there is none. */
const CHOICES: readonly (readonly [title: string, search: SCondition, ids: number[]])[] = [
  ['a value', { 'books.title': { $eq: 'One' } }, [1, 3]],
  ['two conditions on one path, of one child', { 'books.title': { $eq: 'One' }, 'books.pages': { $gt: 150 } }, []],
  ['not', { $not: { 'books.title': { $eq: 'One' } } }, [1, 5]],
  ['a link to a soft-deleted record is none', { 'circles.title': { $isnull: true } }, [3, 4, 5, 6, 7, 8]],
  ['nested', { 'books.reviews.stars': { $eq: 5 }, 'books.pages': { $lt: 150 } }, [1]],
  ['a to-one relation below', { 'books.shelf.wood': { $eq: 'elm' } }, [3, 5]],
];

describeDatabases('reads', (db) => {
  const own = library(db);
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
  const plan = (
    join: readonly (string | QueryJoin)[],
    search: SCondition = {},
    options = ALL,
    entity = Author as Kind,
  ) => {
    const joined = join.map((one) => (typeof one === 'string' ? { field: one } : one));
    return planOf(own.source, entity, requestOf({ search, join: joined }, { query: { join: options } }));
  };
  const list = (...given: Parameters<typeof plan>): Promise<ObjectLiteral[]> =>
    read(plan(...given), toDatabase(own.source));
  const total = (...given: Parameters<typeof plan>) => count(plan(...given), toDatabase(own.source));

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

  test('an operator may name its parameter as TypeORM and @dataui/crud do', async () => {
    const custom = {
      same: { query: (column: string, param: string) => `(${column}=:${param} OR ${column} = ${param})` },
      among: { isArray: true, query: (column: string, param: string) => `${column} IN (:...${param})` },
    };
    for (const [search, found] of [
      [{ id: { among: [1, 2] }, 'country.code': { same: 'de' } }, [1]],
      [{ $or: [{ id: { same: 1 } }, { id: { same: 2 } }] }, [1, 2]],
    ] as [SCondition, number[]][])
      expect(ids(await authors.getMany(request({ search }, { operators: { custom } })))).toEqual(found);
  });

  test('a count is by the builder of a service', async () => {
    class Poets extends TypeOrmCrudService<Author> {
      override async createBuilder(...parameters: Parameters<TypeOrmCrudService<Author>['createBuilder']>) {
        return (await super.createBuilder(...parameters)).andWhere("Author.role = 'poet'");
      }
    }

    const poets = new Poets(own.source.getRepository(Author));
    expect(await poets.count(request({ join: on('books'), limit: 1 }))).toBe(AUTHORS.length - 1);
  });

  test('the start refuses a model of another entity than the repository stores', () => {
    const options = { query: {}, routes: {}, params: {}, operators: {} };
    const startOf = (model: unknown) => authors[CHECK_START]({ model, options } as unknown as ResourceDefinition);
    const mistake =
      'model.type is Book, but its service stores Author: hand the service of Book to the controller, or name Author in model.type';
    const models = [Book, Author, class AuthorResponse {}, class ShownAuthor extends Author {}];
    expect(models.map(startOf)).toEqual([[mistake], [], [], []]);
  });

  test('to-one relations come in the root statement', async () => {
    let found: ObjectLiteral[] = [];
    const relations = ['country', 'mentor', 'mentor.country', 'desk'];
    expect(await own.statements.of(async () => (found = await list(relations)))).toHaveLength(1);
    expect(ids(found)).toEqual(AUTHORS.map(({ id }) => id));
    const mentor = { id: 1, name: 'Anna', country: { code: 'de' } };
    expect(found[1]).toMatchObject({ country: { code: 'fr', name: 'France' }, mentor, desk: null });
    expect(found[0]).toMatchObject({ country: { code: 'de' }, mentor: null, desk: { id: 1, wood: 'oak' } });
    expect(found[3]).toMatchObject({ country: null });
  });

  test('to-many relations come in a statement each, in the order of their keys, without soft-deleted ones', async () => {
    let found: ObjectLiteral[] = [];
    const texts = await own.statements.of(async () => (found = await list(['books', 'books.reviews', 'circles'])));
    expect(texts).toHaveLength(4);
    expect(found.map(({ books }) => ids(books))).toEqual([[11, 12, 13], [], [15], [], [18], [], [], []]);
    expect(found.map(({ circles }) => ids(circles))).toEqual([[21, 22], [21], [24], [], [], [], [], []]);
    expect(found[0]!.books.map((book: ObjectLiteral) => ids(book.reviews))).toEqual([[101, 102], [103], []]);
    expect(found[0]!.books[0]).toBeInstanceOf(Book);
  });

  test('listeners hear of each record once', async () => {
    const found = await list(['books', 'pupils', 'pupils.books']);
    expect(found[0]!.books.map(({ loadedAs }: Book) => loadedAs)).toEqual(['book 11', 'book 12', 'book 13']);
    expect(found[0]!.pupils[1].books.map(({ loadedAs }: Book) => loadedAs)).toEqual(['book 15']);
  });

  test('composite keys, and the other side of a many-to-many relation', async () => {
    const shelves = await list(['books'], {}, { books: {} }, Shelf);
    const rows = shelves.map(({ room, no, books }) => `${room} ${no}: ${ids(books)}`);
    expect(rows).toEqual(['A 1: 11', 'A 2: 12', 'B 1: 15,18']);
    const shelf = { room: 'A', no: 1, wood: 'oak' };
    expect(await list(['shelf'], { 'shelf.wood': 'oak' }, { shelf: {} }, Book)).toMatchObject([{ id: 11, shelf }]);
    expect(ids(await list([], { 'books.shelf.no': { $eq: 2 } }, { books: {}, 'books.shelf': {} }))).toEqual([1]);
  });

  test('conditions of a join stand in its ON clause', async () => {
    const onTitle = { field: 'books', on: [{ field: 'books.title', operator: '$eq' as const, value: 'One' }] };
    const onCountry = { field: 'country', on: [{ field: 'country.code', operator: '$eq' as const, value: 'fr' }] };
    const found = await list([onTitle, onCountry]);
    expect(found.map(({ books }) => ids(books))).toEqual([[11], [], [15], [], [], [], [], []]);
    expect(found.map(({ country }) => country?.code ?? null)).toEqual([null, 'fr', null, null, null, 'fr', null, null]);
  });

  test('required relations hide roots, from list and total', async () => {
    const required = { required: true };
    for (const [relation, found] of Object.entries({ country: [1, 2, 3, 6], books: [1, 3, 5] })) {
      expect(ids(await list([relation], {}, { [relation]: required }))).toEqual(found);
      expect(await total([relation], {}, { [relation]: required })).toBe(found.length);
    }
  });

  test.each(CHOICES)('conditions over to-many relations hold for some choice: %s', async (_, search, expected) => {
    expect(ids(await list([], search))).toEqual(expected);
    expect(ids(await list(['books', 'books.reviews', 'circles', 'country'], search))).toEqual(expected);
    expect(await total([], search)).toBe(expected.length);
  });

  test('an offset needs no limit', async () => {
    const unlimited = requestOf({ offset: 6 }, { query: { maxLimit: false } });
    expect(ids(await read(planOf(own.source, Author, unlimited), toDatabase(own.source)))).toEqual([7, 8]);
  });

  // There, keys that differ in case, accents or blanks at their end are equal.
  if (db.kind === 'mysql') {
    test('joined children are those that a condition on the parent finds', async () => {
      const { manager } = own.source;
      await manager.insert(Author, { id: 9, country: { code: 'DÉ ' } } as never);
      await manager.insert(Book, { id: 19, shelf: { room: 'a', no: 1 } });
      const countries = await list(['authors'], {}, { authors: {} }, Country);
      expect(countries.map(({ code, authors }) => `${code}: ${ids(authors)}`)).toEqual(['de: 1,3,9', 'fr: 2,6']);
      expect(ids(await list([], { 'country.code': 'de' }))).toEqual([1, 3, 9]);
      const [shelf] = await list(['books'], { no: 1 }, { books: {} }, Shelf);
      expect(ids(shelf!.books)).toEqual([11, 19]);
      await manager.delete(Book, 19);
      await manager.delete(Author, 9);
    });
  }
});
